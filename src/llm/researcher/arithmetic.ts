/** A value → an expression for the Calculator. */
export type Sum = (value: string) => string;

const NUMBER = String.raw`(?<n>\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?:\s*(?:million|billion|trillion|thousand|万亿|[百千万亿]))?)`;
const UNIT = String.raw`(?:\s*(?:平方千米|平方公里|千米|公里|米|人|年|元|met(?:re|er)s?|kilomet(?:re|er)s?|km|people|years?))?`;

/** What is done to the value → how a question puts it; F is the fact, N the number. */
const OVER = String.raw`
* n : F(?:multiplied by|times|乘以?|乘上|[*×])\s*N
* n : multiply F by N
* n : F的\s*N\s*倍
* n : N\s*times F
/ n : F(?:divided by|除以|[÷/])\s*N
/ n : divide F by N
+ n : F(?:plus|increased by|加上?|\+)\s*N
+ n : add N to F
- n : F(?:minus|decreased by|减去?| - )\s*N
- n : subtract N from F
* n / 100 : F的\s*(?:百分之)?N\s*[%％]?
* n / 100 : N\s*(?:%|per ?cent) of F
/ 2 : F(?:的一半|halved)
/ 2 : hal(?:f|ve)(?: of)? F
* 2 : F(?:doubled|翻一?倍|翻一番)
* 2 : (?:twice|double) F`
  .trim()
  .split('\n')
  .map((row): [string, RegExp] => {
    const [done = '', how = ''] = row.split(' : ');
    return [
      done,
      new RegExp(`^${how.replace('N', NUMBER + UNIT).replace('F', String.raw`(?<fact>.*[^\d\s].*?)\s*`)}$`, 'i'),
    ];
  });

/** A number with a power of ten: 1.5e3. Its sign is no operation, its letter no name. */
const EXPONENT = /(?<=\d)e[-+]?\d+(?![\w.])/gi;

/** Words of arithmetic that the Calculator reads by itself. */
const OPERATIONS =
  /multiplied by|times|divided by|plus|minus|(?:the )?square root of|squared|cubed|(?:raised )?to the power of|per ?cent of|% of|million|billion|trillion|thousand|sqrt|乘以|乘上|乘|除以|加上|加|减去|减|的平方根|的平方|的立方|次方|的|[万亿千百]/gi;

const ENGLISH = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** 三百二十一 → 321, below ten thousand. */
function chineseNumber(text: string): string {
  let [total, digit] = [0, 0];
  for (const sign of text.replace(/两/g, '二')) {
    const scale = { 十: 10, 百: 100, 千: 1000 }[sign];
    total += scale === undefined ? 0 : (digit || 1) * scale;
    digit = scale === undefined ? '零一二三四五六七八九'.indexOf(sign) : 0;
  }
  return String(total + digit);
}

/**
 * The arithmetic of a question: an expression where it is nothing else, a fact and what to do with it where it is over a
 * fact, undefined where there is none.
 */
export function arithmeticOf(question: string): string | { fact: string; apply: Sum } | undefined {
  const text = question
    .replace(/^(?:what(?:['’]s| is| are)?|how much is|calculate|compute|请?计算一?下?|算一?下?|求)\s*[:：]?\s*/i, '')
    .replace(/(?:再|然后)(?=[加减乘除])/g, '')
    .replace(
      /(?:千?米|公里|人|元|年)?\s*(?:等于|是|得|为)?(?:多少|几)?(?:千?米|公里|人|元|年)?\s*$|\s*(?:equals?|=)\s*$/i,
      '',
    )
    .replace(new RegExp(`\\b(${ENGLISH.join('|')})\\b`, 'gi'), (word) => String(ENGLISH.indexOf(word.toLowerCase())))
    .replace(
      /[零一二两三四五六七八九十百千]+(?=倍|[加减乘除]|的[平立]方|$)|(?<=[加减乘除以上去])[零一二两三四五六七八九十百千]+/g,
      chineseNumber,
    )
    .replace(/(?:the )?sum of (\d[\d.,]*) and (\d[\d.,]*)/i, '$1 + $2')
    .trim();
  const isDone =
    /[-+*/^%×÷加减乘除方]|[a-z]/i.test(text) &&
    !/[^\d\s.,()+\-*/^%×÷]/.test(text.replace(EXPONENT, '').replace(OPERATIONS, ''));
  if (isDone && /\d/.test(text) && !/^\d+(?:[-/]\d+)+$/.test(text)) return text;
  for (const [done, pattern] of OVER) {
    const { fact, n = '' } = pattern.exec(text)?.groups ?? {};
    if (fact) return { fact, apply: (value) => `${value} ${done.replace('n', n.replace(/,/g, ''))}` };
  }
  return undefined;
}
