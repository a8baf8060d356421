import * as vscode from 'vscode';
import { describeFit, type FitStore } from '../llm/fit';
import { displayLanguage } from './displayLanguage';

interface Item extends vscode.QuickPickItem {
  /** All that was learnt there, a sentence a line. */
  whole?: string;
  forget?: () => void;
}

/**
 * Lists what endpoints taught us; choosing an entry shows it whole. The bin of an entry forgets it, the one in the title
 * all of it.
 */
export async function showLearnt(store: FitStore): Promise<void> {
  const forgetAll = { iconPath: new vscode.ThemeIcon('clear-all'), tooltip: vscode.l10n.t('Forget all of it') };
  const forgetOne = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Forget this') };
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = vscode.l10n.t('What endpoints taught ReAct Agent about their requests');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const nothing = vscode.l10n.t('Nothing was learnt yet: every endpoint took its requests as they were.');
  picker.placeholder = vscode.l10n.t('What is forgotten is learnt anew with the next question');
  const show = () => {
    const items = store.list().map(({ endpoint, model, fit }): Item => {
      const sentences = describeFit(fit, displayLanguage());
      return {
        label: model,
        description: endpoint,
        detail: sentences.join(' ').replaceAll('`', ''),
        whole: sentences.join('\n'),
        buttons: [forgetOne],
        forget: () => store.forget(endpoint, model),
      };
    });
    picker.items = items.length > 0 ? items : [{ label: nothing }];
    picker.buttons = items.length > 0 ? [forgetAll] : [];
  };
  show();
  picker.onDidTriggerItemButton(({ item }) => {
    item.forget?.();
    show();
  });
  picker.onDidTriggerButton(() => {
    void forgetEverything(store);
    show();
  });
  const chosen = await new Promise<Item | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  picker.dispose();
  if (!chosen?.whole) return;
  const detail = `${chosen.description}\n\n${chosen.whole}`;
  await vscode.window.showInformationMessage(chosen.label, { modal: true, detail });
  return showLearnt(store);
}

/** Forgets all of it; the notification can bring it back, but for what was learnt anew meanwhile. */
async function forgetEverything(store: FitStore): Promise<void> {
  const before = store.list();
  store.clear();
  const undo = vscode.l10n.t('Undo');
  const message = vscode.l10n.t('All that endpoints taught was forgotten.');
  if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
  for (const { endpoint, model, fit } of before) {
    if (!store.get(endpoint, model)) store.set(endpoint, model, fit);
  }
}
