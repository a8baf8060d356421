import 'tsx/esm'; // The page reader imports its library when a page needs it; tsx/cjs alone sees only what is required.
import assert from 'node:assert/strict';
import { decodeBody } from '../../src/knowledge/charset';
import { readWebPage } from '../../src/knowledge/webPage';
import { cpuTime } from '../support/cpuTime';

const at = '2026-01-02T03:04:05.000Z';
const respond = (body: string | Buffer, contentType: string, url = 'https://site.example/a/page', status = 200) =>
  readWebPage({ url, status, contentType, body: Buffer.from(body as string), cut: false }, at);
const textsOf = async (...input: Parameters<typeof respond>) => {
  const page = await respond(...input);
  assert.equal(page.kind, 'page');
  return page.kind === 'page' ? page.document.sentences.map(({ text }) => text) : [];
};

const sentence =
  'The ferry between Ama and Beru crosses the lake in forty minutes, and carries cars as well as people. ';
const article = `<html lang="en"><head><title>The ferry | Verin News</title></head><body>
  <div class="menu"><a href="/">Home</a> <a href="/sport">Sport</a></div><div class="sidebar-ads">Buy a boat now!</div>
  <div class="story"><h1>The ferry</h1><p>${sentence.repeat(3)}</p><p>${sentence.repeat(3)}</p><ul><li>Cars: 40</li></ul><p>${sentence.repeat(3)}</p></div>
  <div class="comments"><p>First!</p></div><div class="footer-links">Imprint</div></body></html>`;

describe('A web page', () => {
  it('is its main text, with its title and language', async () => {
    const page = await respond(article, 'text/html; charset=utf-8');
    assert.ok(page.kind === 'page');
    assert.equal(page.document.title, 'The ferry');
    assert.equal(page.document.language, 'en');
    const texts = page.document.sentences.map(({ text }) => text);
    assert.equal(texts[0], sentence.trim());
    assert.ok(texts.includes('Cars: 40'));
    for (const noise of ['Home', 'Buy a boat', 'First!', 'Imprint'])
      assert.ok(!texts.some((text) => text.includes(noise)), noise);
  }).timeout(20_000);

  it('is read by its structure where no main part stands out', async () => {
    assert.deepEqual(await textsOf('<title>T</title><p>Short. Page.</p>', 'text/html'), ['Short.', 'Page.']);
    assert.deepEqual(await textsOf('<!doctype html><p>No label.</p>', ''), ['No label.']);
  });

  it('of a wiki takes its title from its heading', async () => {
    const page = await respond(
      '<title>Verin - Wiki</title><h1>Verin</h1><div class="mw-parser-output"><p>A lake.</p></div>',
      'text/html',
    );
    assert.ok(page.kind === 'page' && page.document.title === 'Verin');
  });

  it('may be JSON, plain text, Markdown or source text, shown as such', async () => {
    assert.deepEqual(await textsOf('{"name":"Verin","depth":80}', 'application/json'), [
      '{\n  "name": "Verin",\n  "depth": 80\n}',
    ]);
    assert.deepEqual(await textsOf('{broken', 'application/json'), ['{broken']);
    assert.deepEqual(await textsOf('One line\nof a paragraph. Two.\n\nThree.', 'text/plain'), [
      'One line of a paragraph.',
      'Two.',
      'Three.',
    ]);
    assert.deepEqual(await textsOf('a,b\n1,2', 'text/csv'), ['a,b\n1,2']);
    const markdown =
      '# Verin\n\nA lake.\n\n## Use\n\n- fishing\n- sailing\n\n```js\nlet x = 1;\n\nx++;\n```\n\n| Year | Fish |\n|---|---|\n| 1990 | Trout |\n';
    const page = await respond(markdown, 'text/markdown');
    assert.ok(page.kind === 'page');
    assert.deepEqual(
      page.document.sections.map(({ title }) => title),
      ['', 'Use'],
    );
    assert.deepEqual(
      page.document.sentences.map(({ kind, text }) => [kind ?? 'text', text]),
      [
        ['text', 'A lake.'],
        ['item', 'fishing'],
        ['item', 'sailing'],
        ['code', 'let x = 1;\n\nx++;'],
        ['row', 'Year; Fish'],
        ['row', '1990; Trout'],
      ],
    );
    const long = await textsOf(`${'x'.repeat(70)}\n`.repeat(200), 'text/css');
    assert.ok(long.length > 15 && long.every((text) => text.length < 2500));
  });

  it('cannot make anyone wait', async () => {
    for (const unit of ['<table><tr><td>a', '<div class="comment"><p>a, b', '<a href=x>l</a> ']) {
      const took = cpuTime();
      await respond(unit.repeat(30_000), 'text/html');
      assert.ok(took() < 4000, `slow on ${unit}`);
    }
  }).timeout(20_000);

  it('that the server refuses is its status and title only', async () => {
    const page = await respond(`<title>Not here</title>${'<p>noise</p>'.repeat(10_000)}`, 'text/html', undefined, 404);
    assert.deepEqual(page, { kind: 'status', status: 404, title: 'Not here' });
    const endless = await respond(`<title>${'Not here '.repeat(1e5)}</title>`, 'text/html', undefined, 404);
    assert.ok(endless.kind === 'status' && endless.title.length <= 250);
  });

  it('that is no text is refused, whatever its label says', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
    assert.deepEqual(await respond(png, 'text/plain'), { kind: 'unreadable', type: 'application/octet-stream' });
    assert.deepEqual(await respond(png, 'image/png'), { kind: 'unreadable', type: 'image/png' });
    assert.deepEqual(await respond(Buffer.from('a\0b'), 'text/html'), {
      kind: 'unreadable',
      type: 'application/octet-stream',
    });
    for (const type of ['application/pdf', 'text/html', 'application/octet-stream']) {
      assert.deepEqual(await respond('%PDF-1.7 …', type), { kind: 'unreadable', type: 'application/pdf' });
    }
  });
});

describe('Charsets', () => {
  const gbk = Buffer.from([0xce, 0xac, 0xc1, 0xd6, 0xba, 0xfe]); // 维林湖
  const sjis = Buffer.from([0x8c, 0xce]); // 湖
  const page = (charset: string, bytes: Buffer) =>
    Buffer.concat([Buffer.from(`<html><head><meta charset=${charset}></head><p>`), bytes]);

  it('come from the byte order mark, the header, or the page', () => {
    assert.ok(decodeBody(page('gbk', gbk), 'text/html').endsWith('维林湖'));
    assert.ok(decodeBody(page('"GB2312"', gbk), '').endsWith('维林湖'));
    const httpEquiv = Buffer.concat([
      Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=gb18030">'),
      gbk,
    ]);
    assert.ok(decodeBody(httpEquiv, 'text/html').endsWith('维林湖'));
    assert.equal(decodeBody(sjis, 'text/html; charset="shift_jis"'), '湖');
    assert.equal(decodeBody(sjis, "text/html; charset='Shift_JIS'; x=y"), '湖');
    assert.equal(decodeBody(Buffer.from('\ufeff湖', 'utf16le'), 'text/html; charset=gbk'), '湖');
    assert.equal(decodeBody(Buffer.from('\ufeff湖'), 'text/html; charset=gbk'), '湖');
  });

  it('are declared by markup, not by JSON or text that quotes some', async () => {
    const quoting = JSON.stringify({ page: '<meta charset=gbk>', word: '中国' });
    assert.match(decodeBody(Buffer.from(quoting), 'application/json'), /中国/);
  });

  it('that nobody knows count as UTF-8; undeclared bytes are UTF-8 or Windows-1252', () => {
    assert.equal(decodeBody(Buffer.from('湖'), 'text/html; charset=klingon'), '湖');
    assert.equal(decodeBody(Buffer.from([0x80]), 'text/html; charset=klingon'), '\ufffd');
    assert.equal(decodeBody(Buffer.from('湖'), ''), '湖');
    assert.equal(decodeBody(Buffer.from('湖').subarray(0, 2), ''), '');
    assert.equal(decodeBody(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20]), ''), 'café ');
    assert.equal(decodeBody(page('utf-16', Buffer.from('湖')), '').slice(-1), '湖');
  });
});
