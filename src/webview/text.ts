const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/**
 * Text as it may be shown: control characters as their pictures, characters that would reorder their neighbours by their
 * number, lone surrogates as the replacement character.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
    return `⟨U+${code.toString(16).toUpperCase()}⟩`;
  });
}

/** Where to cut a text to about `length` units: after a sentence or at a space where one is near, never inside a character. */
export function cutPoint(text: string, length: number): number {
  if (text.length <= length * 1.3) return text.length;
  const head = text.slice(0, length);
  const sentence = Math.max(...['. ', '.\n', '。', '！', '？', '\n\n'].map((end) => head.lastIndexOf(end) + 1));
  if (sentence > length * 0.5) return sentence;
  const space = head.lastIndexOf(' ');
  if (space > length * 0.7) return space;
  const code = head.charCodeAt(length - 1);
  return code >= 0xd800 && code <= 0xdbff ? length - 1 : length;
}

const THOUGHT_LABEL = /^\s*(?:[*#\s]*)(?:Thought|思考)(?:\s*\d+)?(?:\*\*)?\s*[:：](?:\*\*)?\s*/i;
const NEXT_LABEL =
  /(?:^|\n)[*#\s]*(?:Action|Final Answer|Observation|Finish|行动|动作|最终答案|观察)(?:\s*\d+)?(?:\*\*)?\s*[:：[（(]/i;

/** Splits text that is still being written: the thought so far, and the beginning of the action after it. */
export function splitLive(text: string): { thought: string; action: string } {
  const body = text.replace(THOUGHT_LABEL, '');
  const next = NEXT_LABEL.exec(body);
  if (next) return { thought: body.slice(0, next.index).trimEnd(), action: body.slice(next.index).trim() };
  // A label being written must not flash up as part of the thought.
  return { thought: body.replace(/\n\s*[A-Z]?[a-z]{0,10}\s*\d*$/, ''), action: '' };
}
