import type { FromWebview, ToWebview } from '../protocol';
import type { Context, Place, Search, ViewElement } from './context';
import { element } from './dom';
import { ELEMENTS } from './elements';
import { Composer } from './elements/composer';
import { FindBar } from './elements/findBar';
import { KeysHelp } from './elements/keysHelp';
import { StepList } from './elements/stepList';
import { type Change, Model, noChange } from './model';
import { Remembered, type StateStore } from './remembered';
import { Scroller } from './scroller';
import { Words } from './words';

/** The line to the host, as VS Code hands it to a webview. */
export interface HostLine extends StateStore {
  postMessage(message: FromWebview): void;
}

/** The trace view: takes messages, folds them into the model, and lets each element draw what changed, once a frame. */
export class View {
  private readonly model = new Model();
  private readonly search: Search = { open: false, query: '', filter: { kind: 'all' } };
  private readonly remembered: Remembered;
  private elements: ViewElement[] = [];
  private scroller: Scroller | undefined;
  private context: Context | undefined;
  private change: Change = noChange();
  private frame = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly host: HostLine,
  ) {
    this.remembered = new Remembered(host);
    if (this.remembered.draft) this.model.draft = this.remembered.draft;
  }

  receive(message: ToWebview): void {
    this.model.receive(message, this.change);
    if (message.type === 'reset') {
      this.remembered.showRun(message.run);
      this.search.filter = { kind: 'all' };
      if (!this.context) this.build();
    }
    if (message.type === 'focus') this.focus(message.target);
    this.schedule();
  }

  private schedule(): void {
    if (this.context && this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.frame = 0;
    const change = this.change;
    this.change = noChange();
    const focused = document.activeElement;
    for (const one of this.elements) {
      try {
        one.update(change);
      } catch (error) {
        // One part that cannot draw something must not take the others with it.
        console.error(error);
      }
    }
    this.scroller?.settle(change);
    // What had the keyboard may be gone, for instance Stop at the end of a run: the list takes it, never the bare document.
    if (focused && focused !== document.body && !focused.checkVisibility()) this.find(StepList)?.takeFocus();
  }

  private build(): void {
    const { model, search, remembered } = this;
    document.documentElement.lang = model.settings.language;
    const places: Record<Place, HTMLElement> = {
      top: element('header', { class: 'top' }),
      before: element('div'),
      steps: element('div', { class: 'steps' }),
      after: element('div'),
      bottom: element('footer', { class: 'bottom' }),
    };
    const main = element('main', { class: 'scroller' }, places.before, places.steps, places.after);
    const context: Context = {
      model,
      search,
      remembered,
      words: new Words(model.settings.language, model.settings.strings),
      send: (message) => this.host.postMessage(message),
      refresh: (change) => {
        if (change?.reset) this.change.reset = true;
        for (const step of change?.steps ?? []) this.change.steps.add(step);
        this.schedule();
      },
      goToStep: (step, options) => {
        this.scroller?.letGo();
        this.find(StepList)?.goTo(step, options);
      },
      ask: (question) => this.find(Composer)?.ask(question),
      focusQuestion: () => this.find(Composer)?.focus(),
      openFind: () => this.find(FindBar)?.open(),
      showKeys: () => this.find(KeysHelp)?.open(),
    };
    this.context = context;
    this.scroller = new Scroller(context, main);
    this.elements = ELEMENTS.map(([place, make]) => {
      const made = make(context, main);
      places[place].append(made.node);
      return made;
    });
    const middle = element('div', { class: 'middle' }, main, this.scroller.node);
    this.root.replaceChildren(places.top, middle, places.bottom);
    this.change.reset = true;
  }

  private find<T extends ViewElement>(kind: abstract new (...values: never[]) => T): T | undefined {
    return this.elements.find((one): one is T => one instanceof kind);
  }

  private focus(target: 'question' | 'steps' | 'find'): void {
    if (target === 'question') this.context?.focusQuestion();
    else if (target === 'find') this.context?.openFind();
    else this.find(StepList)?.takeFocus();
  }
}
