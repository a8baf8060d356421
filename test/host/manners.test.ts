import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Claims } from '../../src/host/claims';
import { createLog } from '../../src/host/log';
import { driver } from '../support/driver';

/** What VS Code's list of notifications holds; the list is empty afterwards. */
async function notices(): Promise<string[]> {
  await vscode.commands.executeCommand('notifications.showList');
  const texts = (await driver.evaluateInWorkbench(
    '[...document.querySelectorAll(".notifications-center .notification-list-item-message")].map((item) => item.textContent)',
  )) as string[];
  await vscode.commands.executeCommand('notifications.clearAll');
  return texts;
}

describe('Manners', () => {
  before(async () => {
    await vscode.commands.executeCommand('reactAgent.newQuestion');
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('commands that make no sense now are harmless when called', async () => {
    for (const name of ['stopRun', 'pauseRun', 'continueRun', 'stepRun', 'answerNow', 'addNote']) {
      await vscode.commands.executeCommand(`reactAgent.${name}`);
    }
    assert.deepEqual(await notices(), []);
    await vscode.commands.executeCommand('reactAgent.resumeRun');
    assert.equal((await notices()).length, 1, 'one that can do nothing for want of a run says so');
  });

  it('opens no view and takes no focus by itself', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one line' });
    const editor = await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.view.explorer');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('reactAgent.stopRun');
    assert.equal(vscode.window.activeTextEditor, editor);
    const shown = await driver.evaluateInWorkbench(
      'document.querySelector(".sidebar .composite.title")?.textContent ?? ""',
    );
    assert.doesNotMatch(String(shown), /ReAct/);
  });

  it('says once, by name, which other extension has taken what is ours', async () => {
    const claims = new Claims(createLog(), 'somebody.fork');
    const taken = ['reactAgent.askQuestion', 'reactAgent.stopRun'];
    const disposables = taken.map((id) => claims.take(id, () => vscode.commands.registerCommand(id, () => {})));
    const said = await notices();
    for (const disposable of disposables) disposable.dispose();
    assert.equal(said.length, 1, said.join());
    assert.match(said[0] ?? '', /reactAgent\.askQuestion.*react-agent\.react-agent/);
    assert.ok((await vscode.commands.getCommands(true)).includes('reactAgent.stopRun'), 'the rest works');
  });

  it('puts the selections of an editor into the question box, in order, and sends nothing', async () => {
    const document = await vscode.workspace.openTextDocument({
      content: 'alpha\nbeta\ngamma\n',
      language: 'plaintext',
    });
    const editor = await vscode.window.showTextDocument(document);
    editor.selections = [new vscode.Selection(2, 0, 2, 5), new vscode.Selection(0, 0, 0, 5)];
    await vscode.commands.executeCommand('reactAgent.askAboutSelection');
    await driver.waitForSelector('.composer textarea');
    let text = '';
    for (let wait = 0; !text.includes('gamma') && wait < 100; wait++) {
      text = String(await driver.evaluate('document.querySelector(".composer textarea").value'));
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.ok(text.indexOf('alpha') > 0 && text.indexOf('gamma') > text.indexOf('alpha'), text);
    assert.doesNotMatch(text, /beta/);
    await driver.fill('.composer textarea', '');
  });
});
