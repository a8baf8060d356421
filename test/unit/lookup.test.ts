import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Document } from '../../src/agent/document';
import type { Language } from '../../src/agent/event';
import type { ToolResult } from '../../src/agent/tool';
import { PageIndex } from '../../src/knowledge/lookup';
import { readPage } from '../../src/knowledge/page';
import type { KnowledgeSource } from '../../src/knowledge/source';
import { createToolbox } from '../../src/tools';

const page = (title: string, html: string, language = 'en'): Document =>
  readPage(`<div class="mw-parser-output">${html}</div>`, {
    title,
    url: `sample:${title}`,
    fetchedAt: '2024-01-01T00:00:00.000Z',
    language,
  });

const MILL = page(
  'Old Mill',
  `<p>The Old Mill was founded in 1898 by Zoë Müller. It ground rye for two films. Filmmakers love it.</p>
   <h2>History</h2><p>A fire broke out in 1910. It burnt for three days. The film “Rye” was shot here.</p>
   <p>The film (2017) was a remake.</p><h2>Machines</h2><p>The mill has these machines:</p><ul><li>a stone</li><li>a sieve of silk</li></ul>`,
);
const TOWER = page(
  '塔',
  '<p>这座塔始建于1898年。它高三十米。</p><h2>历史</h2><p>建造者李明出生于北京。他于1930年去世。</p>',
  'zh',
);
const PAGES = new Map([
  ['Old Mill', MILL],
  ['塔', TOWER],
]);

const source: KnowledgeSource = {
  name: 'two pages',
  async resolve(title) {
    const document = PAGES.get(title);
    return document ? { kind: 'page', document } : { kind: 'missing', similar: [] };
  },
};

/** Runs the actions with one open page; returns all observations. */
async function observe(actions: [string, string][], language: Language = 'en'): Promise<ToolResult[]> {
  const toolbox = createToolbox({ source });
  const results: ToolResult[] = [];
  for (const [tool, input] of actions) {
    results.push(await toolbox.get(tool)!.run(input, { language, question: '' }, AbortSignal.timeout(5000)));
  }
  return results;
}
const lookup = async (...keywords: string[]) =>
  (await observe([['Search', 'Old Mill'], ...keywords.map((keyword): [string, string] => ['Lookup', keyword])])).slice(
    1,
  );
const lookupChinese = async (...keywords: string[]) =>
  (
    await observe([['Search', '塔'], ...keywords.map((keyword): [string, string] => ['Lookup', keyword])], 'zh-CN')
  ).slice(1);

describe('Lookup', () => {
  it('says so when no page is open, also after a search that missed', async () => {
    for (const actions of [
      [['Lookup', 'rye']],
      [
        ['Search', 'Nowhere'],
        ['Lookup', 'rye'],
      ],
    ] as [string, string][][]) {
      const result = (await observe(actions)).at(-1)!;
      assert.equal(result.ok, false);
      assert.match(result.text, /^No page is open\. Search must open one first/);
    }
    assert.match((await observe([['Lookup', '塔']], 'zh-CN'))[0]!.text, /^尚未打开任何页面/);
  });

  it('finds whole words before parts of words, without regard to case and accents', async () => {
    const [first, second, third, end] = await lookup('FILM', 'film', 'Film', 'film');
    assert.match(first!.text, /^\(Result 1 \/ 4\) Old Mill, section “History”: .*The film “Rye” was shot here\./);
    assert.match(second!.text, /^\(Result 2 \/ 4\) .*remake/);
    assert.match(third!.text, /^\(Result 3 \/ 4\) Old Mill: .*two films/);
    assert.match(end!.text, /^\(Result 4 \/ 4\) .*Filmmakers/);
    assert.match((await lookup('zoe muller'))[0]!.text, /^\(Result 1 \/ 1\) .*founded in 1898/);
  });

  it('tells the end from a miss, again and again', async () => {
    const results = await lookup('sieve', 'sieve', 'sieve', 'dragon');
    assert.match(results[0]!.text, /^\(Result 1 \/ 1\)/);
    for (const result of results.slice(1, 3)) {
      assert.equal(result.ok, false);
      assert.match(result.text, /^No more results for “sieve” in Old Mill \(1 of 1 shown\)/);
    }
    assert.match(
      results[3]!.text,
      /^“dragon” is not in Old Mill, which is the open page\.\nSections: History; Machines\.$/,
    );
    assert.match((await lookupChinese('李明', '李明'))[1]!.text, /^《塔》中没有更多关于“李明”的结果（已显示 1 \/ 1）/);
  });

  it('takes signs literally', async () => {
    assert.match((await lookup('film (2017)'))[0]!.text, /remake/);
    assert.match((await lookup('“rye”'))[0]!.text, /^\(Result 1 \/ 2\)/);
    for (const odd of ['.*', '[a-z]', '$1', '\\', '(']) {
      const [result] = await lookup(odd);
      assert.ok(result!.ok === false || result!.text.includes('('), odd);
    }
  });

  it('goes on to stems and synonyms, and says so', async () => {
    for (const keyword of ['founding year', 'established', 'founder of the mill']) {
      const [result] = await lookup(keyword);
      assert.match(
        result!.text,
        /^\(Result 1 \/ \d\) Old Mill \(“.*” is not there word for word; this is related\): .*founded in 1898/,
        keyword,
      );
    }
    assert.match((await lookupChinese('成立'))[0]!.text, /始建于1898年/);
    assert.match((await lookupChinese('出生地点'))[0]!.text, /李明出生于北京/);
    assert.match(
      (await lookupChinese('逝世'))[0]!.text,
      /^（结果 1 \/ 1）《塔》，“历史”一节（没有与“逝世”完全一致的文字，以下为相关内容）：/,
    );
  });

  it('begins a section that the keyword names', async () => {
    assert.match((await lookup('machines and history', 'machines'))[1]!.text, /The mill has these machines/);
  });

  it('brings the sentence that a pronoun points at, and the lead-in of an item', async () => {
    assert.match((await lookup('three days'))[0]!.text, /A fire broke out in 1910\. It burnt for three days\./);
    assert.match((await lookup('silk'))[0]!.text, /The mill has these machines:.*a sieve of silk/s);
    assert.match((await lookupChinese('1930'))[0]!.text, /李明出生于北京。\s?他于1930年去世。/);
  });

  it('offers the nearest words when there is no match', async () => {
    const [result] = await lookup('seive');
    assert.match(result!.text, /Nearest words in it: .*sieve/);
  });

  it('starts afresh on another page, and keeps the count of a page that is opened again from the trace', async () => {
    const results = await observe([
      ['Search', 'Old Mill'],
      ['Lookup', '1898'],
      ['Search', '塔'],
      ['Lookup', '1898'],
    ]);
    assert.match(results[3]!.text, /^\(Result 1 \/ 1\) 塔/);

    const toolbox = createToolbox({ source });
    const run = (tool: string, input: string) =>
      toolbox.get(tool)!.run(input, { language: 'en', question: '' }, AbortSignal.timeout(5000));
    await run('Search', 'Old Mill');
    await run('Lookup', 'film');
    await run('Search', '塔');
    toolbox.get('Search')!.reopen!('Old Mill');
    assert.match((await run('Lookup', 'film')).text, /^\(Result 2 \/ 4\) Old Mill/);
  });

  it('shows sentences as the document numbers them', async () => {
    const [result] = await lookup('three days');
    assert.deepEqual(
      result!.sentences!.map(({ index, start, end }) => [MILL.sentences[index]!.text, result!.text.slice(start, end)]),
      result!.sentences!.map(({ index }) => [MILL.sentences[index]!.text, MILL.sentences[index]!.text]),
    );
    assert.equal(result!.sentences!.length, 2);
  });

  it('takes a word with underscores or percent signs as it stands in the page', async () => {
    const text = 'Set max_tokens to 5. The max tokens of a reply are few. It was %20 of all.';
    const sentences = text.split(/(?<=\.) /).map((one, index) => ({ index, text: one, section: 0 }));
    const document = { ...MILL, sections: [{ title: '', level: 1, start: 0, end: 3 }], sentences };
    const source: KnowledgeSource = { name: 'one page', resolve: async () => ({ kind: 'page', document }) };
    const toolbox = createToolbox({ source });
    const run = async (name: string, input: string) =>
      (await toolbox.get(name)!.run(input, { language: 'en', question: '' }, new AbortController().signal)).text;
    await run('Search', 'x');
    const first = (keyword: string) => run('Lookup', keyword);
    assert.match(await first('max_tokens'), /\(Result 1 \/ 1\).*: Set max_tokens/);
    assert.match(await first('max_tokens of'), /\(Result 1 \/ 1\).*: The max tokens/);
    assert.match(await first('%20'), /was %20 of/);
  });

  it('stays quick on a page of 20,000 sentences', async () => {
    const words = readFileSync(__filename, 'utf8').match(/[a-z]{4,}/g)!;
    const word = (at: number) => words[(at * 7919) % words.length]!;
    const sentences = Array.from({ length: 20_000 }, (_, index) => ({
      index,
      text: `Entry ${index} says that ${Array.from({ length: 12 }, (__, at) => word(index * 12 + at)).join(' ')}.`,
      section: 0,
    }));
    const index = new PageIndex({ ...MILL, sections: [{ title: '', level: 1, start: 0, end: 20_000 }], sentences });
    const keywords = [
      'entry 19999',
      'says',
      'founding year',
      'sentences shown',
      'a',
      'nowhere else',
      '这座塔',
      'readings',
    ];
    await index.find('first');
    const times: number[] = [];
    for (const keyword of keywords) {
      const began = process.cpuUsage();
      await index.find(keyword);
      times.push(process.cpuUsage(began).user / 1000);
    }
    const slowest = Math.max(...times);
    assert.ok(slowest < 200, `${slowest.toFixed(1)} ms of work`); // Five once warm: the bench measures it.
    if (process.env.SHOW_TIMES)
      console.log(keywords.map((keyword, at) => `${keyword}: ${times[at]!.toFixed(2)} ms`).join(', '));
  });
});
