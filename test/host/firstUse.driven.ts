import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { RunEnd, RunStart } from '../../src/agent/event';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { askByCommand, commandTitle, nextRun } from '../support/vscode/asking';
import { openVsCode, type VsCodeWindow, waitFor } from '../support/vscode/window';

describe('The first use, in a folder that is not trusted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'react-agent-untrusted-'));
  let window: VsCodeWindow;
  let model: ModelServer;
  /** What a folder might try: send questions and keys to a server of its own. */
  const intruding = { 'reactAgent.model.provider': 'openai', 'reactAgent.knowledge.wiki': 'http://127.0.0.1:2' };

  /** What VS Code's list of notifications holds; a toast may have gone by, or wait for the window's focus. */
  async function notices(): Promise<string[]> {
    await window.runCommand('Notifications: Show Notifications');
    await window.page.locator('.notifications-center.visible').waitFor();
    const texts = await window.page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
    await window.runCommand('Notifications: Clear All Notifications');
    return texts;
  }
  async function runEvents(run: ReturnType<typeof nextRun>): Promise<{ start: RunStart; end: RunEnd }> {
    const events = [];
    for await (const event of run) events.push(event);
    return { start: events[0] as RunStart, end: events.at(-1) as RunEnd };
  }

  before(async () => {
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(intruding));
    writeFileSync(join(folder, 'notes.txt'), '');
    model = await startModelServer();
    window = await openVsCode({
      extensionPath: resolve(__dirname, '../..'),
      workspace: folder,
      trustEverything: false,
      size: { width: 1200, height: 900 },
    });
  });
  after(async () => {
    await window?.close();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('begins with a view that says what this is, and no notice', async () => {
    await window.page.locator('.activitybar .action-label[aria-label^="ReAct Agent"]').first().click();
    const view = await window.viewFrame();
    await view.getByText('Restricted mode', { exact: false }).waitFor();
    assert.equal(await view.locator('.samples button').count(), 3);
    await view.getByText('No telemetry', { exact: false }).waitFor();
    assert.deepEqual(await notices(), []);
  });

  it('answers a sample question at a click, and takes nothing from the folder’s settings', async () => {
    const view = await window.viewFrame();
    const run = nextRun(window);
    await view.locator('.samples button').nth(1).click();
    const { start, end } = await runEvents(run);
    assert.equal(start.provider, 'researcher');
    assert.match(end.answer ?? '', /SpaceX/);
    assert.ok(end.sources.every(({ url }) => url.startsWith('sample:') || /wikipedia\.org/.test(url)));
    assert.deepEqual(await notices(), [], 'the view is visible');
  });

  it('offers a model where the rules find nothing', async () => {
    const run = nextRun(window);
    await askByCommand(window, 'Who repaired the Vexlor tower of Umbria Minor?');
    const { end } = await runEvents(run);
    assert.equal(end.found, false);
    await (await window.viewFrame()).locator('.end').getByText('connect one', { exact: false }).first().waitFor();
  });

  it('leaves the keyboard where it is while a run goes on and ends', async () => {
    await window.setSettings({
      'reactAgent.model.provider': 'openai',
      'reactAgent.model.baseUrl': model.baseUrl,
      'reactAgent.model.name': 'm',
    });
    await window.page.waitForTimeout(1000); // VS Code reads its settings again
    model.queue.push({ text: `Thought 1: ${'slowly '.repeat(30)}\nAction 1: Finish[done]`, tokenMs: 30 });
    const run = nextRun(window);
    await askByCommand(window, 'Does it take the keyboard?');
    await window.runCommand('File: New Untitled Text File');
    const editor = window.page.locator('.monaco-editor:visible').first();
    await editor.click();
    let typed = '';
    let over = false;
    const ended = runEvents(run).then((events) => {
      over = true;
      return events;
    });
    for (let extra = 0; !over || extra++ < 8; ) {
      await window.page.keyboard.type('abc', { delay: 15 });
      typed += 'abc';
    }
    await ended;
    const text = await waitFor('what was typed', async () => {
      const lines = await editor.locator('.view-line').allInnerTexts();
      return lines.join('').length >= typed.length ? lines.join('') : undefined;
    });
    assert.equal(text, typed);
  });

  it('gives one notice at the end where the view is hidden, and none where that was switched off', async () => {
    model.queue.push({ text: 'Thought 1: a.\nAction 1: Finish[hidden answer]', firstTokenMs: 1500 });
    let run = nextRun(window);
    await askByCommand(window, 'Is there a notice?');
    await window.runCommand('View: Show Explorer');
    await runEvents(run);
    assert.deepEqual(await notices(), ['ReAct Agent answered: hidden answer']);
    await window.setSettings({ 'reactAgent.view.notifyWhenDone': false });
    await window.page.waitForTimeout(1000);
    model.queue.push({ text: 'Thought 1: a.\nAction 1: Finish[quiet answer]', firstTokenMs: 1500 });
    run = nextRun(window);
    await window.runCommand(commandTitle('reactAgent.retryQuestion'));
    await runEvents(run);
    assert.deepEqual(await notices(), []);
  });
});
