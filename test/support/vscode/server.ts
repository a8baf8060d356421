import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendsFrom, findProcesses, startProgram } from '../processes';
import { installChinese, installServer, type VersionName } from './install';

const START_PATIENCE_MS = 60_000;

/** A VS Code server on loopback. */
export interface RunningServer {
  readonly port: number;
  /** Process ids of the extension hosts that live now. */
  extensionHostPids(): number[];
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly version: VersionName;
  /** Holds settings, global storage and logs; the same folder again is the same user again. */
  readonly userDataDir: string;
  readonly extensionsDir: string;
  readonly displayLanguage: 'en' | 'zh-cn';
  /** False: VS Code asks whether the folder is to be trusted. */
  readonly trustEverything: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts VS Code's server on a free port. Rejects with its last lines when it doesn't come up. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { node, root } = await installServer(options.version);
  mkdirSync(options.userDataDir, { recursive: true });
  mkdirSync(options.extensionsDir, { recursive: true });
  if (options.displayLanguage === 'zh-cn') writeLanguagePack(options.userDataDir, await installChinese());
  const temporary = join(options.userDataDir, 'tmp'); // its sockets go with the rest
  mkdirSync(temporary, { recursive: true });
  const log = createWriteStream(join(options.userDataDir, 'server.log'), { flags: 'a' });
  const lastLines: string[] = [];
  let onPort: (port: number) => void = () => {};
  const listening = new Promise<number>((resolve) => {
    onPort = resolve;
  });
  const server = startProgram(node, serverArguments(root, options), {
    env: { ...options.env, TMPDIR: temporary, XDG_RUNTIME_DIR: temporary },
    onLine(line) {
      log.write(`${line}\n`);
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      const port = /listening on (\d+)/.exec(line)?.[1];
      if (port) onPort(Number(port));
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    const fail = (what: string) => reject(new Error(`the VS Code server ${what}. It said:\n${lastLines.join('\n')}`));
    timer = setTimeout(() => fail('did not come up within a minute'), START_PATIENCE_MS);
    server.exited.then((code) => fail(`ended with code ${code}`));
  });
  failed.catch(() => {}); // it also ends when we stop it
  try {
    const port = await Promise.race([listening, failed]);
    return {
      port,
      extensionHostPids: () =>
        findProcesses('--type=extensionHost').filter((process) => descendsFrom(process, server.pid)),
      async stop() {
        await server.stop();
        log.end();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Installs a packed extension (.vsix) into `extensionsDir`, as a user would from the command line. */
export async function installVsix(vsix: string, options: ServerOptions): Promise<void> {
  const { node, root } = await installServer(options.version);
  const lines: string[] = [];
  const folders = ['--server-data-dir', options.userDataDir, '--extensions-dir', options.extensionsDir];
  const installer = startProgram(
    node,
    [join(root, 'out/server-main.js'), '--install-extension', vsix, '--accept-server-license-terms', ...folders],
    { env: options.env, onLine: (line) => lines.push(line) },
  );
  if ((await installer.exited) !== 0) throw new Error(`VS Code could not install ${vsix}:\n${lines.join('\n')}`);
}

function serverArguments(root: string, options: ServerOptions): string[] {
  return [
    join(root, 'out/server-main.js'),
    ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'],
    ...['--server-data-dir', options.userDataDir, '--extensions-dir', options.extensionsDir],
    ...['--locale', options.displayLanguage, '--disable-telemetry'],
    '--enable-smoke-test-driver', // without it a built VS Code takes no extension under development
    ...(options.trustEverything ? ['--disable-workspace-trust'] : []),
  ];
}

/** Makes VS Code find its Chinese texts, as if the language pack had been installed. */
function writeLanguagePack(userDataDir: string, translation: string): void {
  const pack = {
    hash: 'zh-cn',
    label: '中文(简体)',
    extensions: [{ extensionIdentifier: { id: 'test.chinese' }, version: '1.0.0' }],
    translations: { vscode: translation },
  };
  for (const folder of [userDataDir, join(userDataDir, 'data')]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'languagepacks.json'), JSON.stringify({ 'zh-cn': pack }));
  }
}
