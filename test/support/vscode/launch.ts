import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { limited } from './cache';
import { serveDriver } from './driverServer';
import { openVsCode } from './window';

/**
 * What `runTests` of @vscode/test-electron starts in place of VS Code: reads VS Code's own arguments, opens the window,
 * serves the driver to the tests inside, and exits with their code. VS Code's own words go to a file
 * (REACT_AGENT_TEST_LOG), shown by the caller when something failed.
 */
export async function launch(launchArguments: readonly string[]): Promise<never> {
  const value = (name: string) =>
    launchArguments.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  const patienceMs = Number(process.env.REACT_AGENT_TEST_SECONDS || 240) * 1000;
  const log: string[] = [];
  const driver = await serveDriver();
  const window = await openVsCode({
    extensionPath: value('extensionDevelopmentPath'),
    testsPath: value('extensionTestsPath'),
    userDataDir: value('user-data-dir'),
    workspace: launchArguments.find((argument) => !argument.startsWith('--')),
    displayLanguage: value('locale') === 'zh-cn' ? 'zh-cn' : 'en',
    trustEverything: launchArguments.includes('--disable-workspace-trust'),
    env: { REACT_AGENT_DRIVER: driver.url },
    onLog: (line) => log.push(line),
  });
  driver.drive(window);
  let code = 1;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => window.close().finally(() => process.exit(1)));
  }
  try {
    code = await limited(window.ended, patienceMs, 'the tests inside VS Code');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  const logPath = process.env.REACT_AGENT_TEST_LOG;
  if (logPath) {
    mkdirSync(dirname(logPath), { recursive: true });
    writeFileSync(logPath, log.join('\n'));
  }
  await window.close();
  driver.close();
  process.exit(code);
}
