import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { askByCommand, nextRun } from '../support/vscode/asking';
import { openVsCode } from '../support/vscode/window';

const MEGABYTE = 1_000_000;

describe('The packed extension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'react-agent-packed-'));
  const vsix = join(folder, 'packed.vsix');
  let files: string[] = [];

  before(() => {
    const script = resolve(__dirname, '../../scripts/package.mjs');
    const output = execFileSync(process.execPath, [script, vsix], { encoding: 'utf8' });
    files = output.slice(output.indexOf('DONE')).split('\n').slice(1).filter(Boolean);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is small, and holds only what is meant', () => {
    assert.ok(statSync(vsix).size < 1.5 * MEGABYTE, `${statSync(vsix).size} bytes`);
    const meant =
      /^(dist\/\w+\.(js|css)|media\/.+|l10n\/.+\.json|package(\.nls(\.zh-cn)?)?\.json|LICENSE|[A-Z]+(\.zh-CN)?\.md)$/;
    assert.deepEqual(
      files.filter((file) => !meant.test(file)),
      [],
    );
    for (const name of ['package.json', 'dist/extension.js', 'dist/research.js', 'dist/view.js', 'LICENSE']) {
      assert.ok(files.includes(name), `${name} is packed`);
    }
  });

  it('answers a question when it is installed', async () => {
    const window = await openVsCode({ vsix, settings: { 'reactAgent.knowledge.wiki': 'sample:' } });
    try {
      const run = nextRun(window);
      await askByCommand(window, 'Who designed the Analytical Engine?');
      for await (const event of run) {
        if (event.type === 'run-end') assert.match(event.answer ?? '', /Babbage/);
      }
    } finally {
      await window.close();
    }
  });
});
