import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { TraceEvent } from '../agent/event';
import { Inbox } from '../agent/inbox';
import { isOwned } from '../traces/owner';
import { type ReadTrace, readTrace, TraceReader } from '../traces/readTrace';
import { TRACE_EXTENSION } from '../traces/traceFile';
import type { TraceFolder } from '../traces/traceFolder';
import type { LiveRun, Runs } from './runs';

/** A conversation goes back at most so many runs. */
const LONGEST_CONVERSATION = 20;

/** Where a run can go on: its question, and its last complete step. Undefined for one that was answered. */
export function resumePoint(events: readonly TraceEvent[]): { question: string; step?: number } | undefined {
  const start = events.find((event) => event.type === 'run-start');
  const end = events.findLast((event) => event.type === 'run-end');
  if (!start || end?.outcome === 'answered') return undefined;
  const step = events.findLast((event) => event.type === 'observation')?.step;
  return { question: start.question, ...(step === undefined ? {} : { step }) };
}

/**
 * A run read from its file, with the conversation that it goes on with, fit to be shown.
 * @throws UserError when the file can't be read or holds no trace
 */
export async function loadRun(path: string, folder: TraceFolder): Promise<LiveRun> {
  const { events } = await readTrace(path, (english, ...values) => vscode.l10n.t(english, ...values));
  const start = events.find((event) => event.type === 'run-start');
  const end = events.findLast((event) => event.type === 'run-end');
  return {
    id: start?.run ?? basename(path),
    state: end ? 'ended' : 'interrupted',
    events,
    live: [],
    path,
    inbox: new Inbox(),
    stopper: new AbortController(),
    before: await conversationBefore(events, folder),
  };
}

/**
 * The earlier runs of a conversation, oldest first, by their parents. A run that was resumed stands for the one that it goes
 * on with; one that was deleted ends the search.
 */
async function conversationBefore(events: readonly TraceEvent[], folder: TraceFolder): Promise<TraceEvent[][]> {
  const before: TraceEvent[][] = [];
  const seen = new Set<string>();
  let parent = events.find((event) => event.type === 'run-start')?.parent;
  while (parent && !seen.has(parent.run) && before.length < LONGEST_CONVERSATION) {
    seen.add(parent.run);
    const path = folder.pathOf(parent.run);
    const earlier = path && (await readTrace(path).catch(() => undefined))?.events;
    if (!earlier) break;
    if (parent.kind === 'follow-up') before.unshift(earlier);
    parent = earlier.find((event) => event.type === 'run-start')?.parent;
  }
  return before;
}

/** True while this or another window writes the trace. */
export const isRunning = (uri: vscode.Uri) => uri.scheme === 'file' && isOwned(uri.fsPath);

/** What a trace file holds, wherever it lies. @throws where it can't be read */
export async function readTraceAt(uri: vscode.Uri): Promise<ReadTrace> {
  if (uri.scheme === 'file') return readTrace(uri.fsPath);
  const reader = new TraceReader();
  reader.read(await vscode.workspace.fs.readFile(uri));
  reader.end();
  return reader;
}

/** Opens the shown run's file, or one that is chosen, as text. */
export async function openTraceFile(runs: Runs, given: unknown): Promise<void> {
  const uri =
    given instanceof vscode.Uri ? given : runs.current ? vscode.Uri.file(runs.current.path) : await chooseTrace();
  if (!uri) return;
  try {
    await vscode.window.showTextDocument(uri, { preview: true });
  } catch {
    // Extensions get no document above 50 MB; the editor itself may still show it.
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default');
  }
}

export async function chooseTrace(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open Trace File'),
    filters: { [vscode.l10n.t('ReAct traces')]: [TRACE_EXTENSION.replace(/^\.react\./, '')] },
  });
  return chosen?.[0];
}
