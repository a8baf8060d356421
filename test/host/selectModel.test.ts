import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { ENDPOINT_PRESETS } from '../../src/llm/presets';
import { driver } from '../support/driver';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { until } from '../support/until';

const configuration = () => vscode.workspace.getConfiguration('reactAgent');
const set = (name: string, value: unknown) => configuration().update(name, value, vscode.ConfigurationTarget.Global);

const WIDGET = '[...document.querySelectorAll(".quick-input-widget")].find((e) => e.style.display !== "none")';
const inWidget = (expression: string) => driver.evaluateInWorkbench(`(${WIDGET})${expression}`);
const shown = (text: string) => until(text, async () => String(await inWidget('?.innerText ?? ""')).includes(text));
const isBusy = async () => (await inWidget('?.querySelector(".monaco-progress-container.active") != null')) === true;
const rows = async () =>
  (await inWidget(
    '? [...document.querySelectorAll(".quick-input-list .monaco-list-row")].map((row) => row.innerText) : []',
  )) as string[];

/** Opens the list of models and waits until all that is looked for has arrived. */
async function opened(): Promise<{ selecting: Thenable<unknown> }> {
  const selecting = vscode.commands.executeCommand('reactAgent.selectModel');
  await shown('Another endpoint…');
  await until('the whole list', async () => !(await isBusy()));
  return { selecting };
}
async function enter(address: string): Promise<{ selecting: Thenable<unknown> }> {
  const { selecting } = await opened();
  await driver.answerInputBox('Another endpoint');
  await shown('For instance');
  await driver.answerInputBox(address);
  return { selecting };
}

/** Any server's list of models on a port where servers of this machine are looked for, as far as one is free. */
async function listenWhereSought(ids: string[]): Promise<Server | undefined> {
  for (const { localPort } of ENDPOINT_PRESETS) {
    if (localPort === undefined) continue;
    const server = createServer((_, response) => response.end(JSON.stringify({ data: ids.map((id) => ({ id })) })));
    const listens = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(localPort, '127.0.0.1', () => resolve(true));
    });
    if (listens) return server;
  }
  return undefined;
}

describe('Select Model', () => {
  let model: ModelServer;
  before(async () => {
    model = await startModelServer(() => 'ok', { models: ['listed-alpha', 'listed-beta'] });
    await set('model.provider', 'openai');
  });
  beforeEach(async () => {
    await set('model.baseUrl', model.baseUrl);
    await set('model.name', 'listed-alpha');
  });
  after(async () => {
    for (const name of ['provider', 'baseUrl', 'name', 'profiles', 'maxTokens']) await set(`model.${name}`, undefined);
    await model.close();
  });

  it('takes a name that no list has, at another endpoint without its scheme and at the own one', async () => {
    let { selecting } = await enter(model.baseUrl.replace('http://', ''));
    await shown('listed-beta');
    await driver.type('unlisted-one');
    await shown('Use the name as typed');
    await driver.press('Enter');
    await selecting;
    assert.equal(configuration().get('model.baseUrl'), model.baseUrl);
    assert.equal(configuration().get('model.name'), 'unlisted-one');

    ({ selecting } = await opened());
    await driver.type('beta');
    await shown('Use the name as typed');
    await driver.press('Enter');
    await selecting;
    assert.equal(configuration().get('model.name'), 'listed-beta', 'a part of a listed name finds the listed one');

    ({ selecting } = await opened());
    await driver.type('unlisted-two');
    await shown('Use the name as typed');
    await driver.press('Enter');
    await selecting;
    assert.equal(configuration().get('model.name'), 'unlisted-two');
  });

  it('is there at once where the list takes its time, and asks no more when it is left', async () => {
    let state = '';
    const slow = createServer((_, response) => {
      state = 'asked';
      response.on('close', () => {
        state = 'left';
      });
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { selecting } = await enter(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`);
    await until('the request', () => state === 'asked');
    await shown('Model at http://127.0.0.1');
    await until('its progress', isBusy);
    await driver.press('Escape');
    await selecting;
    await until('the end of the request', () => state === 'left');
    assert.equal(configuration().get('model.baseUrl'), model.baseUrl);
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
  });

  it('shows that it tried again where nothing answers', async () => {
    const { selecting } = await enter('http://127.0.0.1:2/v1');
    await shown('Try Again');
    await driver.press('Enter');
    await shown('tried 2 times');
    await driver.press('Enter');
    await shown('tried 3 times');
    await driver.press('Escape');
    await selecting;
  });

  it('lists a model once, though its server runs on this machine and is the endpoint', async function () {
    const server = await listenWhereSought(['twice-known', 'twice-known-other']);
    if (!server) return this.skip();
    // By the other name of this machine.
    await set('model.baseUrl', `http://localhost:${(server.address() as AddressInfo).port}/v1`);
    await set('model.name', 'twice-known-other');
    const { selecting } = await opened();
    await driver.type('twice-known');
    const found = await until('the found ones', async () => {
      const all = await rows();
      return all.every((row) => row.includes('twice-known')) && all.length > 0 && all;
    });
    assert.equal(found.length, 2, found.join('\n'));
    assert.equal(found.filter((row) => row.includes('answers now')).length, 1);
    await driver.press('Escape');
    await selecting;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('shows the profile that answers by its name, once, and does not offer to save it', async () => {
    await set('model.maxTokens', 2048);
    const profile = { provider: 'openai', baseUrl: model.baseUrl, model: 'listed-alpha', maxTokens: 2048 };
    await set('model.profiles', [{ name: 'Fast one', ...profile }]);
    let { selecting } = await opened();
    const all = await rows();
    const [first] = all;
    assert.match(first ?? '', /Fast one[\s\S]*listed-alpha[\s\S]*answers now/);
    assert.equal(all.filter((row) => row.includes('Fast one')).length, 1);
    assert.ok(!all.some((row) => row.includes('Save what answers now')), all.join('\n'));
    await driver.press('Escape');
    await selecting;

    await set('model.name', 'listed-beta');
    ({ selecting } = await opened());
    await shown('Save what answers now');
    await shown('Fast one');
    await driver.press('Escape');
    await selecting;
  });
});
