// The trace view in Chromium: first paint, the cost of one more event, and memory, for a short trace and a long one (1,000 steps, 20 MB).
import type { CDPSession } from 'playwright-core';
import type { AgentEvent, TraceEvent } from '../../src/agent/event';
import { sliceSteps } from '../../src/host/traceSlices';
import type { ToWebview } from '../../src/protocol';
import { HandSource } from '../support/handSource';
import { launchBrowser, type OpenView, openView } from '../support/viewHarness';
import { long } from '../support/viewHarnessStory';

const SHORT = 20;
const LONG = 1_000;
/** Characters in an observation: 1,000 of them make 20 MB. */
const CHARACTERS = 20_000;
const ROUNDS = 5;
const APPENDED = 60;

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const settled = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)!.value;
}

async function open(events: readonly TraceEvent[]): Promise<{ view: OpenView; session: CDPSession }> {
  const source = new HandSource();
  source.show(events, 'running');
  const view = await openView(browser, { source });
  await view.page.waitForSelector('.step');
  const session = await view.page.context().newCDPSession(view.page);
  await session.send('Performance.enable');
  return { view, session };
}

/** Milliseconds from the message with a trace to the painted view. */
async function firstPaint(events: readonly TraceEvent[]): Promise<number> {
  const view = await openView(browser, {});
  view.source.show(events, 'running');
  const reset = view.posted.findLast(
    (message): message is Extract<ToWebview, { type: 'reset' }> => message.type === 'reset',
  )!;
  await view.page.context().close();
  const fresh = await openView(browser, {});
  const time = await fresh.page.evaluate<number, string>(
    new Function(
      'json',
      `const data = JSON.parse(json);
       return ${settled}.then(() => {
         const start = performance.now();
         postMessage(data, '*');
         return new Promise((done) => {
           const look = () => document.querySelector('.step') ? requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))) : requestAnimationFrame(look);
           look();
         });
       })`,
    ) as (json: string) => Promise<number>,
    JSON.stringify(reset),
  );
  await fresh.page.context().close();
  return time;
}

/** Milliseconds of work for one more event, style and layout included. */
async function append(steps: number, events: readonly TraceEvent[]): Promise<number> {
  const { view, session } = await open(events);
  const more = long(APPENDED, 600)
    .filter((event): event is TraceEvent & { step: number } => 'step' in event)
    .map((event) => ({ ...event, step: event.step + steps }) as AgentEvent);
  await view.page.evaluate(settled);
  const before = await metric(session, 'TaskDuration');
  await view.page.evaluate(
    new Function(
      'json',
      `return JSON.parse(json).reduce((before, event) => before.then(() => {
        postMessage({ type: 'events', run: 'run-1', events: [event] }, '*');
        return ${settled};
      }), Promise.resolve())`,
    ) as (json: string) => Promise<void>,
    JSON.stringify(more),
  );
  const after = await metric(session, 'TaskDuration');
  await view.page.context().close();
  return ((after - before) * 1000) / more.length;
}

/** Bytes of heap after every step was scrolled through. */
async function heap(events: readonly TraceEvent[]): Promise<number> {
  const { view, session } = await open(events);
  await view.page.evaluate('document.querySelector("main").scrollTop = 0');
  for (;;) {
    await view.page.evaluate(settled);
    const [top, end] = await view.page.evaluate<[number, number]>(
      '(() => { const main = document.querySelector("main"); main.scrollTop += 4000; return [main.scrollTop, main.scrollHeight - main.clientHeight]; })()',
    );
    if (top >= end - 5) break;
  }
  await session.send('HeapProfiler.collectGarbage');
  const used = await metric(session, 'JSHeapUsedSize');
  await view.page.context().close();
  return used;
}

let broken = false;
function report(what: string, figures: string, value: number, bound: number): void {
  const holds = value <= bound;
  if (!holds) broken = true;
  console.log(`${holds ? '✔' : '✘'} ${what}: ${figures}; ${value.toFixed(2)} (at most ${bound})`);
}

let browser: Awaited<ReturnType<typeof launchBrowser>>;

async function main(): Promise<void> {
  browser = await launchBrowser();
  const short = long(SHORT, CHARACTERS);
  const large = long(LONG, CHARACTERS);
  const size = large.reduce((sum, event) => sum + JSON.stringify(event).length, 0) / 1e6;
  console.log(
    `${LONG} steps, ${size.toFixed(1)} MB; the first message holds ${(JSON.stringify(sliceSteps(large)).length / 1e6).toFixed(2)} MB`,
  );
  const paints: [number[], number[]] = [[], []];
  const appends: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    paints[0].push(await firstPaint(short));
    paints[1].push(await firstPaint(large));
  }
  for (let round = 0; round < 3; round++) {
    appends[0].push(await append(SHORT, long(SHORT, 600)));
    appends[1].push(await append(LONG, long(LONG, 600)));
  }
  const [paint, paintLong] = [median(paints[0]), median(paints[1])];
  // The least of the rounds: what else the machine does only adds to it.
  const [cost, costLong] = [Math.min(...appends[0]), Math.min(...appends[1])];
  report('first paint', `${paint.toFixed(0)} ms and ${paintLong.toFixed(0)} ms`, paintLong / paint, 2);
  report('one more event', `${cost.toFixed(2)} ms and ${costLong.toFixed(2)} ms`, costLong / cost, 1.5);
  report('heap after scrolling through all, MB', `${LONG} steps`, (await heap(large)) / 1e6, 100);
  await browser.close();
  process.exitCode = broken ? 1 : 0;
}

void main();
