import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { askByCommand, commandTitle, nextRun } from '../support/vscode/asking';
import { openVsCode, type VsCodeWindow } from '../support/vscode/window';

const MEGABYTE = 1_000_000;

describe('The packed extension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'react-agent-packed-'));
  const vsix = join(folder, 'packed.vsix');
  let files: string[] = [];

  before(() => {
    const script = resolve(__dirname, '../../scripts/package.mjs');
    const output = execFileSync(process.execPath, [script, vsix], { encoding: 'utf8' });
    files = output.slice(output.indexOf('DONE')).split('\n').slice(1).filter(Boolean);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is small, and holds only what is meant', () => {
    assert.ok(statSync(vsix).size < 1.5 * MEGABYTE, `${statSync(vsix).size} bytes`);
    const meant =
      /^(dist\/(\w+\.(js|css)|third-party-notices\.txt)|media\/.+|l10n\/.+\.json|package(\.nls(\.zh-cn)?)?\.json|LICENSE|[A-Z]+(\.zh-cn)?\.md)$/;
    assert.deepEqual(
      files.filter((file) => !meant.test(file)),
      [],
    );
    for (const name of ['package.json', 'dist/extension.js', 'dist/research.js', 'dist/view.js', 'LICENSE']) {
      assert.ok(files.includes(name), `${name} is packed`);
    }
  });

  it('passes on the licence of every package that it holds code of', () => {
    const file = files.find((each) => each.endsWith('third-party-notices.txt'));
    const notices = readFileSync(resolve(__dirname, '../..', file ?? 'not packed'), 'utf8');
    for (const name of [
      'cheerio',
      'linkedom',
      'markdown-it',
      'mathjs',
      'minisearch',
      '@mozilla/readability',
      'stemmer',
    ])
      assert.match(notices, new RegExp(`^${name} [\\d.]+ \\([\\w.-]+\\)\n\n.+`, 'm'));
  });

  for (const { displayLanguage, question, answer } of [
    { displayLanguage: 'en', question: 'Who designed the Analytical Engine?', answer: /Babbage/ },
    { displayLanguage: 'zh-cn', question: '哪家公司开发了 ChatGPT？', answer: /OpenAI/ },
  ] as const) {
    describe(`installed, in ${displayLanguage}`, () => {
      let window: VsCodeWindow;
      before(async () => {
        window = await openVsCode({ vsix, displayLanguage });
      });
      after(() => window?.close());

      it('answers a question without settings, key or network', async () => {
        const run = nextRun(window);
        await askByCommand(window, question, displayLanguage);
        for await (const event of run) if (event.type === 'run-end') assert.match(event.answer ?? '', answer);
      });

      it('has a README without pictures and links that lead nowhere', () => {
        const extensions = join(window.userDataDir, 'extensions');
        const own = readdirSync(extensions).find((name) => name.includes('react-agent'))!;
        const names = readdirSync(join(extensions, own));
        const readmes = names.filter((name) => /^readme/i.test(name));
        assert.equal(readmes.length, 2);
        for (const readme of readmes) {
          const text = readFileSync(join(extensions, own, readme), 'utf8');
          assert.doesNotMatch(text, /!\[/);
          const targets = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target]) => target!);
          // vsce packs README.md as readme.md and LICENSE as LICENSE.txt, and mends what leads there
          const lost = targets.filter((to) => !names.some((name) => name.toLowerCase().startsWith(to.toLowerCase())));
          assert.deepEqual(lost, [], readme);
        }
      });

      it('says everything in the display language', async () => {
        const view = await window.viewFrame();
        await view.locator('.answer').first().waitFor();
        await sameLanguage(await shownTexts(view), displayLanguage);
        await window.runCommand(commandTitle('reactAgent.newQuestion', displayLanguage));
        const welcome = await window.viewFrame();
        await welcome.locator('.samples button').first().waitFor();
        await sameLanguage(await shownTexts(welcome), displayLanguage);
      });

      it('has its walkthrough, whose first button asks a question', async () => {
        const title = commandTitle('reactAgent.openWalkthrough', displayLanguage);
        await window.runCommand(`ReAct Agent: ${title}`);
        const steps = window.page.locator('.getting-started-step');
        await steps.first().waitFor();
        const texts = await steps.allInnerTexts();
        assert.equal(texts.length, 4);
        await sameLanguage(texts, displayLanguage);
        const run = nextRun(window);
        await steps.first().locator('.button-container .monaco-button').first().click();
        for await (const event of run) if (event.type === 'run-end') assert.equal(event.outcome, 'answered');
        await steps.first().locator('.codicon-getting-started-step-checked').waitFor();
      });
    });
  }
});

/** Every text of the view that comes from us: what is written, and what is read out or shown on hover. */
async function shownTexts(view: Frame): Promise<string[]> {
  const texts = await view.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    // what the run itself says is in the question's language
    .filter((node) => !node.closest('.searchable, .source a, kbd, script, style'))
    .flatMap((node) => [
      ...['aria-label', 'title', 'placeholder'].map((name) => node.getAttribute(name) ?? ''),
      ...[...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.textContent),
    ])`);
  return texts.map((text) => text.trim()).filter((text) => text !== '' && !text.startsWith('sample:'));
}

/** Names and notation are the same in every language. */
const NAMES =
  /ReAct Agent|VS Code|ChatGPT|OpenAI|Ollama|LM Studio|llama\.cpp|GitHub Copilot|Search|Lookup|Finish|Calculator|Enter|Escape|Shift|researcher ·/g;

async function sameLanguage(texts: readonly string[], displayLanguage: 'en' | 'zh-cn'): Promise<void> {
  const foreign = displayLanguage === 'en' ? /\p{Script=Han}/u : /[A-Za-z]{3,}/;
  assert.deepEqual(
    texts.filter((text) => foreign.test(text.replace(NAMES, ''))),
    [],
  );
}
