/** Ways of working that are off by default; each is read where it acts (prompt, loop, ending). */
export interface Strategies {
  /** Sub-goals first, shown and ticked off. */
  plan?: boolean;
  /** After trouble, the next thought begins with what failed and what to change. */
  reflect?: boolean;
  /** A question that needs no tool may be finished at once, marked as without sources. */
  direct?: boolean;
  /** How many direct answers to sample when the loop found nothing; the majority one is given, marked as from memory. 0: off. */
  selfConsistency?: number;
  /** The user's own additions to the manual. */
  instructions?: string;
  /** The user's own worked examples, instead of ours. */
  examples?: readonly string[];
}
