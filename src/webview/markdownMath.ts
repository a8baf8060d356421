import type { MarkdownIt } from 'markdown-it';

/** Opening and closing marks of a formula. A single dollar is a price, not a formula. */
const MARKS = [
  ['$$', '$$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
] as const;

/** Where the formula at `start` ends, or -1. A Wikipedia formula is a balanced brace that begins with a layout command. */
function formulaEnd(text: string, start: number): number {
  for (const [opening, closing] of MARKS) {
    if (!text.startsWith(opening, start)) continue;
    const end = text.indexOf(closing, start + opening.length);
    return end > start + opening.length ? end + closing.length : -1;
  }
  if (!/^\{\\(?:displaystyle|textstyle)\b/.test(text.slice(start, start + 14))) return -1;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

/** Keeps formulas whole and as they were written: nothing inside is read as emphasis, list or escape. */
export function math(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'math_inline', (state, silent) => {
    const first = state.src[state.pos];
    if (first !== '$' && first !== '\\' && first !== '{') return false;
    const end = formulaEnd(state.src, state.pos);
    if (end < 0 || end > state.posMax) return false;
    if (!silent) state.push('math_inline', 'code', 0).content = state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  });
  parser.block.ruler.before(
    'fence',
    'math_block',
    (state, startLine, endLine, silent) => {
      const line = (at: number) => state.src.slice(state.bMarks[at]! + state.tShift[at]!, state.eMarks[at]).trim();
      const closing = { $$: '$$', '\\[': '\\]' }[line(startLine)];
      if (closing === undefined) return false;
      let last = startLine + 1;
      while (last < endLine && line(last) !== closing) last++;
      if (last === endLine) return false;
      if (silent) return true;
      const token = state.push('math_block', 'pre', 0);
      token.content = state.getLines(startLine, last + 1, state.blkIndent, false).trimEnd();
      token.map = [startLine, last + 1];
      state.line = last + 1;
      return true;
    },
    { alt: ['paragraph', 'blockquote', 'list'] },
  );
}
