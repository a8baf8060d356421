import type { DocumentReference, Language, Source, Support } from './event';
import { type Reasoned, reasonedOf } from './evidenceBrackets';
import { clausesOf, plainAnswer, type ShortAnswer, sentencesOf, shortAnswer, withoutPolarity } from './evidenceClaims';
import { bareText, gather, type Library, mayMatter, type Observed } from './evidenceLibrary';
import { coverage, type Match, matchClaim, namesHold, sameToken } from './evidenceMatch';
import { quantitiesHold } from './evidenceNumbers';
import { isOnlySum, resultOf, sumsOf } from './evidenceSums';
import { type Reading, read, unitsOf } from './evidenceText';
import type { Step, Trace } from './trace';

const WORDS: Record<Language, { nothing: string; missed: string; unsupported: string }> = {
  en: {
    nothing: 'Nothing was observed: the answer comes from the model’s memory.',
    missed: 'Every action missed or failed: the answer comes from the model’s memory.',
    unsupported: 'No observed sentence says what the answer says.',
  },
  'zh-CN': {
    nothing: '没有观察到任何内容：答案来自模型的记忆。',
    missed: '所有行动都没有找到内容或已失败：答案来自模型的记忆。',
    unsupported: '没有观察到与答案一致的句子。',
  },
};

/** Sentences compared with a claim in full, of those that share most of its words. */
const CANDIDATES = 12;
/** Tokens of a claim times tokens of a sentence that are compared: what is longer is no sentence (code, a table in one line). */
const MOST_COMPARED = 40_000;
/** Share of a question's words that the sentence of a short answer must hold. */
const QUESTION_COVERAGE = 0.5;

/**
 * Finds for each claim of an answer the observed sentence that says it, and lists the pages as sources: those that support a
 * claim first. Pure. `notice` says so when the answer has nothing to stand on.
 */
export function checkAnswer(
  answer: string,
  trace: Trace,
  language: Language,
): { support: Support[]; sources: Source[]; notice?: string } {
  const acted = trace.steps.filter(({ observation, action }) => action && observation && !observation.blocked);
  const useful = acted.filter(({ observation }) => observation!.ok && observation!.text.trim());
  const question = trace.start?.question ?? '';
  const library = gather(useful, question, mayMatter(answer, question));
  const titles = useful.flatMap(({ observation }) => observation!.document?.title ?? []);
  const found = claimsOf(plainAnswer(answer, titles), question, library);
  const support = found.map(
    ({ claim, status, observed }): Support => ({
      claim,
      status,
      ...(observed ? { step: observed.step } : {}),
      ...(observed?.sentence === undefined ? {} : { sentence: observed.sentence }),
    }),
  );
  const sources = sourcesOf(
    useful,
    found.flatMap(({ observed, further = [] }) => [observed, ...further].flatMap((each) => each?.document ?? [])),
  );
  const words = WORDS[language];
  const notice =
    useful.length === 0
      ? acted.length === 0
        ? words.nothing
        : words.missed
      : support.length > 0 && support.every(({ status }) => status === 'none')
        ? words.unsupported
        : undefined;
  return { support, sources, ...(notice && answer.trim() ? { notice } : {}) };
}

/** The documents that support claims in the claims' order, then the others as they were opened; one entry for a page. */
function sourcesOf(steps: readonly Step[], supporting: readonly DocumentReference[]): Source[] {
  const sources = new Map<string, Source>();
  const page = (url: string) => url.replace(/#.*$/, '');
  const opened = steps.flatMap(({ observation }) => observation!.document ?? []);
  for (const { title, url } of [...supporting, ...opened]) {
    if (!sources.has(page(url))) sources.set(page(url), { title, url, steps: [] });
  }
  for (const { step, observation } of steps) {
    if (observation!.document) sources.get(page(observation!.document.url))!.steps.push(step);
  }
  return [...sources.values()];
}

interface Finding {
  claim: string;
  status: Support['status'];
  /** True when a sentence speaks against it: its clauses are then not looked at one by one. */
  against?: boolean;
  observed?: Observed;
  /** What else it stands on, where it gives several reasons. */
  further?: Observed[];
}

function claimsOf(text: string, question: string, library: Library): Finding[] {
  const sentences = sentencesOf(text);
  const copied = sentences.length === 1 ? copyOf(sentences[0]!, library) : undefined;
  if (copied) return [copied];
  const reasoned = sentences.length === 1 ? withReasons(sentences[0]!, question, library) : undefined;
  if (reasoned) return [reasoned];
  const short = sentences.length === 1 ? shortAnswer(question, sentences[0]!) : undefined;
  if (short && sumsHold(sentences[0]!, library)) {
    const found = best(short.statement, library, (claim, observed) => matchShort(short, claim, observed, library));
    // An answer that is a sentence of its own may stand in a source as it is, whatever was asked.
    const own = short.whole && found.status !== 'verbatim' ? bestOf(sentences[0]!, library) : found;
    if (own.status === 'verbatim') return [{ ...own, claim: sentences[0]! }];
    if (found.status !== 'none' || !short.whole) return [{ ...found, claim: sentences[0]! }];
  }
  return sentences.flatMap((sentence, at) => {
    const meant = PRONOUN.test(sentence) ? subjectOf(sentences[at - 1] ?? '', library) : undefined;
    const whole =
      copyOf(sentence, library, meant) ?? withReasons(sentence, '', library) ?? bestOf(sentence, library, meant);
    const clauses = whole.status === 'none' && !whole.against ? clausesOf(sentence) : [];
    const subject = meant ?? subjectOf(sentence, library);
    const parts = clauses.map((clause, index) => bestOf(clause, library, index > 0 ? subject : meant));
    return parts.some(({ status }) => status !== 'none') ? parts : [whole];
  });
}

/**
 * An answer with its reasons in brackets stands when each of them does, and the answer is what a sum among them makes or is
 * found by itself. One that is only named in its reasons, as the larger of two is, follows from them at best: partial.
 */
function withReasons(sentence: string, question: string, library: Library): Finding | undefined {
  const reasoned = reasonedOf(sentence);
  if (!reasoned) return undefined;
  const { head, reasons } = reasoned;
  const found = reasons.map((reason) => reasonOf(reason, library));
  const made = reasons.flatMap(sumsOf).map(resultOf);
  const value = head.replace(/(?<=\d)[,\s](?=\d{3})/g, '');
  const own: Finding | undefined = made.includes(value) ? found[0] : headOf(reasoned, question, library);
  const all = [...(own ? [own] : []), ...found];
  if (!own || found.length === 0 || all.some(({ status }) => status === 'none')) return undefined;
  const [observed, ...further] = all.flatMap((each) => each.observed ?? []);
  const status = all.every((each) => each.status === 'verbatim') ? 'verbatim' : 'partial';
  return { claim: sentence, status, ...(observed ? { observed } : {}), further };
}

function reasonOf(reason: string, library: Library): Finding {
  const own = copyOf(reason, library);
  const [, label, told] = /^([^:：]{1,60})[:：]\s*(.+)$/s.exec(reason) ?? [];
  if (own || !label || !told) return own ?? bestOf(reason, library);
  return copyOf(told, library, label) ?? bestOf(told, library, label);
}

function headOf({ head, reasons }: Reasoned, question: string, library: Library): Finding | undefined {
  const short = shortAnswer(question, head);
  if (!short) return copyOf(head, library) ?? bestOf(head, library);
  const named = reasons.some(
    (reason) => reason.startsWith(head) && !/^[\p{Script=Latin}\d]/u.test(reason.slice(head.length)),
  );
  if (named) return { claim: head, status: 'partial' };
  return best(short.statement, library, (claim, observed) => matchShort(short, claim, observed, library));
}

const PRONOUN = /^(?:it|he|she|they|its|his|her|their)\b/i;

/** The names a sentence begins with: its later clauses are said of the same one. */
function subjectOf(sentence: string, { names }: Library): string | undefined {
  const found = /^(?:The\s+|In \d+,?\s+)?((?:\p{Lu}[\p{L}\p{M}'’-]*\s?)+)/u.exec(sentence)?.[1]?.trim();
  return found && read(found, names).names.size > 0 ? found : undefined;
}

/** A claim that is a source's own statement, word for word. @param subject see bestOf */
function copyOf(claim: string, library: Library, subject?: string): Finding | undefined {
  const must = subject === undefined ? undefined : read(subject, library.names);
  const sums = sumsOf(claim);
  if (sums.length === 1 && isOnlySum(claim, sums[0]!)) {
    const seen = library.sums.get(sums[0]!);
    return { claim, status: seen ? 'verbatim' : 'none', ...(seen ? { observed: seen } : { against: true }) };
  }
  const observed = library.statements
    .get(bareText(claim))
    ?.find(({ reading, around }) => reading.tokens.length > 1 && (!must || namesHold(must, reading, around)));
  return observed && { claim, status: 'verbatim', observed };
}

/** @param subject what the claim is said of, where it does not say so itself: it must be named in the sentence or its page's title */
function bestOf(claim: string, library: Library, subject?: string): Finding {
  const must = subject === undefined ? undefined : read(subject, library.names);
  if (!sumsHold(claim, library)) return { claim, status: 'none', against: true };
  return best(withoutPolarity(claim), library, (reading, { reading: sentence, around }) => {
    return must && !namesHold(must, sentence, around) ? 'none' : matchClaim(reading, sentence, around);
  });
}

/** The values of a sum alone would do for one with other signs between them. */
const sumsHold = (claim: string, { sums }: Library) => sumsOf(claim).every((sum) => sums.has(sum));

/** The candidate that matches best; of equals the one that shares most with the claim. */
function best(claim: string, library: Library, match: (claim: Reading, observed: Observed) => Match): Finding {
  const reading = read(claim, library.names);
  const scores = new Map<number, number>();
  for (const unit of new Set(unitsOf(reading.tokens))) {
    const places = library.index.get(unit) ?? [];
    for (const place of places) scores.set(place, (scores.get(place) ?? 0) + 1 + 1 / places.length);
  }
  const withNumbers = library.sentences.flatMap(({ document }, place) =>
    !document && !scores.has(place) ? [place] : [],
  );
  const ranked = [...scores].sort((left, right) => right[1] - left[1]).map(([place]) => place);
  let partial: Finding | undefined;
  let against = false;
  for (const place of [...ranked.slice(0, CANDIDATES), ...withNumbers]) {
    const observed = library.sentences[place]!;
    if (reading.tokens.length * observed.reading.tokens.length > MOST_COMPARED) continue;
    const status = match(reading, observed);
    if (status === 'verbatim') return { claim, status, observed };
    if (status === 'against') against = true;
    if (status === 'partial') partial ??= { claim, status, observed };
  }
  return against || !partial ? { claim, status: 'none', against } : partial;
}

/** A short answer stands where its words stand together, in a sentence that holds what the question asks about. */
function matchShort(
  { core, negative }: ShortAnswer,
  statement: Reading,
  observed: Observed,
  { names }: Library,
): Match {
  const { reading: sentence, around } = observed;
  if (core === '') {
    const claim = { ...statement, negations: negative ? [0] : [] };
    return matchClaim(claim, sentence, around);
  }
  const answer = read(core, names);
  if (!quantitiesHold(answer.quantities, sentence.quantities)) return 'none';
  if (isValue(observed)) return answer.quantities.numbers.length > 0 ? 'verbatim' : 'none';
  const told = matchClaim(statement, sentence, around);
  if (told === 'verbatim') return told;
  const at = placeOf(answer.tokens, sentence.tokens);
  if (at < 0 && !answer.tokens.every((token) => around.title.includes(token))) return 'none';
  const denied = sentence.negations.some((place) => place >= at - 2 && place < at + answer.tokens.length);
  if (at >= 0 && denied !== answer.negations.length > 0) return 'none';
  const known = coverage(statement, sentence, around);
  if (known === 1 && at >= 0 && told === 'partial') return 'verbatim';
  return known >= QUESTION_COVERAGE ? 'partial' : 'none';
}

/** An observation without a document, and without words: a calculator's value. */
const isValue = ({ document, text }: Observed) => !document && !/\p{L}{3}/u.test(text.slice(text.lastIndexOf('=')));

/** Where the tokens stand together in a sentence, -1 when they don't. */
function placeOf(tokens: readonly string[], sentence: readonly string[]): number {
  return sentence.findIndex((_, start) =>
    tokens.every((token, offset) => sameToken(token, sentence[start + offset] ?? '')),
  );
}
