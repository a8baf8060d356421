import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { learnContextWindow } from '../../src/llm/contextWindow';
import { normaliseEndpoint } from '../../src/llm/endpoint';
import { findLocalServers } from '../../src/llm/localServers';
import { askForModels, listModels } from '../../src/llm/models';
import { ENDPOINT_PRESETS } from '../../src/llm/presets';
import { redact } from '../../src/llm/redact';
import { type ModelServer, startModelServer } from '../support/modelServer';

const KEY = 'tp-Zq8vT3nL0pYw71RbXc5e';
const signal = () => new AbortController().signal;

describe('setting up an endpoint', () => {
  const started: { close(): unknown }[] = [];
  const start = async (...parameters: Parameters<typeof startModelServer>): Promise<ModelServer> => {
    const server = await startModelServer(...parameters);
    started.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of started.splice(0)) await server.close();
  });

  it('learns the context window where a server tells it', async () => {
    const learn = async (get: Record<string, object>) =>
      learnContextWindow({ baseUrl: (await start(undefined, { get })).baseUrl }, 'm', signal(), 500);
    assert.equal(
      await learn({
        '/v1/models': {
          data: [
            { id: 'other', context_length: 999 },
            { id: 'm', context_length: 131072, top_provider: { context_length: 65536 } },
          ],
        },
      }),
      65536,
    );
    assert.equal(
      await learn({
        '/api/v0/models': { data: [{ id: 'm', max_context_length: 131072, loaded_context_length: 4096 }] },
      }),
      4096,
    );
    assert.equal(await learn({ '/props': { default_generation_settings: { n_ctx: 8192 } } }), 8192);
    assert.equal(await learn({ '/api/ps': { models: [{ name: 'm', context_length: 16384 }] } }), 16384);
    assert.equal(await learn({ '/v1/models': { data: [{ id: 'm' }] } }), undefined);
    const ollama = createServer((request, response) =>
      response.end(request.url === '/api/show' ? JSON.stringify({ parameters: 'stop "x"\nnum_ctx    12288' }) : '{}'),
    );
    await new Promise<void>((resolve) => ollama.listen(0, '127.0.0.1', resolve));
    started.push(ollama as Server);
    assert.equal(
      await learnContextWindow(
        { baseUrl: `http://127.0.0.1:${(ollama.address() as AddressInfo).port}/v1` },
        'm',
        signal(),
      ),
      12288,
    );
  });

  it('lists models in each form, and never fails for lack of a list', async () => {
    const list = async (models: object) =>
      listModels({ baseUrl: (await start(undefined, { get: { '/v1/models': models } })).baseUrl }, undefined, signal());
    assert.deepEqual(await list({ data: [{ id: 'a' }, { id: 'b' }] }), ['a', 'b']);
    assert.deepEqual(await list([{ id: 'a' }]), ['a']);
    assert.deepEqual(await list({ models: [{ name: 'a' }] }), ['a']);
    assert.equal(await list({ data: [] }), undefined);
    assert.equal(await listModels({ baseUrl: 'http://127.0.0.1:1/v1' }, undefined, signal()), undefined);
  });

  it('tells why there is no list of models', async () => {
    const ask = async (reply: object | number, key?: string) => {
      const server = createServer((request, response) => {
        const open = request.headers.authorization === `Bearer ${KEY}`;
        response.statusCode = typeof reply === 'number' && !open ? reply : 200;
        if (typeof reply === 'number') response.setHeader('Location', 'http://127.0.0.1:1/elsewhere');
        response.end(typeof reply === 'number' && !open ? 'no' : JSON.stringify(open ? [{ id: 'a' }] : reply));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      started.push(server);
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      return askForModels({ baseUrl, ...(key ? { key } : {}) }, undefined, signal());
    };
    for (const status of [401, 403]) assert.deepEqual(await ask(status), { kind: 'locked' });
    assert.deepEqual(await ask(401, `${KEY}x`), { kind: 'locked' });
    assert.deepEqual(await ask(401, KEY), { kind: 'listed', models: ['a'] });
    assert.deepEqual(await ask({ data: [] }), { kind: 'listed', models: [] });
    for (const reply of [404, 500, 302, { error: 'no' }]) assert.deepEqual(await ask(reply), { kind: 'unlisted' });
    assert.deepEqual(await askForModels({ baseUrl: 'http://127.0.0.1:1/v1' }, undefined, signal()), { kind: 'silent' });
  });

  it('finds servers on this machine with a GET and without a key, and waits for none that is silent', async () => {
    const server = await start(undefined, { models: ['small'] });
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    started.push({ close: () => silent.closeAllConnections() }, silent);
    const preset = (name: string, localPort: number) => ({ id: name, name, baseUrl: '', localPort });
    const begun = performance.now();
    const found = await findLocalServers(signal(), [
      preset('Here', Number(new URL(server.origin).port)),
      preset('Silent', (silent.address() as AddressInfo).port),
      preset('Nowhere', 1),
    ]);
    assert.deepEqual(found, [{ name: 'Here', baseUrl: server.baseUrl, models: ['small'] }]);
    assert.ok(performance.now() - begun < 2000);
    assert.deepEqual(
      server.requests.map(({ method, path, headers }) => [method, path, headers.authorization]),
      [['GET', '/v1/models', undefined]],
    );
  });

  it('offers presets that are in order', () => {
    for (const preset of ENDPOINT_PRESETS) {
      assert.equal(normaliseEndpoint(preset.baseUrl)?.base, preset.baseUrl);
      assert.ok((preset.keyUrl === undefined) === (preset.localPort !== undefined), preset.id);
    }
  });

  it('takes keys out of texts in every form', () => {
    const forms = [
      KEY,
      encodeURIComponent(`${KEY}`),
      Buffer.from(KEY).toString('base64'),
      `Bearer ${KEY}`,
      `"${KEY.slice(0, 14)}…"`,
      `ends in ${KEY.slice(-9)}`,
    ];
    for (const form of forms) assert.ok(!redact(`The key ${form} is wrong.`, KEY).includes(form), form);
    assert.equal(redact('key sk-live-abcdef123456 and sk-abc***xyz'), 'key … and …');
    assert.equal(redact('was sk-abc***xyz, ***tail and he******ad'), 'was …, … and …');
    const begun = Date.now();
    redact('a'.repeat(200_000));
    assert.ok(Date.now() - begun < 5000, 'a long word of an error body');
    assert.equal(redact('GET /v1?api_key=abcdef12&model=m'), 'GET /v1?api_key=…&model=m');
    assert.equal(redact('The task-based model is not found.', KEY), 'The task-based model is not found.');
  });
});
