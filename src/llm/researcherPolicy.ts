import type { Language } from '../agent/event';
import { agentsOf, aliasesOf, type Candidate, dateOf, judge, numberOf, SURE } from './researcherAnswer';
import { type Ask, isChinese, type Question, type Reading, sameWord } from './researcherQuestion';
import type { Seen } from './researcherRead';
import { WORDS } from './researcherSayings';
import { DATED, FAMILIES, STOP_WORDS } from './researcherWords';

export interface Move {
  thought: string;
  tool: 'Search' | 'Lookup' | 'Calculator';
  input: string;
}

export interface Verdict {
  answer: string;
  found: boolean;
}

/** What lies before the researcher during one question. */
export interface Desk {
  language: Language;
  /** Pages read, and names that have none. */
  looked: string[];
  /** Actions that may still be taken. */
  left: number;
  /** What could be answered if it had to be now. */
  best?: Verdict;
}

type Course<T> = Generator<Move, T, Seen>;

/** A page as far as it has been read. */
interface Page {
  title: string;
  sentences: string[];
  whole: boolean;
}

const LONGEST_ANSWER = 300;

/** The research on one question: yields actions, is handed what each of them brought, and returns the verdict. */
export function* research(question: Question, desk: Desk): Course<Verdict> {
  const words = WORDS[desk.language];
  const verdict =
    question.kind === 'sum'
      ? yield* calculate(question.expression, words.calculate, desk)
      : question.kind === 'compare'
        ? yield* compare(question, desk)
        : yield* find(question, desk);
  if (verdict) return verdict;
  return words.notFound(desk.looked.length > 0 ? [...new Set(desk.looked)] : [words.noEntity]);
}

function* calculate(expression: string, thought: string, desk: Desk, sentence?: string): Course<Verdict | undefined> {
  const seen = yield { tool: 'Calculator', input: expression, thought };
  if (seen.kind !== 'result') return undefined;
  const result = /[=≈] (\S.*)$/.exec(seen.text)?.[1];
  return result === undefined
    ? undefined
    : { found: true, answer: WORDS[desk.language].result(result, seen.text, sentence) };
}

function* find(question: Extract<Question, { kind: 'fact' }>, desk: Desk): Course<Verdict | undefined> {
  const words = WORDS[desk.language];
  for (const reading of question.readings) {
    for (const { page, asked } of yield* pagesOf(reading, question, desk)) {
      const opened = page ?? (yield* open(asked.entity, words.sense(asked.entity), desk));
      if (!opened) continue;
      const answer = yield* follow(opened, asked, desk, question.over === undefined);
      if (!answer) continue;
      if (!question.over) return { found: true, answer: shortened(answer.candidate.sentence) };
      const value = numberOf(answer.candidate, answer.ask);
      if (!value) continue;
      const { sentence } = answer.candidate;
      return yield* calculate(question.over.apply(value.text), words.calculateWith(sentence), desk, sentence);
    }
    if (desk.left <= 2) break;
  }
  return undefined;
}

const shortened = (sentence: string) =>
  sentence.length > LONGEST_ANSWER ? `${sentence.slice(0, LONGEST_ANSWER - 1)}…` : sentence;

function* open(entity: string, thought: string, desk: Desk): Course<Page | undefined> {
  const seen = yield { tool: 'Search', input: entity, thought };
  return opened(seen, entity, desk);
}

function opened(seen: Seen, entity: string, desk: Desk): Page | undefined {
  desk.looked.push(seen.kind === 'page' ? seen.title : entity);
  return seen.kind === 'page' ? { title: seen.title, sentences: [...seen.sentences], whole: seen.whole } : undefined;
}

interface Prospect {
  page?: Page;
  asked: Reading;
}

/** The page of the reading's entity, already opened, or titles to try in its place. */
function* pagesOf(reading: Reading, question: Extract<Question, { kind: 'fact' }>, desk: Desk): Course<Prospect[]> {
  const words = WORDS[desk.language];
  const { entity, hops } = reading;
  const seen = yield { tool: 'Search', input: entity, thought: words.start(entity) };
  const page = opened(seen, entity, desk);
  if (page) return [{ page, asked: reading }];
  if (seen.kind !== 'titles') return [];
  if (seen.ambiguous) {
    const wanted = hops.flatMap(({ demands, literals }) => [
      ...literals,
      ...demands.flatMap((demand) => ('word' in demand ? [demand.word] : demand.family.en.concat(demand.family.zh))),
    ]);
    const score = (text: string) => wanted.filter((word) => mentions(text, word)).length;
    return seen.titles
      .map(({ title, description }) => ({ title, score: score(`${title} ${description}`) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, 3)
      .map(({ title }) => ({ asked: { ...reading, entity: title } }));
  }
  const fitting = seen.titles.find(({ title }) => fits(title, entity));
  if (fitting) {
    const found = yield* open(fitting.title, words.another(fitting.title), desk);
    const inside = entity
      .toLowerCase()
      .includes(aliasesOf(fitting.title)[1]?.toLowerCase() ?? fitting.title.toLowerCase());
    return found
      ? [{ page: found, asked: inside ? question.around(aliasesOf(fitting.title)[1] ?? fitting.title) : reading }]
      : [];
  }
  return [];
}

const mentions = (text: string, word: string) =>
  /\p{Script=Han}/u.test(word)
    ? text.includes(word)
    : (text.match(/[\p{L}\p{N}]+/gu) ?? []).some((other) => sameWord(other, word));

/** Whether a listed title is what was meant: the same name in another form, or the part of it that has a page. */
function fits(title: string, entity: string): boolean {
  const [name, wanted] = [title, entity].map((text) => text.toLowerCase().replace(/\s*[(（].*[)）]$/, ''));
  const digits = (text: string) => text.match(/\d+/g)?.join() ?? '';
  if (/\p{Script=Han}/u.test(wanted!))
    return name!.length > 1 && (wanted!.includes(name!) || aliasesOf(title).includes(entity));
  const wordsOf = (text: string) => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word && !STOP_WORDS.has(word));
  const [own, other] = [wordsOf(name!), wordsOf(wanted!)];
  if (own.length === 0) return false;
  if (own.every((word) => other.includes(word))) return true;
  return (
    digits(name!) === digits(wanted!) &&
    own.length === other.length &&
    own.every((word) => other.some((each) => sameWord(word, each)))
  );
}

/** Answers the reading's hops, each on its page. */
function* follow(
  start: Page,
  reading: Reading,
  desk: Desk,
  keep: boolean,
): Course<{ candidate: Candidate; ask: Ask } | undefined> {
  const words = WORDS[desk.language];
  const [first, second] = reading.hops;
  const found = yield* consult(start, [first], second ? 2 : 4, desk, keep && !second);
  if (!found || !second) return found;
  for (const name of agentsOf(found.candidate, start.title).slice(0, 2)) {
    const seen = yield { tool: 'Search', input: name, thought: words.hop(shortened(found.candidate.sentence), name) };
    let page = opened(seen, name, desk);
    if (!page && seen.kind === 'titles') {
      const fitting = seen.titles.find(({ title }) => fits(title, name) || (seen.ambiguous && title.includes(name)));
      if (fitting) page = yield* open(fitting.title, words.another(fitting.title), desk);
    }
    if (!page) continue;
    const answer = yield* consult(page, [second], 4, desk, keep);
    if (answer) return answer;
  }
  return undefined;
}

/** Looks for the sentence that answers, in what was shown of the page and then by Lookup. `asks`: any of them will do. */
function* consult(
  page: Page,
  asks: readonly Ask[],
  lookups: number,
  desk: Desk,
  keep: boolean,
): Course<{ candidate: Candidate; ask: Ask } | undefined> {
  const words = WORDS[desk.language];
  let best: { candidate: Candidate; ask: Ask } | undefined;
  const weigh = (sentences: readonly string[]) => {
    for (const ask of asks) {
      if (ask.demands.length + ask.literals.length === 0 && ask.type !== 'definition') continue;
      for (const sentence of sentences) {
        const candidate = judge(sentence, ask, page.title);
        if (candidate.score > (best?.candidate.score ?? 0)) best = { candidate, ask };
      }
    }
    if (best && keep) desk.best = { found: true, answer: shortened(best.candidate.sentence) };
  };
  const first = asks[0]!;
  if (first.type === 'definition' && first.demands.length === 0) {
    const sentence = page.sentences.find((each) => /\b(?:is|was|are|were)\b|[是指为]/.test(each)) ?? page.sentences[0];
    return sentence === undefined ? undefined : { candidate: { sentence, score: SURE, at: 0 }, ask: first };
  }
  weigh(page.sentences);
  if (page.whole) return best;
  const keywords = keywordsFor(asks, page);
  for (let used = 0, next = 0; used < lookups && next < keywords.length && desk.left > 0; next++) {
    const keyword = keywords[next]!;
    for (let number = 1, of = 1; number <= Math.min(of, 3) && used < lookups && desk.left > 0; number++, used++) {
      if ((best?.candidate.score ?? 0) >= SURE) return best;
      const seen = yield {
        tool: 'Lookup',
        input: keyword,
        thought: number === 1 ? words.lookUp(keyword, page.title) : words.lookUpMore(keyword),
      };
      if (seen.kind !== 'hit') break;
      of = seen.of;
      weigh(seen.sentences);
    }
    if (best && next > 0) return best;
  }
  return best;
}

/** Words to look up on a page, in its language: what was asked for all together, then each relation's forms. */
function keywordsFor(asks: readonly Ask[], page: Page): string[] {
  const chinese = isChinese(page.sentences.join(''));
  const keywords: string[] = [];
  for (const { demands, literals, counted } of asks) {
    const forms = demands.map((demand) =>
      'family' in demand ? (chinese ? demand.family.zh : demand.family.en) : [demand.word],
    );
    const all = [...literals, ...forms.map((each) => each[0]!)];
    if (all.length > 1 && !chinese) keywords.push(all.join(' '));
    keywords.push(...forms.flatMap((each) => each.slice(0, 2)), ...literals);
    if (counted && demands.length > 1) keywords.unshift(counted);
    if (chinese && all.length > 1) keywords.unshift(all.find((word) => word.length > 1) ?? all[0]!);
  }
  return [...new Set(keywords)];
}

function* compare(question: Extract<Question, { kind: 'compare' }>, desk: Desk): Course<Verdict | undefined> {
  const words = WORDS[desk.language];
  const { ask, larger, difference } = question;
  const asks =
    ask.demands.length > 0
      ? [ask]
      : DATED.map((id): Ask => ({ ...ask, demands: [{ family: FAMILIES.find((family) => family.id === id)! }] }));
  const values: { name: string; value: number; unit: string; text: string; sentence: string }[] = [];
  for (const entity of question.entities) {
    const seen = yield {
      tool: 'Search',
      input: entity,
      thought: values.length === 0 ? words.start(entity) : words.compare(entity),
    };
    let page = opened(seen, entity, desk);
    if (!page && seen.kind === 'titles') {
      const fitting = seen.titles.find(({ title }) => fits(title, entity));
      if (fitting) page = yield* open(fitting.title, words.another(fitting.title), desk);
    }
    const found = page && (yield* consult(page, asks, 2, desk, false));
    if (!found) return undefined;
    const { sentence } = found.candidate;
    const number = ask.type === 'date' ? undefined : numberOf(found.candidate, found.ask);
    const value = ask.type === 'date' ? dateOf(found.candidate, found.ask) : number?.value;
    if (value === undefined) return undefined;
    values.push({
      name: entity,
      value,
      unit: number?.unit ?? '',
      text: number?.text ?? String(Math.floor(value / 10_000)),
      sentence,
    });
  }
  const [one, other] = values as [(typeof values)[0], (typeof values)[0]];
  if (one.unit !== other.unit) return undefined;
  const lines = [one, other].map(({ name, sentence }) => words.line(name, sentence));
  if (difference) {
    const [more, less] = one.value > other.value ? [one, other] : [other, one];
    return yield* calculate(`${more.text} - ${less.text}`, words.calculateWith(lines.join(' ')), desk, lines.join(' '));
  }
  if (one.value === other.value) return { found: true, answer: words.same(lines) };
  const winner = one.value > other.value === larger ? one : other;
  return { found: true, answer: words.compared(winner.name, lines) };
}
