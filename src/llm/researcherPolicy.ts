import type { Language } from '../agent/event';
import { agentsOf, aliasesOf, type Candidate, dateOf, judge, numberOf, SURE } from './researcherAnswer';
import { type Ask, isChinese, type Question, type Reading, sameWord } from './researcherQuestion';
import type { Seen } from './researcherRead';
import { WORDS } from './researcherSayings';
import { DATED, FAMILIES, type Family, STOP_WORDS, UNITS } from './researcherWords';

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
  /** What its sentences may call their subject: the title, and the name that led here; for a section, that name alone. */
  names: string[];
  sentences: string[];
  lead: string;
  guessed: boolean;
  whole: boolean;
  /** Pages with a similar name, as its hatnote lists them. */
  others: string[];
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
    const { entity } = reading;
    if (desk.looked.includes(entity)) continue;
    const seen = yield { tool: 'Search', input: entity, thought: words.start(entity) };
    const first = opened(seen, entity, desk);
    if (first)
      first.names.push(...question.readings.map((other) => other.entity).filter((other) => other.startsWith(entity)));
    const title = first && plainTitle(first.title);
    const read =
      title && isChinese(title) && title !== entity && entity.startsWith(title) ? question.around(title) : reading;
    // A short name spelt otherwise is another name.
    const verdict =
      first && !(first.guessed && /^[\w-]{1,6}$/.test(entity)) ? yield* settle(first, read, question, desk) : undefined;
    if (verdict) return verdict;
    const others =
      first?.others.filter((other) => plainTitle(other).toLowerCase() === entity.toLowerCase()).slice(0, 2) ?? [];
    const listed =
      seen.kind === 'titles'
        ? titlesFor(seen, reading, question)
        : others.map((other) => ({ title: other, asked: reading, strict: false }));
    for (const next of listed) {
      const thought =
        seen.kind === 'titles' && seen.ambiguous
          ? words.sense(next.title)
          : next.strict
            ? words.mentioned(next.title, entity)
            : words.another(next.title);
      const page = yield* open(next.title, thought, desk);
      page?.names.push(entity);
      if (page && next.strict) {
        const [hop] = next.asked.hops;
        hop.literals = hop.literals.filter((literal) => literal === entity || !aliasesOf(page.title).includes(literal));
        Object.assign(page, { names: [entity], lead: '' });
      }
      const other = page ? yield* settle(page, next.asked, question, desk) : undefined;
      if (other) return other;
    }
    if (desk.left <= 2) break;
  }
  return undefined;
}

/** The titles of a list that are worth opening for the reading, the likeliest first. */
function titlesFor(
  seen: Extract<Seen, { kind: 'titles' }>,
  reading: Reading,
  question: Extract<Question, { kind: 'fact' }>,
): { title: string; asked: Reading; strict?: boolean }[] {
  const { entity, hops } = reading;
  if (seen.ambiguous) {
    const score = ({ title, description }: { title: string; description: string }) =>
      textWords(question.text).filter(
        (word) =>
          mentions(`${title} ${description}`, word) ||
          (/\p{Script=Han}/u.test(word) &&
            [...description].some(
              (_, at) => word.includes(description.slice(at, at + 2)) && at + 2 <= description.length,
            )),
      ).length;
    return seen.titles
      .map((each) => ({ title: each.title, score: score(each) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, 3)
      .map(({ title }) => ({ title, asked: reading }));
  }
  const fitting = seen.titles.find(({ title }) => fits(title, entity, question.text));
  if (fitting) return [{ title: fitting.title, asked: question.around(plainTitle(fitting.title)) }];
  // No page of its own: another page may speak of it, by name.
  const [nearest] = seen.titles;
  const [only] = hops;
  if (!nearest || hops.length > 1 || only.demands.length === 0) return [];
  return [
    {
      title: nearest.title,
      strict: true,
      asked: { entity, hops: [{ ...only, literals: [...only.literals, entity] }] },
    },
  ];
}

/** Answers from an open page, with the arithmetic that the question wants done. */
function* settle(
  page: Page,
  reading: Reading,
  question: Extract<Question, { kind: 'fact' }>,
  desk: Desk,
): Course<Verdict | undefined> {
  const answer = yield* follow(page, reading, desk, question.over === undefined);
  if (!answer) return undefined;
  const { sentence } = answer.candidate;
  const words = WORDS[desk.language];
  // Whom a page not about the entity speaks of has to be said.
  const told = page.names.includes(page.title) || aliasesOf(page.title).some((alias) => sentence.includes(alias));
  if (!question.over)
    return { found: true, answer: told ? shortened(sentence) : words.line(page.title, shortened(sentence)) };
  const value = numberOf(answer.candidate, answer.ask);
  return value && (yield* calculate(question.over.apply(value.text), words.calculateWith(sentence), desk, sentence));
}

const shortened = (sentence: string) =>
  sentence.length > LONGEST_ANSWER ? `${sentence.slice(0, LONGEST_ANSWER - 1)}…` : sentence;

function* open(entity: string, thought: string, desk: Desk): Course<Page | undefined> {
  if (desk.looked.includes(entity)) return undefined;
  const seen = yield { tool: 'Search', input: entity, thought };
  return opened(seen, entity, desk);
}

function opened(seen: Seen, entity: string, desk: Desk): Page | undefined {
  desk.looked.push(seen.kind === 'page' ? seen.title : entity);
  if (seen.kind !== 'page') return undefined;
  const { section, sentences, ...page } = seen;
  return {
    ...page,
    names: section ? [entity] : [page.title, entity],
    sentences,
    lead: section ? '' : (sentences[0] ?? ''),
  };
}

const mentions = (text: string, word: string) =>
  /\p{Script=Han}/u.test(word) ? text.includes(word) : textWords(text).some((other) => sameWord(other, word));
const textWords = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word && word !== 'list' && !STOP_WORDS.has(word));

/** Whether a listed title is what was meant: the same name in another form, or the part of it that has a page. */
function fits(title: string, entity: string, text = entity): boolean {
  const name = plainTitle(title);
  if (/\p{Script=Han}/u.test(name))
    return name.length > 1 && (text.includes(name) || aliasesOf(title).includes(entity));
  const [own, wanted, all] = [name, entity, text].map(textWords) as [string[], string[], string[]];
  const digits = (words: string[]) => words.join(' ').match(/\d+/g)?.join();
  if (own.length === 0 || !own.some((word) => wanted.some((other) => singular(other) === singular(word)))) return false;
  if (own.every((word) => all.some((other) => singular(other) === singular(word)))) return true;
  return (
    digits(own) === digits(wanted) &&
    own.length === wanted.length &&
    own.every((word) => mentions(wanted.join(' '), word))
  );
}

const singular = (word: string) => word.replace(/(?<!s)s$/, '');
const plainTitle = (title: string) => title.replace(/\s*[(（].*[)）]$/, '');

/** Answers the reading's hops, each on its page. */
function* follow(
  start: Page,
  reading: Reading,
  desk: Desk,
  keep: boolean,
): Course<{ candidate: Candidate; ask: Ask } | undefined> {
  const words = WORDS[desk.language];
  const [first, second] = reading.hops;
  const found = yield* consult(start, [first], second ? 3 : 4, desk, keep && !second);
  if (!found || !second) return found;
  for (const name of agentsOf(found.candidate, first, start.names.flatMap(aliasesOf)).slice(0, 2)) {
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
        const candidate = judge(sentence, ask, page.names, page.lead);
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
        thought: number === 1 ? words.lookUp(keyword, page.title, keywords.slice(0, next)) : words.lookUpMore(keyword),
      };
      if (seen.kind !== 'hit') break;
      of = seen.of;
      weigh(seen.sentences);
    }
    if (best && next > 0) return best;
  }
  return best;
}

/** Words to look up on a page, in its language: all that was asked for together, then each relation's forms and its neighbours'. */
function keywordsFor(asks: readonly Ask[], page: Page): string[] {
  const chinese = isChinese(page.sentences.join(''));
  const formsOf = (family: Family) => (chinese ? family.zh.filter((form) => form.length > 1) : family.en);
  const formsFor = ({ family, said = '' }: { family: Family; said?: string }) =>
    said && isChinese(said) === chinese ? [said, ...formsOf(family).filter((form) => form !== said)] : formsOf(family);
  const keywords: string[] = [];
  for (const { demands, literals, counted } of asks) {
    const forms = demands.map((demand) => ('family' in demand ? formsFor(demand) : [demand.word]));
    const all = [...literals, ...forms.flatMap((each) => each[0] ?? [])];
    if (all.length > 1) keywords.push(all.join(' '));
    if (asks.length === 1) keywords.push(...literals);
    if (counted && demands.length > 1) keywords.push(counted);
    keywords.push(...forms.flatMap((each) => each.slice(0, 1)));
    if (asks.length > 1) continue;
    const near = demands.flatMap((demand) => ('family' in demand ? demand.family.near : []));
    keywords.push(...near.flatMap((id) => formsOf(FAMILIES.find((family) => family.id === id)!)[0] ?? []));
    keywords.push(...forms.flatMap((each) => each.slice(1, 2)));
  }
  return [...new Set(keywords)];
}

function* compare(question: Extract<Question, { kind: 'compare' }>, desk: Desk): Course<Verdict | undefined> {
  const words = WORDS[desk.language];
  const { ask, larger, operator } = question;
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
  if (ask.demands.some((demand) => 'family' in demand && demand.family.id in UNITS) && one.unit !== other.unit)
    return undefined;
  const lines = [one, other].map(({ name, sentence }) => words.line(name, sentence));
  if (operator) {
    const [more, less] = one.value > other.value ? [one, other] : [other, one];
    const said = lines.join('; ');
    return yield* calculate(`${more.text} ${operator} ${less.text}`, words.calculateWith(said), desk, said);
  }
  if (one.value === other.value) return { found: true, answer: words.same(lines) };
  const winner = one.value > other.value === larger ? one : other;
  return { found: true, answer: words.compared(winner.name, lines) };
}
