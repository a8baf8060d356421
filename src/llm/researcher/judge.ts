import { agentsOf, aliasesOf, HAN, isChinese, namesOf, sameWord, withSubject } from './names';
import type { Ask } from './question';
import { type AnswerType, type Family, familyById, MONTHS } from './words';

/** A sentence that may answer, and how well it does. */
export interface Candidate {
  sentence: string;
  /** Above 0: it speaks of all that was asked and holds an answer of the right kind. From SURE on, nothing better is looked for. */
  score: number;
  /** What stands before the relation, and what begins with it; “@” for the subject. */
  before: string;
  after: string;
  ask: Ask;
}

/** What a page calls its subject, and the first sentence, which says what it is. */
export interface Subject {
  names: readonly string[];
  lead: string;
  /** The title, where the subject has no page and is only spoken of on this one. */
  host: string | undefined;
}

export const SURE = 9.5;

const LIFE = /^[^(（]{2,60}[(（][^()（）]*\d{3,4}[^()（）]*[–—-][^()（）]*\d{3,4}[^()（）]*[)）]/;
const isFact = (sentence: string) => /^[\p{L}\p{N}() ,]{1,40}[:：]/u.test(sentence) && !/[。;]|\.$/.test(sentence);

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Names of countries, as the platform knows them. */
const COUNTRY = ['en', 'zh']
  .map((language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }))
  .flatMap((names) => LETTERS.flatMap((one) => LETTERS.flatMap((other) => names.of(one + other) ?? [])))
  .join('|');
const NATIONAL = String.raw`\b(?:is|was) an? (?:[a-z-]+ ){0,2}?\p{Lu}[\p{L}-]+(?: and \p{Lu}\p{L}+)? [a-z]|(?:是|国籍[:：] ?)[^，。]{0,8}?(?:裔|[英美法德泰]国|${COUNTRY})`;

/** What an answer of a kind looks like; a kind that is not here has a check of its own, or none. */
const FORMS: Partial<Record<AnswerType, RegExp>> = {
  date: new RegExp(String.raw`\b(?:1\d{3}|20\d{2})\b|\d (?:BC|AD|${MONTHS})|(?:${MONTHS}) \d|\d\s*年|世纪|century`),
  country: new RegExp(`${COUNTRY}|${NATIONAL}`, 'u'),
  nationality: new RegExp(`${NATIONAL}|citizen|nationality|国籍|公民`, 'u'),
  place: new RegExp(
    String.raw`(?:\b(?:in|at|near|on|from|to|of|between) (?:[a-z]+ ){0,4}?|[:：,] )(?!\d|${MONTHS})\p{Lu}|(?:[在于到]|[:：].*)(?![\d年月日])\p{Script=Han}{2}`,
    'u',
  ),
  manner: /^(?![^.。]*[:：]).*(?:\b(?:by|of|from|through|using|with|because)\b|因|通过|用|靠)/,
  reason: /\b(?:because|since|due to|so that|in order|as a result)\b|因为?|由于|为了|以便/i,
};

/** Where the relation itself leads to a place, the sentence need not say in: the capital is Beijing. */
const IS_PLACE = /\b(?:is|was|are) (?:[a-z]+ ){0,4}?\p{Lu}|[是为]\p{Script=Han}{2}/u;

const NUMBER =
  /\d[\d,]*(?:\.\d+)?(?:\s*(?:thousand|million|billion|trillion|万亿|[万亿]))?|\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred)\b|[二两三四五六七八九十百千万]+(?=[个名位座部本册种条颗次枚所家艘项章])/gi;
const SCALES: Readonly<Record<string, number>> = { t: 1e3, m: 1e6, b: 1e9, 万: 1e4, 亿: 1e8, 万亿: 1e12 };
const YEAR = new RegExp(
  String.raw`(?:\b(?:in|of|since|until|from|by|between|and|to|${MONTHS})\s|[(（–—-]\s?)(?:1\d|20)\d\d$|(?:1\d|20)\d\d\s?(?:[)）–—-]|census|普查)$`,
);

/** The number that answers: no date, with the right unit, the first behind the relation. `text` is as the Calculator takes it. */
export function numberOf({ before, after, ask }: Candidate): { text: string; value: number } | undefined {
  const line = before + after;
  const all = [...line.matchAll(NUMBER)].flatMap(({ 0: found, index }) => {
    const [left, right] = [line.slice(0, index), line.slice(index + found.length)];
    if (/^\s*[月日]|^(?:st|nd|rd|th)\b/.test(right) || (/^\s*年/.test(right) && found.length > 2)) return [];
    if (YEAR.test(left + found) || YEAR.test(found + right.slice(0, 7).trimEnd()) || /[A-Za-z@][-.]?$/.test(left))
      return [];
    if (ask.unit && !ask.unit.test(` ${right.slice(0, 24)}`) && !ask.unit.test(left.slice(-10))) return [];
    const [, digits = '', scale = ''] = /^([\d.]*)\s*(万亿|.?)/.exec(found.replace(/,/g, '').toLowerCase()) ?? [];
    return [{ text: found.replace(/,/g, ''), value: Number(digits) * (SCALES[scale] ?? 1), at: index }];
  });
  return all.find((number) => number.at >= before.length) ?? all[0];
}

/** The year that answers; none where one is before Christ. */
export function yearOf({ sentence, before, after, ask }: Candidate): number | undefined {
  const years = (text: string) => (text.match(/(?<!\d)(?:1\d{3}|20\d\d)(?!\d)/g) ?? []).map(Number);
  if (/\bBC|公元前/.test(sentence)) return undefined;
  if (LIFE.test(sentence)) return years(sentence)[ask.relations[0]?.id === 'death' ? 1 : 0];
  return years(after)[0] ?? years(before)[0];
}

const NOWHERE = { at: -1, weight: 0 };

/** Where a sentence speaks of a relation, and how exactly (0: not at all). */
function findRelation(sentence: string, family: Family, { type }: Ask): { at: number; weight: number } {
  const [own = -1, near = -1] = [[family], family.near.map(familyById)].map((families) => {
    return families.map(({ pattern }) => sentence.search(pattern)).find((place) => place !== -1);
  });
  if (own !== -1 || near !== -1) return own !== -1 ? { at: own, weight: 1 } : { at: near, weight: 0.6 };
  const isLife = /birth|death/.test(family.id) && type === 'date' && LIFE.test(sentence);
  const isPlaced =
    family.id === 'locate' && / (?:is|was) (?:an?|the) .*\b(?:in|on|of)\b|[是在].*[的省市国]/.test(sentence);
  const implied = isLife || isPlaced || (family.type === 'nationality' && FORMS.nationality!.test(sentence));
  return implied ? { at: 0, weight: 0.7 } : NOWHERE;
}

/** Where a sentence has a word: of a Chinese one, most pairs of signs are enough. */
function findWord(sentence: string, word: string): { at: number; weight: number } {
  const pairs = [...word.slice(1)].map((sign, at) => word[at] + sign);
  const held = pairs.filter((pair) => sentence.includes(pair));
  if (HAN.test(word)) return held.length < pairs.length * 0.6 ? NOWHERE : { at: sentence.indexOf(held[0]!), weight: 1 };
  const match = [...sentence.matchAll(/[\p{L}\p{M}][\p{L}\p{M}-]*/gu)].find((each) => sameWord(each[0], word));
  return match ? { at: match.index, weight: 1 } : NOWHERE;
}

/** Words that single out one of many: without them, a sentence speaks of another one. */
const SINGLES_OUT = /est$|^(?:first|second|third|last|next)$|^[最第]|[加减乘除倍]/;

/** How well a sentence answers; 0 where it lacks what was asked for, or is about something else. */
export function judge(sentence: string, ask: Ask, subject: Subject): Candidate {
  const nothing: Candidate = { sentence, score: 0, before: '', after: sentence, ask };
  const folded = sentence.toLowerCase().replace(/(?<=\d),(?=\d{3})/g, '');
  if (/[:：]$/.test(sentence) || ask.literals.some((literal) => !folded.includes(literal.toLowerCase())))
    return nothing;
  const relations = ask.relations.map((family) => findRelation(sentence, family, ask));
  const found = [...relations, ...ask.words.map((word) => findWord(sentence, word))];
  // One plain word of three and more may be said in another way.
  const missing = ask.words.filter((_, at) => found[relations.length + at]!.weight === 0);
  const tolerated = found.length > 1 && found.length + ask.literals.length > 2 ? 1 : 0;
  if (relations.includes(NOWHERE) || missing.length > tolerated) return nothing;
  if (missing.some((word) => ask.unit?.test(word) || SINGLES_OUT.test(word))) return nothing;
  const places = found.flatMap(({ at }) => (at < 0 ? [] : [at]));
  const at = relations[0]?.at ?? (isChinese(sentence) ? Math.max(0, ...places) : Math.min(...places, sentence.length));
  // A fact tells what its label says, not what else stands in it.
  if (isFact(sentence) && places.length > 0 && places.every((place) => place > sentence.search(/[:：]/)))
    return nothing;
  const [before, after] = [sentence.slice(0, at), sentence.slice(at)].map((text) => withSubject(text, subject.names));
  const candidate = { ...nothing, before: before!, after: after! };
  const isName = ask.type === 'person' || ask.type === 'name';
  if (isName && agentsOf(candidate).length === 0) return nothing;
  const isPlace = ask.type === 'place' && ask.relations[0]?.type === 'place' && IS_PLACE.test(sentence);
  if (ask.type === 'number' ? !numberOf(candidate) : !isPlace && FORMS[ask.type]?.test(sentence) === false)
    return nothing;
  const about = aboutness(candidate, subject, isName);
  const weight = found.reduce((sum, each) => sum + each.weight, 0) / Math.max(1, found.length);
  return about === 0 ? nothing : { ...candidate, score: weight * 8 + about * 2 - sentence.length / 400 };
}

const ASIDE = /\b(?:in|at|on|from|to|of|by|with|near|for|under|after) (?:the )?$/i;
const BY_NAME = /(?<!\b(?:in|at|on|from|near) (?:the )?|[在于到从往向])@/;
const PRONOUN =
  /^(?:It|He|She|They|Its|His|Her|Their|The)\b|\b(?:it|he|she|they)\b[^,.]{0,40}$|^(?:[它他她其这该此最全总首共]|第一|.?$)/;
const OBJECT = /^\W*\w+ (?:it|them|him|her|its|his|their)\b|^[^，。]{2,5}(?:它|[这该此][座个部家种])/;

/**
 * Whether the sentence is about the subject: 2 by name, about 1 by a pronoun or a common noun, 0 about something else.
 * @param eitherEnd the subject may stand behind the relation, too
 */
function aboutness({ sentence, before, after }: Candidate, { names, lead, host }: Subject, eitherEnd: boolean): number {
  if (isFact(sentence)) return host ? 0 : 1.5;
  if (sentence === lead) return 2;
  if (host && !eitherEnd && aliasesOf(host).some((alias) => before.split('@')[0]!.includes(alias))) return 0;
  if (eitherEnd && (BY_NAME.test(before + after) || OBJECT.test(after))) return OBJECT.test(after) ? 0.8 : 2;
  if (isChinese(sentence)) {
    if (BY_NAME.test(before) || (before === '' && BY_NAME.test(after))) return 2;
    // 公司, 湖面: a word that shares its sense with the name, or with what the first sentence says the subject is.
    const head = before.replace(/^[^，]*年[^，]*，|^(?:公元前?)?\d+年(?:\d+月)?(?:\d+日)?[末底初]?/, '');
    const kind = names.join('') + lead.slice(lead.search(/[是为]/));
    const isKind = [...head.slice(0, 2)].some((sign) => kind.includes(sign));
    return PRONOUN.test(head) || (isKind && !names.some((name) => head.startsWith(name.slice(0, 2)))) ? 0.8 : 0;
  }
  const others = namesOf(before).filter(
    ({ start }) => !ASIDE.test(before.slice(0, start)) || /\bof (?:the )?$/.test(before.slice(0, start)),
  );
  if (others.some(({ start }) => start > before.lastIndexOf('@'))) return 0;
  return /@/.test(before + after) ? 2 : PRONOUN.test(sentence) || PRONOUN.test(before) ? 1 : eitherEnd ? 0 : 0.6;
}
