import type { Step } from '../../agent/trace';
import type { Context } from '../context';
import { element, setText } from '../dom';
import { Fold } from '../fold';
import { visible } from '../text';
import type { StepPart } from '.';

/** What a reasoning model wrote apart from its reply; folded, but for the line that is being written. */
export class ReasoningFold implements StepPart {
  readonly node: HTMLElement;
  private readonly text = document.createTextNode('');
  private readonly content = element(
    'div',
    { class: 'prose muted searchable', attributes: { dir: 'auto' } },
    this.text,
  );
  private readonly lastText = document.createTextNode('');
  private readonly last = element(
    'div',
    { class: 'last-line muted', attributes: { dir: 'auto', 'aria-hidden': 'true' } },
    element('span', {}, this.lastText),
  );
  private readonly fold: Fold;

  constructor(
    private readonly context: Context,
    step: number,
  ) {
    this.fold = new Fold(context, 'reasoning', step);
    this.node = element('div', { class: 'reasoning' }, this.fold.button, this.last, this.content);
  }

  update(step: Step): void {
    const text = (step.reasoning ?? '') || (step.liveReasoning ?? '');
    this.node.hidden = text === '';
    const { words } = this.context;
    const writing = Boolean(step.liveReasoning) && !step.live;
    const open = this.fold.update(writing ? words.t('The model reasons…') : words.t('Reasoning'));
    this.content.hidden = !open;
    this.last.hidden = open || !writing;
    if (open) setText(this.text, visible(text));
    else if (writing) setText(this.lastText, visible(text.trimEnd().split('\n').at(-1) ?? ''));
  }
}
