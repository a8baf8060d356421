import { type Ask, familiesOf } from './ask';
import type { Candidate } from './judge';
import { agentsOf } from './names';
import { isChinese, isFact } from './text';
import { counts, NUMBER_WORD, numberOf, unitOf } from './values';
import { MONTHS, UNITS } from './words';

const DATE = new RegExp(
  `\\b(?:1\\d{3}|20\\d{2})\\b|\\b\\d{1,4} (?:BC|AD|BCE|CE)\\b|\\b(?:${MONTHS.replace('May|', '')})\\b|\\bMay \\d|\\d\\s*年|世纪|\\bcentury\\b`,
);

const REGIONS = new Map<string, string[]>();

/** Names of countries in a language, as the platform knows them. */
function countries(language: 'en' | 'zh'): string[] {
  const known = REGIONS.get(language);
  if (known) return known;
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const found = letters.flatMap((a) => letters.flatMap((b) => names.of(a + b) ?? [])).filter((name) => name.length > 1);
  REGIONS.set(language, found);
  return found;
}

export function isNational(sentence: string): boolean {
  if (isChinese(sentence)) {
    const is = /是(?:一[位名个家种])?([^，。]{2,10})/.exec(sentence)?.[1] ?? /国籍[:：]?(.+)/.exec(sentence)?.[1];
    return (
      is !== undefined &&
      (/裔/.test(is) || countries('zh').some((name) => is.includes(name)) || /[英美法德泰]国/.test(is))
    );
  }
  return /\b(?:is|was) (?:an?|the) (?:[a-z-]+ ){0,2}?\p{Lu}[\p{L}-]+(?: and \p{Lu}\p{L}+)? [a-z]/u.test(sentence);
}

const PLACE = /\b(?:in|at|near|on|from|to|of|between)\s+(?:[a-z]+\s+){0,4}?\p{Lu}/u;

const MONTHS_IN = new RegExp(`\\b(?:in|on|of)\\s+(?:\\d+ )?(?:${MONTHS})`, 'g');

const isPlace = (ask: Ask) => familiesOf(ask.demands).some(({ type, id }) => type === 'place' && id !== 'locate');

/** Whether the sentence holds an answer of the kind that was asked for. */
export function fitsType(candidate: Candidate, ask: Ask, aliases: readonly string[]): boolean {
  const { sentence } = candidate;
  const chinese = isChinese(sentence);
  switch (ask.type) {
    case 'name':
      return agentsOf(candidate, ask, aliases).length > 0 || /公司|大学|学院|组织/.test(sentence);
    case 'person':
      return agentsOf(candidate, ask, aliases).length > 0;
    case 'date':
      return DATE.test(sentence);
    case 'number':
      if (ask.counted !== undefined) return counts(sentence, ask.counted);
      return (
        numberOf(candidate, ask) !== undefined ||
        (!unitOf(ask) && NUMBER_WORD.test(sentence)) ||
        (unitOf(ask) === UNITS.age && NUMBER_WORD.test(sentence))
      );
    case 'country':
      return countries(chinese ? 'zh' : 'en').some((name) => sentence.includes(name)) || isNational(sentence);
    case 'place':
      return chinese
        ? /(?:[在于到]|[:：].*)(?![\d年月日])\p{Script=Han}{2}/u.test(sentence) ||
            (isPlace(ask) && /[是为]/.test(sentence))
        : PLACE.test(sentence.replace(MONTHS_IN, '')) ||
            (isFact(sentence) && /[:：,]\s*\p{Lu}/u.test(sentence)) ||
            (isPlace(ask) && /\b(?:is|are|was)\s+(?:[a-z]+\s+){0,4}?\p{Lu}/u.test(sentence));
    case 'manner':
      return !isFact(sentence) && /\b(?:by|of|from|through|using|with|because)\b|因|通过|用|靠/.test(sentence);
    case 'reason':
      return /\b(?:because|since|due to|so that|in order|as a result)\b|因为?|由于|为了|以便/i.test(sentence);
    case 'nationality':
      return isNational(sentence) || /citizen|nationality|国籍|公民/i.test(sentence);
    default:
      return true;
  }
}
