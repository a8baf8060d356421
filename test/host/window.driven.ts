import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findProcesses } from '../support/processes';
import { until } from '../support/until';
import { askByCommand, nextRun } from '../support/vscode/asking';
import { openVsCode, type VsCodeWindow } from '../support/vscode/window';

const runs = (pid: number) => {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
};

describe('A window driven from outside', () => {
  let window: VsCodeWindow;

  before(async () => {
    window = await openVsCode({
      extensionPath: resolve(__dirname, '../..'),
      settings: { 'reactAgent.knowledge.wiki': 'sample:' },
      theme: 'light',
    });
  });
  after(() => window?.close());

  it('answers a question asked through the palette, without a folder', async () => {
    const run = nextRun(window);
    await askByCommand(window, 'Who designed the Analytical Engine?');
    const events = [];
    for await (const event of run) events.push(event);
    const end = events.at(-1);
    assert.ok(end?.type === 'run-end');
    assert.equal(end.outcome, 'answered', JSON.stringify(end.error));
    assert.match(end.answer ?? '', /Babbage/);
    const view = await window.viewFrame();
    await view.getByText('Babbage').first().waitFor();
  });

  it('shows the same run after the window is reloaded', async () => {
    await window.reload();
    const view = await window.viewFrame();
    await view.getByText('Who designed the Analytical Engine?').first().waitFor();
  });

  it('gives the view the width asked for, and a picture of it', async () => {
    assert.equal(Math.round(await window.setViewWidth(360)), 360);
    const picture = join(window.userDataDir, 'view.png');
    await window.screenshot(picture, 'view');
    assert.ok(statSync(picture).size > 1000);
  });

  it('leaves no process and no folder behind when it is closed', async () => {
    const host = await window.extensionHostPid();
    assert.ok(host > 0);
    await window.close();
    assert.deepEqual(findProcesses(window.userDataDir), []);
    // It ends by itself as soon as its server is gone; what waits to be reaped runs no more.
    await until('the end of the extension host', () => !runs(host));
    assert.ok(!existsSync(window.userDataDir), `${window.userDataDir} is gone from ${tmpdir()}`);
  });
});
