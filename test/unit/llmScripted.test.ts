import assert from 'node:assert/strict';
import { UserError } from '../../src/agent/errors';
import { providers } from '../../src/llm/index';
import { createScripted } from '../../src/llm/scripted';
import { collect, QUESTION } from '../support/ask';

describe('a scripted model', () => {
  it('says its replies in order, by words, up to the stop string', async () => {
    const llm = createScripted([
      'Thought 1: one.\nObservation 1: no',
      { text: 'two', usage: null, finishReason: 'length' },
    ]);
    const first = await collect(llm);
    assert.equal(first.text, 'Thought 1: one.');
    assert.equal(first.chunks.filter((chunk) => chunk.type === 'text').length, 3);
    const second = await collect(llm);
    assert.equal(second.text, 'two');
    assert.deepEqual(second.chunks.at(-1), { type: 'finish', reason: 'length' });
    assert.ok(!second.chunks.some((chunk) => chunk.type === 'usage'));
    assert.ok((await collect(llm)).error instanceof UserError);
  });

  it('can follow the conversation, ignore stop strings, call tools, think, and fail', async () => {
    const failure = new UserError('It broke.', 'Mend it.');
    const llm = createScripted((messages, _, call) => ({
      text: `${messages.length} messages, call ${call}.\nObservation: more`,
      reasoning: 'Hm.',
      ignoresStop: true,
      toolCalls: [{ id: 'a', name: 'Search', arguments: '{}' }],
      error: failure,
    }));
    const { text, chunks, error } = await collect(llm);
    assert.equal(text, '2 messages, call 1.\nObservation: more');
    assert.ok(chunks.some((chunk) => chunk.type === 'reasoning') && chunks.some((chunk) => chunk.type === 'tool-call'));
    assert.equal(error, failure);
  });

  it('stops at once when it is told to', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    const begun = performance.now();
    const { error } = await collect(
      createScripted([{ text: 'late', firstTokenMs: 60_000 }]),
      QUESTION,
      {},
      stop.signal,
    );
    assert.equal(error?.name, 'AbortError');
    assert.ok(performance.now() - begun < 2000);
  });

  it('stands in the table of providers beside the others', () => {
    for (const [id, provider] of providers) {
      assert.equal(provider.id, id);
      assert.ok(provider.label.en && provider.label['zh-CN']);
    }
    assert.equal(providers.get('scripted')!.create({ script: [] }).provider, 'scripted');
    assert.equal(providers.get('openai')!.create({ baseUrl: 'http://127.0.0.1:1', model: 'm' }).model, 'm');
  });
});
