import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { UserError } from '../../src/agent/errors';
import type { Language } from '../../src/agent/event';
import { openSource } from '../../src/knowledge';
import { ByLanguage } from '../../src/knowledge/byLanguage';
import { NpmPackages } from '../../src/knowledge/npmPackages';
import { readPage } from '../../src/knowledge/page';
import type { SiteTemplate } from '../../src/knowledge/siteTemplate';
import type { KnowledgeSource, Resolution } from '../../src/knowledge/source';
import { createToolbox } from '../../src/tools';

const signal = () => AbortSignal.timeout(5000);

describe('sources other than MediaWiki', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  }

  describe('a site described in settings', () => {
    /** A docs site: pages by slug, a search page with links. */
    const site: RequestListener = (request, response) => {
      const url = new URL(request.url!, 'http://site');
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      if (url.pathname === '/search') {
        const hits =
          url.searchParams.get('q') === 'nothing'
            ? ''
            : '<li><a href="/doc/1">Glass Bees</a></li><li><a href="/doc/2">Bees of glass</a></li>';
        response.end(`<nav><a href="/">Home</a></nav><ol class="hits">${hits}</ol>`);
      } else if (url.pathname === '/doc/1') {
        response.end(
          '<nav>Menu</nav><h1>Glass Bees</h1><main><p>Glass bees are made in Murano.</p><h2>Making</h2><p>They are blown.</p></main>',
        );
      } else {
        response.writeHead(url.pathname.startsWith('/page/') ? 404 : 500).end('<h1>No</h1>');
      }
    };
    async function search(input: string, language: Language = 'en') {
      const root = await serve(site);
      const sites = {
        bees: {
          searchUrl: `${root}/search?q={query}`,
          pageUrl: `${root}/page/{title}`,
          selectors: { results: '.hits li', title: 'h1', content: 'main' },
        },
      };
      const toolbox = createToolbox({ source: openSource('site:bees', { sampleFolder: '', sites }) });
      return toolbox.get('Search')!.run(input, { language, question: '' }, signal());
    }
    it('opens the result that has the title, and reads its content alone', async () => {
      const { text, document } = await search('glass bees');
      assert.match(text, /^Glass Bees\nGlass bees are made in Murano\.\nThey are blown\./);
      assert.match(document!.url, /\/doc\/1$/);
    });
    it('lists results otherwise', async () => {
      const { text, suggestions } = await search('bees');
      assert.match(text, /^Could not find “bees”\. Similar pages, by exact title:\n• Glass Bees\n• Bees of glass\n/);
      assert.deepEqual(suggestions, ['Glass Bees', 'Bees of glass']);
      assert.match((await search('nothing', 'zh-CN')).text, /^找不到“nothing”，也没有相近的页面。/);
    });
  });

  it('read a site as the documentation shows it, in its own charset', async () => {
    const example = /```json\n([\s\S]*?)```/.exec(await readFile('docs/knowledge-sources.md', 'utf8'))![1]!;
    const root = await serve((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      const { pathname, searchParams } = new URL(request.url!, 'http://site');
      if (pathname === '/entry/glass-bees')
        // 中国 in GBK, which only the page itself declares
        response.end(
          Buffer.from(
            '<html lang=zh><meta charset=gbk><h1>Glass bees</h1><main>\xd6\xd0\xb9\xfa\xa1\xa3</main>',
            'latin1',
          ),
        );
      else if (pathname === '/search' && searchParams.get('q') === 'Glass bees')
        response.end(
          '<ol class="hits"><li><a href="http://[">?</a><li><a href="/entry/glass-bees">Glass bees</a></ol>',
        );
      else response.end('<h1>There is no such page</h1>');
    });
    const settings = JSON.parse(`{${example.replaceAll('https://encyclopedia.example', root)}}`);
    const source = openSource(settings['reactAgent.knowledge.wiki'], {
      sampleFolder: '',
      sites: settings['reactAgent.knowledge.sites'],
    });
    for (const title of ['glass-bees', 'Glass bees']) {
      const found = await source.resolve(title, { language: 'en' }, signal());
      assert.ok(found.kind === 'page', title);
      assert.deepEqual(
        found.document.sentences.map(({ text }) => text),
        ['中国。'],
      );
      assert.equal(found.document.title, 'Glass bees');
      assert.equal(found.document.language, 'zh');
    }
  });

  describe('npm packages', () => {
    const packument = {
      name: 'glass-bees',
      description: 'Blows bees out of glass.',
      'dist-tags': { latest: '2.0.0' },
      versions: {
        '1.0.0': {},
        '2.0.0': {
          license: 'ISC',
          engines: { node: '>=20' },
          dependencies: { murano: '^1.2.3' },
          repository: { url: 'git+https://example.org/bees.git' },
        },
      },
      time: {
        created: '2020-02-02T00:00:00.000Z',
        '1.0.0': '2020-02-02T00:00:00.000Z',
        '2.0.0': '2024-05-06T00:00:00.000Z',
      },
      readme:
        '<!-- hidden -->\n# Glass bees\n[![badge](https://x/y.svg)](https://x)\n\nBlow them [gently](https://x).\n\n## Use\n\n```js\nblow(3);\n```\n',
    };
    const registry: RequestListener = (request, response) => {
      if (request.url === '/glass-bees') response.end(JSON.stringify(packument));
      else if (request.url === '/old-bees')
        response.end(
          '{"name":"old-bees","description":{},"versions":{"1.0.0":{"license":[1],"repository":null,"engines":"node"}},"dist-tags":{"latest":"1.0.0"},"time":null,"readme":[]}',
        );
      else if (request.url!.startsWith('/-/v1/search'))
        response.end(JSON.stringify({ objects: [{ package: { name: 'glass-bees', description: 'Blows bees.' } }] }));
      else response.writeHead(404).end('{"error":"Not found"}');
    };
    async function npm(actions: [string, string][], language: Language = 'en') {
      const toolbox = createToolbox({
        source: new NpmPackages('http://127.0.0.1:9'),
        packages: new NpmPackages(await serve(registry)),
      });
      let text = '';
      for (const [tool, input] of actions)
        ({ text } = await toolbox.get(tool)!.run(input, { language, question: '' }, signal()));
      return text;
    }
    it('are told with version, licence and readme, on which Lookup works', async () => {
      for (const name of [
        'glass-bees',
        'npm install Glass-Bees',
        'glass-bees@1.0.0',
        'https://www.npmjs.com/package/glass-bees',
      ]) {
        assert.match(await npm([['Npm', name]]), /^glass-bees\nBlows bees out of glass\./, name);
      }
      const open: [string, string] = ['Npm', 'glass-bees'];
      assert.match(await npm([open, ['Lookup', 'licence']]), /Licence: ISC/);
      assert.match(await npm([open, ['Lookup', '许可证']], 'zh-CN'), /许可证：ISC/);
      assert.match(await npm([open, ['Lookup', 'latest version']]), /2\.0\.0 \(2024-05-06\)/);
      assert.match(await npm([open, ['Lookup', 'gently']]), /Blow them gently\./);
      assert.match(await npm([open, ['Section', 'Use']]), /blow\(3\);/);
    });
    it('are told as far as they are in order', async () => {
      assert.match(await npm([['Npm', 'old-bees']]), /^old-bees\nold-bees\n• Latest version: 1\.0\.0\n/);
    });
    it('are suggested where the name is another', async () => {
      assert.match(
        await npm([['Npm', 'bees of glass']]),
        /^Could not find “bees of glass”.*\n• glass-bees: Blows bees\./,
      );
    });
  });

  describe('sources by language', () => {
    const only = (name: string, resolution: Resolution): KnowledgeSource => ({ name, resolve: async () => resolution });
    const document = readPage('<p>A page.</p>', { title: 'Page', url: 'x:Page', fetchedAt: '' });
    const missing = (title: string): Resolution => ({ kind: 'missing', similar: [{ title }] });
    it('fall back to the next and say so', async () => {
      const wiki = new ByLanguage('both', {
        en: [only('en', missing('A'))],
        'zh-CN': [only('zh', missing('B')), only('en', { kind: 'page', document })],
      });
      const found = await wiki.resolve('Page', { language: 'zh-CN' }, signal());
      assert.ok(found.kind === 'page' && found.note === 'zh中没有找到；以下页面来自en。');
      const miss = await wiki.resolve('Page', { language: 'en' }, signal());
      assert.deepEqual(miss, missing('A'));
    });
  });

  it('are opened by what the setting says, and anything else is explained', () => {
    for (const wiki of ['wikipedia', 'ftp://example.org', 'site:unknown', 'site:constructor']) {
      assert.throws(
        () => openSource(wiki, { sampleFolder: '' }),
        (error: unknown) => error instanceof UserError && error.hint !== '',
      );
    }
    for (const broken of [
      {},
      { selectors: { content: 'main' } },
      { pageUrl: 'https://x/{title}', selectors: {} },
      { pageUrl: 'https://x/{title}', selectors: { content: 'main', title: 'h1 >>' } },
      'text',
      null,
    ]) {
      const sites = { broken } as unknown as Record<string, SiteTemplate>;
      assert.throws(() => openSource('site:broken', { sampleFolder: '', sites, language: 'zh-CN' }), /描述不完整/);
    }
    for (const wiki of ['auto', '', 'https://www.wikipedia.org/', 'https://wikipedia.org']) {
      assert.equal(openSource(wiki, { sampleFolder: '' }).name, 'Wikipedia');
    }
    assert.equal(openSource('https://de.wikipedia.org', { sampleFolder: '' }).name, 'de.wikipedia.org');
  });
});
