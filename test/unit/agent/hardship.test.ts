import assert from 'node:assert/strict';
import { runAgent } from '../../../src/agent/agent';
import { UserError } from '../../../src/agent/errors';
import type { AgentEvent, TraceEvent } from '../../../src/agent/event';
import { Inbox } from '../../../src/agent/inbox';
import type { Llm, LlmChunk } from '../../../src/agent/llm';
import { makeToolbox, type Tool } from '../../../src/agent/tool';
import { foldAll } from '../../../src/agent/trace';
import { cpuTime } from '../../support/cpuTime';
import { callOf, ofType, tell, toolOf } from '../../support/story';
import { assertTrace } from '../../support/traceSchema';

const echo = () => toolOf('Search', (input) => `A page about ${input}.`);
const search = (n: number) => `Thought: ${'abcdefghij'[n]} is next\nAction: Search[${'abcdefghij'[n]?.repeat(5)}]`;
const asModel = (stream: () => unknown): Llm => ({ provider: 'x', model: 'x', stream: stream as Llm['stream'] });

async function runWith(llm: Llm, tools: Tool[] = [], stepSeconds = 0.1): Promise<TraceEvent[]> {
  const events: AgentEvent[] = [];
  const input = { question: 'q', llm, toolbox: makeToolbox(tools), limits: { stepSeconds } };
  for await (const event of runAgent({ ...input, signal: new AbortController().signal })) events.push(event);
  const stored = events.filter((event) => event.type !== 'delta');
  assertTrace(stored);
  return stored;
}

describe('a model that misbehaves', () => {
  const garbage = [null, undefined, 1, { type: 'text' }, { type: 'text', text: 7 }, { type: 'what' }, {}, []];
  for (const chunk of garbage) {
    it(`sends ${JSON.stringify(chunk)}: one run-end`, async () => {
      await runWith(
        asModel(async function* () {
          yield chunk;
        }),
      );
    });
  }

  it('throws before it has an iterator: the run fails, with what was thrown', async () => {
    const stored = await runWith(
      asModel(() => {
        throw new UserError('No line.', 'Plug it in.');
      }),
    );
    const end = stored.at(-1);
    assert(end?.type === 'run-end' && end.outcome === 'failed');
    assert.equal(end.error?.message, 'No line.');
    assert.equal(ofType(stored, 'model-request').length, 1);
  });

  it('never says anything and ignores its signal: the run fails when the time of a step is over, and says so', async () => {
    const stored = await runWith(
      asModel(() => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) })),
    );
    const end = stored.at(-1);
    assert(end?.type === 'run-end' && end.outcome === 'failed');
    assert.match(end.error?.message ?? '', /not begun to answer within 0\.1 s/);
    assert.match(end.error?.hint ?? '', /still loading the model/);
  });

  it('keeps the reasoning of a reply that broke off', async () => {
    const { stored, end } = await tell([
      { reasoning: 'Let me see', text: 'Thought: a', error: new UserError('x', 'y') },
    ]);
    assert.equal(end.outcome, 'failed');
    assert.equal(ofType(stored, 'reasoning')[0]?.text, 'Let me see');
  });
});

describe('a reply that the endpoint withheld in mid-sentence', () => {
  it('is neither run nor taken as an answer', async () => {
    let ran = 0;
    const tool = toolOf('Search', () => String(ran++));
    for (const text of ['Action: Search[Analyt', 'Action: Finish[Babbage did not design it; it was desi']) {
      const { end } = await tell([{ text, finishReason: 'content_filter' }], { tools: [tool] });
      assert.equal(end.outcome, 'failed', text);
      assert.match(end.error?.message ?? '', /content filter/);
    }
    assert.equal(ran, 0);
  });
});

describe('the user', () => {
  it('who stops while being asked for leave ends the run, though nobody answers', async () => {
    const stopper = new AbortController();
    setTimeout(() => stopper.abort(), 30);
    const { stored, end } = await tell(['Action: Write[x]'], {
      tools: [toolOf('Write', () => 'written', { needsApproval: true })],
      approve: () => new Promise(() => {}),
      signal: stopper.signal,
    });
    assert.equal(end.outcome, 'cancelled');
    assert.equal(ofType(stored, 'control').length, 0);
  });

  it('is not hurried: no limit of time runs while a tool waits for leave or the run is paused', async () => {
    const inbox = new Inbox();
    inbox.push({ action: 'pause' });
    setTimeout(() => inbox.push({ action: 'resume' }), 400);
    const { end } = await tell(['Action: Write[x]', 'Action: Finish[y]'], {
      tools: [toolOf('Write', () => 'written', { needsApproval: true })],
      approve: () => new Promise((resolve) => setTimeout(resolve, 400, { allow: true })),
      limits: { seconds: 0.3 },
      inbox,
    });
    assert.equal(end.outcome, 'answered');
    assert(end.ms >= 700);
  });

  it('whose approval throws is taken to have said no', async () => {
    const { stored } = await tell(['Action: Write[x]', 'Action: Finish[y]'], {
      tools: [toolOf('Write', () => 'written', { needsApproval: true })],
      approve: () => {
        throw new Error('no window');
      },
    });
    assert.equal(ofType(stored, 'observation')[0]?.blocked, true);
  });

  for (const [where, script] of [
    ['in mid-tool', [search(0), 'Finish[now]']],
    ['in mid-stream', [{ text: 'Thought: slow words '.repeat(40), tokenMs: 20 }, 'Finish[now]']],
  ] as const) {
    it(`who wants the answer now ${where} gets it, and the trace says so`, async () => {
      const inbox = new Inbox();
      setTimeout(() => inbox.push({ action: 'answer-now' }), 60);
      const slow = toolOf('Search', () => new Promise(() => {}));
      const { stored, end } = await tell(script, { tools: [slow], inbox });
      assert.equal(end.answer, 'now');
      assert.equal(end.outcome, 'limit');
      assert.deepEqual(
        ofType(stored, 'control').map(({ action }) => action),
        ['answer-now'],
      );
    });
  }

  it('gets the answer now, whatever is pressed after it', async () => {
    const inbox = new Inbox();
    inbox.push({ action: 'answer-now' });
    inbox.push({ action: 'pause' });
    const { end } = await tell(['Finish[now]'], { tools: [echo()], inbox });
    assert.equal(end.answer, 'now');
  });

  it('reads the best observation without an empty title where it has none', async () => {
    const { end } = await tell([search(0)], { tools: [echo()], limits: { steps: 1 } });
    assert.equal(end.answer, 'No answer could be written. The most fitting thing observed: A page about aaaaa.');
  });

  it('may note between native calls of which some were not run', async () => {
    const calls = ['a', 'b'].map((id) => callOf(id, 'Search', { thought: id, input: id.repeat(4) }));
    const first = await tell([{ toolCalls: calls }, { error: new UserError('x', 'y') }], {
      tools: [echo()],
      protocol: 'tools',
    });
    const cut = first.stored.slice(0, first.stored.findIndex(({ type }) => type === 'observation') + 1);
    const inbox = new Inbox();
    inbox.push({ action: 'note', text: 'mind the gap' });
    const { stored } = await tell([{ toolCalls: [callOf('c', 'Finish', { answer: 'x' })] }], {
      tools: [echo()],
      protocol: 'tools',
      prior: { parent: { run: 'x', kind: 'resume' }, traces: [foldAll(cut)] },
      inbox,
    });
    assert.deepEqual(
      ofType(stored, 'model-request')
        .at(-1)
        ?.messages.map(({ role, toolCallId }) => toolCallId ?? role),
      ['system', 'user', 'assistant', 'a', 'b', 'user'],
    );
  });
});

describe('strategies', () => {
  it('plan: sub-goals come first and are ticked off, also after a resume', async () => {
    const plan = (box: string) => `Plan:\n- [${box}] find it\n- [ ] tell it\n`;
    const first = await tell(
      [`${plan(' ')}${search(0)}`, `${plan('x')}${search(1)}`, { error: new UserError('x', 'y') }],
      {
        tools: [echo()],
        strategies: { plan: true },
      },
    );
    assert.deepEqual(
      ofType(first.stored, 'plan').map(({ items }) => items.map(({ done }) => done)),
      [
        [false, false],
        [true, false],
      ],
    );
    const again = await tell(['Action: Finish[x]'], {
      tools: [echo()],
      strategies: { plan: true },
      prior: { parent: { run: 'x', kind: 'resume' }, traces: [foldAll(first.stored)] },
    });
    assert.deepEqual(foldAll(again.stored).plan, foldAll(first.stored).plan);
  });

  it('reflect: asks for it after a miss, and only after trouble', async () => {
    const tool = toolOf('Search', () => '', {
      run: async (input) => ({ text: `About ${input}.`, ok: input !== 'bbbbb' }),
    });
    const { stored } = await tell([search(0), search(1), 'Action: Finish[x]'], {
      tools: [tool],
      strategies: { reflect: true },
    });
    const [good, bad] = ofType(stored, 'observation');
    assert.equal(good?.text, 'About aaaaa.');
    assert.match(bad?.text.slice(bad.hintAt) ?? '', /what failed and what to change/);
  });

  it('direct: an answer at once is marked as without sources', async () => {
    const { stored, end } = await tell(['Action: Finish[4]'], { question: '2+2?', strategies: { direct: true } });
    assert.deepEqual(end.sources, []);
    assert(
      ofType(stored, 'notice').some(({ kind, text }) => kind === 'evidence' && /source|memory|observ/i.test(text)),
    );
  });

  it('self-consistency: says so when memory gave nothing either, and gives up when the endpoint fails', async () => {
    let calls = 0;
    const { stored, end } = await tell(
      (_m, options) => {
        calls++;
        if (options.temperature === 0.7) return { error: new UserError('gone', 'wait') };
        return calls === 1 ? 'Action: Search[a]' : 'Finish[best]';
      },
      {
        tools: [toolOf('Search', () => Promise.reject(new Error('gone')))],
        limits: { steps: 1 },
        strategies: { selfConsistency: 5 },
      },
    );
    assert.equal(end.answer, 'best');
    assert.equal(calls, 3);
    assert.equal(ofType(stored, 'notice').filter(({ kind }) => kind === 'evidence').length >= 1, true);
  });

  it('the user’s instructions and examples stand in the manual, the examples in place of ours', async () => {
    const { stored } = await tell(['Action: Finish[x]'], {
      strategies: { instructions: 'Answer in rhyme.', examples: ['Question: own?\nThought 1: a\nAction 1: Finish[b]'] },
    });
    const manual = ofType(stored, 'model-request')[0]?.messages[0]?.content ?? '';
    assert.match(manual, /Answer in rhyme\./);
    assert.equal(manual.match(/^Question:/gm)?.length, 1);
  });
});

describe('a very long run', () => {
  it('of 1,500 steps does not slow down as it grows', async () => {
    const steps = 1500;
    const word = (n: number) => [...String(n * 7919)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('a');
    let n = 0;
    const llm = asModel(async function* () {
      n++;
      const text = `Thought: ${word(n * 3)} ${word(n * 5)}\nAction: Search[${word(n)} ${word(n + 99)}]`;
      yield { type: 'text', text: n > steps ? 'Action: Finish[done]' : text };
      yield { type: 'usage', usage: { prompt: 10, completion: 5 } };
    });
    const input = { question: 'q', llm, toolbox: makeToolbox([echo()]), limits: { steps: steps + 1 } };
    const took = cpuTime();
    let acted = 0;
    for await (const event of runAgent({ ...input, signal: new AbortController().signal })) {
      if (event.type === 'observation') acted++;
    }
    assert.equal(acted, steps);
    // About 1 s; comparing each step with all earlier ones took a minute.
    assert(took() < 9000, `${took()} ms`);
  }).timeout(60_000);
});

describe('a run abandoned by its reader', () => {
  const handles = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const model = (): Llm => ({
    provider: 'x',
    model: 'x',
    async *stream(_messages, _options, signal): AsyncGenerator<LlmChunk> {
      for (const text of ['Thought: one', ' two\n', 'Action: Search[a]']) {
        signal.throwIfAborted();
        yield { type: 'text', text };
      }
    },
  });

  it('leaves no timer and no running tool, whatever event it stopped at', async () => {
    // The test runner sets its own timer once a test waits.
    await new Promise((resolve) => setImmediate(resolve));
    for (let stopAt = 1; stopAt < 14; stopAt++) {
      let running = 0;
      const before = handles();
      const tool: Tool = {
        ...toolOf('Search', () => ''),
        run: (_input, _context, signal) => {
          running++;
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              running--;
              reject(new Error('stopped'));
            }),
          );
        },
      };
      const input = { question: 'q', llm: model(), toolbox: makeToolbox([tool]), limits: { stepSeconds: 0.05 } };
      let seen = 0;
      for await (const _ of runAgent({ ...input, signal: new AbortController().signal })) {
        if (++seen === stopAt) break;
      }
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(running, 0, `a tool runs on after event ${stopAt}`);
      assert.equal(handles(), before, `a timer stays after event ${stopAt}`);
    }
  });
});
