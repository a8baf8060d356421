import type { Context, ViewElement } from '../context';
import { element, once, prose } from '../dom';
import { errorAction } from '../errorAction';
import { icon } from '../icons';

/** What went wrong outside a run, and the next action; stays until it is closed or a run begins. */
export class ErrorBar implements ViewElement {
  readonly node = element('div', { class: 'error-bar', attributes: { role: 'alert' } });

  constructor(private readonly context: Context) {}

  update(): void {
    const { model, words, send } = this.context;
    const { error } = model;
    this.node.hidden = !error;
    once(this.node, JSON.stringify(error ?? null), () => {
      if (!error) return [];
      const close = element('button', {
        class: 'icon-button',
        attributes: { 'aria-label': words.t('Close'), title: words.t('Close') },
        click: () => this.close(),
      });
      close.append(icon('close'));
      const action = errorAction(words, error.action, send);
      const text = element('div', { class: 'text' }, prose(error.message), prose(error.hint, 'prose muted'));
      if (action) text.append(element('div', { class: 'buttons' }, action));
      return [icon('warning'), text, close];
    });
  }

  private close(): void {
    this.context.model.error = undefined;
    this.context.focusQuestion();
    this.context.refresh();
  }
}
