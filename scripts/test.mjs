// npm test [-- SUITE…]        SUITE: unit, view, host, driven, oldest, integration, all; by default the first four
//
//   unit         test/unit in plain Node
//   view         test/view in plain Node, with the trace view in Chromium
//   host         test/host/**/*.test.ts inside the extension host of a real VS Code
//   driven       test/host/**/*.driven.ts, which open a real VS Code and drive it from outside
//   chinese      host, with Chinese as VS Code's display language
//   oldest       host, on the oldest VS Code that the manifest promises
//   integration  test/integration: real web servers, and a real MediaWiki; what needs the latter is skipped, and says so,
//                where it isn't installed
//
// Environment:
//   REACT_AGENT_TEST_HOST   server (from npm, Linux x64), desktop (downloaded), auto (default: desktop where there is a
//                           display and the download service answers, else server)
//   REACT_AGENT_VSCODE      current (default) or oldest
//   REACT_AGENT_CACHE       where VS Code and Chromium are kept; by default react-agent in the user's cache folder
//   REACT_AGENT_TEST_GREP   runs only tests whose title matches
//   CHROME_PATH             a Chromium to use in place of the one from npm
//
// The last line is `N passed, N failed` over all suites. Any failure, crash or empty suite gives exit code 1.
import { setup } from './setup.mjs';

const DEFAULT = ['unit', 'view', 'host', 'driven'];

setup();
const { build } = await import('./support/build.mjs');
const { runInVsCode, runMocha } = await import('./support/suites.mjs');

const grep = process.env.REACT_AGENT_TEST_GREP;
const options = grep ? ['--grep', grep] : [];
let built = false;
function buildOnce() {
  if (!built) build();
  built = true;
}

const SUITES = {
  unit: () => runMocha('test/unit/**/*.test.ts', { seconds: 240, options: [...options, '--parallel', '--jobs', '2'] }),
  view: () => runMocha('test/view/**/*.test.ts', { seconds: 120, options }),
  host() {
    buildOnce();
    return runInVsCode({ seconds: 240 });
  },
  driven() {
    buildOnce();
    // a whole VS Code on a busy machine may miss a key press or a second: once more, then it counts
    const patience = ['--timeout', '90000', '--retries', '1'];
    return runMocha('test/host/**/*.driven.ts', { seconds: 420, options: [...options, ...patience] });
  },
  chinese() {
    buildOnce();
    // the others look for English words in the view
    const told = 'The extension in|The display language|@react in';
    return runInVsCode({ seconds: 120, displayLanguage: 'zh-cn', env: { REACT_AGENT_TEST_GREP: grep || told } });
  },
  oldest() {
    buildOnce();
    return runInVsCode({ seconds: 180, env: { REACT_AGENT_VSCODE: 'oldest' } });
  },
  integration: () =>
    runMocha('test/integration/**/*.test.ts', { seconds: 180, options: [...options, '--timeout', '30000'] }),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== 'all' && !(name in SUITES));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}: use ${Object.keys(SUITES).join(', ')} or all.`);
  process.exit(64);
}
const names = asked.includes('all') ? Object.keys(SUITES) : asked.length > 0 ? asked : DEFAULT;
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of names) {
  console.log(`\n── ${name} ──`);
  const started = Date.now();
  const counts = await SUITES[name]();
  for (const key of Object.keys(total)) total[key] += counts[key];
  console.log(
    `${name}: ${counts.passed} passed, ${counts.failed} failed in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
}
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
