import * as vscode from 'vscode';
import { normaliseEndpoint } from '../llm/endpoint';
import type { LocalServer } from '../llm/localServers';
import { ENDPOINT_PRESETS, type EndpointPreset, presetName } from '../llm/presets';
import { adopt, chooseEndpoint, enterEndpoint, type ModelParts } from './chooseEndpoint';
import { displayLanguage } from './displayLanguage';
import { problemsOf } from './endpointInput';
import { offeredModels } from './llm/vscodeModel';
import {
  activeProfile,
  choose,
  deleteProfile,
  type ModelChoice,
  modelLabel,
  readProfiles,
  saveProfile,
} from './modelChoice';
import { typedItem } from './pickModel';
import { readSettings } from './settings';

interface Item extends vscode.QuickPickItem {
  /** What choosing it does; nothing for a separator. */
  pick?: () => Promise<void>;
  /** The model at its place: what several groups know is listed once. */
  model?: string;
  /** What its bin does. */
  remove?: () => Promise<void>;
}

type Arriving = 'endpoint' | 'local' | 'editor';
type Group = 'own' | 'profiles' | Arriving | 'presets' | 'typed';

const HEADINGS: Partial<Record<Group, () => string>> = {
  profiles: () => vscode.l10n.t('Profiles'),
  endpoint: () => vscode.l10n.t('At your endpoint'),
  local: () => vscode.l10n.t('On this machine'),
  editor: () => vscode.l10n.t('Offered by VS Code'),
  presets: () => vscode.l10n.t('Presets'),
};

/** Lists who can answer and makes the chosen one answer from now on. Servers on this machine are looked for only now. */
export async function selectModel(parts: ModelParts): Promise<void> {
  const picker = vscode.window.createQuickPick<Item>();
  const closing = new AbortController();
  picker.title = vscode.l10n.t('Who answers?');
  picker.placeholder = vscode.l10n.t('Choose a model, a server or a preset');
  picker.matchOnDescription = true;
  // In the order in which they are shown.
  const groups: Record<Group, Item[]> = {
    own: ownItems(parts),
    profiles: profileItems(),
    endpoint: [],
    local: [],
    editor: [],
    presets: presetItems(parts, []),
    typed: [],
  };
  const show = () => {
    const [first] = picker.items;
    const [active] = picker.activeItems;
    picker.items = arranged(groups);
    // Where somebody went on in the list they stay; while words are typed VS Code looks for the first that fits.
    const moved = picker.value === '' && active !== first;
    const again = moved && picker.items.find(({ label }) => label === active?.label);
    if (again) picker.activeItems = [again];
  };
  show();
  picker.busy = true;
  // What takes a moment arrives when it arrives; the list can be used meanwhile.
  const localItems = async ({ loadResearch }: ModelParts, signal: AbortSignal) => {
    const servers = await (await loadResearch()).findLocalServers(signal);
    const running = new Set(servers.map(({ baseUrl }) => baseUrl));
    const missing = ENDPOINT_PRESETS.filter(({ localPort, baseUrl }) => localPort && !running.has(baseUrl));
    groups.presets = presetItems(parts, missing);
    return serverItems(servers);
  };
  const loads = { local: localItems, endpoint: endpointItems, editor: editorItems };
  const arriving = (Object.keys(loads) as Arriving[]).map(async (group) => {
    groups[group] = await loads[group](parts, closing.signal).catch(() => []);
    if (!closing.signal.aborted) show();
  });
  void Promise.all(arriving).then(() => {
    picker.busy = false;
  });
  const picked = await new Promise<Item | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidHide(() => resolve(undefined));
    picker.onDidTriggerItemButton(async ({ item: { remove } }) => {
      await remove?.();
      groups.own = ownItems(parts);
      groups.profiles = profileItems();
      show();
    });
    picker.onDidChangeValue((value) => {
      groups.typed = typedItems(value, groups);
      show();
    });
    picker.show();
  });
  closing.abort();
  picker.dispose();
  await picked?.pick?.();
}

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
const item = (label: string, description: string, choice: ModelChoice): Item => ({
  label,
  description,
  pick: () => choose(choice),
});

/** Names a model at its place, by whichever name of this machine it was asked for. */
function placeOf({ provider, baseUrl = '', model = '' }: ModelChoice): string {
  const base = provider === 'openai' ? normaliseEndpoint(baseUrl)?.base.replace('//localhost', '//127.0.0.1') : '';
  return JSON.stringify([provider, base ?? baseUrl, model]);
}

/** All groups under their headings; a model that answers now, or that a group before has, is left out. */
function arranged(groups: Record<Group, Item[]>): Item[] {
  const seen = new Set<string>();
  return (Object.keys(groups) as Group[]).flatMap((group) => {
    const items = groups[group].filter(({ model }) => model === undefined || !seen.has(model));
    for (const { model } of items) if (model !== undefined) seen.add(model);
    const heading = HEADINGS[group]?.();
    return heading && items.length > 0 ? [separator(heading), ...items] : items;
  });
}

/** A name that the endpoint does not list. */
function typedItems(value: string, groups: Record<Group, Item[]>): Item[] {
  const { provider, baseUrl, model } = readSettings();
  if (provider !== 'openai' || !baseUrl) return [];
  const typed = typedItem(value, [model, ...groups.endpoint.map(({ label }) => label)]);
  return typed ? [{ ...typed, pick: () => choose({ provider, baseUrl, model: typed.typed }) }] : [];
}

/** What answers now comes first, so that Enter alone changes nothing; then what is always there. */
function ownItems(parts: ModelParts): Item[] {
  const settings = readSettings();
  const isResearcher = settings.provider === 'researcher';
  const place = settings.provider === 'openai' ? settings.baseUrl : isResearcher ? '' : settings.provider;
  const profile = activeProfile();
  const name = modelLabel(settings);
  const now: Item = {
    label: `$(check) ${profile?.name ?? name}`,
    description: [profile && profile.name !== name ? name : '', place, vscode.l10n.t('answers now')]
      .filter(Boolean)
      .join(' · '),
    // A profile may ask its model in another way than the bare model is asked.
    ...(profile ? deletable(profile.name) : { model: placeOf(settings) }),
  };
  const researcher = vscode.l10n.t('built-in researcher (rules, no model)');
  const other: Item = {
    label: vscode.l10n.t('Another endpoint…'),
    description: vscode.l10n.t('any OpenAI-compatible base URL'),
    pick: () => enterEndpoint(parts),
  };
  const free = item(researcher, vscode.l10n.t('no key, no cost'), { provider: 'researcher' });
  return [now, ...(isResearcher ? [] : [free]), other];
}

const deletable = (profile: string): Pick<Item, 'buttons' | 'remove'> => ({
  buttons: [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete this profile') }],
  remove: () => deleteProfile(profile),
});

/** All but the one that answers now: that stands on top. */
function profileItems(): Item[] {
  const active = activeProfile()?.name;
  const items = readProfiles()
    .filter(({ name }) => name !== active)
    .map(
      (profile): Item => ({
        ...item(profile.name, [profile.model, profile.baseUrl].filter(Boolean).join(' · '), profile),
        ...deletable(profile.name),
      }),
    );
  if (active === undefined && readSettings().provider !== 'researcher') {
    items.push({ label: vscode.l10n.t('Save what answers now as a profile…'), pick: saveProfile });
  }
  return items;
}

function serverItems(servers: readonly LocalServer[]): Item[] {
  return servers.flatMap(({ name, baseUrl, models }) =>
    models.map((model): Item => {
      const choice = { provider: 'openai', baseUrl, model };
      return { ...item(model, `${name} · ${baseUrl}`, choice), model: placeOf(choice) };
    }),
  );
}

/** What the endpoint of the settings lists; nothing is sent there while something speaks against it: that is said instead. */
async function endpointItems(parts: ModelParts, signal: AbortSignal): Promise<Item[]> {
  const { keys, loadResearch } = parts;
  const { baseUrl } = readSettings();
  if (!baseUrl) return [];
  const key = await keys.get(baseUrl);
  const [problem] = problemsOf(baseUrl, key ?? '');
  if (problem) {
    const pick = () =>
      problem.severity === 'error' && problem.field === 'baseUrl'
        ? enterEndpoint(parts)
        : chooseEndpoint(parts, baseUrl, undefined);
    return [{ label: problem.message, detail: problem.hint, pick }];
  }
  const { askForModels } = await loadResearch();
  const list = await askForModels({ baseUrl, ...(key === undefined ? {} : { key }) }, undefined, signal);
  if (list.kind !== 'listed') return [];
  return list.models.map((model) => ({
    label: model,
    description: list.baseUrl,
    pick: () => adopt(keys, list.baseUrl, model, key),
    model: placeOf({ provider: 'openai', baseUrl: list.baseUrl, model }),
  }));
}

async function editorItems(): Promise<Item[]> {
  const models = await offeredModels();
  return models.map(({ name, vendor, id }) => {
    const choice = { provider: 'vscode', model: `${vendor}/${id}` };
    return { ...item(name || id, vendor, choice), model: placeOf(choice) };
  });
}

/** @param missing servers of this machine that were looked for and do not answer */
function presetItems(parts: ModelParts, missing: readonly EndpointPreset[]): Item[] {
  return ENDPOINT_PRESETS.map(
    (preset): Item => ({
      label: presetName(preset, displayLanguage()),
      description: missing.includes(preset) ? vscode.l10n.t('{0} · not running', preset.baseUrl) : preset.baseUrl,
      pick: () => chooseEndpoint(parts, preset.baseUrl, preset.keyUrl),
    }),
  );
}
