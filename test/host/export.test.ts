import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TraceEvent } from '../../src/agent/event';
import { driver } from '../support/driver';
import { until } from '../support/until';
import { answered } from '../support/viewHarnessStory';

const set = (name: string, value: unknown) =>
  vscode.workspace.getConfiguration('reactAgent').update(name, value, vscode.ConfigurationTarget.Global);
const run = (name: string, ...values: unknown[]) => vscode.commands.executeCommand(`reactAgent.${name}`, ...values);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** All notices, in their list: as toasts they appear only in a window that has the focus. */
async function notices(): Promise<string> {
  await vscode.commands.executeCommand('notifications.showList');
  return (await driver.evaluateInWorkbench(
    `[...document.querySelectorAll('.notification-list-item-message')].map((one) => one.textContent).join('\\n')`,
  )) as string;
}

const SECRET = 'sk-proj-Ab12Cd34Ef56Gh78';
const secretive = answered.map(
  (event): TraceEvent => (event.type === 'thought' ? { ...event, text: `${event.text} ${SECRET} Zeus` } : event),
);

describe('Exports, transcript and sources', () => {
  let folder: string;
  let trace: vscode.Uri;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-'));
    trace = vscode.Uri.file(join(folder, 'a.react.jsonl'));
    writeFileSync(trace.fsPath, secretive.map((event) => `${JSON.stringify(event)}\n`).join(''));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of ['export.redactPatterns', 'export.otlpEndpoint', 'model.provider', 'knowledge.wiki'])
      await set(name, undefined);
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => vscode.commands.executeCommand('notifications.clearAll'));

  for (const format of ['markdown', 'html', 'json', 'otlp']) {
    it(`writes ${format} to the chosen place, without keys and what the user’s patterns name`, async () => {
      await set('export.redactPatterns', ['zeus']);
      const target = vscode.Uri.file(join(folder, `out.${format}`));
      await run('exportTrace', trace, format, target);
      const text = readFileSync(target.fsPath, 'utf8');
      assert.ok(text.length > 500);
      assert.ok(!text.includes(SECRET) && !text.includes('Zeus'));
      assert.equal(
        text.includes('Analytical Engine'),
        format !== 'otlp',
        'spans hold no content unless that is asked for',
      );
      await until('the notice', async () => (await notices()).includes('Exported to'));
    });
  }

  it('exports nothing with a pattern that can’t be read, and says which', async () => {
    await set('export.redactPatterns', ['(']);
    const target = vscode.Uri.file(join(folder, 'never.md'));
    await run('exportTrace', trace, 'markdown', target);
    assert.equal(existsSync(target.fsPath), false);
    await until('the notice', async () => /“\(” can’t be read/.test(await notices()));
    await set('export.redactPatterns', undefined);
  });

  it('says why a place can’t be written to', async () => {
    await run('exportTrace', trace, 'markdown', vscode.Uri.parse('nowhere:/x.md'));
    await until('the notice', async () => (await notices()).includes('could not be exported'));
  });

  it('opens a transcript with headings', async () => {
    await run('openTranscript', trace);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'markdown');
    assert.match(
      document?.getText() ?? '',
      /^# Which analytical machine[\s\S]*\n### Step 4 · Lookup\n[\s\S]*\n## Answer\n/,
    );
  });

  it('sends a run that ends to the collector, and what it sends tells nothing of the question', async () => {
    const bodies: { path: string; body: string; login: string | undefined }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        bodies.push({ path: request.url ?? '', body, login: request.headers.authorization });
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await set('model.provider', 'researcher');
      await set('knowledge.wiki', 'sample:');
      await set('export.otlpEndpoint', `http://me:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`);
      await run('newQuestion');
      await run('askQuestion', 'Who designed the Analytical Engine?');
      const { path, body, login } = await until('the request', () => bodies[0]);
      assert.equal(path, '/v1/traces');
      assert.equal(login, `Basic ${Buffer.from('me:p@ss').toString('base64')}`);
      const [root] = JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;
      assert.equal(root.name, 'invoke_agent ReAct Agent');
      assert.ok(!/Babbage|Analytical/.test(body));
      await pause(200);
      assert.equal(bodies.length, 1);
    } finally {
      await set('export.otlpEndpoint', undefined);
      server.close();
    }
  });

  it('tells once when no collector answers', async () => {
    await set('export.otlpEndpoint', 'http://127.0.0.1:9');
    await run('newQuestion');
    await run('askQuestion', 'Who designed the Analytical Engine?');
    await until('the notice', async () => (await notices()).includes('could not be sent to http://127.0.0.1:9'));
    await set('export.otlpEndpoint', undefined);
  });

  it('opens an article of the sample wiki at the sentence', async () => {
    await until('a step with a source', async () => {
      await run('openSource', 1, 2);
      return vscode.window.activeTextEditor?.document.uri.scheme === 'react-agent-source';
    });
    const editor = vscode.window.activeTextEditor as vscode.TextEditor;
    assert.match(editor.document.getText(), /^# Analytical [Ee]ngine\n/);
    const sentence = editor.document.getText(editor.selection);
    assert.ok(sentence.length > 20 && !sentence.startsWith('#'), sentence);
  });
});
