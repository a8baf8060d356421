const CHUNK = 50;
const REPEATS = 10;
/** Repeats count while they follow each other this closely, in characters. */
const NEAR = CHUNK * 5;
const CODE_FENCE = /^\s*(`{3}|~{3})/;
/** Lists, tables, quotations and rules repeat by nature. */
const STRUCTURED = /^\s*([|>+]|[*-]\s|#{1,6}\s|\d+[.)、]\s|[-=_*─═]{3})/;

/**
 * Notices a model that repeats itself without end: one stretch of text again and again, closely.
 * Lists, tables and fenced code start the count anew.
 */
export class Chanting {
  found = false;
  private line = '';
  private fenced = false;
  private window = '';
  private offset = 0;
  private seen = new Map<string, { last: number; gap: number; count: number }>();

  feed(text: string): void {
    for (let at = 0; at < text.length && !this.found; at++) this.step(text[at] as string);
  }

  private step(char: string): void {
    if (char === '\n') {
      if (CODE_FENCE.test(this.line)) {
        this.fenced = !this.fenced;
        this.reset();
      } else if (STRUCTURED.test(this.line)) this.reset();
      this.line = '';
    } else if (this.line.length < 16) this.line += char;
    if (this.fenced) return;
    this.offset += 1;
    this.window += char;
    if (this.window.length < CHUNK) return;
    if (this.window.length > CHUNK) this.window = this.window.slice(1);
    this.count();
  }

  private count(): void {
    const before = this.seen.get(this.window);
    const gap = before ? this.offset - before.last : 0;
    const count = before && gap <= NEAR ? before.count + 1 : 1;
    this.seen.set(this.window, { last: this.offset, gap, count });
    // Overlapping repeats of a short word must add up to as much text as repeats of a long one.
    if (count >= REPEATS && count * Math.max(gap, 1) >= CHUNK * REPEATS) this.found = true;
    if (this.seen.size > 2 * NEAR + CHUNK) this.forget();
  }

  /** Keeps only what can still be repeated closely. */
  private forget(): void {
    for (const [chunk, { last }] of this.seen) if (this.offset - last > NEAR) this.seen.delete(chunk);
  }

  private reset(): void {
    this.window = '';
    this.seen.clear();
  }
}
