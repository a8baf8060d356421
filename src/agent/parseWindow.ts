/** The newest stretch of a growing text, by offsets of the whole: what a scanner still needs of it. */
export class Window {
  private from = 0;
  private kept = '';
  private chunk = '';
  private chunkFrom = 0;

  /** Adds a chunk, and forgets what stands before `needed`. */
  add(chunk: string, needed: number): void {
    const end = this.chunkFrom + this.chunk.length;
    this.kept = this.slice(Math.max(needed, this.from), end);
    this.from = end - this.kept.length;
    this.chunk = chunk;
    this.chunkFrom = end;
  }

  /** The text between two offsets, as far as it was kept. */
  slice(from: number, to: number): string {
    const { chunkFrom } = this;
    const late = to > chunkFrom ? this.chunk.slice(Math.max(0, from - chunkFrom), to - chunkFrom) : '';
    if (from >= chunkFrom) return late;
    return this.kept.slice(Math.max(0, from - this.from), Math.max(0, to - this.from)) + late;
  }
}
