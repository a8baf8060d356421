import type { FromWebview } from '../protocol';
import type { Change, Model } from './model';
import type { Remembered } from './remembered';
import type { Words } from './words';

/** What every element of the view is handed. */
export interface Context {
  readonly model: Model;
  readonly words: Words;
  readonly remembered: Remembered;
  /** What find and filter ask for; elements read it, the find bar writes it. */
  readonly search: Search;
  send(message: FromWebview): void;
  /** Draws again after something that no message tells: a fold, a filter. */
  refresh(change?: Partial<Change>): void;
  /** Scrolls to a step. */
  goToStep(step: number, options?: Target): void;
  /** Asks a question, unless one is on its way. */
  ask(question: string): void;
  /** Asks the question box to take the keyboard. */
  focusQuestion(): void;
  openFind(): void;
  showKeys(): void;
}

export interface Target {
  /** Gives the step the keyboard. */
  focus?: boolean;
  /** One of its marked sentences, which is what should be seen. */
  sentence?: number;
  /** How far its top is to stand from the view's, in CSS pixels; by default it is brought into sight. */
  offset?: number;
}

export type Filter = { kind: 'all' | 'errors' | 'notices' } | { kind: 'tool'; tool: string };

export interface Search {
  open: boolean;
  query: string;
  filter: Filter;
}

/** A part of the view. It is made once; `update` is called in an animation frame after something changed. */
export interface ViewElement {
  readonly node: HTMLElement;
  update(change: Change): void;
}

/** Where an element stands: above the scrolled part, in it before or after the steps, or below it. */
export type Place = 'top' | 'before' | 'steps' | 'after' | 'bottom';
