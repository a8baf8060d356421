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
import { pickModel } from './pickModel';
import type { Keys } from './secrets';
import { readSettings } from './settings';

export interface ModelParts {
  keys: Keys;
  loadResearch: () => Promise<typeof import('./research')>;
}

/** Asks for a base URL, then for what {@link chooseEndpoint} wants. */
export async function enterEndpoint(parts: ModelParts, value = readSettings().baseUrl): Promise<void> {
  const baseUrl = await askForEndpoint(value);
  if (baseUrl) await chooseEndpoint(parts, baseUrl, undefined);
}

/**
 * Asks for the key (where one is wanted), then for the model, then makes the choice: an abandoned question changes nothing.
 * @param keyUrl where keys of this endpoint are issued: it wants one
 */
export async function chooseEndpoint(parts: ModelParts, baseUrl: string, keyUrl: string | undefined): Promise<void> {
  const { keys, loadResearch } = parts;
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
  } else if (problem) {
    const next = await askToSend(baseUrl, problem);
    if (next === 'correct') return enterEndpoint(parts, baseUrl);
    if (!next) return;
  } else if (key === undefined && keyUrl && !(await enter(`${kept} ${issued}`))) return;
  const ask = async (signal: AbortSignal) =>
    (await loadResearch()).askForModels({ baseUrl, ...(key ? { key } : {}) }, undefined, signal);
  let picked = await pickModel(baseUrl, ask);
  for (let tries = 1; picked?.model === undefined; tries++) {
    if (!picked) return;
    const { kind } = picked.list;
    if (kind === 'silent') {
      const next = await askForSilent(baseUrl, tries);
      if (!next) return;
      if (next === 'name') break;
    } else if (kind === 'locked') {
      const cause = key
        ? vscode.l10n.t('The endpoint does not accept this key. Enter another, or nothing to go on without a list.')
        : vscode.l10n.t('The endpoint asks for a key. Enter it, or nothing to go on without a list.');
      if (!(await enter(`${cause} ${issued || kept}`))) return;
      if (!entered) break;
    } else break;
    picked = await pickModel(baseUrl, ask);
  }
  const { list } = picked;
  const model = picked.model ?? (list && (await askForModelName(vscode.l10n.t('Model at {0}', baseUrl), list)));
  const address = list?.kind === 'listed' ? list.baseUrl : baseUrl;
  if (model) await adopt(keys, address, model, key);
}

/** The key goes along where another address turned out to be the right one. */
export async function adopt(keys: Keys, baseUrl: string, model: string, key: string | undefined): Promise<void> {
  if (key && key !== (await keys.get(baseUrl))) await keys.set(baseUrl, key);
  await choose({ provider: 'openai', baseUrl, model });
}
