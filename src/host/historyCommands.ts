import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../traces/names';
import type { RunStatus } from '../traces/summary';
import type { TraceEntry, TrashedTrace } from '../traces/traceFolder';
import type { CommandParts } from './commands';
import { openInEditor } from './editorTab';
import { History, type HistoryRun, openFolders, STATUS } from './history';
import { NO_FILTER } from './historyFilter';
import { modelName } from './modelChoice';
import { loadRun } from './openTrace';
import { plain } from './plain';
import { TraceView } from './traceView';

type Parts = Pick<CommandParts, 'history' | 'runs'>;

/** How long a stopped run may take to end, in milliseconds. */
const STOP_PATIENCE = 10_000;

export const showHistory = () => vscode.commands.executeCommand(`${History.id}.focus`);

/** The runs a command is about: those it was called with, or what is selected in the tree. */
function chosen({ history }: Parts, given: unknown, all: unknown): TraceEntry[] {
  if (typeof given === 'string') {
    const name = basename(given);
    return [{ name, path: join(history.folder.path, name), startedAt: 0 }];
  }
  const nodes: readonly unknown[] = Array.isArray(all) ? all : given === undefined ? history.view.selection : [given];
  return nodes.filter((node): node is HistoryRun => (node as HistoryRun)?.kind === 'run').map(({ entry }) => entry);
}

const titleOf = ({ history }: Parts, entry: TraceEntry) =>
  oneLine(history.folder.label(entry.name).title || history.folder.summary(entry)?.question || entry.name, 80);

/** Shows a stored run in the view; in a tab of its own where the view follows another run, or another window writes it. */
export async function openRun(parts: Parts, given: unknown): Promise<void> {
  const [entry] = chosen(parts, given, undefined);
  if (!entry) return;
  const { runs, history } = parts;
  if (runs.current?.path !== entry.path) {
    if (runs.running || history.folder.summary(entry)?.status === 'running')
      return openInEditor(vscode.Uri.file(entry.path));
    runs.show(await loadRun(entry.path, history.folder));
  }
  await vscode.commands.executeCommand(`${TraceView.id}.focus`, { preserveFocus: true });
}

export async function openRunInEditor(parts: Parts, given: unknown, all: unknown): Promise<void> {
  for (const { path } of chosen(parts, given, all)) await openInEditor(vscode.Uri.file(path));
}

/** Goes on with a stored run that was cut off or ended at a limit. */
export async function resumeStoredRun(parts: Parts, given: unknown): Promise<void> {
  if (parts.runs.running) {
    void vscode.window.showWarningMessage(
      `${vscode.l10n.t('A run is still going on.')} ${vscode.l10n.t('Stop it first, or wait for its answer.')}`,
    );
    return;
  }
  const [entry] = chosen(parts, given, undefined);
  await openRun(parts, given);
  // It may have gone into a tab of its own: then the view shows another run, which nobody asked to resume.
  if (entry && parts.runs.current?.path === entry.path) await vscode.commands.executeCommand('reactAgent.resumeRun');
}

export async function renameRun(parts: Parts, given: unknown): Promise<void> {
  const [entry] = chosen(parts, given, undefined);
  if (!entry) return;
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Run'),
    prompt: vscode.l10n.t('Empty: the question is its title again.'),
    value: titleOf(parts, entry),
  });
  if (title === undefined) return;
  parts.history.folder.setLabel(entry.name, { title: title.trim() || null });
  parts.history.refresh();
}

export function pinRun(parts: Parts, pinned: boolean, given: unknown, all: unknown): void {
  for (const { name } of chosen(parts, given, all)) parts.history.folder.setLabel(name, { pinned });
  parts.history.refresh();
}

/** Moves runs to the trash and offers to take that back. A run of this window is stopped first, when that is wanted. */
export async function deleteRun(parts: Parts, given: unknown, all: unknown): Promise<void> {
  const { history, runs } = parts;
  const removed: TrashedTrace[] = [];
  const entries = chosen(parts, given, all);
  const [first] = entries;
  if (!first) return;
  const title = plain(titleOf(parts, first));
  for (const entry of entries) {
    if (runs.running && runs.current?.path === entry.path && !(await stopFirst(parts))) continue;
    const trashed = history.folder.remove(entry.name);
    if (trashed) removed.push(trashed);
    else if (history.folder.summary(entry)) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('“{0}” is still running in another window. Stop it there first.', plain(titleOf(parts, entry))),
      );
    }
  }
  history.refresh();
  if (removed.length === 0) return;
  const undo = vscode.l10n.t('Undo');
  const said =
    removed.length === 1 ? vscode.l10n.t('Deleted “{0}”.', title) : vscode.l10n.t('{0} runs deleted.', removed.length);
  void vscode.window.showInformationMessage(said, undo).then((choice) => {
    if (choice !== undo) return;
    const back = removed.filter((one) => history.folder.restore(one)).length;
    if (back < removed.length) {
      void vscode.window.showWarningMessage(vscode.l10n.t('The trash was emptied; the run can’t be brought back.'));
    }
    history.refresh();
  });
}

async function stopFirst({ runs }: Parts): Promise<boolean> {
  const stop = vscode.l10n.t('Stop and Delete');
  const question = vscode.l10n.t('This run is still going on.');
  if ((await vscode.window.showWarningMessage(question, { modal: true }, stop)) !== stop) return false;
  runs.stop();
  for (const end = Date.now() + STOP_PATIENCE; runs.running && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // The file is closed a moment after the last event.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return !runs.running;
}

/** Filters the tree while words are typed; Escape takes that back. */
export async function searchHistory({ history }: Parts, given: unknown): Promise<void> {
  if (typeof given === 'string') {
    history.setFilter({ search: given });
    return;
  }
  // First: the focus that it takes would close the box.
  await showHistory();
  const before = history.currentFilter.search;
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t('Search History');
  input.placeholder = vscode.l10n.t('Words in questions and answers');
  input.value = before;
  let accepted = false;
  let timer: NodeJS.Timeout | undefined;
  input.onDidChangeValue((search) => {
    clearTimeout(timer);
    timer = setTimeout(() => history.setFilter({ search }), 150);
  });
  input.onDidAccept(() => {
    accepted = true;
    input.hide();
  });
  input.onDidHide(() => {
    clearTimeout(timer);
    history.setFilter({ search: accepted ? input.value : before });
    input.dispose();
  });
  input.show();
}

export const clearHistoryFilter = ({ history }: Parts) => history.setFilter(NO_FILTER);

interface FilterItem extends vscode.QuickPickItem {
  status?: RunStatus;
  model?: string;
  special?: 'pinned' | 'here';
}

export async function filterHistory({ history }: Parts): Promise<void> {
  const { currentFilter: filter } = history;
  const models = [...new Set((await history.summaries()).map(({ model }) => model))].filter(Boolean).sort();
  const heading = (label: string): FilterItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items: FilterItem[] = [
    { label: vscode.l10n.t('Asked in this workspace'), special: 'here', picked: filter.folders !== undefined },
    { label: vscode.l10n.t('Pinned'), special: 'pinned', picked: filter.pinned },
    heading(vscode.l10n.t('Outcome')),
    ...(Object.keys(STATUS) as RunStatus[]).map((status) => ({
      label: STATUS[status]().label,
      iconPath: new vscode.ThemeIcon(STATUS[status]().icon),
      status,
      picked: filter.statuses.includes(status),
    })),
    heading(vscode.l10n.t('Model')),
    ...models.map((model) => ({ label: oneLine(modelName(model), 80), model, picked: filter.models.includes(model) })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Filter History'),
    placeHolder: vscode.l10n.t('Choose what to show; nothing chosen shows all runs'),
    canPickMany: true,
  });
  if (!picked) return;
  history.setFilter({
    statuses: picked.flatMap(({ status }) => status ?? []),
    models: picked.flatMap(({ model }) => model ?? []),
    pinned: picked.some(({ special }) => special === 'pinned'),
    folders: picked.some(({ special }) => special === 'here') ? openFolders() : undefined,
  });
}
