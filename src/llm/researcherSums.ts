/** Arithmetic over a fact: the question about the fact, and what is done with its value. */
export interface Sum {
  fact: string;
  /** The value → an expression for the Calculator. */
  apply(value: string): string;
}

const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?(?:\s*(?:million|billion|trillion|thousand|万亿|[百千万亿]))?`;
const DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const ENGLISH =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** 三百二十一 → 321; undefined for anything that is no such number below ten thousand. */
export function chineseNumber(text: string): number | undefined {
  let [total, digit] = [0, 0];
  for (const sign of text) {
    const scale = { 十: 10, 百: 100, 千: 1000 }[sign];
    if (scale === undefined) {
      const value = DIGITS[sign];
      if (value === undefined) return undefined;
      digit = value;
    } else {
      total += (digit || 1) * scale;
      digit = 0;
    }
  }
  return total + digit;
}

/** Number words in places where only a number can stand → digits. */
function withDigits(text: string): string {
  const english = new RegExp(String.raw`\b(${ENGLISH.join('|')})\b`, 'gi');
  return text
    .replace(english, (word) => String(ENGLISH.indexOf(word.toLowerCase())))
    .replace(
      /[零〇一二两三四五六七八九十百千]+(?=倍|加|减|乘|除|的[平立]方|等于|是多少|$)|(?<=[加减乘除以上去])[零〇一二两三四五六七八九十百千]+/g,
      (signs) => String(chineseNumber(signs) ?? signs),
    );
}

/** Ways to say an operation, in both languages, as the Calculator writes them. */
const OPERATIONS: readonly [RegExp, string][] = [
  [new RegExp(String.raw`(?:the )?sum of (${NUMBER}) and (${NUMBER})`, 'gi'), '$1 + $2'],
  [new RegExp(String.raw`(?:the )?difference (?:between|of) (${NUMBER}) and (${NUMBER})`, 'gi'), '$1 - $2'],
  [new RegExp(String.raw`(?:the )?product of (${NUMBER}) and (${NUMBER})`, 'gi'), '$1 * $2'],
  [new RegExp(String.raw`(${NUMBER})\s*(?:%|per ?cent) of (${NUMBER})`, 'gi'), '$2 * $1 / 100'],
  [new RegExp(String.raw`(${NUMBER})\s*的\s*(?:(\d+(?:\.\d+)?)\s*[%％]|百分之(\d+))`, 'g'), '$1 * $2$3 / 100'],
  [
    new RegExp(
      String.raw`(?:the )?square root of (${NUMBER})|(${NUMBER})\s*的(?:算术)?平方根|根号\s*(${NUMBER})`,
      'gi',
    ),
    'sqrt($1$2$3)',
  ],
  [new RegExp(String.raw`(?:the )?square of (${NUMBER})|(${NUMBER})\s*(?:squared|的平方)`, 'gi'), '$1$2^2'],
  [new RegExp(String.raw`(?:the )?cube of (${NUMBER})|(${NUMBER})\s*(?:cubed|的立方)`, 'gi'), '$1$2^3'],
  [new RegExp(String.raw`(${NUMBER})\s*的\s*(\d+)\s*次方`, 'g'), '$1^$2'],
  [/\s*(?:raised )?to the power (?:of )?/gi, '^'],
  [new RegExp(String.raw`\bhalf (?:of )?(${NUMBER})|(${NUMBER})\s*的一半`, 'gi'), '$1$2 / 2'],
  [new RegExp(String.raw`\b(?:twice|double) (${NUMBER})`, 'gi'), '2 * $1'],
  [new RegExp(String.raw`(${NUMBER})\s*的\s*(${NUMBER})\s*倍`, 'g'), '$1 * $2'],
  [/\s*(?:multiplied by|times|乘以|乘上|乘|×)\s*/gi, ' * '],
  [/\s*(?:divided by|除以|÷)\s*/gi, ' / '],
  [/\s*(?:\bplus\b|加上|加)\s*/gi, ' + '],
  [/\s*(?:\bminus\b|减去|减)\s*/gi, ' - '],
];

const SUFFIX = new RegExp(
  String.raw`^(.*\D)\s*(multiplied by|times|divided by|plus|minus|乘以|乘上|乘|除以|加上|加|减去|减|[*×÷/+])\s*(${NUMBER})$`,
  'i',
);
const SIGNS: Readonly<Record<string, string>> = {
  multiplied: '*',
  times: '*',
  乘: '*',
  '×': '*',
  divided: '/',
  除: '/',
  '÷': '/',
  plus: '+',
  加: '+',
  minus: '-',
  减: '-',
};
const PREFIXES: readonly [RegExp, string][] = [
  [/^(.*?)\bhalf (?:of )?(the .+)$/i, '/ 2'],
  [/^(.*?)\b(?:twice|double) (the .+)$/i, '* 2'],
  [/^(.*?)\b(?:triple) (the .+)$/i, '* 3'],
];

/**
 * The arithmetic of a question: an expression where it is nothing else, a fact and what to do with it where it is over a
 * fact, undefined where there is none.
 */
export function arithmeticOf(question: string): string | Sum | undefined {
  const text = withDigits(
    question
      .replace(
        /^(?:what(?:['’]s| is| are| does| do)?|how much is|calculate|compute|evaluate|work out|请?计算一?下?|算一?下|求)[\s:：]+|^(?:请?计算|求)/i,
        '',
      )
      .replace(/\s*(?:等于|是|得|为)?(?:多少|几)?\s*$|\s*(?:equals?|=)\s*$/i, ''),
  ).trim();
  let expression = text;
  for (const [pattern, sign] of OPERATIONS) expression = expression.replace(pattern, sign);
  if (
    /\d/.test(expression) &&
    /[-+*/^%]|sqrt/.test(expression) &&
    !/[^\d\s.,()+\-*/^%万亿千百]/.test(expression.replace(/sqrt|million|billion|trillion|thousand/gi, ''))
  ) {
    return /^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}$/.test(text) ? undefined : expression;
  }
  const suffix = SUFFIX.exec(text);
  if (suffix) {
    const word = suffix[2]!.toLowerCase();
    const sign = SIGNS[word] ?? SIGNS[word.split(' ')[0]!] ?? SIGNS[word[0]!] ?? word;
    return { fact: suffix[1]!.trim(), apply: (value) => `${value} ${sign} ${suffix[3]!.replace(/,/g, '')}` };
  }
  const multiple = new RegExp(String.raw`^(.*\D)的\s*(?:(${NUMBER})\s*倍|一半)$`).exec(text);
  if (multiple)
    return { fact: multiple[1]!, apply: (value) => (multiple[2] ? `${value} * ${multiple[2]}` : `${value} / 2`) };
  for (const [pattern, operation] of PREFIXES) {
    const match = pattern.exec(text);
    if (match) return { fact: `${match[1]}${match[2]}`, apply: (value) => `${value} ${operation}` };
  }
  const share = new RegExp(String.raw`^(${NUMBER})\s*(?:%|per ?cent) of (the .+|\p{Lu}.+)$`, 'iu').exec(text);
  if (share) return { fact: share[2]!, apply: (value) => `${value} * ${share[1]} / 100` };
  return undefined;
}
