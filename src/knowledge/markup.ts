import { load } from 'cheerio/slim';
import type { AnyNode, Element, ParentNode, Text } from 'domhandler';
import { slimHtml } from './slim';

/** HTML as this project walks it: nodes, what is noise, and the text inside. All walks are loops, so no depth overflows. */
export type { AnyNode, Element, ParentNode };

export const isElement = (node: AnyNode): node is Element =>
  node.type === 'tag' || node.type === 'script' || node.type === 'style';
export const isText = (node: AnyNode): node is Text => node.type === 'text';

/** HTML → its tree. Nesting is bounded, so that no page costs more than time in proportion to its length. */
export function parseHtml(html: string): ParentNode {
  return load(slimHtml(html)).root()[0]!;
}

const set = (list: string) => new Set(list.trim().split(/\s+/));

/** Elements whose content is not text of the page. */
const NOISE_TAGS = set(`
  script style noscript template svg canvas audio video iframe object embed button select input textarea nav footer
  head title link meta img figcaption rt rp dialog map progress datalist
`);
/** Class names of page chrome: MediaWiki's (references, navigation, maintenance boxes, coordinates), and common ones. */
const NOISE_CLASSES = set(`
  reference references reflist mw-references-wrap mw-cite-backlink Template-Fact
  navbox navbox-styles navbar vertical-navbox navigation NavFrame navigation-box portal portalbox portal-bar sidebar sister
  sistersitebox side-box metadata ambox tmbox ombox cmbox fmbox imbox mbox-small asbox stub noprint catlinks authority-control
  mw-authority-control toc toclimit mw-editsection mw-editsection-like mw-headline-number mw-indicators mw-jump-link printfooter
  mw-empty-elt shortdescription mw-collapsible-toggle mw-kartographer-container geo geo-dms geo-dec geo-default
  geo-nondefault geo-multi-punct geo-inline coordinates thumb gallery locmap audiolink ext-phonos haudio noteTA bandeau-container
  mw-ui-button visually-hidden sr-only screen-reader-text
`);
const NOISE_IDS = set('toc coordinates catlinks siteSub contentSub jump-to-nav mw-navigation footer mw-panel mw-head');
const NOISE_ROLES = set('navigation search banner contentinfo menu menubar dialog');
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** Whether the element carries one of these classes. */
export function hasClass(element: Element, names: ReadonlySet<string>): boolean {
  const value = element.attribs.class;
  if (!value) return false;
  if (names.has(value)) return true;
  return /\s/.test(value) && value.split(/\s+/).some((name) => names.has(name));
}

/** True for what a careful reader would not read: scripts, chrome, references, hidden parts. */
export function isNoise(element: Element): boolean {
  if (NOISE_TAGS.has(element.name)) return true;
  const { attribs } = element;
  if (attribs.class !== undefined && hasClass(element, NOISE_CLASSES)) return true;
  if (attribs.id !== undefined && NOISE_IDS.has(attribs.id)) return true;
  if (attribs.style !== undefined && HIDDEN.test(attribs.style)) return true;
  if (attribs.role !== undefined && NOISE_ROLES.has(attribs.role)) return true;
  return attribs.hidden !== undefined || (attribs['aria-hidden'] === 'true' && element.name !== 'math');
}

export interface Visitor {
  text(data: string): void;
  /** Returns false where the walk should not go in; then `leave` is not called. */
  enter(element: Element): boolean;
  leave(element: Element): void;
}

/** Walks everything below `root`, in document order. */
export function walk(root: ParentNode, visitor: Visitor): void {
  let node: AnyNode | null = root.children[0] ?? null;
  while (node) {
    if (isText(node)) visitor.text(node.data);
    else if (isElement(node) && visitor.enter(node)) {
      const first: AnyNode | undefined = node.children[0];
      if (first) {
        node = first;
        continue;
      }
      visitor.leave(node);
    }
    while (node && !node.next) {
      node = node.parent as Element | null;
      if (!node || (node as ParentNode) === root) return;
      visitor.leave(node as Element);
    }
    node = node?.next ?? null;
  }
}

const FORMULA_CLASSES = set('mwe-math-element tex katex MathJax mathjax');

function ownTex(element: Element): string | undefined {
  if (element.name === 'math' || element.name === 'img') return element.attribs.alttext ?? element.attribs.alt;
  if (element.name !== 'annotation' || !/tex/i.test(element.attribs.encoding ?? '')) return undefined;
  return element.children.map((child) => (isText(child) ? child.data : '')).join('');
}

/** The TeX of a formula as MediaWiki (Math extension), MathML or KaTeX carries it, without its wrapper; else undefined. */
export function texOf(element: Element): string | undefined {
  if (element.name !== 'math' && !hasClass(element, FORMULA_CLASSES)) return undefined;
  let tex = ownTex(element);
  walk(element, {
    text() {},
    enter(inner) {
      tex ??= ownTex(inner);
      return tex === undefined;
    },
    leave() {},
  });
  return tex
    ?.trim()
    .replace(/^\{\\(?:displaystyle|textstyle)\s*([\s\S]*)\}$/, '$1')
    .trim();
}

const EMPTY_BRACKETS = /[(（]\s*[;,；，)）]/;

/** One line, without soft hyphens and zero-width marks, and without brackets that lost their content. */
export function tidy(text: string): string {
  let tidied = text;
  if (/[\u00ad\u200b\u2060\ufeff\u200e\u200f]/.test(tidied))
    tidied = tidied.replace(/[\u00ad\u200b\u2060\ufeff\u200e\u200f]+/g, '');
  tidied = tidied.replace(/\s+/g, ' ').trim();
  if (EMPTY_BRACKETS.test(tidied)) {
    tidied = tidied.replace(/ \([\s;,]*\)|（[\s；，]*）/g, '').replace(/([(（])\s*[;,；，][\s;,；，]*/g, '$1');
  }
  return tidied;
}

/**
 * The text of an element, on one line.
 * @param between what sets lines inside apart (blocks, list items, line breaks)
 */
export function textOf(element: ParentNode, between: ' ' | ', ' = ' '): string {
  const parts: string[] = [];
  walk(element, {
    text: (data) => parts.push(data),
    enter(inner) {
      const tex = texOf(inner);
      if (tex !== undefined) parts.push(tex);
      if (tex !== undefined || isNoise(inner)) return false;
      if (inner.name === 'br' || BLOCK_TAGS.has(inner.name)) parts.push(LINE);
      return true;
    },
    leave(inner) {
      if (BLOCK_TAGS.has(inner.name)) parts.push(LINE);
    },
  });
  const lines = parts.join('').split(LINE).map(tidy).filter(Boolean);
  if (between === ' ') return tidy(lines.join(' '));
  const joined = lines.map((line, at) => {
    const before = lines[at - 1]?.at(-1);
    if (before === undefined) return line;
    return (/[.,;:!?，、；：。]/.test(before) || /^[(（]/.test(line) ? ' ' : between) + line;
  });
  return joined.join('');
}
/** Stands for a line break while text is gathered; no HTML text can hold it. */
const LINE = '\u0000';

/** Elements that begin a new line. */
export const BLOCK_TAGS = set(`
  p div section article main aside header footer blockquote center address details summary figure hgroup fieldset form
  ul ol dl menu li dt dd table caption thead tbody tfoot tr td th pre hr body html h1 h2 h3 h4 h5 h6
`);
