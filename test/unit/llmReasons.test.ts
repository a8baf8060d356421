import assert from 'node:assert/strict';
import { describeFit, memoryFitStore } from '../../src/llm/fit';
import { collect, openaiAt } from '../support/ask';
import { startModelServer } from '../support/modelServer';

describe('a model that reasons', () => {
  it('is known by its first reply, and remembered per endpoint and model', async () => {
    const server = await startModelServer(() => 'Fine.');
    try {
      const signs = [
        { reasoning: 'Hm.', text: 'Yes.' },
        { tokens: ['<thi', 'nk>', 'Hm.</think>Yes.'] },
        {
          text: 'Yes.',
          usage: { prompt_tokens: 9, completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 8 } },
        },
      ];
      for (const sign of signs) {
        const fitStore = memoryFitStore();
        const llm = openaiAt(server.baseUrl, { fitStore });
        await collect(llm);
        assert.equal(llm.reasons, false);
        server.queue.push({ ...sign, finishReason: 'error' }, sign, sign);
        const { notices } = await collect(llm);
        assert.deepEqual(
          notices.filter((notice) => !notice.startsWith('retry')),
          ['fit: This endpoint runs a model that reasons before it replies, so its replies get 4,096 tokens more.'],
        );
        assert.equal(llm.reasons, true);
        assert.deepEqual((await collect(llm)).notices, [], 'told once');
        assert.equal(openaiAt(server.baseUrl, { fitStore }).reasons, true);
        assert.equal(openaiAt(server.baseUrl, { fitStore, model: 'other' }).reasons, false);
        fitStore.clear();
        assert.equal(llm.reasons, false);
      }
    } finally {
      await server.close();
    }
    assert.equal(describeFit({ reasons: true }, 'zh-CN').length, 1);
  });
});
