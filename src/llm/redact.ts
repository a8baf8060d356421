const KEY_SHAPES = [
  /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi,
  /\b(sk|pk|rk|key|gsk|hf|xai|nvapi|AIza|ghp|gho|github_pat)[-_][\w*.-]{6,}/g,
  /\bAIza[\w-]{10,}/g,
  // A key that its endpoint masked itself still shows its ends.
  /(?<![\w.-])[\w.-]*\*{3,}[\w*.-]*/g,
];
const NAMED =
  /\b(api[-_ ]?key|access[-_ ]?token|authorization|subscription[-_ ]?key|x-api-key|secret)(["']?\s*[:=]\s*["']?)(?!Bearer)[^\s"',;&)}]{4,}/gi;

const BASE64 = /[A-Za-z0-9+/_-]{6,}={0,2}/g;

/** Pieces of a key this long count as the key. */
const PIECE = 8;

/** Short texts come again with every request: names of fields, stop strings, reasons for an end. In UTF-16 units. */
const SHORT = 64;
const MOST_KNOWN = 500;
const known = new Map<string, string>();
let knownFor: string | undefined;

/**
 * Takes keys out of a text that is to be shown or stored: the given key, whole, in pieces or encoded, and whatever is
 * shaped like one.
 */
export function redact(text: string, key?: string): string {
  if (text.length > SHORT) return clean(text, key);
  if (key !== knownFor || known.size >= MOST_KNOWN) known.clear();
  knownFor = key;
  const result = known.get(text) ?? clean(text, key);
  known.set(text, result);
  return result;
}

function clean(text: string, key?: string): string {
  let result = text;
  if (key !== undefined && key.length >= 4) {
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) {
      result = result.split(form).join('…');
    }
    result = result.replace(BASE64, (word) => (encodes(word, key) ? '…' : word));
    if (key.length > PIECE) {
      result = result.replace(/\S+/g, (word) => (word.length >= PIECE && shares(word, key) ? '…' : word));
    }
  }
  for (const shape of KEY_SHAPES) result = result.replace(shape, '…');
  return result.replace(NAMED, '$1$2…');
}

/** The name of a member whose value is not to be shown, whatever it is. */
const SECRET = /^(.*[-_])?(api[-_]?key|(access|auth)[-_]?token|authorization|subscription[-_]?key|secret|password)$/i;

/** Does the same to every text in a value, and to the names in it. */
export function redactAll(value: unknown, key?: string): unknown {
  if (typeof value === 'string') return redact(value, key);
  if (Array.isArray(value)) return value.map((each) => redactAll(each, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      redact(name, key),
      SECRET.test(name) && typeof member === 'string' ? '…' : redactAll(member, key),
    ]),
  );
}

/** True when the two have a piece of eight characters in common. */
function shares(word: string, key: string): boolean {
  for (let at = 0; at + PIECE <= key.length; at++) if (word.includes(key.slice(at, at + PIECE))) return true;
  return false;
}

/** True when a word in base64, in either alphabet, holds the key or a piece of it: `user:key` as well, and from any letter on. */
function encodes(word: string, key: string): boolean {
  const letters = word.replace(/=/g, '').replace(/-/g, '+').replace(/_/g, '/');
  for (let skipped = 0; skipped < 4; skipped++) {
    const whole = letters.slice(skipped, letters.length - ((letters.length - skipped) % 4 === 1 ? 1 : 0));
    const bytes = Uint8Array.from(atob(whole), (char) => char.charCodeAt(0));
    const text = new TextDecoder().decode(bytes);
    if (text.includes(key) || (key.length > PIECE && shares(text, key))) return true;
  }
  return false;
}
