import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ErrorAction } from '../agent/errors';
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
import { page } from './page';
import { findInRun, rawStep, sliceSteps, trimEvent } from './traceSlices';

/** Live text reaches a view at most this often, in milliseconds. */
const DELTA_INTERVAL = 33;

/** A run as a view sees it. */
export interface ShownRun {
  id: string;
  state: Exclude<RunState, 'idle'>;
  /** Everything stored so far, oldest first. */
  events: readonly TraceEvent[];
  /** Live text of the step being written, for a view that is opened in the middle of it. */
  live: readonly Delta[];
  /** What can be done about a failure. */
  errorAction?: ErrorAction;
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
  readonly onDidChangeRun: vscode.Event<void>;
  readonly onDidChangeSettings: vscode.Event<void>;
  /** Events of the shown run, as they happen, after they were stored. */
  readonly onEvent: vscode.Event<{ run: string; event: AgentEvent }>;
  readonly onError: vscode.Event<ErrorReport>;
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

/** One webview's conversation with a source. Nothing is posted before the view says `ready`. */
class Conversation implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private listening = false;
  private pending: AgentEvent[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly webview: vscode.Webview,
    private readonly source: TraceSource,
  ) {
    this.subscriptions = [
      webview.onDidReceiveMessage((message: unknown) => {
        const guarded = guardFromWebview(message);
        if (guarded) void this.receive(guarded);
      }),
      source.onDidChangeRun(() => this.reset()),
      source.onDidChangeSettings(() => this.post({ type: 'settings', settings: source.settings() })),
      source.onEvent(({ run, event }) => this.append(run, event)),
      source.onError((report) => this.post({ type: 'error', ...report })),
    ];
  }

  /** The document is gone (hidden or moved); the next one says `ready` again. */
  sleep(): void {
    this.listening = false;
    this.pending = [];
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  focus(target: 'question' | 'steps' | 'find'): void {
    this.post({ type: 'focus', target });
  }

  dispose(): void {
    this.sleep();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private post(message: ToWebview): void {
    if (this.listening) void this.webview.postMessage(message);
  }

  private reset(): void {
    this.pending = [];
    const run = this.source.run();
    const slice = sliceSteps(run?.events ?? []);
    const outlines: StepOutline[] = [];
    for (const event of run?.events ?? []) foldOutline(outlines, event);
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
      ...(run?.errorAction && { errorAction: run.errorAction }),
      readOnly: this.source.readOnly,
    });
  }

  private append(run: string, event: AgentEvent): void {
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

  private async receive(message: FromWebview): Promise<void> {
    const { source } = this;
    const run = source.run();
    switch (message.type) {
      case 'ready':
        this.listening = true;
        return this.reset();
      case 'ask':
        return this.post({ type: 'asked', id: message.id, accepted: await source.ask(message.question) });
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
        await vscode.env.openExternal(vscode.Uri.parse(message.url, true));
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
      await vscode.env.clipboard.writeText(text);
      this.post({ type: 'message', text: vscode.l10n.t('Copied.') });
    } catch {
      const hint = vscode.l10n.t('Select the text in the view and copy it by keyboard.');
      this.post({ type: 'error', message: vscode.l10n.t('The clipboard refused the text.'), hint });
    }
  }
}

/** Gives a webview its document and connects it with a source, until disposed. */
function connect(webview: vscode.Webview, source: TraceSource, extensionUri: vscode.Uri, title: string): Conversation {
  // Addresses are made anew each time: after an update the old folder is gone.
  const script = vscode.Uri.joinPath(extensionUri, 'dist', 'webview.js');
  const style = vscode.Uri.joinPath(extensionUri, 'media', 'traceView.css');
  webview.options = {
    enableScripts: true,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist'), vscode.Uri.joinPath(extensionUri, 'media')],
  };
  const conversation = new Conversation(webview, source);
  webview.html = page({
    nonce: randomUUID().replaceAll('-', ''),
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(script).toString(),
    styleUri: webview.asWebviewUri(style).toString(),
    language: vscode.env.language,
    title,
  });
  return conversation;
}

/** The trace view in the side bar. VS Code resolves it again after each move; what was there before is let go first. */
export class TraceView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = 'reactAgent.trace';
  private view: vscode.WebviewView | undefined;
  private conversation: Conversation | undefined;

  constructor(
    private readonly source: TraceSource,
    private readonly extensionUri: vscode.Uri,
  ) {}

  get visible(): boolean {
    return this.view?.visible === true;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.conversation?.dispose();
    const conversation = connect(view.webview, this.source, this.extensionUri, vscode.l10n.t('ReAct trace'));
    this.view = view;
    this.conversation = conversation;
    view.onDidChangeVisibility(() => {
      if (!view.visible) conversation.sleep();
    });
    view.onDidDispose(() => {
      conversation.dispose();
      if (this.conversation !== conversation) return;
      this.conversation = undefined;
      this.view = undefined;
    });
  }

  /** Moves the keyboard into the view, when a person asked for that. */
  focus(target: 'question' | 'steps' | 'find'): void {
    this.conversation?.focus(target);
  }

  dispose(): void {
    this.conversation?.dispose();
  }
}

/** Shows a source in an editor tab; the same view as in the side bar. */
export function showInPanel(panel: vscode.WebviewPanel, source: TraceSource, extensionUri: vscode.Uri): void {
  const conversation = connect(panel.webview, source, extensionUri, panel.title);
  panel.onDidChangeViewState(() => {
    if (!panel.visible) conversation.sleep();
  });
  panel.onDidDispose(() => conversation.dispose());
}
