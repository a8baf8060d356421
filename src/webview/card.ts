import type { Step } from '../agent/trace';
import type { Context } from './context';
import { attribute, element, once } from './dom';
import { icon } from './icons';
import { outcomeSign } from './outcome';
import { PARTS, type StepPart } from './parts';
import { visible } from './text';

/** One step: its number as a heading, and the parts that it has so far. */
export class Card {
  readonly node: HTMLElement;
  private readonly heading: HTMLElement;
  private readonly parts: StepPart[];
  private readonly pending: HTMLElement;
  private readonly rawButton: HTMLButtonElement;
  private readonly sign = element('span', { class: 'sign', attributes: { 'aria-hidden': 'true' } });

  constructor(
    private readonly context: Context,
    private readonly step: number,
    current: boolean,
  ) {
    const { words } = context;
    this.parts = PARTS.map((make) => make(context, step));
    this.pending = element('p', { class: 'muted pending' });
    const raw = words.t('What the model saw in step {0}', step);
    this.rawButton = element(
      'button',
      { class: 'icon-button raw-button', attributes: { 'aria-label': raw, title: raw }, click: () => this.toggleRaw() },
      icon('raw'),
    );
    this.heading = element(
      'h2',
      { attributes: { id: `step-${step}` } },
      element('span', { class: 'visually-hidden' }, words.t('Step {0}', step)),
      this.sign,
    );
    const body = element('div', { class: 'body' }, this.rawButton, ...this.parts.map(({ node }) => node), this.pending);
    this.node = element(
      'div',
      {
        class: 'step',
        attributes: {
          role: 'listitem',
          'data-step': String(step),
          tabindex: current ? '0' : '-1',
          'aria-labelledby': `step-${step}`,
          'aria-posinset': String(step),
        },
      },
      this.heading,
      body,
    );
  }

  update(): void {
    const step = this.context.model.step(this.step);
    attribute(
      this.node,
      'aria-setsize',
      this.context.model.state === 'running' ? '-1' : String(this.context.model.lastStep),
    );
    const pending = this.waitsFor(step);
    once(this.pending, pending, () => [pending]);
    this.pending.hidden = pending === '';
    this.rawButton.hidden = !step?.requests.length;
    attribute(this.rawButton, 'aria-expanded', String(this.context.remembered.isOpen('raw', this.step)));
    this.showSign();
    for (const part of this.parts) {
      part.node.hidden = step === undefined;
      if (step) part.update(step);
    }
  }

  /** The step's number; the step that finished the run bears the sign of its end. */
  private showSign(): void {
    const end = this.context.model.endOf(this.step);
    const outcome = end && outcomeSign(end);
    once(this.sign, outcome?.sign ?? '', () => [outcome ? icon(outcome.sign) : String(this.step)]);
    this.heading.className = `number ${outcome?.kind ?? (this.step > 999 ? 'long' : '')}`;
    this.node.classList.toggle('final', outcome !== undefined);
  }

  /** What a step that is not complete waits for; '' when for nothing. */
  private waitsFor(step: Step | undefined): string {
    const { words, model } = this.context;
    if (!step) return words.t('Loading…');
    if (step.observation || step.action?.tool === 'Finish' || step.step !== model.lastStep) return '';
    if (model.state === 'interrupted') return words.t('Cut off here.');
    if (model.state !== 'running' || model.trace.end) return '';
    if (step.action) return words.t('Waiting for {0}…', visible(step.action.tool));
    if (step.reply || step.live) return '';
    if (model.paused) return words.t('Paused. Go on, or add a note for the model.');
    if (model.retryMs > 0) return words.t('Waiting for the next attempt…');
    return step.liveReasoning ? '' : words.t('Waiting for the model…');
  }

  setCurrent(current: boolean): void {
    attribute(this.node, 'tabindex', current ? '0' : '-1');
  }

  /** Unfolds or folds what the step observed. */
  toggle(): void {
    this.flip('observation');
  }

  toggleRaw(): void {
    this.flip('raw');
  }

  openSource(): void {
    const step = this.context.model.step(this.step);
    if (step) openSource(this.context, step);
  }

  /** The marked sentence, unfolded where it has to be. */
  mark(sentence: number): HTMLElement | undefined {
    const selector = `[data-sentence="${sentence}"]`;
    if (!this.node.querySelector(selector)) {
      this.context.remembered.setOpen('observation', this.step, true);
      this.update();
    }
    return this.node.querySelector<HTMLElement>(selector) ?? undefined;
  }

  private flip(part: string): void {
    const { remembered, refresh } = this.context;
    remembered.setOpen(part, this.step, !remembered.isOpen(part, this.step));
    refresh({ steps: new Set([this.step]) });
  }
}

/** Opens what a step observed: a web page by the browser, anything else by the host. */
export function openSource(context: Context, step: Step, sentence?: number): void {
  const url = step.observation?.document?.url;
  if (url === undefined || context.model.run === null) return;
  if (/^https?:/i.test(url)) context.send({ type: 'open-link', url });
  else {
    const place = sentence === undefined ? {} : { sentence };
    context.send({ type: 'open-source', run: context.model.run, step: step.step, ...place });
  }
}
