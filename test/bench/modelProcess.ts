/** A model server in a process of its own, so that its work is not measured with ours. Started by `startModelProcess`. */
import { fork } from 'node:child_process';
import { basename, extname, join } from 'node:path';
import { type ModelReplySpec, startModelServer, tokensOf } from '../support/modelServer';
import { replyText } from './steps';

/** This file's name: as a process of its own it serves, in a bundle it starts that process. */
const SELF = 'modelProcess';

export interface Scenario {
  /** Steps until the answer; the last one is Finish. */
  steps: number;
  firstTokenMs?: number;
  tokenMs?: number;
  /** Tokens of made-up observation after each action. */
  ramble?: number;
  honoursStop?: boolean;
  connectionMs?: number;
}

export interface ModelProcess {
  baseUrl: string;
  /** What was seen since the last call: connections opened, text tokens sent, bytes of request bodies, requests. */
  counts(): Promise<{ connections: number; tokens: number; bytes: number; requests: number }>;
  stop(): void;
}

/** Tokens until the action of a step is complete. */
export const tokensUntilAction = (step: number, steps: number): number => tokensOf(replyText(step, steps)).length;

function reply(step: number, scenario: Scenario): ModelReplySpec {
  const { steps, ramble = 0, firstTokenMs, tokenMs, honoursStop } = scenario;
  const more = ramble > 0 ? `\nObservation ${step}: ${'so it goes '.repeat(ramble / 3)}` : '';
  return {
    text: replyText(step, steps) + more,
    ...(firstTokenMs ? { firstTokenMs } : {}),
    ...(tokenMs ? { tokenMs } : {}),
    ...(honoursStop === undefined ? {} : { honoursStop }),
  };
}

/** Starts this file again as a server. */
export async function startModelProcess(scenario: Scenario): Promise<ModelProcess> {
  const ending = extname(__filename);
  const options = ending === '.ts' ? { execArgv: ['--require', 'tsx/cjs'] } : {};
  const child = fork(join(__dirname, SELF + ending), [JSON.stringify(scenario)], options);
  const answer = <Result>() =>
    new Promise<Result>((resolve) => child.once('message', (message) => resolve(message as Result)));
  const baseUrl = await answer<string>();
  return {
    baseUrl,
    counts() {
      const counted = answer<Awaited<ReturnType<ModelProcess['counts']>>>();
      child.send('counts');
      return counted;
    },
    stop: () => child.disconnect(),
  };
}

/** Names the model of requests that only warm the server up. */
const WARM = 'warm';

async function serve(scenario: Scenario): Promise<void> {
  const server = await startModelServer(
    ({ body }) =>
      body.model === WARM
        ? replyText(1, 2)
        : reply(body.messages.filter((message: { role: string }) => message.role === 'assistant').length + 1, scenario),
    scenario.connectionMs === undefined ? {} : { connectionMs: scenario.connectionMs },
  );
  // Its own code is compiled before anything is measured.
  for (let round = 0; round < 30; round++) {
    const body = JSON.stringify({ model: WARM, messages: [], stream: true });
    const response = await fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      body,
      headers: { connection: 'close' },
    });
    await response.text();
  }
  server.requests.length = 0;
  let before = { connections: server.connections, tokens: server.tokensSent };
  process.on('message', async () => {
    // Long enough for the last connection to be seen closing.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = { connections: server.connections, tokens: server.tokensSent };
    const requests = server.requests.splice(0);
    const bytes = requests.reduce((sum, { body }) => sum + Buffer.byteLength(JSON.stringify(body.messages)), 0);
    process.send?.({
      connections: now.connections - before.connections,
      tokens: now.tokens - before.tokens,
      bytes,
      requests: requests.length,
    });
    before = now;
  });
  process.on('disconnect', () => process.exit());
  process.send?.(server.baseUrl);
}

if (basename(require.main?.filename ?? '').startsWith(SELF)) void serve(JSON.parse(process.argv[2] ?? '{}'));
