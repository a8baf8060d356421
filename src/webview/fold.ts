import type { Context } from './context';
import { attribute, element } from './dom';
import { icon } from './icons';

/** A button that unfolds a part of a step, remembered over reloads. */
export class Fold {
  readonly button: HTMLButtonElement;
  private readonly label = document.createTextNode('');

  constructor(
    private readonly context: Context,
    private readonly part: string,
    private readonly step: number,
  ) {
    this.button = element('button', { class: 'fold', click: () => this.toggle() }, icon('right'), this.label);
  }

  /** Shows the label for the state that it is in, and says whether the part is open. */
  update(closed: string, open = closed): boolean {
    const isOpen = this.context.remembered.isOpen(this.part, this.step);
    this.label.data = isOpen ? open : closed;
    attribute(this.button, 'aria-expanded', String(isOpen));
    return isOpen;
  }

  private toggle(): void {
    const { remembered, refresh } = this.context;
    remembered.setOpen(this.part, this.step, !remembered.isOpen(this.part, this.step));
    refresh({ steps: new Set([this.step]) });
  }
}
