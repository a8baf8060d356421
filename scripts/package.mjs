// npm run package [-- FILE]
//
// Builds, and packs the extension as a .vsix (by default react-agent-VERSION.vsix here). What goes in: .vscodeignore.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setup } from './setup.mjs';

setup();
const { build } = await import('./support/build.mjs');
const { createVSIX, listFiles } = await import('@vscode/vsce');

build();
const { name, version, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const packagePath = process.argv[2] ?? `${name}-${version}.vsix`;
const files = await listFiles({ dependencies: false });
const folder = mkdtempSync(join(tmpdir(), `${name}-`));
try {
  for (const file of [...files, '.vscodeignore']) cpSync(file, join(folder, file));
  // links in the READMEs become absolute once package.json names where the project is published; until then pictures go,
  // and links to what is not packed become words: VS Code would find neither
  for (const readme of repository ? [] : files.filter((file) => /^README.*\.md$/.test(file))) {
    const text = readFileSync(readme, 'utf8')
      .replace(/^!\[[^\]]*\]\((?!https?:)[^)]*\)\n\n?/gm, '')
      .replace(/\[([^\]]+)\]\((?!https?:|#)([^)#]+)[^)]*\)/g, (link, words, to) => (files.includes(to) ? link : words));
    writeFileSync(join(folder, readme), text);
  }
  await createVSIX({
    cwd: folder,
    packagePath: resolve(packagePath),
    dependencies: false, // everything is bundled, so nothing of node_modules goes along
    allowMissingRepository: repository === undefined,
    rewriteRelativeLinks: repository !== undefined,
  });
} finally {
  rmSync(folder, { recursive: true });
}
for (const file of files) console.log(file);
