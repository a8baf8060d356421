import { type Ask, familiesOf } from './ask';
import type { Candidate } from './judge';
import { chineseNumber } from './sums';
import { isChinese, sameWord } from './text';
import { MONTHS, UNITS } from './words';

export const LIFE = /^[^(（]{2,60}[(（][^()（）]*\d{3,4}[^()（）]*[–—-][^()（）]*\d{3,4}[^()（）]*[)）]/;

const BEFORE_YEAR = new RegExp(`\\b(?:in|of|since|until|from|by|between|and|to|${MONTHS})\\s$|[(（–—-]\\s?$`);

/** Numbers with where they stand, years of dates left out. */
function numbersIn(sentence: string): { text: string; value: number; at: number; after: string }[] {
  return [...sentence.matchAll(/\d[\d,]*(?:\.\d+)?(?:\s*(?:thousand|million|billion|trillion|万亿|[万亿]))?/gi)]
    .map((match) => ({ text: match[0], at: match.index, after: sentence.slice(match.index + match[0].length) }))
    .filter(({ text, at, after }) => {
      const before = sentence.slice(0, at);
      if (
        /^\s*[月日]|^\d*(?:st|nd|rd|th)\b/.test(after) ||
        (/^\s*年/.test(after) && text.length > 2) ||
        /[A-Za-z][-.]?$/.test(before)
      )
        return false;
      if (!/^(?:1\d|20)\d\d$/.test(text)) return true;
      return !BEFORE_YEAR.test(before) && !/^\s?(?:[)）–—-]|census|普查)/.test(after);
    })
    .map((found) => ({ ...found, value: amountOf(found.text) }));
}

const SCALES: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  万: 1e4,
  亿: 1e8,
  万亿: 1e12,
};

function amountOf(text: string): number {
  const [, digits = '', scale = ''] = /^([\d.,]+)\s*(.*)$/.exec(text) ?? [];
  return Number(digits.replace(/,/g, '')) * (SCALES[scale.toLowerCase()] ?? 1);
}

/** The number of a sentence that answers: with the right unit, nearest behind the relation. */
export function numberOf(candidate: Candidate, ask: Ask): { text: string; value: number; unit: string } | undefined {
  const unit = unitOf(ask);
  const all = numbersIn(candidate.sentence);
  const fitting = unit
    ? all.filter(
        ({ at, after }) =>
          unit.test(` ${after.slice(0, 24)}`) || unit.test(candidate.sentence.slice(Math.max(0, at - 8), at)),
      )
    : all;
  const behind = fitting.filter(({ at }) => at >= candidate.at);
  const best = (behind.length > 0 ? behind : fitting)[0];
  return (
    best && {
      text: best.text.replace(/,/g, ''),
      value: best.value,
      unit: /^\s*([\p{L}°²]+)/u.exec(best.after)?.[1] ?? '',
    }
  );
}

export function unitOf(ask: Ask): RegExp | undefined {
  return familiesOf(ask.demands).flatMap(({ id }) => UNITS[id] ?? [])[0];
}

const DATES = new RegExp(
  `(?:(\\d{1,2}) )?(?:(${MONTHS}) )?(?:(\\d{1,2}), )?\\b(1\\d{3}|20\\d{2}|\\d{1,4}(?= BC))\\b( BC)?|(公元前)?(\\d{1,4})年(?:(\\d{1,2})月)?(?:(\\d{1,2})日)?`,
  'g',
);

/** The date of a sentence that answers, as a number that sorts: year, month and day as eight digits. */
export function dateOf({ sentence, at }: Candidate, ask: Ask): number | undefined {
  const found = [...sentence.matchAll(DATES)].map((match) => {
    const [, day, month, otherDay, year, bc, before, yearZh, monthZh, dayZh] = match;
    const years = Number(year ?? yearZh) * (bc || before ? -1 : 1);
    const months = month ? MONTHS.split('|').indexOf(month) + 1 : Number(monthZh ?? 0);
    return { at: match.index, sort: years * 10_000 + months * 100 + Number(day ?? otherDay ?? dayZh ?? 0) };
  });
  if (LIFE.test(sentence)) return found[familiesOf(ask.demands).some(({ id }) => id === 'death') ? 1 : 0]?.sort;
  return (found.find((date) => date.at >= at) ?? found[0])?.sort;
}

export function counts(sentence: string, noun: string): boolean {
  if (isChinese(sentence)) {
    const amount =
      /(?:\d[\d,.]*|[一二两三四五六七八九十百千万亿]+)\s*多?[万亿]?[个名位座部本册种条颗次枚所家艘项]?[^，。；]{0,6}/g;
    return (
      [...sentence.matchAll(amount)].some((match) => match[0].includes(noun) && chineseNumber(match[0][0]!) !== 1) ||
      new RegExp(`${noun}[^，。]{0,8}\\d`).test(sentence)
    );
  }
  const words = sentence.split(/\s+/);
  return words.some((word, at) => {
    if (!sameWord(word.replace(/[^\p{L}-]/gu, ''), noun)) return false;
    const near = words.slice(Math.max(0, at - 4), at).join(' ');
    return /\d/.test(near) || NUMBER_WORD.test(near) || /^[:：]?\s*\d/.test(words[at + 1] ?? '');
  });
}

export const NUMBER_WORD =
  /\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)\b/i;
