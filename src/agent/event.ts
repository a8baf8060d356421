/** The one stream everything reads: trace file, view, terminal, exporters, replays, tests. See docs/trace-format.md. */

import type { ErrorAction } from './errors';

/** The trace format's version. A reader shows what it knows of a newer one. */
export const TRACE_VERSION = 1;

export type Language = 'en' | 'zh-CN';
export type Protocol = 'text' | 'tools';
export type Outcome = 'answered' | 'limit' | 'cancelled' | 'failed';

/** Tokens, as the endpoint counted them. */
export interface Usage {
  prompt: number;
  completion: number;
  reasoning?: number;
  cached?: number;
}

/** US dollars per million tokens. Cached prompt tokens cost `prompt` unless `cached` says otherwise. */
export interface Prices {
  prompt: number;
  completion: number;
  cached?: number;
}

/** What a run may use up. `seconds` is for the whole run, `stepSeconds` for one model call or one tool. `cost` is in US dollars. */
export interface LimitValues {
  steps: number;
  seconds: number;
  stepSeconds?: number;
  tokens?: number;
  cost?: number;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON text, as the model wrote it. */
  arguments: string;
}

/** One message as a model receives it. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Sent back only where an endpoint demands it. */
  reasoning?: string;
  toolCalls?: ToolCall[];
  toolCallId?: string;
}

export interface DocumentReference {
  title: string;
  url: string;
  revision?: string;
  fetchedAt: string;
  hash: string;
  /** How many sentences the whole document has. */
  sentenceCount?: number;
}

/** Sentence `index` of the document stands at `start`..`end` (UTF-16 offsets) of the observation's text. */
export interface SentenceSpan {
  index: number;
  start: number;
  end: number;
}

export interface Source {
  title: string;
  url: string;
  steps: number[];
}

export interface Support {
  claim: string;
  step?: number;
  /** Index of the sentence in the document that the step observed. */
  sentence?: number;
  status: 'verbatim' | 'partial' | 'none';
}

export type NoticeKind =
  | 'repair'
  | 'loop'
  | 'retry'
  | 'limit'
  | 'context'
  | 'evidence'
  | 'fit'
  | 'security'
  | 'storage';
export type ControlAction = 'pause' | 'resume' | 'single-step' | 'note' | 'answer-now' | 'allow' | 'deny';
export type ToolInput = string | Record<string, unknown>;

export interface PlanItem {
  text: string;
  done: boolean;
}

interface At {
  /** ISO 8601, milliseconds, UTC. */
  time: string;
}
interface AtStep extends At {
  /** Counts from 1. */
  step: number;
}

export interface RunStart extends At {
  type: 'run-start';
  version: number;
  run: string;
  question: string;
  language: Language;
  provider: string;
  model: string;
  protocol: Protocol;
  tools: string[];
  limits: LimitValues;
  /** What the model's tokens cost, where the user said so. */
  prices?: Prices;
  parent?: { run: string; step?: number; kind: 'follow-up' | 'fork' | 'resume' };
}
export interface ModelRequest extends AtStep {
  type: 'model-request';
  messages: Message[];
  rewrite?: boolean;
  options: Record<string, unknown>;
}
export interface ModelReply extends AtStep {
  type: 'model-reply';
  raw: string;
  finishReason: string | null;
  cut: boolean;
  usage: Usage | null;
  ms: number;
  firstTokenMs: number | null;
  attempts: number;
  /** Native function calls, in the tools protocol. */
  toolCalls?: ToolCall[];
}
export interface Reasoning extends AtStep {
  type: 'reasoning';
  text: string;
}
export interface Plan extends AtStep {
  type: 'plan';
  items: PlanItem[];
}
export interface Thought extends AtStep {
  type: 'thought';
  text: string;
}
export interface Action extends AtStep {
  type: 'action';
  tool: string;
  input: ToolInput;
}
export interface Observation extends AtStep {
  type: 'observation';
  text: string;
  ok: boolean;
  ms: number;
  cached?: boolean;
  blocked?: boolean;
  /** The network or the machine failed, not the input: the loop guard lets the same action run once more. */
  transient?: boolean;
  document?: DocumentReference;
  sentences?: SentenceSpan[];
  /** Offset in `text` where our own words to the model begin (a hint of the loop guard); before it is the tool's result. */
  hintAt?: number;
  /** Exact titles that a Search may take instead. */
  suggestions?: string[];
  /** True: the text holds words from outside, though there is neither a document nor a suggestion. */
  outside?: boolean;
}
export interface Notice extends AtStep {
  type: 'notice';
  kind: NoticeKind;
  text: string;
  /** What the model calls beside the steps used up that this notice tells of; null when the endpoint did not say. */
  usage?: Usage | null;
  /** Milliseconds until another attempt, of a `retry`. */
  waitMs?: number;
  /** What the stream before a `retry` wrote until it broke off. */
  partial?: string;
}
export interface Control extends AtStep {
  type: 'control';
  action: ControlAction;
  text?: string;
}
export interface RunEnd extends At {
  type: 'run-end';
  outcome: Outcome;
  answer?: string;
  bestEffort?: boolean;
  /** False: an honest "not found". */
  found?: boolean;
  sources: Source[];
  support?: Support[];
  /** `action` names what the host can offer as a button. */
  error?: { message: string; hint: string; action?: ErrorAction };
  steps: number;
  ms: number;
  usage?: Usage;
  /** US dollars, where the user gave prices. */
  cost?: number;
}
/** Live text: shown, never stored. */
export interface Delta extends AtStep {
  type: 'delta';
  channel: 'text' | 'reasoning';
  text: string;
}

/** What a trace file holds: one of these a line. */
export type TraceEvent =
  | RunStart
  | ModelRequest
  | ModelReply
  | Reasoning
  | Plan
  | Thought
  | Action
  | Observation
  | Notice
  | Control
  | RunEnd;
/** What the loop yields: the stored events and the live text. */
export type AgentEvent = TraceEvent | Delta;
