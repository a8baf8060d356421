import MarkdownIt, { type Token } from 'markdown-it';
import type { CitedClaim } from '../agent/citations';
import type { ExportOptions } from './exporter';
import { claimEnd, visible, webAddress } from './parts';

/** HTML in an answer is shown as it was written; images are named, never loaded; only web addresses become links. */
const parser = new MarkdownIt({ html: false, linkify: true }).disable(['entity']);
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
for (const schema of ['ftp:', '//', 'mailto:']) parser.linkify.add(schema, null);
parser.validateLink = (url: string) => webAddress(url) !== undefined;

const escapeText = (text: string) => parser.utils.escapeHtml(text);

parser.renderer.rules.image = (tokens, index) => {
  const { content } = tokens[index]!;
  return `<span class="image">[${escapeText(content || '…')}]</span>`;
};
// A mark behind a claim; its content was escaped where it was made.
parser.renderer.rules.cite = (tokens, index) => tokens[index]!.content;
parser.renderer.rules.fence = parser.renderer.rules.code_block = (tokens, index) =>
  `<pre tabindex="0" dir="ltr"><code>${escapeText(tokens[index]!.content)}</code></pre>\n`;
parser.renderer.rules.code_inline = (tokens, index) => `<code dir="ltr">${escapeText(tokens[index]!.content)}</code>`;

function decorate(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      // Headings of an answer stand below ours.
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
    }
    if (/^(paragraph|list_item|heading|th|td)_open$/.test(token.type)) token.attrSet('dir', 'auto');
    for (const child of token.children ?? [])
      if (child.type === 'link_open') child.attrSet('rel', 'noopener noreferrer');
  }
}

function mark({ citation, status }: CitedClaim, { t }: ExportOptions): string {
  if (!citation) {
    if (status !== 'none') return '';
    return `<sup class="unsupported" title="${escapeText(t('Not found word for word in what was read.'))}">?</sup>`;
  }
  const partly = status === 'partial' ? `${t('Found in part:')} ` : '';
  const title = escapeText(partly + visible(citation.text ?? citation.title));
  const label = escapeText(t('Source {0}', citation.number));
  return `<sup><a href="#source-${citation.number}" title="${title}" aria-label="${label}">[${citation.number}]</a></sup>`;
}

/** Puts a mark behind the last word of its claim; behind a link, where that word is part of one. */
function place(inlines: readonly Token[], claim: CitedClaim, options: ExportOptions): void {
  const pieces = inlines.flatMap(({ children }) =>
    (children ?? [])
      .filter(({ type }) => type === 'text' || type === 'code_inline')
      .map((token) => ({ children: children!, token })),
  );
  const end = claimEnd(
    pieces.map(({ token }) => token.content),
    claim.claim,
  );
  if (!end) return;
  const { children, token } = pieces[end.index]!;
  const cite = Object.assign(Object.create(Object.getPrototypeOf(token)), token, {
    type: 'cite',
    content: mark(claim, options),
  }) as Token;
  let at = children.indexOf(token);
  if (token.type === 'text' && end.offset < token.content.length) {
    const rest = Object.assign(Object.create(Object.getPrototypeOf(token)), token, {
      content: token.content.slice(end.offset),
    }) as Token;
    token.content = token.content.slice(0, end.offset);
    children.splice(at + 1, 0, rest);
  }
  const isInLink = (index: number) => {
    let depth = 0;
    for (const { type } of children.slice(0, index + 1))
      depth += type === 'link_open' ? 1 : type === 'link_close' ? -1 : 0;
    return depth > 0;
  };
  while (at < children.length - 1 && isInLink(at)) at++;
  children.splice(at + 1, 0, cite);
}

/** An answer as HTML, each claim followed by the number of what supports it. */
export function answerHtml(answer: string, claims: readonly CitedClaim[], options: ExportOptions): string {
  const tokens = parser.parse(visible(answer), {});
  decorate(tokens);
  const inlines = tokens.filter(({ type }) => type === 'inline');
  for (const claim of claims) place(inlines, claim, options);
  return `<div class="markdown">${parser.renderer.render(tokens, parser.options, {})}</div>`;
}
