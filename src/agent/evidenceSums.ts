/** Sums in answers and results, so that 1,200 × 2 = 2,400 and 1200 * 2 = 2400 are the same. */

/** Words and signs of arithmetic between two values → the sign. */
const SIGNS: [RegExp, string][] = [
  [/(?<=[\d)%])(?:×|✕|·|⋅|times|multipliedby|乘以|乘上|乘)(?=[\d(-])/g, '*'],
  [/(?<=[\d)%])(?:÷|dividedby|除以)(?=[\d(-])/g, '/'],
  [/(?<=[\d)%])(?:plus|加上|加)(?=[\d(-])/g, '+'],
  [/(?<=[\d)%])(?:−|–|minus|减去|减)(?=[\d(])/g, '-'],
  [/(?<=[\d)])\*\*(?=[\d(-])/g, '^'],
];
/** Values with signs between them, and what they make. */
const SUM =
  /(?<![\d.a-z_+*/^)-])[-(]*\d[\d.e万亿]*[)%]*(?:[-+*/^][-+(]*\d[\d.e万亿]*[)%]*)+[=≈]-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\.?\d|[-+*/^e])/g;

function plainOf(text: string): string {
  let plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/\s+/g, '');
  for (const [pattern, sign] of SIGNS) plain = plain.replace(pattern, sign);
  return plain;
}

/** The sums of a text, each in one spelling. */
export function sumsOf(text: string): string[] {
  return (plainOf(text).match(SUM) ?? []).map((sum) => sum.replace('≈', '='));
}

/** What a sum makes. */
export const resultOf = (sum: string) => sum.slice(sum.lastIndexOf('=') + 1);

/** True when a text is a sum and nothing else. */
export const isOnlySum = (text: string, sum: string) =>
  plainOf(text)
    .replace('≈', '=')
    .replace(/[.。;!]+$/, '') === sum;
