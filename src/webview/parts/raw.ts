import type { Message } from '../../agent/event';
import type { Step } from '../../agent/trace';
import type { CopyWhat, RawRequest } from '../../protocol';
import type { Context } from '../context';
import { element, once } from '../dom';
import type { RawStep } from '../model';
import { visible } from '../text';
import type { StepPart } from '.';

/** What the model really saw and wrote in a step: exact messages with the new ones marked, options, reply and usage. */
export class Raw implements StepPart {
  readonly node = element('div', { class: 'raw' });
  private askedFor = '';

  constructor(
    private readonly context: Context,
    private readonly step: number,
  ) {}

  update(step: Step): void {
    const { model, remembered, send } = this.context;
    const open = remembered.isOpen('raw', this.step);
    this.node.hidden = !open;
    if (!open) return;
    const raw = model.raw.get(this.step);
    // Asked again when the reply has come since, or another request went out.
    const wanted = `${step.requests.length} ${step.reply !== undefined}`;
    const current = raw && wanted === `${raw.requests.length} ${raw.reply !== null}`;
    if (!current && wanted !== this.askedFor && model.run !== null) {
      this.askedFor = wanted;
      send({ type: 'load-raw', run: model.run, step: this.step, whole: raw?.whole ?? false });
    }
    const state = raw ? `${raw.whole} ${raw.requests.length} ${raw.reply !== null}` : 'loading';
    once(this.node, state, () => (raw ? this.show(raw) : [this.context.words.t('Loading…')]));
  }

  private show(raw: RawStep): Node[] {
    const { words, send } = this.context;
    const copy = (label: string, what: CopyWhat) =>
      element('button', { class: 'button', click: () => send({ type: 'copy', what, step: this.step }) }, label);
    const nodes: Node[] = raw.requests.flatMap((request, index) => this.request(request, index, raw.requests.length));
    if (
      raw.requests.some(({ messages, lengths }) => messages.some(({ content }, at) => content.length < lengths[at]!))
    ) {
      const run = raw.run;
      const load = () => send({ type: 'load-raw', run, step: this.step, whole: true });
      nodes.push(element('button', { class: 'link', click: load }, words.t('Show the cut messages whole')));
    }
    if (raw.reply) nodes.push(...this.reply(raw.reply));
    const copies = [copy(words.t('Copy as text'), 'text'), copy(words.t('Copy as JSON'), 'json')];
    if (raw.requests.length > 0) copies.push(copy(words.t('Copy as curl'), 'curl'));
    return [...nodes, element('div', { class: 'buttons' }, ...copies)];
  }

  private request(request: RawRequest, index: number, count: number): Node[] {
    const { words } = this.context;
    const title = count > 1 ? words.t('Request {0} of {1}', index + 1, count) : words.t('Request');
    const options = Object.entries(request.options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    return [
      element('h3', {}, title),
      ...(request.rewritten
        ? [element('p', { class: 'muted' }, words.t('The history was rewritten for this request.'))]
        : []),
      ...(options.length > 0 ? [element('p', { class: 'options' }, visible(options.join('   ')))] : []),
      ...request.messages.map((message, at) => this.message(message, at >= request.newFrom)),
    ];
  }

  private message(message: Message, isNew: boolean): Node {
    const { words } = this.context;
    const calls = message.toolCalls?.map((call) => `\n${call.name}(${call.arguments})`).join('') ?? '';
    return element(
      'div',
      { class: isNew ? 'message new' : 'message' },
      element(
        'div',
        { class: 'role' },
        message.role,
        ...(isNew ? [element('span', { class: 'badge' }, words.t('new'))] : []),
      ),
      element('pre', { attributes: { dir: 'auto' } }, visible(message.content + calls)),
    );
  }

  private reply(reply: NonNullable<RawStep['reply']>): Node[] {
    const { words, model } = this.context;
    const { usage } = reply;
    const facts = [
      words.t('finish reason: {0}', reply.finishReason ?? words.t('unknown')),
      ...(reply.cut ? [words.t('cut by us')] : []),
      ...(reply.attempts > 1 ? [words.t('{0} attempts', reply.attempts)] : []),
      ...(reply.firstTokenMs === null ? [] : [words.t('first token after {0}', words.duration(reply.firstTokenMs))]),
      ...(usage ? [words.t('{0} prompt + {1} completion tokens', usage.prompt, usage.completion)] : []),
      ...(!usage && model.countsTokens ? [words.t('tokens unknown')] : []),
      ...(usage?.cached === undefined ? [] : [words.t('{0} from the cache', usage.cached)]),
      ...(usage?.reasoning === undefined ? [] : [words.t('{0} for reasoning', usage.reasoning)]),
    ];
    const calls = reply.toolCalls?.map((call) => `\n${call.name}(${call.arguments})`).join('') ?? '';
    return [
      element('h3', {}, words.t('Reply')),
      element('pre', { attributes: { dir: 'auto' } }, visible(reply.raw + calls)),
      element('p', { class: 'options' }, facts.join(' · ')),
    ];
  }
}
