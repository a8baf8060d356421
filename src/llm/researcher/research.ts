import { type Ask, familiesOf } from './ask';
import type { Seen } from './conversation';
import type { Candidate } from './judge';
import { agentsOf } from './names';
import {
  type Course,
  consult,
  type Desk,
  fits,
  open,
  opened,
  type Page,
  reach,
  shortened,
  type Verdict,
} from './pages';
import type { Question } from './question';
import type { Reading } from './reading';
import { WORDS } from './sayings';
import { aliasesOf, isChinese, mentions, plainTitle, textWords } from './text';
import { dateOf, numberOf } from './values';
import { DATED, familyById, UNITS } from './words';

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
    const page = yield* reach(name, words.hop(shortened(found.candidate.sentence), name), desk);
    if (!page) continue;
    const answer = yield* consult(page, [second], 4, desk, keep);
    if (answer) return answer;
  }
  return undefined;
}

/** Reads the same of two things, and names the winner or calculates with both. */
function* compare(question: Extract<Question, { kind: 'compare' }>, desk: Desk): Course<Verdict | undefined> {
  const words = WORDS[desk.language];
  const { ask, larger, operator } = question;
  const asks =
    ask.demands.length > 0 ? [ask] : DATED.map((id): Ask => ({ ...ask, demands: [{ family: familyById(id) }] }));
  const values: { name: string; value: number; unit: string; text: string; sentence: string }[] = [];
  for (const entity of question.entities) {
    const page = yield* reach(entity, values.length === 0 ? words.start(entity) : words.compare(entity), desk);
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
  if (familiesOf(ask.demands).some(({ id }) => id in UNITS) && one.unit !== other.unit) return undefined;
  const lines = [one, other].map(({ name, sentence }) => words.line(name, sentence));
  if (operator) {
    const [more, less] = one.value > other.value ? [one, other] : [other, one];
    const said = lines.join('; ');
    return yield* calculate(`${more.text} ${operator} ${less.text}`, words.calculateWith(said), desk, said);
  }
  // A year alone is neither before nor after a day of the same year.
  const year = ({ value }: (typeof values)[0]) => Math.floor(value / 10_000);
  const vague = values.some(({ value }) => value % 10_000 === 0);
  if (ask.type === 'date' && vague && year(one) === year(other)) return undefined;
  if (one.value === other.value) return { found: true, answer: words.same(lines) };
  const winner = one.value > other.value === larger ? one : other;
  return { found: true, answer: words.compared(winner.name, lines) };
}
