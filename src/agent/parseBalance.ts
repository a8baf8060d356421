/** Brackets that models use around an argument, full-width ones and mixed pairs included. */
const FAMILIES = [
  { open: '[【［', close: ']】］' },
  { open: '(（', close: ')）' },
  { open: '「『', close: '」』' },
  { open: '{', close: '}' },
  { open: '<〈《', close: '>〉》' },
];
export const OPENERS: ReadonlySet<string> = new Set(FAMILIES.flatMap(({ open }) => [...open]));

const QUOTES: Record<string, string> = { '"': '"', '“': '”', '`': '`', "'": "'" };
const BRACKETS = '()[]（）【】';
/** How far a line may go on after a bracket that may be the closing one, in characters. */
const MAX_DOUBT = 4000;
/** Longer than any interval, in characters. */
const MAX_INTERVAL = 40;
const INTERVAL = /^\s*[-+−]?[\w.∞π]+\s*[,，]\s*[-+−]?[\w.∞π]+\s*$/;

/** Characters that mean something to a balance, by code: all others only pass. */
const SPECIAL = new Uint8Array(0x10000);
for (const char of `\n \\"“”\`'()[]{}<>（）【】［］「」『』〈〉《》`) SPECIAL[char.charCodeAt(0)] = 1;

/**
 * Finds the bracket that closes an argument, a character at a time. A bracket inside quotes does not count, unless the quotes turn
 * out to be none (an inch sign, an apostrophe): then the first balanced bracket of the line is the end.
 * Half-open intervals such as (0, 1] and [0, 1) keep their brackets.
 */
export class Balance {
  /** Characters fed so far. */
  length = 0;
  /** Length up to and with a bracket that may be the closing one; the end of the line decides. */
  candidate = 0;
  /** Something other than white space and quotes stands inside. */
  filled = false;
  private readonly open: string;
  private readonly close: string;
  private readonly closeCodes: readonly number[];
  private readonly square: boolean;
  private depth = 1;
  private plainDepth = 1;
  private quote = '';
  private escaped = false;
  private last = '';
  private sinceBracket = '';
  private lastBracket = '';

  constructor(opener: string) {
    const family = FAMILIES.find(({ open }) => open.includes(opener));
    this.open = family?.open ?? opener;
    this.close = family?.close ?? opener;
    this.closeCodes = [...this.close].map((char) => char.charCodeAt(0));
    this.square = this.open.startsWith('[');
    this.last = opener;
  }

  /** Whether a character with this code can close the argument. */
  mayClose(code: number): boolean {
    return this.closeCodes.includes(code);
  }

  /** @returns true once the argument is closed: at `candidate` when that is set, else at the character just fed */
  feed(char: string): boolean {
    this.length += 1;
    if (this.candidate > 0 && this.length - this.candidate > MAX_DOUBT) return true;
    const collects = this.lastBracket !== '' && this.sinceBracket.length < MAX_INTERVAL;
    if (this.filled && !this.escaped && !collects && SPECIAL[char.charCodeAt(0)] === 0) {
      this.last = char;
      return false;
    }
    const closed = this.step(char);
    if (char !== ' ') this.last = char;
    return closed;
  }

  private step(char: string): boolean {
    if (char === '\n') {
      this.quote = '';
      return this.candidate > 0;
    }
    const opens = this.open.includes(char);
    const closes = !opens && this.close.includes(char);
    if (!this.filled && !closes && !(char in QUOTES) && char !== '”' && char.trim() !== '') this.filled = true;
    if (this.quote) {
      if (this.escaped) this.escaped = false;
      else if (char === '\\') this.escaped = true;
      else if (char === this.quote) this.quote = '';
      else if (opens) this.plainDepth += 1;
      else if (closes) {
        this.plainDepth -= 1;
        if (this.plainDepth === 0 && this.candidate === 0) this.candidate = this.length;
      }
      return false;
    }
    const quote = QUOTES[char];
    if (quote !== undefined && (char !== "'" || '([{=,:【（'.includes(this.last))) {
      this.quote = quote;
      return false;
    }
    if (opens) {
      this.depth += 1;
      this.plainDepth += 1;
    } else if (closes) {
      this.depth -= 1;
      this.plainDepth -= 1;
      if (this.depth === 0) {
        if (!this.endsInterval('(')) {
          this.candidate = 0;
          return true;
        }
        if (this.candidate === 0) this.candidate = this.length;
        this.depth = 1;
        this.plainDepth = 1;
      }
    } else if (char === ')' && this.depth > 1 && this.endsInterval('[')) {
      this.depth -= 1;
      this.plainDepth -= 1;
    }
    if (char === '(' || char === '[') {
      this.lastBracket = char;
      this.sinceBracket = '';
    } else if (BRACKETS.includes(char)) this.lastBracket = '';
    else if (this.lastBracket !== '' && this.sinceBracket.length < MAX_INTERVAL) this.sinceBracket += char;
    return false;
  }

  private endsInterval(opener: string): boolean {
    return this.square && this.lastBracket === opener && INTERVAL.test(this.sinceBracket);
  }
}

/** Finds the end of a JSON-like value, a character at a time; strings in either quotes, also with real line breaks in them. */
export class JsonBalance {
  private depth = 0;
  private quote = '';
  private escaped = false;
  private last = '';

  /** @returns true at the bracket that closes the value */
  feed(char: string): boolean {
    if (this.quote) {
      if (this.escaped) this.escaped = false;
      else if (char === '\\') this.escaped = true;
      else if (char === this.quote) {
        this.quote = '';
        this.last = char;
      }
      return false;
    }
    if (char === '"' || (char === "'" && '{[,:('.includes(this.last))) this.quote = char;
    else if (char === '{' || char === '[') this.depth += 1;
    else if (char === '}' || char === ']') this.depth -= 1;
    if (char.trim() !== '') this.last = char;
    return this.depth <= 0 && (char === '}' || char === ']');
  }
}
