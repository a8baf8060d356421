import * as vscode from 'vscode';
import type { TraceEvent } from '../agent/event';
import { foldAll } from '../agent/trace';
import { fileNameFor } from '../traces/names';
import { chooseTrace, isRunning, readTraceAt } from './openTrace';
import type { Runs } from './runs';

const SCHEME = 'react-agent-transcript';

/**
 * Opens a run as one linear document with headings, for reading and for screen readers, in the display language. The shown
 * run's transcript grows with it.
 */
export async function openTranscript(runs: Runs, given: unknown): Promise<void> {
  const trace =
    given instanceof vscode.Uri ? given : runs.current ? vscode.Uri.file(runs.current.path) : await chooseTrace();
  if (!trace) return;
  const start = (await eventsAt(runs, trace)).find((event) => event.type === 'run-start');
  const path = `/${fileNameFor(start?.question ?? '', '.md')}`;
  const uri = vscode.Uri.from({ scheme: SCHEME, path, query: trace.toString() });
  await vscode.window.showTextDocument(uri, { preview: true });
}

const isShown = ({ current }: Runs, trace: vscode.Uri) => trace.scheme === 'file' && current?.path === trace.fsPath;

async function eventsAt(runs: Runs, trace: vscode.Uri): Promise<readonly TraceEvent[]> {
  return isShown(runs, trace) && runs.current ? runs.current.events : (await readTraceAt(trace)).events;
}

/** Serves transcripts by the address of their trace. */
export function transcripts(runs: Runs): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    async provideTextDocumentContent({ query }) {
      const trace = vscode.Uri.parse(query);
      const events = await eventsAt(runs, trace);
      const { transcript } = await import('./exporting');
      const options = { language: vscode.env.language, t: vscode.l10n.t, running: isRunning(trace) };
      return transcript(foldAll(events), options);
    },
  });
  const follow = runs.onEvent(({ event }) => {
    if (event.type !== 'observation' && event.type !== 'run-end') return;
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === SCHEME && isShown(runs, vscode.Uri.parse(uri.query))) changed.fire(uri);
    }
  });
  return vscode.Disposable.from(changed, provider, follow);
}
