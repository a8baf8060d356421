import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { TraceEvent } from '../../src/agent/event';
import { parseTrace } from '../../src/traces/readTrace';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { ofType } from '../support/story';
import { assertTrace } from '../support/traceSchema';

const PROGRAM = join('out', 'test', 'cli.js');

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The program as a real process; `ended` resolves with all that it said. */
function start(words: readonly string[], env: NodeJS.ProcessEnv = {}): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { ...process.env, OPENAI_API_KEY: '', LC_ALL: 'C', ...env },
    timeout: 15_000,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return { child, ended };
}

const run = (words: readonly string[], env?: NodeJS.ProcessEnv) => start(words, env).ended;

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 8000; !holds(); ) {
    if (Date.now() > end) throw new Error('it did not come to pass within 8 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Takes connections and never answers. */
async function hangingServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the program in a terminal', function () {
  this.timeout(20_000);
  let folder: string;
  let server: ModelServer;

  before(() => {
    buildSync({ entryPoints: ['src/cli/main.ts'], outfile: PROGRAM, bundle: true, platform: 'node', target: 'node20' });
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cli-'));
    server = await startModelServer();
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await server.close();
  });

  const model = () => ['--base-url', server.baseUrl, '--model', 'm', '--wiki', 'sample:'];
  const traceOf = (name: string): TraceEvent[] => {
    const { events } = parseTrace(readFileSync(join(folder, name), 'utf8'));
    assertTrace(events);
    return events;
  };
  const outcomeOf = (events: readonly TraceEvent[]) => ofType(events, 'run-end').map(({ outcome }) => outcome);

  for (const [words, said] of [
    [[], /A command is missing/],
    [['tell', 'x'], /Unknown command “tell”/],
    [['ask', '  '], /question is empty/],
    [['ask', 'q', '--base-url', ''], /--base-url is empty/],
    [['ask', 'q', '--trace', ''], /--trace is empty/],
    [['ask', 'q', '--model', '-x'], /^Option '--model' argument is ambiguous\.\n/],
    [['ask', 'q', '--max-steps', '0'], /--max-steps takes a whole number above 0, not “0”/],
    [['ask', 'q', '--max-steps', '1.5'], /not “1.5”/],
    [['ask', 'q', '--seconds', 'soon'], /not “soon”/],
    [['ask', 'q', '--protocol', 'smoke'], /auto, text, tools/],
    [['ask', 'q', '--wrong'], /Unknown option '--wrong'\.\n/],
    [['ask', 'q', '--model', 'gpt'], /researcher takes no --model; [^\n]*--base-url URL/],
    [['ask', 'q', '--provider', 'researcher', '--base-url', 'http://127.0.0.1:9'], /takes no --base-url/],
  ] as const) {
    it(`says what is wrong with “${words.join(' ')}”`, async () => {
      const { code, stdout, stderr } = await run(words);
      assert.equal(code, 64);
      assert.equal(stdout, '');
      assert.match(stderr, said);
      assert.match(stderr, /Usage: react-agent ask/);
    });
  }

  for (const [words, said] of [
    [[], /^缺少命令。\n/],
    [['ask', 'q', '--wrong'], /^未知选项 --wrong。\n/],
    [['ask', 'q', '--model'], /^--model 缺少值。\n/],
    [['ask', 'q', '--help=x'], /^--help 不带值。\n/],
    [['ask', 'q', '--max-steps', '1.5'], /^--max-steps 的值应为大于 0 的整数，而不是“1.5”。\n/],
    [['ask', 'q', '--protocol', 'smoke'], /^--protocol 的值应为 auto、text、tools 之一/],
  ] as const) {
    it(`says it in Chinese in a Chinese terminal: “${words.join(' ')}”`, async () => {
      const { code, stderr } = await run(words, { LC_ALL: '', LANG: 'zh_CN.UTF-8' });
      assert.equal(code, 64);
      assert.match(stderr, said);
      assert.match(stderr, /用法：react-agent ask/);
    });
  }

  it('helps in the terminal’s language', async () => {
    const chinese = await run(['ask', '--help'], { LC_ALL: 'zh_TW.UTF-8', LANG: 'en_GB.UTF-8' });
    const english = await run(['ask', '--help'], { LC_ALL: 'en_GB.UTF-8', LANG: 'zh_CN.UTF-8' });
    const flags = ({ stdout }: Ended) =>
      stdout.match(/--[a-z-]+/g)?.filter((flag, at, all) => all.indexOf(flag) === at);
    assert.match(chinese.stdout, /^用法/);
    assert.match(english.stdout, /^Usage/);
    assert.deepEqual(flags(chinese), flags(english));
  });

  it('learns the context window from the server, as the extension does', async () => {
    const telling = await startModelServer(() => 'Thought 1: known.\nAction 1: Finish[Babbage]', { models: ['m'] });
    const { code } = await run(['ask', 'q', '--base-url', telling.origin, '--model', 'm', '--wiki', 'sample:']);
    await telling.close();
    assert.equal(code, 0);
    assert.ok(telling.requests.some(({ method, path }) => method === 'GET' && path === '/v1/models'));
  });

  it('says what to do in a terminal, and leaves the event as VS Code needs it', async () => {
    server.fallback = () => ({ status: 401, body: { error: { message: 'no key' } } });
    const { code, stdout, stderr } = await run(['ask', 'q', ...model(), '--json']);
    assert.equal(code, 1);
    assert.match(stderr, /^[^\n]*in the environment variable OPENAI_API_KEY\.\n$/);
    assert.match(ofType(parseTrace(stdout).events, 'run-end')[0]?.error?.hint ?? '', /Set API Key/);
  });

  it('asks for a model where none is given', async () => {
    const english = await run(['ask', 'q', '--base-url', server.baseUrl]);
    assert.equal(english.code, 1);
    assert.match(english.stdout, /^Model: none chosen\n/);
    assert.equal(english.stderr, 'No model is chosen. Add --model NAME.\n');
    const chinese = await run(['ask', '问题是什么？', '--base-url', server.baseUrl]);
    assert.equal(chinese.stderr, '还没有选择模型。 请加上 --model 模型名称。\n');
  });

  it('offers the providers that are for people', async () => {
    const { code, stderr } = await run(['ask', 'q', '--provider', 'foo']);
    assert.equal(code, 1);
    assert.match(stderr, /“foo”\. Choose one of: researcher, openai\.\n$/);
  });

  it('numbers the source of each claim that one supports', async () => {
    const { stdout } = await run(['ask', 'Who designed the Analytical Engine?', '--wiki', 'sample:']);
    assert.match(stdout, /^Answer: .*Charles Babbage\. \[1\]$/m);
    assert.match(stdout, /^\[1\] Analytical Engine — /m);
    assert.match(stdout, /^1 of 1 claim found word for word/m);
    assert.match(stdout, /^Answered · \d+ steps · [\d.]+ s$/m);
    const chinese = await run(['ask', '哪家公司开发了 ChatGPT？', '--wiki', 'sample:']);
    assert.match(chinese.stdout, /^回答：ChatGPT 由美国公司 OpenAI 开发。\[1\]$/m);
    assert.match(chinese.stdout, /^已回答 · \d+ 步 · [\d.]+ 秒$/m);
  });

  it('says “Not found” where that is the answer', async () => {
    const { code, stdout } = await run(['ask', 'Who is Zorblax the unseen?', '--wiki', 'sample:']);
    assert.equal(code, 0);
    assert.match(stdout, /^Not found · /m);
  });

  it('answers, prints events alone with --json, and writes the same without live text to --trace', async () => {
    server.queue.push('Thought 1: I know.\nAction 1: Search[Ada Lovelace]', 'Action 2: Finish[Ada Lovelace]');
    const { code, stdout, stderr } = await run([
      ...['ask', 'Who wrote the first program?', ...model(), '--json', '--trace', join(folder, 'deep', 'run.jsonl')],
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    assert.match(stdout, /"delta"/);
    const printed = parseTrace(stdout).events;
    assert.deepEqual(
      printed.filter(({ type }) => (type as string) !== 'delta'),
      traceOf(join('deep', 'run.jsonl')),
    );
    assert.deepEqual(outcomeOf(printed), ['answered']);
  });

  it('ends with 2 at a limit, and prints the best answer as such', async () => {
    server.queue.push('Thought: look\nAction: Search[Ada Lovelace]', 'Finish[perhaps her]');
    const { code, stdout } = await run(['ask', 'Who was it?', ...model(), '--max-steps', '1']);
    assert.equal(code, 2);
    assert.match(stdout, /Best answer from what was gathered: perhaps her/);
  });

  it('fails with 1 and one line where nothing answers', async () => {
    await server.close();
    const { code, stderr } = await run(['ask', 'q', ...model()]);
    assert.equal(code, 1);
    assert.match(stderr, /^[^\n]+\n$/);
    server = await startModelServer();
  });

  it('lets no server write to the terminal as it likes', async () => {
    server.fallback = () => ({ status: 400, body: { error: { message: 'no \u001b[2J\u009b31m way' } } });
    const failed = await run(['ask', 'q', ...model()]);
    server.fallback = () => 'Hello.';
    assert.equal(failed.code, 1);
    server.queue.push(
      { toolCalls: [{ name: 'Evil\u001b[2J', arguments: '{"thought":"\u001b[2J","x":"\u001b[2J"}' }] },
      'Action: Finish[\u001b[2Jdone]',
    );
    const answered = await run(['ask', 'q', ...model(), '--protocol', 'tools']);
    assert.match(answered.stdout, /Evil/);
    for (const { stdout, stderr } of [failed, answered]) assert(!/[\u001b\u009b]/.test(stdout + stderr));
  });

  for (const [where, reply] of [
    ['in mid-stream', { text: 'Thought: slow words '.repeat(100), tokenMs: 30 }],
    ['while the endpoint says nothing', { unanswered: 'stall' }],
    [
      'while it waits for a retry',
      { status: 429, headers: { 'retry-after': '30' }, body: { error: { message: 'slow' } } },
    ],
  ] as const) {
    it(`ends with 130 and a run-end after Ctrl-C ${where}`, async () => {
      server.fallback = () => reply;
      const { child, ended } = start(['ask', 'q', ...model(), '--json', '--trace', join(folder, 'run.jsonl')]);
      let printed = '';
      child.stdout?.on('data', (data) => {
        printed += data;
      });
      await until(() => server.requests.length > 0 && (where !== 'in mid-stream' || printed.includes('"delta"')));
      await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill('SIGINT');
      const { code, stdout } = await ended;
      assert.equal(code, 130);
      assert.deepEqual(outcomeOf(traceOf('run.jsonl')), ['cancelled']);
      assert.deepEqual(outcomeOf(parseTrace(stdout).events), ['cancelled']);
    });
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`ends with 130 after ${signal} in mid-tool, though the wiki never answers`, async () => {
      server.fallback = () => 'Thought: look\nAction: Search[Ada Lovelace]';
      const hang = await hangingServer();
      const { child, ended } = start([
        ...['ask', 'q', '--base-url', server.baseUrl, '--model', 'm', '--wiki', hang.url],
        ...['--trace', join(folder, 'run.jsonl')],
      ]);
      await until(() => hang.connections() > 0);
      await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill(signal);
      const { code } = await ended;
      assert.equal(code, 130);
      const events = traceOf('run.jsonl');
      assert.deepEqual(outcomeOf(events), ['cancelled']);
      await hang.close();
    });
  }

  it('stops at once when its reader goes away, ends its trace, and calls that no error', async () => {
    server.fallback = () => ({ text: 'Thought: slow words '.repeat(300), tokenMs: 10 });
    const { child, ended } = start(['ask', 'q', ...model(), '--json', '--trace', join(folder, 'run.jsonl')]);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.stdout?.destroy();
    const { code, stderr } = await ended;
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.deepEqual(outcomeOf(traceOf('run.jsonl')), ['cancelled']);
    await server.settled();
  });

  it('ends in time where the endpoint stalls', async () => {
    server.fallback = () => ({ unanswered: 'stall' });
    const { code, stdout } = await run(['ask', 'q', ...model(), '--seconds', '0.3', '--json']);
    const events = parseTrace(stdout).events;
    const said = ofType(events, 'notice').filter(({ kind }) => kind === 'limit');
    assert.match(said.map(({ text }) => text).join(' '), /time limit \(0\.3 s\).*not begun to answer within 0\.3 s/);
    assert.equal(code, 2);
    assert.ok(server.requests.filter(({ method }) => method === 'POST').length <= 1, 'no second call waits in vain');
  });

  it('answers though the trace can’t be written, and says so once', async () => {
    server.fallback = () => 'Action: Finish[yes]';
    const { code, stdout, stderr } = await run(['ask', 'q', ...model(), '--trace', folder]);
    assert.equal(code, 0);
    assert.match(stdout, /Answer: yes/);
    assert.match(stderr, /^The trace could not be written to [^\n]+\n$/);
  });

  it('answers though the trace should go where no folder can be made', async function () {
    if (!existsSync('/proc/self')) this.skip();
    server.fallback = () => 'Action: Finish[yes]';
    const { code, stderr } = await run(['ask', 'q', ...model(), '--trace', '/proc/foo/deep/run.jsonl']);
    assert.equal(code, 0);
    assert.match(stderr, /^The trace could not be written to \/proc\/foo\/deep\/run\.jsonl: [^\n]+\n$/);
  });

  it('takes a question of 100,000 characters', async () => {
    server.fallback = () => 'Action: Finish[yes]';
    const { code } = await run(['ask', 'why '.repeat(25_000), ...model()]);
    assert.equal(code, 0);
  });
});
