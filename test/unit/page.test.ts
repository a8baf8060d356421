import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Document } from '../../src/agent/document';
import { disambiguationSenses, looksLikeDisambiguation, readPage } from '../../src/knowledge/page';
import { cpuTime } from '../support/cpuTime';

const meta = { title: 'Lake Verin', url: 'https://wiki.example/Lake_Verin', fetchedAt: '2026-01-02T03:04:05.000Z' };
const read = (html: string, language = 'en') => readPage(html, { ...meta, language });
const texts = (document: Document) => document.sentences.map(({ text }) => text);

const wikiPage = `
<html lang="en"><head><title>Lake Verin - Example Wiki</title><style>.x{}</style></head><body>
<div id="mw-navigation"><a href="/login">Log in</a></div><h1 id="firstHeading">Lake Verin</h1><div id="siteSub">From Example Wiki</div>
<div id="mw-content-text"><div class="mw-parser-output">
<div role="note" class="hatnote">This article is about the lake. For the ship, see <a href="/wiki/SS_Verin" title="SS Verin">SS Verin</a>.
 See also <a href="/wiki/Help:IPA" title="Help:IPA">Help:IPA</a> and <a class="new" title="Verin (page does not exist)" href="/w/index.php?redlink=1">Verin</a>.</div>
<p class="mw-empty-elt"></p>
<div class="shortdescription" style="display:none">Lake in Odria</div>
<p><span style="font-size: small;"><span id="coordinates">Coordinates: <style>.geo{display:inline}</style><span class="geo">42; 7</span></span></span></p>
<table class="infobox"><caption>Lake Verin</caption><tbody>
<tr><th colspan="2">Lake Verin</th></tr><tr><td colspan="2"><img alt="A lake"/><div>The lake in May</div></td></tr>
<tr><th>Location</th><td>Odria<br/>Northern Province</td></tr><tr><th>Islands</th><td><ul><li>Ama</li><li>Beru</li></ul></td></tr>
<tr><th colspan="2">Area</th></tr><tr><th>• Total</th><td>268.5&nbsp;km<sup>2</sup><sup class="reference"><a>[1]</a></sup></td></tr></tbody></table>
<div class="thumb"><div class="thumbcaption">A caption.</div></div>
<p><b>Lake Verin</b> (<span class="IPA">/ˈvɛrɪn/</span>; <a>listen</a>), known as the J. R. Pool,<sup class="reference">[4]</sup><sup class="reference">[a]</sup> is a lake
in Odria.<sup class="reference">[5]</sup> It is 80&#160;m deep.</p>
<div id="toc" class="toc"><h2>Contents</h2><ul><li>1 Geology</li></ul></div>
<h2><span class="mw-headline" id="Geology">Geology</span><span class="mw-editsection">[<a>edit</a>]</span></h2>
<div class="hatnote">Main article: <a title="Geology of Lake Verin">Geology of Lake Verin</a></div>
<p>The depth <span class="mwe-math-element"><span style="display: none;"><math alttext="{\\displaystyle d^{2}}"><semantics><mi>d</mi>
<annotation encoding="application/x-tex">{\\displaystyle d^{2}}</annotation></semantics></math></span><img class="mwe-math-fallback-image-inline" alt="{\\displaystyle d^{2}}"/></span> grows.
The layers are:</p><ul><li>Sand<ul><li>fine sand</li></ul></li><li>Clay. It is blue.</li></ul>
<pre>depth = 80
  print(depth)</pre>
<dl><dt>Verin stone</dt><dd>a grey rock</dd></dl>
<div class="mw-heading mw-heading3"><h3 id="Fish">Fish</h3><span class="mw-editsection">edit</span></div>
<table class="wikitable"><caption>Catch</caption><tr><th>Year</th><th>Fish</th><th>Tonnes</th></tr>
<tr><td rowspan="2">1990</td><td>Trout</td><td>12</td></tr><tr><td>Perch</td><td></td></tr><tr><td>1991</td><td colspan="2">none</td></tr></table>
<h2>References</h2><div class="reflist"><ol class="references"><li>A book.</li></ol></div>
<table class="navbox"><tr><td>Lakes of Odria</td></tr></table><div class="catlinks">Categories: Lakes</div>
</div></div><div id="footer">Privacy policy</div><script>let x = "<p>not text</p>";</script></body></html>`;

describe('Reading a page', () => {
  const document = read(wikiPage);

  it('begins with the first sentence of the article, without chrome, references, coordinates or hatnotes', () => {
    assert.deepEqual(texts(document).slice(0, 2), [
      'Lake Verin (/ˈvɛrɪn/; listen), known as the J. R. Pool, is a lake in Odria.',
      'It is 80 m deep.',
    ]);
    const all = texts(document).join('\n');
    for (const noise of [
      'Log in',
      'Coordinates',
      'display',
      'caption',
      'edit',
      'Contents',
      'Main article',
      'A book',
      'Privacy',
      'not text',
      '[4]',
      'Lakes of',
    ]) {
      assert.ok(!all.includes(noise), noise);
    }
  });

  it('offers the pages a hatnote names', () => assert.deepEqual(document.alternatives, ['SS Verin']));

  it('keeps infobox facts as a section of their own after the lead', () => {
    const box = document.sections[1]!;
    assert.equal(box.title, 'Infobox');
    assert.deepEqual(texts(document).slice(box.start, box.end), [
      'Location: Odria, Northern Province',
      'Islands: Ama, Beru',
      'Area, Total: 268.5 km2',
    ]);
  });

  it('keeps sections, lists with their lead-in, code, formulas once, and terms with their definition', () => {
    assert.deepEqual(
      document.sections.map(({ title, level }) => `${level} ${title}`),
      ['1 ', '2 Infobox', '2 Geology', '3 Fish'],
    );
    const { start, end } = document.sections[2]!;
    assert.deepEqual(
      document.sentences.slice(start, end).map(({ kind, starts, text }) => [kind ?? 'text', starts ?? false, text]),
      [
        ['text', true, 'The depth d^{2} grows.'],
        ['text', false, 'The layers are:'],
        ['item', false, 'Sand'],
        ['item', false, 'fine sand'],
        ['item', false, 'Clay. It is blue.'],
        ['code', true, 'depth = 80\n  print(depth)'],
        ['item', true, 'Verin stone: a grey rock'],
      ],
    );
  });

  it('reads tables as rows of header: value, with cells that span rows in each', () => {
    const { start, end } = document.sections[3]!;
    assert.deepEqual(texts(document).slice(start, end), [
      'Catch',
      'Year: 1990; Fish: Trout; Tonnes: 12',
      'Year: 1990; Fish: Perch',
      'Year: 1991; Fish: none',
    ]);
  });

  it('numbers the sentences and hashes them', () => {
    for (const [at, sentence] of document.sentences.entries()) {
      assert.equal(sentence.index, at);
      const section = document.sections[sentence.section]!;
      assert.ok(section.start <= at && at < section.end);
    }
    assert.equal(document.hash, createHash('sha256').update(texts(document).join('\n')).digest('hex'));
  });

  it('reads articles of other sites by their structure', () => {
    const html = `<body><header role="banner">Site</header><nav>Home</nav><main><h1>Lake Verin</h1><p>One. Two.</p>
      <table role="presentation"><tr><td><p>Laid out.</p></td></tr></table><table><tr><td>Depth</td><td>80 m</td></tr></table>
      <p hidden>Secret.</p><div style="display:none">Secret.</div><ul><li><p>Point.</p></li></ul></main><footer>Imprint</footer></body>`;
    assert.deepEqual(texts(read(html)), ['One.', 'Two.', 'Laid out.', 'Depth: 80 m', 'Point.']);
  });

  it('returns a stub as it is, and an empty page as an empty document', () => {
    assert.deepEqual(texts(read('<div class="mw-parser-output"><p>X is a village in Y.</p></div>')), [
      'X is a village in Y.',
    ]);
    for (const nothing of ['', '<', '<p>', '<!doctype html><html><body></body></html>', '\u0000'])
      assert.equal(read(nothing).sentences.length, 0);
  });

  it('reads Chinese pages', () => {
    const page = read(
      '<div class="mw-parser-output"><table class="infobox"><tr><th>面积：</th><td>12平方公里</td></tr></table><p>维林湖（<span class="reference">[1]</span>）是湖泊。水深80米。</p></div>',
      'zh-CN',
    );
    assert.deepEqual(texts(page), ['维林湖是湖泊。', '水深80米。', '面积: 12平方公里']);
    assert.equal(page.sections[1]!.title, '信息框');
  });

  it('names no more than an observation has room for', () => {
    const note = `<div class="hatnote">${'<a title="Other">Other</a>'.repeat(3)}</div>`;
    const others = Array.from({ length: 50 }, (_, at) => `<div class="hatnote"><a title="Other ${at}">o</a></div>`);
    const document = readPage(`${note}${others.join('')}<h2>${'Endless '.repeat(1e5)}</h2><p>Text.</p>`, {
      ...meta,
      title: '😀'.repeat(1e5),
    });
    assert.equal(document.alternatives?.length, 8);
    for (const title of [document.title, document.sections[1]!.title]) {
      assert.ok(title.length <= 250 && title.endsWith('…') && encodeURIComponent(title)); // throws on half a character
    }
  });

  it('does not overflow or slow down on hostile nesting', () => {
    const units = [
      '<div>',
      '<p><span>',
      '<li><td>',
      '<table><tr><td>',
      '<ul><li>a',
      '<dl><dt>a<dd>',
      '<a b="',
      '<a ',
      '<!--',
      '<math><mi>',
      '<b></i>',
    ];
    units.push(
      '<table class=infobox><tr><th>a<td>b',
      '<table class=wikitable><tr><th>a<td>b',
      '<div title="></div>">',
      '<tr><td rowspan=65000 colspan=1000>aa',
    );
    for (const unit of units) {
      const took = cpuTime();
      read(unit.repeat(20_000));
      assert.ok(took() < 3000, `slow on ${unit}`);
    }
  }).timeout(60_000);

  it('reads 5 MB within a memory bound', () => {
    const paragraph = `<p>${'Lake Verin is a lake in <a href="/wiki/Odria" title="Odria">Odria</a>. '.repeat(10)}</p>`;
    const html = `<div class="mw-parser-output">${paragraph.repeat(Math.ceil(5_000_000 / paragraph.length))}</div>`;
    const before = process.memoryUsage().rss;
    const page = read(html);
    assert.ok(page.sentences.length > 60_000);
    assert.ok(process.memoryUsage().rss - before < 400e6, `${(process.memoryUsage().rss - before) / 1e6} MB`);
  }).timeout(20_000);

  it('gives a sound document for any markup', () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<table>',
        '<tr>',
        '<th>h',
        '<td>d',
        '</table>',
        '<ul>',
        '<li>',
        '</ul>',
        '<h2>t',
        '</h2>',
        '<dl>',
        '<dt>',
        '<dd>',
        '<pre>',
      ],
      ...[
        'One. ',
        '“二。”',
        '&amp;',
        '&#0;',
        '<br>',
        '<math>',
        '</div>',
        '<div class="hatnote">',
        '<table class="infobox">',
        '<',
        'x',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const page = read(pieces.join(''));
        let next = 0;
        for (const section of page.sections) {
          assert.equal(section.start, next);
          next = section.end;
        }
        assert.equal(next, page.sentences.length);
        for (const { text } of page.sentences) assert.notEqual(text.trim(), '');
      }),
      { numRuns: 500 },
    );
  });
});

describe('Disambiguation pages', () => {
  const papua = `<div class="mw-parser-output"><p><b>Papua</b> most commonly refers to:</p><ul>
    <li><a href="/wiki/Papua_(province)" title="Papua (province)">Papua (province)</a>, a province of Indonesia</li>
    <li>An old name of <a href="/wiki/New_Guinea" title="New Guinea">New Guinea</a><ul><li><a title="Papuan people">Papuans</a></li></ul></li>
    <li><a class="new" title="Papua (film) (page does not exist)" href="?redlink=1">Papua (film)</a></li></ul>
    <h2>See also</h2><ul><li><a title="Papa">Papa</a></li></ul></div>`;

  it('are known by their structure, whatever their wording', () => {
    assert.ok(looksLikeDisambiguation(papua));
    assert.ok(looksLikeDisambiguation('<p>X</p><table id="disambigbox" class="dmbox"><tr><td>x</td></tr></table>'));
    assert.ok(
      looksLikeDisambiguation(
        '<p><b>维林</b>可以指：</p><ul><li><a title="维林湖">维林湖</a></li><li><a title="维林市">维林市</a></li></ul>',
      ),
    );
  });

  it('are not confused with articles', () => {
    assert.ok(!looksLikeDisambiguation(wikiPage));
    const street =
      '<p>The street refers to a saint in its name. It has:</p><ul><li><a title="A">A</a></li><li><a title="B">B</a></li></ul>';
    assert.ok(!looksLikeDisambiguation(street));
  });

  it('give their senses with exact titles', () => {
    assert.deepEqual(disambiguationSenses(papua), [
      { title: 'Papua (province)', description: 'a province of Indonesia' },
      { title: 'New Guinea', description: 'An old name of New Guinea' },
      { title: 'Papuan people', description: '' },
    ]);
  });
});
