import type { AgentEvent, Usage } from './event';
import { addUsage } from './trace';

/** One line about a step: enough for a time bar, totals and filters, when the step itself is not at hand. */
export interface StepOutline {
  step: number;
  /** Milliseconds. */
  modelMs: number;
  toolMs: number;
  /** Of all its model calls; null where the endpoint did not say for one; absent before the first reply. */
  usage?: Usage | null;
  tool?: string;
  /** An observation said that something went wrong. */
  failed: boolean;
  notices: number;
}

/** Adds one event to the outlines, in place; they stay ordered by step. Returns them. */
export function foldOutline(outlines: StepOutline[], event: AgentEvent): StepOutline[] {
  if (event.type === 'run-start' || event.type === 'run-end' || typeof event.step !== 'number') return outlines;
  let outline = outlines.at(-1);
  if (outline?.step !== event.step) outline = outlines.find((one) => one.step === event.step);
  if (!outline) {
    outline = { step: event.step, modelMs: 0, toolMs: 0, failed: false, notices: 0 };
    const before = outlines.findLastIndex((one) => one.step < event.step);
    outlines.splice(before + 1, 0, outline);
  }
  if (event.type === 'model-reply') {
    outline.modelMs += event.ms;
    const { usage, raw, toolCalls } = event;
    // A call that failed before a word came has no tokens to be unknown.
    add(outline, usage ?? (raw !== '' || toolCalls ? null : undefined));
  } else if (event.type === 'action') {
    outline.tool = event.tool;
  } else if (event.type === 'observation') {
    outline.toolMs += event.ms;
    if (!event.ok) outline.failed = true;
  } else if (event.type === 'notice') {
    outline.notices++;
    add(outline, event.usage);
  }
  return outlines;
}

/** Adds a call's tokens to its step; a call of which they are not told makes the sum unknown. */
function add(outline: StepOutline, usage: Usage | null | undefined): void {
  if (usage === undefined || outline.usage === null) return;
  if (usage === null) {
    outline.usage = null;
    return;
  }
  outline.usage ??= { prompt: 0, completion: 0 };
  addUsage(outline.usage, usage);
}
