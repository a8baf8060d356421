import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { TraceEvent } from '../agent/event';
import { Inbox } from '../agent/inbox';
import { parseTrace } from '../traces/readTrace';
import { TRACE_EXTENSION } from '../traces/traceFile';
import type { LiveRun, Runs } from './runs';

/** Where a run can go on: its question, and its last complete step. */
export function resumePoint(events: readonly TraceEvent[]): { question: string; step?: number } | undefined {
  const start = events.find((event) => event.type === 'run-start');
  if (!start) return undefined;
  const step = events.findLast((event) => event.type === 'observation')?.step;
  return { question: start.question, ...(step === undefined ? {} : { step }) };
}

/** A run read from its file, fit to be shown; undefined when the file holds none. */
export function runFromFile(path: string, text: string): LiveRun | undefined {
  const { events } = parseTrace(text);
  if (events.length === 0) return undefined;
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
    before: [],
    ...(end?.error?.action ? { errorAction: end.error.action } : {}),
  };
}

/** Opens the shown run's file, or one that is chosen, as text. */
export async function openTraceFile(runs: Runs, given: unknown): Promise<void> {
  const uri = given instanceof vscode.Uri ? given : runs.current ? vscode.Uri.file(runs.current.path) : await choose();
  if (uri) await vscode.window.showTextDocument(uri, { preview: true });
}

async function choose(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open Trace File'),
    filters: { [vscode.l10n.t('ReAct traces')]: [TRACE_EXTENSION.replace(/^\.react\./, '')] },
  });
  return chosen?.[0];
}
