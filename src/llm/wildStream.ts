import { type Fields, parseJson, readObject, record, records } from './fields';

/**
 * Reads a reply as servers really send it. Server-sent events come with CRLF, comments, no space after `data:`, single
 * newlines between events, an `error:` field, or without `[DONE]`; instead of a stream there may be one JSON object, JSON
 * lines, or a web page. See https://html.spec.whatwg.org/multipage/server-sent-events.html for what it should look like.
 */

/** What a stream holds, piece by piece. `done` is the server's own end mark. */
export type StreamEvent = { type: 'data'; data: Fields } | { type: 'error'; body: string } | { type: 'done' };

export type StreamFaultKind = 'web-page' | 'garbled' | 'dropped' | 'idle' | 'first-byte';

/** A stream that is not fit to be read on. */
export class StreamFault extends Error {
  override readonly name = 'StreamFault';
  constructor(
    readonly kind: StreamFaultKind,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** True for an object that reports an error in place of a reply, in any of the shapes servers use. */
function reportsError(data: Fields): boolean {
  // MiniMax gives a status with every reply; 0 is success.
  if (data.error || record(data.base_resp)?.status_code) return true;
  if (Array.isArray(data.choices) || record(data.usage)) return false;
  if (data.object === 'error' || data.success === false || 'detail' in data) return true;
  // `error_code` and `error_msg` are ERNIE's, `errors` Cloudflare's, `code` with `msg` those of many gateways.
  if (data.errors || data.error_code || data.error_msg) return true;
  const told = typeof data.message === 'string' || typeof data.msg === 'string';
  return told && ('code' in data || 'type' in data || 'status' in data);
}

/** Chat completions, or Ollama's own form. */
const holdsReply = (data: Fields) => Array.isArray(data.choices) || record(data.message) !== undefined;

/** Lines of a sentence in place of a stream, and characters of each; more would be something else. */
const MOST_WORDS = { lines: 20, characters: 1000 };

/** Characters of a line, an event or a JSON body; one that has not ended by then is no reply. */
const MOST_HELD = 2 ** 23;

/** How JSON begins that may go on in the next line; “[PING]” does not. */
const BEGINS_JSON = /^\s*(\{|\[\s*(\{|$))/;

/** No text: control characters, or bytes that are none. */
const BINARY = /[\u0000-\u0008\ufffd]/;

function toEvent(data: Fields, text: string): StreamEvent {
  return reportsError(data) ? { type: 'error', body: text } : { type: 'data', data };
}

/** Text that has begun, in pieces: joining them at each would take quadratic time. */
class Held {
  private pieces: string[] = [];
  private length = 0;

  get empty(): boolean {
    return this.pieces.length === 0;
  }

  add(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length + 1;
    if (this.length > MOST_HELD) throw new StreamFault('garbled', `no end within ${MOST_HELD} characters`);
  }

  take(separator = ''): string {
    const text = this.pieces.join(separator);
    this.pieces = [];
    this.length = 0;
    return text;
  }
}

/** Turns the text of a reply, in pieces of any size, into events. One is handed out as soon as its line is complete. */
export class EventReader {
  /** A line that has begun, or all of a body that is JSON. */
  private readonly begun = new Held();
  private form: 'unknown' | 'events' | 'json' = 'unknown';
  /** The lines of an event whose JSON is broken over several. */
  private readonly data = new Held();
  private eventName = '';
  /** Lines that are no event's, for as long as there is none. */
  private words: string[] | undefined = [];
  /** The last line ended with a carriage return: a newline that follows belongs to it. */
  private returned = false;

  /**
   * Must be read to its end before the next piece is pushed.
   * @throws StreamFault `web-page`, or `garbled` after the events before the damage
   */
  *push(text: string): Generator<StreamEvent> {
    if (this.form === 'unknown') {
      text = text.trimStart();
      if (text === '') return;
      if (text.startsWith('<')) throw new StreamFault('web-page', pageTitle(text));
      this.form = /^[{[]/.test(text) ? 'json' : 'events';
    }
    if (this.form === 'json') {
      this.begun.add(text);
      return;
    }
    const ends = /\r\n?|\n/g;
    // A newline that begins this piece may belong to a carriage return that ended the last one.
    let start = this.returned && text.startsWith('\n') ? 1 : 0;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end; end = ends.exec(text)) {
      const rest = text.slice(start, end.index);
      const event = this.line(this.begun.take() + rest);
      if (event) yield event;
      start = ends.lastIndex;
    }
    if (text !== '') this.returned = text.endsWith('\r');
    if (start < text.length) this.begun.add(text.slice(start));
  }

  /** What is left when the body has ended. */
  *end(): Generator<StreamEvent> {
    const rest = this.begun.take();
    if (this.form === 'json') return yield* this.json(rest.trim());
    for (const line of [rest, '']) {
      const event = this.line(line);
      if (event) yield event;
    }
    // Not a stream at all but a sentence: “upstream connect error or disconnect/reset before headers”.
    const said = this.words?.join('\n') ?? '';
    if (said !== '' && !BINARY.test(said)) yield { type: 'error', body: said };
  }

  private json(text: string): StreamEvent[] {
    const whole = parseJson(text);
    // Some gateways wrap an error, or the reply, in a list.
    if (whole !== undefined) {
      return records(Array.isArray(whole) ? whole : [whole]).map((data) =>
        holdsReply(data) ? toEvent(data, text) : { type: 'error', body: text },
      );
    }
    return text
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const data = readObject(line);
        if (!data) throw new StreamFault('garbled', `not JSON: ${line.slice(0, 80)}`);
        return toEvent(data, line);
      });
  }

  private line(line: string): StreamEvent | undefined {
    if (line === '') {
      this.eventName = '';
      if (this.data.empty) return undefined;
      const text = this.data.take('\n');
      const data = readObject(text);
      // A part of the reply is lost.
      if (!data) throw new StreamFault('garbled', `not JSON: ${text.slice(0, 80)}`);
      return toEvent(data, text);
    }
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = (colon === -1 ? line : line.slice(0, colon)).trimStart();
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'error') return { type: 'error', body: value };
    if (field === 'event') this.eventName = value.trim();
    if (field !== 'data') {
      if (!/^(event|id|retry)$/.test(field) && (this.words?.length ?? 0) < MOST_WORDS.lines) {
        this.words?.push(line.slice(0, MOST_WORDS.characters));
      }
      return undefined;
    }
    this.words = undefined;
    if (/^\s*\[done\]/i.test(value)) return { type: 'done' };
    if (this.eventName === 'error') return { type: 'error', body: value };
    // Words that are not JSON are keep-alives.
    if (this.data.empty && !BEGINS_JSON.test(value)) return undefined;
    // The usual event is one line, and handed out at once; only JSON broken over several lines waits for the rest.
    const data = this.data.empty ? readObject(value) : undefined;
    if (data) return toEvent(data, value);
    this.data.add(value);
    return undefined;
  }
}

function pageTitle(html: string): string {
  const title = /<title[^>]*>([^<]{1,120})/i.exec(html)?.[1];
  return (title ?? 'a web page').trim();
}

/** Milliseconds. */
export interface StreamTimes {
  /** Until the first byte of the reply's body; a local model may have to be loaded first. */
  firstByteMs: number;
  /** Without a single byte in mid-reply. */
  idleMs: number;
}

/**
 * Reads a response's body to its end: for each piece that arrives the events in it, to be read at once. Leaving early
 * cancels the body, which closes the connection.
 * @param grace asked after each piece: once the reply is complete, the milliseconds that the body may stay open until its
 * own end comes, so that its connection can be used again
 * @throws StreamFault; what the signal of the request throws when it is aborted
 */
export async function* readStream(
  response: Response,
  times: StreamTimes,
  grace: () => number | undefined,
): AsyncGenerator<Iterable<StreamEvent>> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const events = new EventReader();
  const decoder = new TextDecoder();
  let late = false;
  const giveUp = () => {
    late = true;
    reader.cancel().catch(() => {});
  };
  let timer = setTimeout(giveUp, times.firstByteMs);
  let started = false;
  let closing: number | undefined;
  let open = true;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        open = false;
        throw cause;
      });
      if (late) {
        open = false;
        if (closing !== undefined) return;
        throw started
          ? new StreamFault('idle', `nothing for ${times.idleMs} ms`)
          : new StreamFault('first-byte', `nothing for ${times.firstByteMs} ms`);
      }
      started = true;
      if (done) {
        open = false;
        yield events.push(decoder.decode());
        yield events.end();
        // A turn of the event loop, in which the connection becomes free: a request that follows at once would open another.
        await new Promise((resolve) => setImmediate(resolve));
        return;
      }
      yield events.push(decoder.decode(value, { stream: true }));
      const wait = grace();
      // What still comes after the end gives it no more time.
      if (wait !== undefined && wait === closing) continue;
      closing = wait;
      clearTimeout(timer);
      timer = setTimeout(giveUp, wait ?? times.idleMs);
    }
  } finally {
    clearTimeout(timer);
    if (open) reader.cancel().catch(() => {});
  }
}
