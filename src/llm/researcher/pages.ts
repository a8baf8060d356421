import type { Language } from '../../agent/event';
import { type Ask, familiesOf } from './ask';
import type { Seen } from './conversation';
import { type Candidate, judge, SURE } from './judge';
import { WORDS } from './sayings';
import { aliasesOf, isChinese, mentions, plainTitle, singular, textWords } from './text';
import { type Family, familyById } from './words';

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

export type Course<T> = Generator<Move, T, Seen>;

/** A page as far as it has been read. */
export interface Page {
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

export const shortened = (sentence: string) =>
  sentence.length > LONGEST_ANSWER ? `${sentence.slice(0, LONGEST_ANSWER - 1)}…` : sentence;

export function* open(entity: string, thought: string, desk: Desk): Course<Page | undefined> {
  if (desk.looked.includes(entity)) return undefined;
  const seen = yield { tool: 'Search', input: entity, thought };
  return opened(seen, entity, desk);
}

export function opened(seen: Seen, entity: string, desk: Desk): Page | undefined {
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

/** Opens the page of a name, or the listed one that is meant. */
export function* reach(name: string, thought: string, desk: Desk): Course<Page | undefined> {
  const seen = yield { tool: 'Search', input: name, thought };
  const page = opened(seen, name, desk);
  if (page || seen.kind !== 'titles') return page;
  const fitting = seen.titles.find(({ title }) => fits(title, name) || (seen.ambiguous && title.includes(name)));
  return fitting && (yield* open(fitting.title, WORDS[desk.language].another(fitting.title), desk));
}

/** Whether a listed title is what was meant: the same name in another form, or the part of it that has a page. */
export function fits(title: string, entity: string, text = entity): boolean {
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

/** Looks for the sentence that answers, in what was shown of the page and then by Lookup. `asks`: any of them will do. */
export function* consult(
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
    const near = familiesOf(demands).flatMap((family) => family.near.map(familyById));
    keywords.push(...near.flatMap((family) => formsOf(family)[0] ?? []));
    keywords.push(...forms.flatMap((each) => each.slice(1, 2)));
  }
  return [...new Set(keywords)];
}
