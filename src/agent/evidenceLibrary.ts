import type { DocumentReference } from './event';
import { splitOutside } from './evidenceBrackets';
import { sentencesOf } from './evidenceClaims';
import type { Surroundings } from './evidenceMatch';
import { sumsOf } from './evidenceSums';
import { capitalsOf, type Reading, read, unitsOf } from './evidenceText';
import { inputText } from './tool';
import type { Step } from './trace';

/** An observed sentence and where it stands. */
export interface Observed {
  step: number;
  /** Index in its document; missing where the tool gave no sentences. */
  sentence?: number;
  document?: DocumentReference;
  text: string;
  reading: Reading;
  around: Surroundings;
}

/** All that was observed and may matter, each sentence once. */
export interface Library {
  sentences: Observed[];
  /** Which sentences hold a unit of text. */
  index: Map<string, number[]>;
  names: Set<string>;
  /** Whole statements by their bare text, for answers that copy one. */
  statements: Map<string, Observed[]>;
  /** Sums that were observed, see sumsOf: nearly always a calculator's. */
  sums: Map<string, Observed>;
}

/** Characters of a result without a page that may be a calculator's value. */
const VALUE_LENGTH = 200;

/** Reads every observed sentence that may matter once, however often it was shown. */
export function gather(steps: readonly Step[], question: string, matters: Matters): Library {
  const found: { part: string; step: Step; sentence?: number }[] = [];
  const seen = new Set<string>();
  for (const step of steps) {
    const { document, sentences: spans, hintAt, text: whole } = step.observation!;
    const text = whole.slice(0, hintAt);
    const asked = document ? '' : inputText(step.action!.input);
    if (!matters(text, document?.title) && !matters(asked)) continue;
    const add = (part: string, sentence?: number) => {
      if (!matters(part, document?.title)) return;
      const key = `${document?.hash ?? step.step}\n${part}`;
      if (seen.has(key)) return;
      seen.add(key);
      found.push({ part, step, ...(sentence === undefined ? {} : { sentence }) });
    };
    // A calculator's value says nothing without what was put in.
    if (!document && text.length <= VALUE_LENGTH) add(`${asked} = ${text}`);
    if (spans)
      for (const { index, start, end } of spans) for (const part of partsOf(text.slice(start, end))) add(part, index);
    else for (const sentence of sentencesOf(text)) for (const part of partsOf(sentence)) add(part);
  }
  const names = new Set([question, ...found.map(({ part }) => part)].flatMap((text) => [...capitalsOf(text, NONE)]));
  const pairs = new Set<string>();
  const titles = new Map<string, string[]>();
  const titleOf = (title: string) => {
    const tokens = titles.get(title) ?? read(title, names).tokens;
    titles.set(title, tokens);
    return tokens;
  };
  const sentences = found.map(({ part, step, sentence }): Observed => {
    const { document } = step.observation!;
    const reading = read(part, names);
    for (const pair of reading.namePairs) pairs.add(pair);
    return {
      step: step.step,
      text: part,
      reading,
      around: { title: document ? titleOf(document.title) : [], namePairs: pairs },
      ...(sentence === undefined ? {} : { sentence }),
      ...(document ? { document } : {}),
    };
  });
  const statements = new Map<string, Observed[]>();
  for (const sentence of sentences) {
    if (!isStatement(sentence.text)) continue;
    const key = bareText(sentence.text);
    statements.set(key, [...(statements.get(key) ?? []), sentence]);
  }
  const sums = new Map<string, Observed>();
  for (const sentence of sentences) {
    if (/[=≈]/.test(sentence.text)) for (const sum of sumsOf(sentence.text)) sums.set(sum, sums.get(sum) ?? sentence);
  }
  const index = new Map<string, number[]>();
  sentences.forEach(({ reading }, number) => {
    const years = reading.quantities.dates.map(({ year }) => `#${year}`);
    for (const unit of new Set([...unitsOf(reading.tokens), ...years])) {
      const places = index.get(unit);
      if (places) places.push(number);
      else index.set(unit, [number]);
    }
  });
  return { sentences, index, names, statements, sums };
}

const NONE: ReadonlySet<string> = new Set();

/** Letters of a word that its inflections share, roughly. */
const SHARED = 4;

/** Characters of an answer that tells by itself what it is about; “yes” and 是 do not. */
const TELLING = 12;

type Matters = (part: string, title?: string) => boolean;

/**
 * Whether a text, or the title of its page, can share anything with an answer: the beginning of a content word, a Chinese
 * character, or a number; of a very short answer, with its question. Reading sentences is dear, and most of what a long run
 * observed has nothing to do with its answer.
 */
export function mayMatter(answer: string, question: string): Matters {
  const { tokens } = read(answer.trim().length < TELLING ? `${answer}\n${question}` : answer);
  const words = tokens.filter((token) => !/^[#@%]/.test(token));
  const beginnings = new Set(words.map((word) => [...word].slice(0, SHARED).join('')));
  const plain = [...beginnings].every((word) => /^[\p{L}\p{N}]+$/u.test(word));
  if (words.length < tokens.length || words.length === 0 || !plain) return () => true;
  const any = new RegExp([...beginnings].join('|'), 'iu');
  // Only letters beyond ASCII can carry an accent that the words do without.
  const found = (part: string) =>
    any.test(part) || (/[^\0-\x7f]/.test(part) && any.test(part.normalize('NFD').replace(/\p{Mn}/gu, '')));
  return (part, title) => found(part) || (title !== undefined && found(title));
}

const partsOf = (sentence: string) => splitOutside(sentence, /(?<=[;；])\s*/);

/** A list's item or a heading names something; a sentence or a labelled value says something. */
const isStatement = (text: string) => /[.。!！]["”’」』)）]*$|\S[:：]\s*\S/.test(text);

/** A text as it is compared when it was copied: without case, spaces, emphasis and the mark at its end. */
export const bareText = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s*_`]+/g, '')
    .replace(/[.。;!]+$/, '');
