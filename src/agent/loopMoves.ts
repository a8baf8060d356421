import type { Language } from './event';
import { type Attempt, normaliseArgument, pageOpenedBy } from './loopHistory';
import { loopWords, quote } from './loopWords';
import { contentTokensOf, contentWordsOf, dice, foldText } from './similarity';
import type { Tool, Toolbox } from './tool';

const TITLES_OFFERED = 2;

/**
 * Two or three concrete other moves, drawn from what the run has seen: an exact title that was offered and not tried, a word of
 * the question not yet looked up on the open page, a name that an observation mentions, a shorter title, and always: to finish.
 * @param stuck the action to get away from
 */
export function otherMoves(
  history: readonly Attempt[],
  stuck: { tool: Tool | undefined; argument: string },
  context: { toolbox: Toolbox; language: Language; question: string },
): string[] {
  const words = loopWords[context.language];
  const tools = [...context.toolbox.values()];
  const opener = tools.find((tool) => tool.opensPage && !tool.advances && !/url/i.test(tool.argument));
  const finder = tools.find((tool) => tool.advances && !tool.opensPage);
  const tried = new Set(
    [...history.map(({ argument }) => argument), stuck.argument].map((argument) => normaliseArgument(argument)),
  );
  const fresh = (text: string) => !tried.has(normaliseArgument(text));
  const moves: string[] = [];

  const titles = opener ? suggestedTitles(history).filter(fresh).slice(0, TITLES_OFFERED) : [];
  for (const title of titles) moves.push(words.searchTitle(opener!.name, quote(title)));

  const page = openPageTitle(history);
  if (finder && page) {
    const word = unseenWords(context.question, page).find(fresh);
    if (word) moves.push(words.lookUp(finder.name, quote(word), quote(page)));
  }
  if (opener && titles.length === 0) {
    const name = namesSeen(history, context.question).find(fresh);
    if (name) moves.push(words.searchTitle(opener.name, quote(name)));
    const short = stuck.tool === opener ? shorterTitles(stuck.argument).find(fresh) : undefined;
    if (short) moves.push(words.searchShorter(opener.name, quote(short)));
  }
  return [...moves.slice(0, 2), words.finish];
}

/** Exact titles that misses offered, the newest offer first. */
function suggestedTitles(history: readonly Attempt[]): string[] {
  return [...new Set(history.toReversed().flatMap(({ suggestions }) => suggestions))];
}

function openPageTitle(history: readonly Attempt[]): string | undefined {
  const opening = history.findLast((attempt) => pageOpenedBy(attempt) !== undefined);
  return opening && (opening.document?.title ?? opening.argument);
}

/** The question's words that the page's title does not hold, long ones first: they are the likelier to be rare. */
function unseenWords(question: string, page: string): string[] {
  const title = foldText(page);
  return contentWordsOf(question)
    .map((word) => withoutStart(word, page))
    .filter((word) => !title.includes(foldText(word)))
    .sort((left, right) => right.length - left.length);
}

/** A Chinese piece of a question without the page's name at its beginning: on the page on 平溪区, 平溪天灯节 is 天灯节. */
function withoutStart(word: string, page: string): string {
  if (!/^\p{Script=Han}/u.test(word)) return word;
  let shared = 0;
  while (shared < word.length && word[shared] === page[shared]) shared++;
  return shared > 1 && word.length - shared > 1 ? word.slice(shared) : word;
}

/** Two or more capitalised words in a row, or what stands between Chinese book-title marks. */
const NAME =
  /\p{Lu}[\p{L}\p{M}'’.-]+(?:\s+(?:of|the|de|von|van|and|for)\s+\p{Lu}[\p{L}\p{M}'’-]+|\s+\p{Lu}[\p{L}\p{M}'’-]+)+|《[^《》]{2,30}》/gu;

/** Names in what was observed, those first whose sentence shares most words with the question. */
function namesSeen(history: readonly Attempt[], question: string): string[] {
  const asked = new Set(contentTokensOf(question));
  const names = new Map<string, number>();
  for (const { text, ok } of history) {
    if (!ok) continue;
    for (const sentence of text.split(/(?<=[.!?。！？])\s*|\n+/)) {
      const score = dice(new Set(contentTokensOf(sentence)), asked);
      if (score === 0) continue;
      for (const [name] of sentence.matchAll(NAME)) {
        const title = name
          .replace(/^《|》$/g, '')
          .replace(
            /^(?:The|In|On|At|And|But|By|For|From|With|To|Of|About|After|Before|During|Under|When|While|His|Her|Its|Their)\s+(?=\p{Lu})/u,
            '',
          );
        if (!/[\s\p{Script=Han}]/u.test(title)) continue;
        names.set(title, Math.max(score, names.get(title) ?? 0));
      }
    }
  }
  return [...names].sort((left, right) => right[1] - left[1]).map(([name]) => name);
}

/** Shorter forms of a title, the likeliest first: without what brackets add to it, its leading names, its first words. */
function shorterTitles(argument: string): string[] {
  const plain = argument
    .replace(/[(（][^)）]*[)）]?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const words = plain.split(' ');
  const half = Math.ceil(words.length / 2);
  return [
    plain,
    plain.match(/^(?:\p{Lu}[\p{L}\p{M}'’.-]*\s?){2,4}(?=\s?\P{Lu})/u)?.[0].trim() ?? '',
    ...Array.from({ length: words.length > 2 ? half - 1 : 0 }, (_, index) => words.slice(0, half - index).join(' ')),
    plain.match(/^(.{2,})的.{2,}$/u)?.[1] ?? '',
  ].filter((title) => title !== '' && title !== argument.trim());
}
