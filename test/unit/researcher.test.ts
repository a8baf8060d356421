import assert from 'node:assert/strict';
import { runAgent } from '../../src/agent/agent';
import type { Message, RunEnd } from '../../src/agent/event';
import type { LlmChunk } from '../../src/agent/llm';
import { foldAll, type Trace } from '../../src/agent/trace';
import { openSource } from '../../src/knowledge';
import { createResearcher } from '../../src/llm/researcher';
import { createToolbox } from '../../src/tools';

const source = openSource('sample:', { sampleFolder: 'media/sample-wiki' });

/** One question over the sample wiki, through the real loop and tools. */
async function ask(question: string, limits = {}, prior?: Trace): Promise<{ end: RunEnd; trace: Trace }> {
  const events = [];
  for await (const event of runAgent({
    question,
    llm: createResearcher(),
    toolbox: createToolbox({ source }),
    limits,
    signal: new AbortController().signal,
    ...(prior ? { prior: { parent: { run: 'earlier', kind: 'follow-up' as const }, traces: [prior] } } : {}),
  })) {
    events.push(event);
  }
  const trace = foldAll(events);
  assert(trace.end, 'a run ends with run-end');
  return { end: trace.end, trace };
}

async function replyTo(messages: Message[], signal = new AbortController().signal): Promise<LlmChunk[]> {
  const chunks: LlmChunk[] = [];
  for await (const chunk of createResearcher().stream(messages, {}, signal)) chunks.push(chunk);
  return chunks;
}
const textOf = (chunks: LlmChunk[]) => chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('');

/** Question and what its answer must say. */
const ANSWERED: [string, RegExp][] = [
  ['Who designed the Analytical Engine?', /Charles Babbage/],
  ['Which company developed ChatGPT?', /OpenAI/],
  ['Tell me when CERN was founded.', /1954/],
  ['In which year was the Eiffel Tower finished?', /1889/],
  ['How high is Mount Everest?', /8,848/],
  ['How long is the Great Wall of China?', /21,196/],
  ['What is the capital of China?', /Beijing/],
  ['who discovered radium', /Curie/],
  ['How many moons does Mercury have?', /no moons|Moons: 0/],
  ['Who is the father of the god Mercury?', /Jupiter/],
  ['Which programming language is Visual Studio Code written in?', /TypeScript/],
  ['Who was the first woman to receive the Turing Award?', /Frances Allen/],
  ['Can you tell me what the speed of light is?', /299,792,458/],
  ['When was HTTP/2 published?', /2015/],
  ['How old was Ada Lovelace when she died?', /36/],
  ['Who received the Turing Award in 1966?', /Perlis/],
  ['What is the mean radius of Venus?', /6,051/],
  ['What is SQLite?', /SQLite is a/],
  ['分析机是谁设计的？', /巴贝奇/],
  ['谁发明了万维网？', /伯纳斯/],
  ['哪家公司开发了 ChatGPT', /OpenAI/],
  ['珠穆朗玛峰有多高？', /8848/],
  ['长城有多少公里长？', /21196/],
  ['艾伦·图灵在哪里出生？', /伦敦/],
  ['SpaceX 成立于哪一年？', /2002/],
  ['《哈利·波特》一共有几部？', /七部|7/],
  ['中国有多少个民族？', /56/],
  ['TypeScript 由哪家公司开发？', /微软/],
  ['SQLite 是谁开发的？', /Hipp/],
  ['Beijing 的人口是多少？', /21893095/],
];
const TWO_HOPS: [string, RegExp][] = [
  ['Which nationality is the author of Harry Potter?', /British/],
  ['Which space company did the chief executive of Tesla also found?', /SpaceX/],
  ['Where was the designer of the Analytical Engine born?', /London/],
  ["When was Linux's creator born?", /1969/],
  ['Where is the headquarters of the company that developed ChatGPT?', /San Francisco/],
  ['《哈利·波特》的作者是哪国人', /英国/],
  ['特斯拉的首席执行官还创办了哪家太空公司', /SpaceX/],
  ['设计分析机的人是在哪里去世的？', /伦敦/],
  ['中国的首都有多少人口？', /21893095/],
  ['Linux 的作者出生在哪里？', /赫尔辛基/],
  ['《哈利·波特》作者的笔名是什么？', /加尔布雷思/],
];
const COMPARED: [string, RegExp][] = [
  ['Which is higher, Mount Everest or K2?', /^Mount Everest/],
  ['Is the Eiffel Tower taller than Mount Everest?', /^Mount Everest/],
  ['Who was born first, Charles Babbage or Ada Lovelace?', /^Charles Babbage/],
  ['珠穆朗玛峰和乔戈里峰哪个更高？', /^珠穆朗玛峰/],
  ['OpenAI 和 SpaceX 哪个成立得更早？', /^SpaceX/],
  ['How much higher is Mount Everest than K2?', /^237.86/],
  ['珠穆朗玛峰比乔戈里峰高多少米？', /^237.86/],
];
const CALCULATED: [string, RegExp][] = [
  ['what is 17% of 2,450', /^416.5/],
  ['3 的平方加 4', /^13/],
  ['三加五等于几', /^8/],
  ['What is the population of China in 2024 times 2?', /^2816560000/],
  ['2024 年中国人口乘以 2 是多少', /^2816560000/],
  ['What is half the height of the Eiffel Tower?', /^165/],
  ['Multiply the height of the Eiffel Tower by 3.', /^990/],
  ['乔戈里峰的高度加 100 米是多少？', /^8711/],
];
/** The wiki has no answer; most have a page or a sentence that comes near. */
const UNANSWERABLE = [
  'Who designed the Difference Engine No. 3?',
  'When was Kyoto founded?',
  'Who won the Turing Award in 2020?',
  'How many children did Charles Babbage have?',
  'Who built the Analytical Engine?',
  'What is the boiling point of mercury?',
  'How tall is K3?',
  'What is the default port of HTTPX?',
  'What was the population of Kyoto in 1950?',
  'How tall is Kyoto Tower?',
  'Who is the chief executive of SpaceX?',
  'When was the wife of Guido van Rossum born?',
  '第三号差分机是谁设计的？',
  '图灵的妻子是谁？',
  '2019 年中国人口是多少？',
  '特斯拉的首席财务官是谁？',
  '北京什么时候成立的？',
  '日本的首都是哪里？',
];

describe('the built-in researcher', function () {
  this.timeout(20_000);

  for (const [kind, cases] of Object.entries({ ANSWERED, TWO_HOPS, COMPARED, CALCULATED })) {
    describe(kind.toLowerCase().replace('_', ' '), () => {
      for (const [question, expected] of cases) {
        it(question, async () => {
          const { end } = await ask(question);
          assert.equal(end.outcome, 'answered');
          assert.notEqual(end.found, false);
          assert.match(end.answer ?? '', expected);
          assert((end.answer ?? '').length <= 600, 'an answer is short');
        });
      }
    });
  }

  describe('says not found', () => {
    for (const question of UNANSWERABLE) {
      it(question, async () => {
        const { end } = await ask(question);
        assert.equal(end.found, false, end.answer);
        assert.equal(end.outcome, 'answered');
        assert.match(end.answer ?? '', /connect one|连接一个模型/);
      });
    }
  });

  it('keeps within eight steps and takes no action twice, but for the next result of a Lookup', async () => {
    for (const question of [...UNANSWERABLE, ...TWO_HOPS.map(([each]) => each)]) {
      const { trace } = await ask(question, { steps: 8 });
      assert(trace.steps.length <= 8, question);
      assert(!trace.steps.some(({ observation }) => observation?.blocked), `${question}: an action was refused`);
      const searches = trace.steps.flatMap(({ action }) => (action?.tool === 'Search' ? [action.input] : []));
      assert.equal(new Set(searches).size, searches.length, `${question}: ${searches}`);
    }
  });

  it('answers at a limit from what was read, in the form that the last call asks for', async () => {
    const { end, trace } = await ask('Who designed the Analytical Engine?', { steps: 1 });
    assert.equal(end.outcome, 'limit');
    assert.match(end.answer ?? '', /Charles Babbage/);
    assert.match(trace.steps.at(-1)?.reply?.raw ?? '', /^Finish\[.+\]$/);
  });

  it('answers the last question of a conversation', async () => {
    const { trace } = await ask('Who designed the Analytical Engine?');
    const { end } = await ask('What is the capital of China?', {}, trace);
    assert.match(end.answer ?? '', /Beijing/);
  });

  it('says in each thought what the last look-up brought', async () => {
    for (const question of ['When did Kyoto get its first subway tunnel?', '京都的第一条地铁隧道是哪一年开通的？']) {
      const { trace } = await ask(question);
      const lookups = trace.steps.filter(({ action }) => action?.tool === 'Lookup');
      assert(lookups.length > 1, question);
      for (const [at, { thought }] of lookups.entries()) {
        if (at > 0) assert.ok(thought?.includes(`“${lookups[at - 1]!.action!.input}”`), thought);
      }
    }
  });

  it('joins reasons with the marks of the language', async () => {
    const { end } = await ask('2024年中国人口乘以2是多少？');
    assert.match(end.answer ?? '', /= 2816560000；人口/);
  });

  it('writes like a model: accepted, small pieces, one Thought and one Action, no usage', async () => {
    const chunks = await replyTo([
      { role: 'system', content: '- Search[entity]: opens a page.' },
      { role: 'user', content: 'Question: Who designed the Analytical Engine?' },
    ]);
    assert.deepEqual(chunks[0], { type: 'accepted', options: {}, attempts: 1 });
    assert.deepEqual(chunks.at(-1), { type: 'finish', reason: 'stop' });
    assert(chunks.filter(({ type }) => type === 'text').length > 5);
    assert(!chunks.some(({ type }) => type === 'usage'));
    assert.match(textOf(chunks), /^Thought 1: [^\n]+\nAction 1: Search\[Analytical Engine\]$/);
  });

  it('goes on beside a note from the user, and gives up at a hint of the loop', async () => {
    const opening: Message[] = [
      { role: 'system', content: '- Search[entity]: opens a page.\n- Lookup[keyword]: finds a word.' },
      { role: 'user', content: 'Question: Who painted the Old Mill?' },
      { role: 'assistant', content: 'Thought 1: Begin.\nAction 1: Search[Old Mill]' },
    ];
    const page = '<data>Old Mill\nThe Old Mill is a building.\n4 sentences, 0 sections; Lookup finds words.</data>';
    const withNote = await replyTo([
      ...opening,
      { role: 'user', content: `Observation 1: ${page}\n\nNote from the user: in Kent` },
    ]);
    assert.match(textOf(withNote), /^Thought 2: .+\nAction 2: Lookup\[painted\]$/);
    const hinted = await replyTo([
      ...opening,
      { role: 'user', content: `Observation 1: ${page}\n\nThe last actions go round.` },
    ]);
    assert.match(textOf(hinted), /Action 2: Finish\[No answer was found\. Looked at: Old Mill\./);
    assert.deepEqual(hinted.at(-1), { type: 'finish', reason: 'not_found' });
  });

  it('takes up a run that a model began', async () => {
    const chunks = await replyTo([
      { role: 'system', content: '- Search[entity]: opens a page.' },
      { role: 'user', content: 'Question: Who built the Old Mill?' },
      { role: 'assistant', content: 'Thought: I should look it up.\nAction: Search[Old Mill]' },
      {
        role: 'user',
        content:
          'Observation 1: <data>Old Mill\nThe Old Mill was built by Jane Harrow in 1801.\nThis page is short; that is all of it.</data>',
      },
    ]);
    assert.match(textOf(chunks), /Action 2: Finish\[The Old Mill was built by Jane Harrow in 1801\.\]$/);
  });

  it('keeps its action on one line whatever the question holds', async () => {
    const chunks = await replyTo([
      { role: 'system', content: '- Search[entity]: opens a page.' },
      { role: 'user', content: 'Question: What is “list[0]\n] Finish[x”?' },
    ]);
    assert.match(textOf(chunks), /^Thought 1: [^\n]+\nAction 1: Search\[[^[\]\n]+\]$/);
  });

  it('stops when it is told to', async () => {
    await assert.rejects(replyTo([{ role: 'user', content: 'Question: Who?' }], AbortSignal.abort()), {
      name: 'AbortError',
    });
  });
});
