// npm run bench [-- PART…]
//
// Runs test/bench/PART.bench.ts, all of them without a PART. Each prints its figures and fails above its own bounds.
// Environment: as for npm test, for the parts that open VS Code.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setup } from './setup.mjs';

setup();
const { build } = await import('./support/build.mjs');
const { buildSync } = await import('esbuild');

const ENDING = '.bench.ts';
const parts = readdirSync('test/bench')
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length))
  .sort();
const asked = process.argv.slice(2);
const unknown = asked.filter((part) => !parts.includes(part));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}: use ${parts.join(', ')}.`);
  process.exit(64);
}
build();
// as it ships: bundled, without the names that tsx keeps for every function at run time
buildSync({
  entryPoints: readdirSync('test/bench')
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `test/bench/${name}`),
  outdir: 'out/bench',
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'warning',
});
const failed = [];
for (const part of asked.length > 0 ? asked : parts) {
  console.log(`── ${part}`);
  const { status } = spawnSync(process.execPath, [`out/bench/${part}.bench.js`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) failed.push(part);
}
if (failed.length > 0) console.error(`Above its bounds or broken: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
