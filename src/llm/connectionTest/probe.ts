import type { Message, Usage } from '../../agent/event';
import type { Llm, LlmOptions } from '../../agent/llm';
import { parseReply } from '../../agent/parse';

/** What one reply showed. */
export interface Probe {
  text: string;
  calls: number;
  /** Milliseconds; undefined where no token could be seen. */
  firstTokenMs?: number;
  usage?: Usage;
  finish?: string;
}

const CAP: LlmOptions = { maxTokens: 256, temperature: 0 };

/** Stop strings and streaming are seen in the same reply that shows whether there is one at all. */
export const SAY: [Message[], LlmOptions] = [
  [{ role: 'user', content: 'Write these words, and nothing else: alpha beta gamma delta' }],
  { ...CAP, stop: ['gamma'] },
];

const WORD_TOOL = {
  name: 'note_word',
  description: 'Notes a word.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};
export const CALL: [Message[], LlmOptions] = [
  [{ role: 'user', content: 'Call note_word with the word “alpha”.' }],
  { ...CAP, tools: [WORD_TOOL] },
];

/** @throws what the model throws */
export async function ask(llm: Llm, [messages, options]: [Message[], LlmOptions], signal: AbortSignal): Promise<Probe> {
  const begun = performance.now();
  const probe: Probe = { text: '', calls: 0 };
  for await (const chunk of llm.stream(messages, options, signal)) {
    if (chunk.type === 'usage') probe.usage = chunk.usage;
    else if (chunk.type === 'finish') probe.finish = chunk.reason;
    else if (chunk.type === 'tool-call') probe.calls++;
    else if (chunk.type === 'text' || chunk.type === 'reasoning') {
      probe.firstTokenMs ??= performance.now() - begun;
      if (chunk.type === 'text') probe.text += chunk.text;
    }
  }
  return probe;
}

/**
 * Whether the reply to SAY was cut by its stop string. What the model thinks to itself shows nothing: there servers differ,
 * and the words come in any order.
 */
export function judgeStop({ text, finish }: Probe): 'taken' | 'ignored' | 'unclear' {
  const { thought = '' } = parseReply(text, { tools: [] });
  if (/gamma/i.test(thought)) return 'ignored';
  return finish !== 'length' && /\balpha\b[^a-z]+beta[^a-z]*$/i.test(thought) ? 'taken' : 'unclear';
}
