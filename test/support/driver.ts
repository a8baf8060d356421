import { request } from 'node:http';
import type { Theme } from './vscode/window';

/** What tests inside the extension host can do from outside it. Selectors are CSS or Playwright's, in the trace view. */
export interface DriverCalls {
  click(selector: string): void;
  /** Replaces a field's text. */
  fill(selector: string, text: string): void;
  /** Presses a key such as `Enter` or `Control+A`, in the selected element or wherever the focus is. */
  press(keys: string, selector?: string): void;
  /** Types where the focus is. */
  type(text: string): void;
  text(selector: string): string;
  texts(selector: string): string[];
  html(selector: string): string;
  /** The value of a JavaScript expression in the view's document. */
  evaluate(expression: string): unknown;
  /** The same in VS Code's own document (menus, notifications, dialogs). */
  evaluateInWorkbench(expression: string): unknown;
  waitForSelector(selector: string, state?: 'attached' | 'detached' | 'visible' | 'hidden'): void;
  /** Runs a command by its title through the palette. */
  runCommand(title: string): void;
  answerInputBox(text: string): void;
  /** Makes the view as wide as asked, in CSS pixels; gives the width reached. */
  setViewWidth(width: number): number;
  /** Sizes the window. */
  setSize(width: number, height: number): void;
  setTheme(theme: Theme): void;
  /** Writes a PNG of the window, or of the view alone. */
  screenshot(path: string, what?: 'window' | 'view'): void;
  /** Writes to the terminal in which the tests were started. */
  print(text: string): void;
}

export type DriverMethod = keyof DriverCalls;

type Driver = { [M in DriverMethod]: (...values: Parameters<DriverCalls[M]>) => Promise<ReturnType<DriverCalls[M]>> };

/** The driver of this test run, by the address in the environment. A failed action rejects with what was missing. */
export const driver = new Proxy({} as Driver, {
  get:
    (_target, method: string) =>
    (...values: unknown[]) =>
      call(method, values),
});

// node:http and not fetch, which VS Code patches and tests may count
function call(method: string, values: unknown[]): Promise<unknown> {
  const address = process.env.REACT_AGENT_DRIVER;
  if (!address) throw new Error('there is no driver: start these tests with `npm test -- host`');
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method: 'POST' }, (response) => {
      response.setEncoding('utf8');
      let body = '';
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => {
        const answer = JSON.parse(body || '{"error":"the driver did not understand"}');
        if ('error' in answer) reject(new Error(`${method}: ${answer.error}`));
        else resolve(answer.result);
      });
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ method, values }));
  });
}
