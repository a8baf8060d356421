import assert from 'node:assert/strict';
import type { Llm } from '../../src/agent/llm';
import { learnContextWindow } from '../../src/llm/contextWindow';
import { findLocalServers } from '../../src/llm/localServers';
import { askForModels, listModels } from '../../src/llm/models';
import { openLlm } from '../../src/llm/open';
import { collect } from '../support/ask';
import { closing } from '../support/closing';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { startWebServer } from '../support/webServer';

const KEY = 'tp-Zq8vT3nL0pYw71RbXc5e';
const signal = () => new AbortController().signal;

describe('what an endpoint tells of its models', () => {
  const closed = closing();
  const start = async (...parameters: Parameters<typeof startModelServer>) =>
    closed(await startModelServer(...parameters));
  const serve = async (...parameters: Parameters<typeof startWebServer>) => closed(await startWebServer(...parameters));
  const asked = (server: ModelServer) => server.requests.map(({ method, path }) => `${method} ${path}`);

  it('lists models in each form, and never fails for lack of a list', async () => {
    const list = async (models: object) =>
      listModels({ baseUrl: (await start(undefined, { get: { '/v1/models': models } })).baseUrl }, undefined, signal());
    assert.deepEqual(await list({ data: [{ id: 'a' }, { id: 'b' }] }), ['a', 'b']);
    assert.deepEqual(await list([{ id: 'a' }]), ['a']);
    assert.deepEqual(await list({ models: [{ name: 'a' }] }), ['a']);
    assert.equal(await list({ data: [] }), undefined);
    const doubtful = ['a', 'a', 'b\u0007', 'c\nd', 'e\u202ef', ' g', '', 7, 'h'.repeat(5000), 'vendor/i:7b é'];
    assert.deepEqual(await list({ data: doubtful.map((id) => ({ id })) }), ['a', 'vendor/i:7b é']);
    assert.equal(await listModels({ baseUrl: 'http://127.0.0.1:1/v1' }, undefined, signal()), undefined);
  });

  it('tells why there is no list of models', async () => {
    const ask = async (reply: object | number, key?: string) => {
      const server = await serve((request, response) => {
        const open = request.headers.authorization === `Bearer ${KEY}`;
        response.statusCode = typeof reply === 'number' && !open ? reply : 200;
        if (typeof reply === 'number') response.setHeader('Location', 'http://127.0.0.1:1/elsewhere');
        response.end(typeof reply === 'number' && !open ? 'no' : JSON.stringify(open ? [{ id: 'a' }] : reply));
      });
      const baseUrl = `${server.origin}/v1`;
      const list = await askForModels({ baseUrl, ...(key ? { key } : {}) }, undefined, signal());
      if (list.kind !== 'listed') return list;
      assert.equal(list.baseUrl, baseUrl);
      return { kind: list.kind, models: list.models };
    };
    for (const status of [401, 403]) assert.deepEqual(await ask(status), { kind: 'locked' });
    assert.deepEqual(await ask(401, `${KEY}x`), { kind: 'locked' });
    assert.deepEqual(await ask(401, KEY), { kind: 'listed', models: ['a'] });
    assert.deepEqual(await ask({ data: [] }), { kind: 'listed', models: [] });
    for (const reply of [404, 500, 302, { error: 'no' }]) assert.deepEqual(await ask(reply), { kind: 'unlisted' });
    assert.deepEqual(await askForModels({ baseUrl: 'http://127.0.0.1:1/v1' }, undefined, signal()), { kind: 'silent' });
  });

  it('finds the list where completions find their path, and says which address that is', async () => {
    const server = await start(undefined, { models: ['small'] });
    const access = { baseUrl: `${server.origin}/?api-version=2024-10-21`, key: KEY };
    assert.deepEqual(await askForModels(access, undefined, signal()), {
      kind: 'listed',
      models: ['small'],
      baseUrl: `${server.baseUrl}?api-version=2024-10-21`,
    });
    assert.deepEqual(asked(server), ['GET /models?api-version=2024-10-21', 'GET /v1/models?api-version=2024-10-21']);

    const locked = await serve((request, response) => {
      response.statusCode = request.url === '/v1/models' ? 401 : 404;
      response.end();
    });
    assert.deepEqual(await askForModels({ baseUrl: locked.origin }, undefined, signal()), { kind: 'locked' });
  });

  it('is asked for with the headers that a completion is asked with', async () => {
    const server = await start(undefined, { models: ['m'] });
    const access = { baseUrl: `${server.baseUrl}?api-version=2024-10-21`, key: KEY };
    await listModels(access, undefined, signal());
    await collect(openLlm('openai', { ...access, model: 'm', contextWindow: 8000 }));
    const [list, completion] = server.requests.map(({ headers }) =>
      ['authorization', 'api-key', 'user-agent'].map((name) => headers[name]),
    );
    assert.deepEqual(list, [`Bearer ${KEY}`, KEY, 'react-agent']);
    assert.deepEqual(completion, list);
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
    const ollama = await serve((request, response) =>
      response.end(request.url === '/api/show' ? JSON.stringify({ parameters: 'stop "x"\nnum_ctx    12288' }) : '{}'),
    );
    assert.equal(await learnContextWindow({ baseUrl: `${ollama.origin}/v1` }, 'm', signal()), 12288);
  });

  it('learns the window without /v1 in the base URL, and sends the key no further than that URL', async () => {
    const server = await start(undefined, { get: { '/v1/models': { data: [{ id: 'm', context_length: 4096 }] } } });
    const access = { baseUrl: `${server.origin}?tenant=secret`, key: KEY };
    assert.equal(await learnContextWindow(access, 'm', signal()), 4096);
    const withKey = server.requests.filter(({ headers }) => headers.authorization);
    assert.deepEqual(
      withKey.map(({ path }) => path),
      ['/models?tenant=secret', '/v1/models?tenant=secret'],
    );
    const others = server.requests.filter((request) => !withKey.includes(request));
    assert.deepEqual(others.map(({ path }) => path).sort(), ['/api/ps', '/api/show', '/api/v0/models', '/props']);
  });

  it('is not asked for before what was entered is right', async () => {
    const server = await start(undefined, { models: ['m'] });
    const { baseUrl } = server;
    for (const entered of [
      { baseUrl, key: 'two words key', model: 'm' },
      { baseUrl, key: `Bearer ${KEY}`, model: 'm' },
      { baseUrl, key: KEY, model: '' },
      { baseUrl: baseUrl.replace('//', `//user:${KEY}@`), model: 'm' },
    ]) {
      const { error } = await collect(openLlm('openai', entered));
      assert.equal(error?.name, 'UserError');
      assert.equal(await learnContextWindow(entered, entered.model, signal()), undefined);
      if (entered.model) assert.deepEqual(await askForModels(entered, undefined, signal()), { kind: 'silent' });
    }
    assert.equal(server.connections, 0);
  });

  it('learns the window beside the first reply, and asks again at the next run where it was not told', async () => {
    const get: Record<string, object> = {};
    const server = await start(undefined, { get });
    const run = async (key?: string, contextWindow?: number): Promise<Llm> => {
      server.requests.length = 0;
      const llm = openLlm('openai', {
        baseUrl: server.baseUrl,
        model: 'm',
        ...(key ? { key } : {}),
        ...(contextWindow ? { contextWindow } : {}),
      });
      await collect(llm);
      await collect(llm);
      await new Promise((resolve) => setTimeout(resolve, 60));
      return llm;
    };
    const lists = () => asked(server).filter((line) => line === 'GET /v1/models').length;

    assert.equal((await run()).contextWindow, undefined);
    assert.match(asked(server)[0] ?? '', /^POST .*completions$/);
    assert.equal(lists(), 1, 'once a run');
    get['/v1/models'] = { data: [{ id: 'm', context_length: 4096 }] };
    assert.equal((await run()).contextWindow, 4096);
    assert.equal(lists(), 1);
    assert.equal((await run()).contextWindow, 4096);
    assert.equal(lists(), 0, 'what was told is kept');

    get['/v1/models'] = { data: [{ id: 'm', context_length: 8192 }] };
    assert.equal((await run(KEY)).contextWindow, 8192, 'another key may see another model');
    assert.equal((await run(undefined, 2048)).contextWindow, 2048);
    assert.deepEqual([...new Set(asked(server))], ['POST /v1/chat/completions'], 'the user’s own setting counts');
  });

  it('learns the window when the first request overflows it', async () => {
    const server = await start(() => ({ status: 413, body: { error: { message: 'too large' } } }), {
      get: { '/v1/models': { data: [{ id: 'm', context_length: 4096 }] } },
    });
    const llm = openLlm('openai', { baseUrl: server.baseUrl, model: 'm' });
    assert.equal((await collect(llm)).error?.name, 'ContextOverflow');
    for (let wait = 0; llm.contextWindow === undefined && wait < 100; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(llm.contextWindow, 4096);
  });

  it('finds servers on this machine with a GET and without a key, and waits for none that is silent', async () => {
    const server = await start(undefined, { models: ['small'] });
    const silent = await serve(() => {});
    const page = await serve((_request, response) => response.end('<!doctype html><title>Something else</title>'));
    const preset = (name: string, localPort: number) => ({ id: name, name, baseUrl: '', localPort });
    const begun = performance.now();
    const found = await findLocalServers(signal(), [
      preset('Here', Number(new URL(server.origin).port)),
      preset('Silent', silent.port),
      preset('Page', page.port),
      preset('Nowhere', 1),
    ]);
    assert.deepEqual(found, [{ name: 'Here', baseUrl: server.baseUrl, models: ['small'] }]);
    assert.ok(performance.now() - begun < 600, 'a silent server has 300 ms');
    assert.deepEqual(
      server.requests.map(({ method, path, headers }) => [method, path, headers.authorization]),
      [['GET', '/v1/models', undefined]],
    );
  });
});
