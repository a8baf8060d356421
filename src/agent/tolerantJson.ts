export interface TolerantJson {
  value: unknown;
  /** Offset after the value. */
  end: number;
  /** The text is not strict JSON. */
  repaired: boolean;
}

/** Deeper nesting is no tool call, and would only exhaust the stack. */
const MAX_DEPTH = 64;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', null],
]);
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const CLOSING_QUOTES: Record<string, string> = { '"': '"', "'": "'", '“': '”', '`': '`', '‘': '’' };

/**
 * Reads one object or array as models write them: JSON, Python or JavaScript literals, comments, trailing commas, single quotes,
 * real line breaks and unescaped quotes in strings, a missing end.
 * @returns undefined where no such value begins at `start`
 */
export function readTolerantJson(text: string, start = 0): TolerantJson | undefined {
  const reader = new Reader(text, start);
  try {
    const value = reader.value(0);
    if (typeof value !== 'object' || value === null) return undefined;
    return { value, end: reader.at, repaired: reader.repaired };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

class Reader {
  repaired = false;
  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  value(depth: number): unknown {
    this.space();
    const char = this.text[this.at];
    if (char === undefined || depth > MAX_DEPTH) throw new Unreadable();
    if (char === '{') return this.object(depth);
    if (char === '[') return this.array(depth);
    if (char in CLOSING_QUOTES) return this.string(false);
    return this.word();
  }

  private object(depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    this.at += 1;
    for (;;) {
      this.separators();
      const char = this.text[this.at];
      if (char === '}') this.at += 1;
      if (char === undefined) this.repaired = true;
      if (char === undefined || char === '}') return Object.fromEntries(entries);
      const key = char in CLOSING_QUOTES ? this.string(true) : this.bareKey();
      this.space();
      if (this.text[this.at] === undefined) {
        this.repaired = true;
        return Object.fromEntries(entries);
      }
      if (!':：='.includes(this.text[this.at] ?? '')) throw new Unreadable();
      if (this.text[this.at] !== ':') this.repaired = true;
      this.at += 1;
      this.space();
      if (this.text[this.at] === undefined) continue;
      entries.set(key, this.value(depth + 1));
    }
  }

  private array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.at += 1;
    for (;;) {
      this.separators();
      const char = this.text[this.at];
      if (char === ']') this.at += 1;
      if (char === undefined) this.repaired = true;
      if (char === undefined || char === ']') return items;
      items.push(this.value(depth + 1));
    }
  }

  private string(isKey: boolean): string {
    const opening = this.text[this.at] as string;
    const closing = CLOSING_QUOTES[opening] as string;
    if (opening !== '"') this.repaired = true;
    const triple = this.text.startsWith(opening.repeat(3), this.at) && opening === closing;
    this.at += triple ? 3 : 1;
    const parts: string[] = [];
    let from = this.at;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) {
        this.repaired = true;
        parts.push(this.text.slice(from, this.at));
        return parts.join('');
      }
      if (char === '\\') {
        parts.push(this.text.slice(from, this.at), this.escape());
        from = this.at;
      } else if (char === closing && (triple ? this.text.startsWith(closing.repeat(3), this.at) : this.closes(isKey))) {
        parts.push(this.text.slice(from, this.at));
        this.at += triple ? 3 : 1;
        return parts.join('');
      } else {
        if (char === '\n') this.repaired = true;
        this.at += 1;
      }
    }
  }

  private escape(): string {
    const code = this.text[this.at + 1] ?? '';
    const hex = code === 'u' ? /^[0-9a-fA-F]{4}/.exec(this.text.slice(this.at + 2, this.at + 6)) : null;
    this.at += hex ? 6 : 1 + code.length;
    if (hex) return String.fromCharCode(Number.parseInt(hex[0], 16));
    return ESCAPES[code] ?? code;
  }

  /** A quote ends its string only where the syntax may go on; any other is an unescaped quote of the text. */
  private closes(isKey: boolean): boolean {
    let next = this.at + 1;
    // A bounded look: no real reply has more white space than this between tokens.
    for (let looked = 0; looked < 200 && /\s/.test(this.text[next] ?? ''); looked++) next += 1;
    const char = this.text[next];
    const closes = char === undefined || (isKey ? ':：=' : ',}]，/#').includes(char);
    if (!closes) this.repaired = true;
    return closes;
  }

  private bareKey(): string {
    const from = this.at;
    while (/[\w$.-]/.test(this.text[this.at] ?? '')) this.at += 1;
    if (this.at === from) throw new Unreadable();
    this.repaired = true;
    return this.text.slice(from, this.at);
  }

  private word(): unknown {
    const from = this.at;
    while (this.at < this.text.length && !',]}\n'.includes(this.text[this.at] as string)) this.at += 1;
    const word = this.text.slice(from, this.at).trim();
    if (word === '') throw new Unreadable();
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return Number(word);
    if (!['true', 'false', 'null'].includes(word)) this.repaired = true;
    return WORDS.has(word) ? WORDS.get(word) : word;
  }

  private separators(): void {
    for (;;) {
      this.space();
      const char = this.text[this.at];
      if (char !== ',' && char !== '，') return;
      this.at += 1;
      this.space();
      if ('}]'.includes(this.text[this.at] ?? ' ') || char !== ',') this.repaired = true;
    }
  }

  private space(): void {
    for (;;) {
      while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
      const two = this.text.slice(this.at, this.at + 2);
      if (two === '/*') {
        const end = this.text.indexOf('*/', this.at + 2);
        this.at = end < 0 ? this.text.length : end + 2;
      } else if (two === '//' || two[0] === '#') {
        const end = this.text.indexOf('\n', this.at);
        this.at = end < 0 ? this.text.length : end;
      } else return;
      this.repaired = true;
    }
  }
}

/** True for JSON as it should be. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
