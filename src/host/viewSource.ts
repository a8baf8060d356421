import * as vscode from 'vscode';
import { isPrivateHost } from '../llm/endpoint';
import type { Draft, ViewCommand, ViewControl, ViewSettings } from '../protocol';
import type { Asker } from './ask';
import { modelLabel } from './modelChoice';
import type { Runs } from './runs';
import type { Keys } from './secrets';
import { readSettings, SECTION } from './settings';
import type { ShownRun, TraceSource } from './traceView';

const DRAFT = 'reactAgent.draft';
/** Larger drafts live in memory only: VS Code loads all of a workspace's state at start. */
const LARGEST_DRAFT = 64_000;
const NO_DRAFT: Draft = { text: '', selectionStart: 0, selectionEnd: 0, time: 0 };

/** What a button of the view runs. */
const COMMANDS: Record<ViewCommand, string> = {
  'set-key': 'reactAgent.setApiKey',
  'open-settings': 'reactAgent.openSettings',
  'select-model': 'reactAgent.selectModel',
  'test-connection': 'reactAgent.testConnection',
  'show-log': 'reactAgent.showLog',
  retry: 'reactAgent.retryQuestion',
  'open-trace': 'reactAgent.openTraceFile',
  'open-transcript': 'reactAgent.openTranscript',
  export: 'reactAgent.exportTrace',
  'show-history': 'reactAgent.showHistory',
  'new-question': 'reactAgent.newQuestion',
};

export const SAMPLES = () => [
  vscode.l10n.t('Who designed the Analytical Engine?'),
  vscode.l10n.t('Which space company did the chief executive of Tesla also found?'),
  vscode.l10n.t('What is the population of China in 2024 times 2?'),
];

/** What the side-panel view shows and does: the current run of this window. */
export class ViewSource implements TraceSource, vscode.Disposable {
  readonly readOnly = false;
  private readonly settingsChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeSettings = this.settingsChanged.event;
  private largeDraft: Draft | undefined;
  /** Whether the endpoint in the settings has a key, or needs none; looked up when a view first asks. */
  private hasKey = true;
  private keyKnownFor: string | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly runs: Runs,
    private readonly state: vscode.Memento,
    private readonly keys: Keys,
    private readonly asker: Asker,
  ) {
    this.subscriptions = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SECTION)) this.settingsChanged.fire();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.settingsChanged.fire()),
      runs.onEvent(({ event }) => {
        // Its answer may go along with the next question.
        if (event.type === 'run-end') this.settingsChanged.fire();
      }),
      keys.onDidChange(() => void this.lookForKey(readSettings().baseUrl)),
    ];
  }

  get onDidChangeRun() {
    return this.runs.onDidChangeRun;
  }
  get onEvent() {
    return this.runs.onEvent;
  }
  get onError() {
    return this.runs.onError;
  }

  run(): ShownRun | undefined {
    return this.runs.current;
  }

  settings(): ViewSettings {
    const settings = readSettings();
    const connected = settings.provider !== 'researcher';
    if (this.keyKnownFor !== settings.baseUrl) void this.lookForKey(settings.baseUrl);
    return {
      language: vscode.env.language,
      strings: strings(),
      sendWith: settings.sendWith,
      modelLabel: modelLabel(settings),
      modelConnected: connected,
      hasKey: settings.provider !== 'openai' || this.hasKey,
      trusted: vscode.workspace.isTrusted,
      tools: [],
      samples: SAMPLES(),
      follows: this.asker.conversation().length,
      withholds: this.asker.withholds(),
    };
  }

  private async lookForKey(baseUrl: string): Promise<void> {
    this.keyKnownFor = baseUrl;
    const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
    const has = isPrivateHost(host) || (await this.keys.get(baseUrl)) !== undefined;
    if (has === this.hasKey || this.keyKnownFor !== baseUrl) return;
    this.hasKey = has;
    this.settingsChanged.fire();
  }

  draft(): Draft {
    return this.largeDraft ?? this.state.get<Draft>(DRAFT) ?? NO_DRAFT;
  }

  setDraft(draft: Draft): void {
    this.largeDraft = draft.text.length > LARGEST_DRAFT ? draft : undefined;
    void this.state.update(DRAFT, this.largeDraft ? undefined : draft);
  }

  ask(question: string): Promise<boolean> {
    return this.asker.askInView(question);
  }
  stop(): void {
    this.runs.stop();
  }
  control(action: ViewControl, text?: string): void {
    this.runs.control(action, text);
  }
  resume(note?: string): void {
    void vscode.commands.executeCommand('reactAgent.resumeRun', note);
  }
  moreSteps(): void {
    void vscode.commands.executeCommand('reactAgent.resumeRun');
  }
  command(id: ViewCommand): void {
    // Where a trace is open in an editor too, the command alone would mean that one.
    const { current } = this.runs;
    const what = id === 'export' && current ? [vscode.Uri.file(current.path)] : [];
    void vscode.commands.executeCommand(COMMANDS[id], ...what);
  }
  openSource(step: number, sentence?: number): void {
    void vscode.commands.executeCommand('reactAgent.openSource', step, sentence);
  }

  dispose(): void {
    this.settingsChanged.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** The display language's texts, handed to the view: the bundle VS Code loaded for us, as plain text by English text. */
function strings(): Record<string, string> {
  const bundle = vscode.l10n.bundle ?? {};
  return Object.fromEntries(
    Object.entries(bundle).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : (value as { message: string }).message,
    ]),
  );
}
