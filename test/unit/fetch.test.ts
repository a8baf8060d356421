import 'tsx/esm'; // The page reader imports its library when a page needs it; tsx/cjs alone sees only what is required.
import assert from 'node:assert/strict';
import { Reader } from '../../src/knowledge/reader';
import { cleanAddress, fetchTool } from '../../src/tools/fetch';
import { startWebServer, type WebServer } from '../support/webServer';

const signal = new AbortController().signal;
const english = { language: 'en', question: '' } as const;
const chinese = { language: 'zh-CN', question: '' } as const;

describe('The Fetch tool', () => {
  let server: WebServer;
  before(async () => {
    server = await startWebServer((request, response) => {
      if (request.url === '/missing')
        response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Nothing here</title>');
      else if (request.url === '/paper') response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<title>Verin</title><p>Lake Verin is deep. It is 80 m deep.</p><h2>Fish</h2><p>Trout.</p>');
    });
  });
  after(() => server.close());

  it('reads addresses as models write them', () => {
    for (const input of [
      'example.com/page',
      '"https://example.com/page"',
      '<https://example.com/page>',
      '[a page](https://example.com/page)',
      '//example.com/page',
      ' `example.com/page` ',
      '“example.com/page”',
    ]) {
      assert.equal(cleanAddress(input), 'https://example.com/page', input);
    }
    assert.equal(cleanAddress('localhost:8080/x'), 'https://localhost:8080/x');
    assert.equal(cleanAddress('http://x.org/Verin_(lake)'), 'http://x.org/Verin_(lake)');
    assert.equal(cleanAddress('file:///etc/passwd'), 'file:///etc/passwd');
  });

  it('opens a page: title, text, size, and the sentences it shows', async () => {
    const reader = new Reader();
    const tool = fetchTool({ reader, fetch: { allowHosts: [server.host] } });
    const result = await tool.run(`"${server.origin}/"`, english, signal);
    assert.equal(result.ok ?? true, true);
    assert.ok(result.text.startsWith('Verin\nLake Verin is deep.'), result.text);
    assert.equal(result.document?.url, `${server.origin}/`);
    const [first] = result.sentences!;
    assert.equal(result.text.slice(first!.start, first!.end), 'Lake Verin is deep.');
    assert.equal(reader.document?.title, 'Verin');
    await tool.run(`${server.origin}/missing`, english, signal);
    assert.equal(reader.document?.title, 'Verin');
  });

  it('tells what went wrong, in the language of the run', async () => {
    const tool = fetchTool({ reader: new Reader(), fetch: { allowHosts: [server.host] } });
    const say = async (input: string, context: typeof english | typeof chinese = english) => {
      const result = await tool.run(input, context, signal);
      assert.equal(result.ok, false, input);
      return result.text;
    };
    assert.match(await say(`${server.origin}/missing`), /status 404: “Nothing here”/);
    assert.match(await say(`${server.origin}/paper`), /is a PDF/);
    assert.match(await say('file:///etc/passwd'), /“file:” are not fetched/);
    assert.match(await say('vscode://settings'), /“vscode:” are not fetched/);
    assert.match(await say('http://169.254.169.254/latest/meta-data/'), /not on the public internet/);
    assert.match(await say('http://[::ffff:7f00:1]/'), /not on the public internet/);
    assert.match(await say('http://localhost/', chinese), /不在公共互联网上/);
    for (const nonsense of [
      '',
      ' ',
      'http://',
      'https://',
      'http://a b',
      '?',
      '::::',
      'http://[',
      'x'.repeat(5000),
      'javascript:alert(1)',
      '\u0000',
      'ftp://x',
    ]) {
      assert.ok((await say(nonsense, chinese)).length > 5, nonsense);
    }
  }).timeout(20_000);
});
