import { type Attempt, pageOpenedBy } from './loopHistory';
import type { LoopPattern } from './loopWords';
import { contentTokensOf, dice, remembered, textSimilarity, tokensOf, wordSimilarity } from './similarity';

/**
 * When the guard speaks and when it ends a run. Each count can be reached within the default limit of 8 steps.
 * “Logs” are public run logs of ReAct agents on HotpotQA and FEVER: 34 runs that ended right, 13 that were cut at their limit.
 */
export const THRESHOLDS = {
  /** An exact repeat is never run again. Logs: 0 of 12 runs with an adjacent repeat ended right. */
  repeatBlocked: 1,
  /** Nothing else ran since the repeat was answered: the model ignores the answer. Logs: identical actions then go on to the limit. */
  repeatsAdjacent: 2,
  /** Other actions ran in between. Logs: the one right run with a repeat had a non-adjacent one; none had three. */
  repeatsInAll: 3,
  /** Blocked actions in a row, whichever: an A-B-C cycle ends at its sixth step. */
  blockedInRow: 3,
  /** Actions in a row that found nothing. Logs: three in 0 of 34 right runs and in 10 of 13 cut ones; two occur in right runs. */
  misses: { hint: 3, stop: 5 },
  /** Queries of one tool that each hold the one before, and miss. A special case of `misses` with better advice. */
  growing: { hint: 3 },
  /** Nearly equal inputs with nearly equal results. Three of the same tool alone is no sign: it occurs in 7 of 34 right runs. */
  variation: { hint: 3, stop: 5 },
  /** Steps of a circle (2 to 4 actions) that came round again with nothing new: 2 is A-B-A-B, 4 is A-B-A-B-A-B. */
  cycle: { hint: 2, stop: 4 },
  /** Steps with nearly the same thought and nothing new observed. */
  thought: { hint: 3, stop: 5 },
  /** The question itself, in different wordings. A first one is usual (a search finds pages by full text). */
  recursion: { hint: 2, block: 3, stop: 4 },
  /** Errors of one tool that neither opens nor reads pages, with no success of it in between. */
  errors: { syntax: 2, withdrawn: 3, stop: 5 },
  /** Nearly equal replies without an action, also with actions in between. */
  monologue: 3,
  /** Replies in a row without a usable action: two corrections are worth their cost, a third never helped in reported cases. */
  unreadable: 3,
  /** Similarities, 0 to 1. “ls -l a” and “ls -l b” are 0.8 alike, “Bon Jovi” and “Bon Iver” 0.4. */
  alike: { argument: 0.75, result: 0.8, thought: 0.85, question: 0.75 },
} as const;

export interface Finding {
  pattern: LoopPattern;
  count: number;
  stop: boolean;
}

/** A question or result of fewer tokens says too little to be compared. */
const COMPARABLE_TOKENS = 4;

function alikeArguments(left: Attempt, right: Attempt): boolean {
  return left.name === right.name && textSimilarity(left.argument, right.argument) >= THRESHOLDS.alike.argument;
}

/**
 * Two results that tell the same: both found nothing, or nearly the same words and no other number. A bare value (a number,
 * yes) tells nothing, and a lookup that moved on to its next hit has told something new.
 */
function alikeResults(left: Attempt, right: Attempt): boolean {
  if (left.ok !== right.ok) return false;
  if (!left.ok) return true;
  const tokens = tokensOf(right.text);
  if (left.text === right.text) return tokens.length > 1;
  if (left.key === right.key && right.tool?.advances) return false;
  const known = new Set([...tokensOf(left.text), ...tokensOf(right.argument)]);
  return (
    tokens.length >= COMPARABLE_TOKENS &&
    tokens.every((token) => known.has(token) || !/\d/.test(token)) &&
    wordSimilarity(left.text, right.text) >= THRESHOLDS.alike.result
  );
}

/** True when `attempt` brought nothing that was not observed before. */
function nothingNew(attempt: Attempt, before: readonly Attempt[]): boolean {
  return !attempt.ok || before.some((earlier) => alikeResults(earlier, attempt));
}

/** Length of the run of items at the end that `holds` for; `holds` sees each item and those before it. */
function trailing(
  attempts: readonly Attempt[],
  holds: (attempt: Attempt, before: readonly Attempt[]) => boolean,
): number {
  let count = 0;
  for (let index = attempts.length - 1; index >= 0; index--) {
    if (!holds(attempts[index]!, attempts.slice(0, index))) break;
    count++;
  }
  return count;
}

const contentOf = remembered((text): ReadonlySet<string> => new Set(contentTokensOf(text)));

/** True when an input is the question or a rewording of it; a short question (“Who is Ada Lovelace?”) has no rewording. */
export function isRephrasing(argument: string, question: string): boolean {
  const asked = contentOf(question);
  return asked.size >= COMPARABLE_TOKENS && dice(asked, contentOf(argument)) >= THRESHOLDS.alike.question;
}

/** How many different wordings of the question were handed to tools. */
export function rephrasings(attempts: readonly Attempt[], question: string): number {
  return new Set(attempts.filter(({ argument }) => isRephrasing(argument, question)).map(({ key }) => key)).size;
}

/** Errors of a tool since its last success. A page tool's misses are no errors: its input was well formed. */
export function errorsOf(attempts: readonly Attempt[], name: string): number {
  const own = attempts.filter((attempt) => attempt.name === name && attempt.state !== 'refused');
  const tool = own.at(-1)?.tool;
  return tool && !tool.opensPage && !tool.advances ? trailing(own, ({ ok }) => !ok) : 0;
}

/** Steps that repeat, almost, the step one period before; the longest such circle of 2 to 4 different actions. */
export function cycleLength(attempts: readonly Attempt[]): number {
  let longest = 0;
  for (let period = 2; period <= 4; period++) {
    const repeated = trailing(attempts, (attempt, before) => {
      const earlier = before.at(-period);
      return !!earlier && alikeArguments(earlier, attempt) && alikeResults(earlier, attempt);
    });
    const last = attempts.slice(-period);
    const varied = last.some((attempt) => !alikeArguments(attempt, last[0]!));
    if (varied) longest = Math.max(longest, repeated);
  }
  return longest;
}

/** Almost equal inputs of one tool with almost equal results, or the same page opened again under other names; the last included. */
function variations(ran: readonly Attempt[]): number {
  const repeated = trailing(ran, (attempt, before) => {
    const earlier = before.at(-1);
    if (!earlier) return false;
    const page = pageOpenedBy(attempt);
    const samePage = page !== undefined && page === pageOpenedBy(earlier);
    return (samePage || alikeArguments(earlier, attempt)) && alikeResults(earlier, attempt);
  });
  return repeated && repeated + 1;
}

/** Queries of one tool that missed, each of which holds the words of the one before and more; the last included. */
function growing(ran: readonly Attempt[]): number {
  const grown = trailing(ran, (attempt, before) => {
    const earlier = before.at(-1);
    if (!earlier || earlier.ok || attempt.ok || earlier.name !== attempt.name) return false;
    const [short, long] = [new Set(tokensOf(earlier.argument)), new Set(tokensOf(attempt.argument))];
    return long.size > short.size && [...short].every((token) => long.has(token));
  });
  return grown && grown + 1;
}

/** Steps at the end with almost the same thought and nothing new; the last included. */
function sameThoughts(ran: readonly Attempt[]): number {
  const last = ran.at(-1)?.thought ?? '';
  if (!last) return 0;
  const alike = trailing(ran, ({ thought }) => wordSimilarity(thought, last) >= THRESHOLDS.alike.thought);
  // Comparing a result with all earlier ones is dear: only where the thoughts alone give cause.
  if (alike < THRESHOLDS.thought.hint) return 0;
  const first = ran.length - alike;
  return trailing(
    ran.slice(first),
    (attempt, before) => first + before.length === 0 || nothingNew(attempt, ran.slice(0, first + before.length)),
  );
}

/** What is wrong after the last attempt, the most telling pattern first; at most one that ends the run comes before all others. */
export function findPatterns(attempts: readonly Attempt[], question: string): Finding[] {
  const last = attempts.at(-1);
  if (!last) return [];
  const ran = attempts.filter(({ state }) => state === 'ran');
  const findings: Finding[] = [];
  const add = (pattern: LoopPattern, count: number, { hint, stop }: { hint: number; stop?: number }) => {
    if (count >= hint) findings.push({ pattern, count, stop: stop !== undefined && count >= stop });
  };
  const errors = errorsOf(attempts, last.name);
  const { syntax, withdrawn } = THRESHOLDS.errors;
  add(errors >= withdrawn ? 'withdrawn' : 'syntax', errors, { hint: syntax });
  add('growing', growing(ran), THRESHOLDS.growing);
  if (isRephrasing(last.argument, question))
    add('recursion', rephrasings(attempts, question), { hint: THRESHOLDS.recursion.hint });
  add('cycle', cycleLength(attempts), THRESHOLDS.cycle);
  add('variation', variations(ran), THRESHOLDS.variation);
  add('thought', sameThoughts(ran), THRESHOLDS.thought);
  add(
    'misses',
    trailing(ran, ({ ok }) => !ok),
    THRESHOLDS.misses,
  );
  return findings.sort((left, right) => Number(right.stop) - Number(left.stop));
}
