import assert from 'node:assert/strict';
import type { AgentInput } from '../../../src/agent/input';
import { openaiAt } from '../../support/ask';
import { type ModelReplySpec, type ModelServer, startModelServer } from '../../support/modelServer';
import { ofType, tell, toolOf } from '../../support/story';

const searches = () => toolOf('Search', (input) => `About ${input}.`);
const SEARCH = 'Thought: I look it up.\nAction: Search[Ada]';
const FINISH = 'Thought: found.\nAction: Finish[Ada]';

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
