/** Numbers and dates as values, so that 1,000 = 1000 = one thousand = 一千, and 3 May 1964 = May 3, 1964 = 1964年5月3日. */

export interface CalendarDate {
  year?: number;
  month?: number;
  day?: number;
}

export interface Quantities {
  numbers: number[];
  dates: CalendarDate[];
  /** The text with every quantity replaced by a token: `#1700` for a number or a bare year, `@1964-5-3` for a date. */
  rest: string;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH = `(${MONTHS.join('|')}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?)`;
const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const SCALES: Record<string, number> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  bn: 1e9,
  trillion: 1e12,
  百: 100,
  千: 1e3,
  万: 1e4,
  亿: 1e8,
  萬: 1e4,
  億: 1e8,
};
const HAN_DIGITS = '零一二三四五六七八九';

/** The patterns of a date, each with the places of its parts. */
const DATES: [RegExp, (found: RegExpExecArray) => CalendarDate][] = [
  [/(\d{3,4})\s*年(?:\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*[日号])?)?/g, ([, y, m, d]) => date(y, m, d)],
  [/(\d{1,2})\s*月(?:\s*(\d{1,2})\s*[日号])?/g, ([, m, d]) => date(undefined, m, d)],
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, ([, y, m, d]) => date(y, m, d)],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},?(?: (\\d{3,4}))?\\b`, 'g'),
    ([, d, m, y]) => date(y, m, d),
  ],
  [new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{3,4}))?\\b`, 'g'), ([, m, d, y]) => date(y, m, d)],
  [new RegExp(`\\b${MONTH},? (\\d{3,4})\\b`, 'g'), ([, m, y]) => date(y, m, undefined)],
];

function date(year?: string, month?: string, day?: string): CalendarDate {
  const named =
    month === undefined ? -1 : MONTHS.findIndex((name) => name.startsWith(month.replace('.', '').slice(0, 3)));
  return {
    ...(year === undefined ? {} : { year: Number(year) }),
    ...(month === undefined ? {} : { month: named >= 0 ? named + 1 : Number(month) }),
    ...(day === undefined ? {} : { day: Number(day) }),
  };
}

const SCALE = '(?:\\s*(hundred|thousand|million|billion|bn|trillion)\\b|([百千万亿萬億]+))?';
const DIGITS = new RegExp(
  `(?<![\\d.#@-])(\\d{1,3}(?:[,\\u00a0\\u202f]\\d{3})+|\\d+)(\\.\\d+)?(?:st|nd|rd|th)?(?:s\\b)?${SCALE}`,
  'g',
);
const SPELLED = new RegExp(
  `\\b((?:${TENS.join('|')})(?:[- ](?:${WORDS.slice(1, 10).join('|')}))?|${[...WORDS.slice(2), ...ORDINALS.slice(1)].join('|')})\\b${SCALE}`,
  'g',
);
const HAN =
  /[一二三四五六七八九十百千万亿零两〇]*[二三四五六七八九十百千万亿两][一二三四五六七八九十百千万亿零〇]*|第一/g;

/** @param text folded: NFKC, lower case */
export function quantitiesOf(text: string): Quantities {
  const dates: CalendarDate[] = [];
  const numbers: number[] = [];
  let rest = text;
  for (const [pattern, read] of DATES) {
    rest = rest.replace(pattern, (...found) => {
      const value = read(found as unknown as RegExpExecArray);
      dates.push(value);
      const { year, month = '', day = '' } = value;
      return month === '' ? ` #${year} ` : ` @${year ?? ''}-${month}-${day} `;
    });
  }
  const count = (value: number) => {
    numbers.push(Number(value.toPrecision(12)));
    return ` #${numbers.at(-1)} `;
  };
  rest = rest.replace(DIGITS, (_, whole: string, fraction = '', word?: string, han?: string) =>
    count(Number(whole.replace(/\D/g, '') + fraction) * scaleOf(word, han)),
  );
  rest = rest.replace(SPELLED, (_, spelled: string, word?: string) => count(spelledNumber(spelled) * scaleOf(word)));
  // Alone, these are as often a part of a name or a word: 奥尔万桥, 百年.
  rest = rest.replace(HAN, (found) => (/^[百千万亿]$/.test(found) ? found : count(hanNumber(found))));
  return { numbers, dates, rest };
}

function scaleOf(word?: string, han = ''): number {
  return [...han].reduce((scale, character) => scale * (SCALES[character] ?? 1), SCALES[word ?? ''] ?? 1);
}

function spelledNumber(text: string): number {
  const ordinal = ORDINALS.indexOf(text);
  if (ordinal > 0) return ordinal;
  const [first = '', second] = text.split(/[- ]/);
  const tens = TENS.indexOf(first);
  return (tens >= 0 ? (tens + 2) * 10 : WORDS.indexOf(first)) + (second ? WORDS.indexOf(second) : 0);
}

function hanNumber(text: string): number {
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const character of text) {
    const value = character === '两' ? 2 : HAN_DIGITS.indexOf(character);
    if (value >= 0) {
      digit = value;
      continue;
    }
    const scale = character === '十' ? 10 : (SCALES[character] ?? 0);
    if (scale >= 1e4) {
      total = (total + section + digit || 1) * scale;
      section = 0;
    } else section += (digit || 1) * scale;
    digit = 0;
  }
  return total + section + digit;
}

/** True when a quantity's token says the same as an observed one, as far as it goes: a year agrees with a date in that year. */
export function sameQuantity(claim: string, observed: string): boolean {
  if (claim === observed) return true;
  if (!observed.startsWith('@')) return false;
  const parts = observed.slice(1).split('-');
  if (claim.startsWith('#')) return claim.slice(1) === parts[0];
  return (
    claim.startsWith('@') &&
    claim
      .slice(1)
      .split('-')
      .every((part, index) => part === '' || part === parts[index])
  );
}

/** True when every number and date of `claim` stands in `observed`; a date must agree in all the parts the claim gives. */
export function quantitiesHold(claim: Quantities, observed: Quantities): boolean {
  const years = observed.dates.flatMap(({ year, day }) => [year, day]);
  return (
    claim.numbers.every((number) => observed.numbers.includes(number) || years.includes(number)) &&
    claim.dates.every(
      (wanted) =>
        observed.dates.some(
          (found) =>
            (wanted.year === undefined || wanted.year === found.year) &&
            (wanted.month === undefined || wanted.month === found.month) &&
            (wanted.day === undefined || wanted.day === found.day),
        ) ||
        (wanted.month === undefined && wanted.year !== undefined && observed.numbers.includes(wanted.year)),
    )
  );
}
