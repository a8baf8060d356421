import type { AgentEvent, Delta, TraceEvent } from '../../src/agent/event';
import type { ShownRun, TraceSource } from '../../src/host/conversation';
import type { Draft, ErrorReport, ViewSettings } from '../../src/protocol';

export const SETTINGS: ViewSettings = {
  language: 'en',
  strings: {},
  sendWith: 'enter',
  modelLabel: 'built-in researcher (rules, no model)',
  modelConnected: false,
  hasKey: false,
  trusted: true,
  tools: ['Search', 'Lookup', 'Calculator'],
  follows: 0,
  withholds: false,
  samples: [
    'Who designed the Analytical Engine?',
    'Which river flows through the city where Marie Curie was born?',
    '2024 年中国人口乘以 2 是多少？',
  ],
};

class Emitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  get size(): number {
    return this.listeners.size;
  }
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}

/** A source that a test fills by hand; what the view asked for is in `calls`. */
export class HandSource implements TraceSource {
  readOnly = false;
  shown: ShownRun | undefined;
  viewSettings: ViewSettings = { ...SETTINGS };
  kept: Draft = { text: '', selectionStart: 0, selectionEnd: 0, time: 0 };
  accept: (question: string) => Promise<boolean> = async () => true;
  readonly calls: unknown[][] = [];
  private readonly changed = new Emitter<void>();
  private readonly settingsChanged = new Emitter<void>();
  private readonly events = new Emitter<{ run: string; event: AgentEvent }>();
  private readonly errors = new Emitter<ErrorReport>();
  readonly onDidChangeRun = this.changed.event;
  readonly onDidChangeSettings = this.settingsChanged.event;
  readonly onEvent = this.events.event;
  readonly onError = this.errors.event;

  run = () => this.shown;
  settings = () => this.viewSettings;
  draft = () => this.kept;
  setDraft(draft: Draft): void {
    this.kept = draft;
  }
  async ask(question: string): Promise<boolean> {
    this.calls.push(['ask', question]);
    return this.accept(question);
  }
  stop = () => void this.calls.push(['stop']);
  control = (...values: unknown[]) => void this.calls.push(['control', ...values]);
  resume = (...values: unknown[]) => void this.calls.push(['resume', ...values]);
  moreSteps = () => void this.calls.push(['moreSteps']);
  command = (...values: unknown[]) => void this.calls.push(['command', ...values]);
  openSource = (...values: unknown[]) => void this.calls.push(['openSource', ...values]);

  get listeners(): number {
    return this.changed.size + this.settingsChanged.size + this.events.size + this.errors.size;
  }

  show(events: readonly TraceEvent[], state: ShownRun['state'], more: Partial<ShownRun> = {}): void {
    this.shown = { id: 'run-1', state, events: [...events], ...more, live: [...(more.live ?? [])] };
    this.changed.fire();
  }

  happen(...events: AgentEvent[]): void {
    for (const event of events) {
      const shown = this.shown!;
      if (event.type === 'delta') (shown.live as Delta[]).push(event);
      else (shown.events as TraceEvent[]).push(event);
      if (event.type === 'notice' && event.kind === 'retry') (shown.live as Delta[]).length = 0;
      if (event.type === 'run-end') shown.state = 'ended';
      this.events.fire({ run: shown.id, event });
    }
  }

  change(settings: Partial<ViewSettings>): void {
    this.viewSettings = { ...this.viewSettings, ...settings };
    this.settingsChanged.fire();
  }

  fail(report: ErrorReport): void {
    this.errors.fire(report);
  }
}
