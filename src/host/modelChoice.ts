import * as vscode from 'vscode';
import { plain } from './plain';
import { readSettings, SECTION, type Settings, writeSetting } from './settings';

/** Who answers: a provider with its endpoint and model. What profiles hold, and what choosing writes. */
export interface ModelChoice {
  provider: string;
  baseUrl?: string;
  model?: string;
}

/** Settings under `model.` that belong to a profile where the user set them. */
const PARAMETERS = ['protocol', 'maxTokens', 'contextWindow', 'extraBody'] as const;

/** A choice with a name of the user's own. */
export interface Profile extends ModelChoice, Partial<Record<(typeof PARAMETERS)[number], unknown>> {
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
  const stored = vscode.workspace.getConfiguration(SECTION).get<unknown>('model.profiles');
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (profile): profile is Profile => typeof profile?.name === 'string' && typeof profile?.provider === 'string',
  );
}

/** The profile that answers now, if it is one as it was saved. */
export function activeProfile(): Profile | undefined {
  const current = identity(currentChoice());
  return readProfiles().find((profile) => identity(profile) === current);
}

const identity = (choice: Omit<Profile, 'name'>) =>
  JSON.stringify([choice.provider, choice.baseUrl, choice.model, ...PARAMETERS.map((name) => choice[name])]);

/** What answers now, with the parameters that the user has set. */
function currentChoice(): Omit<Profile, 'name'> {
  const { provider, ...settings } = readSettings();
  const baseUrl = provider === 'openai' ? settings.baseUrl : '';
  const model = provider === 'researcher' ? '' : settings.model;
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const set = PARAMETERS.map((name) => [name, configuration.inspect(`model.${name}`)?.globalValue] as const);
  return {
    provider,
    ...(baseUrl ? { baseUrl } : {}),
    ...(model ? { model } : {}),
    ...Object.fromEntries(set.filter(([, value]) => value !== undefined)),
  };
}

/**
 * Makes a choice the one that answers from now on. A profile comes as it was saved: what it does not set, is unset. With
 * any other choice parameters stay, but for those of the profile that is left: they were meant for its model.
 */
export async function choose(choice: ModelChoice | Profile): Promise<void> {
  const chosen: Partial<Profile> = choice;
  const left = activeProfile();
  for (const name of PARAMETERS) {
    if (chosen.name !== undefined || left?.[name] !== undefined) await writeSetting(`model.${name}`, chosen[name]);
  }
  // An endpoint stays in the settings while somebody else answers, so that it is found again.
  if (choice.provider === 'openai') await writeSetting('model.baseUrl', choice.baseUrl);
  if (choice.provider !== 'researcher') await writeSetting('model.name', choice.model);
  await writeSetting('model.provider', choice.provider === 'researcher' ? undefined : choice.provider);
}

/** Keeps what answers now under a name; the same name again is replaced, which is said first. */
export async function saveProfile(): Promise<void> {
  const current = currentChoice();
  const taken = new Set(readProfiles().map(({ name }) => name));
  const entered = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name for this profile'),
    value: current.model ?? current.provider,
    validateInput(value) {
      if (value.trim() === '') return vscode.l10n.t('A name is needed.');
      if (!taken.has(value.trim())) return undefined;
      const message = vscode.l10n.t('There is a profile of this name: it will be replaced.');
      return { message, severity: vscode.InputBoxValidationSeverity.Warning };
    },
  });
  const name = entered?.trim();
  if (!name) return;
  const others = readProfiles().filter((profile) => profile.name !== name);
  await writeSetting('model.profiles', [...others, { name, ...current }]);
}

/** Deletes a profile; the notification can bring it back. */
export async function deleteProfile(name: string): Promise<void> {
  const before = readProfiles();
  await writeSetting(
    'model.profiles',
    before.filter((profile) => profile.name !== name),
  );
  const undo = vscode.l10n.t('Undo');
  void vscode.window
    .showInformationMessage(vscode.l10n.t('The profile “{0}” was deleted.', plain(name)), undo)
    .then((choice) => {
      if (choice === undo) return writeSetting('model.profiles', before);
    });
}
