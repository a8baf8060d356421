import * as vscode from 'vscode';
import { runFromFile } from './openTrace';
import type { Runs } from './runs';

const SHOWN = 'reactAgent.shownRun';

/**
 * Remembers which run a window shows and brings it back after a reload. The file is read when a view first asks for a run,
 * never at start. A run that died with its host reads "interrupted".
 */
export function restoreShownRun(runs: Runs, state: vscode.Memento): vscode.Disposable {
  runs.beforeFirstLook = async () => {
    const path = state.get<string>(SHOWN);
    if (!path) return;
    try {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(path));
      const run = runFromFile(path, Buffer.from(bytes).toString('utf8'));
      if (run && !runs.current) runs.show(run);
    } catch {
      await state.update(SHOWN, undefined);
    }
  };
  return runs.onDidChangeRun(() => void state.update(SHOWN, runs.current?.path));
}
