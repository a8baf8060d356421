import type { Step } from '../../agent/trace';
import type { Context } from '../context';
import { Act } from './act';
import { Notices } from './notices';
import { Observed } from './observed';
import { Raw } from './raw';
import { ReasoningFold } from './reasoningFold';
import { ThoughtText } from './thoughtText';

/** A part of a step's card. It is made once and updated as the step grows. */
export interface StepPart {
  readonly node: HTMLElement;
  update(step: Step): void;
}

/** The parts of a card, in the order in which they are drawn: a new one is a file and a line here. */
export const PARTS: readonly ((context: Context, step: number) => StepPart)[] = [
  (context) => new Notices(context, 'before'),
  (context, step) => new ReasoningFold(context, step),
  () => new ThoughtText(),
  (context) => new Act(context),
  (context) => new Notices(context, 'after'),
  (context, step) => new Observed(context, step),
  (context, step) => new Raw(context, step),
];
