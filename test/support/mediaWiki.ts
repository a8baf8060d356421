import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const HOME = '/usr/share/mediawiki';
const run = promisify(execFile);

export interface RunningWiki {
  /** `http://127.0.0.1:PORT` */
  root: string;
  stop(): Promise<void>;
}

/** Why no MediaWiki can be started here; undefined where one can. */
export function mediaWikiMissing(): string | undefined {
  const hasPhp = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'php')));
  return hasPhp && existsSync(join(HOME, 'maintenance/install.php'))
    ? undefined
    : 'left out: Debian’s packages mediawiki, php-cli, php-sqlite3, php-intl, php-mbstring, php-xml and php-curl are not installed';
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** MediaWiki's export format: https://www.mediawiki.org/wiki/Help:Export */
function dumpOf(pages: Readonly<Record<string, string>>): string {
  const revision = (text: string) =>
    `<revision><timestamp>2024-01-01T00:00:00Z</timestamp><contributor><username>Editor</username></contributor>` +
    `<model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${escapeXml(text)}</text></revision>`;
  const page = ([title, text]: [string, string]) => `<page><title>${escapeXml(title)}</title>${revision(text)}</page>`;
  return `<mediawiki xml:lang="en">${Object.entries(pages).map(page).join('\n')}</mediawiki>`;
}

async function answers(url: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/**
 * Starts a real MediaWiki on loopback with the given pages.
 * @param pages wikitext by title
 * @param settings PHP lines for LocalSettings.php
 */
export async function startMediaWiki(pages: Readonly<Record<string, string>>, settings = ''): Promise<RunningWiki> {
  const folder = await mkdtemp(join(tmpdir(), 'react-agent-wiki-'));
  const port = await freePort();
  const root = `http://127.0.0.1:${port}`;
  const environment = {
    ...process.env,
    MW_CONFIG_FILE: join(folder, 'LocalSettings.php'),
    PHP_CLI_SERVER_WORKERS: '4',
  };
  const maintain = (script: string, ...options: string[]) =>
    run('php', [join(HOME, 'maintenance', script), ...options], { env: environment, maxBuffer: 1e7 });
  const install = ['--dbtype', 'sqlite', '--dbname', 'wiki', '--dbpath', join(folder, 'data'), '--scriptpath', ''];
  let server: ChildProcess | undefined;
  const stop = async () => {
    // The built-in server's workers are its children, in a process group of its own.
    if (server?.pid !== undefined && server.exitCode === null) {
      const ended = new Promise((resolve) => server!.once('exit', resolve));
      process.kill(-server.pid);
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await run(
      'php',
      [
        join(HOME, 'maintenance/install.php'),
        ...install,
        ...[
          '--server',
          root,
          '--pass',
          'a-long-passphrase',
          '--confpath',
          folder,
          '--with-extensions',
          'Testwiki',
          'Admin',
        ],
      ],
      { maxBuffer: 1e7 },
    );
    await appendFile(join(folder, 'LocalSettings.php'), `\n$wgJobRunRate = 0;\n$wgPingback = false;\n${settings}\n`);
    await writeFile(join(folder, 'pages.xml'), dumpOf(pages));
    await maintain('importDump.php', '--no-updates', join(folder, 'pages.xml'));
    await maintain('rebuildall.php');
    await maintain('rebuildtextindex.php');
    server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', HOME], {
      env: environment,
      stdio: 'ignore',
      detached: true,
    });
    if (!(await answers(`${root}/api.php?action=query&meta=siteinfo&format=json`)))
      throw new Error('MediaWiki does not answer');
    return { root, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
