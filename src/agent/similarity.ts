/** Text compared the way a reader would: width, case, punctuation and word order of function words set aside. Chinese is read as character bigrams. */

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const TOKEN = new RegExp(`[${CJK}]+|\\d+(?:[.,]\\d+)*|[\\p{L}\\p{M}\\p{N}]+(?:['’][\\p{L}]+)?`, 'gu');
const IS_CJK = new RegExp(`^[${CJK}]`, 'u');

/** Words that say nothing about what a text is about. */
const FUNCTION_WORDS = new Set(
  (
    'a an the this that these those there here it its he him his she her they them their we us our you your i me my ' +
    'is are was were be been being am do does did done has have had having will would shall should can could may might must ' +
    'of in on at by to from for with without about into onto over under between among as than then and or but nor so if ' +
    'who whom whose which what when where why how also both either each some any such own very just only ' +
    "'s s t not no"
  ).split(' '),
);

/** What Chinese questions and sentences are glued together with; the pieces between are what they are about. */
const CHINESE_GLUE =
  /什么|怎么|怎样|为什么|为何|多少|哪里|哪儿|哪个|哪些|哪位|哪一|谁|哪|几|吗|呢|吧|的|了|着|过|是|在|于|和|与|及|或|被|把|由|从|对|为|以|而|也|都|就|又|还|这|那|其|它|他|她|们|一个|一位|一种|请问|是否|曾|并/gu;

/** Same width, same case, same quotes and dashes. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‛`´]/g, "'")
    .replace(/[“”„«»「」『』]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-');
}

/** Words of a text, folded; a Chinese stretch gives its character bigrams, a single character itself. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [token] of foldText(text).matchAll(TOKEN)) {
    if (IS_CJK.test(token)) tokens.push(...bigramsOf(token));
    else tokens.push(token.replace(/'s$|'$/, ''));
  }
  return tokens;
}

/** Tokens without function words. */
export function contentTokensOf(text: string): string[] {
  return tokensOf(text.replace(CHINESE_GLUE, ' ')).filter((token) => !FUNCTION_WORDS.has(token));
}

/** Words a reader would look for, as written: Latin content words, and the Chinese pieces between function words. */
export function contentWordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.normalize('NFKC').replace(CHINESE_GLUE, ' ').matchAll(TOKEN)) {
    const short = IS_CJK.test(word) ? word.length < 2 : word.length < 3;
    if (!short && !FUNCTION_WORDS.has(foldText(word))) words.push(word.replace(/['’]s$/, ''));
  }
  return [...new Set(words)];
}

function bigramsOf(text: string): string[] {
  const characters = [...text];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => characters[index] + character);
}

/** Dice's coefficient of two sets, 0 to 1; two empty sets are equal. */
export function dice(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size + right.size === 0) return 1;
  let common = 0;
  for (const item of left) if (right.has(item)) common++;
  return (2 * common) / (left.size + right.size);
}

/** Remembers what a function gave for the last texts: the guard compares the same few texts at every step. */
export function remembered<T>(make: (text: string) => T, most = 256): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

const characterPairs = remembered((text): ReadonlySet<string> => {
  const bare = foldText(text)
    .replace(/[^\p{L}\p{M}\p{N}+*/%^=<>]+/gu, ' ')
    .trim();
  return new Set(bigramsOf(bare));
});
const words = remembered((text): ReadonlySet<string> => new Set(tokensOf(text)));

/** How alike two short texts are by their characters, 0 to 1: for arguments, where one changed letter matters little. */
export function textSimilarity(left: string, right: string): number {
  return dice(characterPairs(left), characterPairs(right));
}

/** How alike two longer texts are by their words, 0 to 1: for thoughts and observations. */
export function wordSimilarity(left: string, right: string): number {
  return left === right ? 1 : dice(words(left), words(right));
}
