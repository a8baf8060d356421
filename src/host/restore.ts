import type * as vscode from 'vscode';
import type { TraceFolder } from '../traces/traceFolder';
import { loadRun } from './openTrace';
import type { Runs } from './runs';

const SHOWN = 'reactAgent.shownRun';

/**
 * Remembers which run a window shows and brings it back after a reload. The file is read when a view first asks for a run,
 * never at start. A run that died with its host reads "interrupted".
 */
export function restoreShownRun(runs: Runs, folder: TraceFolder, state: vscode.Memento): vscode.Disposable {
  runs.beforeFirstLook = async () => {
    const path = state.get<string>(SHOWN);
    if (!path) return;
    try {
      const run = await loadRun(path, folder);
      runs.restore(run);
    } catch {
      await state.update(SHOWN, undefined);
    }
  };
  return runs.onDidChangeRun(() => void state.update(SHOWN, runs.current?.path));
}
