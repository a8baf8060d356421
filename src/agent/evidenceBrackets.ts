/** Brackets in an answer: what stands in them belongs to the words before them. */

const OPENING = '(（[【';
const CLOSING = ')）]】';

/** The pairs of round and square brackets: place of the opening one → place of the closing one. One without a partner is none. */
function pairsOf(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (OPENING.includes(text[at]!)) open.push(at);
    else if (CLOSING.includes(text[at]!) && open.length > 0) pairs.set(open.pop()!, at);
  }
  return pairs;
}

/** Cuts a text where the pattern matches outside all brackets. What it matches is left out. */
export function splitOutside(text: string, pattern: RegExp): string[] {
  if (text.search(pattern) < 0) return [text];
  const global = new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''));
  const pairs = pairsOf(text);
  const parts: string[] = [];
  let start = 0;
  let at = 0;
  let closing = -1;
  for (const { 0: found, index } of text.matchAll(global)) {
    for (; at < index; at++) if (at > closing) closing = pairs.get(at) ?? closing;
    if (index <= closing) continue;
    parts.push(text.slice(start, index));
    start = index + found.length;
  }
  return [...parts, text.slice(start)];
}

/** A text without the brackets that hold all of it. */
export function unbracketed(text: string): string {
  const whole = text.trim();
  return pairsOf(whole).get(0) === whole.length - 1 ? whole.slice(1, -1) : text;
}

/** An answer that gives its reasons in brackets at its end: “408 (17 * 24 = 408; …)”. */
export interface Reasoned {
  head: string;
  reasons: string[];
}

/** Reads an answer with its reasons; undefined where it gives none. */
export function reasonedOf(sentence: string): Reasoned | undefined {
  const text = sentence.replace(/[.。]+$/, '');
  const last = [...pairsOf(text)].find(([, closing]) => closing === text.length - 1)?.[0];
  if (!last) return undefined;
  const reasons = splitOutside(text.slice(last + 1, -1), /[;；]\s*/);
  const head = text.slice(0, last).trim();
  return head ? { head, reasons: reasons.filter((reason) => reason.trim()) } : undefined;
}
