import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { TraceEvent } from '../agent/event';
import { foldAll } from '../agent/trace';
import type { Exporter } from '../exporters/exporter';
import { fileNameFor } from '../traces/names';
import type { PatternError } from '../traces/redact';
import { activeTrace } from './editorTab';
import { chooseTrace, isRunning, readTraceAt } from './openTrace';
import { plain } from './plain';
import type { Runs } from './runs';
import { SECTION } from './settings';

export interface ExportSettings {
  redactPatterns: string[];
  includeContent: boolean;
  otlpEndpoint: string;
}

export function exportSettings(): ExportSettings {
  const settings = vscode.workspace.getConfiguration(`${SECTION}.export`);
  return {
    redactPatterns: settings.get<string[]>('redactPatterns') ?? [],
    includeContent: settings.get<boolean>('includeContent') ?? false,
    otlpEndpoint: (settings.get<string>('otlpEndpoint') ?? '').trim(),
  };
}

/** Writes a trace in another format. Keys, tokens and home folders are taken out first, in every format. */
export async function exportText(id: string, events: readonly TraceEvent[], running = false): Promise<string> {
  const { EXPORTERS, redact } = await import('./exporting');
  const exporter = EXPORTERS.find((one) => one.id === id);
  if (!exporter) throw new Error(`There is no export format ${id}`);
  const { redactPatterns, includeContent } = exportSettings();
  const trace = redact(foldAll(events), { patterns: redactPatterns });
  return exporter.write(trace, { language: vscode.env.language, t: vscode.l10n.t, includeContent, running });
}

/** Exports the given, the active, the shown or a chosen trace to a file of the user's choice. */
export async function exportTrace(runs: Runs, given: unknown, format: unknown, target: unknown): Promise<void> {
  const trace = await traceOf(runs, given);
  const events = trace && (await eventsOf(runs, trace));
  if (!events) return;
  const { EXPORTERS } = await import('./exporting');
  const exporter = EXPORTERS.find(({ id }) => id === format) ?? (await chooseExporter(EXPORTERS));
  if (!exporter) return;
  let text: string;
  try {
    text = await exportText(exporter.id, events, isRunning(trace));
  } catch (error) {
    return explain(error);
  }
  const question = events.find((event) => event.type === 'run-start')?.question ?? '';
  const uri =
    target instanceof vscode.Uri
      ? target
      : await vscode.window.showSaveDialog({
          title: vscode.l10n.t('Export Trace'),
          defaultUri: vscode.Uri.joinPath(startFolder(), fileNameFor(question, exporter.extension)),
          filters: {
            [vscode.l10n.t(exporter.label)]: [exporter.extension.slice(exporter.extension.lastIndexOf('.') + 1)],
          },
        });
  if (!uri) return;
  try {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const again = vscode.l10n.t('Choose Another Place');
    const message = vscode.l10n.t('The trace could not be exported: {0}', why);
    void vscode.window.showErrorMessage(plain(message), again).then((choice) => {
      if (choice === again) void exportTrace(runs, given, exporter.id, undefined);
    });
    return;
  }
  const open = vscode.l10n.t('Open');
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  void vscode.window.showInformationMessage(vscode.l10n.t('Exported to {0}.', plain(name)), open).then((choice) => {
    if (choice === open) void openExport(uri);
  });
}

/** A page opens in the browser, where that can reach it; all else in an editor. */
async function openExport(uri: vscode.Uri): Promise<void> {
  const inBrowser = uri.scheme === 'file' && uri.path.endsWith('.html') && !vscode.env.remoteName;
  if (inBrowser && (await vscode.env.openExternal(uri))) return;
  await vscode.commands.executeCommand('vscode.open', uri);
}

/** The trace that is meant: the given one, the one in the active tab, the shown one, or one that is chosen. */
async function traceOf(runs: Runs, given: unknown): Promise<vscode.Uri | undefined> {
  if (given instanceof vscode.Uri) return given;
  const path = (given as { entry?: { path?: unknown } } | undefined)?.entry?.path;
  if (typeof path === 'string') return vscode.Uri.file(path);
  return activeTrace() ?? (runs.current ? vscode.Uri.file(runs.current.path) : chooseTrace());
}

async function eventsOf(runs: Runs, uri: vscode.Uri): Promise<readonly TraceEvent[] | undefined> {
  if (uri.scheme === 'file' && uri.fsPath === runs.current?.path) return runs.current.events;
  const { events } = await readTraceAt(uri);
  if (events.length > 0) return events;
  void vscode.window.showErrorMessage(vscode.l10n.t('This file holds no trace.'));
  return undefined;
}

async function chooseExporter(exporters: readonly Exporter[]): Promise<Exporter | undefined> {
  const items = exporters.map((exporter) => ({
    label: vscode.l10n.t(exporter.label),
    description: exporter.extension,
    exporter,
  }));
  const title = vscode.l10n.t('Export Trace');
  const placeHolder = vscode.l10n.t('Keys, tokens, home folders and your own patterns are taken out');
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.exporter;
}

/** The first folder of the workspace, wherever it lies; without one the home folder. */
function startFolder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
}

/** What is wrong with a pattern of the user's, in the display language; undefined for any other error. */
export function patternProblem(error: unknown): string | undefined {
  // No instanceof: the class that was thrown lies in another bundle.
  const { pattern, why, detail } = error as Partial<PatternError>;
  if (pattern === undefined || detail === undefined) return undefined;
  return why === 'slow'
    ? vscode.l10n.t('The pattern “{0}” takes too long on this trace; nothing was exported.', pattern)
    : vscode.l10n.t('The pattern “{0}” can’t be read; nothing was exported. {1}', pattern, detail);
}

function explain(error: unknown): void {
  const message = patternProblem(error);
  if (message === undefined) throw error;
  const open = vscode.l10n.t('Open Settings');
  void vscode.window.showErrorMessage(plain(message), open).then((choice) => {
    if (choice === open) {
      void vscode.commands.executeCommand('workbench.action.openSettings', `${SECTION}.export.redactPatterns`);
    }
  });
}
