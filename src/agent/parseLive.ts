/** The text to show while a reply streams: what may yet turn out to be no part of it is held back. */
export class LiveText {
  show = '';
  reasoning = '';
  private held = '';
  private heldFrom = 0;

  get isHolding(): boolean {
    return this.held !== '';
  }

  /**
   * Adds text that stands at `offset`, and releases everything before `until`.
   * @param channel 'none' for text that is never shown
   */
  add(text: string, offset: number, until: number, channel: 'show' | 'reasoning' | 'none'): void {
    if (this.held === '') {
      if (offset + text.length <= until) {
        this.emit(text, channel);
        return;
      }
      this.heldFrom = offset;
    }
    this.held += text;
    this.release(until, channel);
  }

  release(until: number, channel: 'show' | 'reasoning' | 'none'): void {
    const ready = until - this.heldFrom;
    if (ready <= 0 || this.held === '') return;
    if (ready >= this.held.length) {
      this.emit(this.held, channel);
      this.held = '';
      return;
    }
    this.emit(this.held.slice(0, ready), channel);
    this.held = this.held.slice(ready);
    this.heldFrom = until;
  }

  /** Forgets what is held back: it is no part of the reply. */
  drop(): void {
    this.held = '';
  }

  take(): { show: string; reasoning: string } {
    const { show, reasoning } = this;
    this.show = '';
    this.reasoning = '';
    return { show, reasoning };
  }

  private emit(text: string, channel: 'show' | 'reasoning' | 'none'): void {
    if (channel === 'show') this.show += text;
    else if (channel === 'reasoning') this.reasoning += text;
  }
}
