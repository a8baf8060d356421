import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { driver } from '../support/driver';

/** VS Code calls this in the extension host. Every *.test.js beside this file is run; output goes through the driver. */
export async function run(): Promise<void> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 30_000,
    color: true,
    reporter: process.env.REACT_AGENT_TEST_REPORTER,
    grep: process.env.REACT_AGENT_TEST_GREP || undefined,
  });
  for (const name of readdirSync(__dirname, { recursive: true }) as string[]) {
    if (name.endsWith('.test.js')) mocha.addFile(join(__dirname, name));
  }
  // the extension host's console goes a long way, and not to a terminal
  let printed = Promise.resolve();
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => {
    printed = printed.then(() => driver.print(`${format(...values)}\n`));
  };
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  await printed;
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
