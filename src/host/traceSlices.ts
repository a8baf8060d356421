import type { AgentEvent, Message, ModelReply, ModelRequest, TraceEvent } from '../agent/event';
import { inputText } from '../agent/tool';
import type { FindMatch, RawRequest } from '../protocol';

/** A view begins with so many steps; older ones come on request. */
const WINDOW_STEPS = 50;
/** Bounds in UTF-16 units: for one message to a view, one text in a card, and an old message in raw mode. */
const WINDOW_LENGTH = 500_000;
const TEXT_LENGTH = 100_000;
const OLD_MESSAGE_LENGTH = 2_000;

/** Cuts a text and says by how much; readable in any language. */
const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length)}… (+${text.length - length})`;

const stepOf = (event: AgentEvent): number | undefined => ('step' in event ? event.step : undefined);

/** The event as a card needs it: without the messages that the model read, and with overlong texts cut. */
export function trimEvent(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'run-start':
      return event.question.length <= TEXT_LENGTH ? event : { ...event, question: cut(event.question, TEXT_LENGTH) };
    case 'model-request':
      return { ...event, messages: [] };
    case 'model-reply':
      return { ...event, raw: cut(event.raw, OLD_MESSAGE_LENGTH) };
    case 'observation':
    case 'thought':
    case 'reasoning':
      return event.text.length <= TEXT_LENGTH ? event : { ...event, text: cut(event.text, TEXT_LENGTH) };
    default:
      return event;
  }
}

/** About how much an event weighs once trimmed, in UTF-16 units. */
const weight = (event: AgentEvent) => ('text' in event ? (event.text ?? '').length : 0) + 300;

export interface StepRange {
  from: number;
  to: number;
  events: AgentEvent[];
}

/**
 * Trimmed events of the steps up to `to` (the last one when left out), going back from there until `from`, a number of steps or
 * a size is reached. Events of no step (start and end) are always there.
 */
export function sliceSteps(events: readonly TraceEvent[], to = Number.POSITIVE_INFINITY, from = 1): StepRange {
  const chosen: AgentEvent[] = [];
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  let length = 0;
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index]!;
    const step = stepOf(event);
    if (step === undefined) {
      chosen.push(trimEvent(event));
      continue;
    }
    if (step > to || step < from) continue;
    const full = last - step >= WINDOW_STEPS || length > WINDOW_LENGTH;
    if (step < first && last > 0 && full) continue;
    const trimmed = trimEvent(event);
    length += weight(trimmed);
    chosen.push(trimmed);
    first = Math.min(first, step);
    last = Math.max(last, step);
  }
  return { from: last === 0 ? 0 : first, to: last, events: chosen.reverse() };
}

/** What the model received in one step, request by request, and what it replied. Old messages are excerpts unless `whole`. */
export function rawStep(
  events: readonly TraceEvent[],
  step: number,
  whole: boolean,
): { requests: RawRequest[]; reply: ModelReply | null } {
  let history: Message[] = [];
  const requests: RawRequest[] = [];
  let reply: ModelReply | null = null;
  for (const event of events) {
    if (event.type === 'model-request' && event.step <= step) {
      const newFrom = event.rewrite ? 0 : history.length;
      history = event.rewrite ? [...event.messages] : [...history, ...event.messages];
      if (event.step === step) requests.push(rawRequest(history, newFrom, event, whole));
    } else if (event.type === 'model-reply' && event.step === step) {
      reply = event;
    }
  }
  return { requests, reply };
}

function rawRequest(history: Message[], newFrom: number, event: ModelRequest, whole: boolean): RawRequest {
  return {
    messages: history.map((message, index) =>
      whole || index >= newFrom ? message : { ...message, content: cut(message.content, OLD_MESSAGE_LENGTH) },
    ),
    lengths: history.map((message) => message.content.length),
    newFrom,
    rewritten: event.rewrite === true,
    options: event.options,
  };
}

/** What a card shows of an event, as one text to search in. */
function textOf(event: TraceEvent): string {
  switch (event.type) {
    case 'thought':
    case 'reasoning':
    case 'notice':
      return event.text;
    case 'action':
      // The input of Finish is the answer, which is counted where it is shown.
      return event.tool === 'Finish' ? event.tool : `${event.tool}\n${inputText(event.input)}`;
    case 'observation':
      return `${event.document?.title ?? ''}\n${event.text}`;
    case 'run-start':
      return event.question;
    case 'run-end':
      return event.answer ?? '';
    default:
      return '';
  }
}

/** Where the words stand, ignoring case: the question, then the steps in order, then the answer. */
export function findInRun(events: readonly TraceEvent[], query: string): FindMatch[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return [];
  const counts = new Map<number, number>();
  for (const event of events) {
    const step = event.type === 'run-start' ? 0 : event.type === 'run-end' ? -1 : event.step;
    const text = textOf(event).toLowerCase();
    let count = 0;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++;
    if (count > 0) counts.set(step, (counts.get(step) ?? 0) + count);
  }
  const order = (step: number) => (step === -1 ? Number.POSITIVE_INFINITY : step);
  return [...counts].map(([step, count]) => ({ step, count })).sort((a, b) => order(a.step) - order(b.step));
}
