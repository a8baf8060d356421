import type { Context } from './context';
import { element } from './dom';
import { icon } from './icons';
import type { Change } from './model';

/** So near to its end, in CSS pixels, the list counts as being read at the end. */
const NEAR = 48;

/**
 * Keeps the place in the list: at the end while a run is followed there, else where the reader is (the browser's scroll
 * anchoring holds it), with a button that says how many steps have come.
 */
export class Scroller {
  readonly node: HTMLButtonElement;
  private readonly label = document.createTextNode('');
  private following = true;
  private seen = 0;
  private selecting = false;
  /** What the list measured when it was last at its end: a scroll after a change of these is the layout's, not the reader's. */
  private measured = '';

  constructor(
    private readonly context: Context,
    private readonly scroller: HTMLElement,
  ) {
    this.node = element('button', { class: 'new-steps', click: () => this.toEnd() }, icon('down'), this.label);
    this.node.hidden = true;
    scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
    scroller.addEventListener('scrollend', () => this.remember());
    document.addEventListener('selectionchange', () => {
      const selection = document.getSelection();
      this.selecting = selection?.isCollapsed === false && scroller.contains(selection.anchorNode);
    });
    // Cards grow after they are drawn (fonts, zoom, unfolding at the end), and the view itself changes its size.
    const observer = new ResizeObserver(() => this.stick());
    observer.observe(scroller);
    for (const child of scroller.children) observer.observe(child);
  }

  /** After a draw: goes on following, or counts what has come out of sight. */
  settle(change: Change): void {
    const { model, remembered, words } = this.context;
    if (change.reset) {
      this.seen = model.lastStep;
      this.following = !remembered.position;
      if (remembered.position) {
        const { step, offset } = remembered.position;
        this.context.goToStep(step, { offset });
      }
    }
    this.stick();
    if (this.following && !this.selecting) this.seen = model.lastStep;
    const missed = model.lastStep - this.seen;
    this.node.hidden = missed === 0;
    this.label.data = words.plural(missed, '{0} new step', '{0} new steps');
  }

  /** Someone wants to see another place than the end. */
  letGo(): void {
    this.following = false;
  }

  private get atEnd(): boolean {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < NEAR;
  }

  private stick(): void {
    if (!this.following || this.selecting) return;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.measured = this.measure();
  }

  private measure(): string {
    const { scrollHeight, clientHeight, clientWidth } = this.scroller;
    return `${scrollHeight} ${clientHeight} ${clientWidth}`;
  }

  private toEnd(): void {
    this.context.goToStep(this.context.model.lastStep, { focus: true });
    this.following = true;
    this.selecting = false;
    this.stick();
    this.context.refresh();
  }

  private scrolled(): void {
    if (this.following && this.measure() !== this.measured) this.stick();
    else this.following = this.atEnd;
    if (this.following && !this.node.hidden) this.context.refresh();
  }

  private remember(): void {
    if (this.atEnd) {
      this.context.remembered.savePosition(undefined);
      return;
    }
    const top = this.scroller.getBoundingClientRect().top;
    for (const card of this.scroller.querySelectorAll<HTMLElement>('[data-step]')) {
      const box = card.getBoundingClientRect();
      if (box.bottom <= top) continue;
      this.context.remembered.savePosition({ step: Number(card.dataset.step), offset: box.top - top });
      return;
    }
  }
}
