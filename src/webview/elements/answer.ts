import { type Citation, type CitedClaim, citationsOf } from '../../agent/citations';
import type { ErrorAction } from '../../agent/errors';
import type { RunEnd } from '../../agent/event';
import { openSource } from '../card';
import type { Context, ViewElement } from '../context';
import { element, once, prose } from '../dom';
import { errorAction } from '../errorAction';
import { icon } from '../icons';
import { link } from '../link';
import { markdown } from '../markdown';
import { outcomeSign } from '../outcome';
import { placeAfterClaim } from '../placeAfterClaim';
import { siteName } from '../site';
import { visible } from '../text';
import { Tooltip } from '../tooltip';
import { goOn } from './goOn';

/** How the run ended: the answer with its citations and sources, or what went wrong and what to do next. */
export class Answer implements ViewElement {
  readonly node = element('section', { class: 'end' });
  private readonly tooltip = new Tooltip();
  private readonly asked = new Set<number>();

  constructor(private readonly context: Context) {}

  update(): void {
    const { model } = this.context;
    const { end } = model.trace;
    const interrupted = !end && (model.state === 'interrupted' || model.state === 'ended');
    this.node.hidden = !end && !interrupted;
    // The step that finished the run bears the sign; only where a filter hides it the end has one of its own.
    this.node.classList.toggle('joined', document.querySelector('.step.final') !== null);
    if (!end) {
      if (interrupted) once(this.node, 'interrupted', () => this.interrupted());
      return;
    }
    const claims = citationsOf(end, (step) => model.step(step));
    const missing = claims.flatMap(({ citation }) => (citation && !model.step(citation.step) ? [citation.step] : []));
    for (const step of new Set(missing)) this.load(step);
    once(this.node, `${model.run} ${end.time} ${missing.length}`, () => this.show(end, claims));
  }

  /** A cited step that was not sent yet: its sentence is wanted. */
  private load(step: number): void {
    const { model, send } = this.context;
    if (model.run === null || this.asked.has(step)) return;
    this.asked.add(step);
    send({ type: 'load', run: model.run, from: step, to: step });
  }

  private show(end: RunEnd, claims: readonly CitedClaim[]): Node[] {
    const { words, send, model } = this.context;
    const { sign, kind } = outcomeSign(end);
    const card = element('div', { class: `answer ${kind}` });
    const goesOn = !model.readOnly && model.outlines.some(({ tool }) => tool !== undefined);
    if (end.error) {
      const actions = model.readOnly ? [] : this.next(end.error.action, goesOn);
      card.append(
        element('div', { class: 'failure' }, prose(end.error.message), prose(end.error.hint, 'prose muted')),
        ...(actions.length > 0 ? [element('div', { class: 'buttons' }, ...actions)] : []),
      );
    } else if (end.outcome === 'limit') {
      card.append(element('p', { class: 'remark' }, words.t('The run reached a limit before the model answered.')));
    } else if (end.outcome === 'cancelled') {
      card.append(element('p', { class: 'remark' }, words.t('You stopped this run.')));
    }
    if (end.answer) card.append(...this.answer(end, end.answer, claims));
    const next = end.outcome === 'limit' && !model.readOnly ? goOn(this.context) : undefined;
    const copy = element('button', { class: 'button', click: () => send({ type: 'copy', what: 'answer' }) });
    copy.append(icon('copy'), words.t('Copy with sources'));
    const again = goesOn ? this.resume('button primary') : errorAction(words, 'retry', send);
    const stopped = end.outcome === 'cancelled' && !model.readOnly && again ? [again] : [];
    const buttons = [...(next?.buttons ?? []), ...stopped, ...this.connect(end), ...(end.answer ? [copy] : [])];
    if (buttons.length > 0) card.append(element('div', { class: 'buttons' }, ...buttons));
    if (next) card.append(next.form);
    const label = end.answer ? words.t('Answer') : words.t('How the run ended');
    return framed(label, icon(sign), kind, card, this.tooltip.node);
  }

  /** What helps after a failure: what the error names, then going on or asking again, and a look at the endpoint where one was asked. */
  private next(named: ErrorAction | undefined, goesOn: boolean): HTMLElement[] {
    const { words, send, model } = this.context;
    // What was found needs no second search.
    const instead = goesOn && named === 'retry' ? undefined : named;
    const first = errorAction(words, instead, send);
    const again = goesOn
      ? this.resume(first ? 'button' : 'button primary')
      : named !== 'retry' && errorAction(words, 'retry', send, 'button');
    const asksEndpoint = model.trace.start?.provider === 'openai' && named !== 'test-connection';
    const test = asksEndpoint && errorAction(words, 'test-connection', send, 'button');
    return [first, again, test].filter((button) => button instanceof HTMLElement);
  }

  private resume(look: string): HTMLElement {
    const { words, send } = this.context;
    const button = element('button', { class: look, click: () => send({ type: 'resume-run' }) }, words.t('Resume'));
    button.title = words.t('Resume goes on from the last complete step; nothing is paid twice.');
    return button;
  }

  /** The rules found nothing: a model may. */
  private connect({ found }: RunEnd): HTMLElement[] {
    const { words, send, model } = this.context;
    if (found !== false || model.readOnly || model.trace.start?.provider !== 'researcher') return [];
    const click = () => send({ type: 'command', id: 'select-model' });
    return [element('button', { class: 'button primary', click }, words.t('Connect a model'))];
  }

  private answer(end: RunEnd, answer: string, claims: readonly CitedClaim[]): Node[] {
    const { words, send } = this.context;
    const text = element('div', { class: 'markdown searchable' });
    const imageLabel = (alternative: string) =>
      alternative ? words.t('[image: {0}, not loaded]', alternative) : words.t('[image, not loaded]');
    text.append(markdown(answer, { openLink: (url) => send({ type: 'open-link', url }), imageLabel }));
    for (const claim of claims) this.cite(text, claim);
    const parts: Node[] = [];
    // Where the model wrote none, the best observation stands in its place, and says so itself.
    if (end.bestEffort && end.support?.length) {
      parts.push(element('p', { class: 'remark' }, words.t('Best effort, written from what was gathered so far:')));
    }
    parts.push(text);
    if (claims.length > 0) parts.push(this.verdict(claims));
    const sources = this.sources(end, claims);
    if (sources) parts.push(sources);
    return parts;
  }

  private cite(text: HTMLElement, { claim, citation, status }: CitedClaim): void {
    const { words, goToStep } = this.context;
    if (!citation) {
      if (status !== 'none') return;
      const mark = element('button', { class: 'unsupported' }, '?');
      this.tooltip.attach(mark, words.t('Not found word for word in what was read.'));
      placeAfterClaim(text, claim, element('sup', { class: 'cite' }, mark));
      return;
    }
    const button = element('button', {
      attributes: { 'aria-label': words.t('Source {0}', citation.number) },
      click: () => goToStep(citation.step, { sentence: citation.sentence, focus: true }),
    });
    button.append(`[${words.number(citation.number)}]`);
    const partly = status === 'partial' ? `${words.t('Found in part:')} ` : '';
    this.tooltip.attach(button, `${partly}${visible(citation.text ?? citation.title)}`);
    placeAfterClaim(text, claim, element('sup', { class: 'cite' }, button));
  }

  private verdict(claims: readonly CitedClaim[]): Node {
    const { words } = this.context;
    const found = claims.filter(({ status }) => status === 'verbatim').length;
    const partly = claims.filter(({ status }) => status === 'partial').length;
    const all = found === claims.length;
    const more = partly > 0 ? words.t(' ({0} in part)', partly) : '';
    const text =
      claims.length === 1
        ? words.t('{0} of 1 claim found word for word in the sources', found)
        : words.t('{0} of {1} claims found word for word in the sources', found, claims.length);
    return element(
      'p',
      { class: all ? 'verdict full' : 'verdict' },
      icon(all ? 'check' : 'warning'),
      element('span', {}, text + more),
    );
  }

  private sources(end: RunEnd, claims: readonly CitedClaim[]): Node | undefined {
    const { words } = this.context;
    const citations = new Map<number, Citation>();
    for (const { citation } of claims) if (citation) citations.set(citation.number, citation);
    const cited = new Set([...citations.values()].map(({ url }) => url));
    const others = end.sources.filter(({ url }) => !cited.has(url));
    if (citations.size + others.length === 0) return undefined;
    const items = [...citations.values()].map((citation) => this.citation(citation));
    const rest = others.map(({ title, url, steps }) => {
      const site = siteName(url, words);
      return element(
        'li',
        { attributes: { dir: 'auto' } },
        this.sourceLink(title, url, steps[0]),
        site ? ` · ${site}` : '',
      );
    });
    const lists: Node[] = [element('h3', {}, words.t('Sources'))];
    if (items.length > 0) lists.push(element('ul', { class: 'numbered' }, ...items));
    if (rest.length > 0) {
      if (items.length > 0) lists.push(element('p', { class: 'muted' }, words.t('Also read:')));
      lists.push(element('ul', {}, ...rest));
    }
    return element('div', { class: 'sources' }, ...lists);
  }

  private citation({ number, step, sentence, title, url, text }: Citation): Node {
    const { words } = this.context;
    const item = element(
      'li',
      { attributes: { dir: 'auto' } },
      `[${words.number(number)}] `,
      this.sourceLink(title, url, step, sentence),
    );
    item.append(words.t(', sentence {0}', sentence + 1));
    if (text) item.append(' — ', element('q', {}, element('bdi', {}, visible(text))));
    return item;
  }

  private sourceLink(title: string, url: string, step?: number, sentence?: number): Node {
    const found = step === undefined ? undefined : this.context.model.step(step);
    const open = () => {
      if (found) openSource(this.context, found, sentence);
      else this.context.send({ type: 'open-link', url });
    };
    return link(visible(title), url, open);
  }

  private interrupted(): Node[] {
    const { words, model } = this.context;
    const steps = model.lastStep;
    const card = element(
      'div',
      { class: 'answer warned' },
      element(
        'p',
        { class: 'remark' },
        words.t('The run was cut off at step {0}: its window or VS Code ended.', steps),
      ),
    );
    if (!model.readOnly) {
      card.append(
        element('p', { class: 'muted' }, words.t('Resume goes on from the last complete step; nothing is paid twice.')),
        element('div', { class: 'buttons' }, this.resume('button primary')),
      );
    }
    return framed(words.t('Interrupted'), icon('warning'), 'warned', card);
  }
}

function framed(label: string, sign: SVGElement, kind: string, ...content: Node[]): Node[] {
  const heading = element(
    'h2',
    { class: `number ${kind}` },
    element('span', { class: 'visually-hidden' }, label),
    sign,
  );
  return [heading, element('div', { class: 'body' }, ...content)];
}
