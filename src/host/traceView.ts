import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Conversation, type FocusTarget, type TraceSource } from './conversation';
import { page } from './page';

export type { ShownRun, TraceSource } from './conversation';

/** Context key of our keybindings: they hold only while the keyboard is in a trace view. */
const FOCUSED = 'reactAgent.viewFocused';

/** Gives a webview its document and connects it with a source, until disposed. */
function connect(webview: vscode.Webview, source: TraceSource, extensionUri: vscode.Uri, title: string): Conversation {
  // Addresses are made anew each time: after an update the old folder is gone.
  const script = vscode.Uri.joinPath(extensionUri, 'dist', 'view.js');
  const style = vscode.Uri.joinPath(extensionUri, 'media', 'traceView.css');
  webview.options = {
    enableScripts: true,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist'), vscode.Uri.joinPath(extensionUri, 'media')],
  };
  const conversation = new Conversation(
    {
      post: (message) => void webview.postMessage(message),
      openExternal: (url) => void vscode.env.openExternal(vscode.Uri.parse(url, true)),
      writeClipboard: (text) => vscode.env.clipboard.writeText(text),
      focused: (inView) => void vscode.commands.executeCommand('setContext', FOCUSED, inView),
      t: (english) => vscode.l10n.t(english),
    },
    source,
  );
  webview.onDidReceiveMessage((message: unknown) =>
    conversation.receive(message).catch((error: unknown) => conversation.fail(error)),
  );
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
  focus(target: FocusTarget): void {
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
