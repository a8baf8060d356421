import assert from 'node:assert/strict';
import type { LlmChunk, LlmOptions } from '../../src/agent/llm';
import { createOpenai, type OpenaiOptions } from '../../src/llm/openai';
import { type ModelServer, startModelServer } from '../support/modelServer';

describe('a stream as servers send it', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer();
  });
  after(() => server.close());

  const ask = async (options: Partial<OpenaiOptions> = {}, llmOptions: LlmOptions = {}) => {
    const llm = createOpenai({
      baseUrl: server.baseUrl,
      model: 'm',
      timeouts: { firstByteMs: 2000, idleMs: 2000, backoffMs: 1 },
      ...options,
    });
    const chunks: LlmChunk[] = [];
    const messages = [{ role: 'user' as const, content: 'Who designed the Analytical Engine?' }];
    for await (const chunk of llm.stream(messages, llmOptions, new AbortController().signal)) chunks.push(chunk);
    return chunks;
  };
  const textOf = (chunks: LlmChunk[]) => chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('');

  it('arrives word by word, with usage and the reason for its end', async () => {
    server.queue.push({ text: 'Thought 1: I look it up.' });
    const chunks = await ask({ key: 'k-0123456789' }, { stop: ['\nObservation'], maxTokens: 64 });
    assert.equal(textOf(chunks), 'Thought 1: I look it up.');
    assert.ok(chunks.filter((chunk) => chunk.type === 'text').length > 3);
    assert.deepEqual(chunks.at(-1), { type: 'finish', reason: 'stop' });
    const usage = chunks.find((chunk) => chunk.type === 'usage');
    assert.equal(usage?.type === 'usage' && usage.usage.completion, 6);
    const request = server.requests.at(-1)!;
    assert.equal(request.headers.authorization, 'Bearer k-0123456789');
    assert.deepEqual(request.body.stop, ['\nObservation']);
    assert.equal(
      Object.keys(request.headers).some((name) => name.startsWith('x-stainless')),
      false,
    );
  });

  it('works without a key', async () => {
    await ask();
    assert.equal(server.requests.at(-1)!.headers.authorization, undefined);
  });
});
