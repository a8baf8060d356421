import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Label, Labels } from './labels';
import { isOwned, OWNER_EXTENSION } from './owner';
import { type RunSummary, SummaryCache } from './summary';
import { TRACE_EXTENSION } from './traceFile';

/** A stored run as the list knows it before its file is looked into. */
export interface TraceEntry {
  name: string;
  path: string;
  /** Milliseconds since 1970, as the file's name says. */
  startedAt: number;
}

export interface TrashedTrace {
  name: string;
  trashName: string;
}

/** Work on many files gives way to others after so many milliseconds. */
const SLICE = 8;
/** Deleted runs can be brought back for so long, in milliseconds. */
const TRASH_AGE = 24 * 60 * 60_000;

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/;

/** All stored runs: one file each in one folder, whose names sort by time. */
export class TraceFolder {
  readonly labels: Labels;
  private readonly summaries = new SummaryCache();
  private readonly trash: string;

  constructor(readonly path: string) {
    this.labels = new Labels(join(path, 'labels.jsonl'));
    this.trash = join(path, 'trash');
  }

  /** Every stored run, newest first, without a look into the files. */
  list(): TraceEntry[] {
    return namesIn(this.path)
      .filter((name) => name.endsWith(TRACE_EXTENSION))
      .map((name) => ({ name, path: join(this.path, name), startedAt: this.startOf(name) }))
      .sort((one, other) => other.startedAt - one.startedAt);
  }

  /** Reads the two ends of a file; what it has read, it keeps. Undefined where there is no trace (any more). */
  summary(entry: TraceEntry): RunSummary | undefined {
    return this.summaries.get(entry.path);
  }

  label(name: string): Label {
    return this.labels.get(name);
  }

  /** Adds to what is noted about a run. */
  setLabel(name: string, change: Label): void {
    mkdirSync(this.path, { recursive: true });
    this.labels.set(name, change);
  }

  /** The file of the run with this identifier, which ends its name. */
  pathOf(run: string): string | undefined {
    const name = run === '' ? undefined : namesIn(this.path).find((one) => one.endsWith(`-${run}${TRACE_EXTENSION}`));
    return name === undefined ? undefined : join(this.path, name);
  }

  /** Moves a run to the trash, from where it can be brought back. False while somebody writes it, and when it is gone. */
  remove(name: string): TrashedTrace | undefined {
    const path = join(this.path, name);
    if (isOwned(path)) return undefined;
    const trashName = `${Date.now()}-${name}`;
    try {
      mkdirSync(this.trash, { recursive: true });
      renameSync(path, join(this.trash, trashName));
      rmSync(path + OWNER_EXTENSION, { force: true });
      return { name, trashName };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Undoes `remove`. False when the trash was emptied since. */
  restore({ name, trashName }: TrashedTrace): boolean {
    try {
      renameSync(join(this.trash, trashName), join(this.path, name));
      return true;
    } catch {
      return false;
    }
  }

  /** What all runs take, those in the trash too, in bytes. */
  async size(): Promise<number> {
    let total = 0;
    await inSlices([...this.list().map(({ path }) => path), ...this.trashed().map(({ path }) => path)], (path) => {
      total += sizeOf(path);
    });
    return total;
  }

  /**
   * Empties the trash of what is older than a day, then makes room: the rest of the trash, then the oldest runs, until all
   * fit. Pinned runs, those being written and the one at `keep` stay. Returns how many runs went.
   * @param most bytes
   */
  async prune(most: number, keep?: string): Promise<number> {
    const now = Date.now();
    for (const { path, since } of this.trashed()) if (now - since > TRASH_AGE) discard(path);
    let total = await this.size();
    let removed = 0;
    for (const { path } of this.trashed()) {
      if (total <= most) break;
      const size = sizeOf(path);
      if (discard(path)) total -= size;
    }
    const entries = this.list();
    await inSlices([...entries].reverse(), ({ name, path }) => {
      if (total <= most || path === keep || this.label(name).pinned || isOwned(path)) return;
      const size = sizeOf(path);
      if (!discard(path)) return;
      total -= size;
      discard(path + OWNER_EXTENSION);
      removed++;
    });
    const kept = new Set(this.list().map(({ name }) => name));
    this.labels.compact((name) => kept.has(name));
    return removed;
  }

  private trashed(): { path: string; since: number }[] {
    return namesIn(this.trash).map((name) => ({ path: join(this.trash, name), since: Number.parseInt(name, 10) || 0 }));
  }

  private startOf(name: string): number {
    const found = NAME.exec(name);
    if (!found) return timeOf(join(this.path, name));
    const [, day, hour, minute, second, ms] = found;
    return Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`);
  }
}

/** Does something with each of many things, and lets others run in between. */
export async function inSlices<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let begun = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - begun < SLICE) continue;
    await new Promise((resolve) => setImmediate(resolve));
    begun = performance.now();
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** False where the file can't be removed, for instance while another program reads it on Windows: the others still go. */
function discard(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
