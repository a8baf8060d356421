/**
 * What our loop costs beside the model and the tools: 50 steps without any delay, the trace written to disk, against the
 * smallest loop over the bare `openai` client. Both are run in turns, so that the machine's moods fall on both.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { runAgent } from '../../src/agent/agent';
import { manual, questionText } from '../../src/agent/prompt';
import { makeToolbox, type Tool } from '../../src/agent/tool';
import { createOpenai } from '../../src/llm/openai';
import { TraceFile } from '../../src/traces/traceFile';
import { bareLoop } from './bareLoop';
import { startModelProcess } from './modelProcess';
import { observe } from './steps';

const STEPS = 50;
const ROUNDS = 60;
const TIME_BOUND = 1.2;
const BYTES_BOUND = 1.1;
const QUESTION = 'Who designed the Analytical Engine?';

const search: Tool = {
  name: 'Search',
  argument: 'entity',
  description: { en: 'Finds a page.', 'zh-CN': '查找页面。' },
  example: { en: 'Ada Lovelace', 'zh-CN': '埃达' },
  run: async (input) => ({ text: observe(input) }),
};
const toolbox = makeToolbox([search]);

async function ours(baseUrl: string, folder: string, round: number): Promise<number> {
  const file = new TraceFile(join(folder, `${round}.react.jsonl`), 'w');
  const llm = createOpenai({ baseUrl, model: 'm', key: 'bench-key-0123456789' });
  const limits = { steps: STEPS + 1, seconds: 600 };
  const begun = performance.now();
  let outcome = '';
  for await (const event of runAgent({
    question: QUESTION,
    llm,
    toolbox,
    limits,
    signal: new AbortController().signal,
  })) {
    if (event.type !== 'delta') file.append(event);
    if (event.type === 'run-end') outcome = `${event.outcome} ${event.answer}`;
  }
  const ms = performance.now() - begun;
  file.close();
  assert.equal(outcome, 'answered Charles Babbage');
  return ms / STEPS;
}

async function floor(baseUrl: string): Promise<number> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'bench-key-0123456789', maxRetries: 0 });
  const prompt = manual({ language: 'en', protocol: 'text', toolbox });
  const begun = performance.now();
  const answer = await bareLoop(client, prompt, questionText(QUESTION, 'en'), async (input) => observe(input), STEPS);
  assert.equal(answer, 'Charles Babbage');
  return (performance.now() - begun) / STEPS;
}

/** The lower quartile: a busy machine only ever adds. */
const typical = (values: number[]) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 4)]!;

async function main(): Promise<void> {
  const server = await startModelProcess({ steps: STEPS });
  const folder = mkdtempSync(join(tmpdir(), 'react-agent-bench-'));
  const own: number[] = [];
  const bare: number[] = [];
  const bytes = { own: 0, bare: 0 };
  try {
    for (let round = -10; round < ROUNDS; round++) {
      await server.counts();
      const one = await ours(server.baseUrl, folder, round);
      bytes.own = (await server.counts()).bytes;
      const other = await floor(server.baseUrl);
      bytes.bare = (await server.counts()).bytes;
      // The first rounds warm both up.
      if (round < 0) continue;
      own.push(one);
      bare.push(other);
    }
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
  const time = typical(own) / typical(bare);
  const size = bytes.own / bytes.bare;
  console.log(`per step: ours ${typical(own).toFixed(2)} ms, bare client ${typical(bare).toFixed(2)} ms`);
  console.log(`time ratio ${time.toFixed(2)} (at most ${TIME_BOUND})`);
  console.log(`prompt bytes ratio ${size.toFixed(3)} (at most ${BYTES_BOUND})`);
  if (time > TIME_BOUND || size > BYTES_BOUND) process.exitCode = 1;
}

void main();
