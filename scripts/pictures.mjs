// npm run pictures [-- FOLDER [LANGUAGE…]]
//
// Takes pictures of the trace view from a real VS Code, answering a question over the sample wiki: 360, 600 and 900
// pixels wide, dark and light, by default in English and Chinese, into out/pictures. Chinese text needs a CJK font on
// the machine (apt-get install fonts-wqy-microhei). Environment: as for npm test.
import { join } from 'node:path';
import { setup } from './setup.mjs';

const WIDTHS = [360, 600, 900];
const QUESTIONS = { en: 'Who designed the Analytical Engine?', 'zh-cn': '哪家公司开发了 ChatGPT？' };

setup();
const { build } = await import('./support/build.mjs');
const { load } = await import('./support/load.mjs');
build();
const { openVsCode } = load('test/support/vscode/window.ts');
const { askByCommand, commandTitle, nextRun } = load('test/support/vscode/asking.ts');

const [folder = join('out', 'pictures'), ...asked] = process.argv.slice(2);
const languages = asked.length > 0 ? asked : Object.keys(QUESTIONS);
const unknown = languages.filter((language) => !(language in QUESTIONS));
if (unknown.length > 0) {
  console.error(`There are no pictures in ${unknown.join(', ')}: use ${Object.keys(QUESTIONS).join(', ')}.`);
  process.exit(64);
}

for (const displayLanguage of languages) {
  const window = await openVsCode({
    extensionPath: process.cwd(),
    displayLanguage,
    size: { width: 1280, height: 900 },
    settings: { 'reactAgent.model.provider': 'researcher', 'reactAgent.knowledge.wiki': 'sample:' },
  });
  const take = async (name, what) => {
    const path = join(folder, `${name}-${displayLanguage}.png`);
    await window.screenshot(path, what);
    console.log(path);
  };
  try {
    await window.runCommand(commandTitle('reactAgent.newQuestion', displayLanguage));
    await window.viewFrame();
    await eachLook(window, (look) => take(`welcome-${look}`, 'view'));
    const run = nextRun(window);
    await askByCommand(window, QUESTIONS[displayLanguage], displayLanguage);
    for await (const event of run) if (event.error) throw new Error(`${event.error.message} ${event.error.hint}`);
    await eachLook(window, (look) => take(`answered-${look}`, 'view'));
    await window.setViewWidth(420);
    await take('window', 'window');
  } finally {
    await window.close();
  }
}

async function eachLook(window, take) {
  for (const theme of ['dark', 'light']) {
    await window.setTheme(theme);
    for (const width of WIDTHS) {
      await window.setViewWidth(width);
      await window.page.waitForTimeout(400); // the view lays itself out anew
      await take(`${theme}-${width}`);
    }
  }
}
