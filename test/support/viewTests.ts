import assert from 'node:assert/strict';
import { after, afterEach, before } from 'mocha';
import type { Browser } from 'playwright-core';
import type { AgentEvent, Delta, TraceEvent } from '../../src/agent/event';
import { HandSource } from './handSource';
import { launchBrowser, type OpenView, openView } from './viewHarness';

type Options = NonNullable<Parameters<typeof openView>[1]>;

/** One browser for all files: it starts with the first test and ends after the last. */
let browser: Promise<Browser> | undefined;
before(async function () {
  this.timeout(120_000);
  browser = launchBrowser();
  await browser;
});
after(async () => (await browser)?.close());

const open: OpenView[] = [];
afterEach(async () => {
  for (const view of open.splice(0)) {
    assert.deepEqual(view.problems, []);
    assert.deepEqual(view.requests, []);
    view.conversation.dispose();
    await view.page.context().close();
  }
});

/** Opens the view for one test; it must say nothing on its console and load nothing. */
export async function openForTest(options: Options = {}): Promise<OpenView> {
  const view = await openView(await browser!, options);
  open.push(view);
  return view;
}

/** Opens the view with a run in it. */
export async function show(
  events: readonly TraceEvent[],
  state: 'running' | 'ended' | 'interrupted',
  options: Options & { live?: readonly AgentEvent[] } = {},
): Promise<OpenView> {
  const source = options.source ?? new HandSource();
  source.show(events, state, { live: (options.live ?? []) as readonly Delta[] });
  const view = await openForTest({ ...options, source });
  await view.page.waitForSelector('.step');
  return view;
}

/** Waits until what happened is drawn: live text is held together for a moment, and the view draws once a frame. */
export async function settle(view: OpenView): Promise<void> {
  await new Promise((done) => setTimeout(done, 50));
  await view.page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 40))))',
  );
}

/** Waits until an expression holds in the page. */
export async function until(view: OpenView, holds: string): Promise<void> {
  for (let waits = 0; waits < 150; waits++) {
    if (await view.page.evaluate(holds)) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  assert.fail(`Never held: ${holds}`);
}

/** A moment of the stories' runs. */
export const time = '2025-03-03T09:00:05.000Z';
export const thirdStep = (text: string): AgentEvent => ({ type: 'delta', time, step: 3, channel: 'text', text });
