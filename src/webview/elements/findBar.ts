import type { Context, Filter, ViewElement } from '../context';
import { attribute, element } from '../dom';
import { Highlights } from '../highlights';
import { type IconName, icon } from '../icons';
import type { Change } from '../model';

/** Finds in the data, not in what happens to be drawn, and filters the steps by kind. */
export class FindBar implements ViewElement {
  readonly node = element('search', { class: 'find' });
  private readonly input: HTMLInputElement;
  private readonly count = element('span', { class: 'count', attributes: { 'aria-live': 'off' } });
  private readonly filter: HTMLSelectElement;
  private readonly highlights: Highlights;
  private id = 0;
  private waiting = false;
  /** The words are new, so the first match is to be shown. What else asks again (a filter, an event) moves nothing. */
  private typed = false;
  /** Which of all matches is looked at, from 0. */
  private at = 0;
  private before: Element | null = null;
  private tools = '';

  constructor(
    private readonly context: Context,
    scroller: HTMLElement,
  ) {
    const { words } = context;
    this.highlights = new Highlights(document.body, scroller);
    const label = words.t('Find in the trace');
    this.input = element('input', {
      attributes: { type: 'text', 'aria-label': label, placeholder: label, maxlength: '1000' },
    });
    this.filter = element('select', { attributes: { 'aria-label': words.t('Show') } });
    const button = (name: IconName, text: string, click: () => void) =>
      element('button', { class: 'icon-button', attributes: { 'aria-label': text, title: text }, click }, icon(name));
    this.node.append(
      this.input,
      this.count,
      button('up', words.t('Previous match (Shift+Enter)'), () => this.move(-1)),
      button('down', words.t('Next match (Enter)'), () => this.move(1)),
      this.filter,
      button('keyboard', words.t('Keys (?)'), () => context.showKeys()),
      button('close', words.t('Close (Escape)'), () => this.close()),
    );
    this.input.addEventListener('input', () => {
      this.typed = true;
      this.ask();
    });
    this.filter.addEventListener('change', () => this.choose());
    this.node.addEventListener('keydown', (event) => this.key(event));
  }

  open(): void {
    const { search, refresh } = this.context;
    this.before = document.activeElement;
    search.open = true;
    this.node.hidden = false;
    this.input.focus();
    this.input.select();
    refresh();
  }

  update(change: Change): void {
    const { search, model } = this.context;
    this.node.hidden = !search.open;
    if (!search.open) {
      this.highlights.clear();
      return;
    }
    this.listTools();
    const { found } = model;
    if (found && found.id === this.id && this.waiting) {
      this.waiting = false;
      if (found.query !== this.input.value) this.ask();
      else this.take();
    } else if (change.reset || change.happened.some((event) => event.type !== 'model-request')) {
      this.ask();
    }
    this.show();
  }

  private get total(): number {
    return this.context.model.found?.matches.reduce((sum, match) => sum + match.count, 0) ?? 0;
  }

  /** One question to the host at a time: the next goes out with what is in the field by then. */
  private ask(): void {
    if (this.waiting) return;
    const query = this.input.value;
    this.context.search.query = query;
    if (query === '') {
      this.context.model.found = undefined;
      this.show();
      return;
    }
    this.waiting = true;
    this.context.send({ type: 'find', id: ++this.id, query });
  }

  private show(): void {
    const { words, search } = this.context;
    const total = this.total;
    this.count.textContent =
      search.query === ''
        ? ''
        : total === 0
          ? words.t('none')
          : words.t('{0} of {1}', Math.min(this.at + 1, total), total);
    this.highlights.show(search.query, this.place());
  }

  /** Takes a new count. */
  private take(): void {
    const last = Math.max(0, this.total - 1);
    this.at = this.typed ? 0 : Math.min(this.at, last);
    if (this.typed && this.total > 0) this.reveal();
    this.typed = false;
  }

  /** The step of the current match, and which of the step's matches it is. */
  private place(): { step: number; nth: number } | undefined {
    let left = this.at;
    for (const { step, count } of this.context.model.found?.matches ?? []) {
      if (left < count) return { step, nth: left };
      left -= count;
    }
    return undefined;
  }

  private move(by: number): void {
    const total = this.total;
    if (total === 0) return;
    this.at = (this.at + by + total) % total;
    this.reveal();
    this.show();
  }

  private reveal(): void {
    const { remembered, refresh, goToStep } = this.context;
    const place = this.place();
    if (!place) return;
    if (place.step > 0) {
      for (const part of ['observation', 'reasoning']) remembered.setOpen(part, place.step, true);
      goToStep(place.step);
      refresh({ steps: new Set([place.step]) });
    } else if (place.step === 0) {
      remembered.setOpen('question', 0, true);
      refresh();
    }
    this.highlights.scrollTo(place);
  }

  private listTools(): void {
    const { model, words, search } = this.context;
    const tools = [...new Set(model.outlines.flatMap(({ tool }) => (tool ? [tool] : [])))].sort();
    const value = search.filter.kind === 'tool' ? `tool:${search.filter.tool}` : search.filter.kind;
    if (tools.join() !== this.tools || this.filter.options.length === 0) {
      this.tools = tools.join();
      const option = (key: string, text: string) => element('option', { attributes: { value: key } }, text);
      this.filter.replaceChildren(
        option('all', words.t('All steps')),
        option('errors', words.t('Errors')),
        option('notices', words.t('Notices')),
        ...tools.map((tool) => option(`tool:${tool}`, tool)),
      );
    }
    this.filter.value = value;
  }

  private choose(): void {
    const { search, refresh } = this.context;
    const { value } = this.filter;
    const filter: Filter = value.startsWith('tool:')
      ? { kind: 'tool', tool: value.slice(5) }
      : { kind: value as 'all' | 'errors' | 'notices' };
    search.filter = filter;
    refresh({ reset: true });
  }

  private key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.close();
    } else if (event.key === 'Enter' && event.target === this.input) {
      event.preventDefault();
      this.move(event.shiftKey ? -1 : 1);
    }
  }

  private close(): void {
    const { search, refresh, focusQuestion } = this.context;
    search.open = false;
    if (search.filter.kind !== 'all') {
      search.filter = { kind: 'all' };
      refresh({ reset: true });
    }
    this.node.hidden = true;
    const back = this.before instanceof HTMLElement && this.before !== document.body && this.before.isConnected;
    if (back) (this.before as HTMLElement).focus();
    else focusQuestion();
    attribute(this.input, 'data-query', null);
    refresh();
  }
}
