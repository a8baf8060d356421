import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { AgentEvent } from '../agent/event';
import { TRACE_EXTENSION } from '../traces/traceFile';
import type { SourceParts } from './openSource';
import { openObserved } from './openSource';
import { chooseTrace } from './openTrace';
import type { LiveRun, Runs } from './runs';
import { TracedFile } from './tracedFile';
import { type ShownRun, showInPanel, type TraceSource } from './traceView';
import type { ViewSource } from './viewSource';

const TYPE = 'reactAgent.traceEditor';

export interface EditorParts extends SourceParts {
  runs: Runs;
  source: ViewSource;
  extensionUri: vscode.Uri;
}

/** Opens a trace in a tab of its own: the given one, the shown one, or one that is chosen. */
export async function openTraceInEditor(runs: Runs, given: unknown): Promise<void> {
  const uri =
    given instanceof vscode.Uri ? given : runs.current ? vscode.Uri.file(runs.current.path) : await chooseTrace();
  if (uri) await openInEditor(uri);
}

export async function openInEditor(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, TYPE, { preview: true });
}

/** The trace that the active tab shows, as a view or as text. */
export function activeTrace(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isTab = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText;
  return isTab && input.uri.path.endsWith(TRACE_EXTENSION) ? input.uri : undefined;
}

/** The trace view as a read-only editor of `*.react.jsonl`. VS Code restores its tabs by itself. */
export function traceEditor(parts: EditorParts): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider(
    TYPE,
    {
      openCustomDocument: (uri) => ({ uri, dispose() {} }),
      async resolveCustomEditor({ uri }, panel) {
        const source = new FileSource(uri, parts);
        let isClosed = false;
        panel.onDidDispose(() => {
          isClosed = true;
          source.dispose();
        });
        panel.onDidChangeViewState(() => source.setVisible(panel.visible));
        await source.open();
        // A large file takes a while: its tab may be gone.
        if (isClosed) return;
        showInPanel(panel, source, parts.extensionUri);
        // Told behind the state that the view asks for by `ready`.
        panel.webview.onDidReceiveMessage((message: { type?: unknown }) => {
          if (message?.type === 'ready') source.tellProblem();
        });
        source.setVisible(panel.visible);
      },
    },
    { supportsMultipleEditorsPerDocument: true },
  );
}

/** A trace file as a view's source: nothing can be asked or steered. A run of this window is followed word by word. */
class FileSource implements TraceSource, vscode.Disposable {
  readonly readOnly = true;
  private readonly runChanged = new vscode.EventEmitter<void>();
  private readonly happened = new vscode.EventEmitter<{ run: string; event: AgentEvent }>();
  private readonly failed = new vscode.EventEmitter<{ message: string; hint: string }>();
  readonly onDidChangeRun = this.runChanged.event;
  readonly onEvent = this.happened.event;
  readonly onError = this.failed.event;
  private readonly file: TracedFile;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    uri: vscode.Uri,
    private readonly parts: EditorParts,
  ) {
    this.file = new TracedFile(uri);
    const { runs } = parts;
    this.subscriptions = [
      this.file,
      this.runChanged,
      this.happened,
      this.failed,
      this.file.onEvents((events) => {
        if (this.live) return;
        for (const event of events) this.happened.fire({ run: this.id, event });
      }),
      this.file.onReset(() => this.runChanged.fire()),
      runs.onEvent(({ run, event }) => {
        if (this.live?.id === run) this.happened.fire({ run, event });
      }),
    ];
  }

  open(): Promise<void> {
    return this.file.open();
  }

  setVisible(visible: boolean): void {
    this.file.setVisible(visible);
  }

  /** What is wrong with the file, and what is shown nevertheless. */
  tellProblem(): void {
    const { problem } = this.file;
    if (problem) this.failed.fire(problem);
  }

  /** This window's own run, if it is the one in this file. */
  private get live(): LiveRun | undefined {
    const { current } = this.parts.runs;
    return current && this.file.uri.scheme === 'file' && current.path === this.file.uri.fsPath ? current : undefined;
  }

  private get id(): string {
    return this.file.start?.run ?? basename(this.file.uri.path);
  }

  run(): ShownRun | undefined {
    const { live, file } = this;
    if (live) return live;
    if (file.events.length === 0) return undefined;
    return { id: this.id, state: file.state, events: file.events, live: [] };
  }

  settings() {
    return this.parts.source.settings();
  }
  get onDidChangeSettings() {
    return this.parts.source.onDidChangeSettings;
  }
  draft() {
    return { text: '', selectionStart: 0, selectionEnd: 0, time: 0 };
  }
  setDraft(): void {}
  ask(): Promise<boolean> {
    return Promise.resolve(false);
  }
  stop(): void {}
  control(): void {}
  resume(): void {}
  moreSteps(): void {}

  command(id: Parameters<TraceSource['command']>[0]): void {
    const { uri } = this.file;
    const commands: Partial<Record<typeof id, string>> = {
      export: 'reactAgent.exportTrace',
      'open-transcript': 'reactAgent.openTranscript',
      'open-trace': 'reactAgent.openTraceFile',
      'show-history': 'reactAgent.showHistory',
    };
    const command = commands[id];
    if (command) void vscode.commands.executeCommand(command, uri);
  }

  openSource(step: number, sentence?: number): void {
    void openObserved(this.run()?.events ?? [], step, sentence, this.parts);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
