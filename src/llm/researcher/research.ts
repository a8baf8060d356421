import type { Language } from '../../agent/event';
import type { Seen } from './conversation';
import { type Candidate, judge, numberOf, SURE, type Subject, yearOf } from './judge';
import { agentsOf, aliasesOf, HAN, isChinese, plainTitle, sameWord } from './names';
import type { Ask, Hops, Question } from './question';
import { type Found, familyById, SAYINGS } from './words';

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
  return { found: true, answer: sayings.because(result, source ? sayings.both(title, source) : title) };
}

/** Tries the question's names in turn. */
function* find({ text, entities, read, over }: Extract<Question, { kind: 'fact' }>, desk: Desk): Course<Verdict> {
  const sayings = SAYINGS[desk.language];
  for (const entity of entities) {
    const found = yield* visit(entity, sayings.start(entity), text, desk, function* (page, name): Course<Verdict> {
      const hops = read(name);
      if (page.host && hops.length > 1) return undefined;
      const answer = yield* follow(page, hops, desk, !over);
      const value = answer && over ? numberOf(answer) : undefined;
      if (!answer || (over && !value)) return undefined;
      const sentence = shortened(answer.sentence);
      if (over && value) return yield* calculate(over(value.text), desk, sentence);
      // What page a sentence is from has to be said, where that is not about what was asked for.
      const told = page.names.includes(page.title);
      return { found: true, answer: told ? sentence : sayings.line(page.title, sentence) };
    });
    if (found || desk.left <= 2) return found;
  }
  return undefined;
}

type Use<T> = (page: Page, name: string) => Course<T>;

/** Opens the page of a name, then those listed that may be meant, until `use` makes something of one. */
function* visit<T>(name: string, thought: string, text: string, desk: Desk, use: Use<T>): Course<T> {
  const another = SAYINGS[desk.language].another;
  if (desk.looked.includes(name)) return undefined;
  const queue = [{ title: name, host: false }];
  for (const { title, host } of queue) {
    if (desk.left <= 0) break;
    const seen: Seen = yield { tool: 'Search', input: title, thought: title === name ? thought : another(title) };
    // A short name spelt otherwise is another name.
    const isPage = /page|section/.test(seen.kind) || (seen.kind === 'guess' && title.length > 6);
    desk.looked.push(isPage ? seen.title : title);
    if (isPage) {
      // A section, or a page about something else, speaks of what was searched for by that name.
      const aside = host || seen.kind === 'section';
      const names = aside ? [name] : [seen.title, name];
      const page = {
        ...seen,
        names,
        lead: aside ? '' : (seen.sentences[0] ?? ''),
        ...(host ? { host: seen.title } : {}),
      };
      const part = plainTitle(seen.title);
      const shorter = !host && (HAN.test(part) || title !== name) && name.includes(part);
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
  if (kind === 'senses') {
    const asked = wordsOf(text);
    const score = (line: string) => asked.filter((word) => wordsOf(line).some((own) => sameWord(own, word))).length;
    const scored = titles.map(({ title, description }) => ({
      title,
      host: false,
      score: score(`${title} ${description}`),
    }));
    return scored.sort((one, other) => other.score - one.score).slice(0, 3);
  }
  const plain = name.toLowerCase();
  const same = titles.filter(
    ({ title }) => plainTitle(title).toLowerCase() === plain || aliasesOf(title).includes(name),
  );
  if (kind === 'page') return same.slice(0, 2).map(({ title }) => ({ title, host: false }));
  // The same name in another form, or the part of it that has a page.
  const fitting = titles.find(({ title }) => {
    const own = wordsOf(plainTitle(title));
    const [wanted, all] = [wordsOf(name), wordsOf(text)];
    if (HAN.test(title)) return text.includes(plainTitle(title)) && plainTitle(title).length > 1;
    const alike = own.length === wanted.length && own.every((word) => wanted.some((each) => sameWord(each, word)));
    return alike || (own.some((word) => wanted.includes(word)) && own.every((word) => all.includes(word)));
  });
  const best = same[0] ?? fitting;
  return best ? [{ title: best.title, host: false }] : titles.slice(0, 1).map(({ title }) => ({ title, host: true }));
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
    const sentence = page.host
      ? undefined
      : page.sentences.find((each) => /\b(?:is|was|are|were)\b|[是指为]/.test(each));
    return sentence === undefined ? undefined : { sentence, score: SURE, at: 0, ask: first };
  }
  if (first.relations.length + first.words.length + first.literals.length === 0 && !first.unit) return undefined;
  weigh(page.sentences);
  const keywords = page.whole ? [] : keywordsFor(asks, page);
  const sayings = SAYINGS[desk.language];
  let lookups = 4;
  let last: { keyword: string; found: Found } | undefined;
  for (const [at, keyword] of keywords.entries()) {
    for (let more = true; more && lookups > 0 && desk.left > 0; lookups--) {
      if (best && best.score >= SURE) return best;
      const thought = !last
        ? sayings.lookUp(keyword, page.title)
        : last.keyword === keyword
          ? sayings.lookUpMore(keyword)
          : sayings.lookUpAfter(keyword, last.keyword, last.found);
      const seen: Seen = yield { tool: 'Lookup', input: keyword, thought };
      const before = best;
      weigh(seen.sentences);
      last = { keyword, found: seen.kind !== 'hit' ? 'nothing' : best === before ? 'aside' : 'part' };
      more = seen.more > 0;
    }
    if (best && at > 0) return best;
  }
  return best;
}

/** Words to look up on a page, in its language: all that was asked for together, then each, then neighbouring relations. */
function keywordsFor(asks: readonly Ask[], page: Page): string[] {
  const chinese = isChinese(page.sentences.join(''));
  const keyword = (id: string) => familyById(id).keyword[chinese ? 'zh-CN' : 'en'];
  const keywords = asks.flatMap(({ relations, words, literals, said = '' }) => {
    const isSaid = said !== '' && HAN.test(said) === chinese && said.length > 1;
    const own = relations.map(({ id }, at) => (at === 0 && isSaid ? said : keyword(id)));
    const near = relations.flatMap(({ id, near: others }) => [id, ...others].map(keyword));
    const all = [...literals, ...own, ...words];
    return [...(all.length > 1 ? [all.join(' ')] : []), ...all, ...(asks.length > 1 ? [] : near)];
  });
  return [...new Set(keywords)];
}

/** Answers the hops, each on its page. */
function* follow(start: Page, [first, second]: Hops, desk: Desk, keep: boolean): Course<Candidate> {
  const found = yield* consult(start, [first], desk, keep && !second);
  if (!found || !second) return found;
  for (const name of agentsOf(found.sentence, found.at, start.names.flatMap(aliasesOf)).slice(0, 2)) {
    const thought = SAYINGS[desk.language].hop(shortened(found.sentence), name);
    const answer = yield* visit(name, thought, name, desk, (page) => consult(page, [second], desk, keep));
    if (answer) return answer;
  }
  return undefined;
}

/** Reads the same of two things, and names the winner or calculates with both. */
function* compare(question: Extract<Question, { kind: 'compare' }>, desk: Desk): Course<Verdict> {
  const { entities, asks, larger, difference } = question;
  const sayings = SAYINGS[desk.language];
  const values: { name: string; value: number; text: string; unit: string; line: string }[] = [];
  for (const name of entities) {
    const found = yield* visit(name, sayings.start(name), name, desk, (page) => consult(page, asks, desk));
    const year = found?.ask.type === 'date' ? yearOf(found) : undefined;
    const number = year === undefined ? found && numberOf(found) : { value: year, text: String(year), unit: '' };
    if (!found || !number) return undefined;
    values.push({ name, ...number, line: sayings.line(name, found.sentence) });
  }
  const [one, other] = values.sort((a, b) => b.value - a.value) as [(typeof values)[0], (typeof values)[0]];
  if (one.value === other.value || (asks[0]?.unit && one.unit !== other.unit)) return undefined;
  const lines = sayings.both(one.line, other.line);
  if (difference) return yield* calculate(`${one.text} - ${other.text}`, desk, lines);
  return { found: true, answer: sayings.because((larger ? one : other).name, lines) };
}
