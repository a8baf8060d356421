import * as vscode from 'vscode';
import { activeProfile, modelLabel } from './modelChoice';
import { readSettings, SECTION } from './settings';

/**
 * Names who answers (a profile by its own name), and lets another be chosen. It is there only once the extension was used
 * in this window.
 */
export function modelStatus(): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('reactAgent.model', vscode.StatusBarAlignment.Right);
  item.name = vscode.l10n.t('ReAct Agent model');
  item.command = 'reactAgent.selectModel';
  const update = () => {
    const settings = readSettings();
    const model = modelLabel(settings);
    const profile = activeProfile()?.name;
    // The bar has no room for what the tooltip tells of the researcher.
    const short = settings.provider === 'researcher' ? vscode.l10n.t('built-in researcher') : model;
    const label = profile ?? short;
    item.text = `$(hubot) ${label.length > 30 ? `${label.slice(0, 29)}…` : label}`;
    const full = profile === undefined || profile === model ? model : `${profile} (${model})`;
    item.tooltip = vscode.l10n.t('ReAct Agent asks {0}. Click to choose another.', full);
  };
  update();
  item.show();
  const watching = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) update();
  });
  return vscode.Disposable.from(item, watching);
}
