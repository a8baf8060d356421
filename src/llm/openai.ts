import { UserError } from '../agent/errors';
import type { Language, Message, Usage } from '../agent/event';
import { ContextOverflow, type Llm, type LlmChunk, type LlmOptions } from '../agent/llm';
import { beginsReasoning } from '../agent/parseTags';
import { Attempt, type Timeouts } from './attempt';
import { normaliseEndpoint, validateEndpoint } from './endpoint';
import { type Failure, type FailureKind, RequestFailed } from './failures';
import { toUserError } from './failureTexts';
import { describeFit, type Fit, type FitStore, memoryFitStore } from './fit';
import { listModels } from './models';
import { redact } from './redact';
import { buildBody, sentOptions } from './request';
import { retryNotice, sleep, waitBefore } from './retry';
import { Fitting } from './selfFitting';
import { createSend } from './send';
import { isTruncated, truncationNotice } from './truncation';

export const TIMEOUTS: Timeouts = { firstByteMs: 120_000, idleMs: 60_000, backoffMs: 500 };

/**
 * Time-outs where a step may take longer than usual: a slow model is slow to begin, which may take all of it, and to go on,
 * which may take two thirds.
 */
export function timeoutsFor(stepSeconds: number): Partial<Timeouts> {
  const { firstByteMs, idleMs } = TIMEOUTS;
  return { firstByteMs: Math.max(firstByteMs, stepSeconds * 1000), idleMs: Math.max(idleMs, (stepSeconds * 2000) / 3) };
}

export interface OpenaiOptions {
  baseUrl: string;
  model: string;
  /** None: no Authorization header is sent, as local servers like it. */
  key?: string;
  /** Language of what people read. Default English. */
  language?: Language;
  /** Sent with every request, on top of what the loop asks for. */
  extraBody?: Record<string, unknown>;
  timeouts?: Partial<Timeouts>;
  fitStore?: FitStore;
  /** Tokens, where the user or the server said so. */
  contextWindow?: number;
  /** Where this runs, when that is not the machine that the person sits at: for messages about localhost. */
  machine?: string;
  fetch?: typeof fetch;
  /** What fails for the moment is told at once, not waited out and tried again: for trying a connection. */
  once?: boolean;
}

/** Requests for one reply, whatever goes wrong with them. */
const MOST_ATTEMPTS = 60;
/** Tried a second time even where failures are told at once: the first one of these says little about the server. */
const ALWAYS_AGAIN: ReadonlySet<FailureKind> = new Set(['network', 'early-end']);
/** Tokens for a reply below which it is better to shorten the prompt. */
const LEAST_ROOM = 256;

/**
 * Any OpenAI-compatible endpoint, over streaming chat completions. What it refuses is left out, renamed or clamped at once
 * and remembered; what fails for a moment is tried again; what fails for good is a UserError that names the next action.
 */
export function createOpenai(options: OpenaiOptions): Llm {
  return new OpenaiLlm(options);
}

class OpenaiLlm implements Llm {
  readonly provider = 'openai';
  readonly model: string;
  contextWindow?: number;
  private readonly language: Language;
  private readonly times: Timeouts;
  private readonly store: FitStore;
  private readonly send;
  /** Once what was entered has been checked. */
  private base: string | undefined;

  constructor(private readonly options: OpenaiOptions) {
    this.model = options.model;
    this.language = options.language ?? 'en';
    this.times = { ...TIMEOUTS, ...options.timeouts };
    this.store = options.fitStore ?? memoryFitStore();
    this.send = createSend(options);
    if (options.contextWindow !== undefined) this.contextWindow = options.contextWindow;
  }

  get reasons(): boolean {
    const entered = this.base ?? normaliseEndpoint(this.options.baseUrl)?.base;
    return entered !== undefined && this.store.get(entered, this.model)?.reasons === true;
  }

  async *stream(messages: readonly Message[], asked: LlmOptions, signal: AbortSignal): AsyncGenerator<LlmChunk> {
    const { model, language, store, times } = this;
    const entered = yield* this.checkEntered();
    let known: Fit = store.get(entered, model) ?? {};
    let fit = known;
    const fitting = new Fitting(entered);
    let attempts = 0;
    const failures = new Map<FailureKind, number>();
    /** What the last reply held that ended too early. */
    let partial: string | undefined;
    let noPath: Failure | undefined;
    let room: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      attempts++;
      const base = fit.base ?? entered;
      const cap = room === undefined ? {} : { maxTokens: room };
      const body = buildBody(model, messages, { ...asked, ...cap }, this.options.extraBody, fit);
      const attempt = new Attempt(this.send, body, base, times, fit.unmarkedEnd === true, this.options.key);
      let announced = false;
      try {
        for await (const chunks of attempt.chunks(signal)) {
          if (!announced) {
            announced = true;
            known = yield* this.remember(entered, fit, known);
            yield { type: 'accepted', options: sentOptions(body, this.options.key), attempts };
          }
          for (const chunk of chunks) {
            if (!fit.reasons && showsReasoning(chunk, attempt.reply.text)) {
              fit = { ...fit, reasons: true };
              known = yield* this.remember(entered, fit, known);
            }
            yield chunk.type === 'finish' ? { ...chunk, reason: redact(chunk.reason, this.options.key) } : chunk;
            if (chunk.type === 'usage') yield* this.checkUsage(messages, chunk.usage);
          }
        }
        return;
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        const { failure } = error;
        const { reply } = attempt;
        if (failure.kind === 'wrong-path' || failure.kind === 'web-page') noPath ??= failure;
        const next = reply.empty ? fitting.next(failure, body, fit) : undefined;
        if (next) {
          fit = next;
          continue;
        }
        if (failure.kind === 'context') {
          room = this.roomLeft(failure, asked, room);
          if (room !== undefined) continue;
          const { message } = this.explain(failure, entered, attempts);
          throw new ContextOverflow(message, failure.window);
        }
        const early = failure.kind === 'early-end';
        if (early && attempt.ended && partial !== undefined) {
          // Twice it said that it was done, with no call that can be read: whoever asked makes of it what they can.
          yield* reply.end();
          return;
        }
        if (early && !reply.callBrokeOff && partial === reply.content && partial !== '') {
          // The same twice, each time without a mark: that is how this server ends its replies.
          yield* this.remember(entered, { ...fit, unmarkedEnd: true }, known);
          yield* reply.end();
          return;
        }
        if (early) partial = reply.content;
        const failed = (failures.get(failure.kind) ?? 0) + 1;
        failures.set(failure.kind, failed);
        const atOnce = this.options.once && (failed > 1 || !ALWAYS_AGAIN.has(failure.kind));
        const wait = atOnce || attempts >= MOST_ATTEMPTS ? undefined : waitBefore(failure, failed, times.backoffMs);
        if (wait === undefined) {
          const models = failure.kind === 'no-model' ? await listModels(this.options, base, signal) : undefined;
          // When the other path leads nowhere either, the one that was entered counts.
          throw this.explain(failure.kind === 'wrong-path' && noPath ? noPath : failure, entered, failed, models);
        }
        const text = retryNotice(failure, wait, attempts, language);
        const waitMs = Math.round(wait);
        yield { type: 'notice', kind: 'retry', text, waitMs, ...(reply.empty ? {} : { discard: true }) };
        await sleep(wait, signal);
      }
    }
  }

  /** Throws what must be mended before anything is sent, tells once what is risky, and returns the base of all paths. */
  private *checkEntered(): Generator<LlmChunk, string> {
    if (this.base !== undefined) return this.base;
    const problems = validateEndpoint(this.options, this.language);
    const wrong = problems.find((problem) => problem.severity === 'error');
    if (wrong) throw new UserError(wrong.message, wrong.hint, wrong.action);
    for (const { message, hint } of problems) yield { type: 'notice', kind: 'security', text: `${message} ${hint}` };
    this.base = normaliseEndpoint(this.options.baseUrl)!.base;
    return this.base;
  }

  private *checkUsage(messages: readonly Message[], usage: Usage): Generator<LlmChunk> {
    if (usage.prompt >= (this.contextWindow ?? Number.POSITIVE_INFINITY) || !isTruncated(messages, usage)) return;
    this.contextWindow = usage.prompt;
    yield { type: 'notice', kind: 'context', text: truncationNotice(usage.prompt, this.language) };
  }

  /** Stores what was learnt beyond what is known, says so, and returns it. */
  private *remember(entered: string, fit: Fit, known: Fit): Generator<LlmChunk, Fit> {
    if (fit === known) return known;
    this.store.set(entered, this.model, fit);
    for (const text of describeFit(fit, this.language, known)) {
      yield { type: 'notice', kind: 'fit', text: redact(text, this.options.key) };
    }
    return fit;
  }

  /** Learns the window; returns the tokens left for a reply where only the reply asked for was too long. */
  private roomLeft({ window, prompt }: Failure, asked: LlmOptions, before: number | undefined): number | undefined {
    if (window !== undefined) this.contextWindow = window;
    if (before !== undefined || window === undefined || prompt === undefined) return undefined;
    const left = window - prompt;
    return left >= LEAST_ROOM && left < (asked.maxTokens ?? 0) ? left : undefined;
  }

  private explain(failure: Failure, base: string, attempts: number, models?: string[]): UserError {
    const timeoutMs = failure.kind === 'idle' ? this.times.idleMs : this.times.firstByteMs;
    const { key, machine } = this.options;
    const facts = {
      base,
      model: this.model,
      attempts,
      timeoutMs,
      ...(key ? { key } : {}),
      ...(machine ? { machine } : {}),
      ...(models ? { models } : {}),
    };
    return toUserError(failure, facts, this.language);
  }
}

/** A sign that the model reasons before it replies. `text`: its reply so far. */
function showsReasoning(chunk: LlmChunk, text: string): boolean {
  if (chunk.type === 'usage') return (chunk.usage.reasoning ?? 0) > 0;
  return chunk.type === 'reasoning' || (chunk.type === 'text' && beginsReasoning(text));
}
