import type { Llm } from '../agent/llm';
import { learnContextWindow } from './contextWindow';
import type { EndpointAccess } from './models';

/** What this process has asked servers already, by endpoint and model. */
const asked = new Map<string, Promise<number | undefined>>();

/**
 * The same model, which learns its context window from its server beside the first request: nothing waits for it, and one
 * that an error or the user names comes first.
 */
export function withLearntWindow(llm: Llm, access: EndpointAccess): Llm {
  const key = JSON.stringify([access.baseUrl, llm.model]);
  let learning = asked.get(key);
  if (!learning) {
    learning = learnContextWindow(access, llm.model, new AbortController().signal).catch(() => undefined);
    asked.set(key, learning);
  }
  let learnt: number | undefined;
  void learning.then((window) => {
    learnt = window;
  });
  return {
    provider: llm.provider,
    model: llm.model,
    get contextWindow() {
      return llm.contextWindow ?? learnt;
    },
    stream: (messages, options, signal) => llm.stream(messages, options, signal),
  };
}
