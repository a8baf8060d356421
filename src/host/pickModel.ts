import * as vscode from 'vscode';
import type { ModelList } from '../llm/models';

/** An item that stands for the name as it is typed. It comes last: what the list has goes before it. */
export interface TypedItem extends vscode.QuickPickItem {
  typed: string;
}

/** Offers a typed name that no list has. `undefined` where the list has it, or nothing is typed. */
export function typedItem(value: string, listed: readonly string[]): TypedItem | undefined {
  const typed = value.trim();
  if (typed === '' || listed.includes(typed)) return undefined;
  // The name stands in the description, so that a part of a listed name finds the listed one first.
  return { label: vscode.l10n.t('Use the name as typed'), description: typed, alwaysShow: true, typed };
}

/** The chosen model, with the list that had come by then; or what came in place of a list. */
export type PickedModel = { model: string; list?: ModelList } | { model?: undefined; list: ModelList };

/**
 * Shows an endpoint's models as soon as they come; a name can be typed meanwhile, and one that is not listed, too.
 * Undefined when it was left.
 */
export async function pickModel(
  baseUrl: string,
  load: (signal: AbortSignal) => Promise<ModelList>,
): Promise<PickedModel | undefined> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem>();
  const closing = new AbortController();
  picker.title = vscode.l10n.t('Model at {0}', baseUrl);
  picker.placeholder = vscode.l10n.t('Asking the endpoint for its models…');
  picker.ignoreFocusOut = true;
  picker.busy = true;
  let models: string[] = [];
  let list: ModelList | undefined;
  const show = () => {
    const typed = typedItem(picker.value, models);
    picker.items = [...models.map((label) => ({ label })), ...(typed ? [typed] : [])];
  };
  try {
    return await new Promise((resolve, reject) => {
      picker.onDidChangeValue(show);
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        const model = item && !('typed' in item) ? item.label : picker.value.trim();
        if (model) resolve({ model, ...(list ? { list } : {}) });
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      load(closing.signal).then((loaded) => {
        if (loaded.kind !== 'listed' || loaded.models.length === 0) return resolve({ list: loaded });
        list = loaded;
        models = loaded.models;
        picker.title = vscode.l10n.t('Model at {0}', loaded.baseUrl);
        picker.busy = false;
        picker.placeholder = vscode.l10n.t('Choose a model, or type its name');
        show();
      }, reject);
    });
  } finally {
    closing.abort();
    picker.dispose();
  }
}
