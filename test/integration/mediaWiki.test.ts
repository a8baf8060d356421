import assert from 'node:assert/strict';
import type { Language } from '../../src/agent/event';
import type { ToolResult } from '../../src/agent/tool';
import { openSource } from '../../src/knowledge/index';
import type { KnowledgeSource } from '../../src/knowledge/source';
import { createToolbox } from '../../src/tools/index';
import { mediaWikiMissing, type RunningWiki, startMediaWiki } from '../support/mediaWiki';
import { WIKI_PAGES } from '../support/wikiPages';

const missing = mediaWikiMissing();

describe(`a real MediaWiki${missing ? ` (${missing})` : ''}`, function () {
  this.timeout(60_000);
  let wiki: RunningWiki;
  let source: KnowledgeSource;

  before(async function () {
    if (missing) this.skip();
    wiki = await startMediaWiki(WIKI_PAGES);
    source = openSource(wiki.root, { sampleFolder: '' });
  });
  after(() => wiki?.stop());

  /** Runs the actions with one open page; returns the last observation. */
  async function observe(actions: [string, string][], language: Language = 'en'): Promise<ToolResult> {
    const toolbox = createToolbox({ source });
    let result: ToolResult = { text: '' };
    for (const [tool, input] of actions) {
      result = await toolbox.get(tool)!.run(input, { language, question: '' }, AbortSignal.timeout(20_000));
    }
    return result;
  }
  const search = (input: string, language: Language = 'en') => observe([['Search', input]], language);

  it('has at least forty pages to read', () => {
    assert.ok(Object.keys(WIKI_PAGES).length >= 40);
  });

  const opened: [query: string, title: string, why: string][] = [
    ['Ada Lovelace', 'Ada Lovelace', 'the exact title'],
    ['ada lovelace', 'Ada Lovelace', 'lower case'],
    ['ADA LOVELACE', 'Ada Lovelace', 'upper case'],
    ['“Ada Lovelace”', 'Ada Lovelace', 'quotes'],
    ['[[Ada Lovelace]]', 'Ada Lovelace', 'link brackets'],
    ['《Ada Lovelace》', 'Ada Lovelace', 'Chinese title marks'],
    ['Lovelace, Ada', 'Ada Lovelace', 'the name turned round'],
    ['Ada_Lovelace', 'Ada Lovelace', 'URL form'],
    ['New_York%20City', 'New York City', 'both URL forms mixed'],
    ['https://example.org/wiki/New_York_City', 'New York City', 'an address'],
    ['C++', 'C++', 'plus signs'],
    ['C#', 'C Sharp (programming language)', 'a sign that no title may hold'],
    ['C', 'C', 'not C++'],
    ['AT&T', 'AT&T', 'an ampersand'],
    ['Q&A', 'Q&A', 'an ampersand'],
    ['100%', '100%', 'a percent sign'],
    ['東京タワー', '東京タワー', 'Japanese'],
    ['长城', '长城', 'Chinese'],
    ['Lumpability', 'Lumpability', 'never a spelling suggestion in its place'],
    ['Portal (video game)', 'Portal (video game)', 'parentheses'],
    ['portal (Video Game)', 'Portal (video game)', 'parentheses in another case'],
    ['Elecrticity', 'Electricity', 'a slip of the pen'],
    ['Heroes album', '"Heroes" (album)', 'quotes inside the title'],
    ['iPhone', 'iPhone', 'a title shown in another case'],
    ['Zurich', 'Zürich', 'a missing accent'],
    ['saint denis', 'Saint-Denis', 'a missing hyphen'],
    ['AC/DC', 'AC/DC', 'a slash'],
    ['O’Brien’s Tower', "O'Brien's Tower", 'typographic apostrophes'],
    ["Who's There?", "Who's There?", 'a question mark of its own'],
    ['North-South Railway', 'North–South Railway', 'a hyphen for a dash'],
    ['Dark Tower 2017 film', 'The Dark Tower (2017 film)', 'article and parentheses left out'],
    ['the analytical engine', 'Analytical Engine', 'an article too many'],
    [
      'Hans-Sachs-Straße (München)',
      'Hans-Sachs-Straße (München)',
      'an article that only talks of what it may refer to',
    ],
  ];
  for (const [query, title, why] of opened) {
    it(`opens ${title} for ${query}: ${why}`, async () => {
      const { text, ok, document, sentences } = await search(query);
      assert.notEqual(ok, false, text);
      assert.equal(document?.title, title);
      assert.ok(text.startsWith(title), text);
      assert.ok(sentences!.length > 0);
    });
  }

  it('shows prose alone: no template, reference mark or edit link', async () => {
    const { text, document, sentences } = await search('Ada Lovelace');
    assert.match(text, /was an English mathematician\. She wrote the first published program/);
    assert.doesNotMatch(text, /Template|Infobox|\[1\]|\[edit/);
    assert.match(text, /Sections: .*Early life; Illness; Work; Legacy/);
    assert.match(text, /\d+ sentences, \d+ sections; Lookup finds words in all of them\./);
    assert.match(document!.revision!, /^\d+$/);
    for (const { start, end } of sentences!) assert.match(text.slice(start, end), /[.!?]$/);
  });

  it('gives an address that a browser opens', async () => {
    for (const title of ['C++', 'AT&T', '100%', "Who's There?", '東京タワー', 'AC/DC']) {
      const { document } = await search(title);
      const response = await fetch(document!.url);
      assert.equal(response.status, 200, document!.url);
      assert.ok((await response.text()).includes('mw-parser-output'), document!.url);
    }
  });

  it('says where a redirect came from, through a second redirect too', async () => {
    assert.match((await search('Ada Byron')).text, /^Ada Lovelace \(redirected from “Ada Byron”\)\n/);
    assert.match((await search('Ada Byron', 'zh-CN')).text, /^Ada Lovelace（由“Ada Byron”重定向而来）\n/);
    assert.match((await search('babbage')).text, /^Charles Babbage \(redirected from “Babbage”\)\n/);
    assert.match((await search('Augusta Byron')).text, /^Ada /);
  });

  it('opens a redirect to a section at the section', async () => {
    const { text } = await search('Gaussia (asteroid)');
    assert.match(
      text,
      /^List of minor planets \(redirected from “Gaussia \(asteroid\)”\), section “1001”\nGaussia was found/,
    );
    assert.match((await search('Ada Lovelace#Legacy')).text, /section “Legacy”\nA programming language/);
  });

  it('names the senses of a disambiguation page by exact title, and each opens', async () => {
    for (const [query, count] of [
      ['Mercury', 3],
      ['Papua', 2],
      ['Stronger Together', 2],
    ] as const) {
      const { text, suggestions, document } = await search(query);
      assert.match(text, new RegExp(`^“${query}” may refer to several pages`));
      assert.equal(suggestions?.length, count);
      assert.equal(document, undefined);
      for (const title of suggestions!) assert.equal((await search(title)).document?.title, title);
    }
    assert.match((await search('Mercury', 'zh-CN')).text, /^“Mercury”可指多个页面/);
  });

  it('lists similar pages with a line on each when nothing matches', async () => {
    const { text, ok, suggestions } = await search('mechanical computer designer');
    assert.equal(ok, false);
    assert.match(text, /^Could not find “mechanical computer designer”\. Similar pages, by exact title:\n• /);
    assert.match(text, /• Analytical Engine: .*general-purpose mechanical computer/);
    for (const title of suggestions!) assert.equal((await search(title)).document?.title, title);
  });

  it('never lists the title that was asked for as similar', async () => {
    for (const query of ['Zurich lake festival', 'Portal 3', 'Mercury 7', 'Qwzxv']) {
      const { text, suggestions = [] } = await search(query);
      assert.match(text, /^Could not find/);
      assert.ok(!suggestions.includes(query));
    }
  });

  it('suggests neither a redirect to nowhere nor pages that the server makes', async () => {
    for (const query of ['Way to nowhere', 'Special:Random', 'Special:Version']) {
      const { text, suggestions = [] } = await search(query);
      assert.match(text, /^Could not find/);
      assert.ok(!suggestions.some((title) => title === query || title.startsWith('Special:')), text);
    }
  });

  it('opens pages of other namespaces, subpages, and titles at the limit of length', async () => {
    for (const title of [
      'Talk:Ada Lovelace',
      'Category:Engines',
      'Verin/Fish/Trout',
      '😀 smile',
      'עברית',
      'Ä'.repeat(127),
    ]) {
      assert.equal((await search(title)).document?.title, title);
    }
    assert.match((await search('Ö'.repeat(200))).text, /^Could not find/);
  });

  it('opens an anchor within a section at that section', async () => {
    assert.match(
      (await search('Trout of Verin')).text,
      /^Verin\/Fish\/Trout \(redirected from “Trout of Verin”\), section “Size”\n/,
    );
  });

  it('survives what no wiki could have', async () => {
    for (const query of [
      '<>',
      '|',
      '[]',
      '#',
      'Special:Random',
      'x'.repeat(2000),
      'Round one',
      '{{PAGENAME}}',
      '_',
      '/',
      '..',
      '~~~~',
      'de:Berlin',
      '&nbsp;',
      '\ud800',
      ':',
      '%',
      '\u0000',
    ]) {
      const { text } = await search(query);
      assert.match(text, /^(?:Could not find|Round)/, `${query}: ${text}`);
    }
  });

  it('says that a stub is all there is', async () => {
    assert.equal(
      (await search('Kleinweiler')).text,
      'Kleinweiler\nKleinweiler is a village in Bavaria.\nThis page is short; that is all of it.',
    );
  });

  it('mentions the other pages that a hatnote names', async () => {
    const { text, suggestions } = await search('Creed');
    assert.match(text, /^Creed\nA creed is a statement of faith\./);
    assert.match(text, /“Creed \(band\)”/);
    assert.deepEqual(suggestions, ['Creed (band)']);
  });

  it('looks words up in lists, tables and later sections', async () => {
    const page: [string, string] = ['Search', 'Ada Lovelace'];
    assert.match(
      (await observe([page, ['Lookup', 'BERNOULLI']])).text,
      /^\(Result 1 \/ 1\) .*Note G computes Bernoulli numbers/s,
    );
    assert.match((await observe([page, ['Lookup', '1833']])).text, /Charles Babbage/);
    const born = await observe([page, ['Lookup', 'birthplace']]);
    assert.match(born.text, /was born in London/);
    assert.match(born.text, /^\(Result 1 \/ \d\)/);
  });

  it('counts through the results, says when there are no more, and starts afresh on another page', async () => {
    const steps: [string, string][] = [
      ['Search', 'Ada Lovelace'],
      ['Lookup', 'notes'],
    ];
    const first = await observe(steps);
    const count = Number(/^\(Result 1 \/ (\d+)\)/.exec(first.text)![1]);
    const all = [...steps, ...Array.from({ length: count }, (): [string, string] => ['Lookup', 'notes'])];
    assert.match((await observe(all.slice(0, -1))).text, new RegExp(`^\\(Result ${count} / ${count}\\)`));
    assert.match(
      (await observe(all)).text,
      new RegExp(`^No more results for “notes” in Ada Lovelace \\(${count} of ${count} shown\\)`),
    );
    const other = await observe([
      ['Search', 'Charles Babbage'],
      ['Lookup', 'English'],
      ['Search', 'Ada Lovelace'],
      ['Lookup', 'English'],
    ]);
    assert.match(other.text, /^\(Result 1 \/ \d\) Ada Lovelace/);
  });

  it('reads a section with its subsections', async () => {
    const { text } = await observe([
      ['Search', 'Ada Lovelace'],
      ['Section', 'early life'],
    ]);
    assert.match(text, /^Ada Lovelace, section “Early life”:\nShe was born in London\./);
    assert.match(text, /Illness:\nIn 1829 she fell ill/);
  });

  it('reads a long page part by part', async () => {
    const { text } = await search('Log of the towers');
    assert.match(text, /1001 sentences, 25 sections/);
    assert.match(text, /Chapter 1 of the log; .* and \d+ more\./);
    const hit = await observe([
      ['Search', 'Log of the towers'],
      ['Lookup', 'tower 17 wrote entry 9 '],
    ]);
    assert.match(hit.text, /^\(Result 1 \/ 1\) Log of the towers, section “Chapter 17 of the log”/);
    const second = await observe([
      ['Search', 'Log of the towers'],
      ['Section', 'Chapter 3'],
      ['Section', 'Chapter 3'],
    ]);
    assert.match(second.text, /section “Chapter 3 of the log”, part 2 of 2:/);
  });

  it('finds the API from a page, index.php or api.php, and remembers it', async () => {
    for (const path of [
      '/',
      '/index.php',
      '/index.php?title=Zürich',
      '/api.php',
      '/index.php/Main_Page',
      '/no/such/path',
    ]) {
      const resolution = await openSource(wiki.root + path, { sampleFolder: '' }).resolve(
        'Zürich',
        { language: 'en' },
        AbortSignal.timeout(20_000),
      );
      assert.equal(resolution.kind, 'page', path);
    }
  });
});
