import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DriverCalls, DriverMethod } from '../driver';
import type { VsCodeWindow } from './window';

type Handlers = { [M in DriverMethod]: (...values: Parameters<DriverCalls[M]>) => Promise<ReturnType<DriverCalls[M]>> };

const ACTION_MS = 10_000;

/** Serves the driver on loopback, under a random address that only the tests inside are told. */
export async function serveDriver(): Promise<{ url: string; drive(window: VsCodeWindow): void; close(): void }> {
  const secret = `/${randomBytes(16).toString('hex')}`;
  let setWindow: (window: VsCodeWindow) => void = () => {};
  const opened = new Promise<VsCodeWindow>((resolve) => {
    setWindow = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url !== secret || request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    try {
      const { method, values } = JSON.parse(await readBody(request)) as { method: DriverMethod; values: never };
      const handlers = method === 'print' ? PRINTER : handlersFor(await opened);
      const result = await (handlers[method] as (...values: unknown[]) => Promise<unknown>)(...(values as unknown[]));
      response.end(JSON.stringify({ result: result ?? null }));
    } catch (error) {
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${secret}`,
    drive: setWindow,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const PRINTER = {
  async print(text: string) {
    process.stdout.write(text);
  },
} as Handlers;

function handlersFor(window: VsCodeWindow): Handlers {
  const view = () => window.viewFrame();
  return {
    ...PRINTER,
    click: async (selector) => (await view()).locator(selector).first().click({ timeout: ACTION_MS }),
    fill: async (selector, text) => (await view()).locator(selector).first().fill(text, { timeout: ACTION_MS }),
    press: async (keys, selector) => {
      if (selector === undefined) await window.page.keyboard.press(keys);
      else await (await view()).locator(selector).first().press(keys, { timeout: ACTION_MS });
    },
    type: (text) => window.page.keyboard.type(text),
    text: async (selector) => {
      const matches = (await view()).locator(selector);
      await matches.first().waitFor({ state: 'attached', timeout: ACTION_MS });
      return (await matches.allInnerTexts())[0] ?? '';
    },
    texts: async (selector) => (await view()).locator(selector).allInnerTexts(),
    html: async (selector) => (await view()).locator(selector).first().innerHTML({ timeout: ACTION_MS }),
    evaluate: async (expression) => (await view()).evaluate(expression),
    evaluateInWorkbench: (expression) => window.page.evaluate(expression),
    waitForSelector: async (selector, state = 'visible') => {
      await (await view()).locator(selector).first().waitFor({ state, timeout: ACTION_MS });
    },
    runCommand: (title) => window.runCommand(title),
    answerInputBox: (text) => window.answerInputBox(text),
    setViewWidth: (width) => window.setViewWidth(width),
    setSize: (width, height) => window.page.setViewportSize({ width, height }),
    setTheme: (theme) => window.setTheme(theme),
    screenshot: (path, what) => window.screenshot(path, what),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
