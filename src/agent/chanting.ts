/** Characters of the stretch that is watched for. */
const CHUNK = 50;
const REPEATS = 10;
/** A repeat must come within this many characters of the one before. */
const NEAR = 5 * CHUNK;
const FENCE = /^\s*(`{3}|~{3})/;
/** Lists, tables, quotations and rules repeat by nature. */
const STRUCTURED = /^\s*([|>+]|[*•-]\s|#{1,6}\s|\d+[.)、]\s|[-=_*─═]{3})/;
const BASE = 31;

/**
 * Notices a model that repeats itself without end: the same stretch of text again and again, closely, whatever its period.
 * A line of a list, a table or fenced code starts the count anew.
 */
export class Chanting {
  found = false;
  private lineHead = '';
  private fenced = false;
  /** The last characters, as a ring, and their rolling hash: one comparison of numbers a character. */
  private readonly ring = new Uint16Array(CHUNK);
  private length = 0;
  private hash = 0;
  private anchor = 0;
  private anchorText = '';
  private since = 0;
  private count = 0;
  private repeated = 0;

  feed(text: string): void {
    for (let at = 0; at < text.length && !this.found; at++) {
      const code = text.charCodeAt(at);
      if (code === 10) this.endLine();
      else if (this.lineHead.length < 8) this.lineHead += text[at];
      if (!this.fenced) this.step(code);
    }
  }

  private endLine(): void {
    const fence = FENCE.test(this.lineHead);
    if (fence) this.fenced = !this.fenced;
    if (fence || STRUCTURED.test(this.lineHead)) this.restart();
    this.lineHead = '';
  }

  private step(code: number): void {
    const slot = this.length % CHUNK;
    const leaving = this.length >= CHUNK ? (this.ring[slot] ?? 0) : 0;
    this.ring[slot] = code;
    this.length += 1;
    this.hash = (Math.imul(this.hash, BASE) + code - Math.imul(leaving, HIGHEST)) | 0;
    if (this.length < CHUNK) return;
    this.since += 1;
    this.repeated += 1;
    if (this.count > 0 && this.hash === this.anchor && this.window() === this.anchorText) {
      this.since = 0;
      this.count += 1;
      // Overlapping repeats of one word must add up to as much text as repeats of a sentence.
      this.found = this.count > REPEATS && this.repeated >= CHUNK * REPEATS;
    } else if (this.count === 0 || this.since > NEAR) {
      this.anchor = this.hash;
      this.anchorText = this.window();
      this.since = 0;
      this.repeated = 0;
      this.count = 1;
    }
  }

  private window(): string {
    const from = this.length % CHUNK;
    return String.fromCharCode(...this.ring.subarray(from), ...this.ring.subarray(0, from));
  }

  private restart(): void {
    this.length = 0;
    this.hash = 0;
    this.count = 0;
    this.since = 0;
  }
}

/** BASE to the power of CHUNK: the weight of the character that leaves the window. */
const HIGHEST = Array.from({ length: CHUNK }).reduce((power: number) => Math.imul(power, BASE), 1);
