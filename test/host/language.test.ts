import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { driver } from '../support/driver';

const EXTENSION = 'react-agent.react-agent';
const HAN = /\p{Script=Han}/u;

describe('The display language', () => {
  const isChinese = vscode.env.language === 'zh-cn';

  it('is the one that all of the manifest is shown in', async () => {
    const { contributes, description } = vscode.extensions.getExtension(EXTENSION)?.packageJSON ?? {};
    const shown: (string | { value: string })[] = [
      description,
      ...contributes.commands.map(({ title }: { title: string }) => title),
      ...[contributes.configuration]
        .flat()
        .flatMap(({ properties }) =>
          Object.values(properties as Record<string, { markdownDescription: string; enumDescriptions?: string[] }>),
        )
        .flatMap((setting) => [setting.markdownDescription, ...(setting.enumDescriptions ?? [])]),
      ...contributes.walkthroughs[0].steps.flatMap((step: { title: string; description: string }) => [
        step.title,
        step.description,
      ]),
    ];
    // of some texts VS Code keeps the original as well
    const texts = shown.map((text) => (typeof text === 'string' ? text : text.value));
    assert.ok(texts.length > 60);
    assert.deepEqual(
      texts.filter((text) => /%/.test(text.replace(/\d+ %/g, '')) || HAN.test(text) !== isChinese),
      [],
    );
  });

  it('is that of the view, while steps and answer keep to the question’s', async () => {
    const question = isChinese ? 'Who designed the Analytical Engine?' : '哪家公司开发了 ChatGPT？';
    const id = await vscode.commands.executeCommand('reactAgent.askSample', question);
    assert.equal(typeof id, 'string');
    await driver.waitForSelector('.end .markdown');
    const [answer, thought, button, placeholder] = await Promise.all([
      driver.text('.end .markdown'),
      driver.text('.thought'),
      driver.text('.composer button'),
      driver.evaluate('document.querySelector(".composer textarea").placeholder') as Promise<string>,
    ]);
    assert.equal(HAN.test(`${answer}${thought}`), !isChinese, `${answer} ${thought}`);
    for (const text of [button, placeholder]) assert.equal(HAN.test(text), isChinese, text);
    assert.equal(await driver.evaluate('document.documentElement.lang'), vscode.env.language);
  });

  it('is that of prompts and their complaints', async () => {
    const asked = vscode.commands.executeCommand('reactAgent.askQuestion');
    let title = '';
    for (let wait = 0; title === '' && wait < 100; wait++) {
      await new Promise((done) => setTimeout(done, 50));
      const shown = 'document.querySelector(".quick-input-widget .quick-input-title")?.textContent ?? ""';
      title = String(await driver.evaluateInWorkbench(shown));
    }
    assert.ok(title);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    assert.equal(await asked, undefined);
    assert.equal(HAN.test(title), isChinese, title);
  });
});
