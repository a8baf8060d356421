import * as vscode from 'vscode';
import {
  askForEndpoint,
  askForEndpointKey,
  askForModelName,
  askForSilent,
  askToSend,
  problemsOf,
} from './endpointInput';
import { choose } from './modelChoice';
import type { Keys } from './secrets';
import { readSettings } from './settings';

export interface ModelParts {
  keys: Keys;
  loadResearch: () => Promise<typeof import('./research')>;
}

/** Asks for a base URL, then for what {@link chooseEndpoint} wants. */
export async function enterEndpoint(parts: ModelParts): Promise<void> {
  const baseUrl = await askForEndpoint(readSettings().baseUrl);
  if (baseUrl) await chooseEndpoint(parts, baseUrl, undefined);
}

/**
 * Asks for the key (where one is wanted), then for the model, then makes the choice: an abandoned question changes nothing.
 * @param keyUrl where keys of this endpoint are issued: it wants one
 */
export async function chooseEndpoint(
  { keys, loadResearch }: ModelParts,
  baseUrl: string,
  keyUrl: string | undefined,
): Promise<void> {
  let key = await keys.get(baseUrl);
  let entered: string | undefined;
  const enter = async (prompt: string): Promise<boolean> => {
    entered = await askForEndpointKey(baseUrl, prompt, false);
    key = entered || key;
    return entered !== undefined;
  };
  const kept = vscode.l10n.t('Kept in VS Code’s secret storage, sent to this endpoint only.');
  const issued = keyUrl ? vscode.l10n.t('Issued at {0}', keyUrl) : '';
  const [problem] = problemsOf(baseUrl, key ?? '');
  if (problem?.severity === 'error') {
    key = undefined;
    if (!(await enter(`${problem.message} ${problem.hint}`))) return;
  } else if (problem && !(await askToSend(baseUrl, problem))) return;
  else if (key === undefined && keyUrl && !(await enter(`${kept} ${issued}`))) return;
  const { askForModels } = await loadResearch();
  const list = () => askForModels({ baseUrl, ...(key ? { key } : {}) }, undefined, new AbortController().signal);
  let answer = await list();
  while (answer.kind === 'locked' || answer.kind === 'silent') {
    if (answer.kind === 'silent') {
      const next = await askForSilent(baseUrl);
      if (!next) return;
      if (next === 'name') break;
    } else {
      const cause = key
        ? vscode.l10n.t('The endpoint does not accept this key. Enter another, or nothing to go on without a list.')
        : vscode.l10n.t('The endpoint asks for a key. Enter it, or nothing to go on without a list.');
      if (!(await enter(`${cause} ${issued || kept}`))) return;
      if (!entered) break;
    }
    answer = await list();
  }
  const address = answer.kind === 'listed' ? answer.baseUrl : baseUrl;
  const title = vscode.l10n.t('Model at {0}', address);
  const model =
    answer.kind === 'listed' && answer.models.length > 0
      ? await vscode.window.showQuickPick(answer.models, { title })
      : await askForModelName(title, answer);
  if (model) await adopt(keys, address, model, key);
}

/** The key goes along where another address turned out to be the right one. */
export async function adopt(keys: Keys, baseUrl: string, model: string, key: string | undefined): Promise<void> {
  if (key && key !== (await keys.get(baseUrl))) await keys.set(baseUrl, key);
  await choose({ provider: 'openai', baseUrl, model });
}
