import type { Context, ViewElement } from '../context';
import { attribute, element, once } from '../dom';
import type { Change } from '../model';
import { PastedText } from '../pastedText';

/** A draft is handed on when typing pauses for so long, in milliseconds. */
const DRAFT_PAUSE = 400;
/** An Enter this soon after a composition still belongs to the input method (some send it afterwards). */
const AFTER_COMPOSITION = 80;

/** The question box. While a run goes on it sends notes to it. */
export class Composer implements ViewElement {
  readonly node = element('form', { class: 'composer' });
  private readonly box: HTMLTextAreaElement;
  private readonly pasted: PastedText;
  private readonly follows = element('p', { class: 'follows muted' });
  private readonly button = element('button', { class: 'button primary', attributes: { type: 'submit' } });
  private composedAt = Number.NEGATIVE_INFINITY;
  private pending: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: Context) {
    this.box = element('textarea', { attributes: { rows: '1', dir: 'auto', spellcheck: 'false' } });
    this.pasted = new PastedText(context.words, () => {
      this.changed();
      this.box.focus();
    });
    this.node.append(this.follows, this.pasted.node, this.box, this.button);
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    this.box.addEventListener('keydown', (event) => this.key(event));
    this.box.addEventListener('compositionend', (event) => {
      this.composedAt = event.timeStamp;
    });
    this.box.addEventListener('beforeinput', (event) => {
      const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
      if (!PastedText.isLarge(text)) return;
      event.preventDefault();
      this.pasted.add(text);
    });
    this.box.addEventListener('input', () => this.changed());
    this.box.addEventListener('blur', () => this.keepDraft());
    document.addEventListener('visibilitychange', () => this.keepDraft());
    window.addEventListener('pagehide', () => this.keepDraft());
  }

  focus(): void {
    this.box.focus();
  }

  update(change: Change): void {
    const { model, words } = this.context;
    this.node.hidden = model.readOnly;
    const { draft, asked } = model;
    if (change.reset && this.pending === undefined && this.timer === undefined && this.text !== draft.text) {
      const large = PastedText.isLarge(draft.text);
      this.pasted.set(large ? draft.text : '');
      this.box.value = large ? '' : draft.text;
      this.box.setSelectionRange(draft.selectionStart, draft.selectionEnd);
    }
    if (asked && asked.id === this.pending) {
      this.pending = undefined;
      if (asked.accepted) this.clear();
    }
    const running = model.state === 'running';
    const label = running ? words.t('Add a note for the model…') : this.invitation();
    this.showFollows();
    attribute(this.box, 'placeholder', label);
    attribute(this.box, 'aria-label', label);
    this.button.textContent = running ? words.t('Send note') : words.t('Ask');
    this.showReady();
    const keys =
      model.settings.sendWith === 'enter'
        ? words.t('Enter sends, Shift+Enter begins a new line')
        : words.t('Ctrl+Enter sends, Enter begins a new line');
    attribute(this.button, 'title', keys);
  }

  private invitation(): string {
    const { model, words } = this.context;
    if (model.state === 'idle') return words.t('Ask a question…');
    return model.settings.follows > 0 ? words.t('Ask a follow-up…') : words.t('Ask another question…');
  }

  /** What the model will be told besides the question, and how to leave it out. */
  private showFollows(): void {
    const { model, words, send } = this.context;
    const { follows, withholds } = model.settings;
    const ended = model.state === 'ended' || model.state === 'interrupted';
    this.follows.hidden = !ended || (follows === 0 && !withholds);
    if (follows === 0) {
      const untold = words.t('Earlier questions are not told to another endpoint.');
      once(this.follows, untold, () => [untold]);
      return;
    }
    once(this.follows, String(follows), () => [
      follows === 1
        ? words.t('The question before and its answer go along.')
        : words.t('The {0} questions before and their answers go along.', follows),
      ' ',
      element(
        'button',
        {
          class: 'link',
          attributes: { type: 'button' },
          click: () => send({ type: 'command', id: 'new-question' }),
        },
        words.t('Start afresh'),
      ),
    ]);
  }

  /** The button is dimmed while there is nothing to send, or a question is on its way. */
  private showReady(): void {
    const ready = this.pending === undefined && (this.pasted.text !== '' || /\S/.test(this.box.value));
    attribute(this.button, 'aria-disabled', ready ? null : 'true');
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    // An input method takes Enter for itself; 229 is how it looks where the composition is not told.
    const composing =
      event.isComposing || event.keyCode === 229 || event.timeStamp - this.composedAt < AFTER_COMPOSITION;
    if (composing) return;
    const modified = event.ctrlKey || event.metaKey;
    const sends =
      this.context.model.settings.sendWith === 'enter'
        ? !modified && !event.shiftKey && !event.altKey
        : modified && !event.shiftKey && !event.altKey;
    if (sends) {
      event.preventDefault();
      if (!event.repeat) this.submit();
    } else if (modified || event.altKey) {
      event.preventDefault();
      // The one way to insert text that Undo knows about.
      document.execCommand('insertText', false, '\n');
    }
  }

  private submit(): void {
    const { model, send, refresh } = this.context;
    const { text } = this;
    this.box.focus();
    if (this.pending !== undefined || text.trim() === '') return;
    if (model.state === 'running') {
      send({ type: 'control', action: 'note', text: text.trim() });
      this.clear();
    } else {
      this.ask(text);
    }
    refresh();
  }

  /** Asks once: the next question can go out when this one was accepted or refused. */
  ask(question: string): void {
    if (this.pending !== undefined) return;
    this.pending = Math.random().toString(36).slice(2);
    this.context.send({ type: 'ask', id: this.pending, question });
  }

  /** What would be sent. */
  private get text(): string {
    return [this.box.value, this.pasted.text].filter((part) => part !== '').join('\n\n');
  }

  private clear(): void {
    this.box.value = '';
    this.pasted.set('');
    this.showReady();
    this.keepDraft();
  }

  private changed(): void {
    this.showReady();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keepDraft(), DRAFT_PAUSE);
  }

  private keepDraft(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { model, remembered, send } = this.context;
    const { selectionStart, selectionEnd } = this.box;
    const { text } = this;
    const { draft } = model;
    if (text === draft.text && selectionStart === draft.selectionStart && selectionEnd === draft.selectionEnd) return;
    model.draft = { text, selectionStart, selectionEnd, time: Date.now() };
    remembered.saveDraft(model.draft);
    send({ type: 'draft', draft: model.draft });
  }
}
