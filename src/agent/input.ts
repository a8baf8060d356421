import type { Language, LimitValues, Prices, Protocol } from './event';
import type { Inbox } from './inbox';
import type { Llm } from './llm';
import type { Prior } from './prior';
import type { Strategies } from './strategies';
import type { Tool, Toolbox } from './tool';

/** Asked before a tool that needs approval acts. `note` is told to the model when the answer is no. */
export type Approve = (
  request: { tool: Tool; input: string; step: number },
  signal: AbortSignal,
) => Promise<{ allow: boolean; note?: string }>;

/** All that the loop is handed. Nothing else reaches it. */
export interface AgentInput {
  question: string;
  llm: Llm;
  toolbox: Toolbox;
  limits: Partial<LimitValues>;
  signal: AbortSignal;
  /** Default: the question's. */
  language?: Language;
  /** `auto` begins with text, and goes over to native calls where a model can't keep to it. Default: `text`. */
  protocol?: Protocol | 'auto';
  /** Output cap of one reply in tokens; a model that reasons gets 4,096 more. Default 1,024. */
  maxTokens?: number;
  /** Context window in tokens, where the user set it. */
  contextWindow?: number;
  prices?: Prices;
  strategies?: Strategies;
  prior?: Prior;
  inbox?: Inbox;
  approve?: Approve;
  /** Identifier of the run; default: a new UUID. */
  run?: string;
  /** Milliseconds since 1970; default: the clock. */
  now?: () => number;
}
