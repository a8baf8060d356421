import type { Context, Place, ViewElement } from '../context';
import { Announcer } from './announcer';
import { Answer } from './answer';
import { Composer } from './composer';
import { ErrorBar } from './errorBar';
import { FindBar } from './findBar';
import { Header } from './header';
import { KeysHelp } from './keysHelp';
import { Plan } from './plan';
import { StepList } from './stepList';
import { Timeline } from './timeline';
import { Welcome } from './welcome';

/** The elements of the view, in the order in which they are drawn: a new one is a file and a line here. */
export const ELEMENTS: readonly (readonly [Place, (context: Context, scroller: HTMLElement) => ViewElement])[] = [
  ['top', (context) => new Header(context)],
  ['top', (context) => new Timeline(context)],
  ['top', (context, scroller) => new FindBar(context, scroller)],
  ['before', (context) => new Welcome(context)],
  ['before', (context) => new Plan(context)],
  ['steps', (context, scroller) => new StepList(context, scroller)],
  ['after', (context) => new Answer(context)],
  ['bottom', (context) => new ErrorBar(context)],
  ['bottom', (context) => new Composer(context)],
  ['bottom', (context) => new Announcer(context)],
  ['bottom', (context) => new KeysHelp(context)],
];
