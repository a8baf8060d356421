import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/** A trace that is being written has this file beside it, which says by whom. */
export const OWNER_EXTENSION = '.owner';

interface Owner {
  pid: number;
  host: string;
  /** When that process started, in the system's own notation; missing where the system does not say. */
  started?: string;
}

/** A foreign machine's processes can't be seen: its run counts as going on while its file is younger than this, in ms. */
const FOREIGN_PATIENCE = 15 * 60_000;

/** Says that this process writes the trace. Failing to say so never fails a run: the trace then reads "interrupted" elsewhere. */
export function claim(path: string): void {
  const started = startOf(process.pid);
  const owner: Owner = { pid: process.pid, host: hostname(), ...(started === undefined ? {} : { started }) };
  try {
    writeFileSync(path + OWNER_EXTENSION, JSON.stringify(owner), { mode: 0o600 });
  } catch {
    // A full or read-only disk: `TraceFile` tells about it.
  }
}

export function release(path: string): void {
  try {
    rmSync(path + OWNER_EXTENSION, { force: true });
  } catch {
    // Its process ends some day, and then nobody owns the trace.
  }
}

/** True while a process that still lives writes the trace, be it this one. */
export function isOwned(path: string): boolean {
  let owner: Owner;
  let claimedAt: number;
  try {
    claimedAt = statSync(path + OWNER_EXTENSION).mtimeMs;
    owner = JSON.parse(readFileSync(path + OWNER_EXTENSION, 'utf8')) as Owner;
  } catch {
    return false;
  }
  if (owner?.host !== hostname()) return writtenSince(path, Date.now() - FOREIGN_PATIENCE);
  if (!Number.isSafeInteger(owner.pid) || owner.pid <= 0) return false;
  // Process numbers are given anew: one from before the machine's start is another process now.
  if (claimedAt < Date.now() - uptime() * 1000 - 60_000) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return owner.started === undefined || owner.started === startOf(owner.pid);
}

function writtenSince(path: string, time: number): boolean {
  try {
    return statSync(path).mtimeMs > time;
  } catch {
    return false;
  }
}

/** When a process started, in clock ticks since the machine's start (proc(5), field 22); Linux only. */
function startOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold spaces and parentheses.
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
