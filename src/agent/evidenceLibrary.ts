import type { DocumentReference } from './event';
import { sentencesOf } from './evidenceClaims';
import type { Surroundings } from './evidenceMatch';
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
}

/** Reads every observed sentence that may matter once, however often it was shown. */
export function gather(steps: readonly Step[], question: string, matters: (part: string) => boolean): Library {
  const texts = steps.map(({ observation }) => observation!.text.slice(0, observation!.hintAt));
  const names = new Set([question, ...texts.filter(matters)].flatMap((text) => [...capitalsOf(text, new Set())]));
  const sentences: Observed[] = [];
  const seen = new Set<string>();
  const pairs = new Set<string>();
  steps.forEach(({ step, action, observation }, at) => {
    const { document, sentences: spans } = observation!;
    const text = texts[at]!;
    const title = document ? read(document.title, names).tokens : [];
    const around: Surroundings = { title, namePairs: pairs };
    const add = (part: string, sentence?: number) => {
      const key = `${document?.hash ?? step}\n${part}`;
      if (seen.has(key) || !matters(part)) return;
      seen.add(key);
      const reading = read(part, names);
      for (const pair of reading.namePairs) pairs.add(pair);
      sentences.push({
        step,
        text: part,
        reading,
        around,
        ...(sentence === undefined ? {} : { sentence }),
        ...(document ? { document } : {}),
      });
    };
    // A calculator's value says nothing without what was put in.
    if (!document) add(`${inputText(action!.input)} = ${text}`);
    if (spans)
      for (const { index, start, end } of spans) for (const part of partsOf(text.slice(start, end))) add(part, index);
    else for (const sentence of sentencesOf(text)) for (const part of partsOf(sentence)) add(part);
  });
  const statements = new Map<string, Observed[]>();
  for (const sentence of sentences) {
    if (!isStatement(sentence.text)) continue;
    const key = bareText(sentence.text);
    statements.set(key, [...(statements.get(key) ?? []), sentence]);
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
  return { sentences, index, names, statements };
}

/** Letters of a word that its inflections share, roughly. */
const SHARED = 4;

/**
 * Whether a text can share anything with an answer and its question: the beginning of a content word, a Chinese character, or
 * a number. Reading sentences is dear, and most of what a long run observed has nothing to do with its answer.
 */
export function mayMatter(answerAndQuestion: string): (part: string) => boolean {
  const { tokens } = read(answerAndQuestion);
  const words = tokens.filter((token) => !/^[#@%]/.test(token));
  const beginnings = new Set(words.map((word) => [...word].slice(0, SHARED).join('')));
  const plain = [...beginnings].every((word) => /^[\p{L}\p{N}]+$/u.test(word));
  if (words.length < tokens.length || words.length === 0 || !plain) return () => true;
  const any = new RegExp([...beginnings].join('|'), 'iu');
  return (part) => any.test(part) || any.test(part.normalize('NFD').replace(/\p{Mn}/gu, ''));
}

const partsOf = (sentence: string) => sentence.split(/(?<=[;；])\s*/);

/** A list's item or a heading names something; a sentence or a labelled value says something. */
const isStatement = (text: string) => /[.。!！]["”’」』)）]*$|\S[:：]\s*\S/.test(text);

/** A text as it is compared when it was copied: without case, spaces, emphasis and the mark at its end. */
export const bareText = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s*_`]+/g, '')
    .replace(/[.。;!]+$/, '');
