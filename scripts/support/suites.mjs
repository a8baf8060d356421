import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);
const REPORTER = resolve('test/support/countingReporter.cjs');

/** A suite in plain Node: mocha over the files of one glob. Returns its counts. */
export async function runMocha(glob, { seconds, env = {}, options = [] }) {
  return counted(glob, async (countsFile) => {
    const mocha = resolve('node_modules/mocha/bin/mocha.js');
    const child = spawn(process.execPath, [mocha, ...options, glob], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, REACT_AGENT_TEST_COUNTS: countsFile },
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
    });
    const [code, signal] = await new Promise((done) => child.on('exit', (...ended) => done(ended)));
    if (signal) throw new Error(`ended by ${signal}: it has ${seconds} s`);
    return code;
  });
}

/** The suite inside VS Code's extension host: test/host/**\/*.test.ts, bundled to out/test/host. */
export async function runInVsCode({ seconds, displayLanguage = 'en', env = {} }) {
  return counted('test/host/**/*.test.ts', async (countsFile) => {
    await compileHostTests();
    const { runTests, TestRunFailedError } = require('@vscode/test-electron');
    const userDataDir = mkdtempSync(join(tmpdir(), 'react-agent-host-'));
    const workspace = join(userDataDir, 'workspace');
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'notes.md'), '# Notes\n\nThe Analytical Engine was never finished.\n');
    // an extension that offers a language model, as other people's do
    cpSync('test/fixtures/model-provider', join(userDataDir, 'extensions/test.model-provider-1.0.0'), {
      recursive: true,
    });
    const log = resolve('out/test/vscode.log');
    rmSync(log, { force: true });
    try {
      return await runTests({
        vscodeExecutablePath: resolve('test/support/vscode/launcher.mjs'),
        extensionDevelopmentPath: resolve('.'),
        extensionTestsPath: resolve('out/test/host/index.js'),
        launchArgs: [
          workspace,
          `--user-data-dir=${userDataDir}`,
          `--extensions-dir=${join(userDataDir, 'extensions')}`,
          `--locale=${displayLanguage}`,
        ],
        extensionTestsEnv: {
          ...env,
          REACT_AGENT_TEST_COUNTS: countsFile,
          REACT_AGENT_TEST_REPORTER: REPORTER,
          REACT_AGENT_TEST_LOG: log,
          REACT_AGENT_TEST_SECONDS: String(seconds),
        },
      });
    } catch (error) {
      if (!(error instanceof TestRunFailedError)) throw error;
      if (existsSync(log)) console.error(`What VS Code said is in ${log}`);
      return error.code ?? 1;
    } finally {
      rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  });
}

async function compileHostTests() {
  const outdir = resolve('out/test/host');
  rmSync(outdir, { recursive: true, force: true });
  const tests = readdirSync('test/host', { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  await require('esbuild').build({
    entryPoints: ['test/host/index.ts', ...tests.map((name) => join('test/host', name))],
    outbase: 'test/host',
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/**
 * Runs a suite that leaves its counts in a file. A suite that crashes, that runs nothing, or that fails without a
 * failed test counts as one failure.
 */
async function counted(name, run) {
  const folder = mkdtempSync(join(tmpdir(), 'react-agent-counts-'));
  const countsFile = join(folder, 'counts.jsonl');
  let code = 1;
  try {
    code = await run(countsFile);
  } catch (error) {
    console.error(error);
  }
  const counts = existsSync(countsFile)
    ? JSON.parse(readFileSync(countsFile, 'utf8').trim().split('\n').at(-1))
    : undefined;
  rmSync(folder, { recursive: true, force: true });
  if (!counts) {
    console.error(`${name}: it ended before its tests did (exit code ${code})`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  if (counts.passed + counts.failed === 0) console.error(`${name}: no test was run`);
  else if (counts.failed === 0 && code !== 0)
    console.error(`${name}: all tests passed, yet it ended with code ${code}`);
  else return counts;
  return { ...counts, failed: counts.failed + 1 };
}
