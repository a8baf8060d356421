/** How much of a line's end is remembered. */
const RECENT = 120;
const SPACE = new Set(' \t\r\n\u3000\u00a0');
const ANNOUNCES =
  /(for example|for instance|e\.g\.?|such as|like (this|so)|examples?|例如|比如|譬如|示例|举例|如下)[^\n]{0,30}[:：]$/i;

/** The line that is being read: its last characters, and whether it belongs to an example. */
export class Line {
  /** Nothing but white space so far. */
  blank = true;
  /** The character before. */
  last = '';
  private recent = '';
  private example: 'no' | 'line' | 'fence' = 'no';

  /** An example is the line, or the fenced block, after a line that announces it: nothing in it is an action. */
  get isExample(): boolean {
    return this.example !== 'no';
  }

  add(run: string): void {
    if (this.blank) this.blank = run.length === 1 ? SPACE.has(run) : run.trim() === '';
    this.last = run.length === 1 ? run : run.slice(-1);
    if (run.length >= RECENT) this.recent = run.slice(-RECENT);
    else this.recent = (this.recent.length > 4 * RECENT ? this.recent.slice(-RECENT) : this.recent) + run;
  }

  end(): void {
    if (!this.blank) this.noteExample();
    this.restart();
  }

  restart(): void {
    this.recent = '';
    this.blank = true;
    this.last = '';
  }

  /** The line without its last `count` characters; its beginning may be missing where it is long. */
  without(count: number): string {
    return this.recent.slice(0, Math.max(0, this.recent.length - count));
  }

  private noteExample(): void {
    const line = this.recent.trimEnd();
    const fence = /^\s*(```|~~~)/.test(line);
    if (this.example === 'fence') {
      if (fence) this.example = 'no';
    } else if (this.example === 'line' && fence) this.example = 'fence';
    else this.example = /[:：]$/.test(line) && ANNOUNCES.test(line.slice(-RECENT)) ? 'line' : 'no';
  }
}
