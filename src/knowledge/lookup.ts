import { setImmediate as nextTurn } from 'node:timers/promises';
import MiniSearch, { type Query } from 'minisearch';
import type { Document, Sentence } from '../agent/document';
import { tellingWords, termOf, withSynonyms, wordsOf } from './terms';
import { editDistance, foldText, sameTitle } from './titles';

const RELATED = 5;
/** Sentences indexed at a time. */
const SLICE = 250;

/** Sentences that a keyword leads to, by their numbers, the best first. */
export interface Hits {
  sentences: number[];
  /** True where the keyword itself is not on the page, and its stems and synonyms were taken. */
  related: boolean;
}

const fold = (text: string) =>
  foldText(
    text
      .replace(/[‘’]/g, "'")
      .replace(/[“”]/g, '"')
      .replace(/[‐‑–—−]/g, '-'),
  );
/** Nearly all characters are ASCII, for which a table of code units is much faster than a pattern. */
const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z\d]/i.test(String.fromCharCode(code)) ? 1 : 0));
const isWord = (character: string) => {
  const code = character.charCodeAt(0);
  return code < 128 ? ASCII_WORD[code] === 1 : /[\p{L}\p{M}\p{N}]/u.test(character);
};
const isUnspaced = (character: string) => /[\p{scx=Han}\p{scx=Kana}]/u.test(character);

/** Finds words in one document. Made once for a page; every lookup after that takes milliseconds, on pages of any size. */
export class PageIndex {
  /** All sentences, folded, a line each; `#starts` has the offset at which each begins. */
  readonly #text: string;
  readonly #starts: Uint32Array;
  readonly #search: MiniSearch<Sentence>;
  /** Each word of the page and the term it is indexed by: stemming a word anew wherever it stands takes half the time. */
  readonly #words = new Map<string, string>();
  readonly #found = new Map<string, Hits>();
  #indexed: Promise<void> | undefined;

  constructor(readonly document: Document) {
    const { sentences } = document;
    const folded = sentences.map(({ text }) => fold(text).replace(/\n/g, ' '));
    this.#starts = new Uint32Array(sentences.length);
    let offset = 0;
    for (const [at, line] of folded.entries()) {
      this.#starts[at] = offset;
      offset += line.length + 1;
    }
    this.#text = folded.join('\n');
    this.#search = new MiniSearch<Sentence>({
      idField: 'index',
      fields: ['text'],
      tokenize: wordsOf,
      processTerm: (word) => {
        const term = this.#words.get(word) ?? termOf(word);
        this.#words.set(word, term);
        return term;
      },
    });
  }

  /** Made when a word is first looked up, in slices, so that a book-length page does not hold up everything else. */
  async #index(): Promise<void> {
    const { sentences } = this.document;
    for (let at = 0; at < sentences.length; at += SLICE) {
      if (at > 0) await nextTurn();
      this.#search.addAll(sentences.slice(at, at + SLICE));
    }
  }

  /** Whether the text is there as it stands. */
  holds(text: string): boolean {
    return this.#literal(fold(text.trim())).length > 0;
  }

  /** Literally (whole words before parts of words), else by the section's title, stems and synonyms. */
  async find(keyword: string): Promise<Hits> {
    this.#indexed ??= this.#index();
    await this.#indexed;
    const wanted = fold(keyword.trim());
    let hits = this.#found.get(wanted);
    if (!hits) {
      const literal = this.#literal(wanted);
      hits =
        literal.length > 0
          ? { sentences: literal, related: false }
          : { sentences: this.#related(keyword), related: true };
      this.#found.set(wanted, hits);
    }
    return hits;
  }

  #literal(keyword: string): number[] {
    if (keyword === '') return [];
    const [first, last] = [Array.from(keyword)[0]!, Array.from(keyword).at(-1)!];
    // One or two letters are in nearly every word, and mean something only as a word.
    const wholeOnly = keyword.length <= 2 && !isUnspaced(first);
    if (wholeOnly && /^[a-z\d]+$/.test(keyword) && !this.#words.has(keyword)) return [];
    const whole: number[] = [];
    const partly: number[] = [];
    let at = this.#text.indexOf(keyword);
    while (at !== -1) {
      const sentence = this.#sentenceAt(at);
      const end = this.#starts[sentence + 1] ?? this.#text.length + 1;
      let isWhole = false;
      for (; at !== -1 && at < end && !isWhole; at = this.#text.indexOf(keyword, at + 1)) {
        const opens = isUnspaced(first) || !isWord(first) || !isWord(this.#text[at - 1] ?? ' ');
        const closes = isUnspaced(last) || !isWord(last) || !isWord(this.#text[at + keyword.length] ?? ' ');
        isWhole = opens && closes;
      }
      (isWhole ? whole : partly).push(sentence);
      if (at !== -1 && at < end) at = this.#text.indexOf(keyword, end);
    }
    return wholeOnly ? whole : [...whole, ...partly];
  }

  #sentenceAt(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #related(keyword: string): number[] {
    const section = this.document.sections.find(
      ({ title, start, end }) => end > start && title !== '' && sameTitle(title, keyword),
    );
    const groups: Query[] = [...new Set(tellingWords(keyword).map(termOf))].map((term) => ({
      combineWith: 'OR',
      queries: withSynonyms(term),
    }));
    const ask = (combineWith: 'AND' | 'OR') =>
      this.#search.search({ combineWith, queries: groups }, { processTerm: (term) => term });
    let found = groups.length === 0 ? [] : ask('AND');
    if (found.length === 0 && groups.length > 1) found = ask('OR');
    const ranked = found.slice(0, RELATED).map(({ id }) => id as number);
    return [...new Set([...(section ? [section.start] : []), ...ranked])];
  }

  /** Words of the page that are spelt much like the keyword's, once `find` was awaited. */
  nearestWords(keyword: string): string[] {
    const near = new Map<string, number>();
    for (const wanted of tellingWords(keyword)) {
      const most = Math.max(1, Math.floor(wanted.length / 4));
      for (const word of this.#words.keys()) {
        const more = Math.abs(word.length - wanted.length);
        if (more > 4 || word.length < 3) continue;
        const begins = wanted.length > 3 && word.startsWith(wanted.slice(0, 4));
        if (more > most && !begins) continue;
        const distance = begins ? 1 : editDistance(wanted, word);
        if (distance <= most) near.set(word, Math.min(distance, near.get(word) ?? 9));
      }
    }
    return [...near]
      .sort((one, other) => one[1] - other[1])
      .slice(0, 5)
      .map(([word]) => word);
  }
}
