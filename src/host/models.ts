import type { Llm } from '../agent/llm';
import { vscodeModel } from './llm/vscodeModel';
import type { Settings } from './settings';

/** Model providers that need the editor, by id. All others are made in `llm/`. */
const EDITOR_PROVIDERS: Readonly<Record<string, (settings: Settings) => Llm>> = {
  vscode: ({ model }) => vscodeModel(model),
};

/** A model that only the editor can make; undefined where the settings name another provider. */
export function editorModel(settings: Settings): Llm | undefined {
  return Object.hasOwn(EDITOR_PROVIDERS, settings.provider)
    ? EDITOR_PROVIDERS[settings.provider]?.(settings)
    : undefined;
}
