import * as vscode from 'vscode';
import { describeFit, type FitStore } from '../llm/fit';
import { displayLanguage } from './displayLanguage';

interface Item extends vscode.QuickPickItem {
  forget?: () => void;
}

/** Lists what endpoints taught us, in sentences; the bin of an entry forgets it, the one in the title all of it. */
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
    const items = store.list().map(
      ({ endpoint, model, fit }): Item => ({
        label: model,
        description: endpoint,
        detail: describeFit(fit, displayLanguage()).join(' ').replaceAll('`', ''),
        buttons: [forgetOne],
        forget: () => store.forget(endpoint, model),
      }),
    );
    picker.items = items.length > 0 ? items : [{ label: nothing }];
    picker.buttons = items.length > 0 ? [forgetAll] : [];
  };
  show();
  picker.onDidTriggerItemButton(({ item }) => {
    item.forget?.();
    show();
  });
  picker.onDidTriggerButton(() => {
    store.clear();
    show();
  });
  picker.onDidAccept(() => picker.hide());
  await new Promise<void>((resolve) => {
    picker.onDidHide(resolve);
    picker.show();
  });
  picker.dispose();
}
