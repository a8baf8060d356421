// npm run pictures [-- FOLDER [LANGUAGE…] [--keep]]
//
// Takes pictures of the trace view from a real VS Code, into out/pictures: before the first question, answered by the
// built-in researcher, running, waiting for another attempt, answered, failed, at a limit (a model on loopback tells a
// story of its own over the sample wiki), and with 1,000 steps; 360, 600, 900 and 1200 pixels wide, dark and light, and
// 360 pixels in high contrast. In Chinese (zh-cn) 360 pixels only; Chinese text needs a CJK font on the machine (apt-get
// install fonts-wqy-microhei). With --keep only those that the READMEs and the walkthrough show are taken anew, into
// docs/pictures and media/walkthrough.
// Environment: as for npm test.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setup } from './setup.mjs';
import { STORIES } from './support/pictureStories.mjs';

const WIDTHS = { en: [360, 600, 900, 1200], 'zh-cn': [360] };
const LONG_RUN = { steps: 1000, characters: 20_000 };

setup();
const { build } = await import('./support/build.mjs');
const { load } = await import('./support/load.mjs');
build();
const { openVsCode } = load('test/support/vscode/window.ts');
const { askByCommand, commandTitle, nextRun, traceFiles } = load('test/support/vscode/asking.ts');
const { startModelServer } = load('test/support/modelServer.ts');
const { long } = load('test/support/viewHarnessStory.ts');

const keep = process.argv.includes('--keep');
const [folder = join('out', 'pictures'), ...asked] = process.argv.slice(2).filter((word) => word !== '--keep');
const languages = asked.length > 0 ? asked : Object.keys(STORIES);
const unknown = languages.filter((language) => !(language in STORIES));
if (unknown.length > 0) {
  console.error(`There are no pictures in ${unknown.join(', ')}: use ${Object.keys(STORIES).join(', ')}.`);
  process.exit(64);
}
for (const language of languages) await picturesIn(language);

async function picturesIn(displayLanguage) {
  const story = STORIES[displayLanguage];
  const stalled = { text: story.written, finishReason: null, done: false, usage: false, ending: 'stall' };
  const broken = { ...stalled, ending: 'reset' };
  const busy = { status: 429, headers: { 'retry-after': '300' }, body: { error: { message: 'Too many requests' } } };
  const refused = { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } };
  const model = await startModelServer(() => stalled);
  const window = await openVsCode({
    extensionPath: process.cwd(),
    displayLanguage,
    size: { width: 1280, height: 900 },
    settings: { 'reactAgent.model.provider': 'researcher', 'reactAgent.knowledge.wiki': 'sample:' },
  });
  const command = (name) => window.runCommand(commandTitle(`reactAgent.${name}`, displayLanguage));
  const change = async (settings) => {
    await window.setSettings(settings);
    await window.page.waitForTimeout(1500); // VS Code reads its settings again
  };
  const take = async (name, what) => {
    const path = join(folder, `${name}-${displayLanguage}.png`);
    await window.screenshot(path, what);
    console.log(path);
  };
  const takeEachLook = async (name, widths = WIDTHS[displayLanguage]) => {
    if (keep) return;
    await window.page.setViewportSize({ width: Math.max(...widths) + 400, height: 900 });
    for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light']) {
      await window.setTheme(theme);
      for (const width of theme.startsWith('high') ? widths.slice(0, 1) : widths) {
        await window.setViewWidth(width);
        await window.page.waitForTimeout(300); // the view lays itself out anew
        await take(`${name}-${theme}-${width}`, 'view');
      }
    }
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
  /** The window as the READMEs show it, after a question over two pages. */
  const takeWindow = async () => {
    await answer(story.hops);
    await window.page.setViewportSize({ width: 960, height: 820 });
    await window.setViewWidth(560);
    await window.page.waitForTimeout(500);
    await window.screenshot(join('docs', 'pictures', `window-${displayLanguage}.png`), 'window');
  };
  /** Asks and waits for the end. */
  const answer = async (question, ...replies) => {
    await command('newQuestion');
    model.queue.push(...replies);
    const run = nextRun(window);
    await askByCommand(window, question, displayLanguage);
    for await (const event of run) void event;
    await window.page.waitForTimeout(500);
  };
  try {
    await command('newQuestion');
    await takeEachLook('welcome');
    await takeKept('welcome', 790);

    await answer(story.sample);
    await takeEachLook('researcher', [360]);
    await takeKept('answered', 860);
    if (keep) return await takeWindow();
    await window.setViewWidth(420);
    await window.page.setViewportSize({ width: 1280, height: 900 });
    await window.setTheme('dark');
    await window.page.waitForTimeout(500);
    await take('window', 'window');

    await change({
      'reactAgent.model.provider': 'openai',
      'reactAgent.model.name': 'demo-model',
      'reactAgent.model.baseUrl': model.baseUrl,
      'reactAgent.model.prices': { 'demo-model': { prompt: 0.4, completion: 1.6 } },
      'reactAgent.strategies.plan': true,
    });
    await answer(story.question, ...story.replies);
    await takeEachLook('answered');

    await answer(story.question, story.replies[0], refused);
    await takeEachLook('failed');

    await command('newQuestion');
    model.queue.push(...story.replies.slice(0, 2));
    await askByCommand(window, story.question, displayLanguage);
    const written = story.written.replace('Thought 3: ', '');
    await (await window.viewFrame()).getByText(written.slice(0, 20)).first().waitFor();
    await takeEachLook('running');
    await (await window.viewFrame()).locator('.stop').click();
    await model.settled();
    await window.page.waitForTimeout(500);

    await command('newQuestion');
    model.queue.push(story.replies[0], broken, busy);
    await askByCommand(window, story.question, displayLanguage);
    await (await window.viewFrame()).locator('.notices summary').first().click();
    await takeEachLook(
      'waiting',
      WIDTHS[displayLanguage].filter((width) => width === 360 || width === 900),
    );
    await (await window.viewFrame()).locator('.stop').click();
    await window.page.waitForTimeout(500);

    await change({ 'reactAgent.limits.steps': 2 });
    await answer(story.question, ...story.replies.slice(0, 2), story.limitAnswer);
    await takeEachLook('limit');

    // what is in the file is what the view shows after a reload
    const end = { type: 'run-end', time: new Date().toISOString(), outcome: 'answered', sources: [], ms: 900_000 };
    const events = [
      ...long(LONG_RUN.steps, LONG_RUN.characters),
      { ...end, steps: LONG_RUN.steps, answer: story.longAnswer },
    ];
    writeFileSync(traceFiles(window).at(-1), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await window.reload();
    await (await window.viewFrame()).getByText(story.longAnswer).waitFor();
    await takeEachLook('long');
  } finally {
    await window.close();
    await model.close();
  }
}
