import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '../../src/knowledge';
import { cachedSource, DocumentCache } from '../../src/knowledge/documentCache';
import { readPage } from '../../src/knowledge/page';
import { type KnowledgeSource, type Resolution, SourceUnavailable } from '../../src/knowledge/source';
import { createToolbox } from '../../src/tools';

const signal = () => AbortSignal.timeout(5000);

describe('the document cache', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'react-agent-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const page = (title: string, length = 10): Resolution => ({
    kind: 'page',
    document: readPage(`<p>${'A word. '.repeat(length)}</p>`, {
      title,
      url: `x:${title}`,
      fetchedAt: '2024-01-01T00:00:00.000Z',
    }),
  });
  /** A source that counts how often it was asked. */
  function counting(answer: (title: string) => Resolution) {
    const asked: string[] = [];
    const source: KnowledgeSource = {
      name: 'counting',
      async resolve(title) {
        asked.push(title);
        return answer(title);
      },
    };
    return { source, asked };
  }
  const resolve = (source: KnowledgeSource, title: string) => source.resolve(title, { language: 'en' }, signal());

  it('gives the same page without asking again, and says that it is cached', async () => {
    const { source, asked } = counting((title) => page(title));
    const first = await resolve(cachedSource(source, new DocumentCache(folder), 'x:'), 'Bees');
    const again = await resolve(cachedSource(source, new DocumentCache(folder), 'x:'), 'Bees');
    assert.deepEqual(again, { ...first, cached: true });
    assert.deepEqual(asked, ['Bees']);
    const toolbox = createToolbox({ source: cachedSource(source, new DocumentCache(folder), 'x:') });
    assert.equal((await toolbox.get('Search')!.run('Bees', { language: 'en', question: '' }, signal())).cached, true);
  });

  it('asks again for misses, and when a page is too old', async () => {
    const { source, asked } = counting((title) => (title === 'Bees' ? page(title) : { kind: 'missing', similar: [] }));
    const cache = new DocumentCache(folder, { maxAge: -1, maxBytes: 1e6 });
    for (const title of ['Wasps', 'Wasps', 'Bees', 'Bees']) await resolve(cachedSource(source, cache, 'x:'), title);
    assert.equal(asked.length, 4);
  });

  it('ignores files that are cut off, empty or of another shape', async () => {
    const { source, asked } = counting((title) => page(title));
    const cached = cachedSource(source, new DocumentCache(folder), 'x:');
    const spoil: ((file: string) => Promise<void>)[] = [
      (file) => truncate(file, 40),
      (file) => truncate(file, 0),
      (file) => writeFile(file, '{"key":"x:\\nen\\nBees","storedAt":9e15,"resolution":{"kind":"page","document":{}}}'),
      (file) => writeFile(file, 'null'),
      async (file) => writeFile(file, (await readFile(file, 'utf8')).replace('A word.', 'A wasp.')),
    ];
    for (const damage of spoil) {
      await resolve(cached, 'Bees');
      const [file] = await readdir(folder);
      await damage(join(folder, file!));
    }
    await resolve(cached, 'Bees');
    assert.equal(asked.length, spoil.length + 1);
  });

  it('keeps to its size by forgetting what was not used for longest, and leaves no temporary files', async () => {
    const { source, asked } = counting((title) => page(title, 100));
    const cached = cachedSource(source, new DocumentCache(folder, { maxAge: 1e9, maxBytes: 40_000 }), 'x:');
    for (let at = 0; at < 12; at++) await resolve(cached, `Page ${at}`);
    const files = await readdir(folder);
    assert.ok(files.length >= 2 && files.length < 12, String(files.length));
    assert.ok(files.every((file) => file.endsWith('.json')));
    await resolve(cached, 'Page 11');
    assert.equal(asked.length, 12);
  });

  it('is shared by windows that write at once', async () => {
    const limits = { maxAge: 1e9, maxBytes: 20_000 };
    const windows = [1, 2, 3].map(() => counting((title) => page(title, 100)));
    await Promise.all(
      windows.flatMap(({ source }) => {
        const cached = cachedSource(source, new DocumentCache(folder, limits), 'x:');
        return Array.from({ length: 8 }, (_, at) => resolve(cached, `Page ${at % 4}`));
      }),
    );
    const { source } = windows[0]!;
    const found = await resolve(cachedSource(source, new DocumentCache(folder, limits), 'x:'), 'Page 0');
    assert.equal(found.kind, 'page');
    assert.ok((await readdir(folder)).every((file) => file.endsWith('.json')));
  });

  it('keeps no login on disk', async () => {
    const root = await new Promise<string>((done) => {
      const server = createServer((_, response) =>
        response.end('{"query":{"general":{"lang":"en"}},"parse":{"title":"Bees","text":"<p>Bees fly.</p>"}}'),
      ).listen(0, '127.0.0.1', () => done(`127.0.0.1:${(server.address() as { port: number }).port}`));
      after(() => server.close());
    });
    const source = openSource(`http://reader:hunter2@${root}/`, { sampleFolder: '', cache: new DocumentCache(folder) });
    assert.equal((await resolve(source, 'Bees')).kind, 'page');
    const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')));
    assert.ok(files.length === 1 && !files.join().includes('hunter2'));
  });

  it('forgets everything when cleared, and is no reason to fail where it cannot write', async () => {
    const { source, asked } = counting((title) => page(title));
    const cache = new DocumentCache(folder);
    await resolve(cachedSource(source, cache, 'x:'), 'Bees');
    await cache.clear();
    await resolve(cachedSource(source, cache, 'x:'), 'Bees');
    assert.equal(asked.length, 2);
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    assert.equal(
      (await resolve(cachedSource(source, new DocumentCache(join(file, 'below')), 'x:'), 'Bees')).kind,
      'page',
    );
  });

  it('never hides that a source is not there', async () => {
    const broken: KnowledgeSource = {
      name: 'broken',
      resolve: () => Promise.reject(new SourceUnavailable('network', 'broken')),
    };
    await assert.rejects(resolve(cachedSource(broken, new DocumentCache(folder), 'x:'), 'Bees'), SourceUnavailable);
  });
});
