import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import type { TraceEvent } from '../agent/event';
import { isOwned } from '../traces/owner';
import { readBytes, TraceReader } from '../traces/readTrace';
import { sizeText } from './historyDays';

/** So much of a file is read; the rest is said to be missing. In bytes. */
const MOST_READ = 256_000_000;
/** While a run in the file still goes on and someone looks, its length is looked at so often, in milliseconds. */
const LOOK_EVERY = 500;
/** A file without an owner, such as the terminal writes, counts as growing while it changed within this, in ms. */
const QUIET_AFTER = 30_000;

/** A trace file being read: what it holds, what is wrong with it, and what is added to it while someone looks. */
export class TracedFile implements vscode.Disposable {
  private readonly added = new vscode.EventEmitter<readonly TraceEvent[]>();
  private readonly resetEmitter = new vscode.EventEmitter<void>();
  /** Events that were appended. */
  readonly onEvents = this.added.event;
  /** The file was written anew, or its run's state changed without an event. */
  readonly onReset = this.resetEmitter.event;
  private reader = new TraceReader();
  private size = 0;
  private read = 0;
  private failure: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private visible = false;
  private busy = false;
  private lastState: 'running' | 'ended' | 'interrupted' = 'interrupted';
  private readonly watcher: vscode.FileSystemWatcher;

  constructor(readonly uri: vscode.Uri) {
    const folder = vscode.Uri.joinPath(uri, '..');
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    // A name may hold marks that a pattern would read.
    const pattern = name.replace(/[*?{}[\]]/g, '?');
    this.watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern));
    this.watcher.onDidChange(() => void this.catchUp());
    this.watcher.onDidCreate(() => void this.catchUp());
  }

  get events(): readonly TraceEvent[] {
    return this.reader.events;
  }

  get start() {
    return this.events.find((event) => event.type === 'run-start');
  }

  get state(): 'running' | 'ended' | 'interrupted' {
    if (this.events.at(-1)?.type === 'run-end' || this.events.some((event) => event.type === 'run-end')) return 'ended';
    return this.isGrowing() ? 'running' : 'interrupted';
  }

  private isGrowing(): boolean {
    if (this.uri.scheme !== 'file') return false;
    if (isOwned(this.uri.fsPath)) return true;
    try {
      return Date.now() - statSync(this.uri.fsPath).mtimeMs < QUIET_AFTER;
    } catch {
      return false;
    }
  }

  /** What a person should know about the file, and what is shown nevertheless; undefined when all is well. */
  get problem(): { message: string; hint: string } | undefined {
    const { t } = vscode.l10n;
    const shown = t('What could be read is shown.');
    if (this.failure !== undefined) {
      return {
        message: t('The trace file could not be read ({0}).', this.failure),
        hint: t('Check that the file exists and may be read.'),
      };
    }
    if (this.events.length === 0) {
      return this.size === 0
        ? { message: t('This file is empty.'), hint: t('A run writes its steps here as they happen.') }
        : {
            message: t('This file holds no trace.'),
            hint: t('Traces are *.react.jsonl files that the agent wrote. Open it as text to see what it holds.'),
          };
    }
    const said: string[] = [];
    if (this.reader.newer)
      said.push(t('A newer version of ReAct Agent wrote this trace; update the extension to see all of it.'));
    if (this.read < this.size) {
      const [most, all] = [this.read, this.size].map((bytes) => sizeText(bytes, [vscode.env.language, 'en']));
      said.push(t('The file is {0} large; its first {1} are shown.', all ?? '', most ?? ''));
    }
    if (!this.start) said.push(t('Its beginning is missing.'));
    const { damaged } = this.reader;
    if (damaged === 1) said.push(t('1 line is damaged and left out.'));
    if (damaged > 1) said.push(t('{0} lines are damaged and left out.', damaged));
    if (this.reader.torn && this.state !== 'running')
      said.push(t('Its last line is torn: the process was stopped while it wrote.'));
    return said.length > 0 ? { message: said.join(' '), hint: shown } : undefined;
  }

  async open(): Promise<void> {
    this.reader = new TraceReader();
    this.read = 0;
    await this.readOn();
    this.lastState = this.state;
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible) void this.catchUp();
    this.schedule();
  }

  /** Looks only while someone sees it and its run goes on. */
  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.visible || this.state !== 'running') return;
    this.timer = setTimeout(() => void this.catchUp(), LOOK_EVERY);
  }

  private async catchUp(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const before = this.read;
      const events = await this.readOn();
      if (this.read < before || this.size < before) {
        // Written anew: shorter than what was read already.
        await this.open();
        this.resetEmitter.fire();
      } else if (events.length > 0) {
        this.added.fire(events);
      }
      const { state } = this;
      if (state !== this.lastState && state === 'interrupted') this.resetEmitter.fire();
      this.lastState = state;
    } finally {
      this.busy = false;
      this.schedule();
    }
  }

  /** Reads what is new; returns the events in it. */
  private async readOn(): Promise<readonly TraceEvent[]> {
    const before = this.events.length;
    try {
      if (this.uri.scheme === 'file') {
        this.size = statSync(this.uri.fsPath).size;
        const most = Math.min(this.size, MOST_READ) - this.read;
        if (most > 0) {
          this.read = await readBytes(this.uri.fsPath, this.read, most, (bytes) => void this.reader.read(bytes));
        }
      } else {
        // Other file systems give a file as a whole.
        const bytes = await vscode.workspace.fs.readFile(this.uri);
        this.size = bytes.length;
        if (bytes.length > this.read) this.reader.read(bytes.subarray(this.read));
        this.read = bytes.length;
      }
      if (!this.isGrowing()) this.reader.end();
      this.failure = undefined;
    } catch (error) {
      this.failure = (error as NodeJS.ErrnoException).code ?? String(error);
    }
    return this.events.slice(before);
  }

  dispose(): void {
    // A look that is under way must not plan the next one.
    this.visible = false;
    clearTimeout(this.timer);
    for (const part of [this.watcher, this.added, this.resetEmitter]) part.dispose();
  }
}
