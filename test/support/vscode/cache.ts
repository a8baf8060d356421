import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LOCK_PATIENCE_MS = 5 * 60_000;

/** Where downloads are kept between runs and checkouts: REACT_AGENT_CACHE, else `react-agent` in the user's cache folder. */
export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return process.env.REACT_AGENT_CACHE || join(base, 'react-agent');
}

/**
 * Returns the folder `name` in the cache, made by `build` if it isn't there. Versions belong into the name. It is built
 * beside its place and renamed when complete, so a broken install is never used; a lock keeps a second run waiting.
 */
export async function cached(name: string, build: (folder: string) => Promise<void>): Promise<string> {
  const target = join(cacheFolder(), name);
  if (existsSync(target)) return target;
  mkdirSync(cacheFolder(), { recursive: true });
  const release = await lock(`${target}.lock`);
  const staging = `${target}.new`;
  try {
    if (existsSync(target)) return target;
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging);
    await build(staging);
    renameSync(staging, target);
    return target;
  } finally {
    rmSync(staging, { recursive: true, force: true });
    release();
  }
}

/** Takes a lock file that holds our process id; one left by a dead process is taken over. */
async function lock(path: string): Promise<() => void> {
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!ownerLives(path)) rmSync(path, { force: true });
    else if (Date.now() > deadline) throw new Error(`another run holds ${path}: wait for it, or remove that file`);
    else await sleep(500);
  }
}

function ownerLives(path: string): boolean {
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    if (owner > 0) process.kill(owner, 0);
    return true; // an empty file: its owner is just about to write it
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Installs packages from the npm registry into `folder`, without running their scripts. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<void> {
  if (packages.length > 0) writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', ['install', ...flags, ...packages], { cwd: folder, env: cleanEnvironment(), maxBuffer: 1 << 26 });
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? error).trim();
    const wanted = packages.join(' ') || 'the dependencies of the VS Code server';
    throw new Error(`npm could not install ${wanted}; check that the npm registry can be reached.\n${said}`);
  }
}

/** The environment without what an outer npm left in it, so that an inner one behaves as if started by hand. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const ofOuterNpm = /^npm_(package|lifecycle|config_(loglevel|local_prefix|prefix|global|silent)|command|execpath)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOuterNpm.test(name)));
}

/** The promise, or an error that names what took longer than `ms`. */
export async function limited<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${Math.round(ms / 1000)} s`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
