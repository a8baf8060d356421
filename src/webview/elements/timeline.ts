import type { StepOutline } from '../../agent/outline';
import type { Context, ViewElement } from '../context';
import { attribute, element } from '../dom';
import type { Change } from '../model';

/** More steps than this share segments: nobody can point at less than a few pixels. */
const MOST = 100;

/** Model and tool time, step by step, to scale. A click or the arrow keys go to a step. */
export class Timeline implements ViewElement {
  readonly node: HTMLElement;
  private segments: HTMLElement[] = [];
  private current = 1;
  /** Steps in a segment. */
  private size = 1;

  constructor(private readonly context: Context) {
    this.node = element('div', {
      class: 'timeline',
      attributes: {
        role: 'slider',
        tabindex: '0',
        'aria-label': context.words.t('Time by step'),
        'aria-orientation': 'horizontal',
        'aria-valuemin': '1',
      },
      click: (event) => this.goAt(event),
    });
    this.node.addEventListener('keydown', (event) => this.key(event));
  }

  update(change: Change): void {
    const { model } = this.context;
    const { outlines } = model;
    this.node.hidden = outlines.length === 0;
    if (change.reset) this.current = Math.max(1, model.lastStep);
    if (!change.reset && (change.happened.length === 0 || change.steps.size === 0)) return;
    const size = Math.max(1, Math.ceil(outlines.length / MOST));
    const wanted = Math.ceil(outlines.length / size);
    this.node.classList.toggle('dense', wanted > MOST / 2);
    while (this.segments.length > wanted) this.segments.pop()?.remove();
    while (this.segments.length < wanted) this.segments.push(this.addSegment());
    // What has not changed is left alone: a long run pays no more for an event than a short one.
    const all = change.reset || size !== this.size;
    const first = all ? 0 : outlines.findLastIndex(({ step }) => step <= Math.min(...change.steps));
    this.size = size;
    for (let index = Math.max(0, Math.floor(first / size)); index < wanted; index++) {
      show(this.segments[index]!, outlines.slice(index * size, (index + 1) * size));
    }
    attribute(this.node, 'aria-valuemax', String(Math.max(1, model.lastStep)));
    this.describe();
  }

  private addSegment(): HTMLElement {
    const segment = element(
      'span',
      { class: 'segment' },
      element('i', { class: 'model-time' }),
      element('i', { class: 'tool-time' }),
    );
    this.node.append(segment);
    return segment;
  }

  private describe(): void {
    const { model, words } = this.context;
    const outline = model.outline(this.current);
    attribute(this.node, 'aria-valuenow', String(this.current));
    const text = outline
      ? words.t(
          'Step {0}: model {1}, tool {2}',
          outline.step,
          words.duration(outline.modelMs),
          words.duration(outline.toolMs),
        )
      : '';
    attribute(this.node, 'aria-valuetext', text);
    attribute(this.node, 'title', text);
  }

  private goTo(step: number): void {
    this.current = Math.min(Math.max(1, step), Math.max(1, this.context.model.lastStep));
    this.describe();
    this.context.goToStep(this.current);
  }

  private goAt(event: MouseEvent): void {
    const { outlines } = this.context.model;
    const box = this.node.getBoundingClientRect();
    const total = outlines.reduce((sum, outline) => sum + span(outline), 0);
    let left = ((event.clientX - box.left) / box.width) * total;
    const hit = outlines.find((outline) => {
      left -= span(outline);
      return left <= 0;
    });
    this.goTo(hit?.step ?? this.context.model.lastStep);
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowRight: this.current + 1, ArrowLeft: this.current - 1, Home: 1, End: Number.MAX_SAFE_INTEGER };
    const wanted = step[event.key as keyof typeof step];
    if (wanted === undefined) return;
    event.preventDefault();
    this.goTo(wanted);
  }
}

/** A step without any time yet keeps a sliver, so that every step has its place. */
const span = (outline: StepOutline) => Math.max(1, outline.modelMs + outline.toolMs);

function show(segment: HTMLElement, outlines: readonly StepOutline[]): void {
  const modelMs = outlines.reduce((sum, outline) => sum + outline.modelMs, 0);
  const toolMs = outlines.reduce((sum, outline) => sum + outline.toolMs, 0);
  const total = outlines.reduce((sum, outline) => sum + span(outline), 0);
  segment.style.flexGrow = String(total);
  segment.classList.toggle(
    'failed',
    outlines.some((outline) => outline.failed),
  );
  const [model, tool] = segment.children as unknown as [HTMLElement, HTMLElement];
  model.style.flexGrow = String(modelMs);
  tool.style.flexGrow = String(toolMs);
}
