import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TraceEvent } from '../agent/event';
import { makeFolder } from './makeFolder';
import { claim, release } from './owner';

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
  private waiting: Buffer[] = [];
  /** Why the last write failed; undefined while all is well. */
  problem: Error | undefined;

  /** @param flags `wx` for a new file that this process owns (fails when there is one), `w` to write a file of the user's anew */
  constructor(
    readonly path: string,
    private readonly flags: 'wx' | 'w' = 'wx',
  ) {}

  /** Returns true when the event, and all that waited before it, are on disk. Never throws; see `problem`. */
  append(event: TraceEvent): boolean {
    this.waiting.push(Buffer.from(`${JSON.stringify(event)}\n`, 'utf8'));
    return this.write();
  }

  /** Tries once more to write what waits. Returns true when all of it is on disk. */
  close(): boolean {
    const whole = this.waiting.length === 0 || this.write();
    if (this.descriptor === undefined) return whole;
    closeSync(this.descriptor);
    this.descriptor = undefined;
    if (this.flags === 'wx') release(this.path);
    return whole;
  }

  private write(): boolean {
    try {
      this.descriptor ??= this.open();
      // Take back a torn line from a write that failed half-way.
      if (this.problem) ftruncateSync(this.descriptor, this.length);
      for (let line = this.waiting[0]; line; line = this.waiting[0]) {
        // Positions are ours, so that a torn line can be overwritten.
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

  private open(): number {
    makeFolder(dirname(this.path));
    const descriptor = openSync(this.path, this.flags, 0o600);
    this.length = fstatSync(descriptor).size;
    if (this.flags === 'wx') claim(this.path);
    return descriptor;
  }
}
