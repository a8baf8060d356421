import type { Window } from './parseWindow';

export type Channel = 'show' | 'reasoning' | 'none';

/** The text to show while a reply streams: what may yet turn out to be no part of it is held back. */
export class LiveText {
  /** Everything before this offset has been shown or skipped. */
  done = 0;
  private show = '';
  private reasoning = '';

  constructor(private readonly window: Window) {}

  /** Releases everything before `until`. */
  release(until: number, channel: Channel): void {
    if (until <= this.done) return;
    if (channel === 'show') this.show += this.window.slice(this.done, until);
    else if (channel === 'reasoning') this.reasoning += this.window.slice(this.done, until);
    this.done = until;
  }

  /** Leaves out what was not released before `until`. */
  skip(until: number): void {
    this.done = Math.max(this.done, until);
  }

  take(): { show: string; reasoning: string } {
    const { show, reasoning } = this;
    this.show = '';
    this.reasoning = '';
    return { show, reasoning };
  }
}
