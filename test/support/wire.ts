import type { LlmChunk } from '../../src/agent/llm';

/** The JSON of one chunk of a reply, as an OpenAI-compatible server sends it. */
export const delta = (content: string | null, finish: string | null = null, more: object = {}) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content, ...more }, finish_reason: finish }] });

/** One server-sent event. */
export const data = (text: string) => `data: ${text}\n\n`;

export const DONE = 'data: [DONE]\n\n';

/** A reply in one JSON object. */
export const whole = (message: object, finish: string, more: object = {}) => ({
  body: { choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }], ...more },
});

export const ofType = <Type extends LlmChunk['type']>(chunks: LlmChunk[], type: Type) =>
  chunks.filter((chunk): chunk is Extract<LlmChunk, { type: Type }> => chunk.type === type);

/** The reasons for the end. */
export const finish = (chunks: LlmChunk[]) => ofType(chunks, 'finish').map((chunk) => chunk.reason);
