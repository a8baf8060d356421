import { estimateNext } from '../../agent/estimate';
import type { Usage } from '../../agent/event';
import { costOf } from '../../agent/limits';
import { addUsage } from '../../agent/trace';
import type { Context, ViewElement } from '../context';
import { attribute, element, once } from '../dom';
import { type IconName, icon } from '../icons';
import { visible } from '../text';

/** A question longer than this begins as an excerpt, in UTF-16 units. */
const LONG_QUESTION = 400;

/** The question, how the run stands, what it has used, and the controls that make sense now. */
export class Header implements ViewElement {
  readonly node = element('div', { class: 'header' });
  private readonly question = element('h1', { class: 'question searchable', attributes: { dir: 'auto' } });
  private readonly whole: HTMLButtonElement;
  private readonly state = element('span', { class: 'state' });
  private readonly steps = element('span');
  private readonly elapsed = element('span', { class: 'elapsed' });
  private readonly used = element('span');
  private readonly next = element('span');
  private readonly model = element('span', { class: 'model', attributes: { dir: 'ltr' } });
  private readonly pause: HTMLButtonElement;
  private readonly controls: HTMLElement;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** The next attempt was waited for when the clock last ticked. */
  private retried = false;

  constructor(private readonly context: Context) {
    const { words, send } = context;
    this.whole = element('button', { class: 'link', click: () => this.toggleWhole() });
    const control = (name: IconName, label: string, click: () => void) =>
      element('button', { class: 'icon-button', attributes: { 'aria-label': label, title: label }, click }, icon(name));
    this.pause = control('pause', words.t('Pause'), () => this.pauseOrGoOn());
    this.controls = element(
      'span',
      { class: 'controls' },
      this.pause,
      control('step', words.t('Run one step, then pause'), () => send({ type: 'control', action: 'single-step' })),
      control('answer', words.t('Answer now with what was found'), () =>
        send({ type: 'control', action: 'answer-now' }),
      ),
      element('button', { class: 'button stop', click: () => send({ type: 'stop' }) }, icon('stop'), words.t('Stop')),
    );
    const find = control('search', words.t('Find and filter (/)'), () => context.openFind());
    const copy = control('copy', words.t('Copy all steps as text'), () => send({ type: 'copy', what: 'text' }));
    this.node.append(
      this.question,
      this.whole,
      element(
        'div',
        { class: 'meta' },
        this.state,
        element('span', { class: 'facts' }, this.steps, this.elapsed, this.used, this.model, this.next),
        element('span', { class: 'tools' }, this.controls, find, copy),
      ),
    );
    document.addEventListener('visibilitychange', () => this.tick());
  }

  update(): void {
    const { model, words, remembered } = this.context;
    const { start, end } = model.trace;
    this.node.hidden = model.state === 'idle';
    const question = start?.question ?? '';
    const long = question.length > LONG_QUESTION;
    const open = remembered.isOpen('question', 0);
    once(this.question, `${open}${question}`, () => [
      visible(long && !open ? `${question.slice(0, LONG_QUESTION)}…` : question),
    ]);
    this.whole.hidden = !long;
    attribute(this.whole, 'aria-expanded', String(open));
    this.whole.textContent = open
      ? words.t('Show less')
      : words.t('Show the whole question ({0} characters)', question.length);
    this.steps.textContent = words.plural(model.outlines.length, '{0} step', '{0} steps');
    const next = this.nextStep();
    this.used.textContent = this.usage();
    this.next.textContent = model.paused ? next : '';
    attribute(this.used, 'title', next || null);
    const name =
      start?.provider === 'researcher' ? words.t('built-in researcher (rules, no model)') : (start?.model ?? '');
    once(this.model, name, () => [visible(name)]);
    this.model.title = start ? `${start.provider} · ${name}` : '';
    this.controls.hidden = model.state !== 'running' || model.readOnly;
    const halted = model.paused || model.pausing;
    const label = halted ? words.t('Go on') : words.t('Pause');
    once(this.pause, label, () => [icon(halted ? 'play' : 'pause')]);
    attribute(this.pause, 'aria-label', label);
    attribute(this.pause, 'title', label);
    if (end) this.elapsed.textContent = words.duration(end.ms);
    this.showState();
    this.tick();
  }

  private showState(): void {
    const [kind, word] = this.describe();
    once(this.state, word, () => [element('span', { class: `dot ${kind}` }), element('span', {}, word)]);
    this.state.title = word;
  }

  private describe(): [kind: string, word: string] {
    const { model, words } = this.context;
    const { end } = model.trace;
    if (end?.outcome === 'answered') {
      return end.found === false ? ['warn', words.t('Not found')] : ['ok', words.t('Answered')];
    }
    if (end?.outcome === 'limit') return ['warn', words.t('Stopped at a limit')];
    if (end?.outcome === 'cancelled') return ['off', words.t('Stopped')];
    if (end?.outcome === 'failed') return ['bad', words.t('Failed')];
    if (model.state !== 'running') return ['warn', words.t('Interrupted')];
    if (model.paused) return ['off', words.t('Paused')];
    const { retryMs } = model;
    if (retryMs > 0) return ['warn', words.t('Retry in {0}', words.clock(retryMs + 999))];
    return ['run', model.pausing ? words.t('Pausing after step {0}', Math.max(1, model.lastStep)) : words.t('Running')];
  }

  private usage(): string {
    const { model, words } = this.context;
    const told = model.outlines.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
    if (told.length === 0) return '';
    const known = told.filter((usage) => usage !== null);
    if (known.length === 0) return model.countsTokens ? words.t('tokens unknown') : '';
    const total: Usage = { prompt: 0, completion: 0 };
    for (const usage of known) addUsage(total, usage);
    const { start, end } = model.trace;
    const used = words.used(total, end?.cost ?? costOf(total, start?.prices));
    return known.length < told.length ? words.t('at least {0}', used) : used;
  }

  /** What the next model call of a run that goes on is likely to use. */
  private nextStep(): string {
    const { model, words } = this.context;
    const next = model.state === 'running' ? estimateNext(model.trace.steps) : undefined;
    return next ? words.t('next step about {0}', words.used(next, costOf(next, model.trace.start?.prices))) : '';
  }

  /** The clock runs only while a run goes on and somebody can see it. */
  private tick(): void {
    const { model, words } = this.context;
    const start = model.trace.start;
    const runs = model.state === 'running' && !model.trace.end && start && !document.hidden;
    if (!runs) {
      clearInterval(this.timer);
      this.timer = undefined;
      if (!model.trace.end && model.state !== 'running') this.elapsed.textContent = '';
      return;
    }
    this.elapsed.textContent = words.clock(model.now() - Date.parse(start.time));
    this.showState();
    const retries = model.retryMs > 0;
    // No event tells that the wait is over: the step's card is told here.
    if (this.retried && !retries) this.context.refresh({ steps: new Set([model.lastStep]) });
    this.retried = retries;
    this.timer ??= setInterval(() => this.tick(), 1000);
  }

  private pauseOrGoOn(): void {
    const { model, send, refresh } = this.context;
    const action = model.paused || model.pausing ? 'resume' : 'pause';
    model.pausing = action === 'pause';
    send({ type: 'control', action });
    refresh();
  }

  private toggleWhole(): void {
    const { remembered, refresh } = this.context;
    remembered.setOpen('question', 0, !remembered.isOpen('question', 0));
    refresh();
  }
}
