import { STOP_WORDS } from './words';

export const HAN = /\p{Script=Han}/u;

/** True for text that is mostly Chinese. */
export const isChinese = (text: string): boolean =>
  HAN.test(text) && text.match(/\p{Script=Han}/gu)!.length >= (text.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0);

/** Same word in another form: designed, designer; movement, moved; cities, city. */
export function sameWord(one: string, other: string): boolean {
  const [a, b] = [one, other].map((word) =>
    word
      .toLowerCase()
      .replace(/ies$/, 'y')
      .replace(/(?<!s)s$/, ''),
  );
  if (a === b) return true;
  // The largest is not any large one.
  if (/est$/.test(a!) || /est$/.test(b!)) return false;
  const [stem, root] = [a, b].map((word) => word!.replace(/(?<=.{3})(?:ed|ing|er|or|e)$/, ''));
  if (stem === root) return true;
  let common = 0;
  while (common < a!.length && a![common] === b![common]) common++;
  return common >= 4 && common >= Math.min(a!.length, b!.length) - 2 && common >= Math.max(a!.length, b!.length) * 0.55;
}

export const textWords = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word && word !== 'list' && !STOP_WORDS.has(word));

export const mentions = (text: string, word: string) =>
  /\p{Script=Han}/u.test(word) ? text.includes(word) : textWords(text).some((other) => sameWord(other, word));

export const singular = (word: string) => word.replace(/(?<!s)s$/, '');

export const plainTitle = (title: string) => title.replace(/\s*[(（].*[)）]$/, '');

/** Other ways a page calls its subject: without a suffix in brackets, by its last name, by its name without Inc. */
export function aliasesOf(title: string): string[] {
  const plain = title.replace(/\s*[(（].*[)）]$/, '').replace(/,? (?:Inc|Ltd|Corp)\.?$/, '');
  const parts = plain.split(/[·\s]/);
  const short = parts.at(-1)!;
  const isName = parts.length > 1 && parts.every((part) => /^[\p{Lu}\p{Script=Han}]/u.test(part));
  const company = plain.replace(/(?:公司|集团)$/, '');
  return [...new Set([title, plain, company, ...(isName && short.length > 1 ? [short] : [])])].filter(Boolean);
}

/** “Van Rossum” and “Guido” for “Guido van Rossum”, and its longer forms: titles and further first names before or inside it. */
export function isPartOf(name: string, whole: string): boolean {
  const [part, all] = [` ${name.toLowerCase()} `, ` ${whole.toLowerCase().replace(/,/g, '')} `];
  if (all.startsWith(part) || all.endsWith(part)) return true;
  if (part.startsWith(all) && /^(?:corporation|company|inc|ltd|limited|group) $/.test(part.slice(all.length)))
    return true;
  const [words, own] = [part, all].map((text) => text.trim().split(' ')) as [string[], string[]];
  return (
    own.length > 1 &&
    words.length > own.length &&
    words.at(-1) === own.at(-1) &&
    own.every((word) => words.includes(word))
  );
}

export const isFact = (sentence: string) => /^[\p{L}\p{N}() ,]{1,40}[:：]/u.test(sentence) && !/。|\.$/.test(sentence);
