import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { RunEnd, TraceEvent } from '../../src/agent/event';
import { driver } from '../support/driver';
import { type ModelReplySpec, type ModelServer, startModelServer } from '../support/modelServer';
import { until } from '../support/until';

/** With characters that look different in a URL. */
const KEY = 'sk-secrecy/Zq8vT3+nL0pYw71RbXc5e=9';
const FORMS = {
  plain: KEY,
  'in a URL': encodeURIComponent(KEY),
  'in base64': Buffer.from(KEY).toString('base64'),
  'in JSON': JSON.stringify(KEY).replaceAll('/', '\\/'),
};

const configuration = () => vscode.workspace.getConfiguration('reactAgent');
const set = (name: string, value: unknown) => configuration().update(name, value, vscode.ConfigurationTarget.Global);
const formsIn = (text: string | Buffer) =>
  Object.entries(FORMS).flatMap(([name, form]) => (text.includes(form) ? [name] : []));

describe('The key, after a run full of errors', () => {
  /** Says the key back in each form, as careless servers do. */
  const echo = `Bad key ${KEY}, ?api_key=${FORMS['in a URL']} or Basic ${FORMS['in base64']}`;
  const said = (status: number, more: object = {}): ModelReplySpec => ({
    status,
    body: { error: { message: echo, ...more } },
  });
  let model: ModelServer;
  let elsewhere: Server;
  let visits = 0;
  /** What was to be seen on the screen: views, notices, questions, inputs. */
  const seen: string[] = [];
  let newest = '';

  const look = async () => {
    await vscode.commands.executeCommand('notifications.showList');
    seen.push(String(await driver.evaluateInWorkbench('document.documentElement.outerHTML')));
    await vscode.commands.executeCommand('notifications.clearAll');
  };
  async function ask(question: string): Promise<RunEnd> {
    assert.ok(await vscode.commands.executeCommand('reactAgent.askQuestion', question));
    return until('run-end', async () => {
      await vscode.commands.executeCommand('reactAgent.openTraceFile');
      newest = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
      const lines = readFileSync(newest, 'utf8').trimEnd().split('\n');
      const [start, end] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? '') as TraceEvent);
      return start?.type === 'run-start' && start.question === question && end?.type === 'run-end' && end;
    });
  }

  before(async () => {
    elsewhere = createServer((_, response) => {
      visits++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    model = await startModelServer(() => said(401));
    await set('model.provider', 'openai');
    await set('model.baseUrl', model.baseUrl);
    await set('model.name', 'm');
    await set('knowledge.wiki', 'sample:');
    const asked = vscode.commands.executeCommand('reactAgent.setApiKey');
    await driver.answerInputBox(KEY);
    await asked;
  });
  after(async () => {
    await vscode.commands.executeCommand('reactAgent.clearApiKey');
    for (const name of ['model.provider', 'model.baseUrl', 'model.name', 'knowledge.wiki']) await set(name, undefined);
    await model.close();
    elsewhere.close();
  });

  it('is in the Authorization header alone', async function () {
    this.timeout(90_000);
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/v1?key=${FORMS['in a URL']}`;
    const stream = { 'content-type': 'text/event-stream' };
    const errors: Record<string, ModelReplySpec> = {
      'a wrong key': said(401, { code: 'invalid_api_key' }),
      'a failing server': said(500),
      'a missing model': said(404, { code: 'model_not_found' }),
      'a refusal': said(400, { param: KEY }),
      'a redirect': { status: 302, headers: { location }, body: '' },
      'a web page': { body: `<html><title>${echo}</title></html>` },
      'an error in a stream': { raw: [`data: ${JSON.stringify({ error: { message: echo } })}\n\n`], headers: stream },
      'something malformed': { raw: [`data: {"choices": [{"${echo}\n\n`], headers: stream },
      'a drop': { unanswered: 'drop' },
      'a reply that breaks off': { tokens: ['Thought', ' 1'], ending: 'reset', finishReason: null, done: false },
    };
    for (const [name, reply] of Object.entries(errors)) {
      model.fallback = () => reply;
      const end = await ask(`What about ${name}?`);
      assert.equal(end.outcome, 'failed', name);
      assert.ok(end.error?.hint, name);
      seen.push(JSON.stringify(end), String(await driver.evaluate('document.documentElement.outerHTML')));
    }
    // A run that fails out of sight is told in a notice.
    model.fallback = () => ({ ...said(401), firstTokenMs: 500 });
    assert.ok(await vscode.commands.executeCommand('reactAgent.askQuestion', 'Out of sight?'));
    await vscode.commands.executeCommand('workbench.view.explorer');
    await until('a notice', async () => {
      await look();
      return seen.at(-1)?.includes('did not accept the API key');
    });
    // VS Code shows no dialogs in tests of this kind; its headline goes to the log instead.
    await vscode.commands.executeCommand('reactAgent.testConnection');
    await look();
    const selecting = vscode.commands.executeCommand('reactAgent.selectModel');
    await until('the list', async () => {
      await look();
      return seen.at(-1)?.includes('Another endpoint');
    });
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await selecting;

    // …/User/globalStorage/react-agent.react-agent/traces/FILE; beside User lie the logs and the machine's settings.
    const data = dirname(dirname(dirname(dirname(dirname(newest)))));
    const files = () =>
      (readdirSync(data, { recursive: true }) as string[]).filter((name) => {
        const about = statSync(join(data, name), { throwIfNoEntry: false });
        return about?.isFile() && about.size < 5e7;
      });
    const log = await until('the log on disk', () =>
      files().find(
        (name) =>
          /react-agent.*[\\/]ReAct Agent\.log$/.test(name) &&
          readFileSync(join(data, name), 'utf8').includes('The test failed at “Key”'),
      ),
    );
    const holding = files().flatMap((name) => {
      const forms = formsIn(readFileSync(join(data, name)));
      return forms.length > 0 ? [`${name}: ${forms}`] : [];
    });
    assert.deepEqual(holding, []);
    for (const kind of [/\.react\.jsonl$/, /settings\.json$/])
      assert.ok(
        files().some((name) => kind.test(name)),
        log,
      );
    assert.deepEqual(seen.flatMap(formsIn), []);
    assert.deepEqual(formsIn(JSON.stringify(configuration())), []);

    assert.ok(model.requests.length > 20);
    for (const { path, headers, body } of model.requests) {
      const { authorization, ...others } = headers;
      assert.deepEqual(formsIn(JSON.stringify([path, others, body ?? ''])), [], path);
      assert.ok(authorization === undefined || authorization === `Bearer ${KEY}`);
    }
    assert.ok(model.requests.some(({ headers }) => headers.authorization === `Bearer ${KEY}`));
    assert.equal(visits, 0, 'a redirect is not followed');
  });
});
