import assert from 'node:assert/strict';
import { UserError } from '../../src/agent/errors';
import { collect, openaiAt } from '../support/ask';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { DONE, data, delta, finish, whole } from '../support/wire';

describe('the end of a reply', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer();
  });
  after(() => server.close());

  const HALF = 'Action 1: Finish[Charles Babbage did not';
  const BROKEN = ['error', 'insufficient_system_resource', 'network_error', 'abort', 'MALFORMED_FUNCTION_CALL'];
  for (const reason of BROKEN) {
    it(`is none where the server failed (${reason}): the half reply is void`, async () => {
      server.queue.push({ raw: [data(delta(HALF)), data(delta(null, reason)), DONE] }, 'Action 1: Finish[Nobody]');
      const { text, notices, chunks } = await collect(openaiAt(server.baseUrl));
      assert.equal(text, 'Action 1: Finish[Nobody]');
      assert.match(notices.join(), /^retry: The server failed/);
      assert.deepEqual(finish(chunks), ['stop']);
    });
  }

  it('is none where an error comes with the choice, and its words are told if it stays so', async () => {
    const error = { code: 502, message: 'Provider disconnected' };
    const broken = { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', error }] };
    server.queue.push({ raw: [data(delta(HALF)), data(JSON.stringify(broken)), DONE] }, 'Fine.');
    assert.equal((await collect(openaiAt(server.baseUrl))).text, 'Fine.');
    for (const raw of [[data(delta(HALF)), data(JSON.stringify(broken))], [data(delta(HALF, 'network_error'))]]) {
      server.fallback = () => ({ raw });
      const { error: told, chunks } = await collect(openaiAt(server.baseUrl));
      assert.ok(told instanceof UserError);
      assert.match(told.message, /Provider disconnected|network_error/);
      assert.deepEqual(finish(chunks), []);
    }
  });

  it('has one name for the output cap, and one for a filter', async () => {
    const names: Record<string, string[]> = {
      length: ['MAX_TOKENS', 'max_tokens', 'model_length', 'length'],
      content_filter: ['sensitive', 'SAFETY', 'content_filter', 'RECITATION'],
      end_turn: ['end_turn'],
    };
    for (const [name, reasons] of Object.entries(names)) {
      for (const reason of reasons) {
        server.queue.push(whole({ content: 'Thought 1: I' }, reason));
        assert.deepEqual(finish((await collect(openaiAt(server.baseUrl))).chunks), [name]);
      }
    }
  });

  it('is not where a reason comes with every piece, or none by the name of null', async () => {
    for (const reason of ['null', 'stop']) {
      server.queue.push({
        raw: [data(delta('Thought 1: ', reason)), 700, data(delta('I look.', reason)), data(delta(null, 'stop')), DONE],
      });
      const { text, chunks } = await collect(openaiAt(server.baseUrl));
      assert.equal(text, 'Thought 1: I look.');
      assert.deepEqual(finish(chunks), ['stop']);
    }
    // A drop after such a piece is no end either.
    for (const pieces of [['Thought'], ['Thought', ' 1: ']]) {
      const raw = pieces.flatMap((text) => [data(delta(text, 'stop')), 20]);
      server.queue.push({ raw, ending: 'reset' }, 'Fine.');
      assert.equal((await collect(openaiAt(server.baseUrl))).text, 'Fine.');
    }
  });

  it('is not where a reason comes with the first piece, however long the next takes; silence is', async () => {
    const firsts = ['Thought 1: ', ''];
    for (const first of firsts) {
      server.queue.push({ raw: [data(delta(first, 'stop')), 3200, data(delta('I look.', 'stop')), DONE] });
    }
    const llm = openaiAt(server.baseUrl, { timeouts: { idleMs: 6000 } });
    const replies = await Promise.all(firsts.map(() => collect(llm)));
    assert.deepEqual(replies.map((reply) => reply.text).sort(), ['I look.', 'Thought 1: I look.']);
    const pings = Array.from({ length: 20 }, () => [50, ': ping\n\n']).flat();
    server.queue.push({ raw: [data(delta('Yes.', 'stop')), ...pings], ending: 'stall' });
    const { text, chunks, notices } = await collect(openaiAt(server.baseUrl, { timeouts: { idleMs: 300 } }));
    assert.deepEqual([text, finish(chunks), notices], ['Yes.', ['stop'], []]);
  }).timeout(15_000);

  it('is awaited for a moment only, though the server goes on with comments', async () => {
    const pings = Array.from({ length: 60 }, () => [100, ': ping\n\n']).flat();
    server.queue.push({ raw: [data(delta('Yes.', 'stop')), DONE, ...pings] });
    const begun = performance.now();
    assert.equal((await collect(openaiAt(server.baseUrl))).text, 'Yes.');
    assert.ok(performance.now() - begun < 2000);
  });

  it('shows no key, whatever the server says', async () => {
    const key = 'tp-Zq8vT3nL0pYw71RbXc5e';
    server.queue.push(whole({ content: 'Yes.' }, `no ${key}`));
    assert.deepEqual(finish((await collect(openaiAt(server.baseUrl, { key }))).chunks), ['no …']);
  });
});
