import { basename } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../traces/names';
import type { RunStatus, RunSummary } from '../traces/summary';
import { inSlices, type TraceEntry, type TraceFolder } from '../traces/traceFolder';
import { dayLabel, dayOf, sizeText } from './historyDays';
import { type HistoryFilter, isFiltering, matches, NO_FILTER } from './historyFilter';
import { modelName } from './modelChoice';
import type { Runs } from './runs';
import { readSettings } from './settings';

/** A day, or the pinned runs, which stand first. */
export interface HistoryGroup {
  kind: 'group';
  /** `2026-01-31`, or `pinned`. */
  id: string;
  entries: TraceEntry[];
}
export interface HistoryRun {
  kind: 'run';
  entry: TraceEntry;
  group: HistoryGroup;
}
export type HistoryNode = HistoryGroup | HistoryRun;

const PINNED = 'pinned';
/** Changes come in bursts; the tree is read again once they are over. In milliseconds. */
const REST = 200;

/** Display language first; what it lacks is said in English, never in the system's language. */
export const languages = () => [vscode.env.language, 'en'];

export const STATUS: Record<RunStatus, () => { label: string; icon: string; color?: string }> = {
  answered: () => ({ label: vscode.l10n.t('Answered'), icon: 'pass', color: 'testing.iconPassed' }),
  'not-found': () => ({ label: vscode.l10n.t('Not found'), icon: 'question', color: 'list.warningForeground' }),
  limit: () => ({ label: vscode.l10n.t('Ended at a limit'), icon: 'warning', color: 'list.warningForeground' }),
  cancelled: () => ({ label: vscode.l10n.t('Stopped'), icon: 'circle-slash' }),
  failed: () => ({ label: vscode.l10n.t('Failed'), icon: 'error', color: 'list.errorForeground' }),
  interrupted: () => ({
    label: vscode.l10n.t('Interrupted'),
    icon: 'debug-disconnect',
    color: 'list.warningForeground',
  }),
  running: () => ({ label: vscode.l10n.t('Running'), icon: 'play-circle', color: 'charts.blue' }),
};

/** All stored runs as a tree: pinned ones, then day by day. Files are looked into only where the tree is open. */
export class History implements vscode.TreeDataProvider<HistoryNode>, vscode.Disposable {
  static readonly id = 'reactAgent.history';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<HistoryNode>;
  private filter: HistoryFilter = NO_FILTER;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly runs: Runs,
    readonly folder: TraceFolder,
  ) {
    this.view = vscode.window.createTreeView(History.id, {
      treeDataProvider: this,
      canSelectMany: true,
      showCollapseAll: true,
    });
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(folder.path), '*.jsonl'),
    );
    this.subscriptions = [
      this.view,
      this.changed,
      watcher,
      watcher.onDidCreate(() => this.refresh()),
      watcher.onDidDelete(() => this.refresh()),
      watcher.onDidChange((uri) => this.look(uri)),
      this.view.onDidChangeVisibility(() => this.refresh()),
      runs.onEvent(({ event }) => {
        if (event.type === 'run-start') this.remember();
        if (event.type === 'run-start' || event.type === 'run-end') this.refresh();
        if (event.type === 'run-end') void this.prune();
      }),
    ];
  }

  /** Notes in which folders a run is asked. */
  private remember(): void {
    const { current } = this.runs;
    if (!current) return;
    try {
      this.folder.setLabel(basename(current.path), { folders: openFolders() });
    } catch {
      // A full disk: the run itself says so; History then lists it without its folders.
    }
  }

  /** Keeps stored runs within the size that the settings allow. */
  async prune(): Promise<void> {
    await this.folder.prune(readSettings().traceMegabytes * 1e6, this.runs.current?.path);
    this.refresh();
  }

  /** A run that goes on grows all the time; the tree shows only that it does, and how it ended. */
  private look(uri: vscode.Uri): void {
    if (!this.view.visible) return;
    const entry = { name: basename(uri.fsPath), path: uri.fsPath, startedAt: 0 };
    if (this.folder.summary(entry)?.status !== 'running') this.refresh();
  }

  /** Has the tree read again, if anybody sees it. */
  refresh(): void {
    if (!this.view.visible) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire();
    }, REST);
  }

  get currentFilter(): HistoryFilter {
    return this.filter;
  }

  setFilter(change: Partial<HistoryFilter>): void {
    this.filter = { ...this.filter, ...change };
    const filtering = isFiltering(this.filter);
    void vscode.commands.executeCommand('setContext', 'reactAgent.historyFiltered', filtering);
    this.changed.fire();
  }

  /** Summaries of all runs, newest first; those that can't be read are left out. */
  async summaries(): Promise<RunSummary[]> {
    const found: RunSummary[] = [];
    await inSlices(this.folder.list(), (entry) => {
      const summary = this.folder.summary(entry);
      if (summary) found.push(summary);
    });
    return found;
  }

  async getChildren(node?: HistoryNode): Promise<HistoryNode[]> {
    if (node?.kind === 'run') return [];
    if (node) {
      const runs: HistoryRun[] = [];
      await inSlices(node.entries, (entry) => {
        if (this.folder.summary(entry)) runs.push({ kind: 'run', entry, group: node });
      });
      return runs;
    }
    const entries = await this.shown();
    this.describe(entries.length);
    const groups = new Map<string, HistoryGroup>();
    const add = (id: string, entry: TraceEntry) => {
      const group = groups.get(id) ?? { kind: 'group' as const, id, entries: [] };
      group.entries.push(entry);
      groups.set(id, group);
    };
    for (const entry of entries) if (this.folder.label(entry.name).pinned) add(PINNED, entry);
    for (const entry of entries) if (!this.folder.label(entry.name).pinned) add(dayOf(entry.startedAt), entry);
    return [...groups.values()];
  }

  private async shown(): Promise<TraceEntry[]> {
    const entries = this.folder.list();
    if (!isFiltering(this.filter)) return entries;
    const found: TraceEntry[] = [];
    await inSlices(entries, (entry) => {
      const summary = this.folder.summary(entry);
      if (summary && matches(summary, this.folder.label(entry.name), this.filter)) found.push(entry);
    });
    return found;
  }

  private describe(count: number): void {
    const { search } = this.filter;
    const number = new Intl.NumberFormat(languages()).format(count);
    const found = count === 1 ? vscode.l10n.t('1 run') : vscode.l10n.t('{0} runs', number);
    this.view.message = isFiltering(this.filter)
      ? search.trim()
        ? vscode.l10n.t('{0} with “{1}”', found, oneLine(search, 60))
        : vscode.l10n.t('Filtered: {0}', found)
      : undefined;
    void this.folder.size().then((bytes) => {
      this.view.description = bytes > 0 ? sizeText(bytes, languages()) : '';
    });
  }

  getParent(node: HistoryNode): HistoryNode | undefined {
    return node.kind === 'run' ? node.group : undefined;
  }

  getTreeItem(node: HistoryNode): vscode.TreeItem {
    return node.kind === 'group' ? this.groupItem(node) : this.runItem(node);
  }

  private groupItem({ id, entries }: HistoryGroup): vscode.TreeItem {
    const label = id === PINNED ? vscode.l10n.t('Pinned') : dayLabel(id, Date.now(), languages());
    const open = id === PINNED || id === dayOf(Date.now()) || isFiltering(this.filter) || entries.length < 6;
    const state = open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(label, state);
    item.id = `${id}${isFiltering(this.filter) ? ' filtered' : ''}`;
    item.description = new Intl.NumberFormat(languages()).format(entries.length);
    item.contextValue = 'group';
    return item;
  }

  private runItem({ entry }: HistoryRun): vscode.TreeItem {
    const summary = this.folder.summary(entry);
    const label = this.folder.label(entry.name);
    if (!summary) return new vscode.TreeItem(entry.name);
    const { label: status, icon, color } = STATUS[summary.status]();
    const title = oneLine(label.title || summary.question, 120) || vscode.l10n.t('(no question)');
    const time = new Intl.DateTimeFormat(languages(), { timeStyle: 'short' }).format(entry.startedAt);
    const steps = summary.steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', summary.steps);
    const item = new vscode.TreeItem(title);
    item.id = entry.name;
    item.description = `${time} · ${steps}`;
    item.iconPath = new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
    item.tooltip = this.tooltip(summary, status, label.folders);
    item.accessibilityInformation = { label: [title, status, time, steps].join(', ') };
    const isOpenEnded = !['answered', 'not-found', 'running'].includes(summary.status);
    item.contextValue = [
      'run',
      label.pinned ? 'pinned' : 'unpinned',
      summary.status === 'running' ? 'running' : 'still',
      ...(isOpenEnded ? ['resumable'] : []),
    ].join(' ');
    item.command = {
      command: 'reactAgent.openRun',
      title: vscode.l10n.t('Show Steps'),
      arguments: [{ kind: 'run', entry }],
    };
    return item;
  }

  /** Texts of others are put in as text, never as Markdown. */
  private tooltip(summary: RunSummary, status: string, folders: readonly string[] | undefined): vscode.MarkdownString {
    const date = new Intl.DateTimeFormat(languages(), { dateStyle: 'long', timeStyle: 'short' });
    const facts = [
      status,
      date.format(Date.parse(summary.startedAt) || 0),
      modelName(summary.model),
      sizeText(summary.size, languages()),
    ];
    const text = new vscode.MarkdownString().appendText(oneLine(summary.question, 400));
    if (summary.answer) text.appendMarkdown('\n\n').appendText(oneLine(summary.answer, 400));
    text.appendMarkdown('\n\n').appendText(facts.join(' · '));
    if (folders?.length) text.appendMarkdown('\n\n').appendText(folders.map(folderText).join(', '));
    return text;
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** The addresses of the folders that are open now. */
export const openFolders = () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());

function folderText(address: string): string {
  const uri = vscode.Uri.parse(address);
  return uri.scheme === 'file' ? uri.fsPath : address;
}
