import { element } from './dom';
import { icon } from './icons';
import { visible } from './text';
import type { Words } from './words';

/** A text field lays out all of its text at each key: longer pieces, in UTF-16 units, are kept beside it. */
const LARGE = 20_000;
/** So much of a piece is shown. */
const EXCERPT = 80;

/** A large piece of text that goes along with the question: shown as an excerpt with its size, and removable. */
export class PastedText {
  readonly node = element('div', { class: 'pasted' });
  text = '';

  constructor(
    private readonly words: Words,
    private readonly changed: () => void,
  ) {
    this.set('');
  }

  static isLarge(text: string): boolean {
    return text.length > LARGE;
  }

  add(text: string): void {
    this.set(this.text === '' ? text : `${this.text}\n\n${text}`);
    this.changed();
  }

  set(text: string): void {
    if (text === this.text && this.node.hidden === (text === '')) return;
    this.text = text;
    this.node.hidden = text === '';
    if (text === '') return;
    const label = this.words.t('Remove the pasted text');
    const remove = element('button', {
      class: 'icon-button',
      attributes: { type: 'button', 'aria-label': label, title: label },
      click: () => {
        this.set('');
        this.changed();
      },
    });
    remove.append(icon('close'));
    const lines = text.split('\n').length;
    const size = this.words.t('Pasted: {0} lines, {1} characters', lines, text.length);
    const start = element('span', { class: 'muted', attributes: { dir: 'auto' } }, visible(text.slice(0, EXCERPT)));
    this.node.replaceChildren(element('span', { class: 'size' }, size), start, remove);
  }
}
