import { type Deadline, orAbort } from './deadline';
import type { AgentEvent, Message, ModelReply, NoticeKind, ToolCall, Usage } from './event';
import type { Llm, LlmChunk, LlmOptions } from './llm';
import { type ParsedReply, ReplyParser } from './parse';
import { isJson } from './tolerantJson';

/** How long a stream may take to run dry after its action is complete, in ms, and how many more pieces of text it may send. */
const DRAIN = { ms: 250, pieces: 2 };
/** Further calls may follow the first one of a reply: each may take so long, and text beside them is not waited for. */
const FURTHER_CALLS = { ms: 5000, pieces: 8 };

/** One reply, read as far as it matters. */
export interface Reply {
  parsed: ParsedReply;
  /** The first one is there at once; all of them are once `settled` has resolved. */
  toolCalls: ToolCall[];
  reasoning: string;
  /** What the model's maker said after the action was complete, for the person; all of it is there once `settled` has resolved. */
  said: { kind: NoticeKind; text: string }[];
  /** The model repeated itself without end and was cut. */
  chanting: boolean;
  /** The output cap cut it; in mid-reply that is known only once `settled` has resolved. */
  readonly truncated: boolean;
  /** The endpoint withheld the rest of it before its action was complete; known as late as `truncated`. */
  readonly filtered: boolean;
  /** Resolves once the stream has ended, run dry or been aborted: usage and finish reason are known only then. Never rejects. */
  settled: Promise<Settled>;
}

export type Settled = Omit<ModelReply, 'type' | 'step' | 'time'>;

/** What the model wrote before its stream broke; thrown with the cause, so that nothing is lost. */
export class BrokenReply extends Error {
  override readonly name = 'BrokenReply';
  constructor(
    readonly partial: Settled,
    readonly reasoning: string,
    cause: unknown,
  ) {
    super('The reply broke off', { cause });
  }
}

export interface ReplyRequest {
  llm: Llm;
  messages: readonly Message[];
  options: LlmOptions;
  /** Names and aliases that count as tools. */
  tools: readonly string[];
  step: number;
  now: () => number;
  /** The stream before this one went on past its end: this one will, too, and tells no usage. */
  goesOn?: boolean;
  /** Ends the call, which takes it over: it is disposed of once the stream has ended. */
  deadline: Deadline;
  /** Called when the model's maker waits for so many milliseconds before another attempt. */
  waits: (ms: number) => void;
}

/**
 * Streams one reply: yields live text and notices, and returns as soon as its action is complete, while the rest of the
 * stream runs dry in the background (so that the connection can be kept) or, if it goes on, is aborted.
 * `accepted` is called once, when it is known what was really sent.
 * @throws BrokenReply with the model's error as its cause
 */
export async function* readReply(
  request: ReplyRequest,
  accepted: (options: Record<string, unknown>) => AgentEvent,
  at: () => string,
): AsyncGenerator<AgentEvent, Reply> {
  const { llm, step, now, deadline: call } = request;
  const begun = now();
  let parser = new ReplyParser({ tools: request.tools });
  const told: { usage: Usage | null; finishReason: string | null; attempts: number; firstTokenMs: number | null } = {
    usage: null,
    finishReason: null,
    attempts: 1,
    firstTokenMs: null,
  };
  const toolCalls: ToolCall[] = [];
  const said: Reply['said'] = [];
  let reasoning = '';
  let chanting = false;
  let announced = false;
  const settle = (cut: boolean): Settled => ({
    raw: parser.raw,
    finishReason: told.finishReason,
    cut,
    usage: told.usage,
    ms: Math.round(now() - begun),
    firstTokenMs: told.firstTokenMs,
    attempts: told.attempts,
    ...(toolCalls.length ? { toolCalls: [...toolCalls] } : {}),
  });
  const note = (chunk: LlmChunk) => {
    if (chunk.type === 'usage') told.usage = chunk.usage;
    if (chunk.type === 'finish') told.finishReason = chunk.reason;
    if (chunk.type === 'tool-call') toolCalls.push(chunk.call);
    if (chunk.type === 'accepted') told.attempts = chunk.attempts;
  };
  let handedOver = false;
  let iterator: AsyncIterator<LlmChunk> | undefined;
  try {
    iterator = llm.stream(request.messages, request.options, call.signal)[Symbol.asyncIterator]();
    for (;;) {
      const next = await orAbort(iterator.next(), call.signal);
      if (next.done) break;
      const chunk = next.value;
      note(chunk);
      if (chunk.type === 'notice') {
        const { kind, text, waitMs } = chunk;
        const partial = chunk.discard && (parser.raw || reasoning);
        if (waitMs) request.waits(waitMs);
        const voided = chunk.discard && told.usage ? { usage: told.usage } : {};
        if (chunk.discard) {
          Object.assign(told, { usage: null, finishReason: null });
          parser = new ReplyParser({ tools: request.tools });
          reasoning = '';
          toolCalls.length = 0;
        }
        const wait = { ...(waitMs ? { waitMs } : {}), ...(partial ? { partial } : {}) };
        yield { type: 'notice', time: at(), step, kind, text, ...wait, ...voided };
        continue;
      }
      if (!announced) {
        announced = true;
        yield accepted(chunk.type === 'accepted' ? chunk.options : { ...request.options });
      }
      if (chunk.type === 'tool-call' && isJson(chunk.call.arguments)) break;
      if (chunk.type !== 'text' && chunk.type !== 'reasoning') continue;
      told.firstTokenMs ??= Math.round(now() - begun);
      if (chunk.type === 'reasoning') {
        reasoning += chunk.text;
        yield { type: 'delta', time: at(), step, channel: 'reasoning', text: chunk.text };
        continue;
      }
      const progress = parser.push(chunk.text);
      if (progress.reasoning) yield { type: 'delta', time: at(), step, channel: 'reasoning', text: progress.reasoning };
      if (progress.show) yield { type: 'delta', time: at(), step, channel: 'text', text: progress.show };
      chanting = progress.chanting;
      if (progress.complete || chanting) break;
    }
    if (!announced) yield accepted({ ...request.options });
    handedOver = true;
  } catch (error) {
    if (!announced) yield accepted({ ...request.options });
    throw new BrokenReply(settle(call.signal.aborted), reasoning, error);
  } finally {
    // Broken, or abandoned by whoever reads us: nothing may stay behind.
    if (!handedOver) {
      call.abort();
      call.dispose();
      iterator?.return?.().then(undefined, () => {});
    }
  }
  const whole = parser.complete;
  const parsed = parser.end(told.finishReason);
  const early = whole || chanting || toolCalls.length > 0;
  // After Finish no further step needs the connection: the end and the usage are waited for only a moment.
  const last = request.goesOn ? 0 : 1;
  const pieces = chanting ? 0 : parsed.action?.tool === 'Finish' ? last : DRAIN.pieces;
  const mayGoOn = toolCalls[0] && !/^finish$/i.test(toolCalls[0].name);
  const rest = mayGoOn ? FURTHER_CALLS : { ...DRAIN, pieces };
  const later = (chunk: LlmChunk) => {
    // A call that comes after a whole action in text is another action.
    if (chunk.type !== 'tool-call' || mayGoOn) note(chunk);
    if (chunk.type === 'notice') said.push({ kind: chunk.kind, text: chunk.text });
  };
  const settled = (early ? drain(iterator, call, later, rest) : Promise.resolve(false)).then((cut) => {
    call.dispose();
    return settle(cut);
  });
  return {
    parsed,
    toolCalls,
    reasoning,
    said,
    chanting,
    get truncated() {
      return told.finishReason === 'length';
    },
    get filtered() {
      return told.finishReason === 'content_filter' && !whole && toolCalls.length === 0;
    },
    settled,
  };
}

/** Lets a stream whose reply is complete run dry for a moment. Returns true when it went on and had to be aborted. */
async function drain(
  iterator: AsyncIterator<LlmChunk>,
  call: Deadline,
  note: (chunk: LlmChunk) => void,
  { ms, pieces }: { ms: number; pieces: number },
): Promise<boolean> {
  const wait = () => setTimeout(() => call.abort(), ms);
  let patience = wait();
  let inVain = 0;
  try {
    while (inVain < pieces) {
      const next = await orAbort(iterator.next(), call.signal);
      if (next.done) return false;
      // It broke off after all that matters had arrived: nothing is worth another attempt.
      if (next.value.type === 'notice' && next.value.kind === 'retry') break;
      note(next.value);
      if (next.value.type === 'text') inVain++;
      if (next.value.type !== 'tool-call') continue;
      clearTimeout(patience);
      patience = wait();
    }
  } catch {
    // Out of patience, stopped, or the connection broke after all that matters had arrived.
  } finally {
    clearTimeout(patience);
  }
  call.abort();
  iterator.return?.().then(undefined, () => {});
  return true;
}
