import { ARGUMENT_KEYS, foldName } from './parseNames';
import { readTolerantJson } from './tolerantJson';

const QUOTE_PAIRS: Record<string, string> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '`': '`',
  '『': '』',
  '「': '」',
};
/** Keys that only set how a tool works; beside them stands the one argument that matters. */
const MINOR_KEYS = new Set([
  ...['limit', 'n', 'k', 'topk', 'maxresults', 'numresults', 'count', 'lang', 'language', 'page'],
  ...['thought', 'reason', 'reasoning', 'explanation', 'description', 'security_risk', 'comment'],
]);
const WRAPPER_KEYS = new Set(['arguments', 'args', 'parameters', 'params', 'input', 'kwargs']);

/** Removes a code fence that wraps the whole text. */
export function unfence(text: string): string {
  const opening = /^\s*(`{3,}|~{3,})[^\n`]*\n/.exec(text);
  if (!opening) return text;
  const body = text.slice(opening[0].length).trimEnd();
  const fence = opening[1] as string;
  return body.endsWith(fence) ? body.slice(0, -fence.length).trimEnd() : body;
}

/** Removes one pair of quotes around the whole text; quotes inside are kept. */
export function unquote(text: string): string {
  const closing = QUOTE_PAIRS[text[0] ?? ''];
  if (closing === undefined || text.length < 2 || !text.endsWith(closing)) return text;
  const inner = text.slice(1, -1);
  const apostrophes = closing === "'" || closing === '’';
  const others = apostrophes ? inner.replace(/(\p{L})['’](?=\p{L})/gu, '$1') : inner;
  if (!others.includes(closing)) return inner.trim();
  // Escaped inner quotes mean that the outer pair is one string literal.
  if (/(^|[^\\])["'`”’]/.test(inner)) return text;
  return inner.replace(/\\(["'`])/g, '$1').trim();
}

/**
 * The one string a tool takes, out of the arguments of an object.
 * @returns JSON text where no single argument stands out
 */
export function flattenArguments(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    return value.length === 0 ? '' : value.length === 1 ? flattenArguments(value[0]) : JSON.stringify(value);
  }
  const entries = Object.entries(value).filter(([key]) => foldName(key) !== 'thought');
  if (entries.length === 0) return '';
  const major = entries.filter(([key]) => !MINOR_KEYS.has(foldName(key)));
  const [first] = major;
  const [only] =
    entries.length === 1
      ? entries
      : major.length === 1 && ARGUMENT_KEYS.has(first?.[0].toLowerCase() ?? '')
        ? major
        : [];
  if (only) {
    const [key, inner] = only;
    if (typeof inner === 'string') return inner;
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner) && WRAPPER_KEYS.has(foldName(key))) {
      return flattenArguments(inner);
    }
    if (typeof inner !== 'object' && ARGUMENT_KEYS.has(key.toLowerCase())) return String(inner);
    if (
      Array.isArray(inner) &&
      inner.length === 1 &&
      typeof inner[0] === 'string' &&
      ARGUMENT_KEYS.has(key.toLowerCase())
    ) {
      return inner[0];
    }
  }
  return JSON.stringify(Object.fromEntries(entries));
}

interface CleanInput {
  input: string;
  repairedJson: boolean;
}

/**
 * Cleans what stood between the brackets or after the input label.
 * @param isFinish an answer keeps its own lists, code and objects; a tool's argument is unwrapped
 */
export function cleanInput(raw: string, isFinish: boolean): CleanInput {
  let text = raw.trim();
  if (!isFinish) text = unfence(text).trim();
  const json = text.startsWith('{') || (text.startsWith('[') && !isFinish) ? readTolerantJson(text) : undefined;
  if (json && (text.startsWith('{') || json.end >= text.length) && (!isFinish || isAnswerObject(json.value))) {
    const bare = Array.isArray(json.value) && typeof json.value[0] === 'string' ? json.value : undefined;
    // [Kyoto] is a bracketed title; ["Kyoto"] a list of one.
    if (bare?.length === 1) return { input: String(bare[0]).trim(), repairedJson: false };
    if (!Array.isArray(json.value)) return { input: flattenArguments(json.value).trim(), repairedJson: json.repaired };
  }
  if (!isFinish && /^\[[^[\]]*\]$/.test(text) && !/^\[[\d\s.,-]*\]$/.test(text)) text = text.slice(1, -1).trim();
  return { input: unquote(keywordValue(text)), repairedJson: false };
}

/** An object in Finish is the answer itself, unless its only key says that the answer is the value. */
function isAnswerObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && ['answer', 'finalanswer', 'output', 'response', '答案'].includes(foldName(keys[0] ?? ''));
}

/** `query="Kyoto"` and `query=Kyoto` → the value, for keys that name a tool's only argument. */
function keywordValue(text: string): string {
  const keyword = /^([\p{L}_]{1,20})\s*(=|[:：]\s*(?=["“']))\s*(?!=)/u.exec(text);
  if (!keyword || !ARGUMENT_KEYS.has((keyword[1] ?? '').toLowerCase())) return text;
  const value = text.slice(keyword[0].length);
  const items = splitArguments(value);
  return items && items.length > 1 && items.slice(1).every((item) => item.key) ? (items[0]?.value ?? value) : value;
}

interface Argument {
  key?: string;
  value: string;
  quoted: boolean;
}

/** Splits function-call arguments at commas outside quotes and brackets. @returns undefined where a quote never closes */
function splitArguments(text: string): Argument[] | undefined {
  const items: string[] = [];
  let quote = '';
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quote) {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || (char === "'" && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ''))) quote = char;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === ',' && depth === 0) {
      items.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (quote) return undefined;
  items.push(text.slice(from));
  return items
    .filter((item) => item.trim() !== '')
    .map((item) => {
      const key = /^\s*([\p{L}_][\p{L}\p{N}_]{0,30})\s*=(?!=)\s*/u.exec(item);
      const value = item.slice(key?.[0].length ?? 0).trim();
      const string = /^([furb]{0,2})(["'])/i.exec(value);
      const quoted = string !== null && value.endsWith(string[2] as string) && value.length > string[0].length;
      const text = quoted ? unescapeString(value.slice(string[0].length, -1)) : value;
      return { ...(key && { key: key[1] as string }), value: text, quoted };
    });
}

function unescapeString(text: string): string {
  return text.replace(/\\(.)/gs, (_, code: string) => (code === 'n' ? '\n' : code === 't' ? '\t' : code));
}

/** The input out of a function call's arguments: `"Kyoto"`, `query="Kyoto", limit=3`, `Paris, France`. */
export function callInput(raw: string, isFinish: boolean): CleanInput {
  const text = raw.trim();
  if (text.startsWith('{') || text.startsWith('```')) return cleanInput(text, isFinish);
  const items = splitArguments(text);
  const [first] = items ?? [];
  if (!items || !first) return cleanInput(text, isFinish);
  if (items.length === 1) {
    if (first.quoted) return { input: first.value.trim(), repairedJson: false };
    return cleanInput(text, isFinish);
  }
  if (items.every((item) => item.key)) {
    // Finish(answer=Paris, France) has only one key; here every item has one.
    return {
      input: flattenArguments(Object.fromEntries(items.map(({ key, value }) => [key, value]))),
      repairedJson: false,
    };
  }
  const keyed = items.slice(1).every((item) => item.key);
  if (keyed && (first.quoted || !isFinish)) return { input: first.value.trim(), repairedJson: false };
  return cleanInput(text, isFinish);
}
