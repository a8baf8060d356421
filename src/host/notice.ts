import * as vscode from 'vscode';
import type { ErrorAction } from '../agent/errors';
import type { RunEnd } from '../agent/event';
import type { Runs } from './runs';
import { readSettings } from './settings';
import { TraceView } from './traceView';

/** What an error's next action is called on a button, and which command it runs. */
const ACTIONS: Record<ErrorAction, () => { label: string; command: string }> = {
  'set-key': () => ({ label: vscode.l10n.t('Set API Key'), command: 'reactAgent.setApiKey' }),
  'open-settings': () => ({ label: vscode.l10n.t('Open Settings'), command: 'reactAgent.openSettings' }),
  'select-model': () => ({ label: vscode.l10n.t('Select Model'), command: 'reactAgent.selectModel' }),
  'test-connection': () => ({ label: vscode.l10n.t('Test Connection'), command: 'reactAgent.testConnection' }),
  'show-log': () => ({ label: vscode.l10n.t('Show Log'), command: 'reactAgent.showLog' }),
  retry: () => ({ label: vscode.l10n.t('Try Again'), command: 'reactAgent.retryQuestion' }),
};

/** One quiet notice when a run ends and its view isn't visible; none otherwise. */
export function finishNotice(runs: Runs, view: TraceView): vscode.Disposable {
  return runs.onEvent(({ event }) => {
    if (event.type === 'run-end' && event.outcome !== 'cancelled' && !view.visible && readSettings().notify) {
      void notify(event);
    }
  });
}

async function notify(end: RunEnd): Promise<void> {
  const show = vscode.l10n.t('Show Steps');
  let choice: string | undefined;
  let action: { label: string; command: string } | undefined;
  if (end.error) {
    action = end.error.action && ACTIONS[end.error.action]();
    const buttons = action ? [action.label, show] : [show];
    choice = await vscode.window.showErrorMessage(`${end.error.message} ${end.error.hint}`, ...buttons);
  } else {
    const excerpt = (end.answer ?? '').replace(/\s+/g, ' ').slice(0, 160);
    const text = end.bestEffort
      ? vscode.l10n.t('ReAct Agent ended at a limit. Best answer: {0}', excerpt)
      : vscode.l10n.t('ReAct Agent answered: {0}', excerpt);
    choice = await vscode.window.showInformationMessage(text, show);
  }
  if (choice === show) await vscode.commands.executeCommand(`${TraceView.id}.focus`);
  else if (action && choice === action.label) await vscode.commands.executeCommand(action.command);
}
