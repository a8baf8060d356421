import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Outcome, RunEnd, RunStart, TraceEvent } from '../agent/event';
import { isOwned } from './owner';
import { parseEvent } from './readTrace';

/** `not-found`: answered with an honest "not found". */
export type RunStatus = Outcome | 'not-found' | 'running' | 'interrupted';

/** What a list shows of a run, read from the two ends of its file. */
export interface RunSummary {
  path: string;
  /** File name. */
  name: string;
  /** In bytes. */
  size: number;
  status: RunStatus;
  run: string;
  question: string;
  model: string;
  /** ISO 8601. */
  startedAt: string;
  answer?: string;
  steps: number;
  parent?: NonNullable<RunStart['parent']>;
}

/** The first read at each end, and the most that is read where a line is longer; in bytes. */
const FIRST_READ = 16 << 10;
const LAST_READ = 8 << 20;
/** What is kept of a question and an answer for searching, in UTF-16 units. */
const KEPT_TEXT = 20_000;

/** Reads the first line and the last whole event of a trace; undefined for a file that does not begin as a trace does. */
export function summarize(path: string): RunSummary | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const start = firstEvent(file, size);
    if (start?.type !== 'run-start') return undefined;
    const last = lastEvent(file, size) ?? start;
    const end = last.type === 'run-end' ? last : undefined;
    return {
      path,
      name: basename(path),
      size,
      status: end ? statusOf(end) : isOwned(path) ? 'running' : 'interrupted',
      run: start.run,
      question: start.question.slice(0, KEPT_TEXT),
      model: start.model,
      startedAt: start.time,
      ...(end?.answer === undefined ? {} : { answer: end.answer.slice(0, KEPT_TEXT) }),
      steps: end?.steps ?? ('step' in last && typeof last.step === 'number' ? last.step : 0),
      ...(start.parent ? { parent: start.parent } : {}),
    };
  } finally {
    closeSync(file);
  }
}

const statusOf = ({ outcome, found }: RunEnd): RunStatus =>
  outcome === 'answered' && found === false ? 'not-found' : outcome;

function bytesOf(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
}

function firstEvent(file: number, size: number): TraceEvent | undefined {
  for (let length = FIRST_READ; ; length *= 8) {
    const bytes = bytesOf(file, 0, Math.min(size, length));
    const end = bytes.indexOf(10);
    if (end >= 0) return parseEvent(bytes.toString('utf8', 0, end).replace(/^\uFEFF/, ''));
    if (length >= size || length >= LAST_READ) return undefined;
  }
}

/** The last line that is an event; a torn tail is passed over. */
function lastEvent(file: number, size: number): TraceEvent | undefined {
  for (let length = FIRST_READ; ; length *= 8) {
    const from = Math.max(0, size - length);
    const lines = bytesOf(file, from, size).toString('utf8').split('\n');
    // Where the piece begins in mid-line, its first line is no line.
    for (let index = lines.length - 1; index >= (from === 0 ? 0 : 1); index--) {
      const event = lines[index]!.trim() === '' ? undefined : parseEvent(lines[index]!);
      if (event) return event;
    }
    if (from === 0 || length >= LAST_READ) return undefined;
  }
}

/** Summaries by path, read again only where size or time of a file changed, or its run was still going on. */
export class SummaryCache {
  private readonly known = new Map<string, { size: number; mtime: number; summary: RunSummary | undefined }>();

  /** Undefined for a file that is gone, can't be read or is no trace. */
  get(path: string): RunSummary | undefined {
    try {
      const { size, mtimeMs: mtime } = statSync(path);
      const known = this.known.get(path);
      const open = known?.summary?.status === 'running' || known?.summary?.status === 'interrupted';
      if (known?.size === size && known.mtime === mtime) {
        if (open && known.summary) known.summary.status = isOwned(path) ? 'running' : 'interrupted';
        return known.summary;
      }
      const summary = summarize(path);
      this.known.set(path, { size, mtime, summary });
      return summary;
    } catch {
      this.known.delete(path);
      return undefined;
    }
  }
}
