/** Tokens on top of the cap for a model that reasons before it replies: its reasoning counts towards the cap. */
const REASONING_TOKENS = 4096;
/** How far replies that were cut may raise the cap, in tokens. */
const MOST_TOKENS = 8192;
/** Where a window leaves less than this for a reply, the endpoint may say so itself. */
const LEAST_TOKENS = 256;

/** The output cap of one reply, in tokens. */
export class OutputCap {
  /** Of the request sent last, and what it would have been in a window without end. */
  private sent = 0;
  private wanted = 0;
  /** Tokens of the last reply that was cut. */
  private used: number | undefined;

  constructor(
    private visible: number,
    private readonly reasons: () => boolean,
  ) {}

  get tokens(): number {
    return this.visible + (this.reasons() ? REASONING_TOKENS : 0);
  }

  /** The cap of the next request, whose prompt leaves so many tokens of the window. */
  within(left: number): number {
    this.wanted = this.tokens;
    this.sent = left < LEAST_TOKENS ? this.wanted : Math.min(this.wanted, left);
    return this.sent;
  }

  /**
   * Gives the reply after one that was cut more room. Where more would not help: `window`, which cut it, or `most`.
   * @param used tokens of the reply that was cut, where the endpoint said: no more than before are a cap of its own
   */
  raise(used: number | undefined): 'raised' | 'window' | 'most' {
    if (this.sent < this.wanted) return 'window';
    // It is known only since then that the model reasons.
    if (this.tokens > this.wanted) return 'raised';
    const before = this.used;
    this.used = used;
    if (this.visible >= MOST_TOKENS || (used !== undefined && before !== undefined && used <= before)) return 'most';
    this.visible = Math.min(MOST_TOKENS, this.visible * 2);
    return 'raised';
  }
}
