import { ContextOverflow, type Llm } from '../agent/llm';
import type { EndpointAccess } from './access';
import { learnContextWindow } from './contextWindow';

/** Windows that servers told this process, by endpoint, model and a digest of the key. */
const told = new Map<string, number>();

/**
 * The same model, which learns its context window from its server, beside the rest of the first reply: nothing waits for it,
 * and one that an error or the user names comes first. What was entered has been checked by then, and a local server has
 * loaded the model, before which some don't know. A window that is not told is asked for again by the next run.
 */
export function withLearntWindow(llm: Llm, access: EndpointAccess): Llm {
  const identity = JSON.stringify([access.baseUrl, llm.model, digest(access.key ?? '')]);
  let asked = told.has(identity);
  const ask = () => {
    asked = true;
    const learning = learnContextWindow(access, llm.model, new AbortController().signal);
    void learning.then((window) => window !== undefined && told.set(identity, window));
  };
  async function* watched(...request: Parameters<Llm['stream']>): ReturnType<Llm['stream']> {
    try {
      for await (const chunk of llm.stream(...request)) {
        if (chunk.type === 'accepted' && !asked) ask();
        yield chunk;
      }
    } catch (error) {
      if (error instanceof ContextOverflow && !asked) ask();
      throw error;
    }
  }
  return {
    provider: llm.provider,
    model: llm.model,
    get contextWindow() {
      return llm.contextWindow ?? told.get(identity);
    },
    get reasons() {
      return llm.reasons;
    },
    stream: (...request) => (asked ? llm.stream(...request) : watched(...request)),
  };
}

/** Tells keys apart without holding any of them. */
function digest(key: string): number {
  let sum = 0;
  for (const character of key) sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return sum;
}
