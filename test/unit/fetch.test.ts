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
      else if (request.url === '/busy') response.writeHead(503).end();
      else if (request.url === '/moved')
        response.writeHead(301, { location: `http://reader:hunter2@${server.host}/` }).end();
      else if (request.url === '/paper') response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<title>Verin</title><p>Lake Verin is deep. It is 80 m deep.</p><h2 id=fish>Fish</h2><p>Trout.</p>');
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

  it('opens at the section that the fragment names, behind a redirect too', async () => {
    const tool = fetchTool({ reader: new Reader(), fetch: { allowHosts: [server.host] } });
    for (const address of [`${server.origin}/#fish`, `${server.origin}/moved#fish`]) {
      const { text, document } = await tool.run(address, english, signal);
      assert.match(text, /^Verin, section “Fish”\nTrout\.\n/);
      assert.equal(document?.url, `${server.origin}/#fish`);
    }
    assert.match((await tool.run(`${server.origin}/#nowhere`, english, signal)).text, /^Verin\nLake Verin/);
  });

  it('never shows a name and password', async () => {
    const tool = fetchTool({ reader: new Reader(), fetch: { allowHosts: [server.host] } });
    for (const path of ['/', '/missing', '/paper', '/moved']) {
      const result = await tool.run(`http://reader:hunter2@${server.host}${path}`, english, signal);
      assert.doesNotMatch(JSON.stringify(result), /hunter2|reader/);
    }
  });

  it('says which failures tell nothing about the address', async () => {
    const tool = fetchTool({ reader: new Reader(), fetch: { allowHosts: [server.host, '127.0.0.1:9'] } });
    const isPassing = async (address: string) => (await tool.run(address, english, signal)).transient === true;
    assert.ok(await isPassing(`${server.origin}/busy`));
    assert.ok(await isPassing('http://127.0.0.1:9/'));
    assert.ok(!(await isPassing(`${server.origin}/missing`)));
    assert.ok(!(await isPassing('http://10.0.0.1/')));
  });

  it('reaches no host that is not public, however it is written', async () => {
    const answers: Record<string, string[]> = {
      'inside.test': ['127.0.0.1'],
      'both.test': ['93.184.216.34', '127.0.0.1'],
      'six.test': ['::1'],
      'mapped.test': ['::ffff:127.0.0.1'],
      'any.test': ['0.0.0.0'],
    };
    const resolve = async (name: string) =>
      (answers[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const tool = fetchTool({ reader: new Reader(), fetch: { resolve } });
    const hosts =
      `localhost LOCALHOST localhost. a.localhost 127.1 127.0.1 127.0.0.1. 2130706433 0x7f000001 0177.0.0.1 017700000001
      0x7f.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1 0 0.0.0.0 10.1 192.168.0.1 172.20.1.1 169.254.169.254 100.100.100.200 255.255.255.255
      [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1]
      [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001::1] [fe80::1] [fd00:ec2::254] [ff02::1] x:y@127.0.0.1 8.8.8.8@127.0.0.1
      ${Object.keys(answers).join(' ')} INSIDE.test loc\u200balhost ⓛocalhost`.split(/\s+/);
    const asked = server.asked.length;
    for (const host of hosts) {
      const { text, ok } = await tool.run(`http://${host}:${server.port}/`, english, signal);
      assert.ok(ok === false && /is not on the public internet/.test(text), `${host}: ${text}`);
    }
    assert.equal(server.asked.length, asked);
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
