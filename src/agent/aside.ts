import { Deadline, orAbort } from './deadline';
import type { Message, Usage } from './event';
import type { LlmOptions } from './llm';
import type { Run } from './run';

/** What a call beside the steps gave. */
export interface Aside {
  text: string;
  /** The call failed, ran into its time limit or was stopped; `text` is what came before. */
  failed: boolean;
  /** Goes into the notice that tells of the call; null when the endpoint did not say. */
  usage: Usage | null;
}

/** One model call beside the steps, whose words don't enter the conversation. Never throws; any of `signals` ends it. */
export async function askAside(
  run: Run,
  messages: readonly Message[],
  options: LlmOptions,
  signals: readonly AbortSignal[],
): Promise<Aside> {
  const deadline = new Deadline(signals, run.stepMs);
  let text = '';
  let failed = false;
  let usage: Usage | null = null;
  try {
    const iterator = run.input.llm.stream(messages, options, deadline.signal)[Symbol.asyncIterator]();
    for (;;) {
      const next = await orAbort(iterator.next(), deadline.signal);
      if (next.done) break;
      if (next.value.type === 'text') text += next.value.text;
      if (next.value.type === 'usage') usage = next.value.usage;
      if (next.value.type !== 'notice') continue;
      if (next.value.waitMs) run.allow(next.value.waitMs, deadline);
      if (next.value.discard) text = '';
    }
  } catch {
    failed = true;
    deadline.abort();
  } finally {
    deadline.dispose();
  }
  // What failed before its first word is not charged.
  return { text, failed, usage: failed && !text ? { prompt: 0, completion: 0 } : usage };
}
