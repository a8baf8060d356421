import type { AgentEvent, Delta, TraceEvent } from '../agent/event';
import { foldOutline, type StepOutline } from '../agent/outline';
import {
  type Draft,
  type ErrorReport,
  type FromWebview,
  guardFromWebview,
  type RunState,
  type ToWebview,
  type ViewCommand,
  type ViewControl,
  type ViewSettings,
} from '../protocol';
import { copyText } from './copyText';
import { findInRun, rawStep, sliceSteps, trimEvent } from './traceSlices';

/** Live text reaches a view at most this often, in milliseconds. */
const DELTA_INTERVAL = 33;

interface Disposable {
  dispose(): unknown;
}

/** VS Code's `Event`, as far as it is used here. */
type Listen<T> = (listener: (value: T) => unknown) => Disposable;

/** A run as a view sees it. */
export interface ShownRun {
  id: string;
  state: Exclude<RunState, 'idle'>;
  /** Everything stored so far, oldest first. */
  events: readonly TraceEvent[];
  /** Live text of the step being written, for a view that is opened in the middle of it. */
  live: readonly Delta[];
}

/** What a view shows and what its buttons do. A view's life never touches a run: it only listens. */
export interface TraceSource {
  /** A trace opened as a file: nothing can be asked or steered. */
  readonly readOnly: boolean;
  run(): ShownRun | undefined;
  settings(): ViewSettings;
  /** Small drafts are meant to outlive the window; keep large ones (above 64 KB) in memory only. */
  draft(): Draft;
  setDraft(draft: Draft): void;
  /** Another run is shown, or the state of this one changed in a way that no event tells (interrupted). */
  readonly onDidChangeRun: Listen<void>;
  readonly onDidChangeSettings: Listen<void>;
  /** Events of the shown run, as they happen, after they were stored. */
  readonly onEvent: Listen<{ run: string; event: AgentEvent }>;
  readonly onError: Listen<ErrorReport>;
  /** Resolves to true as soon as a run accepted the question, false when none did (then `onError` has said why). */
  ask(question: string): Promise<boolean>;
  stop(): void;
  control(action: ViewControl, text?: string): void;
  resume(note?: string): void;
  moreSteps(): void;
  command(id: ViewCommand): void;
  /** Opens what a step observed, where that is no web page: an article of the sample wiki, a file at its line. */
  openSource(step: number, sentence?: number): void;
}

export type FocusTarget = Extract<ToWebview, { type: 'focus' }>['target'];

/** What a conversation needs of the editor around it. */
export interface ViewHost {
  post(message: ToWebview): void;
  /** Opens a web address, after VS Code's own confirmation. */
  openExternal(url: string): void;
  /** Rejects when the clipboard refuses. */
  writeClipboard(text: string): PromiseLike<void>;
  /** The keyboard came into the view, or left it. */
  focused(inView: boolean): void;
  /** Translates into the display language. */
  t(english: string): string;
}

/** One webview's conversation with a source. Nothing is posted before the view says `ready`. */
export class Conversation {
  private readonly subscriptions: Disposable[];
  private listening = false;
  private pending: AgentEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  private wantsFocus: FocusTarget | undefined;
  /** What went wrong while nobody listened, and no run has begun since. */
  private untold: ErrorReport | undefined;

  constructor(
    private readonly host: ViewHost,
    private readonly source: TraceSource,
  ) {
    this.subscriptions = [
      source.onDidChangeRun(() => this.reset()),
      source.onDidChangeSettings(() => this.post({ type: 'settings', settings: source.settings() })),
      source.onEvent(({ run, event }) => this.append(run, event)),
      source.onError((report) => this.report(report)),
    ];
  }

  /** The document is gone (hidden or moved); the next one says `ready` again. */
  sleep(): void {
    this.listening = false;
    this.pending = [];
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Moves the keyboard into the view, as soon as it listens. */
  focus(target: FocusTarget): void {
    if (this.listening) this.post({ type: 'focus', target });
    else this.wantsFocus = target;
  }

  dispose(): void {
    this.sleep();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** A question asked by a command may be refused before the view that it opens is there. */
  private report(report: ErrorReport): void {
    if (this.listening) this.post({ type: 'error', ...report });
    else this.untold = report;
  }

  private post(message: ToWebview): void {
    if (this.listening) this.host.post(message);
  }

  private reset(): void {
    this.pending = [];
    const run = this.source.run();
    const slice = sliceSteps(run?.events ?? []);
    const outlines: StepOutline[] = [];
    for (const event of [...(run?.events ?? []), ...(run?.live ?? [])]) foldOutline(outlines, event);
    this.post({
      type: 'reset',
      run: run?.id ?? null,
      state: run?.state ?? 'idle',
      ...slice,
      events: [...slice.events, ...(run?.live ?? [])],
      outlines,
      settings: this.source.settings(),
      draft: this.source.draft(),
      now: Date.now(),
      readOnly: this.source.readOnly,
    });
  }

  private append(run: string, event: AgentEvent): void {
    if (event.type === 'run-start') this.untold = undefined;
    if (!this.listening) return;
    this.pending.push(trimEvent(event));
    if (event.type === 'delta') this.timer ??= setTimeout(() => this.flush(run), DELTA_INTERVAL);
    else this.flush(run);
  }

  private flush(run: string): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const events = this.pending;
    this.pending = [];
    if (events.length > 0) this.post({ type: 'events', run, events });
  }

  /** Takes what came from the view: anything at all, for the view is a stranger. */
  /** Told in the view: whatever broke while it was answered must not pass in silence. */
  fail(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.report({
      message: `${this.host.t('Something went wrong in the view.')} ${why}`,
      hint: this.host.t('Do it again; if it happens again, the log has the details.'),
      action: 'show-log',
    });
  }

  async receive(untrusted: unknown): Promise<void> {
    const message = guardFromWebview(untrusted);
    if (message) await this.answer(message);
  }

  private async answer(message: FromWebview): Promise<void> {
    const { source } = this;
    const run = source.run();
    switch (message.type) {
      case 'ready':
        this.listening = true;
        this.reset();
        if (this.wantsFocus) this.focus(this.wantsFocus);
        this.wantsFocus = undefined;
        if (this.untold) this.report(this.untold);
        this.untold = undefined;
        return;
      case 'ask':
        return this.post({ type: 'asked', id: message.id, accepted: await source.ask(message.question) });
      case 'focused':
        return this.host.focused(message.focused);
      case 'stop':
        return source.stop();
      case 'draft':
        return source.setDraft(message.draft);
      case 'load':
        if (run?.id !== message.run) return;
        return this.post({ type: 'steps', run: run.id, ...sliceSteps(run.events, message.to, message.from) });
      case 'load-raw': {
        if (run?.id !== message.run) return;
        const { step, whole } = message;
        return this.post({ type: 'raw', run: run.id, step, whole, ...rawStep(run.events, step, whole) });
      }
      case 'find': {
        const matches = findInRun(run?.events ?? [], message.query);
        return this.post({ type: 'find-result', id: message.id, query: message.query, matches });
      }
      case 'open-link':
        this.host.openExternal(message.url);
        return;
      case 'open-source':
        if (run?.id === message.run) source.openSource(message.step, message.sentence);
        return;
      case 'copy':
        return this.copy(copyText(run?.events ?? [], message.what, message.step));
      case 'control':
        return source.control(message.action, message.text);
      case 'command':
        return source.command(message.id);
      case 'resume-run':
        return source.resume(message.note);
      case 'more-steps':
        return source.moreSteps();
    }
  }

  private async copy(text: string): Promise<void> {
    try {
      await this.host.writeClipboard(text);
      this.post({ type: 'message', text: this.host.t('Copied.') });
    } catch {
      const hint = this.host.t('Select the text in the view and copy it by keyboard.');
      this.post({ type: 'error', message: this.host.t('The clipboard refused the text.'), hint });
    }
  }
}
