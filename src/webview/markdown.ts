import MarkdownIt, { type Token } from 'markdown-it';
import { webAddress } from '../protocol';
import { element } from './dom';
import { math } from './markdownMath';
import { visible } from './text';

/**
 * HTML stays off and is shown as it was written, entities too; only spelled-out web addresses become links by themselves.
 * Nothing is rendered to a string of markup: tokens become elements and text nodes.
 */
const parser = new MarkdownIt({ html: false, linkify: true }).disable(['entity']).use(math);
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
for (const schema of ['ftp:', '//', 'mailto:']) parser.linkify.add(schema, null);
// Every address is taken in, so that a refused link can be shown as it was written.
parser.validateLink = () => true;

export interface MarkdownParts {
  openLink(url: string): void;
  /** Says what stands in place of an image that is not loaded. */
  imageLabel(alternative: string): string;
}

/** Elements that a token may open; anything else becomes a `div`. */
const BLOCKS = new Set([
  'p',
  'ul',
  'ol',
  'li',
  'blockquote',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'strong',
  'em',
  's',
]);

/** Headings of an answer stand below those of the view. */
const tagOf = (tag: string) =>
  /^h[1-6]$/.test(tag) ? `h${Math.min(6, Number(tag[1]) + 2)}` : BLOCKS.has(tag) ? tag : 'div';

/** Renders Markdown to nodes. Links that are neither http nor https are text; images are named, never loaded. */
export function markdown(source: string, parts: MarkdownParts): DocumentFragment {
  const fragment = document.createDocumentFragment();
  append(fragment, parser.parse(visible(source), {}), parts);
  return fragment;
}

function append(root: Node, tokens: readonly Token[], parts: MarkdownParts): void {
  const open: Node[] = [root];
  for (const token of tokens) {
    const parent = open.at(-1)!;
    if (token.hidden) continue;
    if (token.type === 'inline') append(parent, token.children ?? [], parts);
    else if (token.type === 'link_open')
      open.push(parent.appendChild(anchor(String(token.attrGet('href') ?? ''), parts)));
    else if (token.type === 'link_close') closeLink(open.pop());
    else if (token.nesting === 1) open.push(opened(parent, token));
    else if (token.nesting === -1) open.pop();
    else parent.appendChild(leaf(token, parts));
  }
}

function opened(parent: Node, token: Token): Node {
  const made = document.createElement(tagOf(token.tag));
  if (/^(p|li|h\d|th|td)$/.test(made.localName)) made.dir = 'auto';
  const start = token.attrGet('start');
  if (start !== null) made.setAttribute('start', String(start));
  if (made.localName === 'table') {
    // A wide table scrolls in its own box, by keyboard too.
    const box = element('div', { class: 'scroll-box', attributes: { tabindex: '0', role: 'group' } });
    parent.appendChild(box).appendChild(made);
  } else {
    parent.appendChild(made);
  }
  return made;
}

function anchor(href: string, parts: MarkdownParts): HTMLElement {
  const url = webAddress(href);
  if (url === undefined) return element('span', { attributes: { 'data-refused': href } });
  return element('a', {
    attributes: { href: url, title: url },
    click: (event) => {
      event.preventDefault();
      parts.openLink(url);
    },
  });
}

/** Behind the words of a refused link its address is shown, as text. */
function closeLink(node: Node | undefined): void {
  if (!(node instanceof HTMLElement)) return;
  const refused = node.dataset.refused;
  if (refused !== undefined && refused !== node.textContent) node.append(` (${refused})`);
}

function leaf(token: Token, parts: MarkdownParts): Node {
  switch (token.type) {
    case 'softbreak':
      return document.createTextNode('\n');
    case 'hardbreak':
      return element('br');
    case 'hr':
      return element('hr');
    case 'code_inline':
      return element('code', { attributes: { dir: 'ltr' } }, token.content);
    case 'math_inline':
      return element('code', { class: 'math', attributes: { dir: 'ltr' } }, token.content);
    case 'fence':
    case 'code_block':
    case 'math_block': {
      const code = element('code', {}, token.content);
      return element('pre', { attributes: { tabindex: '0', dir: 'ltr' } }, code);
    }
    case 'image': {
      const label = parts.imageLabel(token.content);
      return element('span', { class: 'image', attributes: { title: String(token.attrGet('src') ?? '') } }, label);
    }
    default:
      return document.createTextNode(token.content);
  }
}
