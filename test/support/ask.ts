import type { Message } from '../../src/agent/event';
import type { Llm, LlmChunk, LlmOptions } from '../../src/agent/llm';
import { createOpenai, type OpenaiOptions } from '../../src/llm/openai';

export const QUESTION: Message[] = [
  { role: 'system', content: 'You research in steps.' },
  { role: 'user', content: 'Question: Who designed the Analytical Engine?' },
];

/** What the loop asks for in the text protocol. */
export const ASKED: LlmOptions = { temperature: 0, maxTokens: 1024, stop: ['\nObservation', '\n观察'] };

/** An endpoint with time-outs short enough for a test. */
export function openaiAt(baseUrl: string, options: Partial<OpenaiOptions> = {}): Llm {
  const timeouts = { firstByteMs: 2000, idleMs: 2000, backoffMs: 1, ...options.timeouts };
  return createOpenai({ baseUrl, model: 'm', ...options, timeouts });
}

/** All chunks of one reply, or the error that ended it. */
export async function collect(
  llm: Llm,
  messages: Message[] = QUESTION,
  options: LlmOptions = ASKED,
  signal = new AbortController().signal,
): Promise<{ chunks: LlmChunk[]; text: string; notices: string[]; error?: Error }> {
  const chunks: LlmChunk[] = [];
  let error: Error | undefined;
  try {
    for await (const chunk of llm.stream(messages, options, signal)) chunks.push(chunk);
  } catch (thrown) {
    error = thrown as Error;
  }
  let text = '';
  for (const chunk of chunks) {
    if (chunk.type === 'notice' && chunk.discard) text = '';
    if (chunk.type === 'text') text += chunk.text;
  }
  const notices = chunks.flatMap((chunk) => (chunk.type === 'notice' ? [`${chunk.kind}: ${chunk.text}`] : []));
  return { chunks, text, notices, ...(error ? { error } : {}) };
}
