import type { AgentEvent } from './event';

/** One line about a step: enough for a time bar, totals and filters, when the step itself is not at hand. */
export interface StepOutline {
  step: number;
  /** Milliseconds. */
  modelMs: number;
  toolMs: number;
  /** Prompt plus completion; null where the endpoint did not say; absent before the first reply. */
  tokens?: number | null;
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
    if (usage && outline.tokens !== null) outline.tokens = (outline.tokens ?? 0) + usage.prompt + usage.completion;
    // A call that failed before a word came has no tokens to be unknown.
    else if (raw !== '' || toolCalls) outline.tokens = null;
  } else if (event.type === 'action') {
    outline.tool = event.tool;
  } else if (event.type === 'observation') {
    outline.toolMs += event.ms;
    if (!event.ok) outline.failed = true;
  } else if (event.type === 'notice') {
    outline.notices++;
  }
  return outlines;
}
