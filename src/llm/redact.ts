const KEY_SHAPES = [
  /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi,
  /\b(sk|pk|rk|key|gsk|hf|xai|nvapi|AIza|ghp|gho|github_pat)[-_][\w*.-]{6,}/g,
  /\bAIza[\w-]{10,}/g,
  // A key that its endpoint masked itself still shows its ends.
  /(?<![\w.-])[\w.-]*\*{3,}[\w*.-]*/g,
];
const NAMED =
  /\b(api[-_ ]?key|access[-_ ]?token|authorization|subscription[-_ ]?key|x-api-key|secret)(["']?\s*[:=]\s*["']?)(?!Bearer)[^\s"',;&)}]{4,}/gi;

/** Pieces of a key this long count as the key. */
const PIECE = 8;

/**
 * Takes keys out of a text that is to be shown or stored: the given key, whole, in pieces or encoded, and whatever is
 * shaped like one.
 */
export function redact(text: string, key?: string): string {
  let result = text;
  if (key !== undefined && key.length >= 4) {
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), base64(key)]) {
      result = result.split(form).join('…');
    }
    if (key.length > PIECE) {
      result = result.replace(/\S+/g, (word) => (word.length >= PIECE && shares(word, key) ? '…' : word));
    }
  }
  for (const shape of KEY_SHAPES) result = result.replace(shape, '…');
  return result.replace(NAMED, '$1$2…');
}

/** True when the two have a piece of eight characters in common. */
function shares(word: string, key: string): boolean {
  for (let at = 0; at + PIECE <= key.length; at++) if (word.includes(key.slice(at, at + PIECE))) return true;
  return false;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
