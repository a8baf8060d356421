const SCALES: Record<string, string> = {
  thousand: '1000',
  million: '1000000',
  billion: '1000000000',
  trillion: '1000000000000',
  千: '1000',
  万: '10000',
  萬: '10000',
  百万: '1000000',
  千万: '10000000',
  亿: '100000000',
  億: '100000000',
  万亿: '1000000000000',
};

const NUMBER = String.raw`(?:\d+(?:\.\d+)?|\.\d+)`;
const SCALED = new RegExp(
  String.raw`(?:${NUMBER}\s*(?:万亿|百万|千万|[千万萬亿億]|(?:thousand|million|billion|trillion)\b)\s*)+`,
  'gi',
);

/** Words and signs → operators, in this order. */
const REPLACEMENTS: readonly [RegExp, string][] = [
  [/^\s*(?:what(?:'s| is| are)|how much is|calculate|compute|evaluate|请?计算|求)[\s:：]*/i, ''],
  [/\s*(?:=|等于|是多少|等于多少|equals)\s*[?？多少几]*\s*$/i, ''],
  [/[?？。]\s*$/, ''],
  [/[×∙·⋅✕✖]/g, '*'],
  // But 0x10 is a hexadecimal number.
  [/(?<=[\d)])(?<!(?<![\d.])0(?=x[\da-f]))\s*x\s*(?=[\d(.])/gi, '*'],
  [/[÷∕⁄]/g, '/'],
  [/[−–—﹣]/g, '-'],
  [/\*\*/g, '^'],
  [/[$€£¥]/g, ''],
  [/(?:multiplied by|times)\b|乘以|乘上|乘/gi, '*'],
  [/(?:divided by)\b|除以/gi, '/'],
  [/\bplus\b|加上|加/gi, '+'],
  [/\bminus\b|减去|减/gi, '-'],
  [/\b(?:raised )?to the power of\b/gi, '^'],
  [/\bsquared\b/gi, '^2'],
  [/\bcubed\b/gi, '^3'],
  [new RegExp(String.raw`(?:the )?square root of\s*(${NUMBER}|\()`, 'gi'), 'sqrt $1'],
  [new RegExp(String.raw`(${NUMBER}|\([^()]*\))\s*的平方根`, 'g'), 'sqrt($1)'],
  [/的平方/g, '^2'],
  [/的立方/g, '^3'],
  [new RegExp(String.raw`的\s*(${NUMBER})\s*次方`, 'g'), '^$1'],
  [/π/g, 'pi'],
  [/√/g, 'sqrt '],
  [new RegExp(String.raw`sqrt\s+(${NUMBER})`, 'g'), 'sqrt($1)'],
  [/sqrt\s+\(/g, 'sqrt('],
  [new RegExp(String.raw`(${NUMBER})\s*(?:%|percent)\s*of\s+`, 'gi'), '($1/100)*'],
  [new RegExp(String.raw`(${NUMBER}|\))\s*的\s*(${NUMBER})\s*%`, 'g'), '$1*($2/100)'],
  [new RegExp(String.raw`(${NUMBER})\s*(?:percent\b)`, 'gi'), '($1/100)'],
];

/** `3亿5000万` and `2.5 million` → a sum of products. */
function writeScaled(text: string): string {
  const part = new RegExp(String.raw`(${NUMBER})\s*([^\d.\s]+)`, 'g');
  const terms = [...text.matchAll(part)].map(([, number, scale]) => `${number}*${SCALES[scale!.toLowerCase()]}`);
  return `(${terms.join('+')})`;
}

/** Takes out the separators between groups of three digits; in a function's arguments only where others separate the arguments. */
function joinThousands(text: string): string {
  const spaced = text.replace(/(?<=\d)[\u00a0\u202f '_](?=\d{3}(?!\d))/g, '');
  let depth = 0;
  const inCall: boolean[] = [];
  let out = '';
  for (const [at, character] of Array.from(spaced).entries()) {
    if (character === '(') {
      inCall.push(/[a-z]\w*\s*$/i.test(spaced.slice(0, at)));
      depth++;
    } else if (character === ')' && depth > 0) {
      inCall.pop();
      depth--;
    }
    const group = character === ',' && /\d$/.test(spaced.slice(0, at)) && /^\d{3}(?!\d)/.test(spaced.slice(at + 1));
    if (group && (inCall.at(-1) !== true || /,\s/.test(spaced))) continue;
    out += character;
  }
  return out;
}

/** Arithmetic as people and models write it, in English and Chinese → arithmetic as a parser reads it. */
export function plainArithmetic(input: string): string {
  let text = input.replace(/²/g, '^2').replace(/³/g, '^3').normalize('NFKC');
  for (const [pattern, operator] of REPLACEMENTS) text = text.replace(pattern, operator);
  return joinThousands(text).replace(SCALED, writeScaled).trim();
}
