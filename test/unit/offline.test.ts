import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { runAgent } from '../../src/agent/agent';
import { foldAll } from '../../src/agent/trace';
import { cachedSource, DocumentCache } from '../../src/knowledge/documentCache';
import { MediaWiki } from '../../src/knowledge/mediaWiki';
import { MediaWikiApi } from '../../src/knowledge/mediaWikiApi';
import { OrOffline } from '../../src/knowledge/offline';
import { PoliteHttp } from '../../src/knowledge/politeness';
import { SampleWiki } from '../../src/knowledge/sampleWiki';
import { createResearcher } from '../../src/llm/researcher';
import { createToolbox } from '../../src/tools';
import { type StandIn, startStandIn } from '../support/wikiServer';

const SAMPLE = resolve(__dirname, '../../media/sample-wiki');
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:2';
const signal = () => AbortSignal.timeout(5000);

const wiki = (root: string) => new MediaWiki(new MediaWikiApi(root, new PoliteHttp()));
const sample = (language: 'en' | 'zh-CN' = 'en') => new SampleWiki(SAMPLE, language);

describe('A wiki that can’t be reached', () => {
  const cleanUp: (() => unknown)[] = [];
  afterEach(async () => {
    for (const task of cleanUp.splice(0)) await task();
  });

  it('is stood in for by the sample wiki, which the observation says in the run’s language', async () => {
    for (const [language, title, expected] of [
      [
        'en',
        'Charles Babbage',
        /^Charles Babbage\n127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\); this page is from the sample wiki/,
      ],
      ['zh-CN', '长城', /^长城\n无法连接 127\.0\.0\.1:\d+（ECONNREFUSED）；以下页面来自随扩展附带的示例百科。/],
    ] as const) {
      const toolbox = createToolbox({ source: new OrOffline(wiki(NOWHERE), sample(language)) });
      const result = await toolbox.get('Search')!.run(title, { language, step: 1 } as never, signal());
      assert.notEqual(result.ok, false, result.text);
      assert.match(result.text, expected);
    }
  });

  it('stays unavailable for what the sample wiki lacks as well, and both are named', async () => {
    const toolbox = createToolbox({ source: new OrOffline(wiki(NOWHERE), sample()) });
    const result = await toolbox.get('Search')!.run('Orvan Bridge of Kessel', { language: 'en' } as never, signal());
    assert.equal(result.ok, false);
    assert.match(result.text, /could not be reached .*sample wiki .* has no such page either\. .*says nothing about/);
  });

  it('leaves nothing of the sample wiki in the cache, and is asked again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'react-agent-offline-'));
    cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
    const online = cachedSource(wiki(NOWHERE), new DocumentCache(folder), 'auto');
    const source = new OrOffline(online, sample());
    const resolution = await source.resolve('Charles Babbage', { language: 'en' }, signal());
    assert.equal(resolution.kind === 'page' && resolution.document.url, 'sample:Charles Babbage');
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is not stood in for where it answers: a missing page is missing, a refusal is a refusal', async () => {
    const standIn: StandIn = await startStandIn({ pages: {} });
    cleanUp.push(() => standIn.stop());
    const source = new OrOffline(wiki(standIn.root), sample());
    const resolution = await source.resolve('Charles Babbage', { language: 'en' }, signal());
    assert.equal(resolution.kind, 'missing');
    const refusing = await startStandIn({
      before(_request, response) {
        response.writeHead(403).end();
        return true;
      },
    });
    cleanUp.push(() => refusing.stop());
    await assert.rejects(
      new OrOffline(wiki(refusing.root), sample()).resolve('Charles Babbage', { language: 'en' }, signal()),
      { name: 'SourceUnavailable' },
    );
  });

  it('is not waited for at every search when each wait is long', async () => {
    let asked = 0;
    const standIn = await startStandIn({
      async before(request) {
        asked++;
        await new Promise((done) => setTimeout(done, 30));
        request.socket.destroy();
        return true;
      },
    });
    cleanUp.push(() => standIn.stop());
    const source = new OrOffline(wiki(standIn.root), sample(), { slow: 10, again: 60_000 });
    await source.resolve('Charles Babbage', { language: 'en' }, signal());
    const first = asked;
    assert.ok(first > 0);
    await source.resolve('Ada Lovelace', { language: 'en' }, signal());
    assert.equal(asked, first);
    const impatient = new OrOffline(wiki(standIn.root), sample(), { slow: 10, again: 0 });
    await impatient.resolve('Charles Babbage', { language: 'en' }, signal());
    await impatient.resolve('Ada Lovelace', { language: 'en' }, signal());
    assert.equal(asked, first * 3);
  });

  it('lets a first question without any network be answered by the built-in researcher', async () => {
    const toolbox = createToolbox({ source: new OrOffline(wiki(NOWHERE), sample()) });
    const events = [];
    const run = runAgent({
      question: 'Which space company did the chief executive of Tesla also found?',
      llm: createResearcher(),
      toolbox,
      limits: {},
      signal: signal(),
    });
    for await (const event of run) events.push(event);
    const { end } = foldAll(events);
    assert.match(end?.answer ?? '', /SpaceX/);
    assert.ok(end?.sources.every(({ url }) => url.startsWith('sample:')));
  });
});
