import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TraceEvent } from '../agent/event';

/** What a trace file's name ends with. */
export const TRACE_EXTENSION = '.react.jsonl';

/** A file name for a run that sorts by time: `2026-01-31T12-00-00-000Z-<run>.react.jsonl`. */
export function traceFileName(startedAt: Date, run: string): string {
  return `${startedAt.toISOString().replace(/[:.]/g, '-')}-${run}${TRACE_EXTENSION}`;
}

/**
 * Appends events to a trace file, each on disk before `append` returns. Where the disk refuses (full, read-only, gone), the
 * run goes on: lines wait in memory and are tried again with the next event, and a torn line is taken back first.
 */
export class TraceFile {
  private descriptor: number | undefined;
  /** Length of what is safely written, in bytes. */
  private length = 0;
  private waiting: string[] = [];
  /** Why the last write failed; undefined while all is well. */
  problem: Error | undefined;

  /** @param flags `wx` for a new file (fails when there is one), `a` to go on with one or overwrite nothing */
  constructor(
    readonly path: string,
    private readonly flags: 'wx' | 'w' | 'a' = 'wx',
  ) {}

  /** Returns true when the event, and all that waited before it, are on disk. Never throws; see `problem`. */
  append(event: TraceEvent): boolean {
    this.waiting.push(`${JSON.stringify(event)}\n`);
    try {
      this.descriptor ??= this.open();
      // Take back a torn line from a write that failed half-way.
      if (this.problem) ftruncateSync(this.descriptor, this.length);
      while (this.waiting.length > 0) {
        const line = Buffer.from(this.waiting[0] as string, 'utf8');
        for (let written = 0; written < line.length; ) {
          written += writeSync(this.descriptor, line, written, line.length - written, this.length + written);
        }
        this.length += line.length;
        this.waiting.shift();
      }
      this.problem = undefined;
      return true;
    } catch (error) {
      this.problem = error as Error;
      return false;
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private open(): number {
    mkdirSync(dirname(this.path), { recursive: true });
    // `r+` semantics with creation: positions are ours, so that a torn line can be overwritten.
    const descriptor = openSync(this.path, this.flags === 'a' ? 'r+' : this.flags, 0o600);
    this.length = fstatSync(descriptor).size;
    return descriptor;
  }
}
