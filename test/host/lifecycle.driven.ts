import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, afterEach, before, describe, it } from 'mocha';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { until } from '../support/until';
import { askByCommand, nextRun, readEvents, traceFiles } from '../support/vscode/asking';
import { openVsCode, type VsCodeWindow } from '../support/vscode/window';
import { type StandIn, startStandIn } from '../support/wikiServer';

const step = (n: number, title: string) => `Thought ${n}: I think of ${title}.\nAction ${n}: Search[${title}]`;

describe('A run and the life of its window', () => {
  let model: ModelServer;
  let wiki: StandIn;
  let window: VsCodeWindow;
  const text = async () => (await window.viewFrame()).evaluate('document.body.innerText') as Promise<string>;
  const shows = (part: string) => until(part, async () => (await text()).includes(part));

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
  afterEach(() => {
    model.queue.length = 0;
  });
  after(async () => {
    await window?.close();
    await model?.close();
    await wiki?.stop();
  });

  it('goes on while its view moves to the other side bar, and nothing is missing or doubled', async () => {
    model.queue.push(
      step(1, 'Alba'),
      { text: step(2, 'Brin'), firstTokenMs: 1500 },
      { text: 'Thought 3: both seen.\nAction 3: Finish[Two towns]', firstTokenMs: 1500 },
    );
    const run = nextRun(window);
    await askByCommand(window, 'Which towns are there?');
    await shows('I think of Alba.');
    await window.runCommand('View: Move View');
    await window.answerInputBox('Trace');
    await window.answerInputBox('New Secondary Side Bar Entry');
    await shows('I think of Brin.');
    const { x } = await window.viewBox();
    assert.ok(x > 400, `the view stands on the right, at ${x}`);
    await window.runCommand('View: Reset View Locations');
    for await (const event of run) void event;
    await window.runCommand('ReAct Agent: Focus on Trace View');
    await shows('both seen.');
    const shown = await text();
    for (const part of ['I think of Alba.', 'I think of Brin.', 'both seen.']) {
      assert.equal(shown.split(part).length - 1, 1, part);
    }
  });

  it('keeps an unsent draft over hide, show and reload', async () => {
    const draft = 'A long question that was never sent\nwith a second line';
    const box = async () => (await window.viewFrame()).locator('textarea').first();
    await (await box()).fill(draft);
    await sleep(600);
    await window.runCommand('View: Show Explorer');
    await window.runCommand('ReAct Agent: Focus on Trace View');
    assert.equal(await until('the draft', async () => (await box()).inputValue()), draft);
    await window.reload();
    await window.runCommand('ReAct Agent: Focus on Trace View');
    assert.equal(await until('the draft after reload', async () => (await box()).inputValue()), draft);
    await (await box()).fill('');
    await shows('Which towns are there?');
  });

  it('never submits the Enter that ends a composition, nor sends twice', async () => {
    const frame = await window.viewFrame();
    const box = frame.locator('textarea').first();
    const before = traceFiles(window).length;
    await box.fill('什么是');
    // As a browser tells of it: the Enter that accepts a candidate is part of the composition.
    await box.evaluate(`(element) => {
      element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
      const enter = { key: 'Enter', code: 'Enter', isComposing: true, keyCode: 229, bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent('keydown', enter));
      element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    }`);
    await sleep(500);
    assert.equal(traceFiles(window).length, before);
    assert.equal(await box.inputValue(), '什么是');
    model.queue.push('Thought 1: a.\nAction 1: Finish[b]', 'Thought 1: a.\nAction 1: Finish[second]');
    const run = nextRun(window);
    await box.press('Enter');
    await box.press('Enter');
    for await (const event of run) void event;
    await sleep(500);
    assert.equal(traceFiles(window).length, before + 1);
  });

  it('is paused, stepped and stopped by keys while its view has the focus', async () => {
    model.queue.push({ text: step(1, 'Alba'), firstTokenMs: 3000 }, step(2, 'Brin'), {
      text: step(3, 'Cor'),
      firstTokenMs: 60_000,
    });
    await askByCommand(window, 'Can it be steered by keys?');
    await shows('Can it be steered by keys?');
    const controls = () => {
      const events = readEvents(traceFiles(window).at(-1) as string);
      return events.flatMap((event) => (event.type === 'control' ? [event.action] : []));
    };
    const press = async (key: string) => {
      await (await window.viewFrame()).locator('footer textarea').focus();
      await sleep(500); // the view tells VS Code that it has the keyboard
      await window.page.keyboard.press(key);
    };
    await press('F6');
    await until('the pause, after the step at hand', async () => controls().join() === 'pause');
    await press('F10');
    await shows('I think of Brin.');
    await press('F5');
    await until('all three', async () => controls().join() === 'pause,single-step,resume');
    await press('Shift+F5');
    await until('the end', async () => readEvents(traceFiles(window).at(-1) as string).at(-1)?.type === 'run-end');
  });

  it('loses no shown event when the extension host is killed in mid-run, and reads interrupted afterwards', async () => {
    model.queue.push(step(1, 'Alba'), step(2, 'Brin'), { text: step(3, 'Cor'), firstTokenMs: 60_000 });
    await askByCommand(window, 'What happens to a run that is killed?');
    await shows('I think of Brin.');
    await until('the second observation', async () => (await text()).includes('Brin is a town'));
    const shown = await text();
    process.kill(await window.extensionHostPid(), 'SIGKILL');
    const path = traceFiles(window).at(-1) as string;
    const events = readEvents(path);
    // The file may be ahead of the view, never behind it.
    const stored = events.flatMap((event) => (event.type === 'thought' ? [event.text] : []));
    for (const [thought] of shown.matchAll(/I think of \w+\./g)) assert.ok(stored.includes(thought), thought);
    assert.deepEqual(stored, ['I think of Alba.', 'I think of Brin.']);
    const observed = events.filter((event) => event.type === 'observation');
    assert.equal(observed.length, 2);
    assert.notEqual(events.at(-1)?.type, 'run-end');
    await window.reload();
    await window.runCommand('ReAct Agent: Focus on Trace View');
    await shows('Interrupted');
    assert.ok((await text()).includes('Brin is a town'));
  });
});
