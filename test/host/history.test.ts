import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { RunStart, TraceEvent } from '../../src/agent/event';
import { driver } from '../support/driver';
import { until } from '../support/until';

const set = (name: string, value: unknown) =>
  vscode.workspace.getConfiguration('reactAgent').update(name, value, vscode.ConfigurationTarget.Global);
const run = (name: string, ...values: unknown[]) => vscode.commands.executeCommand(`reactAgent.${name}`, ...values);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const read = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceEvent);

/** Asks, waits for the end, and gives the path of the trace. */
async function ask(question: string): Promise<string> {
  const id = await run('askQuestion', question);
  assert.equal(typeof id, 'string');
  return until(`the end of “${question}”`, async () => {
    await run('openTraceFile');
    const path = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
    return path.includes(String(id)) && read(path).at(-1)?.type === 'run-end' && path;
  });
}

const PANE = `[...document.querySelectorAll('.pane')].find((pane) => /^History/.test(pane.querySelector('.pane-header')?.textContent ?? ''))`;
const rows = async () =>
  (await driver.evaluateInWorkbench(
    `[...(${PANE}?.querySelectorAll('.monaco-list-row') ?? [])].map((row) => row.textContent)`,
  )) as string[];
const shows = (what: string, holds: (rows: string[]) => boolean) =>
  until(what, async () => {
    const now = await rows();
    return holds(now) && now;
  });
const viewText = () => driver.evaluate('document.body.innerText') as Promise<string>;

describe('History in VS Code', () => {
  let tesla: string;
  let china: string;

  before(async () => {
    await set('model.provider', 'researcher');
    await set('knowledge.wiki', 'sample:');
    await run('newQuestion');
    tesla = await ask('Which space company did the chief executive of Tesla also found?');
    await run('newQuestion');
    china = await ask('What is the population of China in 2024 times 2?');
    await run('showHistory');
  });
  after(async () => {
    await run('clearHistoryFilter');
    for (const name of ['model.provider', 'knowledge.wiki']) await set(name, undefined);
  });

  it('lists today’s runs, the newest first', async () => {
    const list = await shows('both runs', (now) => now.some((row) => row.includes('executive of Tesla')));
    assert.match(list[0] ?? '', /Today/);
    assert.match(list[1] ?? '', /population of China/);
    assert.match(list[2] ?? '', /executive of Tesla/);
  });

  it('searches in questions and answers, and shows all again', async () => {
    await run('searchHistory', 'spacex');
    await shows(
      'only the run whose answer has it',
      (now) => now.length === 2 && now[1]!.includes('executive of Tesla'),
    );
    await run('searchHistory', 'no such words anywhere');
    await shows('none', (now) => now.length === 0);
    await run('clearHistoryFilter');
    await shows('all', (now) => now.length > 2);
  });

  it('shows an older run in the view', async () => {
    await run('openRun', tesla);
    await until('its question', async () => (await viewText()).includes('chief executive of Tesla'));
    await run('openRun', china);
    await until('the other’s', async () => (await viewText()).includes('population of China'));
  });

  it('puts pinned runs first', async () => {
    await run('pinRun', tesla);
    const list = await shows('the pinned group', (now) => /Pinned/.test(now[0] ?? ''));
    assert.match(list[1] ?? '', /executive of Tesla/);
    await run('unpinRun', tesla);
    await shows('no pinned group', (now) => !/Pinned/.test(now[0] ?? ''));
  });

  it('deletes the chosen run alone, and brings it back on Undo', async () => {
    await run('deleteRun', tesla);
    assert.equal(existsSync(tesla), false);
    assert.equal(existsSync(china), true);
    await shows('one less', (now) => !now.some((row) => row.includes('executive of Tesla')));
    await run('deleteRun', tesla);
    await vscode.commands.executeCommand('notifications.showList');
    await until(
      'the button',
      () =>
        driver.evaluateInWorkbench(
          `(() => { const button = [...document.querySelectorAll('.notification-list-item .monaco-button')].find((one) => one.textContent === 'Undo'); button?.click(); return Boolean(button); })()`,
        ) as Promise<boolean>,
    );
    await until('the file', () => existsSync(tesla));
    await shows('it is back', (now) => now.some((row) => row.includes('executive of Tesla')));
  });

  it('deletes nothing when Delete is pressed outside its list', async () => {
    await vscode.commands.executeCommand('reactAgent.trace.focus');
    await driver.press('Delete', '.step');
    await pause(300);
    assert.ok(existsSync(china) && existsSync(tesla));
  });

  it('goes on with a run that was cut off, on the same page, and pays no step twice', async () => {
    const events = read(china);
    const start = events[0] as RunStart;
    const last = events.findIndex((event) => event.type === 'observation' && event.step === 2);
    assert.ok(last > 0);
    const path = join(dirname(china), basename(china).replace(start.run, 'cut-off'));
    const lines = [{ ...start, run: 'cut-off' }, ...events.slice(1, last + 1)].map((event) => JSON.stringify(event));
    writeFileSync(path, `${lines.join('\n')}\n{"type":"model-req`);
    await run('openRun', path);
    await until('what it is', async () => (await viewText()).includes('Interrupted'));
    await run('resumeStoredRun', path);
    const resumed = await until('the answer', async () => {
      await run('openTraceFile');
      const now = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
      return now !== path && read(now).at(-1)?.type === 'run-end' && read(now);
    });
    const again = resumed[0] as RunStart;
    assert.equal(again.parent?.kind, 'resume');
    assert.equal(again.parent?.run, 'cut-off');
    const replies = resumed.filter((event) => event.type === 'model-reply');
    assert.deepEqual(
      replies.map(({ step }) => step),
      [1, 2, 3, 4],
    );
    assert.equal(replies[1]?.time, events.find((event) => event.type === 'model-reply' && event.step === 2)?.time);
    const end = resumed.at(-1);
    assert.ok(end?.type === 'run-end' && end.outcome === 'answered' && end.answer?.includes('2816560000'));
  });
});
