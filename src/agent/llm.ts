import type { Message, ToolCall, Usage } from './event';

/** A tool as native function calling describes it: JSON Schema for the arguments. */
export interface ToolSchema {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface LlmOptions {
  stop?: string[];
  temperature?: number;
  /** Output cap for one reply, in tokens. */
  maxTokens?: number;
  tools?: ToolSchema[];
}

export type LlmChunk =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** One whole native function call. */
  | { type: 'tool-call'; call: ToolCall }
  | { type: 'usage'; usage: Usage }
  /** `stop`, `length`, `content_filter`, `tool_calls`, `refusal`, or what the endpoint said. */
  | { type: 'finish'; reason: string }
  /** Once a request was accepted: what was really sent (never a key or a header), and how many attempts it took. */
  | { type: 'accepted'; options: Record<string, unknown>; attempts: number }
  /**
   * Said aloud in the trace: a wait of `waitMs` before another attempt, or what an endpoint taught us. `discard`: partial
   * text so far is void.
   */
  | {
      type: 'notice';
      kind: 'retry' | 'fit' | 'context' | 'security';
      text: string;
      waitMs?: number;
      discard?: boolean;
    };

/** A maker of replies: an endpoint, a model VS Code offers, a script, or the built-in rules. */
export interface Llm {
  /** Names the maker in traces, for instance `openai` or `researcher`. */
  readonly provider: string;
  readonly model: string;
  /** Tokens, where known. */
  readonly contextWindow?: number;
  /** It is known to reason before it replies, with tokens that count towards the output cap. */
  readonly reasons?: boolean;
  /**
   * Streams one reply. Ends normally when the reply ends; the consumer may `return()` early, which must close the connection.
   * @throws UserError what went wrong for good, after retries; an AbortError once `signal` is aborted.
   */
  stream(messages: readonly Message[], options: LlmOptions, signal: AbortSignal): AsyncIterable<LlmChunk>;
}

/** The reply outgrew the model's context window: the loop shortens the history and tries once more. */
export class ContextOverflow extends Error {
  override readonly name = 'ContextOverflow';
  constructor(
    message: string,
    /** Tokens, where the endpoint said so. */
    readonly window?: number,
  ) {
    super(message);
  }
}
