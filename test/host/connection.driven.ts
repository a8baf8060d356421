import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { commandTitle } from '../support/vscode/asking';
import { openVsCode, type VsCodeWindow, waitFor } from '../support/vscode/window';

const KEY = 'sk-driven-test-0123456789abcdef';

interface Shown {
  message: string;
  steps: string[];
  buttons: string[];
}

describe('Test Connection', () => {
  let window: VsCodeWindow;
  let model: ModelServer;

  /** The steps as the dialog lists them, and its buttons. */
  async function test(): Promise<Shown> {
    await window.runCommand(commandTitle('reactAgent.testConnection'));
    return dialogShown();
  }
  async function dialogShown(): Promise<Shown> {
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    const texts = (selector: string) => dialog.locator(selector).allInnerTexts();
    return {
      message: (await texts('.dialog-message-text')).join(),
      steps: (await texts('.dialog-message-detail')).join().split('\n'),
      buttons: await texts('.dialog-buttons .monaco-button'),
    };
  }
  async function choose(button: string): Promise<void> {
    await window.page.locator('.monaco-dialog-box .monaco-button', { hasText: button }).click();
    await window.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
  }
  const asksForKey = () =>
    window.page.locator('.quick-input-widget:visible', { hasText: 'API key for http' }).waitFor();
  /** The base URLs in VS Code's settings files. */
  function baseUrls(): unknown[] {
    const names = readdirSync(window.userDataDir, { recursive: true }) as string[];
    return names
      .filter((name) => /(User|Machine)[\\/]settings\.json$/.test(name))
      .map((name) => JSON.parse(readFileSync(join(window.userDataDir, name), 'utf8'))['reactAgent.model.baseUrl']);
  }

  before(async () => {
    model = await startModelServer(
      ({ body }) =>
        body.tools ? { status: 429, body: { error: { message: 'Slow down' } } } : 'alpha beta gamma delta',
      { models: ['embed-small', 'm'] },
    );
    window = await openVsCode({
      extensionPath: resolve(__dirname, '../..'),
      settings: {
        'reactAgent.model.provider': 'openai',
        'reactAgent.model.baseUrl': model.origin,
        'reactAgent.model.name': 'm',
      },
    });
    await window.runCommand(commandTitle('reactAgent.setApiKey'));
    await asksForKey();
    await window.answerInputBox(KEY);
    await window.page.locator('.statusbar', { hasText: 'API key saved' }).waitFor();
  });
  beforeEach(() => window.setSettings({ 'reactAgent.model.baseUrl': model.origin }));
  afterEach(() => window.page.keyboard.press('Escape'));
  after(async () => {
    await window?.close();
    await model.close();
  });

  it('shows each step, and the fix it offers changes the setting and takes the key along', async () => {
    const { message, steps, buttons } = await test();
    assert.equal(message, 'The endpoint answers.');
    assert.deepEqual(
      steps.map((step) => step.replace(/: .*/, '')),
      [
        ...['✓ What was entered', '✓ Server name', '✓ Port', '✓ Encryption', '! Path', '✓ Key', '✓ Model'],
        ...['✓ First reply', '✓ Streaming', '✓ Stop strings', '✓ Token counts', '– Native tools', '! Context window'],
      ],
    );
    assert.equal(steps[4], `! Path: This server answers under ${model.baseUrl}: use that.`);
    assert.match(steps[11] ?? '', /not tested: .*Slow down/);
    assert.ok(buttons.includes(`Use ${model.baseUrl}`), buttons.join());
    await choose(`Use ${model.baseUrl}`);
    await waitFor('the base URL in the settings', () => baseUrls().includes(model.baseUrl) || undefined);

    const again = await dialogShown(); // it is tested anew by itself
    assert.equal(again.steps[4], '✓ Path: fine');
    assert.deepEqual(
      again.buttons.filter((button) => button.startsWith('Use')),
      [],
    );
    assert.equal(model.completions.at(-1)?.headers.authorization, `Bearer ${KEY}`);
    await choose('OK');
  });

  it('names the fault at once, and its button leads to what mends it', async () => {
    const wrong = { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } };
    const limit = { status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'Slow down' } } };
    model.queue.splice(0, model.queue.length, wrong, limit);
    const locked = await test();
    assert.equal(locked.message, 'The test failed at “Key”.');
    assert.match(locked.steps.at(-1) ?? '', /^✗ Key: .* did not accept the API key/);
    assert.ok(!JSON.stringify(locked).includes(KEY));
    await choose('Set API Key');
    await asksForKey();
    await window.page.keyboard.press('Escape');

    const limited = await test();
    assert.equal(limited.message, 'The test failed at “First reply”.');
    assert.match(limited.steps.at(-1) ?? '', /Rate limited: try again in 60 s/);
    assert.deepEqual(limited.steps.slice(4, 7), ['– Path: not tested', '– Key: not tested', '– Model: not tested']);
    assert.ok(limited.buttons.includes('Select Model'), limited.buttons.join());
    await choose('Test Again');
    assert.equal((await dialogShown()).message, 'The endpoint answers.');
    await choose('Cancel');
  });

  it('lets a model be chosen before it offers one of the list', async () => {
    model.queue.splice(0, model.queue.length, { status: 404, body: { error: { message: 'model "m" not found' } } });
    await window.setSettings({ 'reactAgent.model.baseUrl': model.baseUrl });
    await window.page.waitForTimeout(1000); // VS Code reads its settings again
    const { message, buttons } = await test();
    assert.equal(message, 'The test failed at “Model”.');
    assert.ok(buttons.includes('Use embed-small'), buttons.join());
    assert.equal(await window.page.locator('.monaco-dialog-box .monaco-button:focus').textContent(), 'Select Model');
    await choose('Cancel');
  });

  it('ends in silence when it is cancelled, and gives way to another test', async () => {
    const notices = window.page.locator('.notifications-center .notification-list-item', { hasText: 'Testing http' });
    const begin = async () => {
      model.queue.push({ unanswered: 'stall' });
      const asked = model.completions.length;
      await window.runCommand(commandTitle('reactAgent.testConnection'));
      await waitFor('the request', () => model.completions.length > asked || undefined);
      await window.runCommand('Notifications: Show Notifications');
      await notices.first().waitFor();
    };
    model.queue.length = 0;
    await begin();
    const [first] = model.completions.slice(-1);
    await begin();
    await waitFor('the end of the first', () => first?.state === 'closed' || undefined);
    await waitFor('the one notice', async () => (await notices.count()) === 1 || undefined);
    await notices.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await notices.waitFor({ state: 'detached' });
    await window.page.waitForTimeout(500); // time enough for a dialog
    assert.equal(await window.page.locator('.monaco-dialog-box').count(), 0);
  });
});
