import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Asker } from '../../src/host/ask';
import { ChatParticipant, PARTICIPANT } from '../../src/host/chatParticipant';
import { createLog } from '../../src/host/log';
import { Runs } from '../../src/host/runs';
import { Keys } from '../../src/host/secrets';
import { memoryFitStore } from '../../src/llm/fit';
import { parseTrace } from '../../src/traces/readTrace';
import { driver } from '../support/driver';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { type StandIn, startStandIn } from '../support/wikiServer';

const extension = () => vscode.extensions.getExtension('react-agent.react-agent') as vscode.Extension<unknown>;
const set = (name: string, value: unknown) =>
  vscode.workspace.getConfiguration('reactAgent').update(name, value, vscode.ConfigurationTarget.Global);

/** What a chat was shown, in order. */
class Chat {
  readonly markdownParts: vscode.MarkdownString[] = [];
  readonly progressLines: string[] = [];
  readonly references: string[] = [];
  readonly buttons: string[] = [];
  onProgress: (line: string) => void = () => {};

  markdown(value: string | vscode.MarkdownString): void {
    this.markdownParts.push(typeof value === 'string' ? new vscode.MarkdownString(value) : value);
  }
  progress(value: string): void {
    this.progressLines.push(value);
    this.onProgress(value);
  }
  reference(value: vscode.Uri | vscode.Location): void {
    this.references.push(value instanceof vscode.Uri ? value.toString() : value.uri.toString());
  }
  button({ command }: vscode.Command): void {
    this.buttons.push(command);
  }
  get text(): string {
    return this.markdownParts.map(({ value }) => value).join('');
  }
}

function turns(prompt: string, result: vscode.ChatResult, participant = PARTICIPANT) {
  const Request = vscode.ChatRequestTurn as unknown as new (...values: unknown[]) => vscode.ChatRequestTurn;
  const Response = vscode.ChatResponseTurn as unknown as new (...values: unknown[]) => vscode.ChatResponseTurn;
  return [new Request(prompt, undefined, [], participant, []), new Response([], result, participant, undefined)];
}

describe('@react in VS Code’s chat', () => {
  let model: ModelServer;
  let wiki: StandIn;
  let chat: ChatParticipant;
  let runs: Runs;
  let folder: string;
  const token = () => new vscode.CancellationTokenSource().token;
  const question = (prompt: string, references: vscode.ChatPromptReference[] = []) => ({
    prompt,
    command: undefined,
    references,
  });
  async function ask(prompt: string, history: (vscode.ChatRequestTurn | vscode.ChatResponseTurn)[] = []) {
    const shown = new Chat();
    const result = await chat.respond(question(prompt), history, shown, token());
    return { shown, result };
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'react-agent-chat-'));
    model = await startModelServer();
    wiki = await startStandIn({
      pages: {
        'Orvan Bridge': { html: '<p>The Orvan Bridge is in Kessel. It was designed by Mara Tell.</p>' },
        'Mara Tell': { html: '<p>Mara Tell was an engineer. She was born in Norvik in 1899.</p>' },
      },
    });
    await set('model.provider', 'openai');
    await set('model.baseUrl', model.baseUrl);
    await set('model.name', 'm');
    await set('knowledge.wiki', wiki.root);
    const log = createLog();
    const places = {
      media: join(extension().extensionPath, 'media'),
      traces: join(folder, 'traces'),
      cache: join(folder, 'pages'),
    };
    runs = new Runs(places, log, () => import('../../src/host/research'));
    const secrets = { get: async () => undefined, store: async () => {}, delete: async () => {} };
    const keys = new Keys(
      { ...secrets, onDidChange: () => ({ dispose() {} }) } as unknown as vscode.SecretStorage,
      log,
    );
    chat = new ChatParticipant(runs, new Asker(runs, keys, memoryFitStore()));
  });
  after(async () => {
    for (const name of ['model.provider', 'model.baseUrl', 'model.name', 'knowledge.wiki']) await set(name, undefined);
    runs.dispose();
    await model.close();
    await wiki.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is contributed with a description in the display language, and VS Code takes it', async () => {
    const [contributed] = extension().packageJSON.contributes.chatParticipants;
    assert.equal(contributed.id, PARTICIPANT);
    assert.doesNotMatch(contributed.description, /%/);
    await extension().activate();
  });

  it('tells the steps as progress, then the answer with its sources', async () => {
    model.queue.push(
      'Thought 1: I search the bridge.\nAction 1: Search[Orvan Bridge]',
      'Thought 2: The page names her.\nAction 2: Finish[It was designed by **Mara Tell**.]',
    );
    const { shown, result } = await ask('Who designed the Orvan Bridge?');
    assert.equal(result.errorDetails, undefined);
    assert.deepEqual(
      shown.progressLines.map((line) => line.replace(/^.*?[:：]\s*/, '')),
      ['I search the bridge.', 'Search · Orvan Bridge', 'The page names her.'],
    );
    assert.match(shown.text, /designed by \*\*Mara Tell\*\*/);
    assert.match(shown.text, /1\. \[Orvan Bridge\]\(http:\/\/127\.0\.0\.1:\d+\/wiki\/Orvan_Bridge\)/);
    assert.deepEqual(shown.references, [`${wiki.root}/wiki/Orvan_Bridge`]);
    assert.ok(shown.buttons.includes('reactAgent.trace.focus'));
    const stored = parseTrace(readFileSync(result.metadata?.trace, 'utf8')).events;
    assert.equal(stored.at(-1)?.type, 'run-end');
  });

  it('goes on with its own earlier turns, and with nobody else’s', async () => {
    model.queue.push('Thought 1: x.\nAction 1: Search[Orvan Bridge]', 'Thought 2: y.\nAction 2: Finish[Mara Tell]');
    const first = await ask('Who designed the Orvan Bridge?');
    model.queue.push('Thought 1: z.\nAction 1: Search[Mara Tell]', 'Thought 2: y.\nAction 2: Finish[In Norvik]');
    await ask('Where was she born?', turns('Who designed the Orvan Bridge?', first.result));
    const opening = (index: number) => JSON.stringify(model.completions.at(index)?.body);
    assert.match(opening(-2), /Who designed the Orvan Bridge\?.*Mara Tell.*Where was she born\?/s);
    model.queue.push('Thought 1: z.\nAction 1: Search[Mara Tell]', 'Thought 2: y.\nAction 2: Finish[Nobody knows]');
    await ask('Where was she born?', turns('Who designed it?', first.result, 'other.participant'));
    assert.doesNotMatch(opening(-2), /Who designed/);
    model.queue.push('Thought 1: z.\nAction 1: Search[Mara Tell]', 'Thought 2: y.\nAction 2: Finish[In Norvik]');
    const gone = { metadata: { trace: join(folder, 'traces', 'deleted.react.jsonl') } };
    const { result } = await ask('Where was she born?', turns('Who designed it?', gone));
    assert.equal(result.errorDetails, undefined, 'a run deleted since is no obstacle');
  });

  it('lets nothing in an answer load, run or lead anywhere', async () => {
    const answer = 'See ![p](http://127.0.0.1:2/p.png?q=1), [run](command:workbench.action.quit) and <img src=x>.';
    model.queue.push('Thought 1: x.\nAction 1: Search[Orvan Bridge]', `Thought 2: y.\nAction 2: Finish[${answer}]`);
    const { shown } = await ask('What is the Orvan Bridge?');
    for (const part of shown.markdownParts) {
      assert.ok(!part.isTrusted && !part.supportHtml);
      assert.doesNotMatch(part.value, /(?<!\\)\]\((?!http)|!\[|(?<!\\)</);
    }
    assert.ok(shown.text.includes('\\[run\\](command:workbench.action.quit)'), shown.text);
  });

  it('stops the run when the chat is cancelled', async () => {
    const source = new vscode.CancellationTokenSource();
    model.queue.push('Thought 1: first.\nAction 1: Search[Orvan Bridge]', {
      text: 'Thought 2: slow '.repeat(400),
      tokenMs: 20,
    });
    const shown = new Chat();
    shown.onProgress = (line) => {
      if (line.includes('Search')) setTimeout(() => source.cancel(), 200);
    };
    const result = await chat.respond(question('Will it stop?'), [], shown, source.token);
    await model.settled(3000);
    assert.equal(model.completions.at(-1)?.state, 'closed');
    assert.equal(runs.running, false);
    assert.equal(result.errorDetails, undefined);
  });

  it('stops the run that begins after the chat was cancelled', async () => {
    const source = new vscode.CancellationTokenSource();
    const secrets = {
      get: async () => source.cancel(),
      onDidChange: () => ({ dispose() {} }),
    } as unknown as vscode.SecretStorage;
    // Not disposed: channels of one name are one log, and the extension writes to it.
    const keys = new Keys(secrets, createLog());
    const before = model.completions.length;
    const late = new ChatParticipant(runs, new Asker(runs, keys, memoryFitStore()));
    await late.respond(question('Too late?'), [], new Chat(), source.token);
    const end = runs.current?.events.at(-1);
    assert.ok(end?.type === 'run-end' && end.outcome === 'cancelled', JSON.stringify(end));
    assert.ok(model.completions.length - before <= 1);
    keys.dispose();
  });

  it('shows thoughts as they are written, though progress is read as Markdown', async () => {
    model.queue.push(
      'Thought 1: ![p](http://127.0.0.1:2/p.png) and <b>\nAction 1: Search[Orvan Bridge]',
      'Thought 2: y.\nAction 2: Finish[four]',
    );
    const { shown } = await ask('How many spans has it?');
    assert.ok(
      shown.progressLines[0]?.includes('!\\[p\\](http://127.0.0.1:2/p.png) and \\<b\\>'),
      shown.progressLines[0],
    );
  });

  it('says what went wrong and what to do next, with a button', async () => {
    model.queue.push({ status: 401, body: { error: { message: 'no', code: 'invalid_api_key' } } });
    const { shown, result } = await ask('Is the key right?');
    assert.ok((result.errorDetails?.message.length ?? 0) > 20);
    assert.equal(shown.buttons[0], 'reactAgent.setApiKey');
    const empty = await ask('   ');
    assert.ok(empty.result.errorDetails);
  });

  it('sends what is attached, as the editor shows it', async () => {
    const file = join(folder, 'bridge.ts');
    writeFileSync(file, 'const spans = 4;\nconst zephyr = 12;\n');
    model.queue.push('Thought 1: x.\nAction 1: Search[Orvan Bridge]', 'Thought 2: y.\nAction 2: Finish[four]');
    const at = new vscode.Location(vscode.Uri.file(file), new vscode.Range(0, 0, 0, 16));
    const shown = new Chat();
    await chat.respond(question('How many spans?', [{ id: 'file', value: at }]), [], shown, token());
    const sent = JSON.stringify(model.completions.at(-2)?.body);
    assert.match(sent, /const spans = 4;/);
    assert.doesNotMatch(sent, /zephyr/);
  });

  it('answers a sample question without model, key or network, whatever the settings say', async () => {
    const before = model.requests.length;
    const shown = new Chat();
    const result = await chat.respond({ prompt: '', command: 'sample', references: [] }, [], shown, token());
    assert.equal(result.errorDetails, undefined);
    assert.match(shown.text, /Babbage|OpenAI/);
    assert.equal(model.requests.length, before);
  });

  it('offers a model where the built-in researcher finds nothing', async () => {
    const shown = new Chat();
    await chat.respond(
      { prompt: 'Who built the Qorvax of Zelm?', command: 'sample', references: [] },
      [],
      shown,
      token(),
    );
    assert.ok(shown.buttons.includes('reactAgent.selectModel'), shown.buttons.join());
  });

  it('refuses a second question while a run goes on, and offers to stop it', async () => {
    model.queue.push({ text: 'Thought 1: slow '.repeat(400), tokenMs: 20 });
    const source = new vscode.CancellationTokenSource();
    const first = chat.respond(question('The first?'), [], new Chat(), source.token);
    for (let wait = 0; !runs.running && wait < 100; wait++) await new Promise((done) => setTimeout(done, 20));
    const { shown, result } = await ask('The second?');
    assert.ok(result.errorDetails);
    assert.ok(shown.buttons.includes('reactAgent.stopRun'));
    source.cancel();
    await first;
    assert.ok(existsSync(join(folder, 'traces')));
  });

  it('answers in VS Code’s own chat, as people use it', async function () {
    await extension().activate();
    // The chat takes no question before it has a model of its own, whoever answers; the oldest one wants Copilot itself.
    const models = await vscode.lm.selectChatModels();
    if (models.length === 0 || process.env.REACT_AGENT_VSCODE === 'oldest') this.skip();
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: '@react /sample Who designed the Analytical Engine?',
    });
    const shown = '[...document.querySelectorAll(".interactive-response")].map((item) => item.textContent).join("\\n")';
    let text = '';
    for (let wait = 0; !/Babbage/.test(text) && wait < 200; wait++) {
      await new Promise((done) => setTimeout(done, 50));
      text = String(await driver.evaluateInWorkbench(shown));
    }
    assert.match(text, /Babbage/);
    assert.match(text, /Analytical Engine \((?:Sample wiki|示例百科)\)/);
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
  });
});
