import { open } from 'node:fs/promises';
import { UserError } from '../agent/errors';
import { TRACE_VERSION, type TraceEvent } from '../agent/event';
import { isEvent } from './eventShape';

export interface ReadTrace {
  events: TraceEvent[];
  /** The last line was torn off in mid-write. */
  torn: boolean;
  /** Lines that are no event, the torn one not counted. */
  damaged: number;
  /** True: a version above ours wrote it; what is known is shown. */
  newer: boolean;
}

/** No event of ours comes near; a longer line is another file's, and is passed over. In bytes. */
const LONGEST_LINE = 256 << 20;

/**
 * Reads a trace piece by piece, past everything that is not an event, so that a file may be larger than a string can be, and
 * may still grow. Unknown event types are kept. Never throws.
 */
export class TraceReader implements ReadTrace {
  readonly events: TraceEvent[] = [];
  damaged = 0;
  newer = false;
  /** The line that has begun, as it came. */
  private pieces: Uint8Array[] = [];
  private length = 0;
  private begun = false;

  /** What stands behind the last line break is neither blank nor a whole event. */
  get torn(): boolean {
    if (this.length > LONGEST_LINE) return true;
    const rest = Buffer.concat(this.pieces).toString('utf8');
    return rest.trim() !== '' && parseEvent(rest) === undefined;
  }

  /** Takes the next bytes of the file; returns the events that they complete. */
  read(bytes: Uint8Array): TraceEvent[] {
    const before = this.events.length;
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      this.keep(bytes.subarray(start, end));
      this.line();
      start = end + 1;
    }
    this.keep(bytes.subarray(start));
    return this.events.slice(before);
  }

  /** Takes a last line without its line break, where it is whole. To be called where no more bytes come. */
  end(): TraceEvent[] {
    const before = this.events.length;
    if (!this.torn) this.line();
    return this.events.slice(before);
  }

  private keep(bytes: Uint8Array): void {
    this.length += bytes.length;
    if (this.length > LONGEST_LINE) this.pieces = [];
    else if (bytes.length > 0) this.pieces.push(bytes);
  }

  private line(): void {
    const overlong = this.length > LONGEST_LINE;
    let text = Buffer.concat(this.pieces).toString('utf8');
    if (!this.begun) text = text.replace(/^\uFEFF/, '');
    this.begun = true;
    this.pieces = [];
    this.length = 0;
    if (overlong) this.damaged++;
    if (text.trim() === '') return;
    const event = parseEvent(text);
    if (!event) {
      this.damaged++;
    } else if ((event.type as string) !== 'delta') {
      // Live text belongs in no file, but the terminal's output may have been saved as one.
      this.events.push(event);
      if (event.type === 'run-start' && event.version > TRACE_VERSION) this.newer = true;
    }
  }
}

/** Reads a trace's text past everything that is not an event. Unknown event types are kept. Never throws. */
export function parseTrace(text: string): ReadTrace {
  const reader = new TraceReader();
  reader.read(Buffer.from(text, 'utf8'));
  reader.end();
  return reader;
}

/** The event that stands in a line, or undefined. What readers rely on is checked; the rest is kept as it is. */
export function parseEvent(line: string): TraceEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isEvent(value) ? value : undefined;
}

const CHUNK = 4 << 20;

/** Hands a file's bytes from `from` on to `take`, piece by piece, at most `most` of them. Returns where it stopped. */
export async function readBytes(
  path: string,
  from: number,
  most: number,
  take: (bytes: Uint8Array) => void,
): Promise<number> {
  const file = await open(path, 'r');
  try {
    let at = from;
    while (at < from + most) {
      const length = Math.min(CHUNK, from + most - at);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) break;
      take(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    return at;
  } finally {
    await file.close();
  }
}

/** English with `{0}` for a value; a translation in the host. */
type Say = (english: string, ...values: string[]) => string;
const plain: Say = (english, ...values) => english.replace('{0}', values[0] ?? '');

/** @throws UserError when the file can't be read, or holds no event at all; its words come from `t` */
export async function readTrace(path: string, t: Say = plain): Promise<ReadTrace> {
  const reader = new TraceReader();
  try {
    await readBytes(path, 0, Number.POSITIVE_INFINITY, (bytes) => void reader.read(bytes));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UserError(
      t('The trace file could not be read ({0}).', why),
      t('Check that the file exists and may be read.'),
    );
  }
  reader.end();
  if (reader.events.length === 0) {
    throw new UserError(t('This file holds no trace.'), t('Choose a *.react.jsonl file that the agent wrote.'));
  }
  return reader;
}
