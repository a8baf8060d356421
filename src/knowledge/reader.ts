import type { Document } from '../agent/document';
import { PageIndex } from './lookup';

interface OpenPage {
  document: Document;
  /** How many hits of a keyword were shown, and how many parts of a section; a new Search starts afresh. */
  shown: Map<string, number>;
  index?: PageIndex;
}

/** The page that lies open in a run, shared by its tools. A miss leaves it open. */
export class Reader {
  #open: OpenPage | undefined;
  readonly #byRequest = new Map<string, OpenPage>();

  get document(): Document | undefined {
    return this.#open?.document;
  }

  /** The open page's words. */
  get index(): PageIndex | undefined {
    if (this.#open) this.#open.index ??= new PageIndex(this.#open.document);
    return this.#open?.index;
  }

  /** Opens a page. @param request the tool and its input, so that the same request can reopen it */
  open(document: Document, request: string): void {
    this.#open = { document, shown: new Map() };
    this.#byRequest.set(request, this.#open);
  }

  /** Opens an earlier page again, where it was left. */
  reopen(request: string): void {
    this.#open = this.#byRequest.get(request) ?? this.#open;
  }

  /** How many of the hits or parts called `key` were shown on the open page. */
  shown(key: string): number {
    return this.#open?.shown.get(key) ?? 0;
  }

  /** Notes that the first `count` hits or parts called `key` were shown. */
  show(key: string, count: number): void {
    this.#open?.shown.set(key, count);
  }
}
