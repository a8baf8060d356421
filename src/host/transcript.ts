import * as vscode from 'vscode';
import { foldAll } from '../agent/trace';
import { fileNameFor } from '../traces/names';
import { readTrace } from '../traces/readTrace';
import { languages } from './history';
import { chooseTrace } from './openTrace';
import type { Runs } from './runs';

const SCHEME = 'react-agent-transcript';

/**
 * Opens a run as one linear document with headings, for reading and for screen readers, in the display language. The shown
 * run's transcript grows with it.
 */
export async function openTranscript(runs: Runs, given: unknown): Promise<void> {
  const path = given instanceof vscode.Uri ? given.fsPath : (runs.current?.path ?? (await chooseTrace())?.fsPath);
  if (path === undefined) return;
  const question = (runs.current?.path === path ? runs.current.events : (await readTrace(path)).events).find(
    (event) => event.type === 'run-start',
  )?.question;
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${fileNameFor(question ?? '', '.md')}`, query: path });
  await vscode.window.showTextDocument(uri, { preview: true });
}

/** Serves transcripts by the path of their trace. */
export function transcripts(runs: Runs): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    async provideTextDocumentContent(uri) {
      const { current } = runs;
      const events = current?.path === uri.query ? current.events : (await readTrace(uri.query)).events;
      const { transcript } = await import('./exporting');
      return transcript(foldAll(events), { language: languages()[0] ?? 'en', t: vscode.l10n.t });
    },
  });
  const follow = runs.onEvent(({ event }) => {
    if (event.type !== 'observation' && event.type !== 'run-end') return;
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === SCHEME && uri.query === runs.current?.path) changed.fire(uri);
    }
  });
  return vscode.Disposable.from(changed, provider, follow);
}
