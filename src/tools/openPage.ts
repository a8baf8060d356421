import { type Document, referenceTo } from '../agent/document';
import type { Language } from '../agent/event';
import type { ToolResult } from '../agent/tool';
import type { Reader } from '../knowledge/reader';
import { showSentences } from '../knowledge/show';
import { type PageResolution, type Resolution, type SimilarPage, SourceUnavailable } from '../knowledge/source';
import { PAGE_TEXTS } from './pageTexts';

const LEAD_SENTENCES = 5;
const LEAD_CHARACTERS = 700;
const OUTLINE_CHARACTERS = 300;
const LIST_CHARACTERS = 2500;
const LONGEST_LINE = 200;

/** Section titles, as many as fit on a line or two. */
export function outlineOf(document: Document, language: Language): string {
  const texts = PAGE_TEXTS[language];
  const titles = document.sections.map(({ title }) => title).filter((title) => title !== '');
  let shown = 0;
  for (let length = 0; shown < titles.length; shown++) {
    length += titles[shown]!.length + 2;
    if (length > OUTLINE_CHARACTERS) break;
  }
  return titles.length === 0 ? '' : texts.sections(titles.slice(0, shown).join(texts.join), titles.length - shown);
}

/** Opens a page for the tools that read the open page, and tells what is on it. @param request see Reader.open */
export function openPage(resolution: PageResolution, request: string, reader: Reader, language: Language): ToolResult {
  const { document, redirectedFrom, note } = resolution;
  const texts = PAGE_TEXTS[language];
  reader.open(document, request);
  const section = document.sections.find(({ title }) => title !== '' && title === resolution.sectionTitle);
  const heading =
    document.title +
    (redirectedFrom === undefined ? '' : texts.redirected(redirectedFrom)) +
    (section ? texts.toSection(section.title) : '');
  const total = document.sentences.length;
  const start = section?.start ?? 0;
  const lead = section ?? document.sections.find(({ start: from, end }) => end > from);
  const partEnd = Math.max(lead?.end ?? 0, Math.min(total, start + (section ? 1 : 2)));
  const intro = [heading, note].filter(Boolean).join('\n');
  const shown = showSentences(
    document,
    { start, end: Math.min(partEnd, start + LEAD_SENTENCES) },
    { language, maxCharacters: LEAD_CHARACTERS },
  );
  const left = partEnd - start - shown.spans.length;
  const all = shown.spans.length === total;
  const titled = document.sections.filter(({ title }) => title !== '').length;
  const lines = [
    intro,
    shown.text || texts.emptyPage,
    left > 0 ? texts.goesOn(left) : '',
    all && total > 0 ? texts.shortPage : '',
    all ? '' : outlineOf(document, language),
    all ? '' : texts.size(total, titled),
    document.alternatives?.length ? texts.alternatives(document.alternatives.map(texts.quote).join(texts.join)) : '',
  ];
  const offset = intro.length + 1;
  return {
    text: lines.filter(Boolean).join('\n'),
    ...(resolution.cached ? { cached: true } : {}),
    document: referenceTo(document),
    sentences: shown.spans.map(({ index, start: from, end }) => ({ index, start: from + offset, end: end + offset })),
    ...(document.alternatives?.length ? { suggestions: document.alternatives } : {}),
  };
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Pages with a line on each, as many as an observation has room for. */
function listOf(pages: readonly SimilarPage[], language: Language): string[] {
  const lines: string[] = [];
  let length = 0;
  for (const { title, description } of pages) {
    const line = `• ${title}${description ? PAGE_TEXTS[language].colon + cut(description, LONGEST_LINE) : ''}`;
    length += line.length + 1;
    if (lines.length > 0 && length > LIST_CHARACTERS) break;
    lines.push(line);
  }
  return lines;
}

/** What a source found, as an observation; a page is opened. */
export function present(
  query: string,
  resolution: Resolution,
  request: string,
  reader: Reader,
  language: Language,
): ToolResult {
  const texts = PAGE_TEXTS[language];
  if (resolution.kind === 'page') return openPage(resolution, request, reader, language);
  const pages = resolution.kind === 'missing' ? resolution.similar : resolution.senses;
  const list = listOf(pages, language);
  const suggestions = pages.slice(0, list.length).map(({ title }) => title);
  if (resolution.kind === 'disambiguation') {
    const more = pages.length > list.length ? texts.moreSenses(pages.length - list.length) : '';
    const text = [texts.senses(resolution.title), ...list, more, texts.useSense].filter(Boolean).join('\n');
    return { text, ok: false, ...(resolution.cached ? { cached: true } : {}), suggestions };
  }
  const { suggestion } = resolution;
  if (suggestion !== undefined && !suggestions.includes(suggestion)) suggestions.unshift(suggestion);
  const text = [
    texts.missing(cut(query, LONGEST_LINE), list.length > 0),
    ...list,
    suggestion === undefined ? '' : texts.suggestion(suggestion),
    list.length > 0 ? texts.useTitle : texts.otherWords,
  ];
  return { text: text.filter(Boolean).join('\n'), ok: false, ...(suggestions.length > 0 ? { suggestions } : {}) };
}

/** A source that could not be asked, as an observation. Anything else is thrown on. */
export function explainUnavailable(error: unknown, language: Language): ToolResult {
  if (!(error instanceof SourceUnavailable)) throw error;
  const texts = PAGE_TEXTS[language];
  return {
    text: [
      texts.unavailable[error.reason](error.place, cut(error.detail, LONGEST_LINE)),
      error.aside,
      texts.noConclusion,
    ]
      .filter(Boolean)
      .join(' '),
    ok: false,
    transient: true,
    ...(error.quoted ? { outside: true } : {}),
  };
}
