import type { Draft } from '../protocol';

/** What VS Code keeps for a view while its document is gone. */
export interface StateStore {
  getState(): unknown;
  setState(state: unknown): void;
}

/** Where a person was reading: a step, and how far its top stood from the view's, in CSS pixels. */
export interface ReadingPosition {
  step: number;
  offset: number;
}

interface Stored {
  run: string | null;
  open: string[];
  position?: ReadingPosition;
  draft?: Draft;
}

/** A larger draft is kept by the host alone. */
const MAX_DRAFT = 65_536;

/** Folds, reading position and draft, as they were before the view was hidden, moved or reloaded. */
export class Remembered {
  private stored: Stored;
  private readonly opened: Set<string>;

  constructor(private readonly store: StateStore) {
    this.stored = readStored(store.getState());
    this.opened = new Set(this.stored.open);
  }

  get draft(): Draft | undefined {
    return this.stored.draft;
  }

  /** Where this run was being read, when it is the one that was shown last. */
  get position(): ReadingPosition | undefined {
    return this.stored.position;
  }

  /** Another run begins with nothing unfolded. */
  showRun(run: string | null): void {
    if (run === this.stored.run) return;
    this.opened.clear();
    this.stored = { run, open: [], ...(this.stored.draft && { draft: this.stored.draft }) };
    this.store.setState(this.stored);
  }

  isOpen(part: string, step: number): boolean {
    return this.opened.has(`${part}:${step}`);
  }

  setOpen(part: string, step: number, open: boolean): void {
    if (open) this.opened.add(`${part}:${step}`);
    else this.opened.delete(`${part}:${step}`);
    this.save({ open: [...this.opened].slice(-500) });
  }

  savePosition(position: ReadingPosition | undefined): void {
    const { position: _, ...rest } = this.stored;
    this.stored = position ? { ...rest, position } : rest;
    this.store.setState(this.stored);
  }

  saveDraft(draft: Draft): void {
    if (draft.text.length <= MAX_DRAFT) this.save({ draft });
  }

  private save(change: Partial<Stored>): void {
    this.stored = { ...this.stored, ...change };
    this.store.setState(this.stored);
  }
}

/** An older version may have stored something else: what does not fit is left out. */
function readStored(state: unknown): Stored {
  const { run, open, position, draft } = (typeof state === 'object' && state !== null ? state : {}) as Partial<Stored>;
  const stored: Stored = { run: typeof run === 'string' ? run : null, open: [] };
  if (Array.isArray(open)) stored.open = open.filter((key) => typeof key === 'string');
  if (typeof position?.step === 'number' && typeof position.offset === 'number') stored.position = position;
  if (typeof draft?.text === 'string' && typeof draft.time === 'number') stored.draft = draft;
  return stored;
}
