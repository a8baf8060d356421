import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { descendsFrom, findProcesses } from '../support/processes';

const PROJECT = resolve(__dirname, '../..');

describe('npm start', () => {
  it('asks a sample question, prints its steps and stays until Ctrl-C, leaving no process behind', async () => {
    // in a process group of its own, as a terminal gives it
    const npm = spawn('npm', ['start'], { cwd: PROJECT, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<void>((done) => npm.on('exit', () => done()));
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    try {
      while (!output.includes('Ctrl-C')) {
        if (npm.exitCode !== null) assert.fail(`it ended: ${output}`);
        await sleep(100);
      }
      assert.match(output, /Thought 1: .+\nAction 1: Search\[.+\]\nObservation 1: /);
      assert.match(output, /Answer: .*Babbage/);
      const started = findProcesses('').filter((process) => descendsFrom(process, npm.pid!));
      assert.ok(started.length > 3, 'VS Code runs');
      process.kill(-npm.pid!, 'SIGINT');
      await ended;
      for (let tries = 0; started.some(isAlive) && tries < 50; tries++) await sleep(100);
      assert.deepEqual(started.filter(isAlive), []);
    } finally {
      if (npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid!, 'SIGTERM');
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
