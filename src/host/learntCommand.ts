import * as vscode from 'vscode';
import type { FitStore } from '../llm/fit';

/** Shows what was learnt, and forgets it where asked. */
export async function showLearnt(store: FitStore): Promise<void> {
  const entries = store.list();
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing was learnt yet: every endpoint took its requests as they were.'),
    );
    return;
  }
  const forget = vscode.l10n.t('Forget All');
  const text = entries.map(({ endpoint, model, fit }) => `${model} · ${endpoint}\n${JSON.stringify(fit)}`).join('\n\n');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('What endpoints taught ReAct Agent about their requests'),
    { modal: true, detail: text },
    forget,
  );
  if (choice === forget) store.clear();
}
