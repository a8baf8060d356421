import type { Document } from '../agent/document';
import type { Block } from './blocks';
import { buildDocument, type PageMeta } from './page';

/** A code block is cut at line ends into pieces of about this length (UTF-16 units), so that a word can be found in it. */
const PIECE = 600;

/** Long text that is no prose, in pieces that end with a line where they can. */
function pieces(text: string): string[] {
  const cut: string[] = [];
  let piece = '';
  for (const line of text.split('\n')) {
    if (piece !== '' && piece.length + line.length > PIECE) {
      cut.push(piece);
      piece = '';
    }
    piece += (piece === '' ? '' : '\n') + line;
    while (piece.length > PIECE * 4) {
      cut.push(piece.slice(0, PIECE));
      piece = piece.slice(PIECE);
    }
  }
  return [...cut, piece].map((one) => one.replace(/\s+$/, '')).filter((one) => one.trim() !== '');
}

/** Data or source text → Document: shown as it is, in code blocks. */
export function readSource(text: string, meta: PageMeta): Document {
  return buildDocument(
    pieces(text.replace(/\r\n?/g, '\n')).map((piece, at) => ({ kind: 'code', text: piece, starts: at === 0 })),
    meta,
  );
}

/** JSON → Document, indented; what is no JSON after all is shown as it is. */
export function readJson(text: string, meta: PageMeta): Document {
  try {
    return readSource(JSON.stringify(JSON.parse(text), null, 2), meta);
  } catch {
    return readSource(text, meta);
  }
}

/**
 * Plain text or Markdown → Document: paragraphs between blank lines, `#` headings, list items, table rows, fenced or indented code.
 * A heading at the very top is the title. Marks of emphasis and links stay as they are written.
 */
export function readPlainText(text: string, meta: PageMeta): Document {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let kind: 'text' | 'item' = 'text';
  let fence: { mark: string; lines: string[] } | undefined;
  const flush = () => {
    const joined = paragraph.map((line) => line.trim()).join(' ');
    if (joined !== '') blocks.push({ kind, text: joined, starts: kind === 'text' || blocks.at(-1)?.kind !== 'item' });
    paragraph = [];
    kind = 'text';
  };
  const code = (lines: string[]) => {
    for (const [at, piece] of pieces(lines.join('\n')).entries())
      blocks.push({ kind: 'code', text: piece, starts: at === 0 });
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const opening = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      if (opening?.startsWith(fence.mark)) {
        code(fence.lines);
        fence = undefined;
      } else fence.lines.push(line);
      continue;
    }
    const heading = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line);
    const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(.+)$/.exec(line);
    if (opening) {
      flush();
      fence = { mark: opening, lines: [] };
    } else if (heading) {
      flush();
      blocks.push({ kind: 'heading', text: heading[2]!, level: heading[1]!.length });
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      flush();
      const cells = line
        .split('|')
        .map((cell) => cell.trim())
        .filter(Boolean);
      if (!cells.every((cell) => /^:?-+:?$/.test(cell))) {
        blocks.push({ kind: 'row', text: cells.join('; '), starts: blocks.at(-1)?.kind !== 'row' });
      }
    } else if (item) {
      flush();
      kind = 'item';
      paragraph.push(item[1]!);
    } else if (line.trim() === '') flush();
    else paragraph.push(line);
  }
  flush();
  if (fence) code(fence.lines);
  const [first, ...rest] = blocks;
  if (first?.kind !== 'heading' || first.level !== 1) return buildDocument(blocks, meta);
  return buildDocument(rest, { ...meta, title: first.text });
}
