/** Control characters, those that reorder their neighbours, and halves of characters. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** A text on one line, fit for a list or a title: at most `most` characters, an ellipsis at a cut. */
export function oneLine(text: string, most: number): string {
  // A long text is cut first, so that a pasted file costs nothing.
  const line = text
    .slice(0, most * 8)
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .trim();
  const characters = [...line];
  if (characters.length <= most) return text.length > most * 8 ? `${line}…` : line;
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}

const LONGEST_NAME = 80;
/** Many file systems count bytes. */
const MOST_BYTES = 200;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|\.)/i;

/** A file name for a question that Windows, macOS and Linux take; letters of every script are kept. */
export function fileNameFor(question: string, extension: string): string {
  const cleaned = oneLine(question, 300)
    .normalize('NFC')
    .replace(/[<>:"/\\|?*…]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.~-]+/, '');
  let stem = '';
  for (const character of cleaned) {
    if (stem.length + character.length > LONGEST_NAME - extension.length) break;
    if (Buffer.byteLength(stem + character) > MOST_BYTES) break;
    stem += character;
  }
  stem = stem.replace(/[\s.]+$/, '');
  if (stem === '') stem = 'trace';
  return `${RESERVED.test(stem) ? `_${stem}` : stem}${extension}`;
}
