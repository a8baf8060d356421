import assert from 'node:assert/strict';
import { runAgent } from '../../../src/agent/agent';
import { UserError } from '../../../src/agent/errors';
import type { AgentEvent, TraceEvent } from '../../../src/agent/event';
import { Inbox } from '../../../src/agent/inbox';
import { ContextOverflow, type Llm, type LlmChunk } from '../../../src/agent/llm';
import { makeToolbox, type Tool } from '../../../src/agent/tool';
import { foldAll } from '../../../src/agent/trace';
import { cpuTime } from '../../support/cpuTime';
import { ofType, tell, toolOf } from '../../support/story';
import { assertTrace } from '../../support/traceSchema';

const echo = () => toolOf('Search', (input) => `A page about ${input}.`);
const search = (n: number) => `Thought: ${'abcdefghij'[n]} is next\nAction: Search[${'abcdefghij'[n]?.repeat(5)}]`;
const call = (id: string, name: string, args: object | string) => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});
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

describe('native calls', () => {
  const finish = (args: object | string) => [{ toolCalls: [call('1', 'Finish', args)] }];
  const told = async (args: object | string) =>
    (await tell(finish(args), { tools: [echo()], protocol: 'tools' })).end.answer;

  it('finish with an argument of any name and kind', async () => {
    assert.equal(await told({ thought: 't', result: 'Paris' }), 'Paris');
    assert.equal(await told({ answer: 1843 }), '1843');
    assert.equal(await told({ answer: { city: 'Paris' } }), '{"city":"Paris"}');
    assert.equal(await told('Paris'), 'Paris');
    assert.equal(await told("{'answer': 'Paris',}"), 'Paris');
  });

  it('with an empty Finish are corrected, and the correction is the call’s result', async () => {
    const { stored, end } = await tell(
      [
        { toolCalls: [call('1', 'Finish', { thought: 't' })] },
        { toolCalls: [call('2', 'Finish', { answer: 'Paris' })] },
      ],
      { tools: [echo()], protocol: 'tools' },
    );
    assert.equal(end.answer, 'Paris');
    assert.match(ofType(stored, 'observation')[0]?.text ?? '', /call of Finish held no answer/);
    assert.deepEqual(
      ofType(stored, 'model-request')[1]?.messages.map(({ role, toolCallId }) => [role, toolCallId]),
      [
        ['assistant', undefined],
        ['tool', '1'],
      ],
    );
  });

  it('that the output cap cut in two are asked for again with more room', async () => {
    const { stored, end } = await tell(
      [
        { toolCalls: [call('1', 'Finish', '{"thought":"t","answer":"Par')], finishReason: 'length' },
        { toolCalls: [call('2', 'Finish', { answer: 'Paris' })] },
      ],
      { tools: [echo()], protocol: 'tools' },
    );
    assert.equal(end.answer, 'Paris');
    assert(ofType(stored, 'notice').some(({ text }) => text.includes('2048')));
  });

  it('in parallel keep to the step limit, and what was not run is told to the model', async () => {
    const calls = ['a', 'b', 'c', 'd'].map((id) => call(id, 'Search', { thought: id, input: id.repeat(4) }));
    const { stored, end } = await tell(
      [{ toolCalls: calls }, { toolCalls: [call('z', 'Finish', { answer: 'best' })] }],
      {
        tools: [echo()],
        protocol: 'tools',
        limits: { steps: 2 },
      },
    );
    assert.equal(end.outcome, 'limit');
    assert.equal(end.answer, 'best');
    assert.equal(ofType(stored, 'observation').length, 2);
    const last = ofType(stored, 'model-request').at(-1);
    assert.deepEqual(
      last?.messages.map(({ role, toolCallId }) => toolCallId ?? role),
      ['assistant', 'a', 'b', 'c', 'd', 'user'],
    );
    assert.deepEqual(
      (last?.options.tools as { name: string }[] | undefined)?.map(({ name }) => name),
      ['Finish'],
    );
  });

  it('run in order around an unknown tool, a repeat, and a Finish in the middle', async () => {
    const asked: string[] = [];
    const tool = toolOf('Search', (input) => `found ${asked.push(input)}`);
    const { stored, end } = await tell(
      [
        {
          toolCalls: [
            call('1', 'Search', { input: 'one' }),
            call('2', 'Search', { input: 'one' }),
            call('3', 'Login', { input: 'x' }),
            call('4', 'finish', { answer: 'done' }),
            call('5', 'Search', { input: 'two' }),
          ],
        },
      ],
      { tools: [tool], protocol: 'tools' },
    );
    assert.equal(end.answer, 'done');
    assert.deepEqual(asked, ['one']);
    assert.deepEqual(
      ofType(stored, 'observation').map(({ ok, blocked }) => [ok, blocked ?? false]),
      [
        [true, false],
        [false, true],
        [false, false],
      ],
    );
  });

  it('that come in the text protocol are told back in its notation', async () => {
    const { stored, end } = await tell(
      [
        {
          text: 'I look.',
          toolCalls: [call('1', 'Search', { thought: 'one', input: 'a' }), call('2', 'Search', { input: 'b' })],
        },
        'Action: Finish[both]',
      ],
      { tools: [echo()] },
    );
    assert.equal(end.answer, 'both');
    const sent = ofType(stored, 'model-request')[1]?.messages ?? [];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['assistant', 'user', 'assistant', 'user'],
    );
    assert(sent.every(({ toolCalls, toolCallId }) => !toolCalls && !toolCallId));
    assert.match(sent[0]?.content ?? '', /^Thought 1: one\nAction 1: Search\[a\]$/);
  });

  it('and a reply in text are both read in the tools protocol', async () => {
    const { end } = await tell(
      ['Thought: t\nAction: Search[a]', { toolCalls: [call('1', 'Finish', { answer: 'b' })] }],
      {
        tools: [echo()],
        protocol: 'tools',
      },
    );
    assert.equal(end.answer, 'b');
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
    const calls = ['a', 'b'].map((id) => call(id, 'Search', { thought: id, input: id.repeat(4) }));
    const first = await tell([{ toolCalls: calls }, { error: new UserError('x', 'y') }], {
      tools: [echo()],
      protocol: 'tools',
    });
    const cut = first.stored.slice(0, first.stored.findIndex(({ type }) => type === 'observation') + 1);
    const inbox = new Inbox();
    inbox.push({ action: 'note', text: 'mind the gap' });
    const { stored } = await tell([{ toolCalls: [call('c', 'Finish', { answer: 'x' })] }], {
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

describe('the context window', () => {
  const long = () => toolOf('Search', (input) => `${input}: ${'words and more words '.repeat(300)}`);

  it('that is smaller than the manual ends the run plainly, without calls that can’t help', async () => {
    const asked: number[] = [];
    const { end } = await tell(
      (messages) => {
        asked.push(messages.length);
        return { error: new ContextOverflow('too long', 300) };
      },
      { tools: [long()] },
    );
    assert.equal(end.outcome, 'failed');
    assert.match(end.error?.message ?? '', /context window \(about 300 tokens\)/);
    assert.equal(end.error?.action, 'select-model');
    assert(asked.length <= 3, String(asked.length));
  });

  it('that overflows at each step is kept to, in the last call too, and facts are carried on', async () => {
    const window = 2200;
    const size = (content: string) => content.length / 4;
    const condensed: string[] = [];
    const overflowed: string[] = [];
    let step = 0;
    const { stored, end } = await tell(
      (messages, { maxTokens }) => {
        if (maxTokens === 400) {
          condensed.push(messages[1]?.content ?? '');
          return `fact ${condensed.length} (page)`;
        }
        const text = messages.map(({ content }) => content).join('\n');
        if (size(text) > window) {
          assert(!overflowed.includes(text), 'the same overflow is never sent twice');
          overflowed.push(text);
          return { error: new ContextOverflow('too long', window) };
        }
        if (/No further action is possible/.test(text)) return 'Finish[best]';
        return search(step++);
      },
      { tools: [long()], maxTokens: 200, limits: { steps: 8 } },
    );
    assert.equal(end.answer, 'best');
    assert(condensed.length >= 2, 'it condensed more than once');
    assert(condensed[1]?.includes('fact 1'), 'facts of the first time are in the second');
    const told = ofType(stored, 'notice').filter(({ usage }) => usage);
    assert.equal(told.length, condensed.length);
  });
});

describe('usage, cost and budgets', () => {
  const usage = { prompt: 100, completion: 10 };
  const prices = { prompt: 1, completion: 1 };

  it('count the calls beside the steps', async () => {
    const { stored, end } = await tell(
      [
        { text: 'Action: Search[a]', usage },
        { text: 'It is Paris.\nAnswer: Paris', usage },
        { text: 'Answer: Rome', usage },
        { text: 'Answer: paris', usage },
      ],
      {
        tools: [toolOf('Search', () => Promise.reject(new Error('gone')))],
        limits: { steps: 1 },
        strategies: { selfConsistency: 3 },
        prices,
      },
    );
    assert.equal(end.answer, 'Paris');
    assert.deepEqual(end.usage, { prompt: 400, completion: 40 });
    assert.equal(end.cost, 440 / 1e6);
    assert.deepEqual(ofType(stored, 'notice').find(({ usage }) => usage)?.usage, { prompt: 300, completion: 30 });
  });

  it('are unknown as soon as one call beside the steps did not say', async () => {
    const { end } = await tell(
      [
        { text: 'Action: Search[a]', usage },
        { text: 'no idea', usage: null },
        { text: 'Finish[x]', usage },
      ],
      {
        tools: [toolOf('Search', () => Promise.reject(new Error('gone')))],
        limits: { steps: 1 },
        strategies: { selfConsistency: 1 },
      },
    );
    assert.equal(end.answer, 'x');
    assert.equal(end.usage, undefined);
  });

  for (const limits of [{ tokens: 3000 }, { cost: 3000 / 1e6 }]) {
    it(`end the run (${Object.keys(limits)[0]}) though the endpoint tells no usage`, async () => {
      let n = 0;
      const { stored, end } = await tell(
        (messages) => ({
          text: /No further action/.test(messages.at(-1)?.content ?? '') ? 'Finish[best]' : search(n++),
          usage: null,
        }),
        { tools: [echo()], limits: { ...limits, steps: 9 }, prices },
      );
      assert.equal(end.outcome, 'limit');
      const steps = ofType(stored, 'observation').length;
      assert(steps >= 1 && steps < 9, String(steps));
      assert.match(
        ofType(stored, 'notice').find(({ kind }) => kind === 'limit')?.text ?? '',
        /budget.*so they were estimated/,
      );
    });
  }
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
