import assert from 'node:assert/strict';
import type { AgentInput } from '../../../src/agent/run';
import { createScripted, type Script } from '../../../src/llm/scripted';
import { openaiAt } from '../../support/ask';
import { type ModelReplySpec, type ModelServer, startModelServer } from '../../support/modelServer';
import { ofType, type Story, tell, toolOf } from '../../support/story';

const searches = () => toolOf('Search', (input) => `About ${input}.`);
const SEARCH = 'Thought: I look it up.\nAction: Search[Ada]';
const FINISH = 'Thought: found.\nAction: Finish[Ada]';

describe('a reply that its output cap cut', () => {
  const caps = (stored: Story['stored']) => ofType(stored, 'model-request').map(({ options }) => options.maxTokens);
  const halves = (reasoning?: string): Script => {
    return () => ({
      text: 'Thought: of the two candidates, namely',
      finishReason: 'length',
      ...(reasoning ? { reasoning } : {}),
    });
  };

  it('is asked for again with more room, and is no correction', async () => {
    const cut = { text: 'Thought: of the two', finishReason: 'length' };
    const { stored, end } = await tell([cut, cut, cut, SEARCH, FINISH], { tools: [searches()] });
    assert.equal(end.answer, 'Ada');
    assert.deepEqual(caps(stored), [1024, 2048, 4096, 8192, 8192]);
  });

  it('never becomes the answer, however often it is cut; the setting to change is named', async () => {
    const { stored, end } = await tell(halves(), { tools: [searches()] });
    assert.equal(end.outcome, 'limit');
    assert.deepEqual(caps(stored), [1024, 2048, 4096, 8192, 8192], 'the last one is the last call');
    const said = ofType(stored, 'notice').find(({ kind }) => kind === 'limit');
    assert.match(said?.text ?? '', /cut again, at 8192 tokens.*in the settings/);
    assert(ofType(stored, 'notice').every(({ text }) => !/taken as its answer/.test(text)));
  });

  it('has 4,096 tokens more where the model reasons, from the first request on where that is known', async () => {
    const { stored } = await tell(halves('hm'), { tools: [searches()] });
    assert.deepEqual(caps(stored).slice(0, 3), [1024, 5120, 6144]);
    const known = await tell([], { llm: { ...createScripted([FINISH]), reasons: true }, tools: [searches()] });
    assert.deepEqual(caps(known.stored), [5120]);
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

describe('waiting for an endpoint', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer(() => FINISH);
  });
  afterEach(() => server.close());

  const ask = (queue: ModelReplySpec[], input: Partial<AgentInput> = {}, timeouts = {}) => {
    server.queue.push(...queue);
    return tell([], { llm: openaiAt(server.baseUrl, { timeouts }), tools: [searches()], ...input });
  };

  it('that asks for time takes none of the run’s or the step’s, and can be counted down', async () => {
    const busy = { status: 429, headers: { 'retry-after': '2' }, body: { error: { message: 'Too many requests' } } };
    const { stored, end } = await ask([busy], { limits: { stepSeconds: 1.5, seconds: 1.8 } });
    assert.equal(end.answer, 'Ada');
    const notice = ofType(stored, 'notice').find(({ kind }) => kind === 'retry');
    assert.ok(notice?.waitMs && notice.waitMs >= 2000, JSON.stringify(notice));
  });

  it('that never begins to answer ends the run and names the server, with what was observed', async () => {
    const { end } = await ask([{ text: SEARCH }, { unanswered: 'stall' }], { limits: { stepSeconds: 0.3 } });
    assert.equal(end.outcome, 'failed');
    assert.match(end.error?.message ?? '', /not begun to answer within 0\.3 s/);
    assert.match(end.answer ?? '', /About Ada/);
  });

  it('keeps what a broken stream wrote in the trace, though another attempt answers', async () => {
    const { stored, end } = await ask([
      { text: 'Thought: I had almost', ending: 'reset', done: false, finishReason: null },
    ]);
    assert.equal(end.answer, 'Ada');
    assert.equal(ofType(stored, 'notice').find(({ kind }) => kind === 'retry')?.partial, 'Thought: I had almost');
  });
});

describe('native calls', () => {
  it('start their tool as soon as they are whole, and those that follow run after it', async () => {
    let started = 0;
    let streamed = 0;
    const tool = toolOf('Search', (input) => {
      started ||= performance.now();
      return `About ${input}.`;
    });
    const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
    let calls = 0;
    const { stored, end } = await tell([], {
      tools: [tool],
      protocol: 'tools',
      llm: {
        provider: 'scripted',
        model: 'm',
        async *stream() {
          if (calls++ > 0) {
            yield { type: 'tool-call', call: call('c', 'Finish', { thought: 't', answer: 'Ada' }) };
            return;
          }
          yield { type: 'tool-call', call: call('a', 'Search', { thought: 'one', input: 'Ada' }) };
          await new Promise((resolve) => setTimeout(resolve, 150));
          yield { type: 'tool-call', call: call('b', 'Search', { thought: 'two', input: 'Byron' }) };
          yield { type: 'finish', reason: 'tool_calls' };
          streamed = performance.now();
        },
      },
    });
    assert.equal(end.answer, 'Ada');
    assert.ok(started < streamed - 100, `started ${streamed - started} ms before the stream ended`);
    assert.deepEqual(
      ofType(stored, 'action').map(({ input }) => input),
      [{ input: 'Ada' }, { input: 'Byron' }, { answer: 'Ada' }],
    );
    assert.equal(ofType(stored, 'model-reply')[0]?.toolCalls?.length, 2);
  });

  it('are what `auto` goes over to where a model can’t keep to text, and back where the endpoint takes none', async () => {
    const takes: boolean[] = [];
    const run = async (takesTools: boolean, protocol: 'auto' | 'text') => {
      takes.length = 0;
      return tell([], {
        tools: [searches()],
        protocol,
        llm: {
          provider: 'x',
          model: 'x',
          async *stream(_, options) {
            const calls = options.tools !== undefined;
            takes.push(calls);
            const { tools, ...others } = options;
            yield { type: 'accepted', options: takesTools ? { ...options } : { ...others }, attempts: 1 };
            const finish = { id: 'f', name: 'Finish', arguments: '{"thought":"t","answer":"Ada"}' };
            if (calls && takesTools) yield { type: 'tool-call', call: finish };
            else yield { type: 'text', text: 'Thought: I should look somewhere.' };
            yield { type: 'finish', reason: 'stop' };
          },
        },
      });
    };
    const { stored, end } = await run(true, 'auto');
    assert.equal(end.answer, 'Ada');
    assert.deepEqual(takes, [false, false, true]);
    assert(ofType(stored, 'notice').some(({ text }) => /goes on with native function calls/.test(text)));
    assert.equal((await run(true, 'text')).end.outcome, 'limit');
    assert(!takes.includes(true), 'text alone was asked for');
    assert.equal((await run(false, 'auto')).end.outcome, 'limit');
    assert.equal(takes.filter(Boolean).length, 1, 'refused once, never tried again');
  });

  it('run their tool with its own argument, whatever the model made up beside it', async () => {
    const args = { thought: 't', input: 'Ada', language: 'en' };
    const call = (name: string, args: object) => ({ id: name, name, arguments: JSON.stringify(args) });
    const { stored } = await tell(
      [{ toolCalls: [call('Search', args)] }, { toolCalls: [call('Finish', { answer: 'Ada' })] }],
      { tools: [searches()], protocol: 'tools' },
    );
    assert.equal(ofType(stored, 'observation')[0]?.text, 'About Ada.');
  });

  it('that are missing are asked for as calls', async () => {
    const { stored } = await tell(['I will look it up now:', FINISH], { tools: [searches()], protocol: 'tools' });
    assert.match(ofType(stored, 'observation')[0]?.text ?? '', /called no function.*one call of a function/);
  });
});

describe('what a run says about money', () => {
  const usage = { prompt: 1000, completion: 100 };

  it('is that a budget without prices can’t be kept, once', async () => {
    const script = [
      { text: SEARCH, usage },
      { text: FINISH, usage },
    ];
    for (const prices of [undefined, { prompt: 1 }, { prompt: '1', completion: 2 }, { prompt: -1, completion: 2 }]) {
      const input = { tools: [searches()], limits: { cost: 1 }, ...(prices ? { prices: prices as never } : {}) };
      const { stored, end } = await tell(script, input);
      assert.equal(ofType(stored, 'notice').filter(({ text }) => /cost budget can't be kept/.test(text)).length, 1);
      assert.equal(end.cost, undefined);
    }
  });

  it('is never less than nothing, though more tokens are called cached than sent', async () => {
    const prices = { prompt: 10, completion: 10, cached: 1 };
    const { end } = await tell([{ text: FINISH, usage: { ...usage, cached: 99_999 } }], {
      tools: [searches()],
      prices,
    });
    assert.equal(end.cost, (1000 * 1 + 100 * 10) / 1e6);
  });
});
