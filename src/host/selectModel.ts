import * as vscode from 'vscode';
import type { LocalServer } from '../llm/localServers';
import { ENDPOINT_PRESETS, type EndpointPreset } from '../llm/presets';
import { adopt, chooseEndpoint, enterEndpoint, type ModelParts } from './chooseEndpoint';
import { problemsOf } from './endpointInput';
import { offeredModels } from './llm/vscodeModel';
import { choose, deleteProfile, type ModelChoice, modelLabel, readProfiles, saveProfile } from './modelChoice';
import { readSettings } from './settings';

interface Item extends vscode.QuickPickItem {
  /** What choosing it does; nothing for a separator. */
  pick?: () => Promise<void>;
  /** What its bin does. */
  remove?: () => Promise<void>;
}

type Arriving = 'local' | 'endpoint' | 'editor';

/** Lists who can answer and makes the chosen one answer from now on. Servers on this machine are looked for only now. */
export async function selectModel(parts: ModelParts): Promise<void> {
  const picker = vscode.window.createQuickPick<Item>();
  const closing = new AbortController();
  picker.title = vscode.l10n.t('Who answers?');
  picker.placeholder = vscode.l10n.t('Choose a model, a server or a preset');
  picker.matchOnDescription = true;
  // In the order in which they are shown.
  const groups: Record<'own' | 'profiles' | Arriving | 'presets', Item[]> = {
    own: ownItems(parts),
    profiles: profileItems(),
    local: [],
    endpoint: [],
    editor: [],
    presets: presetItems(parts, []),
  };
  const show = () => {
    const [first] = picker.items;
    const [active] = picker.activeItems;
    picker.items = Object.values(groups).flat();
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
      groups.profiles = profileItems();
      show();
    });
    picker.show();
  });
  closing.abort();
  picker.dispose();
  await picked?.pick?.();
}

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
const withSeparator = (label: string, items: Item[]): Item[] => (items.length ? [separator(label), ...items] : []);
const item = (label: string, description: string, choice: ModelChoice): Item => ({
  label,
  description,
  pick: () => choose(choice),
});

/** What answers now comes first, so that Enter alone changes nothing; then what is always there. */
function ownItems(parts: ModelParts): Item[] {
  const settings = readSettings();
  const isResearcher = settings.provider === 'researcher';
  const place = settings.provider === 'openai' ? settings.baseUrl : isResearcher ? '' : settings.provider;
  const now: Item = {
    label: `$(check) ${modelLabel(settings)}`,
    description: [place, vscode.l10n.t('answers now')].filter(Boolean).join(' · '),
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

function profileItems(): Item[] {
  const items = readProfiles().map(
    (profile): Item => ({
      ...item(profile.name, [profile.model, profile.baseUrl].filter(Boolean).join(' · '), profile),
      buttons: [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete this profile') }],
      remove: () => deleteProfile(profile.name),
    }),
  );
  if (readSettings().provider !== 'researcher') {
    items.push({ label: vscode.l10n.t('Save what answers now as a profile…'), pick: saveProfile });
  }
  return withSeparator(vscode.l10n.t('Profiles'), items);
}

function serverItems(servers: readonly LocalServer[]): Item[] {
  const items = servers.flatMap(({ name, baseUrl, models }) =>
    models.map((model) => item(model, `${name} · ${baseUrl}`, { provider: 'openai', baseUrl, model })),
  );
  return withSeparator(vscode.l10n.t('On this machine'), items);
}

/** What the endpoint of the settings lists; nothing is sent there while something speaks against it: that is said instead. */
async function endpointItems(parts: ModelParts, signal: AbortSignal): Promise<Item[]> {
  const { keys, loadResearch } = parts;
  const { baseUrl } = readSettings();
  if (!baseUrl) return [];
  const key = await keys.get(baseUrl);
  const [problem] = problemsOf(baseUrl, key ?? '');
  const heading = vscode.l10n.t('At your endpoint');
  if (problem) {
    const pick = () =>
      problem.severity === 'error' && problem.field === 'baseUrl'
        ? enterEndpoint(parts)
        : chooseEndpoint(parts, baseUrl, undefined);
    return withSeparator(heading, [{ label: problem.message, detail: problem.hint, pick }]);
  }
  const { askForModels } = await loadResearch();
  const list = await askForModels({ baseUrl, ...(key === undefined ? {} : { key }) }, undefined, signal);
  if (list.kind !== 'listed') return [];
  const items = list.models.map((model) => ({
    label: model,
    description: list.baseUrl,
    pick: () => adopt(keys, list.baseUrl, model, key),
  }));
  return withSeparator(heading, items);
}

async function editorItems(): Promise<Item[]> {
  const models = await offeredModels();
  const items = models.map(({ name, vendor, id }) =>
    item(name || id, vendor, { provider: 'vscode', model: `${vendor}/${id}` }),
  );
  return withSeparator(vscode.l10n.t('Offered by VS Code'), items);
}

/** @param missing servers of this machine that were looked for and do not answer */
function presetItems(parts: ModelParts, missing: readonly EndpointPreset[]): Item[] {
  const items = ENDPOINT_PRESETS.map(
    (preset): Item => ({
      label: preset.name,
      description: missing.includes(preset) ? vscode.l10n.t('{0} · not running', preset.baseUrl) : preset.baseUrl,
      pick: () => chooseEndpoint(parts, preset.baseUrl, preset.keyUrl),
    }),
  );
  return withSeparator(vscode.l10n.t('Presets'), items);
}
