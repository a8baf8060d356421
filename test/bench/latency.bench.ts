/**
 * How long a question takes when the model is slow, against the least possible: five steps, first token after 200 ms, then
 * 50 tokens a second, tools of 300 ms, and a model that rambles on for 60 tokens after its action. Counted are also the
 * tokens that the server wrote in vain, and the connections.
 */
import assert from 'node:assert/strict';
import { runAgent } from '../../src/agent/agent';
import { makeToolbox, type Tool } from '../../src/agent/tool';
import { createOpenai } from '../../src/llm/openai';
import { type ModelProcess, type Scenario, startModelProcess, tokensUntilAction } from './modelProcess';
import { observe } from './steps';

const STEPS = 5;
const TOOL_MS = 300;
const BASE = { steps: STEPS, firstTokenMs: 200, tokenMs: 20, ramble: 60 };
const TOKENS = Array.from({ length: STEPS }, (_, index) => tokensUntilAction(index + 1, STEPS));
/** The token that completes an action is the last one waited for. */
const LEAST_MS = TOKENS.reduce((sum, count) => sum + 200 + (count - 1) * 20, 0) + (STEPS - 1) * TOOL_MS;
const NEEDED = TOKENS.reduce((sum, count) => sum + count, 0);

const SCENARIOS: { name: string; scenario: Scenario; inVain: number; connections?: number }[] = [
  { name: 'stop honoured', scenario: BASE, inVain: 2, connections: 1 },
  { name: 'stop honoured, 60 ms a connection', scenario: { ...BASE, connectionMs: 60 }, inVain: 2, connections: 1 },
  { name: 'stop ignored', scenario: { ...BASE, honoursStop: false }, inVain: 3 },
  { name: 'stop ignored, 60 ms a connection', scenario: { ...BASE, honoursStop: false, connectionMs: 60 }, inVain: 3 },
];
const BOUND = 1.01;
const ROUNDS = 3;

const search: Tool = {
  name: 'Search',
  argument: 'entity',
  description: { en: 'Finds a page.', 'zh-CN': '查找页面。' },
  example: { en: 'Ada Lovelace', 'zh-CN': '埃达' },
  run: async (input) => {
    await new Promise((resolve) => setTimeout(resolve, TOOL_MS));
    return { text: observe(input) };
  },
};

/** Wall time in ms until the run has ended. */
async function ask(server: ModelProcess): Promise<number> {
  const input = {
    question: 'Who designed the Analytical Engine?',
    llm: createOpenai({ baseUrl: server.baseUrl, model: 'm' }),
    toolbox: makeToolbox([search]),
    limits: { steps: STEPS + 1, seconds: 60 },
    signal: new AbortController().signal,
  };
  const begun = performance.now();
  let outcome = '';
  for await (const event of runAgent(input)) if (event.type === 'run-end') outcome = event.outcome;
  assert.equal(outcome, 'answered');
  return performance.now() - begun;
}

async function main(): Promise<void> {
  // Code is compiled before it is measured.
  const warm = await startModelProcess({ steps: STEPS });
  for (let round = 0; round < 3; round++) await ask(warm);
  warm.stop();
  for (const { name, scenario, inVain, connections } of SCENARIOS) {
    const rounds: { ms: number; vain: number; opened: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // A new server each time, so that each round has its first connection to open.
      const server = await startModelProcess(scenario);
      try {
        const ms = await ask(server);
        const counted = await server.counts();
        rounds.push({ ms, vain: (counted.tokens - NEEDED) / STEPS, opened: counted.connections });
      } finally {
        server.stop();
      }
    }
    // A busy machine only ever adds: the best round is nearest to the truth.
    const { ms, vain, opened } = rounds.reduce((best, one) => (one.ms < best.ms ? one : best));
    const leastMs = LEAST_MS + (scenario.connectionMs ?? 0);
    const fine = ms <= leastMs * BOUND && vain <= inVain && (connections === undefined || opened <= connections);
    console.log(
      `${fine ? 'ok  ' : 'OVER'} ${name}: ${ms.toFixed(0)} ms, least ${leastMs} ms, ratio ${(ms / leastMs).toFixed(4)} (at most ${BOUND}); ` +
        `${vain.toFixed(1)} tokens in vain a step (at most ${inVain}); ${opened} connections`,
    );
    if (!fine) process.exitCode = 1;
  }
}

void main();
