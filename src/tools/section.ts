import { type Document, referenceTo } from '../agent/document';
import type { Language, SentenceSpan } from '../agent/event';
import type { Tool } from '../agent/tool';
import { showSentences } from '../knowledge/show';
import { cleanTitle, foldTitle, sameTitle } from '../knowledge/titles';
import type { ToolDependencies } from './dependencies';
import { outlineOf } from './openPage';

const PART_CHARACTERS = 1500;

interface Texts {
  noPage: string;
  missing(title: string, page: string): string;
  empty(title: string, page: string): string;
  heading(page: string, section: string, part: number, of: number): string;
  more(part: number): string;
  done(title: string, page: string): string;
  lead: string;
}

const TEXTS: Record<Language, Texts> = {
  en: {
    noPage: 'No page is open. Search must open one first; then Section reads a part of it.',
    missing: (title, page) => `${page}, the open page, has no section “${title}”.`,
    empty: (title, page) => `Section “${title}” of ${page} has no text.`,
    heading: (page, section, part, of) => `${page}, section “${section}”${of > 1 ? `, part ${part} of ${of}` : ''}:`,
    more: (part) => `(Cut here; the same Section again reads part ${part}.)`,
    done: (title, page) => `Section “${title}” of ${page} was read to its end.`,
    lead: 'Introduction',
  },
  'zh-CN': {
    noPage: '尚未打开任何页面。请先用 Search 打开页面，再用 Section 阅读其中一节。',
    missing: (title, page) => `当前打开的页面《${page}》没有名为“${title}”的章节。`,
    empty: (title, page) => `《${page}》的“${title}”一节没有正文。`,
    heading: (page, section, part, of) =>
      `《${page}》，“${section}”一节${of > 1 ? `，第 ${part} 部分，共 ${of} 部分` : ''}：`,
    more: (part) => `（此处截断；再次使用同一 Section 可阅读第 ${part} 部分。）`,
    done: (title, page) => `《${page}》的“${title}”一节已经读完。`,
    lead: '导言',
  },
};

/** Splits `History, part 2` and `历史 第2部分` into the title and the number of the part. */
function splitPart(input: string): { title: string; part?: number } {
  const match =
    /^(.+?)[\s,，;(（]*(?:part\s*(\d+)(?:\s*(?:of|\/)\s*\d+)?|第\s*(\d+)\s*(?:部分|部|页))[)）]?$/iu.exec(input) ??
    undefined;
  return match ? { title: match[1]!.trim(), part: Number(match[2] ?? match[3]) } : { title: input };
}

/** Index of the section that a title means; the lead is called by many names. */
function sectionNamed(document: Document, title: string): number {
  const { sections } = document;
  if (/^(?:lead|introduction|intro|summary|top|0|导言|引言|序言|开头|简介)?$/i.test(title)) {
    const own = sections.findIndex((section) => section.title !== '' && sameTitle(section.title, title));
    return own === -1 ? 0 : own;
  }
  const wanted = foldTitle(title);
  const named = (test: (folded: string) => boolean) =>
    sections.findIndex((section) => section.title !== '' && test(foldTitle(section.title)));
  const exact = named((folded) => folded === wanted);
  if (exact !== -1) return exact;
  const inside = named((folded) => folded.includes(wanted) || (folded.length > 3 && wanted.includes(folded)));
  return inside === -1 && /^\d+$/.test(title) && sections[Number(title)] ? Number(title) : inside;
}

/** One past the last sentence of a section and its subsections. */
function endOf({ sections }: Document, at: number): number {
  const { level, title } = sections[at]!;
  let end = sections[at]!.end;
  if (title === '') return end;
  for (let next = at + 1; next < sections.length && sections[next]!.level > level; next++) end = sections[next]!.end;
  return end;
}

/** Cuts sentences into parts that fit an observation; at least one sentence each. */
function partsOf(document: Document, start: number, end: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let [from, size] = [start, 0];
  for (let at = start; at < end; at++) {
    const length = document.sentences[at]!.text.length + 3;
    if (size > 0 && size + length > PART_CHARACTERS) {
      parts.push({ start: from, end: at });
      [from, size] = [at, 0];
    }
    size += length;
  }
  if (end > from) parts.push({ start: from, end });
  return parts;
}

/** Writes a part with the titles of the subsections that begin in it. */
function write(document: Document, part: { start: number; end: number }, main: number, language: Language) {
  const spans: SentenceSpan[] = [];
  let text = '';
  for (let at = part.start; at < part.end; ) {
    const number = document.sentences[at]!.section;
    const section = document.sections[number]!;
    const until = Math.min(part.end, Math.max(section.end, at + 1));
    if (number !== main && at === section.start) text += `${text && '\n'}${section.title}:`;
    const shown = showSentences(document, { start: at, end: until }, { language, maxCharacters: PART_CHARACTERS * 2 });
    if (text) text += '\n';
    spans.push(
      ...shown.spans.map(({ index, start, end }) => ({ index, start: start + text.length, end: end + text.length })),
    );
    text += shown.text;
    at = until;
  }
  return { text, spans };
}

/** Reads a section of the open page, part by part. */
export function sectionTool({ reader }: ToolDependencies): Tool {
  return {
    name: 'Section',
    aliases: ['read section', 'open section', 'read', '章节'],
    argument: 'title',
    description: {
      en: 'reads a section of the open page; the same again reads its next part.',
      'zh-CN': '阅读打开的页面中的一节；重复同一阅读会给出下一部分。',
    },
    example: { en: 'Early life', 'zh-CN': '历史' },
    advances: true,
    async run(input, { language }) {
      const texts = TEXTS[language];
      const { document } = reader;
      if (!document) return { text: texts.noPage, ok: false };
      const { title, part } = splitPart(cleanTitle(input));
      const at = sectionNamed(document, title);
      if (at === -1) {
        const lines = [texts.missing(title, document.title), outlineOf(document, language)];
        return { text: lines.filter(Boolean).join('\n'), ok: false, outside: true };
      }
      const section = document.sections[at]!;
      const name = section.title || texts.lead;
      const parts = partsOf(document, section.start, endOf(document, at));
      if (parts.length === 0) return { text: texts.empty(name, document.title), ok: false, outside: true };
      const key = `section ${at}`;
      const number = part ?? reader.shown(key) + 1;
      const wanted = parts[number - 1];
      if (!wanted) return { text: texts.done(name, document.title), ok: false, outside: true };
      reader.show(key, number);
      const heading = texts.heading(document.title, name, number, parts.length);
      const { text, spans } = write(document, wanted, at, language);
      const offset = heading.length + 1;
      return {
        text: [heading, text, number < parts.length ? texts.more(number + 1) : ''].filter(Boolean).join('\n'),
        document: referenceTo(document),
        sentences: spans.map((span) => ({ ...span, start: span.start + offset, end: span.end + offset })),
      };
    },
  };
}
