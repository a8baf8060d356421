import { agentsOf, aliasesOf, HAN, isChinese, isPartOf, namesOf, relationsIn, sameWord } from './names';
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
    String.raw`(?:\b(?:in|at|near|on|from|to|of|between|is|was|are) (?:[a-z]+ ){0,4}?|[:：,] )(?!\d|${MONTHS})\p{Lu}|(?:[在于到是为]|[:：].*)(?![\d年月日])\p{Script=Han}{2}`,
    'u',
  ),
  manner: /^(?![^.。]*[:：]).*(?:\b(?:by|of|from|through|using|with|because)\b|因|通过|用|靠)/,
  reason: /\b(?:because|since|due to|so that|in order|as a result)\b|因为?|由于|为了|以便/i,
};

const NUMBER =
  /\d[\d,]*(?:\.\d+)?(?:\s*(?:thousand|million|billion|trillion|万亿|[万亿]))?|\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred)\b|[二两三四五六七八九十百千万]+(?=[个名位座部本册种条颗次枚所家艘项章])/gi;
const SCALES: Readonly<Record<string, number>> = { t: 1e3, m: 1e6, b: 1e9, 万: 1e4, 亿: 1e8, 万亿: 1e12 };
const YEAR = new RegExp(
  String.raw`(?:\b(?:in|of|since|until|from|by|between|and|to|${MONTHS})\s|[(（–—-]\s?)(?:1\d|20)\d\d$|(?:1\d|20)\d\d\s?(?:[)）–—-]|census|普查)$`,
);

/** The number that answers: no date, with the right unit, the first behind the relation. `text` is as the Calculator takes it. */
export function numberOf({ sentence, at, ask }: Candidate): { text: string; value: number; unit: string } | undefined {
  const all = [...sentence.matchAll(NUMBER)].flatMap(({ 0: found, index }) => {
    const [before, after] = [sentence.slice(0, index), sentence.slice(index + found.length)];
    if (/^\s*[月日]|^(?:st|nd|rd|th)\b/.test(after) || (/^\s*年/.test(after) && found.length > 2)) return [];
    if (YEAR.test(before + found) || YEAR.test(found + after.slice(0, 7).trimEnd()) || /[A-Za-z][-.]?$/.test(before))
      return [];
    if (ask.unit && !ask.unit.test(` ${after.slice(0, 24)}`) && !ask.unit.test(before.slice(-10))) return [];
    const [, digits = '', scale = ''] = /^([\d.]*)\s*(万亿|.?)/.exec(found.replace(/,/g, '').toLowerCase()) ?? [];
    const unit = /^\s*([\p{L}°²]+)/u.exec(after)?.[1] ?? '';
    return [{ text: found.replace(/,/g, ''), value: Number(digits) * (SCALES[scale] ?? 1), unit, at: index }];
  });
  return all.find((number) => number.at >= at) ?? all[0];
}

/** The year that answers; negative before Christ. */
export function yearOf({ sentence, at, ask }: Candidate): number | undefined {
  const dates = sentence.matchAll(/\b(1\d{3}|20\d{2}|\d{1,4}(?= BC))\b( BC)?|(公元前)?(\d{1,4})年/g);
  const years = [...dates].map(({ 1: en, 2: bc, 3: before, 4: zh, index }) => {
    return { at: index, year: Number(en ?? zh) * (bc || before ? -1 : 1) };
  });
  const isLife = LIFE.test(sentence);
  return (isLife ? years[ask.relations[0]?.id === 'death' ? 1 : 0] : (years.find((each) => each.at >= at) ?? years[0]))
    ?.year;
}

const NOWHERE = { at: -1, weight: 0 };

/** Where a sentence speaks of a relation, and how exactly (0: not at all). */
function findRelation(sentence: string, family: Family, { type }: Ask): { at: number; weight: number } {
  const [own = -1, near = -1] = [[family], family.near.map(familyById)].map((families) => {
    return families.map(({ pattern }) => sentence.search(pattern)).find((place) => place !== -1);
  });
  if (own !== -1 || near !== -1) return own !== -1 ? { at: own, weight: 1 } : { at: near, weight: 0.6 };
  const implied =
    (/birth|death/.test(family.id) && type === 'date' && LIFE.test(sentence)) ||
    (family.id === 'nationality' && FORMS.nationality!.test(sentence)) ||
    (family.id === 'locate' && /^.{2,60}? (?:is|was) (?:an?|the) .*\b(?:in|on|of)\b|[是在].*[的省市国]/.test(sentence));
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
  const nothing: Candidate = { sentence, score: 0, at: -1, ask };
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
  if (isFact(sentence) && places.every((place) => place > sentence.search(/[:：]/))) return nothing;
  const own = subject.names.flatMap(aliasesOf);
  const candidate = { ...nothing, at };
  const isName = ask.type === 'person' || ask.type === 'name';
  if (isName && agentsOf(sentence, at, own).length === 0) return nothing;
  if (ask.type === 'number' ? !numberOf(candidate) : FORMS[ask.type]?.test(sentence) === false) return nothing;
  const about = aboutness(candidate, own, subject, isName);
  const weight = found.reduce((sum, each) => sum + each.weight, 0) / Math.max(1, found.length);
  return about === 0 ? nothing : { ...candidate, score: weight * 8 + about * 2 - sentence.length / 400 };
}

/** What follows a Chinese name that stands by itself: 京都是, 京都的, but not 京都大学. */
const AFTER_NAME =
  /^[》” ]*(?:[^\p{Script=Han}》” ]|$|[是由于在的有为被曾与和从到也还又都把将起则参共获向位称常末上担始原本全总作属成高长占出发流写创约已现即因用能可只并另至得就时后前内面拥设以经采使提去迁住生结毕受]|一般|首次|最)/u;
const ASIDE = /\b(?:in|at|on|from|to|of|by|with|near|for|under|after) (?:the )?$|[在于到从往向]$/i;
const PRONOUN =
  /^(?:It|He|She|They|Its|His|Her|Their|The)\b|\b(?:it|he|she|they)\b[^,.]{0,40}$|^(?:[它他她其这该此最全总首共]|第一)/;
const OBJECT = /^\W*\w+ (?:it|them|him|her|its|his|their)\b|^[^，。]{2,5}(?:它|[这该此][座个部家种])/;

/**
 * Whether the sentence is about the subject: 2 by name, about 1 by a pronoun or a common noun, 0 about something else.
 * @param eitherEnd the subject may stand behind the relation, too
 */
function aboutness(
  { sentence, at, ask }: Candidate,
  own: string[],
  { lead, host }: Subject,
  eitherEnd: boolean,
): number {
  if (host && !eitherEnd && aliasesOf(host).some((alias) => sentence.split(own[0]!)[0]!.includes(alias))) return 0;
  if (isFact(sentence)) return host ? 0 : 1.5;
  if (sentence === lead) return 2;
  const before = sentence.slice(0, at);
  const isOwn = ({ text }: { text: string }) =>
    own.some((alias) => isPartOf(text, alias)) || ask.literals.some((each) => /\d/.test(each) && text.includes(each));
  const chinese = isChinese(sentence);
  const names = chinese ? [] : namesOf(sentence);
  const spoken = own.flatMap((alias) => {
    const place =
      chinese || alias === alias.toLowerCase() ? sentence.indexOf(alias) : sentence.indexOf(alias.toLowerCase());
    const after = sentence.slice(place + alias.length);
    const said = relationsIn(after)[0]?.at === 0 || ask.words.some((word) => after.startsWith(word));
    return place >= 0 && (!chinese || said || AFTER_NAME.test(after)) ? [place] : [];
  });
  const places = [...spoken, ...names.filter(isOwn).map(({ start }) => start)];
  if (eitherEnd && places.some((place) => !/\b(?:in|at|on|from|near) (?:the )?$/.test(sentence.slice(0, place))))
    return 2;
  if (eitherEnd && OBJECT.test(sentence.slice(at))) return 0.8;
  const subject = names.filter(({ start }) => start < at && !ASIDE.test(sentence.slice(0, start))).at(-1);
  if (subject) return isOwn(subject) ? 2 : 0;
  if (places.some((place) => !chinese || at === 0 || (place < at && !ASIDE.test(sentence.slice(0, place))))) return 2;
  const strangers = names.some(({ start }) => start < at && /\bof (?:the )?$/.test(sentence.slice(0, start)));
  const head = before.replace(/^[^，]*年[^，]*，|^(?:公元前?)?\d+年(?:\d+月)?(?:\d+日)?[末底初]?/, '');
  if (!chinese) return strangers ? 0 : PRONOUN.test(sentence) || PRONOUN.test(before) ? 1 : eitherEnd ? 0 : 0.6;
  // 公司, 湖面: a word that shares its sense with the name, or with what the first sentence says the subject is.
  const kind = own.join('') + lead.slice(lead.search(/[是为]/));
  const common = head.length < 2 || PRONOUN.test(head) || [...head.slice(0, 2)].some((sign) => kind.includes(sign));
  return common && !own.some((alias) => head.startsWith(alias)) ? 0.8 : 0;
}
