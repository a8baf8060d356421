import type { Usage } from './event';
import { estimateTokens } from './tokens';
import type { Step } from './trace';

/**
 * What the next model call is likely to use: the prompt of the last one, what was added since, and a reply of the usual
 * length. Undefined where the last call's tokens are not known.
 */
export function estimateNext(steps: readonly Step[]): Usage | undefined {
  const told = steps.flatMap(({ reply }) => reply?.usage ?? []);
  const last = steps.findLast(({ reply }) => reply);
  const usage = last?.reply?.usage;
  if (!usage) return undefined;
  const visible = usage.completion - (usage.reasoning ?? 0);
  const completion = told.reduce((sum, { completion }) => sum + completion, 0) / told.length;
  return {
    prompt: usage.prompt + visible + estimateTokens(last.observation?.text ?? ''),
    completion: Math.round(completion),
  };
}
