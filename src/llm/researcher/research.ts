import type { Language } from '../../agent/event';
import type { Seen } from './conversation';
import { type Candidate, judge, numberOf, SURE, type Subject, yearOf } from './judge';
import { agentsOf, aliasesOf, HAN, isChinese, plainTitle, sameWord } from './names';
import type { Ask, Hops, Question } from './question';
import { familyById, SAYINGS } from './words';

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

type Course<T> = Generator<Move, T | undefined, Seen>;

/** A page as far as it has been read. */
interface Page extends Subject {
  title: string;
  sentences: string[];
  whole: boolean;
}

const LONGEST_ANSWER = 300;
const shortened = (text: string) => (text.length > LONGEST_ANSWER ? `${text.slice(0, LONGEST_ANSWER - 1)}…` : text);

/** The research on one question: yields actions, is handed what each of them brought, and returns the verdict. */
export function* research(question: Question, desk: Desk): Generator<Move, Verdict, Seen> {
  let verdict: Verdict | undefined;
  if (question.kind === 'sum') verdict = yield* calculate(question.expression, desk);
  else if (question.kind === 'compare') verdict = yield* compare(question, desk);
  else verdict = yield* find(question, desk);
  return verdict ?? { found: false, answer: SAYINGS[desk.language].notFound([...new Set(desk.looked)]) };
}

function* calculate(expression: string, desk: Desk, source?: string): Course<Verdict> {
  const sayings = SAYINGS[desk.language];
  const { kind, title } = yield { tool: 'Calculator', input: expression, thought: sayings.calculate };
  const result = /[=≈] (\S.*)$/.exec(title)?.[1];
  if (kind !== 'result' || result === undefined) return undefined;
  return { found: true, answer: sayings.because(result, source ? `${title}; ${source}` : title) };
}

/** Tries the question's names in turn. */
function* find({ text, entities, read, over }: Extract<Question, { kind: 'fact' }>, desk: Desk): Course<Verdict> {
  for (const entity of entities) {
    const found = yield* visit(entity, text, desk, function* (page, name): Course<Verdict> {
      const answer = yield* follow(page, read(name), desk, !over);
      if (!answer) return undefined;
      const sentence = shortened(answer.sentence);
      const value = over && numberOf(answer);
      if (over) return value && (yield* calculate(over(value.text), desk, sentence));
      // What page a sentence is from has to be said, where that is not about what was asked for.
      const told = page.names.includes(page.title) ? sentence : SAYINGS[desk.language].line(page.title, sentence);
      return { found: true, answer: told };
    });
    if (found || desk.left <= 2) return found;
  }
  return undefined;
}

type Use<T> = (page: Page, name: string) => Course<T>;

/** Opens the page of a name, then those listed that may be meant, until `use` makes something of one. */
function* visit<T>(name: string, text: string, desk: Desk, use: Use<T>, thought?: string): Course<T> {
  const { open } = SAYINGS[desk.language];
  const queue = desk.looked.includes(name) ? [] : [{ title: name, host: false }];
  for (const { title, host } of queue) {
    if (desk.left <= 0) break;
    const seen: Seen = yield {
      tool: 'Search',
      input: title,
      thought: queue.length === 1 && thought ? thought : open(title),
    };
    // A short name spelt otherwise is another name.
    const isPage = /page|section/.test(seen.kind) || (seen.kind === 'guess' && title.length > 6);
    desk.looked.push(isPage ? seen.title : title);
    if (isPage) {
      // A section, or a page about something else, speaks of what was searched for by that name.
      const aside = host || seen.kind === 'section';
      const lead = aside ? '' : (seen.sentences[0] ?? '');
      const part = plainTitle(seen.title);
      const shorter = !host && (HAN.test(part) || title !== name) && name.includes(part);
      const page = { ...seen, names: aside ? [name] : [seen.title, name], lead, host: host ? seen.title : undefined };
      const found = yield* use(page, shorter ? part : name);
      if (found !== undefined) return found;
    }
    if (queue.length === 1) queue.push(...listed(seen, name, text));
  }
  return undefined;
}

const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/\p{Script=Han}(?=\p{Script=Han})|[a-z\p{M}\d]{2,}|\d/gu) ?? [];

/** Listed titles worth opening. `host`: a page about something else, which may speak of the name. */
function listed({ kind, titles }: Seen, name: string, text: string): { title: string; host: boolean }[] {
  const [wanted, all] = [wordsOf(name), wordsOf(text)];
  const has = (words: string[]) => (word: string) => words.some((each) => sameWord(each, word));
  if (kind === 'senses') {
    const score = (line: string) => all.filter(has(wordsOf(line))).length;
    const scored = titles.map(({ title, line }) => ({ title, host: false, score: score(line) }));
    return scored.sort((one, other) => other.score - one.score).slice(0, 3);
  }
  // The same name in another form, or the part of it that has a page.
  const fitting = titles.find(({ title }) => {
    const plain = plainTitle(title);
    const own = wordsOf(plain);
    if (aliasesOf(title).includes(name)) return true;
    if (HAN.test(title)) return plain.length > 1 && text.includes(plain);
    if (own.length === wanted.length && own.every(has(wanted))) return true;
    return own.some((word) => wanted.includes(word)) && own.every((word) => all.includes(word));
  });
  return [fitting ?? titles[0]].flatMap((best) => (best ? [{ title: best.title, host: best !== fitting }] : []));
}

/** Looks for the sentence that answers, in what was shown of the page and then by Lookup. `asks`: any of them will do. */
function* consult(page: Page, asks: readonly Ask[], desk: Desk, keep = false): Course<Candidate> {
  let best: Candidate | undefined;
  const weigh = (sentences: readonly string[]) => {
    for (const candidate of sentences.flatMap((sentence) => asks.map((ask) => judge(sentence, ask, page)))) {
      if (candidate.score > (best?.score ?? 0)) best = candidate;
    }
    if (best && keep) desk.best = { found: true, answer: shortened(best.sentence) };
  };
  const [first] = asks as [Ask];
  if (first.type === 'definition') {
    const sentence = page.sentences.find((each) => /\b(?:is|was|are|were)\b|[是指为]/.test(each));
    return sentence && !page.host ? { sentence, score: SURE, before: '', after: sentence, ask: first } : undefined;
  }
  if (first.relations.length + first.words.length + first.literals.length === 0 && !first.unit) return undefined;
  weigh(page.sentences);
  const keywords = page.whole ? [] : keywordsFor(asks, page);
  let lookups = 4;
  for (const [at, keyword] of keywords.entries()) {
    for (let more = true; more && lookups > 0 && desk.left > 0; lookups--) {
      if (best && best.score >= SURE) return best;
      const seen: Seen = yield { tool: 'Lookup', input: keyword, thought: SAYINGS[desk.language].lookUp(keyword) };
      weigh(seen.sentences);
      more = seen.more > 0;
    }
    if (best && at > 0) return best;
  }
  return best;
}

/** Words to look up on a page, in its language: all that was asked for together, then the relations and their neighbours. */
function keywordsFor(asks: readonly Ask[], page: Page): string[] {
  const chinese = isChinese(page.sentences.join(''));
  const keyword = (id: string) => familyById(id).keyword[chinese ? 'zh-CN' : 'en'];
  const keywords = asks.flatMap(({ relations, words, literals, said }) => {
    const isSaid = said.length > 1 && HAN.test(said) === chinese;
    const own = relations.map(({ id }, at) => (at === 0 && isSaid ? said : keyword(id)));
    const near = asks.length > 1 ? [] : relations.flatMap(({ id, near: others }) => [id, ...others].map(keyword));
    return [[...literals, ...own, ...words].join(' '), ...near];
  });
  return [...new Set(keywords)];
}

/** Answers the hops, each on its page. */
function* follow(start: Page, [first, second]: Hops, desk: Desk, keep: boolean): Course<Candidate> {
  const found = yield* consult(start, [first], desk, keep && !second);
  if (!found || !second || start.host) return second ? undefined : found;
  for (const name of agentsOf(found).slice(0, 2)) {
    const thought = SAYINGS[desk.language].hop(shortened(found.sentence), name);
    const answer = yield* visit(name, name, desk, (page) => consult(page, [second], desk, keep), thought);
    if (answer) return answer;
  }
  return undefined;
}

/** Reads the same of two things, and names the winner or calculates with both. */
function* compare(question: Extract<Question, { kind: 'compare' }>, desk: Desk): Course<Verdict> {
  const { entities, asks, larger, difference } = question;
  const sayings = SAYINGS[desk.language];
  const values: { name: string; value: number; text: string; line: string }[] = [];
  for (const name of entities) {
    const found = yield* visit(name, name, desk, (page) => consult(page, asks, desk));
    const year = found?.ask.type === 'date' ? yearOf(found) : undefined;
    const number = year === undefined ? found && numberOf(found) : { value: year, text: String(year) };
    if (!found || !number) return undefined;
    values.push({ name, ...number, line: sayings.line(name, found.sentence) });
  }
  const [one, other] = values.sort((a, b) => b.value - a.value) as [(typeof values)[0], (typeof values)[0]];
  if (one.value === other.value) return undefined;
  const lines = `${one.line}; ${other.line}`;
  if (difference) return yield* calculate(`${one.text} - ${other.text}`, desk, lines);
  return { found: true, answer: sayings.because((larger ? one : other).name, lines) };
}
