import assert from 'node:assert/strict';
import { ContextOverflow } from '../../../src/agent/llm';
import { createScripted, type Script } from '../../../src/llm/scripted';
import { ofType, type Story, tell, toolOf } from '../../support/story';

const searches = () => toolOf('Search', (input) => `About ${input}.`);
const search = (n: number) => `Thought: ${'abcdefghij'[n]} is next\nAction: Search[${'abcdefghij'[n]?.repeat(5)}]`;
const SEARCH = 'Thought: I look it up.\nAction: Search[Ada]';
const FINISH = 'Thought: found.\nAction: Finish[Ada]';

describe('a reply that its output cap cut', () => {
  const caps = (stored: Story['stored']) => ofType(stored, 'model-request').map(({ options }) => options.maxTokens);
  const halves = (reasoning?: string): Script => {
    return () => ({
      text: 'Thought: of the two candidates, namely',
      finishReason: 'length',
      usage: null,
      ...(reasoning ? { reasoning } : {}),
    });
  };

  it('is asked for again with more room, and is no correction', async () => {
    const cut = { text: 'Thought: of the two', finishReason: 'length', usage: null };
    const { stored, end } = await tell([cut, cut, cut, SEARCH, FINISH], { tools: [searches()] });
    assert.equal(end.answer, 'Ada');
    assert.deepEqual(caps(stored), [1024, 2048, 4096, 8192, 8192]);
  });

  it('never becomes the answer, however often it is cut; the setting to change is named', async () => {
    const { stored, end } = await tell(halves(), { tools: [searches()] });
    assert.equal(end.outcome, 'limit');
    assert.doesNotMatch(end.answer ?? '', /candidates/, 'nor what the last call left in half');
    assert.deepEqual(caps(stored), [1024, 2048, 4096, 8192, 8192], 'the last one is the last call');
    const said = ofType(stored, 'notice').find(({ kind }) => kind === 'limit');
    assert.match(said?.text ?? '', /cut again, at 8192 tokens.*reactAgent\.model\.maxTokens/);
    assert(ofType(stored, 'notice').every(({ text }) => !/taken as its answer/.test(text)));
  });

  it('has 4,096 tokens more where the model reasons, from the first request on where that is known', async () => {
    const { stored } = await tell(halves('hm'), { tools: [searches()] });
    assert.deepEqual(caps(stored).slice(0, 3), [1024, 5120, 6144]);
    const known = await tell([], { llm: { ...createScripted([FINISH]), reasons: true }, tools: [searches()] });
    assert.deepEqual(caps(known.stored), [5120]);
  });

  it('is not asked for again and again where the endpoint has a cap of its own, or the window has no room', async () => {
    const cut = { text: 'Thought: of the two', finishReason: 'length', usage: { prompt: 900, completion: 800 } };
    const capped = await tell(() => cut, { tools: [searches()] });
    assert.deepEqual(caps(capped.stored), [1024, 2048, 2048]);
    assert.match(ofType(capped.stored, 'notice').at(-1)?.text ?? '', /cut again, at 800 tokens/);
    const small = await tell(() => ({ ...cut, usage: null }), { tools: [searches()], contextWindow: 1600 });
    assert.ok(caps(small.stored).length <= 3, String(caps(small.stored)));
    assert.match(ofType(small.stored, 'notice').at(-1)?.text ?? '', /the context window has no room for more/);
    const reasons = await tell([{ ...cut, reasoning: 'hm' }, FINISH], { tools: [searches()], contextWindow: 32_768 });
    assert.deepEqual(caps(reasons.stored), [1024, 5120], 'a window that is known hides no reasoning');
  });

  it('tells a model of which nothing could be seen no word about its thought', async () => {
    const { stored } = await tell([{ text: '', reasoning: 'hm', finishReason: 'length' }, FINISH], {
      tools: [searches()],
    });
    const text = ofType(stored, 'observation')[0]?.text ?? '';
    assert.match(text, /before anything of it could be seen/);
    assert.doesNotMatch(text, /shorter thought/);
  });
});

describe('a reply that goes round in circles', () => {
  it('is neither run nor taken as an answer, whatever bracket it began in', async () => {
    let ran = 0;
    const tool = toolOf('Search', () => String(ran++));
    for (const begins of ['Action: Search[', 'Action: Finish[']) {
      const { stored, end } = await tell(() => begins + 'on and on it goes, as ever, '.repeat(200), { tools: [tool] });
      assert.equal(end.outcome, 'limit', begins);
      assert.doesNotMatch(end.answer ?? '', /on and on/);
      assert(ofType(stored, 'notice').some(({ text }) => /repeated itself without end/.test(text)));
    }
    assert.equal(ran, 0);
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

describe('the cap and the window', () => {
  it('of a request together never exceed the window, as far as it can be foreseen', async () => {
    const long = toolOf('Search', (input) => `${input}: ${'words and more words '.repeat(120)}`);
    let over = 0;
    const { end } = await tell(
      (messages, { maxTokens = 0 }, call) => {
        const prompt = messages.reduce((sum, { content }) => sum + Math.ceil(content.length / 4) + 4, 0);
        if (prompt + maxTokens > 4096) over++;
        return { text: call < 6 ? `Action: Search[topic ${call}]` : FINISH, usage: { prompt, completion: 9 } };
      },
      { tools: [long], contextWindow: 4096, maxTokens: 2048 },
    );
    assert.equal(end.answer, 'Ada');
    assert.equal(over, 0);
  });

  it('count the tools that go along with native calls', async () => {
    const tools = Array.from({ length: 12 }, (_, n) =>
      toolOf(`Tool${n}`, () => 'x', { description: { en: 'words about it '.repeat(60), 'zh-CN': '说明' } }),
    );
    const first = async (protocol: 'text' | 'tools') => {
      const { stored } = await tell([FINISH], { tools, protocol, contextWindow: 8000, maxTokens: 8000 });
      return Number(ofType(stored, 'model-request')[0]?.options.maxTokens);
    };
    assert.ok((await first('tools')) < 8000 - 12 * 200, 'what the schemas take is not left for the reply');
  });
});
