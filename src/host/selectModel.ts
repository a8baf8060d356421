import * as vscode from 'vscode';
import type { LocalServer } from '../llm/localServers';
import { ENDPOINT_PRESETS, type EndpointPreset } from '../llm/presets';
import {
  askForEndpoint,
  askForEndpointKey,
  askForModelName,
  askForSilent,
  askToSend,
  problemsOf,
} from './endpointInput';
import { offeredModels } from './llm/vscodeModel';
import { choose, deleteProfile, type ModelChoice, modelLabel, readProfiles, saveProfile } from './modelChoice';
import type { Keys } from './secrets';
import { readSettings } from './settings';

type Research = typeof import('./research');

interface Item extends vscode.QuickPickItem {
  /** What choosing it does; nothing for a separator. */
  pick?: () => Promise<void>;
  /** What its bin does. */
  remove?: () => Promise<void>;
}

export interface ModelParts {
  keys: Keys;
  loadResearch: () => Promise<Research>;
}

/** Lists who can answer and makes the chosen one answer from now on. Servers on this machine are looked for only now. */
export async function selectModel(parts: ModelParts): Promise<void> {
  const picker = vscode.window.createQuickPick<Item>();
  const closing = new AbortController();
  picker.title = vscode.l10n.t('Who answers?');
  picker.placeholder = vscode.l10n.t('Choose a model, a server or a preset');
  picker.matchOnDescription = true;
  const groups: Item[][] = [ownItems(parts), profileItems(), [], [], [], presetItems(parts, [])];
  const show = () => {
    const [first] = picker.items;
    const [active] = picker.activeItems;
    picker.items = groups.flat();
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
    groups[5] = presetItems(parts, missing);
    return serverItems(servers);
  };
  const arriving = [localItems, endpointItems, editorItems].map(async (load, index) => {
    groups[2 + index] = await load(parts, closing.signal).catch(() => []);
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
      groups[1] = profileItems();
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
    pick: () => useEndpoint(parts),
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
        ? useEndpoint(parts)
        : finish(parts, baseUrl, undefined);
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
      pick: () => usePreset(parts, preset),
    }),
  );
  return withSeparator(vscode.l10n.t('Presets'), items);
}

async function usePreset(parts: ModelParts, { baseUrl, keyUrl }: EndpointPreset): Promise<void> {
  await finish(parts, baseUrl, keyUrl);
}

async function useEndpoint(parts: ModelParts): Promise<void> {
  const baseUrl = await askForEndpoint(readSettings().baseUrl);
  if (baseUrl) await finish(parts, baseUrl, undefined);
}

/** Key (where one is wanted), then model, then the choice is made: an abandoned question changes nothing. */
async function finish({ keys, loadResearch }: ModelParts, baseUrl: string, keyUrl: string | undefined): Promise<void> {
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
async function adopt(keys: Keys, baseUrl: string, model: string, key: string | undefined): Promise<void> {
  if (key && key !== (await keys.get(baseUrl))) await keys.set(baseUrl, key);
  await choose({ provider: 'openai', baseUrl, model });
}
