import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { askByCommand, commandTitle, nextRun } from '../support/vscode/asking';
import { openVsCode, type VsCodeWindow, waitFor } from '../support/vscode/window';

const KEY = 'sk-dialog-test-0123456789abcdef';

describe('What must be read whole stands in a dialog', () => {
  let window: VsCodeWindow;
  let model: ModelServer;
  const dialog = () => window.page.locator('.monaco-dialog-box');
  const input = (text: string) => window.page.locator('.quick-input-widget:visible', { hasText: text });
  const row = (text: string) => window.page.locator('.quick-input-list .monaco-list-row', { hasText: text });

  before(async () => {
    model = await startModelServer(undefined, { models: ['alpha-model', 'beta-model'] });
    window = await openVsCode({
      extensionPath: resolve(__dirname, '../..'),
      settings: {
        'reactAgent.model.provider': 'openai',
        // Not known as this machine, though it is: nothing leaves it.
        'reactAgent.model.baseUrl': model.baseUrl.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
        'reactAgent.model.name': 'alpha-model',
      },
    });
  });
  after(async () => {
    await window?.close();
    await model.close();
  });

  it('that a key would go over an open line, before it goes; Enter alone does not send it', async () => {
    await window.runCommand(commandTitle('reactAgent.setApiKey'));
    await input('API key for http').waitFor();
    await window.answerInputBox(KEY);
    await window.page.locator('.statusbar', { hasText: 'API key saved' }).waitFor();
    const asked = async () => {
      await window.runCommand(commandTitle('reactAgent.selectModel'));
      // All that is looked for has arrived: the list stays as it is.
      await row('without encryption').waitFor();
      await window.page.locator('.quick-input-widget .monaco-progress-container.active').waitFor({ state: 'detached' });
      await row('without encryption').click();
      await dialog().waitFor();
      assert.match(
        (await dialog().textContent()) ?? '',
        /without encryption[\s\S]*anyone on the way can read a key sent over http/,
      );
    };
    await asked();
    await window.page.keyboard.press('Enter');
    await input('Base URL of the endpoint').waitFor();
    await window.page.keyboard.press('Escape');
    assert.equal(model.requests.length, 0);
    await asked();
    await dialog().locator('.monaco-button', { hasText: 'Send the Key' }).click();
    await row('beta-model').click();
    await waitFor('the choice', () => model.requests.at(-1)?.headers.authorization === `Bearer ${KEY}` || undefined);
    assert.equal(model.requests.length, 1);
  });

  it('what an endpoint taught; all of it is forgotten, and brought back by Undo', async () => {
    const refuse = (field: string) => ({
      status: 400,
      body: { error: { message: `Unsupported parameter: '${field}'`, param: field } },
    });
    model.queue.push(refuse('stop'), refuse('temperature'), 'Thought 1: known.\nAction 1: Finish[Babbage]');
    const run = nextRun(window);
    await askByCommand(window, 'What is not taken?');
    for await (const event of run) assert.notEqual(event.type === 'run-end' && event.outcome, 'failed');

    await window.runCommand(commandTitle('reactAgent.showLearnt'));
    await row('takes no “stop”').click();
    await dialog().waitFor();
    assert.match((await dialog().textContent()) ?? '', /takes no “stop”.*takes no “temperature”/s);
    await window.page.keyboard.press('Escape');
    await row('takes no “stop”').waitFor();
    await window.page.locator('.quick-input-titlebar .codicon-clear-all').click();
    await row('Nothing was learnt yet').waitFor();
    await window.page.keyboard.press('Escape');
    await window.runCommand('Notifications: Show Notifications');
    await window.page.locator('.notifications-center .monaco-button', { hasText: 'Undo' }).click();
    await window.runCommand(commandTitle('reactAgent.showLearnt'));
    await row('takes no “stop”').waitFor();
    await window.page.keyboard.press('Escape');
  });
});
