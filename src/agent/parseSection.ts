import type { Label } from './parseLabels';

export type SectionLabel = Label | 'text' | 'call' | 'json' | 'markup';

/** A stretch of the reply under one label; it ends where the next begins. */
export interface Section {
  label: SectionLabel;
  /** Offset of its line. */
  at: number;
  /** Offset after the label. */
  content: number;
  /** The label had no colon. */
  weak?: boolean;
}

/** A stretch that is no part of the visible reply: a framing token, or reasoning with its tags. */
export interface Hole {
  from: number;
  to: number;
  reasoning?: { from: number; to: number };
  /** In `<thought>` tags: where the reply has no other Thought, it is that. */
  isThought?: boolean;
}

/**
 * What a label does in a section: ends the reply before it, opens a section, may begin another step inside an answer, or
 * is text like any other. An Observation ends the reply wherever it stands, and is not asked about.
 * @param actionIsUsable tells whether the action before it is whole
 */
export function labelEffect(
  before: SectionLabel,
  label: Label,
  actionIsUsable: () => boolean,
): 'end' | 'open' | 'may-act' | 'text' {
  if (before === 'input') return label === 'thought' || label === 'action' || label === 'final' ? 'end' : 'text';
  if (before === 'final') {
    if (label === 'action') return 'may-act';
    return label === 'question' || label === 'thought' ? 'end' : 'text';
  }
  if (before === 'answer' && label === 'question') return 'end';
  if (before === 'action' && label !== 'input' && actionIsUsable()) return 'end';
  const misplaced = (label === 'input' && before !== 'action') || (label === 'plan' && before === 'answer');
  return misplaced ? 'text' : 'open';
}
