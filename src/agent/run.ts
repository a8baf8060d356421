import { Deadline } from './deadline';
import type { UserError } from './errors';
import type {
  AgentEvent,
  Language,
  LimitValues,
  Message,
  Prices,
  Protocol,
  RunEnd,
  RunStart,
  TraceEvent,
  Usage,
} from './event';
import { History } from './history';
import { Inbox } from './inbox';
import type { AgentInput } from './input';
import { languageOf } from './language';
import {
  costOf,
  type LimitReached,
  limitNotice,
  limitReached,
  soundLimits,
  soundPrices,
  unpricedNotice,
} from './limits';
import type { LlmOptions } from './llm';
import { OutputCap } from './outputCap';
import { carryOver, grantedLimits } from './prior';
import { manual, questionText, STOP, toolSchemas } from './prompt';
import { estimateTokens } from './tokens';
import { emptyTrace, fold, type Trace, usageOf } from './trace';

/** An event still without its time. */
type Untimed<T> = T extends { time: string } ? Omit<T, 'time'> : never;

/** Milliseconds of a run's waits for its endpoint that don't count as its time. */
const MOST_WAITING = 20 * 60_000;

/** A run's state: what it was handed, its trace so far, and its clock. */
export class Run {
  readonly trace: Trace = emptyTrace();
  readonly language: Language;
  /** In use: as asked for, or what the run went over to. */
  protocol: Protocol;
  /** It may go over to native calls. */
  mayCall: boolean;
  readonly limits: LimitValues;
  readonly inbox: Inbox;
  history: History;
  readonly now: () => number;
  /** Follows the user's signal and the run's time limit. */
  readonly deadline: Deadline;
  readonly cap: OutputCap;
  /** A reply came with reasoning. */
  sawReasoning = false;
  /** The model can condense steps into facts, as far as is known. */
  condenses = true;
  /** A model call ran into the time limit of a step. */
  late = false;
  readonly prices: Prices | undefined;
  private waited = 0;
  /** Nothing came of a reply in its time: another call would wait as long in vain. */
  silent: UserError | undefined;
  private toldUnpriced = false;
  /** Learnt when a request overflowed. */
  private overflowedAt: number | undefined;
  private readonly begun: number;

  constructor(readonly input: AgentInput) {
    this.now = input.now ?? Date.now;
    this.begun = this.now();
    this.language = input.language ?? languageOf(input.question);
    this.protocol = input.protocol === 'tools' ? 'tools' : 'text';
    this.mayCall = input.protocol === 'auto';
    this.prices = soundPrices(input.prices);
    this.limits = grantedLimits(soundLimits(input.limits), input.prior, this.prices);
    this.inbox = input.inbox ?? new Inbox();
    this.cap = new OutputCap(input.maxTokens ?? 1024, () => this.sawReasoning || input.llm.reasons === true);
    this.deadline = new Deadline([input.signal], this.limits.seconds * 1000);
    this.history = this.openHistory();
  }

  private openHistory(): History {
    const { input, language, protocol } = this;
    const prompt = manual({ language, protocol, toolbox: input.toolbox, ...input.strategies });
    const opening: Message[] = [
      { role: 'system', content: prompt },
      { role: 'user', content: carryOver(input.prior, language) + questionText(input.question, language) },
    ];
    const schemas = protocol === 'tools' ? estimateTokens(JSON.stringify(toolSchemas(input.toolbox, language))) : 0;
    return new History(opening, language, protocol, schemas);
  }

  /** Goes on in another protocol, with the history told in its notation. There is no way back to native calls. */
  speak(protocol: Protocol): void {
    this.mayCall = false;
    this.protocol = protocol;
    this.history = this.openHistory();
  }

  /** Number of the step after the last one that acted. */
  get nextStep(): number {
    return (this.trace.steps.findLast(({ action }) => action)?.step ?? 0) + 1;
  }

  get ms(): number {
    return Math.round(this.now() - this.begun);
  }

  /** Milliseconds that one model call or tool may take, the last call at a limit too; never more than the whole run. */
  get stepMs(): number {
    return Math.min(this.limits.stepSeconds ?? Number.POSITIVE_INFINITY, this.limits.seconds) * 1000;
  }

  /** Tokens that a request may have; the output cap, where it is large, leaves at least half of the window to it. */
  get room(): number {
    const window = this.contextWindow ?? Number.POSITIVE_INFINITY;
    return Math.max(window - this.cap.tokens, Math.floor(window / 2));
  }

  /** Options whose output cap leaves the next request its place in the window. */
  capped(options: LlmOptions): LlmOptions {
    const window = this.contextWindow;
    const left = window === undefined ? Number.POSITIVE_INFINITY : window - this.history.tokens(this.trace);
    return { ...options, maxTokens: this.cap.within(left) };
  }

  /** The context window in tokens, as far as known by now: a model may learn while it works that it is smaller than was said. */
  get contextWindow(): number | undefined {
    const said = [this.overflowedAt, this.input.contextWindow, this.input.llm.contextWindow].filter(
      (tokens) => tokens !== undefined,
    );
    return said.length > 0 ? Math.min(...said) : undefined;
  }
  set contextWindow(tokens: number | undefined) {
    this.overflowedAt = tokens;
  }

  /** Lets a call that was told to wait take longer, as long as all waits together stay within reason. */
  allow(ms: number, call: Deadline): void {
    this.waited += ms;
    if (this.waited > MOST_WAITING) return;
    call.allow(ms);
    this.deadline.allow(ms);
  }

  get cancelled(): boolean {
    return this.input.signal.aborted;
  }

  private stamp = { at: Number.NaN, text: '' };
  /** Now, as events tell it. Live text comes many pieces a millisecond, so the last text is kept. */
  readonly time = (): string => {
    const at = this.now();
    if (at !== this.stamp.at) this.stamp = { at, text: new Date(at).toISOString() };
    return this.stamp.text;
  };

  /** Stamps an event, adds it to the trace, and hands it on to be yielded. */
  readonly emit = (event: Untimed<TraceEvent>): AgentEvent => {
    const { type, ...rest } = event;
    const stamped = { type, time: this.time(), ...rest } as TraceEvent;
    fold(this.trace, stamped);
    return stamped;
  };

  /** Tells events of an earlier run again, as part of this one. */
  *replay(events: readonly TraceEvent[]): Generator<AgentEvent> {
    for (const event of events) {
      fold(this.trace, event);
      yield event;
    }
  }

  startEvent(): Untimed<RunStart> {
    const { question, llm, toolbox, prior, run } = this.input;
    return {
      type: 'run-start',
      version: 1,
      run: run ?? crypto.randomUUID(),
      question,
      language: this.language,
      provider: llm.provider,
      model: llm.model,
      protocol: this.protocol,
      tools: [...toolbox.keys()],
      limits: this.limits,
      ...(this.prices ? { prices: this.prices } : {}),
      ...(prior?.parent ? { parent: prior.parent } : {}),
    };
  }

  endEvent(end: Pick<RunEnd, 'outcome' | 'sources'> & Partial<RunEnd>): Untimed<RunEnd> {
    const usage = usageOf(this.trace);
    const cost = costOf(usage, this.prices);
    return {
      type: 'run-end',
      ...end,
      steps: this.trace.steps.length,
      ms: this.ms,
      ...(usage ? { usage } : {}),
      ...(cost === undefined ? {} : { cost }),
    };
  }

  /** What the person is told when a limit has been reached or an answer is wanted now; undefined while the run may go on. */
  over(): string | undefined {
    if (this.inbox.answerNow.aborted) return ANSWER_NOW[this.language];
    const reached = this.reached();
    return reached && limitNotice(reached, this.language);
  }

  private reached(): LimitReached | undefined {
    if (this.late) return { kind: 'step-seconds', allowed: this.stepMs / 1000 };
    if (this.deadline.expired) return { kind: 'seconds', allowed: this.limits.seconds };
    const ms = this.ms - this.deadline.held;
    return limitReached(this.trace, this.limits, { ms, ...(this.prices ? { prices: this.prices } : {}) });
  }

  /** Says, once, that a cost budget can't hold: a call was made that has no price. */
  unpriced(usage: Usage | null): string | undefined {
    const free = usage !== null && usage.prompt + usage.completion === 0;
    if (this.limits.cost === undefined || this.prices || free || this.toldUnpriced) return undefined;
    this.toldUnpriced = true;
    return unpricedNotice(this.input.llm.model, this.language);
  }

  options(): LlmOptions {
    const base: LlmOptions = { temperature: 0, maxTokens: this.cap.tokens };
    return this.protocol === 'text'
      ? { ...base, stop: STOP }
      : { ...base, tools: toolSchemas(this.input.toolbox, this.language) };
  }

  /** Of the last call. Finish stays on offer: endpoints refuse a history of native calls where no tools are sent. */
  lastOptions(): LlmOptions {
    const base: LlmOptions = { temperature: 0, maxTokens: this.cap.tokens };
    return this.protocol === 'text' ? base : { ...base, tools: toolSchemas(new Map(), this.language) };
  }
}

const ANSWER_NOW: Record<Language, string> = {
  en: 'An answer is wanted now. The best answer from what was gathered follows.',
  'zh-CN': '用户要求立即作答，下面根据已收集的内容给出最佳答案。',
};
