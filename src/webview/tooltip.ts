import { element } from './dom';

/** One box that shows more about what the pointer or the keyboard is on; Escape closes it. */
export class Tooltip {
  readonly node = element('div', { class: 'tooltip', attributes: { role: 'tooltip', id: 'tooltip', dir: 'auto' } });

  constructor() {
    this.node.hidden = true;
  }

  attach(target: HTMLElement, text: string): void {
    const show = () => this.show(target, text);
    const hide = () => {
      this.node.hidden = true;
    };
    target.setAttribute('aria-describedby', 'tooltip');
    target.addEventListener('mouseenter', show);
    target.addEventListener('focus', show);
    target.addEventListener('mouseleave', hide);
    target.addEventListener('blur', hide);
    target.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.node.hidden) {
        event.stopPropagation();
        hide();
      }
    });
  }

  private show(target: HTMLElement, text: string): void {
    this.node.textContent = text;
    this.node.hidden = false;
    const frame = this.node.offsetParent?.getBoundingClientRect();
    if (frame) this.node.style.top = `${target.getBoundingClientRect().bottom - frame.top + 4}px`;
  }
}
