import type { DocumentReference } from './event';

/** One sentence (or list item, table row, infobox fact, code block) of a document. */
export interface Sentence {
  /** Position in the document, from 0; stable for the same text. */
  index: number;
  text: string;
  /** Index into `sections`. */
  section: number;
  kind?: 'text' | 'item' | 'row' | 'fact' | 'code';
  /** True where a new paragraph, list or table begins. */
  starts?: boolean;
}

export interface Section {
  /** '' for the lead. */
  title: string;
  /** 1 for the lead, 2 for `==`, … */
  level: number;
  /** Index of the first sentence, and one past the last (subsections not included). */
  start: number;
  end: number;
}

/** A page as evidence: where it came from, when, what it said, and its sentences with stable numbers. */
export interface Document {
  title: string;
  /** Fit to open in a browser, or `sample:Title`. */
  url: string;
  revision?: string;
  /** ISO 8601. */
  fetchedAt: string;
  /** SHA-256 of the sentences joined by newlines, hex. */
  hash: string;
  language?: string;
  sections: Section[];
  sentences: Sentence[];
  /** Other pages that a hatnote names, as exact titles. */
  alternatives?: string[];
}

/** What an observation keeps of its document. */
export function referenceTo(document: Document): DocumentReference {
  return {
    title: document.title,
    url: document.url,
    ...(document.revision === undefined ? {} : { revision: document.revision }),
    fetchedAt: document.fetchedAt,
    hash: document.hash,
    sentenceCount: document.sentences.length,
  };
}
