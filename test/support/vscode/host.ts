import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from './browser';
import type { VersionName } from './install';
import { installVsix, startServer } from './server';

/** What it takes to open one VS Code window. */
export interface HostOptions {
  readonly version: VersionName;
  /** The folder to open; undefined opens an empty window. */
  readonly workspace?: string;
  /** The extension under development. */
  readonly extensionPath?: string;
  /** A packed extension to install first. */
  readonly vsix?: string;
  /** The module that runs tests inside the extension host. */
  readonly testsPath?: string;
  readonly userDataDir: string;
  readonly extensionsDir: string;
  readonly displayLanguage: 'en' | 'zh-cn';
  readonly size: { width: number; height: number };
  readonly trustEverything: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Gets what VS Code itself says. */
  readonly onLog?: (line: string) => void;
}

/** A VS Code window that runs, desktop or server. */
export interface Host {
  readonly page: Page;
  /** Where a person can open the same VS Code in a browser; undefined for the desktop. */
  readonly url: string | undefined;
  /** Resolves with the exit code of the tests inside; without `testsPath` when VS Code has ended. */
  readonly ended: Promise<number>;
  extensionHostPids(): number[];
  close(): Promise<void>;
}

/** What a server without native modules and without the internet complains of, whatever the extension does. */
const NOISE =
  /bindings file|build\/Release|open-vsx|AgentHost|ERR_NAME_NOT_RESOLVED|ServiceWorker|404|allow-same-origin|same-origin iframe/i;

/** Opens VS Code's server and its workbench in headless Chromium. */
export async function openServer(options: HostOptions): Promise<Host> {
  if (options.vsix) await installVsix(options.vsix, options);
  const server = await startServer(options);
  try {
    const browser = await openBrowser(options.userDataDir, options.size, options.displayLanguage);
    const page = browser.pages()[0] ?? (await browser.newPage());
    const ended = new Promise<number>((resolve) => {
      page.exposeFunction('codeAutomationExit', (code: number) => resolve(code));
      page.on('crash', () => resolve(1));
    });
    await page.exposeFunction('codeAutomationLog', (_type: string, values: unknown[]) => {
      options.onLog?.(values.map(String).join(' '));
    });
    page.on('console', (message) => {
      const text = message.text();
      if (/error|warning/.test(message.type()) && !NOISE.test(text)) options.onLog?.(`[page] ${text}`);
    });
    const url = workbenchUrl(server.port, options);
    await page.goto(url);
    return {
      page,
      url,
      ended,
      extensionHostPids: server.extensionHostPids,
      async close() {
        await browser.close().catch(() => {});
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function workbenchUrl(port: number, options: HostOptions): string {
  const remote = (path: string) => `vscode-remote://127.0.0.1:${port}${path}`;
  const payload = [['skipWelcome', 'true']];
  if (options.extensionPath) payload.push(['extensionDevelopmentPath', remote(options.extensionPath)]);
  if (options.testsPath) payload.push(['extensionTestsPath', remote(options.testsPath)]);
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  if (options.workspace)
    query.set(options.workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', options.workspace);
  else query.set('ew', 'true');
  return `http://127.0.0.1:${port}/?${query}`;
}

/** The folder under which VS Code keeps an extension's global storage. */
export function globalStorageFolder(userDataDir: string, host: 'desktop' | 'server'): string {
  return join(userDataDir, host === 'server' ? 'data' : '', 'User/globalStorage');
}
