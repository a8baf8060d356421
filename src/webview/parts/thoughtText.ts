import type { Step } from '../../agent/trace';
import { attribute, element, setText } from '../dom';
import { splitLive, visible } from '../text';
import type { StepPart } from '.';

/** The thought. While it is written its text node only grows, so a selection in it survives. */
export class ThoughtText implements StepPart {
  private readonly text = document.createTextNode('');
  readonly node = element('div', { class: 'thought prose searchable', attributes: { dir: 'auto' } }, this.text);

  update(step: Step): void {
    const live = step.live === undefined ? undefined : splitLive(step.live).thought;
    // Between a reply and the thought read from it, and after Stop, what was written stays.
    const nothingYet = step.action || step.observation ? '' : undefined;
    const text = step.thought ?? live ?? nothingYet;
    if (text !== undefined) setText(this.text, visible(text));
    this.node.hidden = this.text.data === '';
    attribute(this.node, 'data-live', step.thought === undefined && step.live !== undefined ? '' : null);
  }
}
