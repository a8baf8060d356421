import { UserError } from '../agent/errors';
import type { Message, ToolCall, Usage } from '../agent/event';
import type { Llm, LlmChunk, LlmOptions } from '../agent/llm';
import { sleep } from './retry';

/** One reply of a script. A plain string is its text. */
export interface ScriptedReply {
  text?: string;
  reasoning?: string;
  toolCalls?: ToolCall[];
  /** Default `stop`, or `tool_calls` where there are some. */
  finishReason?: string;
  /** Default: counted in words. Null: not told. */
  usage?: Usage | null;
  /** Milliseconds before the first piece, and between pieces. */
  firstTokenMs?: number;
  tokenMs?: number;
  /** True: goes on past the stop strings, as some endpoints do. */
  ignoresStop?: boolean;
  /** Thrown after the text. */
  error?: Error;
}

/** Replies in order, or a function of the conversation; `call` counts from 1. */
export type Script =
  | readonly (string | ScriptedReply)[]
  | ((messages: readonly Message[], options: LlmOptions, call: number) => string | ScriptedReply);

/**
 * A model that says what it was told to say, by words, as a stream: for tests, replays and demonstrations.
 * @throws UserError when the script has no reply left
 */
export function createScripted(script: Script, model = 'scripted'): Llm {
  let calls = 0;
  return {
    provider: 'scripted',
    model,
    async *stream(messages, options, signal): AsyncGenerator<LlmChunk> {
      signal.throwIfAborted();
      calls++;
      const next = typeof script === 'function' ? script(messages, options, calls) : script[calls - 1];
      if (next === undefined) {
        throw new UserError(`The script has no reply for call ${calls}.`, 'Add a reply to the script, or ask less.');
      }
      const reply = typeof next === 'string' ? { text: next } : next;
      yield { type: 'accepted', options: { ...options }, attempts: 1 };
      if (reply.firstTokenMs) await sleep(reply.firstTokenMs, signal);
      if (reply.reasoning) yield { type: 'reasoning', text: reply.reasoning };
      const text = reply.ignoresStop ? (reply.text ?? '') : upToStop(reply.text ?? '', options.stop ?? []);
      const pieces = text.match(/\s*\S+|\s+$/g) ?? [];
      for (const [index, piece] of pieces.entries()) {
        if (index > 0 && reply.tokenMs) await sleep(reply.tokenMs, signal);
        signal.throwIfAborted();
        yield { type: 'text', text: piece };
      }
      for (const call of reply.toolCalls ?? []) yield { type: 'tool-call', call };
      if (reply.error) throw reply.error;
      const prompt = messages.reduce((sum, message) => sum + words(message.content), 0);
      const usage = reply.usage === undefined ? { prompt, completion: pieces.length } : reply.usage;
      if (usage) yield { type: 'usage', usage };
      yield { type: 'finish', reason: reply.finishReason ?? (reply.toolCalls ? 'tool_calls' : 'stop') };
    },
  };
}

const words = (text: string) => text.match(/\S+/g)?.length ?? 0;

function upToStop(text: string, stops: readonly string[]): string {
  const ends = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}
