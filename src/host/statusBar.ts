import * as vscode from 'vscode';
import type { Runs } from './runs';

/** Shows a run while it goes on: its step, and Stop on click. Nothing is there, and nothing ticks, otherwise. */
export function runStatus(runs: Runs): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('reactAgent.run', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('ReAct Agent run');
  item.command = 'reactAgent.stopRun';
  const update = (step: number) => {
    const text = vscode.l10n.t('ReAct step {0} · Stop', step);
    item.text = `$(debug-stop) ${text}`;
    item.accessibilityInformation = { label: text, role: 'button' };
    item.tooltip = vscode.l10n.t('Stop the run');
  };
  const subscriptions = [
    runs.onDidChangeRun(() => {
      void vscode.commands.executeCommand('setContext', 'reactAgent.running', runs.running);
      void vscode.commands.executeCommand('setContext', 'reactAgent.shown', runs.current !== undefined);
      if (!runs.running) return item.hide();
      void vscode.commands.executeCommand('setContext', 'reactAgent.asked', true); // ticks the walkthrough
      update(1);
      item.show();
    }),
    runs.onEvent(({ event }) => {
      if (event.type === 'run-end') {
        void vscode.commands.executeCommand('setContext', 'reactAgent.running', false);
        item.hide();
      } else if (event.type === 'model-request') update(event.step);
    }),
  ];
  return vscode.Disposable.from(item, ...subscriptions);
}
