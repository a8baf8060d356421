import type { Card } from './card';
import type { Context } from './context';
import { element } from './dom';

/** A few neighbouring cards, which exist only near what is seen. Its height stays when they go, so nothing moves. */
export class Chunk {
  readonly node = element('div', { class: 'chunk', attributes: { role: 'presentation' } });
  private readonly cards = new Map<number, Card>();
  private filled = false;

  constructor(
    private readonly context: Context,
    readonly steps: number[],
    private readonly makeCard: (step: number) => Card,
  ) {
    this.node.style.height = `${steps.length * 9}em`;
  }

  card(step: number): Card | undefined {
    return this.cards.get(step);
  }

  add(step: number): void {
    this.steps.push(step);
    if (this.filled) this.append(step);
  }

  fill(): void {
    if (this.filled) return;
    this.filled = true;
    for (const step of this.steps) this.append(step);
    this.node.style.height = '';
    this.load();
  }

  /** Takes the cards away, unless one of them holds the keyboard or a selection. True when they are gone. */
  empty(): boolean {
    if (!this.filled) return true;
    const selection = document.getSelection();
    const selected = selection && !selection.isCollapsed && selection.containsNode(this.node, true);
    if (this.node.contains(document.activeElement) || selected) return false;
    this.node.style.height = `${this.node.offsetHeight}px`;
    this.node.replaceChildren();
    this.cards.clear();
    this.filled = false;
    return true;
  }

  private append(step: number): void {
    const card = this.makeCard(step);
    this.cards.set(step, card);
    this.node.append(card.node);
    card.update();
  }

  /** Asks for steps that are not here. */
  private load(): void {
    const { model, send } = this.context;
    const missing = this.steps.filter((step) => !model.step(step));
    const from = missing[0];
    const to = missing.at(-1);
    if (model.run !== null && from !== undefined && to !== undefined) send({ type: 'load', run: model.run, from, to });
  }
}
