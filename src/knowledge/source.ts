import type { Document } from '../agent/document';
import type { Language } from '../agent/event';

/** A page worth opening, as its exact title and, where known, one line on what it is about. */
export interface SimilarPage {
  title: string;
  description?: string;
}

/** What became of a title. */
export type Resolution =
  | {
      kind: 'page';
      document: Document;
      /** The title that was asked for, where it leads to this page. */
      redirectedFrom?: string;
      /** Title of the section that the redirect points at. */
      sectionTitle?: string;
      cached?: boolean;
      /** Said to the model before the text, in its language: why this page was opened for that title. */
      note?: string;
    }
  | { kind: 'disambiguation'; title: string; url: string; senses: SimilarPage[]; cached?: boolean }
  | { kind: 'missing'; similar: SimilarPage[]; suggestion?: string };

export type PageResolution = Extract<Resolution, { kind: 'page' }>;

/** Where pages come from: a wiki, a package registry, a site described in settings. */
export interface KnowledgeSource {
  /** Names the source to people and models: `en.wikipedia.org`, `sample wiki`. */
  readonly name: string;
  /**
   * Finds the page that a title means.
   * @param title as the model wrote it: quotes, URL form and other spellings are this method's business
   * @throws SourceUnavailable when the source could not be asked, which says nothing about the page; an AbortError
   */
  resolve(title: string, options: { language: Language }, signal: AbortSignal): Promise<Resolution>;
}

/** Why a source gave no answer. */
export type UnavailableReason =
  | 'network'
  | 'timeout'
  | 'forbidden'
  | 'unauthorized'
  | 'busy'
  | 'unreadable'
  | 'no-wiki';

/** The source could not be asked: never to be shown as a page that does not exist. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable';
  /** A sentence more for the model, in the run's language. */
  readonly aside: string | undefined;
  /** True when `detail` is what the source itself wrote, which is not to be trusted. */
  readonly quoted: boolean;
  constructor(
    readonly reason: UnavailableReason,
    /** Host or name of the source. */
    readonly place: string,
    /** What the machine said, short: `HTTP 403`, `ECONNREFUSED`, an API's error. */
    readonly detail = '',
    options: { cause?: unknown; aside?: string; quoted?: boolean } = {},
  ) {
    super(`${place}: ${reason}${detail && ` (${detail})`}`, options);
    this.aside = options.aside;
    this.quoted = options.quoted ?? false;
  }
}
