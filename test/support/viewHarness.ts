import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { Conversation } from '../../src/host/conversation';
import { page as pageHtml } from '../../src/host/page';
import type { ToWebview } from '../../src/protocol';
import { HandSource } from './handSource';
import { THEMES, type ThemeName } from './viewHarnessThemes';
import { installBrowser } from './vscode/install';

const ROOT = path.resolve(__dirname, '../..');
const ORIGIN = 'http://view.test';

/** A headless Chromium; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await installBrowser();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}

export interface OpenView {
  page: Page;
  source: HandSource;
  conversation: Conversation;
  /** Everything that was posted to the view. */
  posted: ToWebview[];
  /** Addresses that the view tried to load, and what its console said. */
  requests: string[];
  problems: string[];
  clipboard: string[];
  opened: string[];
  /** Changes the theme, as VS Code does. */
  wear(theme: ThemeName): Promise<void>;
}

let script: Promise<string> | undefined;
const bundle = async () => {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, 'src/webview/main.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'chrome138',
  });
  return outputFiles[0]!.text;
};

/** VS Code's variables in a theme, as a style sheet. */
function theming(theme: ThemeName, fontSize: number | undefined): string {
  const size = fontSize && { '--vscode-font-size': `${fontSize}px` };
  const variables = Object.entries({ ...THEMES[theme].variables, ...size });
  return `html{background:var(--vscode-sideBar-background);${variables.map(([name, value]) => `${name}:${value};`).join('')}}`;
}

/** Runs in the page, where `postMessage` is the window's own. */
const deliver = new Function('data', "postMessage(data, '*')") as (data: ToWebview) => void;

/** Opens the real view, with the real host side behind it, in a page with one of VS Code's themes. */
export async function openView(
  browser: Browser,
  options: {
    width?: number;
    height?: number;
    theme?: ThemeName;
    source?: HandSource;
    state?: unknown;
    fontSize?: number;
  } = {},
): Promise<OpenView> {
  const { width = 360, height = 720, theme = 'dark', source = new HandSource(), state, fontSize } = options;
  script ??= bundle();
  const [code, style] = await Promise.all([script, readFile(path.join(ROOT, 'media/traceView.css'), 'utf8')]);
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(5_000);
  const view: OpenView = {
    page,
    source,
    posted: [],
    requests: [],
    problems: [],
    clipboard: [],
    opened: [],
    async wear(next) {
      await page.evaluate(
        `document.body.className = ${JSON.stringify(THEMES[next].kind)};
         document.querySelector('style').textContent = ${JSON.stringify(theming(next, fontSize))};`,
      );
    },
    conversation: new Conversation(
      {
        post: (message) => {
          view.posted.push(message);
          void page.evaluate(deliver, message).catch(() => undefined);
        },
        openExternal: (url) => view.opened.push(url),
        focused: () => {},
        writeClipboard: async (text) => void view.clipboard.push(text),
        t: (english) => english,
      },
      source,
    ),
  };
  const html = pageHtml({
    nonce: 'harness',
    cspSource: ORIGIN,
    scriptUri: `${ORIGIN}/webview.js`,
    styleUri: `${ORIGIN}/traceView.css`,
    language: source.viewSettings.language,
    title: 'ReAct trace',
  });
  const files: Record<string, [type: string, body: string]> = {
    '/': [
      'text/html',
      html
        .replace('<body>', `<body class="${THEMES[theme].kind}">`)
        .replace('</head>', `<style nonce="harness">${theming(theme, fontSize)}</style></head>`),
    ],
    '/webview.js': ['text/javascript', code],
    '/traceView.css': ['text/css', style],
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') view.problems.push(message.text());
  });
  page.on('pageerror', (error) => view.problems.push(String(error)));
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    const file = url.origin === ORIGIN ? files[url.pathname] : undefined;
    if (!file) view.requests.push(url.href);
    return file ? route.fulfill({ contentType: file[0], body: file[1] }) : route.abort();
  });
  await page.exposeFunction('toHost', (message: unknown) => view.conversation.receive(message));
  await page.addInitScript(`
    let kept = ${JSON.stringify(state) ?? 'undefined'};
    globalThis.keptState = () => kept;
    globalThis.acquireVsCodeApi = () => ({
      postMessage: (message) => globalThis.toHost(message),
      getState: () => kept,
      setState: (next) => { kept = JSON.parse(JSON.stringify(next)); },
    });
  `);
  await page.goto(`${ORIGIN}/`);
  await page.waitForSelector('main', { timeout: 5000 }).catch((error) => {
    throw new Error(view.problems.join() + error);
  });
  return view;
}
