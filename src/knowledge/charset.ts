import { TextDecoder } from 'node:util';

/** How far into a page its charset may be declared, in bytes. */
const DECLARED_WITHIN = 4096;
/** How much of a body shows whether it is text, in bytes. */
const SAMPLE = 4096;

const MARKS: readonly { bytes: readonly number[]; charset: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], charset: 'utf-8' },
  { bytes: [0xff, 0xfe], charset: 'utf-16le' },
  { bytes: [0xfe, 0xff], charset: 'utf-16be' },
];

function decoderOf(charset: string, fatal = false): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return undefined;
  }
}

function declaredIn(body: Uint8Array, contentType: string): string | undefined {
  const head = new TextDecoder('latin1').decode(body.subarray(0, DECLARED_WITHIN));
  // JSON or text that quotes a page declares nothing by it.
  if (!/html|xml/i.test(contentType) && !/^\s*</.test(head)) return undefined;
  const declaration =
    /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:-]+)/i.exec(head) ??
    /<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w:-]+)/i.exec(head);
  // A page that says utf-16 in plain ASCII is not utf-16: https://encoding.spec.whatwg.org and the HTML standard agree.
  return declaration?.[1]?.replace(/^utf-16.*$/i, 'utf-8');
}

/**
 * Bytes → text: by byte order mark, then the header, then the page's own declaration; else UTF-8 where it is that,
 * and Windows-1252 where not. A label that nobody knows counts as UTF-8.
 * @param contentType the header, such as `text/html; charset="shift_jis"`
 */
export function decodeBody(body: Uint8Array, contentType: string): string {
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, at) => body[at] === byte));
  const header = /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1];
  const label = mark?.charset ?? header ?? declaredIn(body, contentType);
  if (label !== undefined) return (decoderOf(label) ?? new TextDecoder()).decode(body);
  // `stream` forgives a character that the size limit cut in two.
  try {
    return decoderOf('utf-8', true)!.decode(body, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

const BINARY = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x50, 0x4b, 0x03, 0x04],
  [0x1f, 0x8b],
  [0x7f, 0x45, 0x4c, 0x46],
  [0x52, 0x49, 0x46, 0x46],
];

export const isPdf = (body: Uint8Array) => [0x25, 0x50, 0x44, 0x46, 0x2d].every((byte, at) => body[at] === byte);

/** Whether a body is no text, whatever its label says: a known file mark, NUL bytes, or many control characters. */
export function isBinary(body: Uint8Array, contentType: string): boolean {
  if (BINARY.some((bytes) => bytes.every((byte, at) => body[at] === byte))) return true;
  if (
    /utf-?16|utf-?32/i.test(contentType) ||
    (body[0] === 0xff && body[1] === 0xfe) ||
    (body[0] === 0xfe && body[1] === 0xff)
  )
    return false;
  const sample = body.subarray(0, SAMPLE);
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return true;
    if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls++;
  }
  return controls > sample.length * 0.05;
}
