import { costOf } from '../../agent/limits';
import { inputText } from '../../agent/tool';
import type { Step } from '../../agent/trace';
import type { Context } from '../context';
import { attribute, element, once, setText } from '../dom';
import { splitLive, visible } from '../text';
import type { StepPart } from '.';

/** The action: tool and input, and what it took in time and tokens. */
export class Act implements StepPart {
  private readonly tool = element('b', { class: 'tool searchable' });
  private readonly inputNode = document.createTextNode('');
  private readonly input = element('span', { class: 'input searchable' }, this.inputNode);
  private readonly took = element('span', { class: 'took' });
  readonly node = element('div', { class: 'act' }, this.tool, this.input, this.took);

  constructor(private readonly context: Context) {}

  update(step: Step): void {
    const { action } = step;
    const { words, model } = this.context;
    const live = step.live === undefined ? '' : splitLive(step.live).action;
    const tool = action?.tool ?? '';
    once(this.tool, tool, () => [visible(tool)]);
    this.tool.hidden = tool === '';
    // The input of Finish is the answer, which stands below in full.
    const input = action ? (tool === 'Finish' ? '' : inputText(action.input)) : live;
    setText(this.inputNode, visible(input));
    this.input.hidden = input === '';
    const took = this.describe(step);
    once(this.took, took, () => [took]);
    const cost = costOf(model.outline(step.step)?.usage, model.trace.start?.prices);
    attribute(this.took, 'title', cost === undefined ? null : words.cost(cost));
    this.node.hidden = tool === '' && input === '' && took === '';
  }

  private describe({ step, reply, observation }: Step): string {
    const { words, model } = this.context;
    const parts: string[] = [];
    if (reply) parts.push(words.t('model {0}', words.duration(reply.ms)));
    if (observation?.blocked) parts.push(words.t('not run'));
    else if (observation?.cached) parts.push(words.t('page from cache'));
    else if (observation && observation.ms > 0) parts.push(words.t('tool {0}', words.duration(observation.ms)));
    const used = model.outline(step)?.usage;
    if (reply && used) parts.push(words.used(used, undefined));
    else if (used === null && model.countsTokens) parts.push(words.t('tokens unknown'));
    return parts.join(' · ');
  }
}
