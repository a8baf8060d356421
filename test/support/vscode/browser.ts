import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { installBrowser } from './install';

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Opens Chromium with a profile of its own in `userDataDir`, so that what VS Code keeps in the browser is kept too. */
export async function openBrowser(
  userDataDir: string,
  size: { width: number; height: number },
  displayLanguage: string,
): Promise<BrowserContext> {
  const { executablePath, env } = await installBrowser();
  try {
    return await chromium.launchPersistentContext(join(userDataDir, 'browser'), {
      executablePath,
      env: { ...process.env, ...env } as Record<string, string>,
      args: QUIET,
      viewport: size,
      locale: displayLanguage,
      permissions: ['clipboard-read', 'clipboard-write'],
      handleSIGINT: false, // a Ctrl-C is for the program that opened the window to answer
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`Chromium at ${executablePath} did not start; set CHROME_PATH to another one.\n${said}`);
  }
}
