import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A program started in a process group of its own; see supervise.mjs. */
export interface StartedProgram {
  /** The supervisor's process id; the program is its child. */
  readonly pid: number;
  /** Resolves with the exit code once the whole group is gone. */
  readonly exited: Promise<number>;
  /** Ends the whole group, first kindly, after two seconds by force. */
  stop(): Promise<void>;
}

/** Starts a program whose processes can't outlive this one. `onLine` gets every line of stdout and stderr. */
export function startProgram(
  command: string,
  programArguments: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; onLine?: (line: string) => void } = {},
): StartedProgram {
  const supervisor = join(__dirname, 'supervise.mjs');
  const child = spawn(process.execPath, [supervisor, command, ...programArguments], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true, // a Ctrl-C in the terminal reaches the starter only, which then decides
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => options.onLine?.(line));
  }
  child.stdin.on('error', () => {});
  const exited = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });
  return {
    pid: child.pid ?? -1,
    exited,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

/** Process ids (Linux) whose command line contains every one of the given texts. */
export function findProcesses(...texts: readonly string[]): number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (texts.every((text) => commandLine.includes(text))) found.push(Number(name));
    } catch {
      // it ended while we looked
    }
  }
  return found;
}

/** Process id of the parent (Linux), or 0 when the process is gone. */
export function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** True when `pid` is `ancestor` or was started, directly or not, by it. */
export function descendsFrom(pid: number, ancestor: number): boolean {
  for (let current = pid; current > 1; current = parentOf(current)) {
    if (current === ancestor) return true;
  }
  return false;
}
