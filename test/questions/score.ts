import type { Language, RunEnd } from '../../src/agent/event';

export type QuestionKind = 'one-hop' | 'arithmetic' | 'two-hop' | 'comparison' | 'unanswerable';

/** One line of questions.json. */
export interface Question {
  id: string;
  language: Language;
  question: string;
  kind: QuestionKind;
  /** Any of these in the answer makes it right. Empty exactly where nothing can be answered. */
  accept: string[];
  /** Any of these makes it wrong; in a comparison, the other candidates. */
  reject?: string[];
  note?: string;
}

export type Verdict = 'right' | 'wrong' | 'not-found';

/** How a run ended, as its `run-end` event says it. */
export type Ending = Pick<RunEnd, 'outcome' | 'answer' | 'found'>;

/** Longer than this is a page copied out, not an answer. In UTF-16 units. */
const LONGEST_ANSWER = 500;

/** Text as it is compared: one width, one case, no thousands separators, no spaces next to Chinese characters. */
function normalise(text: string): string {
  return text
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '') // before NFKC turns the Chinese comma between two clauses into this one
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '')
    .trim();
}

/** Where a phrase stands in a text as whole words and whole numbers ("84" is not in "1984" or "84.5"), or -1. */
function position(text: string, phrase: string): number {
  const wanted = normalise(phrase);
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const before = /^[\p{Script=Latin}\d]/u.test(wanted) ? '(?<![\\p{Script=Latin}\\d]|\\d[.])' : '';
  const after = /[\p{Script=Latin}\d]$/u.test(wanted) ? '(?![\\p{Script=Latin}\\d]|[.]\\d)' : '';
  return normalise(text).search(new RegExp(before + escaped + after, 'u'));
}

const firstOf = (text: string, phrases: readonly string[]): number =>
  Math.min(...phrases.map((phrase) => position(text, phrase)).map((at) => (at < 0 ? Number.POSITIVE_INFINITY : at)));

/** The part of a comparison that draws the conclusion: what follows the last "so", or all of it. */
const conclusion = (answer: string): string =>
  answer.split(/\b(?:so|therefore|thus|hence)\b|所以|因此|因而/i).at(-1) ?? '';

/**
 * Judges how a run ended. Where nothing can be answered, saying so is right. In a comparison the candidate that the conclusion
 * names first is taken as the answer.
 */
export function score(question: Question, ending: Ending): Verdict {
  const unanswerable = question.kind === 'unanswerable';
  const saysNotFound = ending.outcome === 'answered' && ending.found === false;
  if (saysNotFound) return unanswerable ? 'right' : 'not-found';
  const answer = ending.answer?.trim() ?? '';
  const claims = answer !== '' && (ending.outcome === 'answered' || ending.outcome === 'limit');
  if (!claims) return 'not-found';
  if (unanswerable || answer.length > LONGEST_ANSWER) return 'wrong';

  const comparison = question.kind === 'comparison';
  const text = comparison ? conclusion(answer) : answer;
  const accepted = firstOf(text, question.accept);
  const rejected = firstOf(text, question.reject ?? []);
  if (accepted === Number.POSITIVE_INFINITY) return 'wrong';
  if (comparison) return accepted < rejected ? 'right' : 'wrong';
  return rejected === Number.POSITIVE_INFINITY ? 'right' : 'wrong';
}

export interface Row {
  question: Question;
  verdict: Verdict;
}

export interface Summary {
  /** How many questions of each kind got each verdict. */
  kinds: Record<QuestionKind, Record<Verdict, number>>;
  /** Shares from 0 to 1; NaN where there was no such question. */
  basicRight: number;
  unanswerableRight: number;
  wrong: number;
}

/** Counts verdicts. `basicRight` is over one-hop and arithmetic questions, `wrong` over all. */
export function summary(rows: readonly Row[]): Summary {
  const count = (kind: QuestionKind): Record<Verdict, number> => {
    const counts = { right: 0, wrong: 0, 'not-found': 0 };
    for (const row of rows) if (row.question.kind === kind) counts[row.verdict]++;
    return counts;
  };
  const share = (of: readonly Row[], verdict: Verdict): number =>
    of.filter((row) => row.verdict === verdict).length / of.length;
  const ofKinds = (...kinds: QuestionKind[]): Row[] => rows.filter((row) => kinds.includes(row.question.kind));
  return {
    kinds: {
      'one-hop': count('one-hop'),
      arithmetic: count('arithmetic'),
      'two-hop': count('two-hop'),
      comparison: count('comparison'),
      unanswerable: count('unanswerable'),
    },
    basicRight: share(ofKinds('one-hop', 'arithmetic'), 'right'),
    unanswerableRight: share(ofKinds('unanswerable'), 'right'),
    wrong: share(rows, 'wrong'),
  };
}
