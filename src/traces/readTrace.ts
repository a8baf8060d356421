import { readFile } from 'node:fs/promises';
import { UserError } from '../agent/errors';
import { TRACE_VERSION, type TraceEvent } from '../agent/event';

export interface ReadTrace {
  events: TraceEvent[];
  /** The last line was torn off in mid-write. */
  torn: boolean;
  /** Lines that are no event, the torn one not counted. */
  damaged: number;
  /** True: a version above ours wrote it; what is known is shown. */
  newer: boolean;
}

/** Reads a trace's text past everything that is not an event. Unknown event types are kept. Never throws. */
export function parseTrace(text: string): ReadTrace {
  const read: ReadTrace = { events: [], torn: false, damaged: 0, newer: false };
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const last = lines.length - 1;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const event = parseEvent(line);
    if (event) read.events.push(event);
    else if (index === last) read.torn = true;
    else read.damaged++;
    if (event?.type === 'run-start' && event.version > TRACE_VERSION) read.newer = true;
  }
  return read;
}

/** The event that stands in a line, or undefined. What `fold` and the view rely on is checked; the rest is kept as it is. */
export function parseEvent(line: string): TraceEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const event = value as Record<string, unknown>;
  if (typeof event.type !== 'string' || typeof event.time !== 'string') return undefined;
  return SHAPES[event.type]?.(event) === false ? undefined : (event as unknown as TraceEvent);
}

type Check = (event: Record<string, unknown>) => boolean;
const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isStep = (event: Record<string, unknown>) =>
  Number.isSafeInteger(event.step) && (event.step as number) > 0 && (event.step as number) < 1e7;
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown, of: (item: unknown) => boolean) => Array.isArray(value) && value.every(of);
const optional = (value: unknown, of: (value: unknown) => boolean) => value === undefined || of(value);
const isMessage = (value: unknown) => isObject(value) && isText((value as Record<string, unknown>).content);
const isReference = (value: unknown) => {
  const { title, url } = (value ?? {}) as Record<string, unknown>;
  return isText(title) && isText(url);
};

const SHAPES: Record<string, Check> = {
  'run-start': (e) =>
    isText(e.run) &&
    isText(e.question) &&
    isNumber(e.version) &&
    isText(e.model) &&
    isObject(e.limits) &&
    isList(e.tools, isText),
  'model-request': (e) => isStep(e) && isList(e.messages, isMessage) && optional(e.options, isObject),
  'model-reply': (e) => isStep(e) && isText(e.raw) && optional(e.usage, (u) => u === null || isObject(u)),
  reasoning: (e) => isStep(e) && isText(e.text),
  plan: (e) => isStep(e) && isList(e.items, (item) => isObject(item) && isText((item as Record<string, unknown>).text)),
  thought: (e) => isStep(e) && isText(e.text),
  action: (e) => isStep(e) && isText(e.tool) && (isText(e.input) || isObject(e.input)),
  observation: (e) =>
    isStep(e) &&
    isText(e.text) &&
    optional(e.document, isReference) &&
    optional(e.sentences, (s) => isList(s, isObject)),
  notice: (e) => isStep(e) && isText(e.text) && isText(e.kind),
  control: (e) => isStep(e) && isText(e.action) && optional(e.text, isText),
  'run-end': (e) =>
    isText(e.outcome) &&
    optional(e.answer, isText) &&
    isList(e.sources, isReference) &&
    optional(e.support, (s) => isList(s, isObject)) &&
    optional(e.error, isObject),
};

/** @throws UserError when the file can't be read, or holds no event at all */
export async function readTrace(path: string): Promise<ReadTrace> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UserError(`The trace file could not be read (${why}).`, 'Check that the file exists and may be read.');
  }
  const read = parseTrace(text);
  if (read.events.length === 0) {
    throw new UserError('This file holds no trace.', 'Choose a *.react.jsonl file that the agent wrote.');
  }
  return read;
}
