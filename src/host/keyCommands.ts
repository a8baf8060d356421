import * as vscode from 'vscode';
import { askForEndpointKey } from './endpointInput';
import { nextAction } from './nextAction';
import type { LiveRun, Runs } from './runs';
import type { Keys } from './secrets';
import { readSettings } from './settings';

/** @param runs a run in it that failed for want of the key can go on with it */
export async function setApiKey(keys: Keys, runs: Runs): Promise<void> {
  const { baseUrl } = readSettings();
  if (!baseUrl) return explainEndpoint();
  const kept = vscode.l10n.t('Kept in VS Code’s secret storage, sent to this endpoint only.');
  const key = await askForEndpointKey(baseUrl, kept, true);
  if (key === undefined) return;
  await keys.set(baseUrl, key);
  vscode.window.setStatusBarMessage(vscode.l10n.t('API key saved for {0}.', baseUrl), 5000);
  const failed = runs.current;
  const end = failed?.events.findLast((event) => event.type === 'run-end');
  if (failed && end?.error?.action === 'set-key') void offerResume(runs, failed);
}

/** The notification may stay for long: it stands for that one run, not for another that is shown by then. */
async function offerResume(runs: Runs, failed: LiveRun): Promise<void> {
  const resume = vscode.l10n.t('Resume');
  const question = vscode.l10n.t('The key is saved. The run that failed for want of it can go on.');
  if ((await vscode.window.showInformationMessage(question, resume)) !== resume) return;
  if (runs.current?.id === failed.id) await vscode.commands.executeCommand('reactAgent.resumeRun');
  else {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Another run is shown by now. To go on with the one that failed, choose it in the history.'),
    );
  }
}

export async function clearApiKey(keys: Keys): Promise<void> {
  const { baseUrl } = readSettings();
  if (!baseUrl) return explainEndpoint();
  await clear(keys, baseUrl);
}

/** Says it only where the key is gone. */
async function clear(keys: Keys, endpoint: string): Promise<void> {
  if (await keys.clear(endpoint)) {
    vscode.window.setStatusBarMessage(vscode.l10n.t('API key cleared for {0}.', endpoint), 5000);
    return;
  }
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The key for {0} could not be taken out of the system’s secret storage. Unlock the keyring, then try again.',
      endpoint,
    ),
  );
}

/** For a wiki that asks for a login: `name:password` or a token; an empty input forgets it. */
export async function setWikiKey(keys: Keys): Promise<void> {
  const { wiki } = readSettings();
  if (!/^https?:/.test(wiki)) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Only a wiki with an address of its own takes a login. Set that address first.'),
    );
    return;
  }
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('Login for {0}', wiki),
    prompt: vscode.l10n.t('name:password, or a token; empty to forget it. Sent to this wiki only.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return;
  if (key.trim()) await keys.set(wiki, key.trim());
  else await clear(keys, wiki);
}

async function explainEndpoint(): Promise<void> {
  const { title, command } = nextAction('select-model');
  const message = vscode.l10n.t('No endpoint is set. Choose one first.');
  if ((await vscode.window.showInformationMessage(message, title)) === title)
    await vscode.commands.executeCommand(command);
}
