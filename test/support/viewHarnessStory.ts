import type { AgentEvent, Observation, TraceEvent } from '../../src/agent/event';

const at = (seconds: number) => new Date(Date.UTC(2025, 2, 3, 9, 0, 0) + seconds * 1000).toISOString();

/** Spans of the sentences in a text that holds them one after the other. */
function spans(text: string, sentences: readonly string[], first: number): Observation['sentences'] {
  let from = 0;
  return sentences.map((sentence, index) => {
    const start = text.indexOf(sentence, from);
    from = start + sentence.length;
    return { index: first + index, start, end: from };
  });
}

interface Round {
  thought: string;
  tool: string;
  input: string;
  /** Sentences of the page, or a message. */
  sees: string[];
  first?: number;
  page?: { title: string; count: number };
  modelMs: number;
  toolMs?: number;
  tokens?: [number, number] | null;
  more?: Partial<Observation>;
  notice?: string;
}

const QUESTION =
  'Which analytical machine did the author of “Note G” write about, and how many digits did its numbers have?';

const ROUNDS: Round[] = [
  {
    thought: '“Note G” was written by Ada Lovelace. I need the machine it is about, so I search for Note G first.',
    tool: 'Search',
    input: 'Note G',
    sees: [
      'Note G is an algorithm by Ada Lovelace that computes Bernoulli numbers on the planned Analytical Engine.',
      'It was published in 1843 as the last of seven notes to a translated article.',
      'It is often called the first computer program that was printed.',
    ],
    first: 0,
    page: { title: 'Note G', count: 41 },
    modelMs: 1300,
    toolMs: 400,
    tokens: [612, 44],
  },
  {
    thought: 'The machine is the Analytical Engine. I look for the size of its numbers on its own page.',
    tool: 'Search',
    input: 'Note G',
    sees: [
      'This search was already made in step 1; its result is the same. Another title, a keyword to look up, or an answer would help.',
    ],
    modelMs: 1500,
    tokens: [760, 38],
    more: { ok: false, blocked: true },
    notice:
      'Same action as step 1; its result cannot change. The model was told to search another title, look up a keyword, or answer.',
  },
  {
    thought: 'Searching the same title again can’t help. I search the machine itself.',
    tool: 'Search',
    input: 'Analytical Engine',
    sees: [
      'The Analytical Engine was a mechanical general-purpose computer planned by Charles Babbage.',
      'It was described first in 1837 as the successor of the Difference Engine.',
      'It had an arithmetic unit, control flow by conditional branching and loops, and a memory, which made it the first design of a computer that is Turing-complete in today’s terms.',
      'Babbage never finished it: money, and quarrels with his chief engineer, stood in the way.',
      'Not before 1941 was the first machine of such generality built.',
    ],
    first: 0,
    page: { title: 'Analytical engine', count: 96 },
    modelMs: 1200,
    toolMs: 600,
    tokens: [905, 31],
  },
  {
    thought: 'Now the size of its numbers: I look up “digits”.',
    tool: 'Lookup',
    input: 'digits',
    sees: ['The store, its memory, was meant to keep 1,000 numbers of 40 decimal digits each.'],
    first: 26,
    page: { title: 'Analytical engine', count: 96 },
    modelMs: 1100,
    toolMs: 2,
    tokens: [1010, 24],
  },
];

function round(made: Round, step: number, start: number): TraceEvent[] {
  const text = made.sees.join(' ');
  const time = at(start);
  const sentences = made.page ? spans(text, made.sees, made.first ?? 0) : undefined;
  const raw = `Thought ${step}: ${made.thought}\nAction ${step}: ${made.tool}[${made.input}]`;
  const earlier =
    step === 1
      ? [
          {
            role: 'system' as const,
            content:
              'You answer questions by turns of Thought, Action and Observation.\n\nTools: Search[entity], Lookup[keyword], Finish[answer].',
          },
          { role: 'user' as const, content: QUESTION },
        ]
      : [
          { role: 'assistant' as const, content: 'Thought: …' },
          { role: 'user' as const, content: `Observation ${step - 1}: …` },
        ];
  return [
    { type: 'model-request', time, step, messages: earlier, options: { temperature: 0, stop: ['\nObservation'] } },
    {
      type: 'model-reply',
      time,
      step,
      raw,
      finishReason: 'stop',
      cut: false,
      usage: made.tokens ? { prompt: made.tokens[0], completion: made.tokens[1] } : null,
      ms: made.modelMs,
      firstTokenMs: 310,
      attempts: 1,
    },
    { type: 'thought', time, step, text: made.thought },
    { type: 'action', time, step, tool: made.tool, input: made.input },
    ...(made.notice ? [{ type: 'notice' as const, time, step, kind: 'loop' as const, text: made.notice }] : []),
    {
      type: 'observation',
      time,
      step,
      text,
      ok: true,
      ms: made.toolMs ?? 0,
      ...(made.page && {
        document: {
          title: made.page.title,
          url: `https://en.wikipedia.org/wiki/${made.page.title.replaceAll(' ', '_')}`,
          fetchedAt: time,
          hash: 'f00d',
          sentenceCount: made.page.count,
        },
        sentences,
      }),
      ...made.more,
    },
  ];
}

const START: TraceEvent = {
  type: 'run-start',
  time: at(0),
  version: 1,
  run: 'run-1',
  question: QUESTION,
  language: 'en',
  provider: 'openai',
  model: 'gpt-4.1-mini',
  protocol: 'text',
  tools: ['Search', 'Lookup', 'Calculator'],
  limits: { steps: 8, seconds: 300 },
  prices: { prompt: 0.2, completion: 1.3 },
};

const ANSWER =
  'The author of Note G, Ada Lovelace, wrote about the **Analytical Engine**, whose numbers had **40 decimal digits** each.';

const FINISH: TraceEvent[] = [
  {
    type: 'model-request',
    time: at(6),
    step: 5,
    messages: [{ role: 'user', content: 'Observation 4: …' }],
    options: { temperature: 0 },
  },
  {
    type: 'model-reply',
    time: at(6.8),
    step: 5,
    raw: `Action 5: Finish[${ANSWER}]`,
    finishReason: 'stop',
    cut: false,
    usage: { prompt: 1080, completion: 36 },
    ms: 700,
    firstTokenMs: 280,
    attempts: 1,
  },
  { type: 'action', time: at(6.8), step: 5, tool: 'Finish', input: ANSWER },
];

const SOURCES = [
  { title: 'Note G', url: 'https://en.wikipedia.org/wiki/Note_G', steps: [1] },
  { title: 'Analytical engine', url: 'https://en.wikipedia.org/wiki/Analytical_engine', steps: [3, 4] },
];

const END: TraceEvent = {
  type: 'run-end',
  time: at(6.8),
  outcome: 'answered',
  answer: ANSWER,
  sources: SOURCES,
  support: [
    {
      claim: 'The author of Note G, Ada Lovelace, wrote about the **Analytical Engine**',
      step: 1,
      sentence: 0,
      status: 'verbatim',
    },
    { claim: 'whose numbers had **40 decimal digits** each.', step: 4, sentence: 26, status: 'verbatim' },
  ],
  steps: 5,
  ms: 6800,
  usage: { prompt: 4367, completion: 173 },
  cost: 0.0011,
};

const rounds = ROUNDS.flatMap((made, index) => round(made, index + 1, index * 1.5));

/** A run in five steps, with a repeat that the loop answered, that ended with a cited answer. */
export const answered: readonly TraceEvent[] = [START, ...rounds, ...FINISH, END];

/** The same run while its third step is being written. */
export const running: readonly TraceEvent[] = [
  START,
  ...ROUNDS.slice(0, 2).flatMap((made, index) => round(made, index + 1, index * 1.5)),
  {
    type: 'plan',
    time: at(3),
    step: 3,
    items: [
      { text: 'Find what Note G is about', done: true },
      { text: 'Find the size of the machine’s numbers', done: false },
    ],
  },
  { type: 'model-request', time: at(3), step: 3, messages: [], options: {} },
];

export const live: readonly AgentEvent[] = [
  {
    type: 'delta',
    time: at(3.2),
    step: 3,
    channel: 'text',
    text: 'Thought 3: Searching the same title again can’t help. I sea',
  },
];

/** A model that could not be reached. */
export const failed: readonly TraceEvent[] = [
  START,
  ...round(ROUNDS[0]!, 1, 0),
  {
    type: 'notice',
    time: at(3),
    step: 2,
    kind: 'retry',
    text: 'The endpoint answered 503; trying again in 2 s (2 of 3).',
  },
  {
    type: 'run-end',
    time: at(9),
    outcome: 'failed',
    sources: SOURCES.slice(0, 1),
    bestEffort: true,
    answer: 'Note G is an algorithm by Ada Lovelace that computes Bernoulli numbers on the planned Analytical Engine.',
    error: {
      message: 'The model at http://127.0.0.1:11434 could not be reached.',
      hint: 'Start the server there, or choose another model.',
      action: 'test-connection',
    },
    steps: 2,
    ms: 9000,
  },
];

/** A run that the step limit ended, with an answer of which one claim is not in the sources. */
export const limited: readonly TraceEvent[] = [
  { ...START, limits: { steps: 4, seconds: 300 } } as TraceEvent,
  ...rounds,
  { type: 'notice', time: at(7), step: 4, kind: 'limit', text: 'The limit of 4 steps is reached.' },
  {
    ...END,
    outcome: 'limit',
    bestEffort: true,
    answer: 'Probably the **Analytical Engine**. It weighed four tons.',
    support: [
      { claim: 'Probably the Analytical Engine.', step: 3, sentence: 0, status: 'partial' },
      { claim: 'It weighed four tons.', status: 'none' },
    ],
    steps: 4,
    ms: 7200,
  } as TraceEvent,
];

/** Any number of steps, each with an observation of so many characters. */
export function long(steps: number, characters: number): TraceEvent[] {
  const events: TraceEvent[] = [{ ...START, question: `A run of ${steps} steps` } as TraceEvent];
  for (let step = 1; step <= steps; step++) {
    const sentence = `Step ${step} reads that the mill of the engine did the four kinds of sums and that its store held the numbers. `;
    const made: Round = {
      ...ROUNDS[0]!,
      thought: `I look at page ${step}, which the page before it names.`,
      input: `Page ${step}`,
      sees: [sentence.repeat(Math.ceil(characters / sentence.length))],
      page: { title: `Page ${step}`, count: 40 },
      tokens: [900, 30],
    };
    events.push(...round(made, step, step));
  }
  return events;
}
