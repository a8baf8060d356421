import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'mocha';
import { openSource } from '../../src/knowledge';
import { createToolbox } from '../../src/tools';
import { expectedTable, READMES, writtenTable } from '../support/readmeTables';

const ROOT = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('The READMEs', () => {
  for (const readme of READMES) {
    describe(readme.readme, () => {
      const text = read(readme.readme);

      for (const kind of ['settings', 'commands'] as const) {
        it(`lists the ${kind} of the manifest (to renew: npx tsx test/support/readmeTables.ts)`, () => {
          const expected = expectedTable(kind, readme);
          assert.ok(expected.length > 10);
          assert.deepEqual(writtenTable(kind, readme), expected);
        });
      }

      it('names every tool', () => {
        const source = openSource('sample:', { sampleFolder: '' });
        for (const name of createToolbox({ source }).keys()) assert.ok(text.includes(`\`${name}\``), name);
      });

      it('names commands and settings that exist, by the titles that VS Code shows', () => {
        const manifest = read('package.json');
        for (const [, id] of text.matchAll(/`(reactAgent\.[\w.]+)`/g)) assert.ok(manifest.includes(`"${id}"`), id);
        const scripts = JSON.parse(manifest).scripts;
        for (const [, name] of text.matchAll(/npm run (?:-s )?(\w+)/g)) assert.ok(scripts[name as string], name);
        assert.ok(text.includes(`react-agent-${JSON.parse(manifest).version}.vsix`));
      });

      it('leads nowhere that is not there', () => {
        for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
          if (/^https?:/.test(target)) continue;
          assert.ok(existsSync(join(ROOT, target.replace(/#.*/, ''))), target);
        }
      });
    });
  }

  it('say the same: as many headings, rows and code blocks in both', () => {
    const shape = (text: string) => ({
      headings: text.match(/^#+ /gm)?.length,
      fences: text.match(/^\s*```/gm)?.length,
      rows: text.match(/^\|/gm)?.length,
      items: text.match(/^(?:- |\d\. )/gm)?.length,
    });
    assert.deepEqual(shape(read('README.zh-cn.md')), shape(read('README.md')));
  });
});
