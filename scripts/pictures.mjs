// npm run pictures [-- FOLDER [LANGUAGE…] [--keep]]
//
// Takes pictures of the trace view from a real VS Code: before the first question, during a run (a model on loopback
// that stops in mid-sentence), and answered by the built-in researcher over the sample wiki; 360, 600, 900 and 1200
// pixels wide, dark and light, in English and Chinese (en, zh-cn), into out/pictures. Chinese text needs a CJK font on
// the machine (apt-get install fonts-wqy-microhei). With --keep the pictures that the READMEs and the walkthrough show
// are taken anew as well, into docs/pictures and media/walkthrough. Environment: as for npm test.
import { join } from 'node:path';
import { setup } from './setup.mjs';

const WIDTHS = [360, 600, 900, 1200];
const CONTENTS = {
  en: {
    question: 'Who designed the Analytical Engine?',
    title: 'Analytical Engine',
    thoughts: ['The page of the machine should name its designer.', 'The page names Charles Babbage, an English'],
  },
  'zh-cn': {
    question: '哪家公司开发了 ChatGPT？',
    title: 'ChatGPT',
    thoughts: ['先看 ChatGPT 的页面，其中应当写明开发者。', '页面写明 ChatGPT 由 OpenAI 开发，这家公司'],
  },
};

setup();
const { build } = await import('./support/build.mjs');
const { load } = await import('./support/load.mjs');
build();
const { openVsCode } = load('test/support/vscode/window.ts');
const { askByCommand, commandTitle, nextRun } = load('test/support/vscode/asking.ts');
const { startModelServer } = load('test/support/modelServer.ts');

const keep = process.argv.includes('--keep');
const [folder = join('out', 'pictures'), ...asked] = process.argv.slice(2).filter((word) => word !== '--keep');
const languages = asked.length > 0 ? asked : Object.keys(CONTENTS);
const unknown = languages.filter((language) => !(language in CONTENTS));
if (unknown.length > 0) {
  console.error(`There are no pictures in ${unknown.join(', ')}: use ${Object.keys(CONTENTS).join(', ')}.`);
  process.exit(64);
}
for (const language of languages) await picturesIn(language);

async function picturesIn(displayLanguage) {
  const { question, title, thoughts } = CONTENTS[displayLanguage];
  const model = await startModelServer(() => ({
    text: `Thought 2: ${thoughts[1]}`,
    finishReason: null,
    done: false,
    usage: false,
    ending: 'stall',
  }));
  model.queue.push(`Thought 1: ${thoughts[0]}\nAction 1: Search[${title}]`);
  const window = await openVsCode({
    extensionPath: process.cwd(),
    displayLanguage,
    size: { width: 1280, height: 900 },
    settings: { 'reactAgent.model.provider': 'researcher', 'reactAgent.knowledge.wiki': 'sample:' },
  });
  const command = (name) => window.runCommand(commandTitle(`reactAgent.${name}`, displayLanguage));
  const take = async (name, what) => {
    const path = join(folder, `${name}-${displayLanguage}.png`);
    await window.screenshot(path, what);
    console.log(path);
  };
  /** A picture that is part of the project: dark, as wide as a side bar, without empty space below. */
  const takeKept = async (name, height) => {
    if (!keep) return;
    await window.setTheme('dark');
    await window.page.setViewportSize({ width: 1200, height });
    await window.setViewWidth(360);
    await window.page.waitForTimeout(300);
    const suffix = displayLanguage === 'en' ? '' : `.${displayLanguage}`;
    await window.screenshot(join('media', 'walkthrough', `${name}${suffix}.png`), 'view');
  };
  const takeEachLook = async (name) => {
    await window.page.setViewportSize({ width: Math.max(...WIDTHS) + 400, height: 900 });
    for (const theme of ['dark', 'light']) {
      await window.setTheme(theme);
      for (const width of WIDTHS) {
        await window.setViewWidth(width);
        await window.page.waitForTimeout(300); // the view lays itself out anew
        await take(`${name}-${theme}-${width}`, 'view');
      }
    }
  };
  try {
    await command('newQuestion');
    await takeEachLook('welcome');
    await takeKept('welcome', 700);

    const run = nextRun(window);
    await askByCommand(window, question, displayLanguage);
    for await (const event of run) if (event.error) throw new Error(`${event.error.message} ${event.error.hint}`);
    await takeEachLook('answered');
    await takeKept('answered', 780);
    await window.setViewWidth(420);
    await window.page.setViewportSize({ width: 1280, height: 900 });
    await window.setTheme('dark');
    await window.page.waitForTimeout(500);
    await take('window', 'window');
    if (keep) await window.screenshot(join('docs', 'pictures', `window-${displayLanguage}.png`), 'window');

    const providerSettings = { 'reactAgent.model.provider': 'openai', 'reactAgent.model.name': 'demo-model' };
    await window.setSettings({ ...providerSettings, 'reactAgent.model.baseUrl': model.baseUrl });
    await window.page.waitForTimeout(1500); // VS Code reads its settings again
    await command('newQuestion');
    await askByCommand(window, question, displayLanguage);
    await (await window.viewFrame()).getByText(thoughts[1]).first().waitFor();
    await takeEachLook('running');
  } finally {
    await window.close();
    await model.close();
  }
}
