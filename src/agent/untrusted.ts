import type { Observation, SentenceSpan } from './event';
import type { ToolResult } from './tool';
import { givesOrders } from './untrustedOrders';

/** Text from outside, made safe to show to a model. */
export interface Neutralised {
  text: string;
  /** The same sentences, where they stand now. */
  spans: SentenceSpan[] | undefined;
  /** True when the text tries to give orders to an agent. */
  suspicious: boolean;
}

/** `insert` instead of the `remove` characters (UTF-16 units) at `at`. */
interface Edit {
  at: number;
  remove: number;
  insert: string;
}

/** Stands before or inside what was defused. No reader of labels, tools or chat templates takes it for its own. */
const MARK = '¦';

/**
 * Nothing to see, but it could split or reorder a word: zero-width marks, bidirectional controls, tags, control characters.
 * The joiners stay where scripts and emoji need them.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0]|\u034f|[\u{e0000}-\u{e007f}]|(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Extended_Pictographic}\p{Variation_Selector}])\p{Join_Control}/gu;
const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029]/g;

const OWN_LABELS =
  'thoughts?|actions?(?:[ _]input)?|observations?|final[ _]?answer|思考|想法|行动(?:输入)?|動作|动作|观察(?:结果)?|觀察|观测|最终答案|最終答案|最终回答';
const OTHER_LABELS =
  'question|answer|human|user|assistant|system|developer|tool|instruction|response|问题|問題|答案|回答|用户|用戶|助手|系统|系統|工具';
const AFTER_LABEL = '[ \\t]{0,4}#?\\d{0,4}[ \\t*_~`"\'”’\\])】]{0,6}[:︰꞉∶ː]';
/** A line that begins like one of our labels, or like a role of a chat, whatever list marks and emphasis it wears. */
const LABEL_LINE = new RegExp(
  `^[ \\t\\u3000]*(?=[>*_#\`"'“‘\\-–•·|~+0-9.)、\\[【(<「 \\t]{0,16}(?:${OWN_LABELS}|${OTHER_LABELS})${AFTER_LABEL})`,
  'gimu',
);
/** Our labels where a sentence begins: HTML turns line breaks into spaces. */
const LABEL_IN_LINE = new RegExp(
  `(?<=[.!?。!?;…"”’)\\]】*][ \\t]{0,3})(?=[*_\`"]{0,3}(?:${OWN_LABELS})${AFTER_LABEL})`,
  'giu',
);
/** A tool with its brackets, as an action writes it. */
const TOOL_CALL =
  /\b(?:search|lookup|look_up|fetch|section|finish|calculat(?:e|or)|npm)(?=[ \t]?[[【])|(?:搜索|查找|完成|计算)(?=[[【])/giu;
/** Tokens and tags with which chats, tools and our own data are set apart. */
const TEMPLATE_TOKEN =
  /<(?=\s*\/\s*data\b)|<(?=[|｜][^|｜<>\n]{1,40}[|｜]>)|<(?=\s*\/?\s*(?:s|data|bos|eos|pad|unk|think|thinking|system|user|assistant|human|tool|tool_call|tool_calls|tool_response|tools|function|function_calls?|function_results|invoke|parameter|observation|instructions?|untrusted(?:_content)?|start_of_turn|end_of_turn)(?:\s[^<>\n]{0,60}|=[^<>\n]{0,60})?\s*\/?>)|<(?=<\s*\/?\s*SYS\s*>>)|\[(?=\s*\/?\s*(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\s*\])/giu;

/** Letters that only look like those of a label. */
const LOOKALIKES = new Map(
  [...'АВЕКМНОРСТХІЈЅаеорсухіјѕΑΒΕΗΙΚΜΝΟΡΤΧοαν'].map((letter, at) => [
    letter,
    'ABEKMHOPCTXIJSaeopcyxijsABEHIKMNOPTXoav'[at]!,
  ]),
);

/** The text as labels are looked for in it: wide, bold and look-alike letters as plain ones. `at` leads back to the offsets. */
function plain(text: string): { text: string; at(offset: number): number } {
  if (/^[\p{ASCII}\p{Script=Han}‘’“”–—•。、，]*$/u.test(text)) return { text, at: (offset) => offset };
  const offsets: number[] = [];
  let folded = '';
  let offset = 0;
  for (const character of text) {
    const compatible = character.normalize('NFKC');
    const one = /^[\x20-\x7e]$/.test(compatible) ? compatible : (LOOKALIKES.get(character) ?? character);
    for (let unit = 0; unit < one.length; unit++) offsets.push(offset + Math.min(unit, character.length - 1));
    folded += one;
    offset += character.length;
  }
  return { text: folded, at: (place) => offsets[place] ?? text.length };
}

function apply(
  text: string,
  spans: readonly SentenceSpan[] | undefined,
  edits: Edit[],
): { text: string; spans?: SentenceSpan[] } {
  edits.sort((one, other) => one.at - other.at);
  const parts: string[] = [];
  let from = 0;
  const kept = edits.filter((edit) => {
    if (edit.at < from) return false;
    parts.push(text.slice(from, edit.at), edit.insert);
    from = edit.at + edit.remove;
    return true;
  });
  parts.push(text.slice(from));
  /** What is inserted right where a sentence begins or ends stays outside of it. */
  const moved = (place: number, isStart: boolean) => {
    let to = place;
    for (const { at, remove, insert } of kept) {
      if (at > place || (at === place && !isStart)) break;
      to += insert.length - Math.min(remove, place - at);
    }
    return to;
  };
  const movedSpans = spans?.map((span) => {
    const start = moved(span.start, true);
    return { index: span.index, start, end: Math.max(start, moved(span.end, false)) };
  });
  return { text: parts.join(''), ...(movedSpans && { spans: movedSpans }) };
}

/**
 * Makes text from outside safe to show: observations are data. What could pass for a label, an action, a chat template's
 * token or the tags around data gets a visible mark (`¦ Observation 3:`, `Finish¦[…]`, `<¦/data>`); invisible characters go.
 * Everything else stays as it is, and the spans follow.
 * @param spans offsets into `text` (UTF-16 units)
 */
export function neutralise(text: string, spans?: readonly SentenceSpan[]): Neutralised {
  const hidden = [...text.matchAll(INVISIBLE)].map(({ index, 0: found }) => ({
    at: index,
    remove: found.length,
    insert: '',
  }));
  const breaks = [...text.matchAll(LINE_BREAK)].map(({ index, 0: found }) => ({
    at: index,
    remove: found.length,
    insert: '\n',
  }));
  const seen = apply(text, spans, [...hidden, ...breaks]);
  const folded = plain(seen.text);
  const insertions = new Map<number, string>();
  const insert = (pattern: RegExp, mark: string) => {
    for (const match of folded.text.matchAll(pattern)) {
      const at = folded.at(match.index + match[0].length);
      if (!insertions.has(at)) insertions.set(at, mark);
    }
  };
  insert(LABEL_LINE, `${MARK} `);
  insert(LABEL_IN_LINE, `${MARK} `);
  insert(TOOL_CALL, MARK);
  insert(TEMPLATE_TOKEN, MARK);
  const safe = apply(
    seen.text,
    seen.spans,
    [...insertions].map(([at, mark]) => ({ at, remove: 0, insert: mark })),
  );
  return { text: safe.text, spans: safe.spans, suspicious: givesOrders(folded.text) };
}

/** Text that tells of what came from outside, as it may stand in a message. */
export const fenceOff = (text: string) => `<data>${neutralise(text).text}</data>`;

/** An observation as people read it: the fence is for the model. Where it stood, no page could have written it. */
export const withoutFence = (text: string) => text.replace(/<\/?data>/g, '');

/** Whether words of an observation, or of a tool's result, come from outside. */
export function isFromOutside({ document, suggestions, outside }: Partial<Observation> | ToolResult): boolean {
  return outside === true || document !== undefined || suggestions !== undefined;
}

/**
 * A tool's result as it may enter the trace: its text neutralised, and its titles too, since they are quoted elsewhere without
 * a fence. A suggested title that was not safe as it stood is not suggested.
 */
export function safeResult(result: ToolResult): ToolResult & { suspicious: boolean } {
  if (!isFromOutside(result)) return { ...result, suspicious: false };
  const { text, spans, suspicious } = neutralise(result.text, result.sentences);
  const { document, suggestions } = result;
  return {
    ...result,
    text,
    suspicious,
    ...(spans ? { sentences: spans } : {}),
    ...(document ? { document: { ...document, title: oneLine(neutralise(document.title).text) } } : {}),
    ...(suggestions ? { suggestions: suggestions.filter((title) => oneLine(neutralise(title).text) === title) } : {}),
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
