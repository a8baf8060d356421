// HTML → whole Document on real pages, beside the classic BeautifulSoup way where Python has it.
//
//   REACT_AGENT_PAGES   folder of saved encyclopedia pages (*.html); without it there is nothing to measure
//   REACT_AGENT_PYTHON  a Python with beautifulsoup4; default: python in the project's cache folder, else python3
//
// Loading of programs and libraries is left out on both sides. Bounds: 4 times faster per MB warm, 2 times on a first page.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { readPage } from '../../src/knowledge/page';

const ROUNDS = 25;
const PYTHON_ROUNDS = 5;
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

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1]!;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function compare(files: readonly string[]): void {
  const megabytes = sum(files.map((file) => statSync(file).size)) / 1e6;
  const self = ['--require', 'tsx/cjs', __filename, '--time'];
  const cached = path.join(
    process.env.REACT_AGENT_CACHE ?? path.join(homedir(), '.cache/react-agent'),
    'python/bin/python',
  );
  const python = process.env.REACT_AGENT_PYTHON ?? (existsSync(cached) ? cached : 'python3');
  const script = path.join(__dirname, 'pages.py');
  const firstOf = (command: string, args: readonly string[]) => {
    const firsts = files.map((file) =>
      median([1, 2, 3].map(() => run(command, [...args, '1', file])?.[0]?.[0] ?? Number.NaN)),
    );
    return sum(firsts) / megabytes;
  };
  const warmOf = (times: number[][]) =>
    sum(times.map((rounds) => median(rounds.slice(rounds.length >> 1)))) / megabytes;
  const warm = warmOf(run(process.execPath, [...self, String(ROUNDS), ...files])!);
  const first = firstOf(process.execPath, self);
  console.log(`${files.length} pages, ${megabytes.toFixed(2)} MB`);
  console.log(`Document           warm ${warm.toFixed(1)} ms/MB   first page ${first.toFixed(1)} ms/MB`);
  const classic = run(python, [script, String(PYTHON_ROUNDS), ...files]);
  if (!classic) {
    console.log(`${python} has no beautifulsoup4: nothing to compare with (pip install beautifulsoup4).`);
    return;
  }
  const classicWarm = warmOf(classic);
  const classicFirst = firstOf(python, [script]);
  console.log(`BeautifulSoup      warm ${classicWarm.toFixed(1)} ms/MB   first page ${classicFirst.toFixed(1)} ms/MB`);
  const faster = { warm: classicWarm / warm, first: classicFirst / first };
  console.log(`times faster       warm ${faster.warm.toFixed(1)}   first page ${faster.first.toFixed(1)}`);
  if (faster.warm < 4 || faster.first < 2) process.exitCode = 1;
}

const [flag, rounds, ...timed] = process.argv.slice(2);
if (flag === '--time') console.log(JSON.stringify(measure(timed, Number(rounds))));
else {
  const folder = process.env.REACT_AGENT_PAGES ?? flag ?? '';
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.html')) : [];
  if (files.length === 0) console.log('No pages to measure: REACT_AGENT_PAGES names a folder of saved pages (*.html).');
  else compare(files.map((name) => path.join(folder, name)));
}
