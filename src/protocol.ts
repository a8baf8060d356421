/** What the host and the trace view say to each other: two closed unions, and the guard for what comes in from the view. */
import type { ErrorAction } from './agent/errors';
import type { AgentEvent, Message, ModelReply } from './agent/event';
import type { StepOutline } from './agent/outline';

/** `idle`: nothing is shown. `interrupted`: the trace has no end and nobody is writing it any more. */
export type RunState = 'idle' | 'running' | 'ended' | 'interrupted';

/** What stands in the question box, unsent. Of two drafts the one with the later `time` (milliseconds since 1970) counts. */
export interface Draft {
  text: string;
  selectionStart: number;
  selectionEnd: number;
  time: number;
}

export interface ViewSettings {
  /** Display language as a BCP 47 tag. */
  language: string;
  /** English text to translation; a missing key is shown in English. */
  strings: Record<string, string>;
  /** Which key sends a question; the other one (and Shift+Enter always) begins a new line. */
  sendWith: 'enter' | 'ctrlEnter';
  /** Who will answer the next question. */
  modelLabel: string;
  /** False while the built-in researcher answers. */
  modelConnected: boolean;
  hasKey: boolean;
  /** False in restricted mode. */
  trusted: boolean;
  /** Names of the tools that are on. */
  tools: string[];
  /** Sample questions to click. */
  samples: string[];
  /** How many earlier questions, with their answers, would go along with the next one. */
  follows: number;
  /** There are such questions, but another endpoint than theirs would answer the next one: none goes along. */
  withholds: boolean;
}

/** Something went wrong outside a run: shown above the question box until the next question. */
export interface ErrorReport {
  message: string;
  hint: string;
  action?: ErrorAction;
}

/** One list of messages as the model received it. */
export interface RawRequest {
  messages: Message[];
  /** Length of each message before it was cut for the view, in UTF-16 units. */
  lengths: number[];
  /** Index of the first message that the request before did not hold. */
  newFrom: number;
  /** True: the history was rewritten, for instance shortened. */
  rewritten: boolean;
  options: Record<string, unknown>;
}

/** Where a text was found: a step, 0 for the question, -1 for the answer. */
export interface FindMatch {
  step: number;
  count: number;
}

export type ToWebview =
  /** The whole state, as far as a view needs it: the newest window of events, and one line for every step. */
  | {
      type: 'reset';
      run: string | null;
      state: RunState;
      /** Events of the steps `from` to `to`, and those of no step; large texts are cut. Deltas of the step being written come last. */
      events: AgentEvent[];
      from: number;
      to: number;
      outlines: StepOutline[];
      settings: ViewSettings;
      draft: Draft;
      /** The host's clock, milliseconds since 1970: a remote host's may differ from the view's. */
      now: number;
      /** Read-only: no question box, no controls (a trace opened as a file). */
      readOnly: boolean;
    }
  | { type: 'events'; run: string; events: AgentEvent[] }
  | { type: 'settings'; settings: ViewSettings }
  /** Answers `ask`: the draft may go only when the question was accepted by a run. */
  | { type: 'asked'; id: string; accepted: boolean }
  | { type: 'steps'; run: string; from: number; to: number; events: AgentEvent[] }
  | { type: 'raw'; run: string; step: number; whole: boolean; requests: RawRequest[]; reply: ModelReply | null }
  | { type: 'find-result'; id: number; query: string; matches: FindMatch[] }
  | { type: 'focus'; target: 'question' | 'steps' | 'find' }
  | ({ type: 'error' } & ErrorReport)
  /** A short confirmation, read out too: copied, saved. */
  | { type: 'message'; text: string };

export const CONTROLS = ['pause', 'resume', 'single-step', 'note', 'answer-now'] as const;
export type ViewControl = (typeof CONTROLS)[number];

/** Commands of our own that a button of the view may ask for. The host maps them; nothing else runs. */
export const COMMANDS = [
  'set-key',
  'open-settings',
  'select-model',
  'test-connection',
  'show-log',
  'retry',
  'open-trace',
  'open-transcript',
  'export',
  'show-history',
  'new-question',
] as const;
export type ViewCommand = (typeof COMMANDS)[number];

export const COPIES = ['answer', 'text', 'json', 'curl'] as const;
/** `answer`: the answer with its sources. The others: one step, or without a step the whole run. */
export type CopyWhat = (typeof COPIES)[number];

export type FromWebview =
  /** The script listens; the host answers with `reset`. */
  | { type: 'ready' }
  /** The keyboard came into the view, or left it. */
  | { type: 'focused'; focused: boolean }
  | { type: 'ask'; id: string; question: string }
  | { type: 'stop' }
  | { type: 'draft'; draft: Draft }
  | { type: 'load'; run: string; from: number; to: number }
  | { type: 'load-raw'; run: string; step: number; whole: boolean }
  | { type: 'find'; id: number; query: string }
  /** Opened by the host after VS Code's own confirmation. */
  | { type: 'open-link'; url: string }
  /** Opens what the step observed, also where that is no web page. */
  | { type: 'open-source'; run: string; step: number; sentence?: number }
  | { type: 'copy'; what: CopyWhat; step?: number }
  | { type: 'control'; action: ViewControl; text?: string }
  | { type: 'command'; id: ViewCommand }
  /** Goes on from the last complete step; `note` is a hint for the model. */
  | { type: 'resume-run'; note?: string }
  | { type: 'more-steps' };

/** The largest question or draft that is taken, in UTF-16 units. */
export const MAX_QUESTION = 4_000_000;
const MAX_NOTE = 100_000;
const MAX_QUERY = 1_000;
const MAX_URL = 8_192;
const MAX_STEP = 1_000_000;
const MAX_ID = 100;

const isText = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max;
const isCount = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
const isStep = (value: unknown): value is number => isCount(value, MAX_STEP) && value > 0;
const isOneOf = <T extends string>(value: unknown, allowed: readonly T[]): value is T =>
  (allowed as readonly unknown[]).includes(value);

/** The address as it may be opened, or undefined: only http and https. */
export function webAddress(text: string): string | undefined {
  if (text.length > MAX_URL || !/^https?:\/\//i.test(text)) return undefined;
  try {
    return new URL(text).href;
  } catch {
    return undefined;
  }
}

function guardDraft(value: unknown): Draft | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { text, selectionStart, selectionEnd, time } = value as Record<string, unknown>;
  if (!isText(text, MAX_QUESTION) || !isCount(selectionStart, MAX_QUESTION) || !isCount(selectionEnd, MAX_QUESTION)) {
    return undefined;
  }
  return isCount(time, Number.MAX_SAFE_INTEGER) ? { text, selectionStart, selectionEnd, time } : undefined;
}

/**
 * The message, rebuilt from its known fields, or undefined when it is none of ours: wrong type, wrong field, too large.
 * The view is a stranger: what it shows came from models and web pages.
 */
export function guardFromWebview(message: unknown): FromWebview | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const field = message as Record<string, unknown>;
  const { run, step, from, to, id } = field;
  switch (field.type) {
    case 'ready':
    case 'stop':
    case 'more-steps':
      return { type: field.type };
    case 'focused':
      return { type: 'focused', focused: field.focused === true };
    case 'ask':
      if (!isText(id, MAX_ID) || !isText(field.question, MAX_QUESTION) || field.question.trim() === '')
        return undefined;
      return { type: 'ask', id, question: field.question };
    case 'draft': {
      const draft = guardDraft(field.draft);
      return draft && { type: 'draft', draft };
    }
    case 'load':
      if (!isText(run, MAX_ID) || !isStep(from) || !isStep(to) || to < from) return undefined;
      return { type: 'load', run, from, to };
    case 'load-raw':
      if (!isText(run, MAX_ID) || !isStep(step)) return undefined;
      return { type: 'load-raw', run, step, whole: field.whole === true };
    case 'find':
      if (!isCount(id, Number.MAX_SAFE_INTEGER) || !isText(field.query, MAX_QUERY)) return undefined;
      return { type: 'find', id, query: field.query };
    case 'open-link': {
      const url = typeof field.url === 'string' ? webAddress(field.url) : undefined;
      return url === undefined ? undefined : { type: 'open-link', url };
    }
    case 'open-source':
      if (!isText(run, MAX_ID) || !isStep(step)) return undefined;
      if (field.sentence === undefined) return { type: 'open-source', run, step };
      return isCount(field.sentence, MAX_STEP)
        ? { type: 'open-source', run, step, sentence: field.sentence }
        : undefined;
    case 'copy':
      if (!isOneOf(field.what, COPIES)) return undefined;
      if (step === undefined) return { type: 'copy', what: field.what };
      return isStep(step) ? { type: 'copy', what: field.what, step } : undefined;
    case 'control':
      if (!isOneOf(field.action, CONTROLS)) return undefined;
      if (field.text === undefined) return { type: 'control', action: field.action };
      return isText(field.text, MAX_NOTE) ? { type: 'control', action: field.action, text: field.text } : undefined;
    case 'command':
      return isOneOf(id, COMMANDS) ? { type: 'command', id } : undefined;
    case 'resume-run':
      if (field.note === undefined) return { type: 'resume-run' };
      return isText(field.note, MAX_NOTE) ? { type: 'resume-run', note: field.note } : undefined;
    default:
      return undefined;
  }
}
