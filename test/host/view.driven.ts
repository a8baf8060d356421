import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import { type ModelReplySpec, type ModelServer, startModelServer } from '../support/modelServer';
import { commandTitle } from '../support/vscode/asking';
import { openVsCode, type Theme, type VsCodeWindow, waitFor } from '../support/vscode/window';
import { type StandIn, startStandIn } from '../support/wikiServer';

const KEY = 'sk-driven-0123456789abcdef';
const QUESTION = 'Who designed the Orvan Bridge, and where was she born?';
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const reply = (step: number, thought: string, action: string) =>
  `Thought ${step}: ${thought}\nAction ${step}: ${action}`;
const stalled = (text: string): ModelReplySpec => ({ text, finishReason: null, done: false, ending: 'stall' });

/** The trace view in a real VS Code, over one window: what a person does in it, and what is then to be seen. */
describe('The trace view in a window', () => {
  let model: ModelServer;
  let wiki: StandIn;
  let window: VsCodeWindow;
  let view: Frame;
  const card = (step: number) => view.locator(`[data-step="${step}"]`);
  const state = () => view.locator('.state').textContent();
  const shows = (locator: Locator, text: string | RegExp) => locator.filter({ hasText: text }).first().waitFor();
  const isIn = (word: string) => waitFor(`the state ${word}`, async () => (await state()) === word || undefined);
  const focused = () => view.evaluate<string>('document.activeElement.dataset.step ?? document.activeElement.tagName');
  const command = (name: string) => window.runCommand(commandTitle(`reactAgent.${name}`));

  async function ask(question: string, ...replies: (string | ModelReplySpec)[]): Promise<void> {
    model.queue.push(...replies);
    await view.locator('footer textarea').fill(question);
    await view.locator('footer textarea').press('Enter');
    await shows(view.locator('h1'), question);
  }

  /** No violation of any rule, nor of contrast in the other themes. */
  async function passesAxe(): Promise<void> {
    await view.evaluate(AXE);
    // VS Code paints the side bar behind the view's document, where axe doesn't see it.
    await view.evaluate(`document.documentElement.style.background = 'var(--vscode-sideBar-background)'`);
    for (const theme of ['light', 'high-contrast', 'dark'] as Theme[]) {
      await window.setTheme(theme);
      const rules = theme === 'dark' ? '' : `{ runOnly: ['color-contrast'] }`;
      const violations = await view.evaluate<string[]>(
        `axe.run(${rules}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary).join()))`,
      );
      assert.deepEqual(violations, [], theme);
    }
  }

  before(async () => {
    model = await startModelServer();
    const html = (text: string) => ({ html: `<p>${text}</p>` });
    wiki = await startStandIn({
      pages: {
        'Orvan Bridge': html('The Orvan Bridge is in Kessel. It was designed by Mara Tell. It opened in 1931.'),
        'Mara Tell': html('Mara Tell was an engineer. She was born in Norvik in 1899. She studied in Kessel.'),
        Kessel: html('Kessel is a town with a harbour. The Orvan Bridge is its landmark.'),
      },
    });
    window = await openVsCode({
      extensionPath: resolve(__dirname, '../..'),
      settings: {
        'reactAgent.model.provider': 'openai',
        'reactAgent.model.baseUrl': model.baseUrl,
        'reactAgent.model.name': 'm',
        'reactAgent.knowledge.wiki': wiki.root,
        'reactAgent.limits.steps': 4,
      },
    });
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.runCommand('ReAct Agent: Focus on Trace View');
    view = await window.viewFrame();
    await view.locator('.welcome').waitFor();
  });
  afterEach(async () => {
    model.queue.length = 0;
    const stop = view.locator('.stop');
    if (await stop.isVisible()) await stop.click();
  });
  after(async () => {
    await window?.close();
    await model?.close();
    await wiki?.stop();
  });

  it('is open to everyone before anything is asked', () => passesAxe());

  it('streams a run word by word, over hide and show, to its end', async () => {
    await command('setApiKey');
    await window.answerInputBox(KEY);
    await ask(
      QUESTION,
      reply(1, 'The bridge’s page should name the designer.', 'Search[Orvan Bridge]'),
      stalled('Thought 2: It was Mara Tell, so her page'),
    );
    await shows(card(2).locator('.thought[data-live]'), 'It was Mara Tell, so her page');
    await isIn('Running');
    await shows(card(1).locator('.observed'), 'It was designed by Mara Tell.');
    await passesAxe();
    await window.runCommand('View: Show Explorer');
    await window.runCommand('ReAct Agent: Focus on Trace View');
    view = await window.viewFrame();
    await shows(card(2).locator('.thought[data-live]'), 'It was Mara Tell, so her page');
    assert.equal(await view.locator('.step').count(), 2);
    await view.locator('.stop').click();
    await isIn('Stopped');
    await model.settled();
    assert.equal(model.completions.at(-1)?.state, 'closed');
    await shows(card(2).locator('.thought'), 'It was Mara Tell, so her page');
  });

  it('ends with an answer that tells on hover where each claim stands', async () => {
    await ask(
      QUESTION,
      reply(1, 'The bridge’s page should name the designer.', 'Search[Orvan Bridge]'),
      reply(2, 'Her page should name her birthplace.', 'Search[Mara Tell]'),
      reply(3, 'It may say more.', 'Lookup[born]'),
      reply(4, 'Both are found.', 'Finish[It was designed by **Mara Tell**. She was born in Norvik in 1899.]'),
    );
    await isIn('Answered');
    assert.deepEqual(await view.locator('.step h2').allTextContents(), ['Step 11', 'Step 22', 'Step 33', 'Step 4']);
    assert.equal(await view.locator('.cite').count(), 2);
    await view.locator('.cite button').first().hover();
    await shows(view.locator('.tooltip'), /^It was designed by Mara Tell\.$/);
    await shows(view.locator('.verdict'), '2 of 2 claims found word for word in the sources');
    await view.locator('.cite button').nth(1).click();
    assert.ok(['2', '3'].includes(await focused()), 'the citation leads to the step that observed it');
    assert.equal(await view.locator('mark').filter({ hasText: 'Norvik' }).first().isVisible(), true);
    await passesAxe();
  });

  it('walks by keyboard, with letters in the list only', async () => {
    await card(4).focus();
    await window.page.keyboard.press('k');
    await window.page.keyboard.press('k');
    await window.page.keyboard.press('j');
    assert.equal(await focused(), '3');
    await window.page.keyboard.press('Home');
    assert.equal(await focused(), '1');
    // VS Code asks before it opens an address, but not for one on loopback
    if (window.host === 'server') {
      const opened = window.page.context().waitForEvent('page');
      await window.page.keyboard.press('o');
      const browserTab = await opened;
      assert.match(browserTab.url(), /\/wiki\/Orvan_Bridge$/);
      await browserTab.close();
      await card(1).focus();
    }
    await window.page.keyboard.press('?');
    await view.locator('dialog').waitFor();
    await window.page.keyboard.press('Escape');
    assert.equal(await focused(), '1');
    const box = view.locator('footer textarea');
    await box.focus();
    await window.page.keyboard.type('jjjo?/');
    assert.equal(await box.inputValue(), 'jjjo?/');
    await box.fill('');
  });

  it('finds with a count, goes to the next and the previous, and filters', async () => {
    await card(1).focus();
    await window.page.keyboard.press('/');
    await window.page.keyboard.type('mara tell');
    await sleep(500); // one question to the host after another, up to the last letter
    const count = view.locator('.find .count');
    await shows(count, /^1 of \d+$/);
    const total = Number((await count.textContent())?.split(' of ')[1]);
    assert.ok(total >= 6, `${total} matches`);
    await window.page.keyboard.press('Enter');
    await shows(count, `2 of ${total}`);
    await window.page.keyboard.press('Shift+Enter');
    await window.page.keyboard.press('Shift+Enter');
    await shows(count, `${total} of ${total}`);
    const filter = view.locator('search select');
    await filter.selectOption('tool:Lookup');
    await card(1).waitFor({ state: 'detached' });
    assert.deepEqual(await view.locator('.step').getAttribute('data-step'), '3');
    await filter.selectOption('errors');
    await shows(view.locator('.no-match'), 'No step passes the filter.');
    await view.locator('.find input').focus();
    await window.page.keyboard.press('Escape');
    await card(1).waitFor();
    assert.equal(await filter.isVisible(), false);
  });

  it('shows what the model saw, and copies it without the key', async () => {
    await card(2).focus();
    await window.page.keyboard.press('r');
    const raw = card(2).locator('.raw');
    await raw.locator('.message').first().waitFor();
    const sent = model.completions.at(-3)?.body.messages as { content: string }[];
    assert.deepEqual(
      await raw
        .locator('.message pre')
        .allTextContents()
        .then((texts) => texts.at(-1)),
      sent.at(-1)?.content,
      'the message as it went over the wire',
    );
    assert.equal(await raw.locator('.message').count(), sent.length);
    assert.equal(await raw.locator('.message.new').count(), 2);
    await raw.getByText('Copy as curl').click();
    const curl = await clipboard(/^curl /);
    assert.ok(curl.includes('Bearer $OPENAI_API_KEY') && !curl.includes(KEY));
    assert.ok(curl.includes('Her page should name her birthplace') === false, 'not yet what it then replied');
    await window.page.keyboard.press('r');
    await view.getByText('Copy with sources').click();
    const answer = await clipboard(/^It was designed by/);
    assert.match(answer, /\n\[1\] Orvan Bridge http:\/\/127\.0\.0\.1/);
  });

  it('goes to a step by a click on the time bar', async () => {
    const bar = view.locator('.timeline');
    await bar.click({ position: { x: 3, y: 4 } });
    assert.equal(await bar.getAttribute('aria-valuenow'), '1');
    await bar.press('End');
    assert.equal(await bar.getAttribute('aria-valuenow'), '4');
  });

  it('is the same in an editor tab, without a question box', async () => {
    await command('openTraceInEditor');
    const tab = await waitFor('the tab’s document', () => otherFrame(view));
    await tab.locator('.step').first().waitFor();
    assert.deepEqual(await tab.locator('.step').count(), 4);
    assert.equal(await tab.locator('h1').textContent(), QUESTION);
    assert.equal(await tab.locator('footer textarea').isVisible(), false);
    await window.runCommand('View: Close All Editors');
    view = await window.viewFrame();
  });

  it('is steered by a note, pause, one step, and answer now', async () => {
    await ask('What is there in Kessel?', { text: reply(1, 'The town first.', 'Search[Kessel]'), firstTokenMs: 700 });
    const button = (label: string) => view.locator(`.controls [aria-label="${label}"]`);
    await button('Pause').click();
    await isIn('Pausing after step 1');
    await isIn('Paused');
    assert.equal(await card(2).locator('.observed').isVisible(), false);
    const before = model.completions.length;
    await view.locator('footer textarea').fill('Look at the bridge too.');
    await view.locator('footer textarea').press('Enter');
    await sleep(300);
    assert.equal(model.completions.length, before, 'nothing is sent while the run is paused');
    model.queue.push(reply(2, 'Now the bridge.', 'Search[Orvan Bridge]'));
    await button('Run one step, then pause').click();
    await shows(card(2).locator('.observed'), 'It opened in 1931.');
    await isIn('Paused');
    assert.match(JSON.stringify(model.completions.at(-1)?.body.messages), /Look at the bridge too\./);
    await shows(view.locator('.notice'), 'Your note: Look at the bridge too.');
    model.queue.push(stalled('Thought 3: And who'), reply(3, 'Enough.', 'Finish[Kessel is a town with a harbour.]'));
    await button('Go on').click();
    await shows(card(3).locator('.thought'), 'And who');
    await button('Answer now with what was found').click();
    await shows(view.locator('.answer'), 'Kessel is a town with a harbour.');
    await shows(view.locator('.notice'), 'You asked for the answer now.');
  });

  it('offers more steps, a hint or an end at the limit', async () => {
    const searches = ['Orvan Bridge', 'Mara Tell', 'Kessel', 'Norvik'].map((title, index) =>
      reply(index + 1, `I look at ${title}.`, `Search[${title}]`),
    );
    await ask('What did Mara Tell study?', ...searches, reply(5, 'I guess.', 'Finish[She studied in Kessel.]'));
    await isIn('Stopped at a limit');
    await view.getByText('Leave it').click();
    assert.equal(await view.getByText('More steps').count(), 0);
    await window.runCommand('View: Show Explorer');
    await window.runCommand('ReAct Agent: Focus on Trace View');
    view = await window.viewFrame();
    const last = reply(5, 'The hint helps.', 'Finish[She studied in Kessel.]');
    model.queue.push(last);
    await view.getByText('Give a hint').click();
    await view.locator('.hint textarea').fill('Her page says where.');
    await view.getByText('Go on with this hint').click();
    await isIn('Answered');
    assert.match(JSON.stringify(model.completions.at(-1)?.body.messages), /Her page says where\./);

    await ask('Where did Mara Tell learn?', ...searches, reply(5, 'I guess.', 'Finish[Perhaps in Kessel.]'));
    await isIn('Stopped at a limit');
    model.queue.push(last);
    await view.getByText('More steps').click();
    await isIn('Answered');
    assert.equal(await view.locator('.step').count(), 5, 'it goes on behind the four steps that it had');
  });

  it('says what is wrong and leads to what helps', async () => {
    await ask('Is the key right?', { status: 401, body: { error: { message: 'no', code: 'invalid_api_key' } } });
    await isIn('Failed');
    await passesAxe();
    await view.locator('.answer .primary').click();
    await window.page.locator('.quick-input-widget:visible input').waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('resumes a run whose extension host was killed, from its last complete step', async () => {
    await ask(
      QUESTION,
      reply(1, 'The bridge’s page should name the designer.', 'Search[Orvan Bridge]'),
      stalled('Thought 2: It was'),
    );
    await shows(card(2).locator('.thought'), 'It was');
    process.kill(await window.extensionHostPid(), 'SIGKILL');
    await window.reload();
    await window.runCommand('ReAct Agent: Focus on Trace View');
    view = await window.viewFrame();
    await isIn('Interrupted');
    const asked = () => model.completions.length;
    const before = asked();
    model.queue.push(reply(2, 'It was her.', 'Finish[It was designed by Mara Tell.]'));
    await view.getByText('Resume', { exact: true }).click();
    await isIn('Answered');
    assert.equal(asked(), before + 1, 'nothing is paid twice');
    await shows(card(1).locator('.observed'), 'It was designed by Mara Tell.');
  });

  /** What the clipboard holds, once it fits. */
  async function clipboard(wanted: RegExp): Promise<string> {
    return waitFor(`${wanted} in the clipboard`, async () => {
      const text = await window.page.evaluate<string>('navigator.clipboard.readText()').catch(() => '');
      return wanted.test(text) ? text : undefined;
    });
  }

  /** The extension's webview that is not this one. */
  async function otherFrame(known: Frame): Promise<Frame | undefined> {
    for (const outer of window.page.frames()) {
      if (!/[?&]extensionId=react-agent/.test(outer.url()) || outer === known.parentFrame()) continue;
      const inner = await (await outer.$('#active-frame'))?.contentFrame();
      if (inner) return inner;
    }
    return undefined;
  }
});
