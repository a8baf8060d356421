import type { LlmChunk } from '../agent/llm';
import { readConnectionError } from './connectionError';
import { type Failure, RequestFailed } from './failures';
import { readRefusal } from './refusal';
import { ReplyReader } from './reply';
import type { RequestBody } from './request';
import type { Send } from './send';
import { readStream, StreamFault, type StreamTimes } from './wildStream';

/** Milliseconds. */
export interface Timeouts extends StreamTimes {
  /** The first wait between attempts; it doubles. */
  backoffMs: number;
}

/**
 * Milliseconds that a finished reply's body may stay open before its connection is given up: after the end mark, and after
 * a reason for the end alone, which some servers give with every piece; so one in the first piece says nothing yet.
 */
const GRACE = { mark: 500, reason: 3000 };

/** One request and its reply. */
export class Attempt {
  readonly reply: ReplyReader;
  /** A reply has begun: the request was to the endpoint's liking. */
  accepted = false;
  /** The endpoint's own end mark has come. */
  private marked = false;

  constructor(
    private readonly send: Send,
    private readonly body: RequestBody,
    private readonly base: string,
    private readonly times: Timeouts,
    /** The endpoint is known to end its replies without a mark. */
    private readonly unmarkedEnd: boolean,
    key?: string,
  ) {
    this.reply = new ReplyReader(key);
  }

  /** The endpoint said that the reply has ended. */
  get ended(): boolean {
    return this.marked || this.reply.finishReason !== undefined;
  }

  /**
   * Streams the reply, the chunks of each piece that arrives together. Leaving early closes the connection; a reply that ran
   * to its end leaves it open for the next.
   * @throws RequestFailed; the signal's reason once it is aborted
   */
  async *chunks(signal: AbortSignal): AsyncGenerator<LlmChunk[]> {
    const own = new AbortController();
    const stop = () => own.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    let late = false;
    const firstByte = setTimeout(() => {
      late = true;
      own.abort();
    }, this.times.firstByteMs);
    const { reply } = this;
    const unmarked = this.unmarkedEnd || this.body.stream !== true;
    try {
      const response = await this.send(this.body, this.base, own.signal);
      clearTimeout(firstByte);
      const graces = { surely: GRACE.reason, maybe: this.times.idleMs };
      const grace = () => (this.marked ? GRACE.mark : reply.ended && graces[reply.ended]);
      for await (const events of readStream(response, this.times, grace)) {
        const chunks: LlmChunk[] = [];
        try {
          for (const event of events) {
            if (event.type === 'error') throw new RequestFailed(readRefusal(200, response.headers, event.body));
            if (event.type === 'done') this.marked = true;
            else for (const chunk of reply.read(event.data)) join(chunks, chunk);
            this.accepted ||= event.type === 'data';
            if (reply.broken !== undefined) throw new RequestFailed(brokenOff(reply.broken, response.headers));
          }
        } finally {
          // What came before the damage is handed out first.
          if (chunks.length > 0) yield chunks;
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      // Once a reply is complete, what becomes of its connection is of no matter.
      if (reply.ended !== 'surely' && !(this.marked && this.accepted)) {
        throw new RequestFailed(late ? { kind: 'first-byte', said: '' } : failureOf(error, this.accepted));
      }
    } finally {
      clearTimeout(firstByte);
      signal.removeEventListener('abort', stop);
    }
    if (reply.finishReason === undefined) {
      if (reply.empty) throw new RequestFailed({ kind: 'empty', said: '' });
      if (!this.marked && !unmarked) throw new RequestFailed({ kind: 'early-end', said: '' });
    }
    if (reply.callBrokeOff) throw new RequestFailed({ kind: 'early-end', said: '' });
    yield reply.end();
  }
}

/** Adds a chunk; text that arrived together stays together, since every chunk costs its readers some work. */
function join(chunks: LlmChunk[], chunk: LlmChunk): void {
  const last = chunks.at(-1);
  if (last && (last.type === 'text' || last.type === 'reasoning') && last.type === chunk.type) {
    chunks[chunks.length - 1] = { type: last.type, text: last.text + chunk.text };
  } else chunks.push(chunk);
}

/** What the server said of its own failure in mid-reply; one that tells nothing is worth another attempt. */
function brokenOff(said: string, headers: Headers): Failure {
  const failure = readRefusal(200, headers, said);
  return failure.kind === 'rejected' && failure.status === undefined ? { ...failure, kind: 'server' } : failure;
}

function failureOf(error: unknown, accepted: boolean): Failure {
  if (error instanceof RequestFailed) return error.failure;
  if (error instanceof StreamFault) return { kind: error.kind, said: error.message };
  const failure = readConnectionError(error);
  return accepted && failure.kind === 'network' ? { ...failure, kind: 'dropped' } : failure;
}
