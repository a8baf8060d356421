// Makes sure that node_modules is as package-lock.json says: `npm ci` when it is missing or older than the lock.
// Every npm script begins with it. Node's own modules only, and nothing on stdout, which belongs to the script.
import { spawnSync } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

export function setup() {
  process.chdir(projectFolder);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node ${process.versions.node} is too old: install Node 20.19 or newer, then run this again.`);
    process.exit(1);
  }
  // npm writes this file last, so a broken install is repeated
  if (modified('node_modules/.package-lock.json') >= modified('package-lock.json')) return;
  if (lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm ci would empty the folder that it points to, which another checkout may be using
    console.error(
      'node_modules is a symbolic link and older than package-lock.json: remove the link, then run this again.',
    );
    process.exit(1);
  }
  console.error('Installing the packages of package-lock.json (npm ci)…');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', ['ci', ...flags], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
    env: { ...process.env, NODE_ENV: 'development' }, // the build needs what production leaves out
  });
  if (status !== 0) {
    console.error(`npm ci failed${error ? ` (${error.message})` : ''}: check that the npm registry can be reached.`);
    process.exit(1);
  }
}

function modified(path) {
  try {
    return statSync(join(projectFolder, path)).mtimeMs;
  } catch {
    return 0;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
