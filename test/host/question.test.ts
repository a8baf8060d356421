import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { TraceEvent } from '../../src/agent/event';
import { driver } from '../support/driver';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { until } from '../support/until';
import { type StandIn, startStandIn } from '../support/wikiServer';

const KEY = 'sk-host-test-0123456789abcdef';
const LEAD = 'The Orvan Bridge is a bridge in Kessel. It was designed by the engineer Mara Tell. It opened in 1931.';

const configuration = () => vscode.workspace.getConfiguration('reactAgent');
const set = (name: string, value: unknown) => configuration().update(name, value, vscode.ConfigurationTarget.Global);

/** The shown run's trace file, by the command that opens it, and what stands in it. */
async function traceOf(): Promise<{ path: string; events: TraceEvent[] }> {
  await vscode.commands.executeCommand('reactAgent.openTraceFile');
  const path = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return { path, events: lines.map((line) => JSON.parse(line) as TraceEvent) };
}

async function ended(): Promise<{ path: string; events: TraceEvent[]; end: Extract<TraceEvent, { type: 'run-end' }> }> {
  return until('run-end in the file', async () => {
    const trace = await traceOf();
    const end = trace.events.at(-1);
    return end?.type === 'run-end' && { ...trace, end };
  });
}

/** Clicks Resume in VS Code's list of notifications; true once it is there. */
const CLICK_RESUME = `(() => {
  const buttons = [...document.querySelectorAll('.notification-list-item .monaco-button')];
  const button = buttons.find((one) => one.textContent === 'Resume');
  button?.click();
  return Boolean(button);
})()`;

const viewText = () => driver.evaluate('document.body.innerText') as Promise<string>;

describe('A question in VS Code', () => {
  let model: ModelServer;
  let wiki: StandIn;

  before(async () => {
    model = await startModelServer();
    wiki = await startStandIn({
      pages: { 'Orvan Bridge': { html: `<p>${LEAD}</p>`, description: 'bridge in Kessel' } },
    });
    await set('model.provider', 'openai');
    await set('model.baseUrl', model.baseUrl);
    await set('model.name', 'm');
    await set('knowledge.wiki', wiki.root);
    const asked = vscode.commands.executeCommand('reactAgent.setApiKey');
    await driver.answerInputBox(KEY);
    await asked;
  });
  after(async () => {
    for (const name of ['model.provider', 'model.baseUrl', 'model.name', 'knowledge.wiki']) await set(name, undefined);
    await model.close();
    await wiki.stop();
  });

  it('is researched over real HTTP, step by step in the view, with an answer and its source', async () => {
    model.queue.push(
      'Thought 1: I search the bridge.\nAction 1: Search[Orvan Bridge]',
      'Thought 2: The page names the engineer.\nAction 2: Finish[It was designed by the engineer Mara Tell]',
    );
    assert.ok(await vscode.commands.executeCommand('reactAgent.askQuestion', 'Who designed the Orvan Bridge?'));
    const { events, end } = await ended();
    assert.equal(end.outcome, 'answered', JSON.stringify(end.error));
    assert.equal(end.sources[0]?.title, 'Orvan Bridge');
    assert.equal(end.support?.[0]?.status, 'verbatim');
    assert.ok(events.some((event) => event.type === 'observation' && event.text.includes('Mara Tell')));
    const shown = await until('the answer in the view', async () => {
      const text = await viewText();
      return text.includes('It was designed by the engineer Mara Tell') && text;
    });
    for (const part of [
      'Who designed the Orvan Bridge?',
      'I search the bridge.',
      'The page names the engineer.',
      LEAD.slice(0, 30),
    ]) {
      assert.ok(shown.includes(part), `${part} — in ${shown}`);
    }
  });

  it('goes on with the conversation where the same endpoint answers, and says so; another one is told none of it', async () => {
    const box = '.composer textarea';
    const placeholder = () => driver.evaluate(`document.querySelector('${box}').placeholder`);
    const asked = async (question: string) => {
      await driver.fill(box, question);
      await driver.press('Enter', box);
      const { events } = await until('its answer', async () => {
        const trace = await ended();
        return trace.events.some((event) => event.type === 'run-start' && event.question === question) && trace;
      });
      const request = events.find((event) => event.type === 'model-request');
      return request?.type === 'model-request' ? request.messages.map(({ content }) => content).join('\n') : '';
    };
    model.queue.push('Thought 1: told before.\nAction 1: Finish[In 1931]');
    assert.equal(await placeholder(), 'Ask a follow-up…');
    assert.match(await viewText(), /The question before and its answer go along/);
    assert.match(await asked('And when did it open?'), /Who designed the Orvan Bridge/);
    const other = await startModelServer(() => 'Thought 1: anew.\nAction 1: Finish[Something]');
    try {
      await set('model.baseUrl', other.baseUrl);
      await until('the box of a new conversation', async () => (await placeholder()) === 'Ask another question…');
      assert.match(await viewText(), /Earlier questions are not told to another endpoint/);
      assert.doesNotMatch(await asked('What is it?'), /Orvan/);
      assert.doesNotMatch(JSON.stringify(other.completions.map(({ body }) => body)), /Orvan|Mara/);
    } finally {
      await set('model.baseUrl', model.baseUrl);
      await other.close();
    }
  });

  it('sends the key to the endpoint and keeps it nowhere else', async () => {
    const { path } = await ended();
    assert.equal(model.completions.at(-1)?.headers.authorization, `Bearer ${KEY}`);
    assert.ok(wiki.requests.every(({ headers }) => headers.authorization === undefined));
    // storage → User/globalStorage/react-agent.react-agent/traces; settings and logs lie above
    const user = dirname(dirname(dirname(dirname(path))));
    const holding: string[] = [];
    for (const name of readdirSync(user, { recursive: true }) as string[]) {
      const file = join(user, name);
      if (statSync(file).isFile() && statSync(file).size < 5e7 && readFileSync(file).includes(KEY)) holding.push(name);
    }
    assert.deepEqual(holding, []);
    assert.ok(!JSON.stringify(configuration()).includes(KEY));
  });

  it('stops in mid-stream: the server’s connection closes, and the run ends cancelled', async () => {
    model.queue.push({ text: 'Thought 1: slowly '.repeat(500), tokenMs: 20 });
    await vscode.commands.executeCommand('reactAgent.askQuestion', 'Will it stop?');
    await until('text from the server', async () => (await viewText()).includes('slowly'));
    assert.equal(model.completions.at(-1)?.state, 'open');
    await vscode.commands.executeCommand('reactAgent.stopRun');
    await until('the closed connection', () => model.completions.at(-1)?.state === 'closed');
    const { end } = await ended();
    assert.equal(end.outcome, 'cancelled');
  });

  it('shows the same run after the view was hidden for some of its steps', async () => {
    model.queue.push(
      { text: 'Thought 1: first thing.\nAction 1: Search[Orvan Bridge]', firstTokenMs: 200 },
      { text: 'Thought 2: second thing.\nAction 2: Lookup[opened]', firstTokenMs: 500 },
      { text: 'Thought 3: third thing.\nAction 3: Finish[1931]', firstTokenMs: 500 },
    );
    await vscode.commands.executeCommand('reactAgent.askQuestion', 'When did the Orvan Bridge open?');
    await vscode.commands.executeCommand('workbench.view.explorer');
    await ended();
    await vscode.commands.executeCommand('reactAgent.trace.focus');
    const text = await until('all steps', async () => {
      const shown = await viewText();
      return shown.includes('third thing.') && shown;
    });
    for (const part of ['first thing.', 'second thing.']) assert.equal(text.split(part).length, 2, `${part} once`);
  });

  for (const [name, prepare, expected] of [
    [
      'a wrong key (401)',
      () =>
        model.queue.push({
          status: 401,
          body: { error: { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' } },
        }),
      'set-key',
    ],
    [
      'an unknown model (404)',
      () =>
        model.queue.push({
          status: 404,
          body: { error: { message: 'The model `m` does not exist', code: 'model_not_found' } },
        }),
      'select-model',
    ],
  ] as const) {
    it(`says plainly what to do about ${name}`, async () => {
      prepare();
      await vscode.commands.executeCommand('reactAgent.askQuestion', `What about ${name}?`);
      const { end, path } = await ended();
      assert.equal(end.outcome, 'failed');
      assert.equal(end.error?.action, expected);
      assert.ok(end.error?.hint);
      assert.ok(!readFileSync(path, 'utf8').includes(KEY), 'the key is not echoed');
      await until('the hint in the view', async () => (await viewText()).includes(end.error?.hint ?? '?'));
    });
  }

  it('goes on where it failed once the key is there', async () => {
    model.queue.push('Thought 1: first.\nAction 1: Search[Orvan Bridge]', {
      status: 401,
      body: { error: { message: 'No key', code: 'invalid_api_key' } },
    });
    await vscode.commands.executeCommand('reactAgent.askQuestion', 'Who built it, for want of a key?');
    assert.equal((await ended()).end.error?.action, 'set-key');
    model.queue.push('Thought 2: second.\nAction 2: Finish[Mara Tell]');
    const asked = vscode.commands.executeCommand('reactAgent.setApiKey');
    await driver.answerInputBox(KEY);
    await vscode.commands.executeCommand('notifications.showList');
    await until('the offer', () => driver.evaluateInWorkbench(CLICK_RESUME));
    await asked;
    const { end, events } = await until('the answer', async () => {
      const run = await ended();
      return run.end.outcome === 'answered' && run;
    });
    assert.equal(end.answer, 'Mara Tell');
    assert.equal(events.filter((event) => event.type === 'action' && event.tool === 'Search').length, 1);
  });

  it('goes on with no other run than the one that failed for want of a key', async () => {
    model.queue.push({ status: 401, body: { error: { message: 'No key', code: 'invalid_api_key' } } });
    await vscode.commands.executeCommand('reactAgent.askQuestion', 'What fails for want of a key?');
    assert.equal((await ended()).end.error?.action, 'set-key');
    await vscode.commands.executeCommand('notifications.clearAll');
    const setting = vscode.commands.executeCommand('reactAgent.setApiKey');
    await driver.answerInputBox(KEY);
    await setting;
    model.queue.push('Thought 1: known.\nAction 1: Finish[Something]');
    await vscode.commands.executeCommand('reactAgent.askQuestion', 'What is asked meanwhile?');
    const other = await until('the other run', async () => {
      const run = await ended();
      return run.events[0]?.type === 'run-start' && run.events[0].question === 'What is asked meanwhile?' && run;
    });
    await vscode.commands.executeCommand('notifications.showList');
    await until('the offer', () => driver.evaluateInWorkbench(CLICK_RESUME));
    await until('the reason', async () =>
      String(await driver.evaluateInWorkbench('document.body.innerText')).includes('Another run is shown by now'),
    );
    assert.equal((await traceOf()).path, other.path);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('shows in the status bar the step at hand, and that a paused run waits', async () => {
    const ITEM = '[id="react-agent.react-agent.reactAgent.run"]';
    const status = (text: string) =>
      until(text, async () =>
        String(await driver.evaluateInWorkbench(`document.querySelector('${ITEM}')?.innerText ?? ''`)).includes(text),
      );
    const asked = model.completions.length;
    model.queue.push(
      { text: 'Thought 1: a.\nAction 1: Search[Orvan Bridge]', firstTokenMs: 1000 },
      { text: 'Thought 2: b.\nAction 2: Lookup[opened]', firstTokenMs: 1000 },
      { text: 'Thought 3: c.\nAction 3: Finish[1931]', firstTokenMs: 3000 },
    );
    await vscode.commands.executeCommand('reactAgent.askQuestion', 'When did it open, step by step?');
    await status('ReAct step 1 · Stop');
    await vscode.commands.executeCommand('reactAgent.pauseRun');
    await status('ReAct paused · Go on');
    assert.equal(model.completions.length, asked + 1);
    await vscode.commands.executeCommand('reactAgent.stepRun');
    await status('ReAct step 2 · Stop');
    await status('ReAct paused · Go on');
    await driver.evaluateInWorkbench(`document.querySelector('${ITEM} a').click()`);
    await status('ReAct step 3 · Stop');
    assert.equal(model.completions.at(-1)?.state, 'open', 'before a word of it came');
    assert.equal((await ended()).end.answer, '1931');
  });

  it('says plainly that an endpoint can’t be reached, and that a page is missing', async () => {
    await set('model.baseUrl', 'http://127.0.0.1:2/v1');
    await vscode.commands.executeCommand('reactAgent.askQuestion', 'Is anyone there?');
    const { end } = await ended();
    assert.equal(end.outcome, 'failed');
    assert.match(end.error?.message ?? '', /127\.0\.0\.1/);
    await set('model.baseUrl', model.baseUrl);
    model.queue.push(
      'Thought 1: a.\nAction 1: Search[No Such Page]',
      'Thought 2: b.\nAction 2: Finish[It was not found]',
    );
    await vscode.commands.executeCommand('reactAgent.askQuestion', 'What is No Such Page?');
    const { events } = await ended();
    const observation = events.find((event) => event.type === 'observation');
    assert.ok(observation?.type === 'observation' && !observation.ok);
  });

  it('refuses an empty question and loses nothing', async () => {
    const before = await traceOf();
    assert.equal(await vscode.commands.executeCommand('reactAgent.askQuestion', '   '), undefined);
    assert.equal((await traceOf()).path, before.path);
  });
});
