import type { AgentEvent, RunEnd } from '../agent/event';
import { foldOutline, type StepOutline } from '../agent/outline';
import { emptyTrace, fold, type Step, type Trace } from '../agent/trace';
import type { Draft, ErrorReport, FindMatch, RunState, ToWebview, ViewSettings } from '../protocol';

export type RawStep = Extract<ToWebview, { type: 'raw' }>;

/** What a message changed, so that only that is drawn again. */
export interface Change {
  /** Another run, or the same one from the start. */
  reset: boolean;
  /** Steps whose cards must be looked at. */
  steps: Set<number>;
  /** Events that have just happened, for the announcements. */
  happened: AgentEvent[];
}

export const noChange = (): Change => ({ reset: false, steps: new Set(), happened: [] });

const NO_SETTINGS: ViewSettings = {
  language: 'en',
  strings: {},
  sendWith: 'enter',
  modelLabel: '',
  modelConnected: true,
  hasKey: true,
  trusted: true,
  tools: [],
  samples: [],
  follows: 0,
  withholds: false,
};

/** What the view knows: the events it was sent, folded, and a line about each step it was not sent. */
export class Model {
  run: string | null = null;
  state: RunState = 'idle';
  trace: Trace = emptyTrace();
  outlines: StepOutline[] = [];
  settings = NO_SETTINGS;
  draft: Draft = { text: '', selectionStart: 0, selectionEnd: 0, time: 0 };
  readOnly = false;
  error: ErrorReport | undefined;
  message = '';
  /** Pause was pressed; the run pauses when the step at hand is complete. */
  pausing = false;
  asked: { id: string; accepted: boolean } | undefined;
  found: { id: number; query: string; matches: FindMatch[] } | undefined;
  readonly raw = new Map<number, RawStep>();
  /** Host's clock minus ours, milliseconds. */
  private clockOffset = 0;
  /** The run halts before its next step: it was paused, or lets only one step run. */
  private halts = false;
  private readonly steps = new Map<number, Step>();

  now(): number {
    return Date.now() + this.clockOffset;
  }

  /** The run waits for the person: the step at hand is complete, or nothing of it has begun. */
  get paused(): boolean {
    if (this.state !== 'running' || this.trace.end || !this.halts) return false;
    const step = this.steps.get(this.lastStep);
    return !step || step.observation !== undefined || !hasBegun(step);
  }

  /** Milliseconds until the attempt that a `retry` announced; 0 when none is waited for. */
  get retryMs(): number {
    const notice = this.state === 'running' ? this.steps.get(this.lastStep)?.notices.at(-1) : undefined;
    return notice?.waitMs ? Math.max(0, Date.parse(notice.time) + notice.waitMs - this.now()) : 0;
  }

  /** False for the built-in researcher: rules read no tokens, so there are none to be unknown. */
  get countsTokens(): boolean {
    return this.trace.start?.provider !== 'researcher';
  }

  get lastStep(): number {
    return this.outlines.at(-1)?.step ?? 0;
  }

  /** The end of the run where this step's Finish brought it about: the two are shown as one. */
  endOf(step: number): RunEnd | undefined {
    return step === this.lastStep && this.outline(step)?.tool === 'Finish' ? this.trace.end : undefined;
  }

  outline(step: number): StepOutline | undefined {
    const guess = this.outlines[step - 1];
    return guess?.step === step ? guess : this.outlines.find((outline) => outline.step === step);
  }

  /** The step's events, folded; undefined while they are not here. */
  step(step: number): Step | undefined {
    return this.steps.get(step);
  }

  /** Lets steps go whose cards are out of sight; they can be asked for again. */
  forget(numbers: readonly number[]): void {
    for (const number of numbers) this.steps.delete(number);
    this.trace.steps = this.trace.steps.filter((step) => this.steps.has(step.step));
  }

  receive(message: ToWebview, change: Change): void {
    switch (message.type) {
      case 'reset':
        this.reset(message);
        change.reset = true;
        return;
      case 'events':
        if (message.run !== this.run) return;
        for (const event of message.events) {
          this.add(event);
          this.steer(event);
          foldOutline(this.outlines, event);
          if ('step' in event) change.steps.add(event.step);
          if (event.type === 'control' || event.type === 'run-end') this.pausing = false;
          if (event.type !== 'delta') change.happened.push(event);
          if (event.type !== 'run-end') continue;
          this.state = 'ended';
          for (const { step } of event.support ?? []) if (step !== undefined) change.steps.add(step);
          if (this.lastStep > 0) change.steps.add(this.lastStep);
        }
        return;
      case 'steps':
        if (message.run !== this.run) return;
        this.addMissing(message.events, change);
        return;
      case 'raw':
        if (message.run !== this.run) return;
        this.raw.set(message.step, message);
        change.steps.add(message.step);
        return;
      case 'settings':
        this.settings = message.settings;
        return;
      case 'asked':
        this.asked = message;
        return;
      case 'find-result':
        this.found = message;
        return;
      case 'error':
        this.error = message;
        return;
      case 'message':
        this.message = message.text;
        return;
      case 'focus':
        return;
    }
  }

  private reset(message: Extract<ToWebview, { type: 'reset' }>): void {
    if (message.run !== this.run) this.raw.clear();
    this.run = message.run;
    this.state = message.state;
    this.trace = emptyTrace();
    this.steps.clear();
    this.outlines = message.outlines;
    this.settings = message.settings;
    if (message.draft.time >= this.draft.time) this.draft = message.draft;
    this.readOnly = message.readOnly;
    this.error = undefined;
    this.pausing = false;
    this.halts = false;
    this.clockOffset = message.now - Date.now();
    for (const event of message.events) {
      this.add(event);
      this.steer(event);
    }
  }

  private steer(event: AgentEvent): void {
    if (event.type !== 'control') return;
    if (event.action === 'pause' || event.action === 'single-step') this.halts = true;
    if (event.action === 'resume' || event.action === 'answer-now') this.halts = false;
  }

  private add(event: AgentEvent): void {
    fold(this.trace, event);
    if (!('step' in event) || this.steps.get(event.step)) return;
    const step = this.trace.steps.findLast((one) => one.step === event.step);
    if (step) this.steps.set(event.step, step);
  }

  /** Takes over steps that were not here; what is here already, or still grows, stays as it is. */
  private addMissing(events: readonly AgentEvent[], change: Change): void {
    const present = new Set(this.steps.keys());
    for (const event of events) {
      if (!('step' in event) || present.has(event.step)) continue;
      const plan = this.trace.plan;
      this.add(event);
      if (event.type === 'plan' && plan) this.trace.plan = plan;
      change.steps.add(event.step);
    }
  }
}

/** More has happened in the step than that somebody steered the run. */
function hasBegun({ live, liveReasoning, requests, notices, reply, action }: Step): boolean {
  const isTriedAgain = notices.some(({ kind }) => kind === 'retry');
  return isTriedAgain || requests.length > 0 || (live ?? liveReasoning ?? reply ?? action) !== undefined;
}
