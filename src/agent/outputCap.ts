/** Tokens on top of the cap for a model that reasons before it replies: its reasoning counts towards the cap. */
const REASONING_TOKENS = 4096;
/** How far replies that were cut may raise the cap, in tokens. */
const MOST_TOKENS = 8192;
/** Where a window leaves less than this for a reply, the endpoint may say so itself. */
const LEAST_TOKENS = 256;

/** The output cap of one reply, in tokens. */
export class OutputCap {
  /** Of the request sent last. */
  private sent = 0;

  constructor(
    private visible: number,
    private readonly reasons: () => boolean,
  ) {}

  get tokens(): number {
    return this.visible + (this.reasons() ? REASONING_TOKENS : 0);
  }

  /** The cap of the next request, whose prompt leaves so many tokens of the window. */
  within(left: number): number {
    this.sent = left < LEAST_TOKENS ? this.tokens : Math.min(this.tokens, left);
    return this.sent;
  }

  /** Gives the reply after one that was cut more room. Returns false where more can't be given, or would not help. */
  raise(windowIsKnown: boolean): boolean {
    // The window cut it; or it is known only since then that the model reasons.
    if (this.sent < this.tokens) return !windowIsKnown;
    if (this.visible >= MOST_TOKENS) return false;
    this.visible = Math.min(MOST_TOKENS, this.visible * 2);
    return true;
  }
}
