import type { AgentEvent } from '../../agent/event';
import { inputText } from '../../agent/tool';
import type { Context, ViewElement } from '../context';
import { element } from '../dom';
import type { Change } from '../model';
import { visible } from '../text';

/** An announcement quotes about so much, in UTF-16 units. */
const QUOTE = 120;

/** The one live region: a step once, a notice once, the end once; never live text, clocks or counts. */
export class Announcer implements ViewElement {
  readonly node = element('div', {
    class: 'visually-hidden',
    attributes: { 'aria-live': 'polite', 'aria-atomic': 'true' },
  });
  private readonly announced = new Set<string>();
  private run: string | null = null;

  constructor(private readonly context: Context) {}

  update(change: Change): void {
    const { model } = this.context;
    if (model.run !== this.run) {
      this.announced.clear();
      this.node.textContent = '';
    }
    this.run = model.run;
    const lines = change.happened.map((event) => this.line(event)).filter((line) => line !== '');
    if (model.message) lines.push(model.message);
    model.message = '';
    if (lines.length > 0) this.node.textContent = visible(lines.join(' '));
  }

  private line(event: AgentEvent): string {
    const { words, model } = this.context;
    if (event.type === 'run-end') {
      const texts = {
        answered:
          event.found === false
            ? words.t('Not found: {0}', quote(event.answer ?? ''))
            : words.t('Answered: {0}', quote(event.answer ?? '')),
        limit: words.t('Stopped at a limit. {0}', quote(event.answer ?? '')),
        cancelled: words.t('Stopped'),
        failed: words.t('Failed: {0}', event.error?.message ?? ''),
      };
      return this.first('end') ? texts[event.outcome] : '';
    }
    if (event.type === 'notice') return this.first(`notice ${event.step}`) ? quote(event.text) : '';
    if (event.type !== 'observation' || !this.first(`step ${event.step}`)) return '';
    const action = model.step(event.step)?.action;
    const done = action ? `${action.tool} ${quote(inputText(action.input))}` : '';
    return words.t('Step {0}: {1}. {2}', event.step, done, quote(event.document?.title ?? event.text));
  }

  private first(key: string): boolean {
    if (this.announced.has(key)) return false;
    this.announced.add(key);
    return true;
  }
}

const quote = (text: string) => (text.length > QUOTE ? `${text.slice(0, QUOTE)}…` : text);
