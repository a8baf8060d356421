import * as vscode from 'vscode';
import type { Document } from '../agent/document';
import type { Language, TraceEvent } from '../agent/event';
import { webAddress } from '../protocol';
import { plain } from './plain';

const SCHEME = 'react-agent-source';

export interface SourceParts {
  /** Where the sample wiki lies. */
  media: string;
  loadResearch: () => Promise<typeof import('./research')>;
}

/** Opens what a step observed: a web page in the browser, an article of the sample wiki or a file at its sentence. */
export async function openObserved(
  events: readonly TraceEvent[],
  step: number,
  sentence: number | undefined,
  parts: SourceParts,
): Promise<void> {
  const observation = events.findLast((event) => event.type === 'observation' && event.step === step && event.document);
  if (observation?.type !== 'observation' || !observation.document) return;
  const { url, title } = observation.document;
  const address = webAddress(url);
  if (address !== undefined) {
    await vscode.env.openExternal(vscode.Uri.parse(address, true));
    return;
  }
  const start = events.find((event) => event.type === 'run-start');
  if (url.startsWith('sample:')) return openArticle(title, start?.language ?? 'en', sentence, parts);
  try {
    const file = /^[a-z][a-z0-9+.-]*:/i.test(url) ? vscode.Uri.parse(url) : undefined;
    // A trace may come from anywhere: only what lies in the workspace is opened, and never a command.
    if (file && vscode.workspace.getWorkspaceFolder(file.with({ fragment: '' }))) return await openFile(file);
  } catch {
    // No address after all, or a file that is gone.
  }
  void vscode.window.showInformationMessage(vscode.l10n.t('This source can’t be opened: {0}', plain(url)));
}

/** A file at the line that its address names: `#L12`. */
async function openFile(uri: vscode.Uri): Promise<void> {
  const line = Math.max(0, Number(/^L?(\d+)/.exec(uri.fragment)?.[1] ?? 1) - 1);
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(uri.with({ fragment: '' }), { preview: true, selection });
}

async function openArticle(title: string, language: Language, sentence: number | undefined, parts: SourceParts) {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${language}/${title}.md` });
  const article = await readArticle(uri, parts);
  const line = (sentence === undefined ? undefined : article?.lines[sentence]) ?? 0;
  const document = await vscode.workspace.openTextDocument(uri);
  const length = sentence === undefined ? 0 : document.lineAt(Math.min(line, document.lineCount - 1)).text.length;
  await vscode.window.showTextDocument(document, { preview: true, selection: new vscode.Range(line, 0, line, length) });
}

/** Serves articles of the sample wiki as read-only documents, also to tabs that VS Code restores. */
export function sourceDocuments(parts: SourceParts): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: async (uri) =>
      (await readArticle(uri, parts))?.text ?? vscode.l10n.t('This article is not in the sample wiki.'),
  });
}

async function readArticle(uri: vscode.Uri, { media, loadResearch }: SourceParts) {
  const [, language = 'en', title = ''] = /^\/([^/]+)\/(.*)\.md$/.exec(uri.path) ?? [];
  const { readSampleArticle } = await loadResearch();
  const document = await readSampleArticle(media, title, language as Language);
  return document && articleText(document);
}

/** A document as Markdown, a sentence a line, and the line of each sentence. */
export function articleText(document: Document): { text: string; lines: number[] } {
  const rows: string[] = [`# ${document.title}`];
  const lines: number[] = [];
  for (const { title, level, start, end } of document.sections) {
    if (title !== '') rows.push('', `${'#'.repeat(Math.min(6, level))} ${title}`);
    for (const { index, text, kind, starts } of document.sentences.slice(start, end)) {
      const isItem = kind === 'item' || kind === 'row' || kind === 'fact';
      if (starts || rows.at(-1)?.startsWith('#')) rows.push('');
      lines[index] = rows.length;
      rows.push(`${isItem ? '- ' : ''}${text.replace(/\s+/g, ' ')}`);
    }
  }
  return { text: `${rows.join('\n')}\n`, lines };
}
