import type { Document, Sentence } from '../agent/document';
import type { Language, SentenceSpan } from '../agent/event';

/** Sentences as a model reads them. */
export interface Shown {
  text: string;
  /** Where each sentence stands in `text`. */
  spans: SentenceSpan[];
  /** How many of the wanted sentences did not fit; the caller says how to go on. */
  cut: number;
}

const SHORTENED: Record<Language, string> = { en: ' … (sentence shortened)', 'zh-CN': '……（此句已截短）' };

/** Chinese and Japanese sentences follow each other without a space; a closing quote alone does not make one Chinese. */
const WIDE_END = /[。！？；]["'”’」』）)\]】》〉]*$/;
const HAN_END = /[\p{scx=Han}\p{scx=Kana}][.!?…]*["'”’」』）)\]】》〉]*$/u;
const HAN_START = /^["'“‘「『（([【《〈]*[\p{scx=Han}\p{scx=Kana}]/u;

/** What stands between two sentences: a space within a paragraph (none in Chinese), a line break around everything else, an ellipsis over a gap. */
function separator(before: Sentence | undefined, sentence: Sentence): string {
  if (!before) return '';
  const line = sentence.starts || before.section !== sentence.section;
  const running = (before.kind ?? 'text') === 'text' && (sentence.kind ?? 'text') === 'text';
  if (sentence.index !== before.index + 1) return line || !running ? '\n…\n' : ' … ';
  if (line || !running) return '\n';
  const unspaced = WIDE_END.test(before.text) || (HAN_END.test(before.text) && HAN_START.test(sentence.text));
  return unspaced ? '' : ' ';
}

/**
 * Writes sentences of a document as the text of an observation, in the given order.
 * @param which indexes, or a range with `end` one past the last
 * @param options `maxCharacters` bounds the text (UTF-16 units); the first sentence is always shown, shortened where it must be
 */
export function showSentences(
  document: Document,
  which: readonly number[] | { start: number; end: number },
  options: { language: Language; maxCharacters: number },
): Shown {
  const indexes =
    'start' in which ? Array.from({ length: which.end - which.start }, (_, offset) => which.start + offset) : which;
  const wanted = indexes.flatMap((index) => document.sentences[index] ?? []);
  const shown: Shown = { text: '', spans: [], cut: 0 };
  let before: Sentence | undefined;
  for (const sentence of wanted) {
    const lead = separator(before, sentence) + (sentence.kind === 'item' ? '• ' : '');
    const room = options.maxCharacters - shown.text.length - lead.length;
    let body = sentence.text;
    let mark = '';
    if (body.length > room) {
      if (before) break;
      mark = SHORTENED[options.language];
      body = body.slice(0, Math.max(0, room - mark.length)).replace(/[\uD800-\uDBFF]$/, '');
    }
    const start = shown.text.length + lead.length;
    shown.text += lead + body + mark;
    shown.spans.push({ index: sentence.index, start, end: start + body.length });
    before = sentence;
  }
  shown.cut = wanted.length - shown.spans.length;
  return shown;
}
