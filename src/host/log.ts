import * as vscode from 'vscode';

/** The extension's own log. Nothing that is a secret is ever handed to it; people reach it by “Show Log”. */
export type Log = vscode.LogOutputChannel;

export function createLog(): Log {
  return vscode.window.createOutputChannel('ReAct Agent', { log: true });
}
