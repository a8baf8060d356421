import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../../src/agent/event';
import type { VsCodeWindow } from './window';

const POLL_MS = 100;

/** The title of a command in a display language, as the palette shows it. */
export function commandTitle(command: string, displayLanguage: 'en' | 'zh-cn' = 'en'): string {
  const read = (name: string) => JSON.parse(readFileSync(resolve(__dirname, '../../..', name), 'utf8'));
  const contributed: { command: string; title: string }[] = read('package.json').contributes.commands;
  const title = contributed.find((entry) => entry.command === command)?.title;
  if (title === undefined) throw new Error(`the manifest has no command ${command}`);
  const texts = read(displayLanguage === 'en' ? 'package.nls.json' : 'package.nls.zh-cn.json');
  return title.replace(/^%(.+)%$/, (_whole, key: string) => texts[key] ?? title);
}

/** Asks as a person does: the command in the palette, then the question in the input box. */
export async function askByCommand(
  window: VsCodeWindow,
  question: string,
  displayLanguage: 'en' | 'zh-cn' = 'en',
): Promise<void> {
  await window.runCommand(commandTitle('reactAgent.askQuestion', displayLanguage));
  await window.answerInputBox(question);
}

/** The trace files of this window's user. */
export function traceFiles(window: VsCodeWindow): string[] {
  const folder = join(window.globalStorageDir, 'react-agent.react-agent');
  if (!existsSync(folder)) return [];
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.react.jsonl'));
  const paths = names.map((name) => join(folder, name));
  return paths.sort((first, second) => statSync(first).mtimeMs - statSync(second).mtimeMs);
}

/** The whole events in a trace file; a torn last line is left out. */
export function readEvents(path: string): AgentEvent[] {
  const text = readFileSync(path, 'utf8');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

/**
 * The events of the next run, as they reach its trace file, ending with its `run-end`. Call it before asking: files that
 * are there already are not the next run's. Throws when no event comes for `patienceMs`.
 */
export function nextRun(window: VsCodeWindow, patienceMs = 60_000): AsyncGenerator<AgentEvent, void> {
  const known = new Set(traceFiles(window));
  return follow(window, known, patienceMs);
}

async function* follow(
  window: VsCodeWindow,
  known: ReadonlySet<string>,
  patienceMs: number,
): AsyncGenerator<AgentEvent, void> {
  let given = 0;
  for (let deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(POLL_MS)) {
    const path = traceFiles(window).find((candidate) => !known.has(candidate));
    const events = path ? readEvents(path).slice(given) : [];
    for (const event of events) {
      given++;
      yield event;
      if (event.type === 'run-end') return;
    }
    if (events.length > 0) deadline = Date.now() + patienceMs;
  }
  const what = given === 0 ? 'the question started no run' : 'the run came to a standstill';
  throw new Error(`${what}: nothing was written for ${patienceMs / 1000} s`);
}
