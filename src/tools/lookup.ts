import { type Document, referenceTo } from '../agent/document';
import type { Language } from '../agent/event';
import type { Tool, ToolResult } from '../agent/tool';
import type { PageIndex } from '../knowledge/lookup';
import { showSentences } from '../knowledge/show';
import { cleanTitle } from '../knowledge/titles';
import type { ToolDependencies } from './dependencies';
import { outlineOf } from './openPage';

const HIT_CHARACTERS = 800;

interface Texts {
  empty: string;
  noPage: string;
  hit(number: number, of: number, page: string, section: string, relatedTo: string | undefined): string;
  noMore(keyword: string, page: string, count: number): string;
  noMatch(keyword: string, page: string): string;
  nearest(words: readonly string[]): string;
}

const TEXTS: Record<Language, Texts> = {
  en: {
    empty: 'Lookup needs a word or a phrase between the brackets.',
    noPage: 'No page is open. Search must open one first; then Lookup finds words in it.',
    hit: (number, of, page, section, relatedTo) =>
      `(Result ${number} / ${of}) ${page}${section && `, section “${section}”`}${
        relatedTo === undefined ? '' : ` (“${relatedTo}” is not there word for word; this is related)`
      }:`,
    noMore: (keyword, page, count) =>
      `No more results for “${keyword}” in ${page} (${count} of ${count} shown). Look up another word, or search another page.`,
    noMatch: (keyword, page) => `“${keyword}” is not in ${page}, which is the open page.`,
    nearest: (words) => `Nearest words in it: ${words.join(', ')}.`,
  },
  'zh-CN': {
    empty: 'Lookup 的方括号里需要填写要查找的词语。',
    noPage: '尚未打开任何页面。请先用 Search 打开页面，再用 Lookup 在其中查找词语。',
    hit: (number, of, page, section, relatedTo) =>
      `（结果 ${number} / ${of}）《${page}》${section && `，“${section}”一节`}${
        relatedTo === undefined ? '' : `（没有与“${relatedTo}”完全一致的文字，以下为相关内容）`
      }：`,
    noMore: (keyword, page, count) =>
      `《${page}》中没有更多关于“${keyword}”的结果（已显示 ${count} / ${count}）。请换一个词查找，或搜索其他页面。`,
    noMatch: (keyword, page) => `当前打开的页面《${page}》中没有“${keyword}”。`,
    nearest: (words) => `其中最接近的词：${words.join('、')}。`,
  },
};

const PRONOUN =
  /^(?:he|she|it|they|his|her|hers|its|their|this|these|that|those|there|here|then|such|both|however|also|him)\b|^(?:他|她|它|牠|祂|该|該|此|其|这|這|那|两者|兩者|二者|当时|當時|之后|之後|后来|後來)/i;

/** The sentence found, and the one before it where it can't be understood alone; the lead-in of a list's item. */
function withNeighbours({ sentences }: Document, index: number): number[] {
  const sentence = sentences[index]!;
  const before = sentences[index - 1];
  if (sentence.kind === 'item') {
    let leadIn = index - 1;
    while (sentences[leadIn]?.kind === 'item') leadIn--;
    const text = sentences[leadIn];
    return text?.section === sentence.section && /[:：]$/.test(text.text) ? [leadIn, index] : [index];
  }
  return before?.section === sentence.section && PRONOUN.test(sentence.text) ? [index - 1, index] : [index];
}

function noMatch(keyword: string, index: PageIndex, language: Language): ToolResult {
  const texts = TEXTS[language];
  const words = index.nearestWords(keyword);
  const lines = [
    texts.noMatch(keyword, index.document.title),
    words.length > 0 ? texts.nearest(words) : '',
    outlineOf(index.document, language),
  ];
  return { text: lines.filter(Boolean).join('\n'), ok: false, outside: true };
}

/** Finds a word in the open page, one result a call. */
export function lookupTool({ reader }: ToolDependencies): Tool {
  return {
    name: 'Lookup',
    aliases: ['find', 'look up', 'search in page', 'find in page', 'ctrl f', '查找'],
    argument: 'keyword',
    description: {
      en: 'finds a word or phrase in the open page; the same again gives the next result.',
      'zh-CN': '在打开的页面中查找词语；重复同一查找会给出下一个结果。',
    },
    example: { en: 'born', 'zh-CN': '出生' },
    advances: true,
    async run(input, { language }) {
      const texts = TEXTS[language];
      const { index } = reader;
      // `max_tokens` is a title in URL form only where it is no word of the page.
      const asItStands = /[_%]/.test(input) && index?.holds(input) === true;
      const keyword = asItStands ? input.trim() : cleanTitle(input);
      if (keyword === '') return { text: texts.empty, ok: false };
      if (!index) return { text: texts.noPage, ok: false };
      const { document } = index;
      const { sentences, related } = await index.find(keyword);
      if (sentences.length === 0) return noMatch(keyword, index, language);
      const key = `lookup ${keyword.toLowerCase()}`;
      const number = reader.shown(key) + 1;
      const hit = sentences[number - 1];
      if (hit === undefined)
        return { text: texts.noMore(keyword, document.title, sentences.length), ok: false, outside: true };
      reader.show(key, number);
      const section = document.sections[document.sentences[hit]!.section]?.title ?? '';
      const heading = texts.hit(number, sentences.length, document.title, section, related ? keyword : undefined);
      const shown = showSentences(document, withNeighbours(document, hit), { language, maxCharacters: HIT_CHARACTERS });
      const offset = heading.length + 1;
      return {
        text: `${heading} ${shown.text}`,
        document: referenceTo(document),
        sentences: shown.spans.map((span) => ({ ...span, start: span.start + offset, end: span.end + offset })),
      };
    },
  };
}
