// npm run package [-- FILE]
//
// Builds, and packs the extension as a .vsix (by default react-agent-VERSION.vsix here). What goes in: .vscodeignore.
import { readFileSync } from 'node:fs';
import { setup } from './setup.mjs';

setup();
const { build } = await import('./support/build.mjs');
const { createVSIX, listFiles } = await import('@vscode/vsce');

build();
const { name, version, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const packagePath = process.argv[2] ?? `${name}-${version}.vsix`;
await createVSIX({
  packagePath,
  dependencies: false, // everything is bundled, so nothing of node_modules goes along
  // links in the READMEs become absolute once package.json names where the project is published
  allowMissingRepository: repository === undefined,
  rewriteRelativeLinks: repository !== undefined,
});
for (const file of await listFiles({ dependencies: false })) console.log(file);
