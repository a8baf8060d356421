import { ExampleWatch } from './parseExample';
import type { Window } from './parseWindow';

/** How much of a line's end is looked at, in characters. */
export const RECENT = 120;
const SPACE = new Set(' \t\r\n\u3000\u00a0');

/** The line that is being read. */
export class Line {
  /** Offset of its beginning. */
  start = 0;
  /** Nothing but white space stands on it so far. */
  blank = true;
  /** The character before, on the same line. */
  last = '';
  private readonly example = new ExampleWatch();

  /** It belongs to an example: nothing on it is an action. */
  get isExample(): boolean {
    return this.example.inside;
  }

  begin(offset: number): void {
    this.start = offset;
    this.blank = true;
    this.last = '';
  }

  addRun(chunk: string, from: number, to: number): void {
    if (this.blank) this.blank = chunk.slice(from, to).trim() === '';
    this.last = chunk[to - 1] as string;
  }

  add(char: string): void {
    this.last = char;
    if (this.blank) this.blank = SPACE.has(char);
  }

  /** Its newline stands at `offset`. */
  end(offset: number, window: Window): void {
    if (this.blank) return;
    // Only a colon announces an example, and only a fence ends one.
    const announces = this.example.inside || this.last === ':' || this.last === '：' || SPACE.has(this.last);
    const end = announces ? window.slice(Math.max(this.start, offset - RECENT), offset) : '';
    this.example.endLine(window.slice(this.start, Math.min(offset, this.start + 8)), end);
  }
}
