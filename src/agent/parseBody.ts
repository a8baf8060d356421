import { Balance, JsonBalance } from './parseBalance';
import { extendFinish } from './parseForms';

/**
 * What becomes of a body: the reply ends at an offset; it was an answer without words, after which one may follow under
 * its own label; it was no action at all; undefined while that is open.
 */
export type Verdict = number | 'empty' | 'rejected' | undefined;

/** The bracket, object or markup of an action, while it is read. */
export interface Body {
  /** A bracket or an object that has not been closed. */
  readonly unclosed: boolean;
  /** A quoted label inside is nothing but text. */
  readonly quotes: boolean;
  /** All text before this offset is certainly part of the reply. */
  readonly certainUntil: number;
  /** Passes over a character; false where it may decide something, and has to be fed. */
  pass(code: number, char: string): boolean;
  feed(char: string, offset: number): Verdict;
  /** A tag that closes markup ends before `offset`. */
  closeTag?(offset: number): Verdict;
  /** The stream has ended at `offset`. */
  end(offset: number): Verdict;
}

/** How far a line is read past a bracket that may not be the last of its answer. */
const MAX_AFTER = 40;
const MAX_MARKUP_TRIES = 8;
/** What may follow a call without a label; anything else makes it the beginning of a sentence. */
const BARE_REST = /^[\s.。*_`"'”)]*$|^\s*[,，;；(（—–-]|^\s*(to|for|and|then|so|because)\b/i;

/** `Search[…`: once its bracket is closed, the rest of its line may still decide. */
export class CallBody implements Body {
  readonly quotes = false;
  private readonly balance: Balance;
  private closed = false;
  private rest = '';

  /**
   * @param callEnd offset after the opening bracket
   * @param bare no label stands before the call
   */
  constructor(
    opener: string,
    private callEnd: number,
    private readonly isFinish: boolean,
    private readonly bare: boolean,
  ) {
    this.balance = new Balance(opener);
  }

  get unclosed(): boolean {
    return !this.closed;
  }

  get certainUntil(): number {
    if (this.closed) return this.callEnd;
    return this.balance.candidate ? this.callEnd + this.balance.candidate : Number.POSITIVE_INFINITY;
  }

  pass(code: number, char: string): boolean {
    if (this.closed || this.balance.mayClose(code)) return false;
    this.balance.feed(char);
    return true;
  }

  feed(char: string): Verdict {
    if (!this.closed) return this.balance.feed(char) ? this.close() : undefined;
    if (char === '\n' || this.rest.length >= MAX_AFTER) return this.settle();
    this.rest += char;
    return undefined;
  }

  end(): Verdict {
    const verdict = !this.closed && this.balance.candidate ? this.close() : undefined;
    return verdict ?? (this.closed ? this.settle() : undefined);
  }

  private close(): Verdict {
    const inside = this.balance.candidate || this.balance.length;
    this.callEnd += inside;
    if (this.isFinish && !this.balance.filled) return 'empty';
    if (!this.isFinish && !this.bare) return this.callEnd;
    this.closed = true;
    const lineIsOver = inside < this.balance.length;
    return lineIsOver ? this.settle() : undefined;
  }

  private settle(): Verdict {
    if (this.bare && !BARE_REST.test(this.rest)) return 'rejected';
    return this.callEnd + ((this.isFinish && extendFinish('', this.rest)?.length) || 0);
  }
}

/** `{"action": …`. */
export class ObjectBody implements Body {
  readonly unclosed = true;
  readonly quotes = true;
  readonly certainUntil = Number.POSITIVE_INFINITY;
  private readonly balance = new JsonBalance();

  /** @param isAction tells whether the text up to an offset is an action; not asked where a label says so */
  constructor(
    opener: string,
    private readonly bare: boolean,
    private readonly isAction: (end: number) => boolean,
  ) {
    this.balance.feed(opener);
  }

  pass(code: number, char: string): boolean {
    if (code === 125 || code === 93) return false;
    this.balance.feed(char);
    return true;
  }

  feed(char: string, offset: number): Verdict {
    return this.balance.feed(char) ? this.settle(offset + 1) : undefined;
  }

  end(offset: number): Verdict {
    return this.bare ? this.settle(offset) : undefined;
  }

  private settle(end: number): Verdict {
    return !this.bare || this.isAction(end) ? end : 'rejected';
  }
}

/** `<tool_call>…`. */
export class MarkupBody implements Body {
  readonly unclosed = false;
  readonly quotes = true;
  readonly certainUntil = Number.POSITIVE_INFINITY;
  private tries = 0;

  /** @param isAction tells whether the text up to an offset is an action */
  constructor(private readonly isAction: (end: number) => boolean) {}

  pass(): boolean {
    return true;
  }

  feed(): Verdict {
    return undefined;
  }

  closeTag(offset: number): Verdict {
    return this.tries++ < MAX_MARKUP_TRIES && this.isAction(offset) ? offset : undefined;
  }

  end(): Verdict {
    return undefined;
  }
}
