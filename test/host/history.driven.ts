import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { until } from '../support/until';
import { askByCommand, nextRun, readEvents, traceFiles } from '../support/vscode/asking';
import { openVsCode, type VsCodeWindow } from '../support/vscode/window';
import { type StandIn, startStandIn } from '../support/wikiServer';

const step = (n: number, title: string) => `Thought ${n}: I think of ${title}.\nAction ${n}: Search[${title}]`;

describe('Stored runs and the life of a window', () => {
  let model: ModelServer;
  let wiki: StandIn;
  let window: VsCodeWindow;
  const text = async () => (await window.viewFrame()).evaluate('document.body.innerText') as Promise<string>;
  const shows = (part: string) => until(part, async () => (await text()).includes(part));
  const replies = () => model.completions.length;
  const rows = () =>
    window.page
      .locator('.pane')
      .filter({ hasText: /^History/ })
      .locator('.monaco-list-row');

  before(async () => {
    model = await startModelServer();
    const page = (name: string) => ({ html: `<p>${name} is a town in Kessel. It has a harbour.</p>` });
    wiki = await startStandIn({ pages: { Alba: page('Alba'), Brin: page('Brin'), Cor: page('Cor') } });
    window = await openVsCode({
      extensionPath: resolve(__dirname, '../..'),
      settings: {
        'reactAgent.model.provider': 'openai',
        'reactAgent.model.baseUrl': model.baseUrl,
        'reactAgent.model.name': 'm',
        'reactAgent.knowledge.wiki': wiki.root,
      },
    });
  });
  after(async () => {
    await window?.close();
    await model?.close();
    await wiki?.stop();
  });

  it('goes on with a run whose host was killed: on the open page, and without asking for its steps again', async () => {
    model.queue.push(step(1, 'Alba'), step(2, 'Brin'), { text: step(3, 'Cor'), firstTokenMs: 60_000 });
    await askByCommand(window, 'Where is the harbour?');
    await until('the second observation', async () => (await text()).includes('Brin is a town'));
    process.kill(await window.extensionHostPid(), 'SIGKILL');
    const cut = traceFiles(window).at(-1) as string;
    await window.reload();
    await window.runCommand('ReAct Agent: Focus on Trace View');
    await shows('Interrupted');
    const asked = replies();
    model.queue.length = 0;
    model.queue.push(
      'Thought 3: The open page may say it.\nAction 3: Lookup[harbour]',
      'Thought 4: It does.\nAction 4: Finish[Brin has a harbour]',
    );
    const run = nextRun(window);
    await (await window.viewFrame()).getByRole('button', { name: 'Resume' }).click();
    const events = [];
    for await (const event of run) events.push(event);
    const end = events.at(-1);
    assert.ok(end?.type === 'run-end' && end.outcome === 'answered', JSON.stringify(end));
    assert.equal(replies(), asked + 2);
    const observations = events.filter((event) => event.type === 'observation');
    assert.equal(observations.length, 3);
    assert.deepEqual(
      observations.slice(0, 2),
      readEvents(cut).filter((event) => event.type === 'observation'),
    );
    assert.match(observations[2]?.text ?? '', /Brin[\s\S]*harbour/);
  });

  it('brings an editor tab back after a reload, with the same run in it', async () => {
    await window.runCommand('Open Trace in Editor');
    await window.page.locator('.tab', { hasText: '.react.jsonl' }).first().waitFor();
    await window.runCommand('View: Close Primary Side Bar');
    await shows('Brin has a harbour');
    await window.reload();
    await window.page.locator('.tab', { hasText: '.react.jsonl' }).first().waitFor();
    await shows('Brin has a harbour');
  });

  it('deletes the selected run by the Delete key in the list, and nothing by the same key elsewhere', async () => {
    const folder = dirname(traceFiles(window)[0] as string);
    const count = () => readdirSync(folder).filter((name) => name.endsWith('.react.jsonl')).length;
    await window.runCommand('View: Close All Editors');
    await window.runCommand('Show History');
    const run = rows().filter({ hasText: 'Where is the harbour?' });
    await until('both runs', async () => (await run.count()) === 2);
    await run.last().click();
    await shows('Interrupted');
    const view = await window.viewFrame();
    await view.locator('.step').first().click();
    await window.page.keyboard.press('Delete');
    await sleep(300);
    assert.equal(count(), 2);
    await run.last().click();
    await window.page.keyboard.press('Delete');
    await until('one run less', async () => count() === 1);
    assert.ok(existsSync(join(folder, 'trash')));
    await window.runCommand('Notifications: Show Notifications');
    await window.page.locator('.notification-list-item .monaco-button', { hasText: 'Undo' }).click();
    await until('both again', async () => count() === 2);
  });

  it('searches while words are typed, and takes that back on Escape', async () => {
    await window.page.keyboard.press('Escape');
    await window.runCommand('Search History');
    const input = window.page.locator('.quick-input-widget:visible input');
    await input.fill('BRIN harbour');
    await until('the answered one alone', async () => (await rows().count()) === 2);
    await window.page.keyboard.press('Escape');
    await until('both', async () => (await rows().count()) === 3);
  });
});
