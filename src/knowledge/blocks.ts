import { infoboxFacts, isInfobox } from './infobox';
import { BLOCK_TAGS, type Element, hasClass, isNoise, type ParentNode, texOf, textOf, tidy, walk } from './markup';
import { isDataTable, readTable } from './table';

/** A piece of a page, in reading order. */
export type Block =
  /** `level` from 1, as in h1. */
  | { kind: 'heading'; text: string; level: number }
  | { kind: 'text' | 'item' | 'row' | 'code'; text: string; starts: boolean };

/** What a page holds. */
export interface Blocks {
  blocks: Block[];
  /** The infoboxes' facts, "label: value". */
  facts: string[];
  /** Titles that hatnotes before the first heading name. */
  alternatives: string[];
}

const HATNOTES = new Set(['hatnote', 'dablink', 'rellink', 'homonymie', 'bksicon']);
const LISTS = new Set(['ul', 'ol', 'dl', 'menu']);

const isHatnote = (element: Element) => element.attribs.role === 'note' || hasClass(element, HATNOTES);

/** The exact title a wiki link names; nothing for pages that do not exist, or for help and project pages. */
export function linkedTitle(link: Element): string | undefined {
  const { title, class: className = '', href = '' } = link.attribs;
  if (!title || /\b(?:new|external|extiw)\b/.test(className) || /[?&]redlink=1/.test(href)) return undefined;
  return /^(?:Help|Wikipedia|Special|File|Category|Template|Portal|Hilfe|Spezial|维基百科|維基百科|Wikipédia):/.test(
    title,
  )
    ? undefined
    : title.replace(/\s+/g, ' ').trim();
}

function linkedTitles(root: ParentNode): string[] {
  const titles: string[] = [];
  walk(root, {
    text() {},
    enter(element) {
      const title = element.name === 'a' ? linkedTitle(element) : undefined;
      if (title !== undefined) titles.push(title);
      return true;
    },
    leave() {},
  });
  return titles;
}

/** The characters of a code block as they stand. */
function codeOf(pre: Element): string {
  const parts: string[] = [];
  walk(pre, {
    text: (data) => parts.push(data),
    enter(inner) {
      if (inner.name === 'br') parts.push('\n');
      return !isNoise(inner);
    },
    leave() {},
  });
  return parts.join('').replace(/^\n+|\s+$/g, '');
}

/** Reads everything below `root` in one pass. */
export function readBlocks(root: ParentNode): Blocks {
  const blocks: Block[] = [];
  const facts: string[] = [];
  const alternatives = new Set<string>();
  let parts: string[] = [];
  let listDepth = 0;
  let startsList = false;
  let inLead = true;
  let term = '';

  const push = (kind: 'text' | 'item' | 'row' | 'code', text: string, starts: boolean) => {
    if (text !== '') blocks.push({ kind, text, starts });
  };
  const flush = () => {
    if (parts.length === 0) return;
    const text = tidy(parts.join(''));
    parts = [];
    if (!/[a-z0-9]/i.test(text) && !/[\p{L}\p{N}]/u.test(text)) return;
    push(listDepth > 0 ? 'item' : 'text', term ? `${term}: ${text}` : text, listDepth === 0 || startsList);
    term = '';
    startsList = false;
  };
  /** A term without a definition is an item of its own. */
  const flushTerm = () => {
    flush();
    push('item', term, startsList);
    term = '';
  };
  const endsWithColon = () => {
    const last = blocks.at(-1);
    return last?.kind === 'text' && /[:：]$/.test(last.text);
  };

  walk(root, {
    text: (data) => parts.push(data),
    enter(element) {
      const { name } = element;
      if (isHatnote(element)) {
        if (inLead) for (const title of linkedTitles(element)) alternatives.add(title);
        return false;
      }
      if (isInfobox(element)) {
        flush();
        facts.push(...infoboxFacts(element));
        return false;
      }
      if (isNoise(element)) return false;
      if (!BLOCK_TAGS.has(name)) {
        if (name === 'br') parts.push('\n');
        const tex = texOf(element);
        if (tex !== undefined) parts.push(tex);
        return tex === undefined;
      }
      if (name === 'dt') flushTerm();
      else flush();
      if (/^h[1-6]$/.test(name)) {
        blocks.push({ kind: 'heading', text: textOf(element), level: Number(name[1]) });
        inLead = false;
        return false;
      }
      if (name === 'pre') {
        push('code', codeOf(element), true);
        return false;
      }
      if (name === 'table' && isDataTable(element)) {
        for (const [at, row] of readTable(element).entries()) push('row', row, at === 0);
        return false;
      }
      if (LISTS.has(name)) {
        if (listDepth === 0) startsList = !endsWithColon();
        listDepth++;
      }
      return true;
    },
    leave(element) {
      const { name } = element;
      if (!BLOCK_TAGS.has(name)) return;
      if (name === 'dt') {
        term = tidy(parts.join(''));
        parts = [];
      } else if (name === 'dl') flushTerm();
      else flush();
      if (LISTS.has(name)) listDepth--;
    },
  });
  flush();
  return { blocks, facts, alternatives: [...alternatives] };
}
