import assert from 'node:assert/strict';
import { openSource } from '../../src/knowledge';
import { type StandIn, type StandInOptions, searchWiki as search, startStandIn } from '../support/wikiServer';

const PAGES = { Electricity: { html: '<p><b>Electricity</b> is what charged matter does. It lights lamps.</p>' } };

describe('A wiki that fails or is slow', () => {
  const running: StandIn[] = [];
  afterEach(() => Promise.all(running.splice(0).map((server) => server.stop())));

  async function start(options: StandInOptions = {}): Promise<StandIn> {
    const server = await startStandIn({ pages: PAGES, ...options });
    running.push(server);
    return server;
  }

  describe('never says “could not find” when it could not ask', () => {
    const cases: [name: string, before: NonNullable<StandInOptions['before']>, expected: RegExp, requests: number][] = [
      [
        '403 for a client it does not like',
        (_, response) => !!response.writeHead(403).end('Please set a user-agent and respect our robot policy.'),
        /refuses this client \(HTTP 403\)/,
        2,
      ],
      [
        '429 with an HTML body',
        (_, response) => !!response.writeHead(429, { 'Retry-After': '0' }).end('<!DOCTYPE html><h1>Too many</h1>'),
        /is busy or limits requests \(HTTP 429\)/,
        6,
      ],
      [
        '429 that asks for an hour',
        (_, response) => !!response.writeHead(429, { 'Retry-After': '3600' }).end(),
        /Retry-After 3600 s/,
        2,
      ],
      [
        '429 until a date',
        (_, response) => {
          const hour = new Date(Date.now() + 3_600_000).toUTCString();
          return !!response.writeHead(429, { 'Retry-After': hour }).end();
        },
        /Retry-After 3\d{3} s/,
        2,
      ],
      [
        'a page that wants to be sure of a human',
        (_, response) => !!response.end('<!DOCTYPE html><title>One moment</title><form>Solve this.</form>'),
        /gave an answer that can't be read/,
        2,
      ],
      [
        'a redirect to no address of the web',
        (_, response) => !!response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
        /gave an answer that can't be read \(a redirect\)/,
        2,
      ],
      [
        'an error in a 200 body',
        (_, response) =>
          !!response
            .writeHead(200, { 'Retry-After': '0' })
            .end('{"error":{"info":"Search is currently too busy. Please try again later."}}'),
        /is busy .*Search is currently too busy/,
        6,
      ],
      [
        'an error behind warnings',
        (_, response) =>
          !!response
            .writeHead(200, { 'Retry-After': '0' })
            .end(
              '{"servedby":"mw1","warnings":{"main":{"warnings":"x"}}, "error": {"code":"readonly","info":"Locked."}}',
            ),
        /is busy .*Locked/,
        6,
      ],
      [
        'maxlag',
        (_, response) =>
          !!response
            .writeHead(200, { 'Retry-After': '0' })
            .end('{"error":{"code":"maxlag","info":"Waiting for a database server: 8 seconds lagged."}}'),
        /is busy .*8 seconds lagged/,
        6,
      ],
      [
        'HTML where JSON should be',
        (_, response) => !!response.end('<html>Proxy login</html>'),
        /can't be read \(no JSON\)/,
        2,
      ],
      [
        'an error of its own',
        (_, response) => !!response.end('{"error":{"code":"badtoken","info":"Invalid."}}'),
        /can't be read \(badtoken/,
        2,
      ],
      [
        'a private wiki',
        (_, response) => !!response.end('{"error":{"code":"readapidenied","info":"You need read permission."}}'),
        /asks for a login/,
        2,
      ],
      ['a closed connection', (_, response) => !!response.destroy(), /could not be reached/, 2],
    ];
    for (const [name, before, expected, requests] of cases) {
      it(name, async () => {
        const wiki = await start({
          before: (request, response, query) => (query.has('meta') ? false : before(request, response, query)),
        });
        for (const language of ['en', 'zh-CN'] as const) {
          wiki.requests.length = 0;
          const { text, ok } = await search(wiki.root, 'Electricity', language);
          assert.equal(ok, false);
          assert.doesNotMatch(text, /could not find|找不到/i);
          if (language === 'en') assert.match(text, expected);
          else assert.match(text, /不能说明页面是否存在。$/);
          assert.ok(wiki.requests.length - 1 <= requests, `${wiki.requests.length - 1} requests`);
        }
      });
    }

    it('a host that is not there', async () => {
      const { text } = await search('http://127.0.0.1:9/', 'Electricity');
      assert.match(text, /^127\.0\.0\.1:\d+ could not be reached/);
    });
  });

  it('waits as told and then succeeds', async () => {
    let refusals = 1;
    const wiki = await start({
      before: (_, response, query) =>
        query.get('action') === 'parse' &&
        refusals-- > 0 &&
        !!response.writeHead(503, { 'Retry-After': '0' }).end('<html>'),
    });
    assert.equal((await search(wiki.root, 'Electricity')).document?.title, 'Electricity');
  });

  it('stops at once when it is aborted, waiting or reading', async () => {
    for (const before of [
      ((_, response) => !!response.writeHead(429, { 'Retry-After': '9' }).end()) satisfies StandInOptions['before'],
      ((_, response) => !!response.writeHead(200).write('{"parse":')) satisfies StandInOptions['before'],
    ] as NonNullable<StandInOptions['before']>[]) {
      const wiki = await start({
        before: (request, response, query) => (query.has('meta') ? false : before(request, response, query)),
      });
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 100);
      const began = Date.now();
      const source = openSource(wiki.root, { sampleFolder: '' });
      await assert.rejects(source.resolve('Electricity', { language: 'en' }, stop.signal), { name: 'AbortError' });
      assert.ok(Date.now() - began < 3000);
    }
  });
});
