// npm run -s ask -- [ask] "question" [options]
//
// Asks in the terminal from a checkout: sets up, builds dist/cli.js when it is older than the source, and runs it.
// stdout is the program's alone, the exit code is its own. Options and codes: docs/trace-format.md, or --help.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setup } from './setup.mjs';
import { buildIfStale } from './support/build.mjs';

// One Ctrl-C may come twice: from the terminal, and from an npm that passes it on.
const SAME_KEY_MS = 500;

setup();
buildIfStale('dist/cli.js');
const words = process.argv.slice(2);
// The program's own command may be written too; alone it is the question.
if (words[0] !== 'ask' || words.length === 1) words.unshift('ask');
const program = spawn(process.execPath, ['dist/cli.js', ...words], {
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true, // out of the terminal's reach, so that it gets each signal once, from here
});
let lastInterrupt = 0;
process.on('SIGINT', () => {
  if (Date.now() - lastInterrupt > SAME_KEY_MS) program.kill('SIGINT');
  lastInterrupt = Date.now();
});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal));
program.on('error', (error) => {
  console.error(`dist/cli.js could not be started: ${error.message}`);
  process.exit(1);
});
program.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
