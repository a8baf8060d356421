import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentEvent, Delta, TraceEvent } from '../agent/event';
import { Inbox } from '../agent/inbox';
import type { Prior } from '../agent/prior';
import { foldAll } from '../agent/trace';
import type { ErrorReport, ViewControl } from '../protocol';
import { TraceFile, traceFileName } from '../traces/traceFile';
import type { Log } from './log';
import type { ResearchRequest } from './research';
import type { ShownRun } from './traceView';

/** A run of this window: its events, its file, and the ways to steer it. */
export interface LiveRun extends ShownRun {
  events: TraceEvent[];
  live: Delta[];
  path: string;
  inbox: Inbox;
  stopper: AbortController;
  /** Of the endpoint that was asked; not known of a run read from its file. */
  baseUrl?: string;
  /** The conversation before it, oldest first: a follow-up carries it. */
  before: TraceEvent[][];
}

/** What a run is started with. */
export interface RunRequest
  extends Pick<ResearchRequest, 'question' | 'settings' | 'key' | 'examples' | 'fitStore' | 'wikiHeaders' | 'machine'> {
  prior?: { kind: Prior['parent']['kind']; from: TraceEvent[]; step?: number; before?: TraceEvent[][] };
}

export interface Places {
  media: string;
  /** Under the extension's global storage. */
  traces: string;
  cache: string;
}

/**
 * Starts runs and keeps the current one. Each event is on disk before anyone is shown it; views come and go without
 * touching a run.
 */
export class Runs implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly happened = new vscode.EventEmitter<{ run: string; event: AgentEvent }>();
  private readonly failed = new vscode.EventEmitter<ErrorReport>();
  readonly onDidChangeRun = this.changed.event;
  readonly onEvent = this.happened.event;
  readonly onError = this.failed.event;
  /** Called once, when a view first asks for a run: brings back what the window showed before. */
  beforeFirstLook: (() => Promise<void>) | undefined;
  private shown: LiveRun | undefined;
  private disposed = false;
  /** Someone chose what is shown: what the window showed before must not come back over it. */
  private isChosen = false;

  constructor(
    private readonly places: Places,
    private readonly log: Log,
    /** Loads the second bundle, at the first question. */
    private readonly load: () => Promise<typeof import('./research')>,
  ) {}

  get running(): boolean {
    return this.shown?.state === 'running';
  }

  /** The run that is shown, going on or ended. */
  get current(): LiveRun | undefined {
    const restore = this.beforeFirstLook;
    this.beforeFirstLook = undefined;
    if (!this.shown && !this.isChosen) void restore?.();
    return this.shown;
  }

  /** Has every view read its whole state again. */
  refresh(): void {
    this.changed.fire();
  }

  report(error: ErrorReport): void {
    this.failed.fire(error);
  }

  /** Starts a run; resolves once its first event is stored and shown. The run goes on by itself. */
  async start(request: RunRequest): Promise<LiveRun | undefined> {
    if (this.running) {
      this.report({
        message: vscode.l10n.t('A run is still going on.'),
        hint: vscode.l10n.t('Stop it first, or wait for its answer.'),
      });
      return undefined;
    }
    const id = randomUUID();
    const path = join(this.places.traces, traceFileName(new Date(), id));
    const { prior } = request;
    const before = prior?.kind === 'follow-up' ? [...(prior.before ?? []), prior.from] : (prior?.before ?? []);
    const run: LiveRun = {
      id,
      state: 'running',
      events: [],
      live: [],
      path,
      inbox: new Inbox(),
      stopper: new AbortController(),
      baseUrl: request.settings.baseUrl,
      before,
    };
    // Set at once: a second Enter must find a run going on.
    const shownBefore = this.shown;
    this.isChosen = true;
    this.shown = run;
    let events: AsyncGenerator<AgentEvent>;
    try {
      events = this.open(await this.load(), run, request);
    } catch (error) {
      this.shown = shownBefore;
      this.log.error(error instanceof Error ? error : String(error));
      this.report({
        message: vscode.l10n.t('The agent could not be loaded.'),
        hint: vscode.l10n.t('Reinstall the extension; the log has the details.'),
        action: 'show-log',
      });
      return undefined;
    }
    this.changed.fire();
    return new Promise((resolve) => void this.follow(run, events, () => resolve(run)));
  }

  private open(
    { research }: typeof import('./research'),
    run: LiveRun,
    { prior, ...shared }: RunRequest,
  ): AsyncGenerator<AgentEvent> {
    const traces = prior && (prior.kind === 'follow-up' ? run.before : [prior.from]).map((events) => foldAll(events));
    const parentRun = prior?.from.find((event) => event.type === 'run-start')?.run;
    return research({
      ...shared,
      mediaFolder: this.places.media,
      cacheFolder: this.places.cache,
      signal: run.stopper.signal,
      run: run.id,
      inbox: run.inbox,
      ...(prior && traces && parentRun
        ? {
            prior: {
              parent: { run: parentRun, kind: prior.kind, ...(prior.step === undefined ? {} : { step: prior.step }) },
              traces,
            },
          }
        : {}),
    });
  }

  stop(): void {
    this.shown?.stopper.abort();
  }

  control(action: ViewControl, text?: string): void {
    if (this.running) this.shown?.inbox.push({ action, ...(text === undefined ? {} : { text }) });
  }

  /** Shows a run read from its file, in place of the current one. */
  show(run: LiveRun | undefined): void {
    if (this.running) return;
    this.isChosen = true;
    this.shown = run;
    this.changed.fire();
  }

  /** Shows again what the window showed before, unless something else was asked for meanwhile. */
  restore(run: LiveRun): void {
    if (!this.isChosen && !this.shown) this.show(run);
  }

  private async follow(run: LiveRun, events: AsyncGenerator<AgentEvent>, begun: () => void): Promise<void> {
    const file = new TraceFile(run.path);
    let warned = false;
    try {
      for await (const event of events) {
        if (this.disposed) return;
        if (event.type === 'delta') keepLive(run.live, event);
        else {
          run.events.push(event);
          if (event.type === 'model-reply' || (event.type === 'notice' && event.kind === 'retry')) run.live.length = 0;
          if (!file.append(event) && !warned) {
            warned = true;
            this.happen(run, this.storageNotice(run, file));
          }
        }
        if (event.type === 'run-end') run.state = 'ended';
        this.happen(run, event);
        begun();
      }
    } catch (error) {
      // runAgent never throws; whatever got here is our own mistake and must not leave a run that seems to go on.
      this.log.error(error instanceof Error ? error : String(error));
      run.state = 'interrupted';
      this.changed.fire();
    } finally {
      begun();
      file.close();
    }
  }

  private happen(run: LiveRun, event: AgentEvent): void {
    this.happened.fire({ run: run.id, event });
  }

  private storageNotice(run: LiveRun, file: TraceFile): AgentEvent {
    this.log.error(file.problem ?? 'The trace could not be written.');
    const step = Math.max(1, ...run.events.map((event) => ('step' in event ? event.step : 1)));
    const notice: TraceEvent = {
      type: 'notice',
      time: new Date().toISOString(),
      step,
      kind: 'storage',
      text: vscode.l10n.t(
        'The trace could not be written ({0}). The run goes on; what is missing is written as soon as the disk takes it.',
        (file.problem as NodeJS.ErrnoException | undefined)?.code ?? String(file.problem?.message),
      ),
    };
    run.events.push(notice);
    file.append(notice);
    return notice;
  }

  dispose(): void {
    // What is on disk reads "interrupted" and can be resumed; a run must not go on without its window.
    this.disposed = true;
    this.stop();
    for (const emitter of [this.changed, this.happened, this.failed]) emitter.dispose();
  }
}

/** Live text piece by piece would pile up: a piece that goes on with the last one joins it. */
function keepLive(live: Delta[], delta: Delta): void {
  const last = live.at(-1);
  if (last?.step === delta.step && last.channel === delta.channel) last.text += delta.text;
  else live.push({ ...delta });
}
