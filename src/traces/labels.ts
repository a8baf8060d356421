import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';

/** What people add to a run, and where it was asked; kept beside the traces, which are never changed. */
export interface Label {
  /** A title of the user's own; null takes it back. */
  title?: string | null;
  pinned?: boolean;
  /** Addresses of the workspace folders that were open when it was asked. */
  folders?: string[];
}

const COMPACT_FROM = 1 << 20;

/**
 * Labels by file name. Each change is a line at the end of one file, so that two windows that write at once both keep their
 * change; the last word on a field counts.
 */
export class Labels {
  private labels = new Map<string, Label>();
  private seen = '';

  constructor(readonly path: string) {}

  get(name: string): Label {
    this.refresh();
    return this.labels.get(name) ?? {};
  }

  /** @throws where the disk refuses */
  set(name: string, change: Label): void {
    appendFileSync(this.path, `${JSON.stringify({ name, ...change })}\n`, { mode: 0o600 });
  }

  /** Rewrites a file that has grown large, without the labels of runs that are gone. */
  compact(isKept: (name: string) => boolean): void {
    this.refresh();
    try {
      if (statSync(this.path).size < COMPACT_FROM) return;
      const lines = [...this.labels].filter(([name]) => isKept(name));
      const temporary = `${this.path}.${process.pid}`;
      writeFileSync(temporary, lines.map(([name, label]) => `${JSON.stringify({ name, ...label })}\n`).join(''), {
        mode: 0o600,
      });
      renameSync(temporary, this.path);
    } catch {
      // There is none yet, or it stays large.
    }
  }

  private refresh(): void {
    let text: string;
    try {
      const { size, mtimeMs, ino } = statSync(this.path);
      const seen = `${ino} ${size} ${mtimeMs}`;
      if (seen === this.seen) return;
      text = readFileSync(this.path, 'utf8');
      this.seen = seen;
    } catch (error) {
      // What can't be read for a moment is still known: a pin forgotten would be a run removed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
      this.seen = '';
      text = '';
    }
    this.labels = new Map();
    for (const line of text.split('\n')) {
      const entry = parse(line);
      if (entry) this.labels.set(entry.name, { ...this.labels.get(entry.name), ...entry.change });
    }
  }
}

function parse(line: string): { name: string; change: Label } | undefined {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // Torn, or the blank line at the end.
  }
  const { name, title, pinned, folders } = value ?? {};
  if (typeof name !== 'string') return undefined;
  const change: Label = {};
  if (typeof title === 'string' || title === null) change.title = title;
  if (typeof pinned === 'boolean') change.pinned = pinned;
  if (Array.isArray(folders)) change.folders = folders.filter((folder) => typeof folder === 'string');
  return { name, change };
}
