import type { Observation, SentenceSpan } from '../../agent/event';
import type { Step } from '../../agent/trace';
import { withoutFence } from '../../agent/untrusted';
import { openSource } from '../card';
import type { Context } from '../context';
import { element, once } from '../dom';
import { Fold } from '../fold';
import { link } from '../link';
import { siteName } from '../site';
import { cutPoint, visible } from '../text';
import type { StepPart } from '.';

/** A folded observation shows about so much, in UTF-16 units; less where the tool was not run and nothing is new. */
const EXCERPT = 320;
const EXCERPT_OF_REPEAT = 140;

/** What the tool returned, with its source, and with the sentences marked that carry the answer. */
export class Observed implements StepPart {
  readonly node = element('div', { class: 'observed' });
  private readonly source = element('div', { class: 'source' });
  private readonly text = element('div', { class: 'prose searchable', attributes: { dir: 'auto' } });
  private readonly fold: Fold;

  constructor(
    private readonly context: Context,
    private readonly step: number,
  ) {
    this.fold = new Fold(context, 'observation', step);
    this.node.append(this.source, this.text, this.fold.button);
  }

  update(step: Step): void {
    const { observation } = step;
    this.node.hidden = !observation;
    if (!observation) return;
    const { words, model } = this.context;
    this.node.classList.toggle('failed', !observation.ok);
    const flags = this.flags(observation);
    once(this.source, `${observation.document?.url} ${flags.join()}`, () => this.describe(step, flags));
    this.source.hidden = this.source.childNodes.length === 0;
    // A repeat tells earlier text again between the fence's marks, and has no offsets that would move.
    const text = observation.blocked ? withoutFence(observation.text) : observation.text;
    const end = cutPoint(text, observation.blocked ? EXCERPT_OF_REPEAT : EXCERPT);
    this.fold.button.hidden = end === text.length;
    const open = this.fold.update(words.t('Show all ({0} characters)', text.length), words.t('Show less'));
    const marked = new Set(
      model.trace.end?.support
        ?.filter((one) => one.step === this.step && one.status !== 'none')
        .map((one) => one.sentence),
    );
    const spans = (observation.sentences ?? []).filter((span) => marked.has(span.index));
    const shown = open ? text.length : end;
    once(this.text, `${shown}:${spans.map(({ index }) => index).join()}`, () => {
      const { sentences = [], hintAt = text.length } = observation;
      const from = sentences[0]?.start ?? 0;
      const said = { from, to: Math.max(from, sentences.at(-1)?.end ?? hintAt) };
      return pieces(text, shown, spans, said);
    });
  }

  private flags({ ok, blocked, document, sentences }: Observation): string[] {
    const { words } = this.context;
    const flags: string[] = [];
    if (document && sentences?.length) flags.push(this.range(sentences, document.sentenceCount));
    if (blocked) flags.push(words.t('not run'));
    if (!ok && !blocked) flags.push(words.t('no result'));
    return flags;
  }

  private range(sentences: readonly SentenceSpan[], count: number | undefined): string {
    const { words } = this.context;
    const first = sentences[0]!.index + 1;
    const last = sentences.at(-1)!.index + 1;
    if (first === last) {
      return count === undefined ? words.t('sentence {0}', first) : words.t('sentence {0} of {1}', first, count);
    }
    const connected = last - first + 1 === sentences.length;
    const range = connected
      ? `${words.number(first)}–${words.number(last)}`
      : `${words.number(first)} … ${words.number(last)}`;
    return count === undefined ? words.t('sentences {0}', range) : words.t('sentences {0} of {1}', range, count);
  }

  private describe(step: Step, flags: string[]): (Node | string)[] {
    const document = step.observation?.document;
    const site = document && siteName(document.url, this.context.words);
    const parts: (Node | string)[] = [];
    if (site) parts.push(element('span', {}, site));
    if (document) {
      const open = () => openSource(this.context, step);
      parts.push(link(visible(document.title), document.url, open, 'searchable'));
    }
    for (const flag of flags) parts.push(element('span', {}, flag));
    return parts;
  }
}

/**
 * The text up to `shown`, its evidence marked; what is marked beyond that follows, so that no fold hides the evidence.
 * What the source did not say (the page's title, what else can be looked up) stands back.
 */
function pieces(
  text: string,
  shown: number,
  marks: readonly SentenceSpan[],
  said: { from: number; to: number },
): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  const push = (from: number, to: number) => {
    const aside = (start: number, end: number) => {
      if (start < end) nodes.push(element('span', { class: 'aside' }, visible(text.slice(start, end))));
    };
    const [first, last] = [Math.max(from, said.from), Math.min(to, said.to)];
    aside(from, Math.min(to, said.from));
    if (first < last) nodes.push(visible(text.slice(first, last)));
    aside(Math.max(from, said.to), to);
  };
  let at = 0;
  for (const { index, start, end } of marks) {
    if (start < at || end > text.length) continue;
    if (start >= shown) {
      push(at, shown);
      nodes.push(' … ');
    } else {
      push(at, start);
    }
    nodes.push(element('mark', { attributes: { 'data-sentence': String(index) } }, visible(text.slice(start, end))));
    at = end;
  }
  push(at, shown);
  if (Math.max(at, shown) < text.length) nodes.push('\u00a0…'); // never alone on a line
  return nodes;
}
