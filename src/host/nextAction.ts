import * as vscode from 'vscode';
import type { ErrorAction } from '../agent/errors';

/** A button: what it says, and the command it runs. */
export type NextAction = Pick<vscode.Command, 'title' | 'command'>;

const ACTIONS: Record<ErrorAction, () => NextAction> = {
  'set-key': () => ({ title: vscode.l10n.t('Set API Key'), command: 'reactAgent.setApiKey' }),
  'open-settings': () => ({ title: vscode.l10n.t('Open Settings'), command: 'reactAgent.openSettings' }),
  'select-model': () => ({ title: vscode.l10n.t('Select Model'), command: 'reactAgent.selectModel' }),
  'test-connection': () => ({ title: vscode.l10n.t('Test Connection'), command: 'reactAgent.testConnection' }),
  'show-log': () => ({ title: vscode.l10n.t('Show Log'), command: 'reactAgent.showLog' }),
  retry: () => ({ title: vscode.l10n.t('Try Again'), command: 'reactAgent.retryQuestion' }),
};

/** What an error's next action is called, and what it does. */
export const nextAction = (action: ErrorAction): NextAction => ACTIONS[action]();

export const showSteps = (): NextAction => ({ title: vscode.l10n.t('Show Steps'), command: 'reactAgent.trace.focus' });

/** Offered when the built-in researcher gives up. */
export const connectModel = (): NextAction => ({
  title: vscode.l10n.t('Connect a Model'),
  command: 'reactAgent.selectModel',
});
