import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { type Fix, type Mark, type TestResult, testConnection } from '../../src/llm/connectionTest';
import { memoryFitStore } from '../../src/llm/fit';
import type { OpenaiOptions } from '../../src/llm/openai';
import { closing } from '../support/closing';
import { type ModelHandler, type ModelReplySpec, startModelServer } from '../support/modelServer';

const KEY = 'tp-Zq8vT3nL0pYw71RbXc5e';
const WORDS = 'alpha beta gamma delta';
const SIGNS: Record<Mark, string> = { fine: '+', fault: '-', limit: '!', open: '?' };
const again: Fix[] = [{ action: 'test-connection' }, { action: 'select-model' }];

describe('testing a connection', () => {
  const closed = closing();
  const start = async (...parameters: Parameters<typeof startModelServer>) =>
    closed(await startModelServer(...parameters));

  const test = async (baseUrl: string, options: Partial<OpenaiOptions> = {}): Promise<TestResult[]> => {
    const results: TestResult[] = [];
    const timeouts = { firstByteMs: 1000, idleMs: 300, backoffMs: 1 };
    const { signal } = new AbortController();
    for await (const result of testConnection({ baseUrl, model: 'm', timeouts, ...options }, signal))
      results.push(result);
    return results;
  };
  const marks = (results: TestResult[]) => results.map(({ step, mark }) => SIGNS[mark] + step).join(' ');
  const at = (results: TestResult[], step: TestResult['step']) => results.find((result) => result.step === step);

  it('shows each step, when all is well', async () => {
    const server = await start(
      ({ body }) => (body.tools ? { toolCalls: [{ name: 'note_word', arguments: '{"word":"alpha"}' }] } : WORDS),
      { get: { '/v1/models': { data: [{ id: 'm', max_model_len: 32768 }] } } },
    );
    const results = await test(server.baseUrl, { key: KEY });
    assert.equal(
      marks(results),
      '+entered +name +port +tls +path +key +model +completion +streaming +stop +usage +tools +window',
    );
    assert.equal(results.at(-1)?.detail, '32768 tokens');
    assert.equal(at(results, 'stop')?.detail, 'honoured');
    assert.ok(!JSON.stringify(results).includes(KEY));
  });

  it('finds the right path, and what an endpoint cannot do', async () => {
    const store = memoryFitStore();
    const server = await start(({ body }) => {
      if (body.tools) return { status: 400, body: { error: 'this model does not support tools' } };
      if (body.stop) return { status: 400, body: { error: { message: 'Unknown parameter: stop' } } };
      return { text: WORDS, whole: true, usage: false };
    });
    const results = await test(`${server.origin}?api-version=1`, { fitStore: store, language: 'zh-CN' });
    assert.equal(
      marks(results),
      '+entered +name +port +tls !path +key +model +completion !streaming !stop !usage !tools !window',
    );
    const path = at(results, 'path');
    assert.deepEqual(path?.fixes, [{ baseUrl: `${server.baseUrl}?api-version=1` }]);
    assert.match(path?.detail ?? '', /接口位于/);
    // The first question profits from what the test has learnt.
    assert.deepEqual(store.get(server.origin, 'm'), { base: server.baseUrl, drop: ['stop', 'tools'] });
  });

  describe('names the fault, the steps that it proves, and what mends it', () => {
    const named = (message: string, more: object = {}) => ({ error: { message, ...more } });
    const faults: [what: string, reply: ModelReplySpec, steps: string, words: RegExp, fixes: Fix[]][] = [
      [
        'a wrong key',
        { status: 401, body: named(`Incorrect API key provided: ${KEY}`) },
        '+path -key',
        /did not accept the API key.*Set API Key/,
        [{ action: 'set-key' }],
      ],
      [
        'a missing model',
        { status: 404, body: named('model "m" not found') },
        '+path +key -model',
        /“m” is not available.*alpha-7b/,
        [{ action: 'select-model' }, { model: 'alpha-7b' }],
      ],
      [
        'a wrong path',
        { status: 404, body: '404 page not found' },
        '-path',
        /not found under http.*neither it nor the usual paths/,
        [{ action: 'open-settings' }],
      ],
      [
        'a web page',
        { body: '<html><title>Sign in</title></html>' },
        '-path',
        /web page.*Sign in/,
        [{ action: 'open-settings' }],
      ],
      [
        'a window that even the test outgrows',
        {
          status: 400,
          body: named("This model's maximum context length is 512 tokens, but the prompt has 600 tokens", {
            code: 'context_length_exceeded',
          }),
        },
        '+path +key +model -completion',
        /context window of 512 tokens.*num_ctx/,
        [{ action: 'select-model' }],
      ],
      [
        'a request that is too large',
        { status: 413, body: 'Payload Too Large' },
        '?path ?key ?model -completion',
        /too long for this server, or for a proxy/,
        [{ action: 'select-model' }],
      ],
      [
        'a rate limit',
        { status: 429, headers: { 'retry-after': '60' }, body: named('Slow down') },
        '?path ?key ?model -completion',
        /\(429\).*“Slow down”\. Rate limited: try again in 60 s/,
        again,
      ],
      [
        'an empty account',
        { status: 429, body: named('You exceeded your current quota', { code: 'insufficient_quota' }) },
        '+path +key ?model -completion',
        /no credit or quota left.*Add credit/,
        [{ action: 'select-model' }],
      ],
      [
        'a failing server',
        { status: 500, body: named('boom') },
        '?path ?key ?model -completion',
        /failed \(500\), 1 attempt\..*boom.*Test again/,
        again,
      ],
      [
        'a gateway without a server',
        { status: 503, body: '<html><title>503</title></html>' },
        '?path ?key ?model -completion',
        /not ready yet \(503\)/,
        again,
      ],
      [
        'a server that hangs up',
        { unanswered: 'drop' },
        '?path ?key ?model -completion',
        /connection to .* failed.*Test again/,
        again,
      ],
      [
        'a server that never answers',
        { unanswered: 'stall' },
        '?path ?key ?model -completion',
        /did not begin to answer within 1 seconds.*still be loading/,
        again,
      ],
      [
        'a reply that falls silent',
        { text: WORDS, tokens: ['alpha'], ending: 'stall', finishReason: null, done: false },
        '+path +key +model -completion',
        /fell silent/,
        again,
      ],
      [
        'a reply that breaks off',
        { text: WORDS, tokens: ['alpha'], ending: 'reset', finishReason: null, done: false },
        '+path +key +model -completion',
        /broke off in mid-reply, 1 attempt\. Test again/,
        again,
      ],
      [
        'a garbled reply',
        { raw: ['data: {"choices": [{"del\n\n'] },
        '?path ?key ?model -completion',
        /garbled\. Test again/,
        again,
      ],
      [
        'a filter',
        { status: 400, body: named('blocked', { code: 'content_filter' }) },
        '+path +key +model -completion',
        /content filter.*another model/,
        [{ action: 'select-model' }],
      ],
      [
        'a refusal for no known reason',
        { status: 422, body: named('computer says no'.repeat(30)) },
        '+path ?key ?model -completion',
        /refused the request \(422\).*another model/,
        [{ action: 'select-model' }],
      ],
    ];
    for (const [what, reply, steps, words, fixes] of faults) {
      it(what, async () => {
        const server = await start(() => reply, { models: ['alpha-7b'] });
        const begun = performance.now();
        const results = await test(server.baseUrl, { key: KEY });
        assert.ok(performance.now() - begun < 3000, 'nothing is waited out');
        assert.equal(marks(results), `+entered +name +port +tls ${steps}`);
        assert.match(results.at(-1)?.detail ?? '', words);
        assert.deepEqual(results.at(-1)?.fixes, fixes);
        for (const open of results.filter(({ mark }) => mark === 'open')) assert.equal(open.detail, 'not tested');
        assert.ok(!JSON.stringify(results).includes(KEY));
        // A kept connection may have been closed meanwhile: only then is there a second attempt at the same address.
        const posts = server.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/chat/'));
        if (!what.includes('refusal')) assert.equal(posts.length, reply.unanswered === 'drop' ? 2 : 1);
      });
    }

    it('a server that is not there, or speaks no TLS', async () => {
      const { baseUrl } = await start();
      const nowhere = await test('http://no-such-host.invalid/v1');
      assert.equal(marks(nowhere), '+entered -name');
      assert.deepEqual(nowhere.at(-1)?.fixes, [{ action: 'open-settings' }]);
      const unused = await test('http://127.0.0.1:1/v1');
      assert.equal(marks(unused), '+entered +name -port');
      assert.match(unused.at(-1)?.detail ?? '', /Nothing answers at 127\.0\.0\.1:1\. Start the model server/);
      assert.equal(marks(await test(baseUrl.replace('http', 'https'))), '+entered +name +port -tls');
    });

    it('a port that takes connections and hangs up on them', async () => {
      const sockets = new Set<Socket>();
      const server = createServer((socket) => {
        sockets.add(socket);
        socket.once('data', () => socket.resetAndDestroy());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closed(server);
      const { port } = server.address() as AddressInfo;
      assert.equal(
        marks(await test(`http://127.0.0.1:${port}/v1`)),
        '+entered +name +port +tls ?path ?key ?model -completion',
      );
      for (const socket of sockets) socket.destroy();
    });

    it('an account at a provider whose page for payments is known', async () => {
      const server = await start(() => ({ status: 402, body: named('Insufficient Balance') }));
      const redirected: typeof fetch = (input, init) =>
        fetch(String(input).replace('https://api.deepseek.com', server.origin), init);
      const results = await test('https://api.deepseek.com/v1', { key: KEY, fetch: redirected });
      assert.equal(marks(results), '+entered +name +port +tls +path +key ?model -completion');
      assert.deepEqual(results.at(-1)?.fixes, [
        { billing: 'https://platform.deepseek.com/top_up' },
        { action: 'select-model' },
      ]);
    });

    it('the right path and a wrong key, both', async () => {
      const server = await start(() => ({ status: 401, body: named('No auth credentials found') }));
      const results = await test(server.origin);
      assert.equal(marks(results), '+entered +name +port +tls !path -key');
      assert.deepEqual(
        results.flatMap(({ fixes }) => fixes ?? []),
        [{ baseUrl: server.baseUrl }, { action: 'set-key' }],
      );
    });
  });

  it('checks what was entered before anything is sent', async () => {
    const entered = async (baseUrl: string, options: Partial<OpenaiOptions> = {}) => {
      const results = await test(baseUrl, {
        ...options,
        fetch: () => assert.fail('something was sent'),
      });
      assert.equal(marks(results), '-entered');
      return results[0]?.fixes;
    };
    assert.deepEqual(await entered('localhost:11434/v1'), [{ baseUrl: 'http://localhost:11434/v1' }]);
    assert.deepEqual(await entered('not a URL'), [{ action: 'open-settings' }]);
    assert.deepEqual(await entered('http://127.0.0.1:1/v1', { model: '' }), [{ action: 'select-model' }]);
    assert.deepEqual(await entered('http://127.0.0.1:1/v1', { model: ' m' }), [{ model: 'm' }]);
    assert.deepEqual(await entered('http://127.0.0.1:1/v1', { key: 'two words' }), [{ action: 'set-key' }]);
  });

  it('warns before a key goes to a public host without encryption', async () => {
    const server = await start(() => WORDS);
    const shown: TestResult[] = [];
    const toServer: typeof fetch = (input, init) => {
      assert.equal(shown[0]?.mark, 'limit', 'the warning came first');
      return fetch(String(input).replace('http://models.example.com', server.origin), init);
    };
    const options = { baseUrl: 'http://models.example.com/v1', model: 'm', key: KEY, fetch: toServer };
    for await (const result of testConnection(options, new AbortController().signal)) shown.push(result);
    assert.match(shown[0]?.detail ?? '', /key is sent to models\.example\.com without encryption.*https:/);
    const tls = at(shown, 'tls');
    assert.equal(tls?.mark, 'limit');
    assert.doesNotMatch(tls?.detail ?? '', /fine|own network/);
    const withoutKey = await test(options.baseUrl, { fetch: toServer });
    assert.equal(marks(withoutKey).slice(0, 26), '+entered +name +port !tls ');
  });

  it('calls stop strings honoured only where the reply shows it', async () => {
    const stop = async (handler: ModelHandler | ModelReplySpec) => {
      const server = await start(typeof handler === 'function' ? handler : () => handler);
      return at(await test(server.baseUrl), 'stop')?.mark;
    };
    assert.equal(await stop({ text: WORDS }), 'fine');
    assert.equal(await stop({ text: '1. Alpha\n2. Beta\n3. gamma' }), 'fine');
    assert.equal(await stop({ text: `<think>They want four words.</think>\n\n${WORDS}` }), 'fine');
    assert.equal(await stop({ text: WORDS, honoursStop: false }), 'limit');
    assert.equal(await stop({ text: 'Hello, how can I help you?' }), 'open');
    assert.equal(await stop({ text: '', reasoning: 'alpha beta', finishReason: 'length' }), 'open');
    assert.equal(await stop({ text: '<think>So alpha beta gamma', honoursStop: false }), 'open');
    assert.equal(
      await stop({ text: '<think>So alpha beta gamma delta.</think>alpha beta', honoursStop: false }),
      'fine',
      'what is thought shows nothing',
    );
    assert.equal(await stop({ text: 'alpha beta', finishReason: 'length' }), 'open');
  });

  it('takes a count of nothing for none, and an empty reply for what it is', async () => {
    const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const server = await start(() => ({ text: '', usage: none }));
    const results = await test(server.baseUrl);
    assert.equal(at(results, 'usage')?.mark, 'limit');
    assert.match(at(results, 'usage')?.detail ?? '', /not told/);
    assert.deepEqual(
      [at(results, 'completion')?.mark, at(results, 'completion')?.detail],
      ['limit', 'came without any text'],
    );
  });

  it('leaves the tools open where their request fails for another reason', async () => {
    const server = await start(({ body }) =>
      body.tools ? { status: 429, headers: { 'retry-after': '30' }, body: { error: { message: 'slow' } } } : WORDS,
    );
    const results = await test(server.baseUrl);
    assert.equal(at(results, 'tools')?.mark, 'open');
    assert.match(at(results, 'tools')?.detail ?? '', /not tested: .*429/);
    assert.equal(results.at(-1)?.step, 'window');
  });

  it('learns from replies that end without a mark, and stops when it is told to', async () => {
    const server = await start(() => ({ text: WORDS, finishReason: null, done: false }));
    const results = await test(server.baseUrl);
    assert.equal(at(results, 'completion')?.mark, 'fine');
    server.fallback = () => ({ unanswered: 'stall' });
    const stopper = new AbortController();
    const testing = (async () => {
      for await (const _ of testConnection({ baseUrl: server.baseUrl, model: 'm' }, stopper.signal)) stopper.abort();
    })();
    await assert.rejects(testing, { name: 'AbortError' });
  });
});
