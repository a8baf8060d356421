import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { UserError } from '../../../src/agent/errors';
import type { Message, Protocol, ToolCall, TraceEvent } from '../../../src/agent/event';
import { Inbox } from '../../../src/agent/inbox';
import { ContextOverflow } from '../../../src/agent/llm';
import { emptyTrace, fold, foldAll, usageOf } from '../../../src/agent/trace';
import type { Script, ScriptedReply } from '../../../src/llm/scripted';
import { parseTrace } from '../../../src/traces/readTrace';
import { ofType, type Story, tell, toolOf } from '../../support/story';

const WORDS = ['river', 'castle', 'engine', 'novel', 'planet', 'harbour', 'violin', 'glacier', 'market', 'orchard'];

/** What a scripted model may do in one reply. */
type Turn =
  | 'search'
  | 'repeat'
  | 'unknown'
  | 'mumble'
  | 'empty'
  | 'miss'
  | 'parallel'
  | 'native'
  | 'long'
  | 'cut'
  | 'overflow';
const TURNS: Turn[] = [
  'search',
  'repeat',
  'unknown',
  'mumble',
  'empty',
  'miss',
  'parallel',
  'native',
  'long',
  'cut',
  'overflow',
];

function replyOf(turn: Turn, n: number): ScriptedReply {
  const word = `${WORDS[n % WORDS.length]} ${n}`;
  const call = (id: number, input: string): ToolCall => ({
    id: `call-${n}-${id}`,
    name: 'Search',
    arguments: JSON.stringify({ thought: `try ${input}`, input }),
  });
  switch (turn) {
    case 'search':
      return { text: `Thought ${n}: ${word} may help.\nAction ${n}: Search[${word}]` };
    case 'repeat':
      return { text: 'Thought: once more.\nAction: Search[the same]' };
    case 'unknown':
      return { text: 'Action: Login[now]' };
    case 'mumble':
      return { text: 'Thought: I should look somewhere.', reasoning: 'hm' };
    case 'empty':
      return { text: '' };
    case 'miss':
      return { text: `Thought: perhaps.\nAction: Search[missing ${word}]` };
    case 'parallel':
      return { text: 'Two at once.', toolCalls: [call(1, word), call(2, `${word} two`)] };
    case 'native':
      return { toolCalls: [call(1, word)] };
    case 'long':
      return { text: `Thought: ${'a long thought '.repeat(20)}\nAction: Search[long ${word}]` };
    case 'cut':
      return { text: 'Thought: I was about', finishReason: 'length' };
    case 'overflow':
      return { error: new ContextOverflow('too long') };
  }
}

const tools = () => [
  toolOf('Search', () => '', {
    run: async (input) => ({
      text: /missing/.test(input)
        ? `Nothing on ${input}.`
        : `About ${input}. ${'More of it. '.repeat(/long/.test(input) ? 200 : 5)}`,
      ok: !/missing/.test(input),
    }),
  }),
];

/** A script of these turns that then finishes, and what it was sent. */
function recorder(turns: readonly Turn[], offset = 0): { script: Script; sent: Message[][] } {
  const sent: Message[][] = [];
  const script: Script = (messages, _options, call) => {
    sent.push(structuredClone(messages) as Message[]);
    const turn = turns[call - 1];
    return turn ? replyOf(turn, offset + call) : 'Thought: enough.\nAction: Finish[done]';
  };
  return { script, sent };
}

/** The lists of messages that a trace's requests tell of. */
function replayed(events: readonly TraceEvent[]): Message[][] {
  let list: Message[] = [];
  return ofType(events, 'model-request').map(({ messages, rewrite }) => {
    list = rewrite ? [...messages] : [...list, ...messages];
    return list;
  });
}

const bare = (lists: readonly Message[][]) => JSON.parse(JSON.stringify(lists)) as unknown;

/** Within a step: request, reply, reasoning, thought, action, observation, each once but for requests. */
function assertOrder(events: readonly TraceEvent[]): void {
  const order = ['model-request', 'model-reply', 'reasoning', 'thought', 'action', 'observation'];
  let step = 0;
  let at = 0;
  for (const event of events) {
    const rank = order.indexOf(event.type);
    if (rank < 0 || !('step' in event)) continue;
    assert(event.step >= step, `step ${event.step} after step ${step}`);
    if (event.step > step) at = -1;
    assert(rank > at || (rank === 0 && at === 0), `${event.type} in step ${event.step} stands after ${order[at]}`);
    step = event.step;
    at = rank;
  }
  for (const { action, observation, reply } of foldAll(events).steps) {
    if (action?.tool === 'Finish') assert.equal(observation, undefined);
    if (observation && !action) assert.equal(observation.ok, false);
    if (reply) assert(reply.attempts >= 1);
  }
}

const story = fc.record({
  turns: fc.array(fc.constantFrom(...TURNS), { maxLength: 9 }),
  protocol: fc.constantFrom<Protocol>('text', 'tools'),
  steps: fc.integer({ min: 1, max: 9 }),
  window: fc.constantFrom(undefined, 1800, 2600),
});

describe('the rules of a trace', () => {
  it('hold over random runs: order in a step, and requests that replay to what was sent', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ turns, protocol, steps, window }) => {
        const { script, sent } = recorder(turns);
        const { stored } = await tell(script, {
          tools: tools(),
          protocol,
          limits: { steps },
          maxTokens: 300,
          ...(window ? { contextWindow: window } : {}),
        });
        assertOrder(stored);
        const aside = (messages: Message[]) => /^Condense/.test(messages[0]?.content ?? '');
        assert.deepEqual(bare(replayed(stored)), bare(sent.filter((messages) => !aside(messages))));
      }),
      { numRuns: 60 },
    );
  });

  it('hold for a run resumed at any event: nothing is asked or paid twice, notes stay', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.integer({ min: 1, max: 60 }), async ({ turns, protocol, steps }, at) => {
        const first = await tell(recorder(turns).script, { tools: tools(), protocol, limits: { steps } });
        const cut = first.stored.slice(0, Math.min(at, first.stored.length - 1));
        const earlier = foldAll(cut);
        const paid = new Set(
          earlier.steps.filter(({ action, observation }) => action && observation).map(({ step }) => step),
        );
        const { script, sent } = recorder(['search', 'mumble'], 100);
        const { stored, end } = await tell(script, {
          tools: tools(),
          protocol,
          limits: { steps },
          prior: { parent: { run: 'x', kind: 'resume' }, traces: [earlier] },
        });
        assertOrder(stored);
        const again = ofType(stored, 'model-request').filter(({ step }) => !paid.has(step));
        assert.equal(again.length, sent.length);
        assert.deepEqual(bare(replayed(stored).slice(-sent.length)), bare(sent));
        const told = (events: readonly TraceEvent[]) =>
          events.filter((event) => event.type === 'observation' && paid.has(event.step));
        assert.deepEqual(told(stored), told(cut));
        assert.deepEqual(end.usage, usageOf(foldAll(stored)));
      }),
      { numRuns: 60 },
    );
  });

  it('keep a note of a step that was cut off, and what a follow-up carried', async () => {
    const earliest = await tell(['Action: Finish[Ada Lovelace]'], { question: 'Who wrote Note G?' });
    const inbox = new Inbox();
    inbox.push({ action: 'note', text: 'mind the gap' });
    const followUp = await tell([{ error: new UserError('x', 'y') }], {
      question: 'When?',
      prior: { parent: { run: 'x', kind: 'follow-up' }, traces: [foldAll(earliest.stored)] },
      inbox,
    });
    const { script, sent } = recorder([]);
    const { stored } = await tell(script, {
      question: 'When?',
      prior: { parent: { run: 'y', kind: 'resume' }, traces: [foldAll(followUp.stored)] },
    });
    assert.match(sent[0]?.[1]?.content ?? '', /Who wrote Note G\?[\s\S]*Ada Lovelace[\s\S]*When\?[\s\S]*mind the gap$/);
    assert.equal(ofType(stored, 'control').length, 1);
  });

  it('hold along a chain of ten follow-ups, whose first request stays small', async () => {
    const chain: Story[] = [];
    for (let n = 1; n <= 10; n++) {
      const { script, sent } = recorder(['search'], n);
      chain.push(
        await tell(script, {
          question: `Question number ${n}?`,
          tools: tools(),
          ...(n > 1
            ? {
                prior: {
                  parent: { run: String(n - 1), kind: 'follow-up' },
                  traces: chain.map(({ stored }) => foldAll(stored)),
                },
              }
            : {}),
        }),
      );
      const opening = sent[0]?.[1]?.content ?? '';
      assert(opening.length < 6000);
      assert(opening.endsWith(`Question number ${n}?`));
      if (n > 1) assert(opening.includes(`Question number ${n - 1}?`));
    }
  });
});

describe('a stored trace', () => {
  let events: TraceEvent[];
  before(() => {
    events = parseTrace(readFileSync('test/fixtures/golden.react.jsonl', 'utf8')).events;
  });

  it('is made by the loop as it was made before, event by event', async () => {
    const made = await golden();
    assert.deepEqual(made, events);
  });

  it('folds to its steps, and counts events of a later version', () => {
    const trace = foldAll(events);
    assert.deepEqual(
      trace.steps.map(({ step, action, observation, thought }) => [
        step,
        action?.tool,
        observation?.ok,
        thought !== undefined,
      ]),
      [
        [1, 'Search', true, true],
        [2, undefined, false, true],
        [3, 'Search', false, true],
        [4, 'Search', false, true],
        [5, 'Finish', undefined, true],
      ],
    );
    assert.equal(trace.end?.answer, 'The Nile');
    assert.equal(trace.plan?.[0]?.done, true);
    assert.deepEqual(trace.end?.usage, usageOf(trace));
    assert.equal(trace.unknown, 0);
    const known = foldAll([...events, { type: 'future', time: '' } as unknown as TraceEvent]);
    assert.equal(known.unknown, 1);
    assert.deepEqual({ ...known, unknown: 0 }, trace);
  });

  it('folds live text into its step, and clears it when the reply is there', () => {
    const trace = emptyTrace();
    const time = foldAll(events).steps[0]?.startedAt ?? '';
    fold(trace, { type: 'delta', time, step: 1, channel: 'text', text: 'Thought: ' });
    fold(trace, { type: 'delta', time, step: 1, channel: 'text', text: 'a' });
    fold(trace, { type: 'delta', time, step: 1, channel: 'reasoning', text: 'r' });
    assert.equal(trace.steps[0]?.live, 'Thought: a');
    assert.equal(trace.steps[0]?.liveReasoning, 'r');
    for (const event of events) fold(trace, event);
    assert.deepEqual(trace, foldAll(events));
  });
});

/** The run that the golden trace holds: a plan, a correction, a miss, a repeat and an answer, on a clock that stands still. */
async function golden(): Promise<TraceEvent[]> {
  const usage = { prompt: 100, completion: 10 };
  const { stored } = await tell(
    [
      'Plan:\n- [ ] find the longest river\nThought 1: I look for rivers.\nAction 1: Search[rivers]',
      'Thought 2: I should look again.',
      'Plan:\n- [x] find the longest river\nThought 2: A missing page.\nAction 2: Search[missing lakes]',
      'Thought 3: Rivers again.\nAction 3: Search[Rivers]',
      'Thought 4: It stands there.\nAction 4: Finish[The Nile]',
    ].map((text) => ({ text, usage })),
    {
      question: 'Which is the longest river?',
      tools: tools(),
      run: '00000000-0000-4000-8000-000000000000',
      strategies: { plan: true },
      prices: { prompt: 1, completion: 2 },
      now: () => Date.UTC(2026, 0, 1),
    },
  );
  // The manual has tests of its own.
  return JSON.parse(JSON.stringify(stored), (_, value) =>
    value?.role === 'system' ? { ...value, content: '…' } : value,
  );
}
