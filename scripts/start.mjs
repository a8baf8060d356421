// npm start [-- "question" [--once]]
//
// Opens a real VS Code with the extension, asks a question with the built-in researcher (no model, no key), and prints
// the steps that the panel shows. Over Wikipedia where it can be reached, over the sample wiki where not. Stays open
// until Ctrl-C; with --once it ends with the run, with exit code 0 if that was answered.
//
// The desktop VS Code where there is a display and it can be downloaded; else VS Code's server, whose address is
// printed: open it in a browser. Environment: as for npm test, and
//   LC_ALL, LANG   a Chinese locale (zh…) shows VS Code, and the lines printed here, in Chinese
import { setup } from './setup.mjs';

const WORDS = {
  en: {
    firstQuestion: 'Who designed the Analytical Engine?',
    wikipedia: 'Knowledge: Wikipedia',
    sample: 'Knowledge: the sample wiki (Wikipedia can’t be reached)',
    address: (url) => `VS Code runs at ${url}`,
    browser: 'Open that address in a browser to use it.',
    open: 'VS Code is open.',
    question: (text) => `Question: ${text}`,
    stays: 'VS Code stays open. Press Ctrl-C to end it.',
  },
  'zh-cn': {
    firstQuestion: '哪家公司开发了 ChatGPT？',
    wikipedia: '知识来源：维基百科',
    sample: '知识来源：示例百科（无法连接维基百科）',
    address: (url) => `VS Code 的地址：${url}`,
    browser: '请在浏览器中打开它。',
    open: 'VS Code 已打开。',
    question: (text) => `问题：${text}`,
    stays: 'VS Code 会一直开着。按 Ctrl-C 结束。',
  },
};

setup();
const { build } = await import('./support/build.mjs');
const { load } = await import('./support/load.mjs');

const once = process.argv.includes('--once');
const displayLanguage = /^zh/i.test(process.env.LC_ALL || process.env.LANG || '') ? 'zh-cn' : 'en';
const words = WORDS[displayLanguage];
const question = process.argv.slice(2).find((argument) => argument !== '--once') ?? words.firstQuestion;

build();
const { openVsCode } = load('test/support/vscode/window.ts');
const { askByCommand, nextRun } = load('test/support/vscode/asking.ts');
const { lineFor } = load('src/cli/print.ts');
const { parentOf } = load('test/support/processes.ts');

let window;
let ending = false;
/** Ends VS Code and everything it started, then this process. */
async function end(code) {
  if (ending) return;
  ending = true;
  clearInterval(parentWatch);
  await window?.close();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0));
// npm may be ended in a way that it can't pass on; between it and us there may be a shell
const parents = () => `${process.ppid} ${parentOf(process.ppid)}`;
const parentsAtStart = parents();
const parentWatch = setInterval(() => {
  if (parents() !== parentsAtStart) end(0);
}, 500);

const online = await wikipediaAnswers();
console.log(online ? words.wikipedia : words.sample);
try {
  window = await openVsCode({
    extensionPath: process.cwd(),
    workspace: process.cwd(),
    displayLanguage,
    settings: {
      'reactAgent.model.provider': 'researcher',
      'reactAgent.knowledge.wiki': online ? 'auto' : 'sample:',
    },
  });
  if (ending) await window.close();
  console.log(window.url ? words.address(window.url) : words.open);
  if (window.url && !once) console.log(words.browser);
  console.log(`\n${words.question(question)}`);
  const run = nextRun(window);
  await askByCommand(window, question, displayLanguage);
  let outcome;
  let language = 'en';
  for await (const event of run) {
    if (event.type === 'run-start') language = event.language;
    if (event.type === 'run-end') outcome = event.outcome;
    process.stdout.write(lineFor(event, language));
    if (event.error) console.log(`${event.error.message} ${event.error.hint}`);
  }
  if (once) await end(outcome === 'answered' ? 0 : 1);
  console.log(`\n${words.stays}`);
} catch (error) {
  if (!ending) console.error(error instanceof Error ? error.message : error);
  await end(1);
}
// the desktop's window can be closed by its user
await window.ended;
await end(0);

async function wikipediaAnswers() {
  try {
    const address = 'https://en.wikipedia.org/w/api.php?action=query&meta=siteinfo&format=json';
    const headers = { 'User-Agent': load('src/knowledge/politeness.ts').USER_AGENT };
    return (await fetch(address, { headers, signal: AbortSignal.timeout(4000) })).ok;
  } catch {
    return false;
  }
}
