import type { StepOutline } from '../../agent/outline';
import { Card } from '../card';
import { Chunk } from '../chunk';
import type { Context, Filter, Target, ViewElement } from '../context';
import { element } from '../dom';
import type { Change } from '../model';

/** Cards in a chunk: chunks far out of sight are empty boxes of the right height. */
const CHUNK = 10;
/** Chunks are filled this far from what is seen. */
const MARGIN = '1200px 0px';
/** Above so many steps in memory, those of an emptied chunk are let go; the host has them. */
const KEPT_STEPS = 400;

function passes(outline: StepOutline, filter: Filter): boolean {
  if (filter.kind === 'errors') return outline.failed;
  if (filter.kind === 'notices') return outline.notices > 0;
  if (filter.kind === 'tool') return outline.tool === filter.tool;
  return true;
}

/** The steps as a list of cards that a keyboard can walk. Only cards near what is seen exist. */
export class StepList implements ViewElement {
  readonly node: HTMLElement;
  private chunks: Chunk[] = [];
  /** Steps that pass the filter, in order. */
  private shown: number[] = [];
  private current = 0;
  private readonly observer: IntersectionObserver;
  private readonly empty: HTMLElement;

  constructor(
    private readonly context: Context,
    private readonly scroller: HTMLElement,
  ) {
    const { words } = context;
    this.node = element('div', { class: 'list', attributes: { role: 'list', 'aria-label': words.t('Steps') } });
    this.empty = element('p', { class: 'muted no-match' }, words.t('No step passes the filter.'));
    this.observer = new IntersectionObserver((entries) => this.crossed(entries), {
      root: scroller,
      rootMargin: MARGIN,
    });
    this.node.addEventListener('keydown', (event) => this.key(event));
    this.node.addEventListener('focusin', (event) => {
      const card = (event.target as HTMLElement).closest<HTMLElement>('[data-step]');
      if (card) this.setCurrent(Number(card.dataset.step));
    });
  }

  update(change: Change): void {
    const { model, search } = this.context;
    if (change.reset) this.rebuild();
    for (const step of change.steps) {
      const outline = model.outline(step);
      const at = this.shown.lastIndexOf(step);
      if (at >= 0) this.chunkOf(at)?.card(step)?.update();
      else if (outline && passes(outline, search.filter)) this.insert(step);
    }
    this.node.hidden = this.shown.length === 0 && model.outlines.length === 0;
    if (this.shown.length === 0 && model.outlines.length > 0) this.node.before(this.empty);
    else this.empty.remove();
  }

  /** Draws the list anew, for another run or another filter. */
  private rebuild(): void {
    const { model, search } = this.context;
    const hadFocus = this.node.contains(document.activeElement);
    for (const chunk of this.chunks) this.observer.unobserve(chunk.node);
    this.shown = model.outlines.filter((outline) => passes(outline, search.filter)).map(({ step }) => step);
    this.chunks = [];
    this.node.replaceChildren();
    for (let at = 0; at < this.shown.length; at += CHUNK) this.addChunk(this.shown.slice(at, at + CHUNK));
    this.setCurrent(this.shown.includes(this.current) ? this.current : (this.shown.at(-1) ?? 0));
    // The end is what is looked at first: it is drawn at once, not when the observer gets round to it.
    this.chunks.at(-1)?.fill();
    if (hadFocus) this.takeFocus();
  }

  private addChunk(steps: number[]): Chunk {
    const chunk = new Chunk(this.context, steps, (step) => new Card(this.context, step, step === this.current));
    this.chunks.push(chunk);
    this.node.append(chunk.node);
    this.observer.observe(chunk.node);
    return chunk;
  }

  /** A step that has just begun. (One that comes late, in the middle, waits for the next rebuild.) */
  private insert(step: number): void {
    const last = this.shown.at(-1);
    if (last !== undefined && last > step) {
      this.rebuild();
      return;
    }
    this.shown.push(step);
    const chunk = this.chunks.at(-1);
    if (chunk && chunk.steps.length < CHUNK) chunk.add(step);
    else this.addChunk([step]).fill();
    if (this.current === 0) this.setCurrent(step);
  }

  private chunkOf(index: number): Chunk | undefined {
    return this.chunks[Math.floor(index / CHUNK)];
  }

  private crossed(entries: IntersectionObserverEntry[]): void {
    const { model } = this.context;
    for (const entry of entries) {
      const chunk = this.chunks.find((one) => one.node === entry.target);
      if (!chunk) continue;
      if (entry.isIntersecting) chunk.fill();
      else if (chunk !== this.chunks.at(-1) && chunk.empty() && model.trace.steps.length > KEPT_STEPS) {
        model.forget(chunk.steps);
      }
    }
    if (this.context.search.open) this.context.refresh();
  }

  /** The one card in the tab order. */
  private setCurrent(step: number): void {
    if (step === this.current) return;
    this.cardOf(this.current)?.setCurrent(false);
    this.current = step;
    this.cardOf(step)?.setCurrent(true);
  }

  private cardOf(step: number): Card | undefined {
    const at = this.shown.indexOf(step);
    return at < 0 ? undefined : this.chunkOf(at)?.card(step);
  }

  goTo(step: number, options: Target = {}): void {
    let at = this.shown.indexOf(step);
    if (at < 0 && this.context.model.outline(step)) {
      this.context.search.filter = { kind: 'all' };
      this.context.refresh();
      this.rebuild();
      at = this.shown.indexOf(step);
    }
    this.chunkOf(at)?.fill();
    const card = this.cardOf(step);
    if (!card) return;
    this.setCurrent(step);
    const mark = options.sentence === undefined ? undefined : card.mark(options.sentence);
    const { node } = card;
    if (mark) mark.scrollIntoView({ block: 'center' });
    else if (options.offset !== undefined) {
      const top = this.scroller.getBoundingClientRect().top;
      this.scroller.scrollTop += node.getBoundingClientRect().top - top - options.offset;
    } else node.scrollIntoView({ block: node.offsetHeight > this.scroller.clientHeight ? 'start' : 'nearest' });
    if (options.focus) card.node.focus({ preventScroll: true });
  }

  takeFocus(): void {
    const step = this.shown.includes(this.current) ? this.current : this.shown.at(-1);
    if (step === undefined) this.context.focusQuestion();
    else this.goTo(step, { focus: true });
  }

  private key(event: KeyboardEvent): void {
    // Single letters act only where a card itself has the keyboard, not in a field or on a button inside it.
    const card = event.target instanceof HTMLElement && event.target.dataset.step !== undefined;
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.shown.indexOf(this.current);
    const act: Record<string, () => void> = {
      ArrowDown: () => this.move(at + 1),
      j: () => this.move(at + 1),
      ArrowUp: () => this.move(at - 1),
      k: () => this.move(at - 1),
      Home: () => this.move(0),
      End: () => this.move(this.shown.length - 1),
      Enter: () => this.cardOf(this.current)?.toggle(),
      o: () => this.cardOf(this.current)?.openSource(),
      r: () => this.cardOf(this.current)?.toggleRaw(),
      '/': () => this.context.openFind(),
      '?': () => this.context.showKeys(),
    };
    const action = Object.hasOwn(act, event.key) ? act[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  }

  private move(at: number): void {
    const step = this.shown[at];
    if (step !== undefined) this.goTo(step, { focus: true });
  }
}
