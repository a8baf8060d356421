import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import { chooseHost, openDesktop } from './desktop';
import { globalStorageFolder, type Host, openServer } from './host';
import type { VersionName } from './install';

/** The colour themes, by the names that settings of both VS Code versions understand. */
export const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const;

export type Theme = keyof typeof THEMES;

export interface WindowOptions {
  /** The extension under development; by default none. */
  readonly extensionPath?: string;
  /** A packed extension, installed before the start. */
  readonly vsix?: string;
  /** A module to run inside the extension host. */
  readonly testsPath?: string;
  /** Folder or .code-workspace file; undefined opens a window without a folder. */
  readonly workspace?: string;
  /** User settings, also written as the machine's settings where VS Code runs as a server. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Kept when given; by default a temporary folder that `close` removes. */
  readonly userDataDir?: string;
  readonly version?: VersionName;
  readonly displayLanguage?: 'en' | 'zh-cn';
  readonly theme?: Theme;
  readonly size?: { width: number; height: number };
  /** False: workspace trust is on, and the folder is not trusted until someone says so. */
  readonly trustEverything?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly onLog?: (line: string) => void;
}

/** One VS Code window with the extension, driven from outside. */
export interface VsCodeWindow {
  readonly page: Page;
  /** Where a person can open it in a browser; undefined for the desktop. */
  readonly url: string | undefined;
  readonly userDataDir: string;
  /** VS Code's folder of all extensions' global storage. */
  readonly globalStorageDir: string;
  readonly host: 'desktop' | 'server';
  /** Resolves with the code with which the tests inside ended. */
  readonly ended: Promise<number>;
  /** Waits for the extension's webview that is shown and returns its document; fetch it anew after hide, move or reload. */
  viewFrame(viewOrPanelTitle?: string): Promise<Frame>;
  /** The element of the workbench that holds that webview. */
  viewBox(): Promise<{ x: number; y: number; width: number; height: number }>;
  /** Makes the webview `width` CSS pixels wide by dragging the border beside it; returns the width reached. */
  setViewWidth(width: number): Promise<number>;
  /** Runs a command by its title, through the command palette, as a person does. */
  runCommand(title: string): Promise<void>;
  /** Types into the input box that VS Code shows, and confirms it. */
  answerInputBox(text: string): Promise<void>;
  /** Changes user settings; VS Code notices by itself. */
  setSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  setTheme(theme: Theme): Promise<void>;
  /** Writes a PNG of the window, or of the webview alone. */
  screenshot(path: string, what?: 'window' | 'view'): Promise<void>;
  /** Process id of the extension host. */
  extensionHostPid(): Promise<number>;
  /** Reloads the window and waits until it is ready again. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;

const QUIET_SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'security.workspace.trust.startupPrompt': 'never',
  'git.enabled': false,
  'window.autoDetectColorScheme': false,
};

/** Opens a real VS Code. Everything it starts ends with `close`, and with this process. */
export async function openVsCode(options: WindowOptions): Promise<VsCodeWindow> {
  const kind = await chooseHost();
  const userDataDir = options.userDataDir ?? mkdtempSync(join(tmpdir(), 'react-agent-'));
  let settings: Record<string, unknown> = {
    ...QUIET_SETTINGS,
    'workbench.colorTheme': THEMES[options.theme ?? 'dark'],
    ...options.settings,
  };
  writeSettings(userDataDir, kind, settings);
  const removeFolder = () => {
    if (!options.userDataDir) rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  let host: Host;
  try {
    host = await (kind === 'server' ? openServer : openDesktop)({
      ...options,
      userDataDir,
      extensionsDir: join(userDataDir, 'extensions'),
      version: options.version ?? versionFromEnvironment(),
      displayLanguage: options.displayLanguage ?? 'en',
      size: options.size ?? { width: 1200, height: 800 },
      trustEverything: options.trustEverything ?? true,
      env: { ...environmentOutsideVsCode(), ...options.env },
    });
  } catch (error) {
    removeFolder();
    throw error;
  }
  const { page } = host;

  const window: VsCodeWindow = {
    page,
    url: host.url,
    userDataDir,
    globalStorageDir: globalStorageFolder(userDataDir, kind),
    host: kind,
    ended: host.ended,
    viewFrame: () => viewFrame(page),
    async viewBox() {
      const box = await (await (await viewFrame(page)).parentFrame()!.frameElement()).boundingBox();
      if (!box) throw new Error('the view is not visible');
      return box;
    },
    setViewWidth: (width) => setViewWidth(window, width),
    runCommand: (title) => runCommand(page, title),
    answerInputBox: (text) => answerInputBox(page, text),
    async setSettings(changes) {
      settings = { ...settings, ...changes };
      writeSettings(userDataDir, kind, settings);
    },
    async setTheme(theme) {
      await window.setSettings({ 'workbench.colorTheme': THEMES[theme] });
      await page.waitForSelector(`.monaco-workbench.${THEME_CLASSES[theme]}`, { timeout: PATIENCE_MS });
      await sleep(500); // the webview gets the colours by a message
    },
    async screenshot(path, what = 'window') {
      mkdirSync(dirname(path), { recursive: true });
      await page.screenshot({ path, clip: what === 'view' ? await window.viewBox() : undefined });
    },
    async extensionHostPid() {
      return waitFor('an extension host', () => host.extensionHostPids()[0]);
    },
    async reload() {
      // by VS Code's own command, which saves the layout first; its English name is found in every language
      const loaded = page.waitForEvent('load', { timeout: PATIENCE_MS });
      await runCommand(page, 'Reload Window');
      await loaded;
      await ready(page);
    },
    async close() {
      await host.close();
      removeFolder();
    },
  };
  if (options.testsPath) return window;
  try {
    await ready(page);
    return window;
  } catch (error) {
    await window.close();
    throw error;
  }
}

const THEME_CLASSES: Record<Theme, string> = {
  dark: 'vs-dark',
  light: 'vs',
  'high-contrast': 'hc-black',
  'high-contrast-light': 'hc-light',
};

function versionFromEnvironment(): VersionName {
  const name = process.env.REACT_AGENT_VSCODE || 'current';
  if (name !== 'current' && name !== 'oldest')
    throw new Error(`REACT_AGENT_VSCODE is “${name}”: use current or oldest`);
  return name;
}

/** The environment without what a VS Code terminal leaves in it, which would confuse a second VS Code. */
function environmentOutsideVsCode(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VSCODE|ELECTRON)_/.test(name)));
}

function writeSettings(userDataDir: string, kind: 'desktop' | 'server', settings: Record<string, unknown>): void {
  const folders = kind === 'server' ? ['data/User', 'data/Machine'] : ['User'];
  for (const folder of folders) {
    mkdirSync(join(userDataDir, folder), { recursive: true });
    writeFileSync(join(userDataDir, folder, 'settings.json'), JSON.stringify(settings, null, 2));
  }
}

async function ready(page: Page): Promise<void> {
  await page.waitForSelector('.monaco-workbench .statusbar-item', { timeout: 2 * PATIENCE_MS });
  await page.waitForSelector('.monaco-workbench .activitybar .action-item', { timeout: PATIENCE_MS });
}

/** Asks until there is an answer; the error after half a minute names what was missing. */
export async function waitFor<T>(what: string, ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not appear within ${PATIENCE_MS / 1000} s`);
    await sleep(50);
  }
}

async function viewFrame(page: Page): Promise<Frame> {
  return waitFor('the extension’s view', async () => {
    for (const outer of page.frames()) {
      if (!/[?&]extensionId=react-agent/.test(outer.url()) || outer.isDetached()) continue;
      try {
        if (!(await (await outer.frameElement()).isVisible())) continue;
        const inner = await outer.$('#active-frame');
        const frame = await inner?.contentFrame();
        if (frame && (await frame.evaluate('document.readyState')) === 'complete') return frame;
      } catch {
        // it was replaced while we looked
      }
    }
    return undefined;
  });
}

async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
  const soon = { timeout: 1500 };
  // opened again when it closed because a view took the focus, and when the command was registered after it opened
  await waitFor(`the command “${title}” in the palette`, async () => {
    await page.keyboard.press('F1');
    try {
      await input.fill(`>${title}`, soon);
      await row.click(soon);
      return true;
    } catch {
      await page.keyboard.press('Escape');
      return undefined;
    }
  });
  // what the command asks appears in the same box
  await waitFor('the end of the palette', async () => {
    const value = await input.inputValue({ timeout: 100 }).catch(() => '');
    return value.startsWith('>') ? undefined : true;
  });
}

async function answerInputBox(page: Page, text: string): Promise<void> {
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  await input.waitFor({ timeout: PATIENCE_MS });
  await input.fill(text);
  await page.keyboard.press('Enter');
}

/** Drags the sash at the webview's free side until the width fits; the layout rounds, so it corrects itself. */
async function setViewWidth(window: VsCodeWindow, width: number): Promise<number> {
  const { page } = window;
  for (let attempt = 0; attempt < 4; attempt++) {
    const box = await window.viewBox();
    if (Math.abs(box.width - width) < 1) break;
    const sash = await nearestSash(page, box);
    const wider = (width - box.width) * (sash.x > box.x + box.width / 2 ? 1 : -1);
    await page.mouse.move(sash.x, sash.y);
    await page.mouse.down();
    await page.mouse.move(sash.x + wider, sash.y, { steps: 5 });
    await page.mouse.up();
    await page.mouse.move(2, 2); // no hover in pictures
    await sleep(200); // the webview follows its placeholder
  }
  return (await window.viewBox()).width;
}

/** The middle of the upright, movable sash that lies nearest to one of the box's sides. */
async function nearestSash(page: Page, box: { x: number; width: number }): Promise<{ x: number; y: number }> {
  let nearest = { x: 0, y: 0, distance: Number.POSITIVE_INFINITY };
  for (const sash of await page.locator('.monaco-sash.vertical:not(.disabled)').all()) {
    const place = await sash.boundingBox();
    if (!place || place.height < 100) continue;
    const x = place.x + place.width / 2;
    const distance = Math.min(Math.abs(x - box.x), Math.abs(x - box.x - box.width));
    if (distance < nearest.distance) nearest = { x, y: place.y + place.height / 3, distance };
  }
  if (nearest.distance > 40) throw new Error('the view has no movable border: is it maximised?');
  return nearest;
}
