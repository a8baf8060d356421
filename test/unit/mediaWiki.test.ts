import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { openSource } from '../../src/knowledge';
import { type StandIn, type StandInOptions, searchWiki as search, startStandIn } from '../support/wikiServer';

const PAGES = {
  Electricity: {
    html: '<p><b>Electricity</b> is what charged matter does. It lights lamps.</p>',
    description: 'physical phenomena',
  },
  Electrician: { html: '<p>An <b>electrician</b> lays cables.</p>', description: 'trade' },
  Mercury: {
    html: '<p><b>Mercury</b> most commonly refers to:</p><ul><li><a href="/wiki/Mercury_(planet)" title="Mercury (planet)">Mercury (planet)</a>, a planet</li></ul>',
    disambiguation: true,
  },
  'Mercury (planet)': { html: '<p><b>Mercury</b> is a planet.</p>' },
  'Hill street': {
    html: '<div class="dmbox">A box that looks like it.</div><p><b>Hill street</b> may refer to nothing else.</p>',
  },
};

describe('MediaWiki behind a stand-in server', () => {
  const running: StandIn[] = [];
  afterEach(() => Promise.all(running.splice(0).map((server) => server.stop())));

  async function start(options: StandInOptions = {}): Promise<StandIn> {
    const server = await startStandIn({ pages: PAGES, ...options });
    running.push(server);
    return server;
  }

  it('asks for title and search together: one round trip once it knows the wiki', async () => {
    let [waiting, together] = [0, 0];
    const wiki = await start({
      async before(_request, _response, query) {
        if (query.has('meta')) return false;
        together = Math.max(together, ++waiting);
        await new Promise((resolve) => setTimeout(resolve, 30));
        waiting--;
        return false;
      },
    });
    const source = openSource(wiki.root, { sampleFolder: '' });
    await source.resolve('Electricity', { language: 'en' }, AbortSignal.timeout(5000));
    assert.equal(together, 2);
    await source.resolve('Electrician', { language: 'en' }, AbortSignal.timeout(5000));
    const actions = wiki.requests.map(({ query }) => query.get('action'));
    assert.deepEqual(actions.filter((action) => action === 'parse').length, 2);
    assert.equal(wiki.requests.filter(({ query }) => query.has('meta')).length, 1);
  });

  it('names the program and a contact, asks politely and takes gzip', async () => {
    const wiki = await start();
    await search(wiki.root, 'Electricity');
    for (const { headers, query } of wiki.requests) {
      assert.match(headers['user-agent'] ?? '', /^ReActAgent\/[\d.]+ \(.*https:\/\//);
      assert.match(headers['accept-encoding'] ?? '', /gzip/);
      assert.equal(query.get('maxlag'), '5');
      assert.equal(query.get('formatversion'), '2');
    }
  });

  it('sends at most two requests at a time to a host, whatever runs beside', async () => {
    const wiki = await start({
      before: () => new Promise((resolve) => setTimeout(resolve, 10, false)),
    });
    const source = openSource(wiki.root, { sampleFolder: '' });
    const titles = ['Electricity', 'Electrician', 'Nothing at all', 'Mercury', 'Hill street'];
    await Promise.all(titles.map((title) => source.resolve(title, { language: 'en' }, AbortSignal.timeout(5000))));
    assert.equal(wiki.atOnce, 2);
  });

  it('opens the page that one strong spelling suggestion means, with a note', async () => {
    const wiki = await start({ suggestions: { Elecrticity: 'electricity' } });
    const { text, ok } = await search(wiki.root, 'Elecrticity');
    assert.notEqual(ok, false);
    assert.match(
      text,
      /^Electricity\nNo page is called “Elecrticity”; the nearest spelling is “Electricity”\.\nElectricity is/,
    );
    assert.match((await search(wiki.root, 'Elecrticity', 'zh-CN')).text, /没有名为“Elecrticity”的页面/);
  });

  it('only offers a suggestion that is another word', async () => {
    const wiki = await start({
      suggestions: { 'Current bill': 'current bull market' },
      results: { 'Current bill': [] },
    });
    const { text, ok, suggestions } = await search(wiki.root, 'Current bill');
    assert.equal(ok, false);
    assert.match(text, /Did you mean “current bull market”\?/);
    assert.deepEqual(suggestions, ['current bull market']);
  });

  it('never takes another number for a slip of the pen', async () => {
    const wiki = await start({
      pages: { 'Apollo 12': { html: '<p>Apollo 12 flew.</p>' } },
      suggestions: { 'Apollo 13': 'apollo 12' },
    });
    assert.equal((await search(wiki.root, 'Apollo 13')).ok, false);
  });

  it('describes similar pages with their short descriptions', async () => {
    const wiki = await start({ results: { 'lamp trade': ['Electrician', 'Electricity'] } });
    const { text, suggestions } = await search(wiki.root, 'lamp trade');
    assert.match(text, /\n• Electrician: trade\n• Electricity: physical phenomena\n/);
    assert.deepEqual(suggestions, ['Electrician', 'Electricity']);
  });

  it('goes by the page property where the wiki has it, not by looks', async () => {
    const wiki = await start();
    assert.deepEqual((await search(wiki.root, 'Mercury')).suggestions, ['Mercury (planet)']);
    assert.match((await search(wiki.root, 'Hill street')).text, /^Hill street\n/);
  });

  it('finds a title in the other Chinese script, and asks for simplified text', async () => {
    const wiki = await start({
      language: 'zh',
      pages: { 軟件: { html: '<p>软件是一系列指令。</p>', display: '软件', variant: '软件' } },
    });
    const { text, document } = await search(wiki.root, '软件', 'zh-CN');
    assert.match(text, /^软件\n软件是一系列指令。/);
    assert.equal(document?.url, `${wiki.root}/wiki/${encodeURIComponent('軟件')}`);
    const parses = wiki.requests.filter(({ query }) => query.get('action') === 'parse');
    assert.deepEqual(new Set(parses.map(({ query }) => query.get('variant'))), new Set(['zh-cn']));
  });

  describe('finds api.php', () => {
    const places: [script: string, given: string][] = [
      ['/w/api.php', '/'],
      ['/w/api.php', '/wiki/Main_Page'],
      ['/api.php', '/'],
      ['/de/api.php', '/de/wiki/Seite'],
      ['/wiki/api.php', '/wiki/'],
      ['/wiki/api.php', '/wiki/index.php/Page'],
      ['/intranet/w/api.php', '/intranet'],
      ['/deep/down/api.php', '/deep/down/index.php'],
    ];
    for (const [script, given] of places) {
      it(`${script} for ${given}`, async () => {
        const wiki = await start({ script });
        assert.equal((await search(wiki.root + given, 'Electricity')).document?.title, 'Electricity');
      });
    }
    it('by the link that every page of a wiki carries', async () => {
      const wiki = await start({ script: '/somewhere/else/api.php' });
      assert.equal((await search(wiki.root, 'Electricity')).document?.title, 'Electricity');
    });
    it('or says that there is no wiki', async () => {
      const server = createServer((_, response) => response.end('<h1>It works!</h1>')).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as { port: number };
      try {
        const { text, ok } = await search(`http://127.0.0.1:${port}/`, 'Electricity');
        assert.equal(ok, false);
        assert.match(text, /^No MediaWiki was found at 127\.0\.0\.1/);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  });

  it('logs in with the headers given, and takes them to no other host', async () => {
    const other = await start();
    const wiki = await start({
      before(request, response, query) {
        if (request.headers['x-token'] !== 'secret') {
          response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end('<html>Log in</html>');
          return true;
        }
        if (query.get('page') !== 'Electrician') return false;
        response
          .writeHead(302, { Location: `${other.root.replace('127.0.0.1', 'localhost')}/w/api.php?${query}` })
          .end();
        return true;
      },
    });
    assert.match((await search(wiki.root, 'Electricity')).text, /asks for a login \(HTTP 401\)/);
    const headers = { 'X-Token': 'secret' };
    assert.equal((await search(wiki.root, 'Electricity', 'en', { headers })).document?.title, 'Electricity');
    await search(wiki.root, 'Electrician', 'en', { headers });
    assert.ok(other.requests.length > 0);
    assert.ok(other.requests.every((request) => request.headers['x-token'] === undefined));
  });

  it('takes a login from the address, and neither shows it nor hands it to another port or an API elsewhere', async () => {
    const other = await start();
    const basic = `Basic ${Buffer.from('reader:a b@c').toString('base64')}`;
    const wiki = await start({
      before(request, response, query) {
        if (query.get('page') !== 'Electrician') return request.headers.authorization !== basic && !!response.destroy();
        response.writeHead(302, { Location: `${other.root}/w/api.php?${query}` }).end();
        return true;
      },
    });
    const withLogin = (root: string) => root.replace('//', '//reader:a%20b%40c@');
    const { document } = await search(withLogin(wiki.root), 'Electricity');
    assert.equal(document?.url, `${wiki.root}/wiki/Electricity`);
    await search(withLogin(wiki.root), 'Electrician');
    const lure = createServer((_, response) =>
      response.end(`<link rel="EditURI" href="${other.root}/w/api.php?action=rsd">`),
    );
    await new Promise<void>((resolve) => lure.listen(0, '127.0.0.1', resolve));
    const { port } = lure.address() as { port: number };
    await search(withLogin(`http://127.0.0.1:${port}`), 'Electricity').finally(() => lure.close());
    assert.ok(other.requests.length > 1);
    assert.ok(other.requests.every(({ headers }) => headers.authorization === undefined));
    const gone = await search('http://reader:secret@127.0.0.1:2/wiki/Page', 'Electricity');
    assert.match(gone.text, /^127\.0\.0\.1:2 could not be reached \(ECONNREFUSED\)/);
  });

  it('opens a section by its anchor, which keeps its own script where the heading is converted', async () => {
    const wiki = await start({
      language: 'zh',
      pages: {
        长城: {
          html: `<p>长城很长。</p><h2><span id="歷史"></span><span class="mw-headline">历史</span></h2><p>修建很早。</p>
            <h2><span class="mw-headline" id="參觀">参观</span></h2><p><span id="門票"></span>门票便宜。</p>`,
        },
      },
    });
    for (const [input, section] of [
      ['长城#歷史', '历史'],
      ['长城#参观', '参观'],
      ['长城#門票', '参观'],
    ] as const) {
      const { text } = await search(wiki.root, input, 'zh-CN');
      assert.match(text, new RegExp(`^长城，“${section}”一节\n`));
    }
    assert.match((await search(wiki.root, '长城#没有', 'zh-CN')).text, /^长城\n长城很长。/);
  });

  it('lists as many senses as fit, and says that there are more', async () => {
    const item = (at: number) =>
      `<li><a title="Smith (${at})">Smith (${at})</a>, ${'a person of that name '.repeat(30)}</li>`;
    const senses = Array.from({ length: 300 }, (_, at) => item(at)).join('');
    const wiki = await start({ pages: { Smith: { disambiguation: true, html: `<ul>${senses}</ul>` } } });
    const { text, suggestions = [] } = await search(wiki.root, 'Smith');
    assert.ok(text.length < 3000, `${text.length}`);
    assert.match(text, new RegExp(`\\(Cut here: ${300 - suggestions.length} more;`));
  });

  it('is not asked for what can be no title, and never for one that is too long', async () => {
    const wiki = await start();
    assert.match((await search(wiki.root, '_')).text, /^Could not find/);
    const { text } = await search(wiki.root, `${'Électricité '.repeat(400)}`);
    assert.ok(text.startsWith('Could not find “Électricité') && text.length < 500, text);
    const asked = wiki.requests.flatMap(({ query }) => [query.get('page'), ...(query.get('titles') ?? '').split('|')]);
    assert.ok(asked.every((title) => Buffer.byteLength(title ?? '') <= 255));
    assert.equal((await search(wiki.root, 'Elec\u200btricity')).document?.title, 'Electricity');
    assert.equal((await search(wiki.root, 'Electrician|the trade')).document?.title, 'Electrician');
  });
});
