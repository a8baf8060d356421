import type { Control, ControlAction, Notice } from '../../agent/event';
import type { Step } from '../../agent/trace';
import type { Context } from '../context';
import { element, prose } from '../dom';
import { icon } from '../icons';
import { visible } from '../text';
import type { StepPart } from '.';

/** Only told, no cause for worry. */
const QUIET: ReadonlySet<Notice['kind']> = new Set(['fit', 'retry', 'context', 'storage', 'repair']);

/** What comes before the model's reply, or after its action: whoever reads the card reads in the order of what happened. */
type When = 'before' | 'after';
const whenTold = ({ kind }: Notice): When => (kind === 'retry' ? 'before' : 'after');
const whenSaid = ({ action }: Control): When => (action === 'allow' || action === 'deny' ? 'after' : 'before');

/** What the user said in this step, and what the loop did about it. */
export class Notices implements StepPart {
  private readonly said = element('div');
  private readonly told = element('div');
  readonly node = element('div', { class: 'notices' }, this.said, this.told);

  constructor(
    private readonly context: Context,
    private readonly when: When,
  ) {}

  update(step: Step): void {
    const notices = step.notices.filter((notice) => whenTold(notice) === this.when);
    const controls = step.controls.filter((control) => whenSaid(control) === this.when);
    this.node.hidden = notices.length + controls.length === 0;
    // Appended one by one: what was unfolded stays so.
    for (const notice of notices.slice(this.told.childElementCount)) this.told.append(this.notice(notice));
    for (const { action, text } of controls.slice(this.said.childElementCount)) {
      this.said.append(
        element('div', { class: 'notice quiet' }, icon('note'), prose(this.describe(action, text), 'prose')),
      );
    }
  }

  private notice({ kind, text, partial }: Notice): HTMLElement {
    const quiet = QUIET.has(kind);
    const body = element('div', {}, prose(text, 'prose searchable'), ...(partial ? [this.broken(partial)] : []));
    return element('div', { class: quiet ? 'notice quiet' : 'notice' }, icon(quiet ? 'note' : 'warning'), body);
  }

  /** What a stream wrote until it broke off: no part of the reply, but never lost. */
  private broken(partial: string): HTMLElement {
    const summary = element('summary', {}, this.context.words.t('What was written until then'));
    return element('details', {}, summary, element('pre', { attributes: { dir: 'auto' } }, visible(partial)));
  }

  private describe(action: ControlAction, text: string | undefined): string {
    const { words } = this.context;
    const label = {
      pause: words.t('You paused the run.'),
      resume: words.t('You let the run go on.'),
      'single-step': words.t('You let one step run.'),
      note: words.t('Your note:'),
      'answer-now': words.t('You asked for the answer now.'),
      allow: words.t('You allowed this action.'),
      deny: words.t('You refused this action.'),
    }[action];
    return text ? `${label} ${text}` : label;
  }
}
