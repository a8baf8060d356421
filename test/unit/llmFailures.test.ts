import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { UserError } from '../../src/agent/errors';
import { ContextOverflow } from '../../src/agent/llm';
import { readConnectionError } from '../../src/llm/connectionError';
import type { RequestFailed } from '../../src/llm/failures';
import { memoryFitStore } from '../../src/llm/fit';
import { collect, openaiAt, QUESTION } from '../support/ask';
import { type ModelReplySpec, type ModelServer, startModelServer } from '../support/modelServer';

const KEY = 'sk-proj-Zq8vT3nL0pYw71RbXc5e';
const refusal = (status: number, body: string | object, headers: Record<string, string> = {}): ModelReplySpec => ({
  status,
  body,
  headers,
});

describe('a model that cannot answer', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer(undefined, { models: ['alpha', 'beta'] });
  });
  after(() => server.close());
  const sent = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
    const before = server.requests.length;
    const result = await work();
    return [result, server.requests.length - before];
  };
  const userError = (error: Error | undefined): UserError => {
    assert.ok(error instanceof UserError, `not for people: ${error}`);
    assert.notEqual(error.hint, '');
    return error;
  };

  describe('says why, and what to do next', () => {
    const CASES: {
      name: string;
      reply: ModelReplySpec;
      message: RegExp;
      hint: RegExp;
      action: string;
      requests: number;
    }[] = [
      {
        name: 'a wrong key',
        reply: refusal(401, {
          error: { message: `Incorrect API key provided: ${KEY}. See sk-pr***5e.`, code: 'invalid_api_key' },
        }),
        message: /did not accept the API key/,
        hint: /Set API Key/,
        action: 'set-key',
        requests: 1,
      },
      {
        name: 'no access',
        reply: refusal(403, { error: { message: 'Country, region, or territory not supported' } }),
        message: /refused access \(403\).*territory/,
        hint: /region/,
        action: 'set-key',
        requests: 1,
      },
      {
        name: 'a missing model (404), with those that exist',
        reply: refusal(404, {
          error: { message: 'The model `m` does not exist or you do not have access to it.', code: 'model_not_found' },
        }),
        message: /model “m” is not available/,
        hint: /There are: alpha, beta\./,
        action: 'select-model',
        requests: 2,
      },
      {
        name: 'a missing model (400)',
        reply: refusal(400, { error: { message: 'Model Not Exist', type: 'invalid_request_error' } }),
        message: /model “m” is not available/,
        hint: /alpha, beta/,
        action: 'select-model',
        requests: 2,
      },
      {
        name: 'a missing model, in the words of a local server',
        reply: refusal(404, { error: { message: 'model "m" not found, try pulling it first', type: 'api_error' } }),
        message: /model “m” is not available/,
        hint: /alpha, beta/,
        action: 'select-model',
        requests: 2,
      },
      {
        name: 'an empty account (429)',
        reply: refusal(
          429,
          {
            error: { message: 'You exceeded your current quota, please check your plan.', code: 'insufficient_quota' },
          },
          { 'retry-after': '1' },
        ),
        message: /no credit or quota left/,
        hint: /Waiting does not help/,
        action: 'select-model',
        requests: 1,
      },
      {
        name: 'an empty account (402)',
        reply: refusal(402, { error: { message: 'Insufficient Balance' } }),
        message: /no credit or quota left/,
        hint: /credit/,
        action: 'select-model',
        requests: 1,
      },
      {
        name: 'a rate limit by another status than 429',
        reply: refusal(400, { __type: 'ThrottlingException', message: 'Too many tokens, please wait.' }),
        message: /takes no more requests for now \(400\)\. It said/,
        hint: /Wait a little/,
        action: 'retry',
        requests: 9,
      },
      {
        name: 'a broken server, after three attempts',
        reply: refusal(500, { error: { message: 'The server had an error while processing your request' } }),
        message: /failed \(500\), 3 attempts/,
        hint: /lies with the server/,
        action: 'retry',
        requests: 3,
      },
      {
        name: 'a gateway that answers with a page',
        reply: refusal(502, '<html><head><title>502 Bad Gateway</title></head></html>'),
        message: /failed \(502\), 3 attempts\. It said: “502 Bad Gateway”/,
        hint: /later/,
        action: 'retry',
        requests: 3,
      },
      {
        name: 'a content filter',
        reply: refusal(400, {
          error: {
            message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
            code: 'content_filter',
          },
        }),
        message: /withheld the reply/,
        hint: /other words/,
        action: 'select-model',
        requests: 1,
      },
      {
        name: 'a sign-in page of a proxy',
        reply: { body: '<!DOCTYPE html><html><title>Corporate sign-in</title></html>' },
        message: /web page came back.*“Corporate sign-in”/,
        hint: /proxy/,
        action: 'test-connection',
        requests: 2,
      },
      {
        name: 'an overloaded server, in a reply of success',
        reply: { body: { error: { message: 'Upstream idle timeout', code: 504 } } },
        message: /failed \(504\), 3 attempts/,
        hint: /later/,
        action: 'retry',
        requests: 3,
      },
      {
        name: 'a gateway’s own words, in a reply of success',
        reply: { body: 'upstream connect error or disconnect/reset before headers. reset reason: connection failure' },
        message: /failed, 3 attempts\. It said: “upstream connect error/,
        hint: /later/,
        action: 'retry',
        requests: 3,
      },
      {
        name: 'a wrong key, in a reply of success',
        reply: { body: { code: 401, msg: 'token is expired' } },
        message: /did not accept the API key\. It said: “token is expired”/,
        hint: /Set API Key/,
        action: 'set-key',
        requests: 1,
      },
      {
        name: 'a wrong key, beside an empty list of choices',
        reply: { body: { choices: null, base_resp: { status_code: 1004, status_msg: 'login fail' } } },
        message: /did not accept the API key\. It said: “login fail”/,
        hint: /Set API Key/,
        action: 'set-key',
        requests: 1,
      },
      {
        name: 'an unknown complaint, in a reply of success',
        reply: { body: { error_code: 17, error_msg: `Open api daily request limit reached ${'.'.repeat(99)}` } },
        message: /refused the request\. It said: “Open api daily/,
        hint: /Test Connection/,
        action: 'test-connection',
        requests: 1,
      },
      {
        name: 'an empty reply',
        reply: { raw: ['data: [DONE]\n\n'] },
        message: /empty reply/,
        hint: /another model/,
        action: 'retry',
        requests: 2,
      },
      {
        name: 'an error field in place of data',
        reply: { raw: ['error: {"code":500,"message":"no slot available","type":"server_error"}\n\n'] },
        message: /failed \(500\)/,
        hint: /later/,
        action: 'retry',
        requests: 3,
      },
      {
        name: 'a reply that is not JSON',
        reply: { raw: ['data: {"choices":[{"delta":{"content":"Tho\n\n'] },
        message: /garbled/,
        hint: /proxy/,
        action: 'retry',
        requests: 2,
      },
    ];
    for (const { name, reply, message, hint, action, requests } of CASES) {
      it(name, async () => {
        server.fallback = () => reply;
        const [{ error, notices }, count] = await sent(() => collect(openaiAt(server.baseUrl, { key: KEY })));
        const told = userError(error);
        assert.match(told.message, message);
        assert.match(told.hint, hint);
        assert.equal(told.action, action);
        assert.equal(count, requests);
        assert.ok(
          !JSON.stringify([told.message, told.hint, String(told.cause), told.stack, notices]).includes(
            KEY.slice(0, 12),
          ),
        );
        const chinese = userError((await collect(openaiAt(server.baseUrl, { key: KEY, language: 'zh-CN' }))).error);
        assert.match(chinese.message, /[一-鿿]/);
        assert.match(chinese.hint, /[一-鿿]/);
      });
    }

    it('a host that does not exist, and a port where nothing listens', async () => {
      const dns = userError((await collect(openaiAt('http://no-such-host.invalid/v1'))).error);
      assert.match(dns.message, /no-such-host\.invalid (was not found)/);
      const probe = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => probe.once('listening', resolve));
      const { port } = probe.address() as { port: number };
      await new Promise((resolve) => probe.close(resolve));
      const refused = userError((await collect(openaiAt(`http://127.0.0.1:${port}/v1`))).error);
      assert.match(refused.message, new RegExp(`Nothing answers at 127\\.0\\.0\\.1:${port}`));
    });

    it('a certificate, a proxy, a time-out: the cause lies some levels deep', () => {
      const failed = (code: string, message = '') =>
        new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
      assert.equal(
        readConnectionError(new Error('Connection error.', { cause: failed('SELF_SIGNED_CERT_IN_CHAIN') })).kind,
        'tls',
      );
      assert.equal(
        readConnectionError(failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).code,
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      );
      assert.equal(readConnectionError(failed('ERR_TLS_CERT_ALTNAME_INVALID')).kind, 'tls');
      assert.equal(
        readConnectionError(failed('UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling')).kind,
        'proxy',
      );
      assert.equal(readConnectionError(failed('UND_ERR_CONNECT_TIMEOUT')).kind, 'first-byte');
      assert.equal(readConnectionError(new Error('net::ERR_CERT_AUTHORITY_INVALID')).kind, 'tls');
      assert.equal(readConnectionError(failed('ECONNRESET')).kind, 'network');
    });

    it('a proxy that wants a password, which fetch keeps to itself', async () => {
      server.fallback = () => refusal(407, 'no', { 'proxy-authenticate': 'Basic realm="x"' });
      const [{ error, notices }, count] = await sent(() => collect(openaiAt(server.baseUrl, { key: KEY })));
      const told = userError(error);
      assert.match(told.message, /proxy did not let the request through.*407/);
      assert.match(told.hint, /http\.proxy/);
      assert.deepEqual([notices, count], [[], 1]);
    });

    it('a server that speaks no TLS', async () => {
      const { error } = await collect(openaiAt(server.baseUrl.replace('http:', 'https:')));
      const told = userError(error);
      assert.match(told.message, /secure connection/);
      assert.match(told.hint, /http:\/\/ instead of https:\/\//);
    });
  });

  describe('is asked where it really answers', () => {
    const PATHS: [entered: string, said: RegExp | undefined][] = [
      ['', /^fit: This endpoint answers under http:\/\/127\.0\.0\.1:\d+\/v1\.$/],
      ['/', /answers under/],
      ['/v1', undefined],
      ['/v1/', undefined],
      ['//v1//', undefined],
      ['/v1/v1', undefined],
      ['/v1/chat/completions', undefined],
      ['/v1/chat/completions/', undefined],
      ['/v1/models', undefined],
      ['/chat/completions', /answers under/],
      ['/api', /answers under http:\/\/127\.0\.0\.1:\d+\/v1\./],
    ];
    for (const [entered, said] of PATHS) {
      it(`though the base URL ends in “${entered}”`, async () => {
        server.fallback = () => 'Yes.';
        const store = memoryFitStore();
        const llm = openaiAt(server.origin + entered, { fitStore: store });
        const [{ text, notices }] = await sent(() => collect(llm));
        assert.equal(text, 'Yes.');
        assert.equal(server.requests.at(-1)!.path, '/v1/chat/completions');
        if (said) assert.match(notices.join(), said);
        else assert.deepEqual(notices, []);
        const [again, count] = await sent(() => collect(openaiAt(server.origin + entered, { fitStore: store })));
        assert.deepEqual([again.notices, count], [[], 1]);
      });
    }

    it('with the query of an Azure-style gateway', async () => {
      server.fallback = () => 'Yes.';
      assert.equal((await collect(openaiAt(`${server.baseUrl}/?api-version=2024-10-21`, { key: KEY }))).text, 'Yes.');
      const { path, headers } = server.requests.at(-1)!;
      assert.equal(path, '/v1/chat/completions?api-version=2024-10-21');
      assert.equal(headers['api-key'], KEY);
    });

    it('but never follows it elsewhere: a redirect could take the key along', async () => {
      const other = await startModelServer(() => 'Yes.');
      server.fallback = () => ({ status: 307, body: '', headers: { location: `${other.baseUrl}/chat/completions` } });
      const { error } = await collect(openaiAt(server.baseUrl, { key: KEY }));
      const told = userError(error);
      assert.match(told.message, /sends requests on to another address/);
      // To be copied, and for the test of a connection to be taken over.
      assert.ok(told.hint.endsWith(`enter this base URL: ${other.baseUrl}`), told.hint);
      assert.equal((told.cause as RequestFailed).failure.base, other.baseUrl);
      assert.equal(other.requests.length, 0);
      await other.close();
    });

    it('nor to a page where one signs in', async () => {
      server.fallback = () => ({ status: 302, body: '', headers: { location: 'http://portal.example/login' } });
      const [{ error }, count] = await sent(() => collect(openaiAt(server.baseUrl, { key: KEY })));
      const told = userError(error);
      assert.match(told.message, /sends the request on to http:\/\/portal\.example\/login/);
      assert.match(told.hint, /sign-in page/);
      assert.equal(count, 1);
    });

    it('though that server wants a slash at the end, or answers under another path', async () => {
      for (const path of ['/v1/chat/completions/', '/api/v2/chat/completions']) {
        const seen: string[] = [];
        const front = createHttpServer((request, response) => {
          seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
          if (request.url === path)
            response.end(JSON.stringify({ choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] }));
          else response.writeHead(308, { location: path }).end();
        });
        await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
        const { port } = front.address() as AddressInfo;
        const llm = openaiAt(`http://127.0.0.1:${port}/v1`, { key: KEY });
        assert.equal((await collect(llm)).text, 'Yes.');
        // From then on it is asked there at once.
        assert.equal((await collect(llm)).text, 'Yes.');
        const moved = `POST ${path} Bearer ${KEY}`;
        assert.deepEqual(seen, [`POST /v1/chat/completions Bearer ${KEY}`, moved, moved]);
        front.closeAllConnections();
        await new Promise((resolve) => front.close(resolve));
      }
    });

    it('but not elsewhere for a while only: a limit says nothing about the path', async () => {
      const page = '<html><head><title>429 Too Many Requests</title></head></html>';
      const replies: ModelReplySpec[] = [refusal(429, page, { 'retry-after-ms': '20' })];
      server.fallback = () => replies.shift() ?? 'Yes.';
      const store = memoryFitStore();
      const { text, notices } = await collect(openaiAt(server.baseUrl, { fitStore: store }));
      assert.deepEqual([text, store.list(), server.requests.at(-1)!.path], ['Yes.', [], '/v1/chat/completions']);
      assert.match(notices.join(), /^retry: [^,]*\(429\)[^,]*$/);
    });

    it('or it is said that it answers nowhere there', async () => {
      server.fallback = () => ({ status: 404, body: '404 page not found' });
      const [{ error }, count] = await sent(() => collect(openaiAt(`${server.origin}/api/v9`)));
      const told = userError(error);
      assert.match(told.message, /Chat completions are not found under http:\/\/127\.0\.0\.1:\d+\/api\/v9\./);
      assert.equal(told.action, 'test-connection');
      assert.equal(count, 3);
    });
  });

  describe('is tried again', () => {
    it('after the time it asks for, said aloud, and then goes on', async () => {
      const replies = [refusal(429, { error: { message: 'Slow down' } }, { 'retry-after': '1' })];
      server.fallback = () => replies.shift() ?? 'Yes.';
      const begun = performance.now();
      const { text, notices } = await collect(openaiAt(server.baseUrl));
      assert.equal(text, 'Yes.');
      assert.ok(performance.now() - begun >= 950);
      assert.deepEqual(notices, [
        'retry: The endpoint takes no more requests for now (429). Attempt 2 follows in 1 s.',
      ]);
    });

    it('but the wait ends at once with Stop', async () => {
      server.fallback = () => refusal(429, { error: { message: 'Slow down' } }, { 'retry-after': '60' });
      const stop = new AbortController();
      const begun = performance.now();
      setTimeout(() => stop.abort(), 50);
      const { error, notices } = await collect(openaiAt(server.baseUrl), QUESTION, {}, stop.signal);
      assert.equal(error?.name, 'AbortError');
      assert.match(notices.join(), /in 60 s/);
      assert.ok(performance.now() - begun < 2000);
    });

    it('never for longer than is sensible', async () => {
      server.fallback = () => refusal(429, { error: { message: 'Slow down' } }, { 'retry-after': '7200' });
      const { error, notices } = await collect(openaiAt(server.baseUrl));
      assert.match(userError(error).hint, /in 7200 seconds/);
      assert.deepEqual(notices, []);
    });

    it('once when its reply breaks off, and the part is void', async () => {
      for (const broken of [
        { text: 'Thought 1: half of', finishReason: null, done: false, ending: 'reset' as const },
        { text: 'Thought 1: half of', finishReason: null, done: false },
        {
          raw: [
            'data: {"choices":[{"delta":{"content":"Thought 1: half"}}]}\n\ndata: {"error":{"message":"Upstream idle timeout","code":504}}\n\n',
          ],
        },
        { raw: ['data: {"choices":[{"delta":{"content":"Thought 1: half"}}]}\n\ndata: {"choices":[{"del\n\n'] },
        { raw: ['data: {"choices":[{"delta":{"content":"Thought 1: half"}}]}\n\n'], ending: 'stall' as const },
      ]) {
        const replies: ModelReplySpec[] = [broken];
        server.fallback = () => replies.shift() ?? 'Thought 1: whole.';
        const [{ text, chunks, error }, count] = await sent(() =>
          collect(openaiAt(server.baseUrl, { timeouts: { firstByteMs: 500, idleMs: 100, backoffMs: 1 } })),
        );
        assert.equal(error, undefined);
        assert.equal(text, 'Thought 1: whole.');
        assert.equal(
          chunks.filter((chunk) => chunk.type === 'notice' && chunk.kind === 'retry' && chunk.discard).length,
          1,
          JSON.stringify([broken, chunks]),
        );
        assert.equal(count, 2);
      }
    });

    it('and when it breaks off again, that is said; the part stays with the reader', async () => {
      server.fallback = () => ({ text: 'Thought 1: half of', finishReason: null, done: false, ending: 'reset' });
      const [{ error, text }, count] = await sent(() => collect(openaiAt(server.baseUrl)));
      assert.match(userError(error).message, /broke off in mid-reply, 2 attempts/);
      assert.ok(text.startsWith('Thought 1: half'));
      assert.equal(count, 2);
    });

    it('unless the same unmarked end comes twice: then it is how that server ends', async () => {
      server.fallback = () => ({ text: 'Thought 1: all of it.', finishReason: null, done: false, usage: false });
      const store = memoryFitStore();
      const first = await collect(openaiAt(server.baseUrl, { fitStore: store }));
      assert.equal(first.text, 'Thought 1: all of it.');
      assert.match(first.notices.join(), /ends its replies without a mark/);
      const [second, count] = await sent(() => collect(openaiAt(server.baseUrl, { fitStore: store })));
      assert.deepEqual([second.text, second.notices, count], ['Thought 1: all of it.', [], 1]);
    });

    it('which takes two ends of the same text: another failure, or reasoning alone, is none', async () => {
      const cut = (more: ModelReplySpec): ModelReplySpec => ({
        finishReason: null,
        done: false,
        usage: false,
        ...more,
      });
      const failed = { status: 500, body: {} };
      server.queue.push(failed, cut({ reasoning: 'Hm, let' }), cut({ reasoning: 'Hm, let' }));
      const reasoned = await collect(openaiAt(server.baseUrl));
      assert.match(userError(reasoned.error).message, /ended before it was complete, 2 attempts/);
      server.queue.push(cut({ text: 'Thought 1: all.' }), failed, cut({ text: 'Thought 1: all.' }));
      const ended = await collect(openaiAt(server.baseUrl));
      assert.equal(ended.text, 'Thought 1: all.');
      assert.match(ended.notices.join(), /ends its replies without a mark/);
    });

    it('when it does not begin in time, or falls silent', async () => {
      server.fallback = () => ({ text: 'late', firstTokenMs: 60_000 });
      const timeouts = { firstByteMs: 300, idleMs: 300, backoffMs: 1 };
      const [begin, count] = await sent(() => collect(openaiAt(server.baseUrl, { timeouts })));
      assert.match(userError(begin.error).message, /did not begin to answer/);
      assert.equal(count, 2);
      server.fallback = () => ({ raw: ['data: {"choices":[{"delta":{"content":"half"}}]}\n\n'], ending: 'stall' });
      assert.match(userError((await collect(openaiAt(server.baseUrl, { timeouts }))).error).message, /fell silent/);
      // Keep-alives are bytes: a server that thinks long is not dead.
      server.fallback = () => ({
        raw: [
          ...Array.from({ length: 8 }, () => [': thinking\n\n', 60]).flat(),
          'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\n',
        ],
      });
      assert.equal((await collect(openaiAt(server.baseUrl, { timeouts }))).text, 'Yes.');
      await server.settled();
    });
  });

  it('says that the prompt is too long, and how long it may be', async () => {
    const message =
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens.";
    server.fallback = () => refusal(400, { error: { message, code: 'context_length_exceeded' } });
    const [{ error }, count] = await sent(() => collect(openaiAt(server.baseUrl)));
    assert.ok(error instanceof ContextOverflow, String(error));
    assert.equal(error.window, 8192);
    assert.equal(count, 1);
  });
});
