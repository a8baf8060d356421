import { createHash } from 'node:crypto';
import type { Document, Section, Sentence } from '../agent/document';
import { type Block, readBlocks } from './blocks';
import { hasClass, type ParentNode, parseHtml, walk } from './markup';
import { splitSentences } from './sentences';

export { disambiguationSenses, looksLikeDisambiguation } from './disambiguation';

/** Where a page came from. `language` is a BCP 47 tag. */
export interface PageMeta {
  title: string;
  url: string;
  revision?: string;
  fetchedAt: string;
  language?: string;
}

/** An item longer than this (UTF-16 units) is cut into its sentences. */
const LONGEST_ITEM = 400;
const WIKI_CONTENT = new Set(['mw-parser-output']);

/** SHA-256 of the sentences joined by newlines, hex. */
export function hashOf(sentences: readonly Sentence[]): string {
  const text = sentences.map((sentence) => sentence.text).join('\n');
  return createHash('sha256').update(text).digest('hex');
}

/** A whole saved wiki page without the skin around its content, which then needs no parsing; any other HTML as it is. */
function withoutSkin(html: string): string {
  const content = html.indexOf('id="mw-content-text"');
  if (content < 0) return html;
  const end = html.indexOf('id="catlinks"', content);
  return html.slice(html.lastIndexOf('<', content), end < 0 ? undefined : html.lastIndexOf('<', end));
}

/** The part of a page that holds its text: a wiki's content, else `main`, else the only `article`, else everything. */
function contentOf(root: ParentNode): ParentNode {
  let wiki: ParentNode | undefined;
  let main: ParentNode | undefined;
  const articles: ParentNode[] = [];
  walk(root, {
    text() {},
    enter(element) {
      if (wiki) return false;
      if (element.attribs.id === 'mw-content-text' || hasClass(element, WIKI_CONTENT)) wiki = element;
      else if (element.name === 'main' || element.attribs.role === 'main') main ??= element;
      else if (element.name === 'article') articles.push(element);
      return true;
    },
    leave() {},
  });
  return wiki ?? main ?? (articles.length === 1 ? articles[0]! : root);
}

/** Blocks by heading, without the headings that have nothing under them. */
function bySection(
  blocks: readonly Block[],
): { title: string; level: number; blocks: Exclude<Block, { kind: 'heading' }>[] }[] {
  const parts: ReturnType<typeof bySection> = [{ title: '', level: 1, blocks: [] }];
  for (const block of blocks) {
    if (block.kind === 'heading') parts.push({ title: block.text, level: Math.max(2, block.level), blocks: [] });
    else parts.at(-1)!.blocks.push(block);
  }
  let deepest = 0;
  const kept = parts.toReversed().filter((part) => {
    const keep = part.level === 1 || part.blocks.length > 0 || deepest > part.level;
    if (keep) deepest = part.level;
    return keep;
  });
  return kept.reverse();
}

/** Titles stand in every observation: one without an end must not fill them. */
const LONGEST_TITLE = 250;
const MOST_ALTERNATIVES = 8;
export const boundedTitle = (title: string) =>
  title.length <= LONGEST_TITLE ? title : `${title.slice(0, LONGEST_TITLE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Numbers the sentences of blocks; `facts` become a section of their own after the lead. */
export function buildDocument(
  blocks: readonly Block[],
  meta: PageMeta,
  facts: readonly string[] = [],
  alternatives: readonly string[] = [],
): Document {
  const sections: Section[] = [];
  const sentences: Sentence[] = [];
  const add = (text: string, kind: Sentence['kind'], starts: boolean) => {
    const sentence: Sentence = { index: sentences.length, text, section: sections.length };
    if (kind !== undefined && kind !== 'text') sentence.kind = kind;
    if (starts) sentence.starts = true;
    sentences.push(sentence);
  };
  for (const part of bySection(blocks)) {
    const start = sentences.length;
    for (const { kind, text, starts } of part.blocks) {
      const whole = kind === 'row' || kind === 'code' || (kind === 'item' && text.length <= LONGEST_ITEM);
      const pieces = whole ? [text] : splitSentences(text, meta.language);
      for (const [at, piece] of pieces.entries()) add(piece, kind, starts && at === 0);
    }
    sections.push({ title: boundedTitle(part.title), level: part.level, start, end: sentences.length });
    if (sections.length === 1 && facts.length > 0) {
      const factsStart = sentences.length;
      for (const [at, fact] of facts.entries()) add(fact, 'fact', at === 0);
      const title = meta.language?.toLowerCase().startsWith('zh') ? '信息框' : 'Infobox';
      sections.push({ title, level: 2, start: factsStart, end: sentences.length });
    }
  }
  const { title, url, revision, fetchedAt, language } = meta;
  return {
    title: boundedTitle(title),
    url,
    ...(revision === undefined ? {} : { revision }),
    fetchedAt,
    hash: hashOf(sentences),
    ...(language === undefined ? {} : { language }),
    sections,
    sentences,
    ...(alternatives.length > 0 ? { alternatives: alternatives.slice(0, MOST_ALTERNATIVES) } : {}),
  };
}

/**
 * HTML of a page → Document. Reads MediaWiki's `action=parse` HTML, whole saved wiki pages, and articles of any site:
 * paragraphs, list items, table rows ("header: value"), formulas as TeX, code; the infobox's facts come as a section
 * of their own after the lead. Page chrome, references, coordinates, scripts and hidden parts are left out.
 */
export function readPage(html: string, meta: PageMeta): Document {
  const { blocks, facts, alternatives } = readBlocks(contentOf(parseHtml(withoutSkin(html))));
  const [first, ...rest] = blocks;
  const repeatsTitle = first?.kind === 'heading' && (first.level === 1 || first.text === meta.title);
  return buildDocument(repeatsTitle ? rest : blocks, meta, facts, alternatives);
}
