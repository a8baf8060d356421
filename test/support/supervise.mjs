// Runs a command in a process group of its own and ends the whole group as soon as the starter is gone.
//
//   node supervise.mjs COMMAND [ARGUMENT…]
//
// The starter holds our standard input open. However the starter ends (normally, by a signal, by kill -9), the pipe
// closes and nothing is left behind. SIGTERM does the same. SIGINT is ignored: the starter decides what it means.
import { spawn } from 'node:child_process';

const GRACE_MS = 2000;
const [command, ...commandArguments] = process.argv.slice(2);
const child = spawn(command, commandArguments, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
let exitCode = 1;

/** True while a process of the group lives. */
function signalGroup(signal) {
  try {
    process.kill(-child.pid, signal);
    return true;
  } catch {
    return false;
  }
}

let ending = false;
function endGroup() {
  if (ending) return;
  ending = true;
  if (!signalGroup('SIGTERM')) process.exit(exitCode);
  const deadline = Date.now() + GRACE_MS;
  const timer = setInterval(() => {
    if (signalGroup(0) && Date.now() < deadline) return;
    clearInterval(timer);
    signalGroup('SIGKILL');
    process.exit(exitCode);
  }, 50);
}

child.on('error', (error) => {
  console.error(`cannot start ${command}: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  exitCode = code ?? (signal ? 1 : 0);
  endGroup();
});
process.stdin.resume();
process.stdin.on('end', endGroup);
process.stdin.on('error', endGroup);
process.on('SIGTERM', endGroup);
process.on('SIGHUP', endGroup);
process.on('SIGINT', () => {});
