import * as vscode from 'vscode';
import type { TraceEvent } from '../agent/event';
import { parseTrace } from '../traces/readTrace';
import type { RunRequest } from './runs';
import { excerpt } from './selection';

/** Earlier turns that a follow-up carries along at most. */
const MOST_TURNS = 6;

/** What a turn of ours leaves in the chat's history: where its run is stored. */
export interface TurnMetadata {
  trace: string;
}

/** The runs behind a chat's earlier turns, where these were ours: a question goes on with their conversation. */
export async function priorOf(
  history: readonly (vscode.ChatRequestTurn | vscode.ChatResponseTurn)[],
  participant: string,
): Promise<RunRequest['prior']> {
  const earlier: TraceEvent[][] = [];
  for (const turn of history.slice(-2 * MOST_TURNS)) {
    if (!(turn instanceof vscode.ChatResponseTurn) || turn.participant !== participant) continue;
    const trace: unknown = turn.result.metadata?.trace;
    const events = typeof trace === 'string' ? await readEvents(trace) : undefined;
    if (events?.some((event) => event.type === 'run-end' && event.answer)) earlier.push(events);
  }
  const from = earlier.pop();
  return from && { kind: 'follow-up', from, before: earlier };
}

/** A run that was deleted since is no reason to refuse the next question. */
async function readEvents(path: string): Promise<TraceEvent[] | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(path));
    return parseTrace(Buffer.from(bytes).toString('utf8')).events;
  } catch {
    return undefined;
  }
}

/** The question with what was attached to it in the chat: files, selections and texts, each cut to a few KB. */
export async function questionWith(prompt: string, references: readonly vscode.ChatPromptReference[]): Promise<string> {
  const parts = [prompt.trim()];
  for (const { value } of references) {
    if (typeof value === 'string') parts.push(value.slice(0, 4096));
    const uri = value instanceof vscode.Location ? value.uri : value instanceof vscode.Uri ? value : undefined;
    if (!uri) continue;
    const document = await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined);
    if (!document) continue;
    const range =
      value instanceof vscode.Location
        ? value.range
        : new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
    const text = excerpt(document, [range]);
    if (text) parts.push(text);
  }
  return parts.join('\n\n');
}
