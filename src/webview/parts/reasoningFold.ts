import type { Step } from '../../agent/trace';
import type { Context } from '../context';
import { element, setText } from '../dom';
import { Fold } from '../fold';
import { visible } from '../text';
import type { StepPart } from '.';

/** What a reasoning model wrote apart from its reply; folded. */
export class ReasoningFold implements StepPart {
  readonly node: HTMLElement;
  private readonly text = document.createTextNode('');
  private readonly content = element(
    'div',
    { class: 'prose muted searchable', attributes: { dir: 'auto' } },
    this.text,
  );
  private readonly fold: Fold;

  constructor(
    private readonly context: Context,
    step: number,
  ) {
    this.fold = new Fold(context, 'reasoning', step);
    this.node = element('div', { class: 'reasoning' }, this.fold.button, this.content);
  }

  update(step: Step): void {
    const text = (step.reasoning ?? '') || (step.liveReasoning ?? '');
    this.node.hidden = text === '';
    const open = this.fold.update(this.context.words.t('Reasoning'));
    this.content.hidden = !open;
    if (open) setText(this.text, visible(text));
  }
}
