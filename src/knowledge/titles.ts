const PAIRS: Record<string, string> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '*': '*',
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
  '《': '》',
  '〈': '〉',
  '【': '】',
  '(': ')',
  '（': '）',
  '[': ']',
  '<': '>',
};

/** Takes off quotes and brackets that stand around the whole text: `“Heroes”` → `Heroes`, but not `A (band)` or `"A" or "B"`. */
function unwrap(text: string): string {
  const close = PAIRS[text[0] ?? ''];
  if (close === undefined || text.length < 3 || !text.endsWith(close)) return text;
  const inner = text.slice(1, -1);
  return inner.includes(text[0]!) || inner.includes(close) ? unwrapDouble(text) : unwrap(inner.trim());
}

/** `[[Title|label]]` and `**Title**`: the inner pair is a pair as well. */
function unwrapDouble(text: string): string {
  const inner = /^(?:\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]|\*\*([^*]+)\*\*)$/.exec(text);
  return inner ? (inner[1] ?? inner[2]!).trim() : text;
}

/** Percent-decoded, or as it is where it is not percent-encoded after all. */
export function decodePercent(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What nobody sees in a title, and the mark that defuses words from outside (¦) where a model copied it. */
const UNSEEN = /[\u0000-\u0008\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]|\p{Surrogate}|¦ ?/gu;

/** What a model wrote for a title, without address, URL form, quotes and brackets around it. */
export function cleanTitle(input: string): string {
  const address = /^https?:\/\/[^/]+\/(?:wiki|zh(?:-\w+)?)\/([^?]+)|^https?:\/\/[^?]+\?(?:.*&)?title=([^&]+)/i.exec(
    input.trim(),
  );
  const text = decodePercent(address?.[1] ?? address?.[2] ?? input)
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(/[_\s]+/g, ' ')
    .trim();
  return unwrap(text) || text;
}

/** Splits `Page#Section`. `C#` and `F# (language)` are titles, not pages with a section. */
export function splitFragment(title: string): { page: string; fragment?: string } {
  const at = title.indexOf('#');
  const fragment = title.slice(at + 1).trim();
  if (at < 2 || !/^[\p{L}\p{N}]/u.test(fragment)) return { page: title };
  return { page: title.slice(0, at).trim(), fragment };
}

const SMALL_WORDS = new Set('a an and as at but by for from in nor of on or the to with'.split(' '));

const capitalised = (word: string) => word.replace(/^\P{L}*\p{L}/u, (start) => start.toUpperCase());

function titleCase(text: string): string {
  return text
    .toLowerCase()
    .split(' ')
    .map((word, at) => (at > 0 && SMALL_WORDS.has(word) ? word : capitalised(word)))
    .join(' ');
}

/** What wikis write for a sign that no title may hold. */
function withoutHash(text: string): string[] {
  if (!text.includes('#')) return [text];
  const spoken = text.replace(/#/g, ' Sharp').replace(/\s+/g, ' ');
  return [`${spoken} (programming language)`, spoken, text.replace(/#/g, '♯')];
}

/** In bytes of UTF-8: https://www.mediawiki.org/wiki/Manual:Page_title */
const LONGEST_TITLE = 255;

/** Spellings under which a wiki may hold a title, the likeliest first. */
export function titleForms(input: string): string[] {
  const clean = cleanTitle(input);
  const plain = clean
    .normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-');
  const bare = plain.replace(/[\s.?!,;:。？！，；：]+$/u, '');
  const forms = [
    clean,
    input.trim(),
    plain,
    bare,
    titleCase(bare),
    capitalised(bare.toLowerCase()),
    bare.replace(/(?<=[\p{N}\p{L}])-(?=[\p{N}\p{L}])/gu, '–'),
    bare.replace(/'/g, '’'),
    /^the /i.test(bare) ? bare.slice(4) : `The ${bare}`,
    bare.split('|')[0]!.trim(), // the target of a link with a label
  ];
  return [...new Set(forms.flatMap(withoutHash))].filter(
    (form) => form !== '' && !/[<>[\]{}|#]/.test(form) && Buffer.byteLength(form) <= LONGEST_TITLE,
  );
}

const LETTERS: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/** Lower case, without Latin, Greek and Cyrillic accents; full-width forms made plain. Marks of other scripts are letters and stay. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[ßøłæœđðþı]/g, (letter) => LETTERS[letter]!)
    .normalize('NFC');
}

/** A title for comparing: folded, without punctuation and a leading article. Signs that tell titles apart (C, C++, C#) stay. */
export function foldTitle(title: string): string {
  const folded = foldText(title.replace(/♯/g, '#'))
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}+#&%$@*]+/gu, ' ')
    .replace(/(?<=[\p{scx=Han}\p{scx=Kana}]) | (?=[\p{scx=Han}\p{scx=Kana}])/gu, '')
    .trim();
  return folded.replace(/^(?:the|an?) (?=.)/, '') || title.normalize('NFKC').trim();
}

/** True for two spellings of one title: only case, accents, punctuation, an article or the order of words differ. */
export function sameTitle(one: string, other: string): boolean {
  const [a, b] = [foldTitle(one), foldTitle(other)];
  return a === b || (a.includes(' ') && a.split(' ').sort().join(' ') === b.split(' ').sort().join(' '));
}

/** How many letters must be put in, left out, replaced or swapped with their neighbour to get from one text to the other. */
export function editDistance(from: string, to: string): number {
  const [a, b] = [Array.from(from), Array.from(to)];
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** The one title that a misspelt one must mean: nearly the same letters, and no other title as near. */
export function nearestTitle(query: string, titles: readonly string[]): string | undefined {
  const wanted = foldTitle(query);
  if (wanted.length < 4) return undefined;
  const ranked = [...new Set(titles)]
    .map((title) => ({ title, distance: editDistance(wanted, foldTitle(title)) }))
    .sort((one, other) => one.distance - other.distance);
  const [best, second] = ranked;
  if (!best || best.distance > Math.max(1, Math.floor(wanted.length / 5)) || best.distance === second?.distance)
    return undefined;
  // Digits are never a slip of the pen: Apollo 11 is not Apollo 12.
  const digits = (text: string) => text.match(/\p{N}+/gu)?.join(' ') ?? '';
  return digits(best.title) === digits(query) ? best.title : undefined;
}
