import * as vscode from 'vscode';
import { type Settings, writeSetting } from './settings';

/** Who answers: a provider with its endpoint and model. What profiles hold, and what choosing writes. */
export interface ModelChoice {
  provider: string;
  baseUrl?: string;
  model?: string;
}

/** A choice with a name of the user's own. */
export interface Profile extends ModelChoice {
  name: string;
}

/** Who answers, as people read it. */
export function modelLabel({ provider, model }: Settings): string {
  return provider === 'researcher' ? modelName(RESEARCHER) : model || provider;
}

/** What the built-in researcher is called in traces. */
const RESEARCHER = 'built-in researcher (rules, no model)';

/** Who answered, as people read it, from the name that a trace holds. */
export function modelName(stored: string): string {
  return stored === RESEARCHER ? vscode.l10n.t('built-in researcher (rules, no model)') : stored;
}

export function readProfiles(): Profile[] {
  const stored = vscode.workspace.getConfiguration('reactAgent').get<unknown>('model.profiles');
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (profile): profile is Profile => typeof profile?.name === 'string' && typeof profile?.provider === 'string',
  );
}

/** Makes a choice the one that answers from now on. */
export async function choose({ provider, baseUrl, model }: ModelChoice): Promise<void> {
  await writeSetting('model.baseUrl', baseUrl);
  await writeSetting('model.name', model);
  await writeSetting('model.provider', provider === 'researcher' ? undefined : provider);
}

/** Keeps what answers now under a name; the same name again is replaced. */
export async function saveProfile(current: ModelChoice): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name for this profile'),
    value: current.model ?? current.provider,
    validateInput: (value) => (value.trim() ? undefined : vscode.l10n.t('A name is needed.')),
  });
  if (!name) return;
  const others = readProfiles().filter((profile) => profile.name !== name.trim());
  await writeSetting('model.profiles', [...others, { name: name.trim(), ...current }]);
}
