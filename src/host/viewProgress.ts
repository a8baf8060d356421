import * as vscode from 'vscode';
import type { Runs } from './runs';
import { TraceView } from './traceView';

/**
 * VS Code's own progress on the trace view while a run goes on: a line in the view, and a mark on its icon where it is hidden.
 * Stop is in the view and in the status bar.
 */
export function viewProgress(runs: Runs): vscode.Disposable {
  let done: (() => void) | undefined;
  const end = () => {
    done?.();
    done = undefined;
  };
  return vscode.Disposable.from(
    runs.onDidChangeRun(() => {
      if (!runs.running) return end();
      if (done) return;
      // Made before VS Code asks for it, which may be after a short run's end.
      const ended = new Promise<void>((resolve) => {
        done = resolve;
      });
      void vscode.window.withProgress({ location: { viewId: TraceView.id } }, () => ended);
    }),
    runs.onEvent(({ event }) => {
      if (event.type === 'run-end') end();
    }),
    new vscode.Disposable(end),
  );
}
