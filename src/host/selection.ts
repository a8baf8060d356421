import * as vscode from 'vscode';

/** What a question about a selection may send, in bytes of UTF-8. */
const MOST_BYTES = 4096;

/**
 * The active editor's selections as text for a question, in order, as the editor shows them (unsaved changes included).
 * Without a selection: the line of the cursor. Undefined when there is nothing to send.
 */
export function selectionText(editor: vscode.TextEditor): string | undefined {
  const { document } = editor;
  const chosen = editor.selections.filter((selection) => !selection.isEmpty);
  const ranges: vscode.Range[] = chosen.length
    ? [...chosen].sort((a, b) => a.start.compareTo(b.start))
    : [document.lineAt(editor.selection.active.line).range];
  return excerpt(document, ranges);
}

/** Parts of a document, in order, with where they are from; cut to a few KB. Undefined when they are blank. */
export function excerpt(document: vscode.TextDocument, ranges: readonly vscode.Range[]): string | undefined {
  const parts = ranges.map((range) => document.getText(range)).filter((text) => text.trim() !== '');
  if (parts.length === 0) return undefined;
  const first = ranges[0] as vscode.Range;
  const last = ranges.at(-1) as vscode.Range;
  const lines =
    first.start.line === last.end.line ? `${first.start.line + 1}` : `${first.start.line + 1}–${last.end.line + 1}`;
  const name = vscode.workspace.asRelativePath(document.uri);
  const place = document.isDirty
    ? vscode.l10n.t('From {0}, line {1} (unsaved):', name, lines)
    : vscode.l10n.t('From {0}, line {1}:', name, lines);
  const { text, cut } = cutToBytes(parts.join('\n…\n'), MOST_BYTES);
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const note = cut ? `\n${vscode.l10n.t('(cut to {0} KB)', MOST_BYTES / 1024)}` : '';
  return `${place}\n${fence}${document.languageId}\n${text}\n${fence}${note}`;
}

/** The longest beginning that fits, never half a character. */
function cutToBytes(text: string, most: number): { text: string; cut: boolean } {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= most) return { text, cut: false };
  let end = most;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return { text: bytes.subarray(0, end).toString('utf8'), cut: true };
}
