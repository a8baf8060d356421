import { runAgent } from '../../src/agent/agent';
import type { AgentEvent, RunEnd, TraceEvent } from '../../src/agent/event';
import type { AgentInput } from '../../src/agent/input';
import { makeToolbox, type Tool } from '../../src/agent/tool';
import { createScripted, type Script } from '../../src/llm/scripted';
import { assertTrace } from './traceSchema';

/** A tool of a few lines, for stories about the loop. */
export function toolOf(
  name: string,
  run: (input: string, signal: AbortSignal) => Promise<string> | string,
  more: Partial<Tool> = {},
): Tool {
  return {
    name,
    argument: 'input',
    description: { en: 'for a story', 'zh-CN': '用于测试' },
    example: { en: 'an example', 'zh-CN': '例子' },
    run: async (input, _, signal) => ({ text: await run(input, signal) }),
    ...more,
  };
}

export interface Story {
  events: AgentEvent[];
  /** Without deltas: what the file would hold. */
  stored: TraceEvent[];
  end: RunEnd;
}

/** Runs the real loop over a scripted model to its end. */
export async function tell(script: Script, input: Partial<AgentInput> & { tools?: Tool[] } = {}): Promise<Story> {
  const { tools = [], ...rest } = input;
  const events: AgentEvent[] = [];
  for await (const event of runAgent({
    question: 'What is it?',
    llm: createScripted(script),
    toolbox: makeToolbox(tools),
    limits: {},
    signal: new AbortController().signal,
    ...rest,
  })) {
    events.push(event);
  }
  const stored = events.filter((event) => event.type !== 'delta');
  assertTrace(stored);
  const ends = stored.filter((event) => event.type === 'run-end');
  if (ends.length !== 1 || stored.at(-1)?.type !== 'run-end')
    throw new Error(`run-end: ${ends.length} times, or not last`);
  return { events, stored, end: ends[0] as RunEnd };
}

export const ofType = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

/** A native call of a function. */
export const callOf = (id: string, name: string, args: object | string) => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});
