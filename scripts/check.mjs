// npm run check
//
// The formatter and linter (biome), the types of both configurations (tsc), a build, and what the bundles must keep:
// sizes, and no second undici in what runs in VS Code, since its proxy and certificate settings reach only its own fetch.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setup } from './setup.mjs';

const KB = 1024;

setup();
const { build } = await import('./support/build.mjs');

const failures = [];
function run(what, script, ...options) {
  console.log(`── ${what}`);
  const { status } = spawnSync(process.execPath, [script, ...options], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) failures.push(what);
}
function expect(holds, failure) {
  if (!holds) failures.push(failure);
}

run('biome', 'node_modules/@biomejs/biome/bin/biome', 'check');
run('tsc', 'node_modules/typescript/bin/tsc', '-p', '.');
run('tsc for the webview', 'node_modules/typescript/bin/tsc', '-p', 'src/webview');

console.log('── bundles');
build();
const size = (name) => statSync(`dist/${name}.js`).size;
const inputs = (name) => Object.keys(JSON.parse(readFileSync(`out/meta/${name}.json`, 'utf8')).inputs);
for (const name of readdirSync('out/meta').map((file) => basename(file, '.json'))) {
  console.log(`${name}.js  ${(size(name) / KB).toFixed(0)} KB`);
  const undici = inputs(name).find((path) => path.includes('node_modules/undici/'));
  expect(!undici, `dist/${name}.js holds undici: import cheerio/slim in place of cheerio`);
}
expect(
  size('extension') < 100 * KB,
  'dist/extension.js is over 100 KB: load what activation does not need with import()',
);
expect(size('extension') + size('research') < 600 * KB, 'what the first question needs is over 600 KB');

for (const failure of failures) console.error(`✘ ${failure}`);
console.log(failures.length === 0 ? 'All checks passed.' : `${failures.length} of the checks failed.`);
process.exitCode = failures.length === 0 ? 0 : 1;
