import { agentsOf, aliasesOf, isChinese, isPartOf, namesOf, relationsIn, sameWord } from './names';
import type { Ask } from './question';
import { type AnswerType, type Family, familyById, MONTHS } from './words';

/** A sentence that may answer, and how well it does. */
export interface Candidate {
  sentence: string;
  /** Above 0: it speaks of all that was asked and holds an answer of the right kind. From SURE on, nothing better is looked for. */
  score: number;
  /** Where the sentence speaks of the relation, UTF-16 offset. */
  at: number;
  ask: Ask;
}

/** What a page calls its subject, and the first sentence, which says what it is. */
export interface Subject {
  names: readonly string[];
  lead: string;
  /** The title, where the subject has no page and is only spoken of on this one. */
  host?: string;
}

export const SURE = 9.5;

const LIFE = /^[^(（]{2,60}[(（][^()（）]*\d{3,4}[^()（）]*[–—-][^()（）]*\d{3,4}[^()（）]*[)）]/;
const isFact = (sentence: string) => /^[\p{L}\p{N}() ,]{1,40}[:：]/u.test(sentence) && !/[。;]|\.$/.test(sentence);

/** Names of countries, as the platform knows them. */
const COUNTRIES = ['en', 'zh'].flatMap((language) => {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((a) => letters.flatMap((b) => names.of(a + b) ?? [])).filter((name) => name.length > 1);
});
const NATIONAL = new RegExp(
  `\\b(?:is|was) an? (?:[a-z-]+ ){0,2}?\\p{Lu}[\\p{L}-]+(?: and \\p{Lu}\\p{L}+)? [a-z]|(?:是|国籍[:：] ?)[^，。]{0,8}?(?:裔|[英美法德泰]国|${COUNTRIES.join('|')})`,
  'u',
);

/** What an answer of a kind looks like; a kind that is not here has a check of its own, or none. */
const FORMS: Partial<Record<AnswerType, RegExp>> = {
  date: new RegExp(
    `\\b(?:1\\d{3}|20\\d{2})\\b|\\d (?:BC|AD|BCE|CE)\\b|\\d (?:${MONTHS})|(?:${MONTHS}) \\d|\\d\\s*年|世纪|century`,
  ),
  country: new RegExp(`${COUNTRIES.join('|')}|${NATIONAL.source}`, 'u'),
  nationality: new RegExp(`${NATIONAL.source}|citizen|nationality|国籍|公民`, 'u'),
  place: new RegExp(
    `(?:\\b(?:in|at|near|on|from|to|of|between|is|was|are) (?:[a-z]+ ){0,4}?|[:：,] )(?!\\d|${MONTHS})\\p{Lu}|(?:[在于到是为]|[:：].*)(?![\\d年月日])\\p{Script=Han}{2}`,
    'u',
  ),
  manner: /\b(?:by|of|from|through|using|with|because)\b|因|通过|用|靠/,
  reason: /\b(?:because|since|due to|so that|in order|as a result)\b|因为?|由于|为了|以便/i,
};

function fitsType(candidate: Candidate, own: readonly string[]): boolean {
  const { sentence, at, ask } = candidate;
  if (ask.type === 'person' || ask.type === 'name') return agentsOf(sentence, at, own).length > 0;
  return ask.type === 'number' ? numberOf(candidate) !== undefined : (FORMS[ask.type]?.test(sentence) ?? true);
}

const NUMBER =
  /\d[\d,]*(?:\.\d+)?(?:\s*(?:thousand|million|billion|trillion|万亿|[万亿]))?|\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred)\b|[二两三四五六七八九十百千万]+(?=[个名位座部本册种条颗次枚所家艘项章只头])/gi;
const SCALES: [RegExp, number][] = [
  [/thousand/i, 1e3],
  [/[mM]illion/, 1e6],
  [/[bB]illion/, 1e9],
  [/trillion|万亿/, 1e12],
  [/万/, 1e4],
  [/亿/, 1e8],
];
const BEFORE_YEAR = new RegExp(`(?:\\b(?:in|of|since|until|from|by|between|and|to|${MONTHS})\\s|[(（–—-]\\s?)$`);

/** The number that answers: no year, with the right unit, the first behind the relation. `text` is as the Calculator takes it. */
export function numberOf({ sentence, at, ask }: Candidate): { text: string; value: number; unit: string } | undefined {
  const all = [...sentence.matchAll(NUMBER)].flatMap(({ 0: found, index }) => {
    const [before, after] = [sentence.slice(0, index), sentence.slice(index + found.length)];
    if (/^\s*[月日]|^(?:st|nd|rd|th)\b/.test(after) || (/^\s*年/.test(after) && found.length > 2)) return [];
    const isYear =
      /^(?:1\d|20)\d\d$/.test(found) && (BEFORE_YEAR.test(before) || /^\s?(?:[)）–—-]|census|普查)/.test(after));
    if (isYear || /[A-Za-z][-.]?$/.test(before)) return [];
    if (ask.unit && !ask.unit.test(` ${after.slice(0, 24)}`) && !ask.unit.test(before.slice(-10))) return [];
    const scale = SCALES.find(([pattern]) => pattern.test(found))?.[1] ?? 1;
    const text = found.replace(/,/g, '');
    return [
      { text, value: Number.parseFloat(text) * scale, unit: /^\s*([\p{L}°²]+)/u.exec(after)?.[1] ?? '', at: index },
    ];
  });
  return all.find((number) => number.at >= at) ?? all[0];
}

/** The year that answers; negative before Christ. */
export function yearOf({ sentence, at, ask }: Candidate): number | undefined {
  const all = [...sentence.matchAll(/\b(1\d{3}|20\d{2}|\d{1,4}(?= BC))\b( BC)?|(公元前)?(\d{1,4})年/g)].map((match) => {
    return { at: match.index, year: Number(match[1] ?? match[4]) * (match[2] || match[3] ? -1 : 1) };
  });
  if (LIFE.test(sentence)) return all[ask.relations[0]?.id === 'death' ? 1 : 0]?.year;
  return (all.find((date) => date.at >= at) ?? all[0])?.year;
}

/** Where a sentence speaks of a relation, and how exactly (0: not at all). */
function findRelation(sentence: string, family: Family, { type }: Ask): { at: number; weight: number } {
  const at = sentence.search(family.pattern);
  if (at !== -1) return { at, weight: 1 };
  const near = family.near.map((id) => sentence.search(familyById(id).pattern)).find((place) => place !== -1);
  if (near !== undefined) return { at: near, weight: 0.6 };
  const implied =
    (/birth|death/.test(family.id) && type === 'date' && LIFE.test(sentence)) ||
    (family.id === 'nationality' && NATIONAL.test(sentence)) ||
    (family.id === 'locate' && /^.{2,60}? (?:is|was) (?:an?|the) .*\b(?:in|on|of)\b|[是在].*[的省市国]/.test(sentence));
  return implied ? { at: 0, weight: 0.7 } : { at: -1, weight: 0 };
}

/** Where a sentence has a word: of a Chinese one, most pairs of signs are enough. */
function findWord(sentence: string, word: string): { at: number; weight: number } {
  if (!/\p{Script=Han}/u.test(word)) {
    const match = [...sentence.matchAll(/[\p{L}\p{M}][\p{L}\p{M}-]*/gu)].find((each) => sameWord(each[0], word));
    return match ? { at: match.index, weight: 1 } : { at: -1, weight: 0 };
  }
  const pairs = word.length < 2 ? [word] : [...word.slice(1)].map((sign, at) => word[at] + sign);
  const held = pairs.filter((pair) => sentence.includes(pair));
  return held.length / pairs.length >= 0.6 ? { at: sentence.indexOf(held[0]!), weight: 1 } : { at: -1, weight: 0 };
}

/** How well a sentence answers; 0 where it lacks what was asked for, or is about something else. */
export function judge(sentence: string, ask: Ask, subject: Subject): Candidate {
  const nothing: Candidate = { sentence, score: 0, at: -1, ask };
  const folded = sentence.toLowerCase().replace(/(?<=\d),(?=\d{3})/g, '');
  if (/[:：]$/.test(sentence) || !ask.literals.every((literal) => folded.includes(literal.toLowerCase())))
    return nothing;
  const relations = ask.relations.map((family) => findRelation(sentence, family, ask));
  const words = ask.words.map((word) => ({ word, ...findWord(sentence, word) }));
  const found = [...relations, ...words];
  // One plain word of three and more may be said in another way, but none that singles out one of many.
  const missing = words.filter(({ weight }) => weight === 0);
  const tolerated = found.length > 1 && found.length + ask.literals.length > 2 ? 1 : 0;
  const needed = missing.some(
    ({ word }) => ask.unit?.test(word) || /est$|^(?:first|second|third|last|next)$|^[最第]|[加减乘除倍]/.test(word),
  );
  if (relations.some(({ weight }) => weight === 0) || missing.length > tolerated || needed) return nothing;
  const places = found.flatMap(({ at }) => (at < 0 ? [] : [at]));
  const at =
    relations[0]?.at ?? (places.length === 0 ? 0 : isChinese(sentence) ? Math.max(...places) : Math.min(...places));
  // A fact tells what its label says, not what else stands in it.
  if (isFact(sentence) && places.length > 0 && !places.some((place) => place < sentence.search(/[:：]/)))
    return nothing;
  const own = subject.names.flatMap(aliasesOf);
  const candidate = { ...nothing, at };
  const about = fitsType(candidate, own) ? aboutness(candidate, own, subject) : 0;
  const weight = found.reduce((sum, each) => sum + each.weight, 0) / Math.max(1, found.length);
  return about === 0 ? nothing : { ...candidate, score: weight * 8 + about * 2 - sentence.length / 400 };
}

/** What follows a Chinese name that stands by itself: 京都是, 京都的, but not 京都大学. */
const AFTER_NAME =
  /^(?:[^\p{Script=Han}]|$|[是由于在的有为被曾与和从到也还又都把将起则参共获向位称常末上担始原本全总作属成高长占出发流写创约已现即因用能可只并另至得就时后前内面拥设以经采使提去迁住生结毕受]|一般|首次|最)/u;

/** Whether the sentence is about the subject: 2 by name, 1 by a pronoun or a common noun, 0 about something else. */
function aboutness({ sentence, at, ask }: Candidate, own: readonly string[], { lead, host }: Subject): number {
  if (host && aliasesOf(host).some((alias) => sentence.split(own[0]!)[0]!.includes(alias))) return 0;
  if (isFact(sentence)) return host ? 0 : 1.5;
  if (sentence === lead) return 2;
  const before = sentence.slice(0, at);
  const eitherEnd = ask.type === 'person' || ask.type === 'name';
  const objectIsPronoun = /^\W*\w+ (?:it|them|him|her|its|his|their)\b|^[^，。]{2,5}(?:它|[这该此][座个部家种])/.test(
    sentence.slice(at),
  );
  if (isChinese(sentence)) {
    const places = own.flatMap((alias) => {
      const place = sentence.indexOf(alias);
      const after = sentence.slice(place + alias.length).replace(/^[》” ]+/, '');
      const free =
        AFTER_NAME.test(after) || relationsIn(after)[0]?.at === 0 || ask.words.some((word) => after.startsWith(word));
      return place >= 0 && free ? [place] : [];
    });
    if (
      places.some((place) => eitherEnd || at <= 0 || (place < at && !/[在于到从往向]$/.test(sentence.slice(0, place))))
    )
      return 2;
    const head = before.replace(/^[^，]*年[^，]*，|^(?:公元前?)?\d+年(?:\d+月)?(?:\d+日)?[末底初]?/, '');
    // 公司, 湖面: a word that shares its sense with the name, or with what the first sentence says the subject is.
    const kind = own.join('') + lead.slice(lead.search(/[是为]/));
    const common =
      /^(?:[它他她其这该此最全总首共]|第一|.?$)/.test(head) ||
      [...head.slice(0, 2)].some((sign) => kind.includes(sign));
    return objectIsPronoun || (common && !own.some((alias) => head.startsWith(alias))) ? 0.8 : 0;
  }
  const isOwn = (name: string) =>
    own.some((alias) => isPartOf(name, alias)) || ask.literals.some((each) => /\d/.test(each) && name.includes(each));
  const names = namesOf(sentence);
  const named = names.some(({ text }) => isOwn(text)) || own.some((alias) => sentence.includes(alias.toLowerCase()));
  if (eitherEnd && (named || objectIsPronoun)) return named ? 2 : 0.8;
  const aside = /\b(?:in|at|on|from|to|of|by|with|near|for|under|after)\s+(?:the\s+)?$/i;
  const subject = names.filter(({ start }) => start < at && !aside.test(sentence.slice(0, start))).at(-1);
  if (subject) return isOwn(subject.text) ? 2 : 0;
  const strangers = names.some(
    ({ text, start }) => start < at && !isOwn(text) && /\bof (?:the )?$/.test(sentence.slice(0, start)),
  );
  const pronoun =
    /^(?:It|He|She|They|Its|His|Her|Their|The)\b/.test(sentence) || /\b(?:it|he|she|they)\b[^,.]{0,40}$/.test(before);
  return named ? 2 : strangers ? 0 : pronoun ? 1 : eitherEnd ? 0 : 0.6;
}
