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

const UNIT = String.raw`(?:\s*(?:平方千米|平方公里|千米|公里|米|人|年|元|metres?|meters?|kilomet(?:re|er)s?|km|people|years?))?`;

/** Operations over a fact; group `fact` is the fact, `n` the number. */
const OVER: readonly [RegExp, (n: string) => string][] = (
  [
    ['^(?<fact>.*\\D)\\s*(?:multiplied by|times|乘以|乘上|乘|[*×])\\s*N$', (n) => `* ${n}`],
    ['^(?<fact>.*\\D)\\s*(?:divided by|除以|[÷/])\\s*N$', (n) => `/ ${n}`],
    ['^(?<fact>.*\\D)\\s*(?:plus|increased by|加上|加|\\+)\\s*N$', (n) => `+ ${n}`],
    ['^(?<fact>.*\\D)\\s*(?:minus|decreased by|减去|减| - )\\s*N$', (n) => `- ${n}`],
    ['^(?<fact>.*\\D)的\\s*N\\s*倍$', (n) => `* ${n}`],
    ['^(?<fact>.*\\D)的\\s*(?:N\\s*[%％]|百分之N)$', (n) => `* ${n} / 100`],
    ['^(?<fact>.*\\D)(?:的一半|halved)$', () => '/ 2'],
    ['^(?<fact>.*\\D)(?:doubled|翻(?:一)?倍|翻一番)$', () => '* 2'],
    ['^multiply (?<fact>.+) by N$', (n) => `* ${n}`],
    ['^divide (?<fact>.+) by N$', (n) => `/ ${n}`],
    ['^add N to (?<fact>.+)$', (n) => `+ ${n}`],
    ['^(?:subtract|take) N from (?<fact>.+)$', (n) => `- ${n}`],
    ['^(?:if (?:you|we|i) )?(?:double|twice) (?<fact>the .+?)(?:,.*)?$', () => '* 2'],
    ['^(?:half|halve)(?: of)? (?<fact>the .+)$', () => '/ 2'],
    ['^(?:one|a) third of (?<fact>the .+)$', () => '/ 3'],
    ['^(?:one|a) quarter of (?<fact>the .+)$', () => '/ 4'],
    ['^N\\s*(?:%|per ?cent) of (?<fact>[^\\d].+)$', (n) => `* ${n} / 100`],
    ['^N\\s*(?:times|乘以|乘|倍的)\\s*(?<fact>[^\\d].+)$', (n) => `* ${n}`],
  ] as [string, (n: string) => string][]
).map(([pattern, operation]) => [new RegExp(pattern.replace('N', `(?<n>${NUMBER})${UNIT}`), 'i'), operation]);

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
      .replace(/(?:再|然后|之后)(?=[加减乘除])/g, '')
      .replace(
        /(?:千?米|公里|人|元|年)?\s*(?:等于|是|得|为)?(?:多少|几)?(?:千?米|公里|人|元|年)?\s*$|\s*(?:equals?|=)\s*$/i,
        '',
      ),
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
  for (const [pattern, operation] of OVER) {
    const groups = pattern.exec(text)?.groups;
    if (!groups?.fact) continue;
    const done = operation((groups.n ?? '').replace(/,/g, ''));
    return { fact: groups.fact.trim(), apply: (value) => `${value} ${done}` };
  }
  return undefined;
}
