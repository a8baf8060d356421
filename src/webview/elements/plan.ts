import type { Context, ViewElement } from '../context';
import { element, once } from '../dom';
import { icon } from '../icons';
import { visible } from '../text';

/** The plan, with ticks at what is done. */
export class Plan implements ViewElement {
  readonly node = element('section', { class: 'plan' });

  constructor(private readonly context: Context) {}

  update(): void {
    const { model, words } = this.context;
    const items = model.trace.plan ?? [];
    this.node.hidden = items.length === 0;
    once(this.node, JSON.stringify(items), () => [
      element('h2', {}, words.t('Plan')),
      element(
        'ul',
        {},
        ...items.map(({ text, done }) =>
          element(
            'li',
            { class: done ? 'done' : '' },
            element('span', { class: 'box' }, ...(done ? [icon('check')] : [])),
            element('span', { class: 'visually-hidden' }, done ? words.t('Done:') : words.t('To do:')),
            element('span', { attributes: { dir: 'auto' } }, visible(text)),
          ),
        ),
      ),
    ]);
  }
}
