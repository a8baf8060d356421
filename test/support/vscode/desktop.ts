import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { chromium } from 'playwright-core';
import { descendsFrom, findProcesses, startProgram } from '../processes';
import { cacheFolder, limited } from './cache';
import type { Host, HostOptions } from './host';
import { SERVER_VERSIONS } from './install';

const UPDATE_SERVICE = 'https://update.code.visualstudio.com/api/releases/stable';
const LOOK_MS = 5000;
const DOWNLOAD_MS = 5 * 60_000;
const START_MS = 60_000;

/** Says which VS Code is to be used: REACT_AGENT_TEST_HOST (server, desktop, auto), by default auto. */
export async function chooseHost(): Promise<'desktop' | 'server'> {
  const chosen = process.env.REACT_AGENT_TEST_HOST || 'auto';
  if (chosen === 'desktop' || chosen === 'server') return chosen;
  if (chosen !== 'auto') throw new Error(`REACT_AGENT_TEST_HOST is “${chosen}”: use server, desktop or auto`);
  if (process.platform !== 'linux') return 'desktop';
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'server';
  return (await canDownload()) ? 'desktop' : 'server';
}

async function canDownload(): Promise<boolean> {
  try {
    return (await fetch(UPDATE_SERVICE, { signal: AbortSignal.timeout(LOOK_MS) })).ok;
  } catch {
    return false; // a closed network
  }
}

/** Opens the desktop VS Code, downloaded on first use, and attaches to its window. */
export async function openDesktop(options: HostOptions): Promise<Host> {
  const version = SERVER_VERSIONS[options.version].vscode;
  const cachePath = join(cacheFolder(), 'vscode-desktop');
  const executable = await limited(
    downloadAndUnzipVSCode({ version, cachePath }),
    DOWNLOAD_MS,
    'the download of VS Code',
  );
  mkdirSync(options.userDataDir, { recursive: true });
  let onEndpoint: (endpoint: string) => void = () => {};
  const endpoint = new Promise<string>((resolve) => {
    onEndpoint = resolve;
  });
  const program = startProgram(executable, desktopArguments(options), {
    env: options.env,
    onLine(line) {
      const found = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (found) onEndpoint(found);
      else options.onLog?.(line);
    },
  });
  try {
    const browser = await chromium.connectOverCDP(await limited(endpoint, START_MS, 'the start of VS Code'));
    const context = browser.contexts()[0]!;
    const page = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: START_MS }));
    return {
      page,
      url: undefined,
      ended: program.exited,
      extensionHostPids: () =>
        findProcesses('--utility-sub-type=node.mojom.NodeService').filter((process) =>
          descendsFrom(process, program.pid),
        ),
      async close() {
        await browser.close().catch(() => {});
        await program.stop();
      },
    };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

function desktopArguments(options: HostOptions): string[] {
  return [
    ...(options.workspace ? [options.workspace] : []),
    ...['--remote-debugging-port=0', '--no-sandbox', '--disable-gpu-sandbox', '--disable-updates'],
    ...['--skip-welcome', '--skip-release-notes', '--disable-telemetry', `--locale=${options.displayLanguage}`],
    ...[`--user-data-dir=${options.userDataDir}`, `--extensions-dir=${options.extensionsDir}`],
    ...(options.trustEverything ? ['--disable-workspace-trust'] : []),
    ...(options.extensionPath ? [`--extensionDevelopmentPath=${options.extensionPath}`] : []),
    ...(options.testsPath ? [`--extensionTestsPath=${options.testsPath}`] : []),
  ];
}
