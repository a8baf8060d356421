// HTML → whole Document on real pages, beside the classic BeautifulSoup way where Python has it.
//
// And words looked up in a page of 20,000 sentences, made up here.
//
//   REACT_AGENT_PAGES   folder of saved encyclopedia pages (*.html); without it there is nothing to measure
//   REACT_AGENT_PYTHON  a Python with beautifulsoup4; default: python in the project's cache folder, else python3
//
// Loading of programs and libraries is left out on both sides. Bounds: 4 times faster per MB warm, 2 times on a first page.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { PageIndex } from '../../src/knowledge/lookup';
import { buildDocument, readPage } from '../../src/knowledge/page';

const ROUNDS = 25;
const PYTHON_ROUNDS = 5;
/** Processes started for the figure of a first page. */
const FRESH_STARTS = 4;
const meta = { title: 'Page', url: 'https://wiki.example/Page', fetchedAt: '2026-01-01T00:00:00.000Z', language: 'en' };

/** Milliseconds of each round, for each file. */
function measure(files: readonly string[], rounds: number): number[][] {
  const pages = files.map((file) => readFileSync(file, 'utf8'));
  const times: number[][] = pages.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, html] of pages.entries()) {
      const started = performance.now();
      readPage(html, meta);
      times[at]!.push(performance.now() - started);
    }
  }
  return times;
}

function run(command: string, args: readonly string[]): number[][] | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Both sides of the comparison. The best round counts, since anything else the machine does only adds. */
function compare(files: readonly string[]): void {
  const megabytes = sum(files.map((file) => statSync(file).size)) / 1e6;
  const cached = path.join(
    process.env.REACT_AGENT_CACHE ?? path.join(homedir(), '.cache/react-agent'),
    'python/bin/python',
  );
  const python = process.env.REACT_AGENT_PYTHON ?? (existsSync(cached) ? cached : 'python3');
  const ours = [process.execPath, '--require', 'tsx/cjs', __filename, '--time'];
  const classic = [python, path.resolve('test/bench/pages.py')];
  const time = ([command, ...args]: string[], rounds: number, timed: readonly string[]) => {
    const times = run(command!, [...args, String(rounds), ...timed]);
    return times?.map((all) => Math.min(...all));
  };
  const warm = (side: string[], rounds: number) => sum(time(side, rounds, files) ?? [Number.NaN]) / megabytes;
  const first = (side: string[]) => {
    const attempts = Array.from({ length: FRESH_STARTS }, () =>
      files.map((file) => time(side, 1, [file])?.[0] ?? Number.NaN),
    );
    return sum(files.map((_, at) => Math.min(...attempts.map((attempt) => attempt[at]!)))) / megabytes;
  };
  const show = (name: string, figures: { warm: number; first: number }, unit: string) =>
    console.log(
      `${name.padEnd(16)} warm ${figures.warm.toFixed(1)}${unit}   first page ${figures.first.toFixed(1)}${unit}`,
    );
  console.log(`${files.length} pages, ${megabytes.toFixed(2)} MB`);
  const document = { warm: warm(ours, ROUNDS), first: first(ours) };
  show('Document', document, ' ms/MB');
  const soup = { warm: warm(classic, PYTHON_ROUNDS), first: first(classic) };
  if (Number.isNaN(soup.warm)) {
    console.log(`${python} has no beautifulsoup4: nothing to compare with (pip install beautifulsoup4).`);
    return;
  }
  show('BeautifulSoup', soup, ' ms/MB');
  const faster = { warm: soup.warm / document.warm, first: soup.first / document.first };
  show('times faster', faster, '');
  if (faster.warm < 4 || faster.first < 2) process.exitCode = 1;
}

/** Lookup on a book-length page: the first makes the index, all later ones are to take less than 5 ms. */
async function lookUp(): Promise<void> {
  const vocabulary = [
    ...new Set(readFileSync(path.join(__dirname, '../../media/sample-wiki/en.html'), 'utf8').match(/[a-z]{4,}/g)),
  ];
  const word = (at: number) => vocabulary[(at * 7919) % vocabulary.length]!;
  const text = (at: number) =>
    `Entry ${at} says that ${Array.from({ length: 14 }, (_, place) => word(at * 14 + place)).join(' ')}.`;
  const blocks = Array.from({ length: 20_000 }, (_, at) => ({
    kind: 'text' as const,
    text: text(at),
    starts: at % 5 === 0,
  }));
  const index = new PageIndex(buildDocument(blocks, meta));
  const time = async (keyword: string) => {
    const started = performance.now();
    await index.find(keyword);
    return performance.now() - started;
  };
  const first = await time('entry');
  const times: number[] = [];
  // Words that are there, two that stand apart, words that only stems and synonyms find, and some that are nowhere.
  for (let at = 0; at < 40; at++) {
    for (const keyword of [word(at * 31), `${word(at)} ${word(at * 5 + 3)}`, `${word(at * 17)}ings`, `nowhere${at}`]) {
      times.push(await time(keyword));
    }
  }
  times.sort((one, other) => one - other);
  const [median, most] = [times[times.length >> 1]!, times.at(-1)!];
  console.log(
    `Lookup in 20,000 sentences: first ${first.toFixed(0)} ms, later ${median.toFixed(2)} ms (most ${most.toFixed(1)} ms)`,
  );
  if (median > 5) process.exitCode = 1;
}

const [flag, rounds, ...timed] = process.argv.slice(2);
if (flag === '--time') console.log(JSON.stringify(measure(timed, Number(rounds))));
else {
  void lookUp().then(() => {
    const folder = process.env.REACT_AGENT_PAGES ?? flag ?? '';
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.html')) : [];
    if (files.length === 0)
      console.log('No pages to measure: REACT_AGENT_PAGES names a folder of saved pages (*.html).');
    else compare(files.map((name) => path.join(folder, name)));
  });
}
