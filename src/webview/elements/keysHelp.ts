import type { Context, ViewElement } from '../context';
import { element } from '../dom';

/** The list of keys, as a dialog: Escape closes it and the keyboard goes back to where it was. */
export class KeysHelp implements ViewElement {
  readonly node = element('dialog', { class: 'keys', attributes: { 'aria-labelledby': 'keys-title' } });

  constructor({ words }: Context) {
    const keys: [string, string][] = [
      ['j  k  ↓  ↑', words.t('next and previous step')],
      ['Home  End', words.t('first and last step')],
      ['Enter', words.t('unfold or fold the observation')],
      ['o', words.t('open the source')],
      ['r', words.t('what the model saw')],
      ['/', words.t('find and filter')],
      ['?', words.t('this list')],
    ];
    const list = element('dl', {});
    for (const [key, meaning] of keys) {
      list.append(
        element('dt', {}, ...key.split('  ').map((one) => element('kbd', {}, one))),
        element('dd', {}, meaning),
      );
    }
    const close = element('button', { class: 'button primary', click: () => this.node.close() }, words.t('Close'));
    this.node.append(
      element('h2', { attributes: { id: 'keys-title' } }, words.t('Keys in the list of steps')),
      list,
      close,
    );
  }

  open(): void {
    this.node.showModal();
  }

  update(): void {}
}
