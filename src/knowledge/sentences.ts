import {
  AFTER_A_GERMAN_ORDINAL,
  AFTER_A_TIME,
  BEFORE_A_NAME,
  BEFORE_A_NUMBER,
  MAY_END,
  ORDINAL_LANGUAGES,
  sentenceStarters,
} from './abbreviations';

/** Marks that end a sentence without a space after them: Chinese, Japanese, Devanagari, Arabic, Urdu, Armenian, Ethiopic. */
const FULL_STOPS = '。！？｡।॥؟۔։።';
/** One run of marks that may end a sentence, or a blank line, which always does. */
const ENDS = new RegExp(`\\n[^\\S\\n]*\\n|[${FULL_STOPS}]+[.!?…${FULL_STOPS}]*|[.!?…]+[${FULL_STOPS}]*[.!?…]*`, 'g');
const CLOSERS = /["'”’»›」』）)\]】》〉]/;
const CLOSING_QUOTE = /["'”’」』]/;
const OPENERS = /["'“‘«‹„「『（([【《〈¿¡]/;
const OPENING_QUOTE = /["'“‘「『]/;
const CLOSING_BRACKETS: Record<string, string> = { '(': ')', '（': '）', '[': ']', '【': '】', '《': '》', '〈': '〉' };
// Unicode property classes cost milliseconds when first used: they are asked only about letters beyond ASCII.
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const FIRST_IDEOGRAPH = 0x1100;
const UNCASED_BEGINNING = /[\p{Lt}\p{Lo}\p{N}\p{Sc}]/u;
/** What a word does not reach across: space, opening marks, dashes. */
const WORD_BREAK = /[\s"'“‘«‹„「『（([【《〈/–—]/;
const NEXT_WORD = /[^\s.,;:!?…"'“”‘’«»()[\]（）。，]{1,24}/y;
/** Brackets longer than this (UTF-16 units) do not hold a sentence together. */
const LONGEST_BRACKET = 400;
/** How far a decision looks back, so that the whole stays linear. */
const LOOK_BACK = 200;

/** Where outermost brackets open and close, in order. An unclosed bracket holds nothing together. */
function bracketRanges(text: string): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  const open: { at: number; closer: string }[] = [];
  for (const match of text.matchAll(/[()（）[\]【】《》〈〉]/g)) {
    const closer = CLOSING_BRACKETS[match[0]];
    if (closer) open.push({ at: match.index, closer });
    else if (open.at(-1)?.closer === match[0]) {
      const start = open.pop()!.at;
      if (match.index - start > LONGEST_BRACKET) continue;
      while ((ranges.at(-1)?.start ?? -1) > start) ranges.pop();
      ranges.push({ start, end: match.index });
    }
  }
  return ranges;
}

const isIdeograph = (text: string, at: number) => text.charCodeAt(at) >= FIRST_IDEOGRAPH && IDEOGRAPH.test(text[at]!);
const isCased = (character: string) => character.toLowerCase() !== character.toUpperCase();
/** U.S, z.B, T.J: what stands before the last period of an abbreviation of letters. */
const isLettered = (word: string) =>
  word.split('.').every((part) => part.length > 0 && part.length <= 2 && [...part].every(isCased));

/** The word right before a period, without brackets and quotes before it. */
function wordBefore(text: string, start: number, end: number): string {
  const from = Math.max(start, end - 24);
  let at = end;
  while (at > from && !WORD_BREAK.test(text[at - 1]!) && !isIdeograph(text, at - 1)) at--;
  return text.slice(at, end);
}

/** Whether the single period at `end - 1` belongs to an abbreviation, an initial or an ordinal, with `next` as the word that follows. */
function isAbbreviation(word: string, next: string, nextIsInitial: boolean, language: string | undefined): boolean {
  const starts = !nextIsInitial && sentenceStarters(language).has(next);
  const numberFollows = /^\d/.test(next);
  if (numberFollows && BEFORE_A_NUMBER.has(word)) return true;
  if (/^[ap]\.m$/i.test(word)) return AFTER_A_TIME.has(next);
  if ((word.length === 1 && isCased(word)) || (word.includes('.') && isLettered(word))) return !starts;
  if (MAY_END.has(word)) return !starts && !numberFollows;
  if (BEFORE_A_NAME.has(word)) return true;
  if (/^\d{1,3}$/.test(word)) {
    if (AFTER_A_GERMAN_ORDINAL.has(next)) return true;
    return ORDINAL_LANGUAGES.has(language?.slice(0, 2).toLowerCase() ?? '') && !starts;
  }
  return false;
}

/** Whether a new sentence can begin at `at`: not with a small letter (except in names like iPhone), not with punctuation. */
function canBegin(text: string, at: number): boolean {
  let from = at;
  while (from < at + 3 && OPENERS.test(text[from] ?? '')) from++;
  const first = String.fromCodePoint(text.codePointAt(from) ?? 32);
  if (/[A-Z0-9$#@]/.test(first)) return true;
  if (!isCased(first)) return first > '\x7f' && UNCASED_BEGINNING.test(first);
  if (first !== first.toLowerCase()) return true;
  const second = text[from + first.length] ?? '';
  return isCased(second) && second !== second.toLowerCase();
}

/**
 * Whether speech that ends at `quoteEnd` goes on with who said it (“走吧！”他说。) instead of ending the sentence
 * (他说：“走吧！”门开了。).
 */
function goesOnAfterSpeech(text: string, start: number, quoteEnd: number): boolean {
  if (OPENING_QUOTE.test(text[quoteEnd] ?? '')) return false;
  const from = Math.max(start, quoteEnd - LOOK_BACK);
  for (let at = quoteEnd - 2; at >= from; at--) {
    if (/["“‘「『]/.test(text[at]!)) return at === start || !/[：:，,\s]/.test(text[at - 1]!);
  }
  return false;
}

/**
 * Cuts running text into sentences. Joined again they give the text, whitespace apart: nothing is lost or repeated.
 * Linear in the length of the text. Text without an end mark is one sentence.
 * @param language BCP 47 tag of the text, where known
 */
export function splitSentences(text: string, language?: string): string[] {
  const sentences: string[] = [];
  const brackets = bracketRanges(text);
  let bracket = 0;
  let start = 0;
  const cut = (end: number) => {
    const sentence = text.slice(start, end).trim();
    if (sentence !== '') sentences.push(sentence);
    start = end;
    while (start < text.length && /\s/.test(text[start]!)) start++;
  };
  for (const match of text.matchAll(ENDS)) {
    const mark = match[0];
    if (match.index < start) continue;
    if (mark[0] === '\n') {
      cut(match.index);
      continue;
    }
    let end = match.index + mark.length;
    const closersFrom = end;
    while (end < text.length && CLOSERS.test(text[end]!) && !startsAQuote(text, end)) end++;
    while (bracket < brackets.length && brackets[bracket]!.end < match.index) bracket++;
    const holding = brackets[bracket];
    if (holding && holding.start < match.index) {
      const wholeSentence = holding.start === start && holding.end < end;
      if (!wholeSentence) continue;
    }
    if (endsHere(text, start, match.index, mark, closersFrom, end, language)) cut(end);
  }
  cut(text.length);
  return sentences;
}

/** A straight quote after a mark opens a quotation when a space stands before it and none after it. */
function startsAQuote(text: string, at: number): boolean {
  return /["']/.test(text[at]!) && /\s/.test(text[at - 1]!);
}

/** Whether the sentence that began at `start` ends with the mark at `at`, closing quotes and brackets up to `end` included. */
function endsHere(
  text: string,
  start: number,
  at: number,
  mark: string,
  closersFrom: number,
  end: number,
  language: string | undefined,
): boolean {
  if (end >= text.length) return true;
  const closed = CLOSING_QUOTE.test(text.slice(closersFrom, end));
  if (FULL_STOPS.includes(mark.at(-1)!) || (closed && isIdeograph(text, end))) {
    if (/[，、；：,;:]/.test(text[end]!)) return false;
    return !(closed && goesOnAfterSpeech(text, start, end));
  }
  if (!/\s/.test(text[end]!)) {
    return mark === '.' && closersFrom === end && isIdeograph(text, end) && isIdeograph(text, at - 1);
  }
  let next = end;
  while (next < text.length && /\s/.test(text[next]!)) next++;
  if (next >= text.length) return true;
  if (!canBegin(text, next)) return false;
  if (mark !== '.' || closersFrom !== end) return true;
  while (OPENERS.test(text[next]!)) next++;
  NEXT_WORD.lastIndex = next;
  const word = NEXT_WORD.exec(text)?.[0] ?? '';
  return !isAbbreviation(wordBefore(text, start, at), word, text[next + word.length] === '.', language);
}
