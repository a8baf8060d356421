import assert from 'node:assert/strict';
import { runAgent } from '../../src/agent/agent';
import type { AgentEvent } from '../../src/agent/event';
import { makeToolbox, type Tool } from '../../src/agent/tool';
import { openaiAt } from '../support/ask';
import { type ModelReplySpec, startModelServer } from '../support/modelServer';

const KEY = 'fk-Zq8vT3nL0pYw71RbXc5e';
const REQUESTS = 1000;
const AT_ONCE = 12;

/** Numbers from 0 to 1, the same ones each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const SEARCH = 'Thought 1: I look it up.\nAction 1: Search[Engine]';
const FINISH = 'Thought 1: I know it now.\nAction 1: Finish[Charles Babbage]';
const FAULTS: ((random: () => number) => ModelReplySpec)[] = [
  () => ({ text: FINISH }),
  () => ({ text: SEARCH }),
  () => ({ text: `${SEARCH}\nObservation 1: made up. ${'And on. '.repeat(50)}`, honoursStop: false, tokenMs: 1 }),
  () => ({ text: FINISH, whole: true }),
  () => ({ unanswered: 'drop' }),
  () => ({ unanswered: 'stall' }),
  () => ({ raw: [piece('Thought 1: I')], ending: 'reset' }),
  () => ({ raw: [piece('Thought 1: I')], ending: 'stall' }),
  () => ({ raw: [piece('Thought 1: I'), piece(' look').slice(0, 20)] }),
  () => ({ raw: [piece('Thought 1: I')] }),
  () => ({ raw: [] }),
  (random) => ({ raw: [Uint8Array.from({ length: 2000 }, () => Math.floor(random() * 256))] }),
  () => ({ raw: Array.from(piece(FINISH), (character) => character) }),
  () => ({ raw: [piece('Thought'), 'data: {"choices":[{"delta":\n\n'] }),
  () => ({ raw: [piece('Thought'), `data: {"error":{"message":"overloaded, key ${KEY}","code":529}}\n\n`] }),
  () => ({ raw: Array.from({ length: 200 }, () => [piece('on and on '), 1]).flat(), ending: 'stall' }),
  () => ({ raw: [': ping\n\n', 5, ': ping\n\n', 5], ending: 'reset' }),
  () => ({ body: '<html><title>Gateway</title>' }),
  () => ({ body: '{"choices":[{"message":{"content":"Thou' }),
  () => ({ body: '[]' }),
  () => ({ body: 'null' }),
  () => ({ body: { choices: [{ message: { content: null } }] } }),
  () => ({ status: 204, raw: [] }),
  () => ({ status: 400, body: 'Bad Request' }),
  () => ({ status: 400, body: { error: { message: `Unknown parameter: stop (key ${KEY})` } } }),
  () => ({
    status: 400,
    body: { error: { message: 'maximum context length is 2048 tokens', code: 'context_length_exceeded' } },
  }),
  () => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } }),
  () => ({ status: 404, body: { error: { message: `The model does not exist for ${KEY}` } } }),
  () => ({ status: 429, headers: { 'retry-after-ms': '5' }, body: { error: { message: 'Slow down' } } }),
  () => ({ status: 500, body: { error: { message: `Trouble with Bearer ${KEY}` } } }),
  () => ({ status: 502, body: '<html><h1>Bad Gateway</h1></html>' }),
  () => ({ status: 503, body: '', headers: { 'retry-after': '0' } }),
];

const search: Tool = {
  name: 'Search',
  argument: 'entity',
  description: { en: 'Finds a page.', 'zh-CN': '查找页面。' },
  example: { en: 'Ada Lovelace', 'zh-CN': '埃达' },
  run: async () => ({ text: 'The Analytical Engine was designed by Charles Babbage.' }),
};

describe('a thousand requests to an endpoint that fails in every way', () => {
  it('end each run exactly once, in time, with nothing left behind and no key told', async function () {
    this.timeout(60_000);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const resources = () => process.getActiveResourcesInfo().filter((name) => /Timeout|TCP|TLS/.test(name)).length;
    // After a turn of the event loop, so that the test runner's own timer counts in.
    await new Promise((resolve) => setImmediate(resolve));
    const before = resources();

    const random = generator(20260101);
    const pick = () => FAULTS[Math.floor(random() * FAULTS.length)]!(random);
    const server = await startModelServer(() => pick());
    const outcomes = new Map<string, number>();
    let longest = 0;

    const run = async () => {
      const stop = new AbortController();
      const stopAt = random() < 0.1 ? setTimeout(() => stop.abort(), random() * 200) : undefined;
      const llm = openaiAt(server.baseUrl, { key: KEY, timeouts: { firstByteMs: 300, idleMs: 150, backoffMs: 1 } });
      const input = {
        question: 'Who designed the Analytical Engine?',
        llm,
        toolbox: makeToolbox([search]),
        limits: { steps: 2, seconds: 4, stepSeconds: 1 },
        signal: stop.signal,
      };
      const begun = performance.now();
      const events: AgentEvent[] = [];
      for await (const event of runAgent(input)) events.push(event);
      clearTimeout(stopAt);
      longest = Math.max(longest, performance.now() - begun);
      const ends = events.filter((event) => event.type === 'run-end');
      assert.equal(ends.length, 1);
      const [end] = ends;
      assert.equal(events.at(-1), end);
      if (end?.type !== 'run-end') return;
      outcomes.set(end.outcome, (outcomes.get(end.outcome) ?? 0) + 1);
      if (end.outcome === 'failed') assert.ok(end.error?.hint, JSON.stringify(end));
      assert.ok(!JSON.stringify(events).includes(KEY));
    };
    const worker = async () => {
      while (server.requests.length < REQUESTS) await run();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    assert.ok(longest < 6000, `the longest run took ${longest} ms`);
    assert.ok(
      (outcomes.get('answered') ?? 0) > 20 && (outcomes.get('failed') ?? 0) > 20,
      JSON.stringify([...outcomes]),
    );
    assert.ok(server.requests.every(({ path }) => !path.includes(KEY)));
    await server.settled();
    await server.close();
    for (let wait = 0; wait < 100 && resources() > before; wait++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(resources() <= before, `left: ${process.getActiveResourcesInfo().join(', ')}`);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
    assert.ok(server.requests.length >= REQUESTS);
  });
});
