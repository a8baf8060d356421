import { type Ask, type Demand, isChinese, NOUN_ZH, sameWord } from './researcherQuestion';
import { chineseNumber } from './researcherSums';
import { FAMILIES, type Family, STOP_WORDS, UNITS } from './researcherWords';

/** A sentence that may answer, and how well it does. */
export interface Candidate {
  sentence: string;
  /** Above 0: it speaks of all that was asked and holds an answer of the right kind. From SURE on, nothing better is looked for. */
  score: number;
  /** Where the sentence speaks of the relation, UTF-16 offset. */
  at: number;
}

export const SURE = 9.5;

const LIFE = /^[^(（]{2,60}[(（][^()（）]*\d{3,4}[^()（）]*[–—-][^()（）]*\d{3,4}[^()（）]*[)）]/;
const NUMBER_WORD =
  /\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)\b/i;
const DATE =
  /\b(?:1\d{3}|20\d{2})\b|\b\d{1,4} (?:BC|AD|BCE|CE)\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d|\d\s*年|世纪|\bcentury\b|\b(?:January|February|March|April|June|July|August|September|October|November|December)\b/;
const MONTH =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Sunday)$/;

/** Names in an English sentence: runs of capitalised words, without a word that is capital only because it stands first. */
export function namesOf(sentence: string): { text: string; start: number }[] {
  const run =
    /(?:\p{Lu}\.\s?)*[\p{L}\p{N}]*\p{Lu}[\p{L}\p{M}\p{N}’'.&/+-]*(?:(?:,? (?=Inc)| (?:(?:of|de|van|von|der|la|del|the) ){0,2})(?=\p{Lu}|\d+\b)[\p{L}\p{M}\p{N}’'.&/+-]+)*/gu;
  return (
    [...sentence.matchAll(run)]
      .map((match) => ({ text: match[0].replace(/['’]s$|[.,'’]+$/, ''), start: match.index }))
      .map(({ text, start }) => {
        const words = text.split(' ');
        while (start === 0 && words.length > 0 && (STOP_WORDS.has(words[0]!.toLowerCase()) || /^\d+$/.test(words[0]!)))
          words.shift();
        const own = words.join(' ').replace(/^\d+ /, '');
        return { text: own, start: start + text.length - own.length };
      })
      // Capital only because it stands first: Located, Reaching, Construction.
      .filter(({ text, start }) => start > 0 || / /.test(text) || !/(?:ed|ing|tion|ment|ly|s)$/.test(text))
      .filter(({ text }) => text.length > 1 && !MONTH.test(text.split(' ')[0]!) && !/^\d+$/.test(text))
  );
}

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

/** Other ways a page calls its subject: without a suffix in brackets, by its last name, by its name without Inc. */
export function aliasesOf(title: string): string[] {
  const plain = title.replace(/\s*[(（].*[)）]$/, '').replace(/,? (?:Inc|Ltd|Corp)\.?$/, '');
  const parts = plain.split(/[·\s]/);
  const short = parts.at(-1)!;
  const isName = parts.length > 1 && parts.every((part) => /^[\p{Lu}\p{Script=Han}]/u.test(part));
  const company = plain.replace(/(?:公司|集团)$/, '');
  return [...new Set([title, plain, company, ...(isName && short.length > 1 ? [short] : [])])].filter(Boolean);
}

/** Where a sentence speaks of a family, and how exactly (0: not at all). */
function findFamily(sentence: string, family: Family, ask: Ask): { at: number; weight: number } {
  const direct = formAt(sentence, family);
  if (direct !== -1) return { at: direct, weight: 1 };
  if ((family.id === 'birth' || family.id === 'death') && ask.type === 'date' && LIFE.test(sentence))
    return { at: 0, weight: 0.6 };
  if (family.id === 'nationality' && isNational(sentence)) return { at: 0, weight: 1 };
  if (
    family.id === 'locate' &&
    /^.{2,60}? (?:is|was) (?:an?|the) .*\b(?:in|on|of)\b|[是在].*(?:的|省|市|国)/.test(sentence)
  )
    return { at: 0, weight: 0.8 };
  for (const id of family.near) {
    const near = FAMILIES.find((other) => other.id === id);
    const at = near ? formAt(sentence, near) : -1;
    if (at !== -1) return { at, weight: 0.6 };
  }
  return { at: -1, weight: 0 };
}

function formAt(sentence: string, family: Family): number {
  if (isChinese(sentence)) {
    const form = family.zh.find((each) => sentence.includes(each));
    return form === undefined ? -1 : sentence.indexOf(form);
  }
  const lower = sentence.toLowerCase();
  for (const form of family.en) {
    const at = lower.search(new RegExp(`\\b${form.replace(/-/g, '[- ]')}(?:s|es|ed|d|er|ing)?\\b`));
    if (at !== -1) return at;
  }
  return -1;
}

function findDemand(sentence: string, demand: Demand, ask: Ask): { at: number; weight: number } {
  if ('family' in demand) return findFamily(sentence, demand.family, ask);
  const { word } = demand;
  if (/\p{Script=Han}/u.test(word)) {
    const at = sentence.indexOf(word);
    if (at !== -1) return { at, weight: 1 };
    const pairs = Array.from({ length: word.length - 1 }, (_, start) => word.slice(start, start + 2));
    const held = pairs.filter((pair) => sentence.includes(pair)).length;
    return pairs.length > 1 && held / pairs.length >= 0.6
      ? { at: sentence.indexOf(pairs[0]!), weight: 0.7 }
      : { at: -1, weight: 0 };
  }
  for (const match of sentence.matchAll(/[\p{L}\p{M}][\p{L}\p{M}-]*/gu)) {
    if (sameWord(match[0], word)) return { at: match.index, weight: 1 };
  }
  return { at: -1, weight: 0 };
}

function isNational(sentence: string): boolean {
  if (isChinese(sentence)) {
    const is = /是(?:一[位名个家种])?([^，。]{2,10})/.exec(sentence)?.[1] ?? /国籍[:：]?(.+)/.exec(sentence)?.[1];
    return (
      is !== undefined &&
      (/裔/.test(is) || countries('zh').some((name) => is.includes(name)) || /[英美法德泰]国/.test(is))
    );
  }
  return /\b(?:is|was) (?:an?|the) (?:[a-z-]+ ){0,2}?\p{Lu}[\p{L}-]+(?: and \p{Lu}\p{L}+)? [a-z]/u.test(sentence);
}

/** Whether the sentence is about the page's subject: 2 by name, 1 by a pronoun, less where that is unclear, 0 about something else. */
function aboutness(sentence: string, aliases: readonly string[], at: number, ask: Ask, lead: string): number {
  if (isFact(sentence)) return 1.5;
  if (isChinese(sentence)) return aboutnessChinese(sentence, aliases, at, ask, lead);
  const names = namesOf(sentence);
  const isOwn = (name: string) =>
    aliases.some((alias) => isPartOf(name, alias)) ||
    ask.literals.some((each) => /\d/.test(each) && name.includes(each));
  const own =
    names.some(({ text }) => isOwn(text)) ||
    aliases.some((alias) => alias.slice(1) === alias.slice(1).toLowerCase() && sentence.includes(alias.toLowerCase()));
  const pronoun =
    /^(?:It|He|She|They|Its|His|Her|Their|The)\b/.test(sentence) ||
    /\b(?:it|he|she|they)\b[^,.]{0,40}$/.test(sentence.slice(0, at));
  const before = names.filter(
    ({ start }) =>
      start < at &&
      !/\b(?:in|at|on|from|to|of|by|with|near|for|under|after)\s+(?:the\s+)?$/i.test(sentence.slice(0, start)),
  );
  if (ask.type === 'person' || ask.type === 'name') {
    if (own) return 2;
    if (pronoun && before.length === 0) return 1;
    const objectIsPronoun = /^\W*\w+\s+(?:it|them|him|her|its|his|their)\b/.test(sentence.slice(at));
    const inOffice =
      before.length === 1 &&
      /\b(?:is|was|became|has been|as)\s+(?:(?:the|its|an?)\s+)?(?:[a-z-]+\s+)?$/.test(sentence.slice(0, at));
    return objectIsPronoun || inOffice ? 0.8 : 0;
  }
  const subject = before.at(-1);
  if (subject && !isOwn(subject.text)) return 0;
  if (subject) return 2;
  // A name that restricts the subject: the wall of the Ming dynasty.
  const strangers = names.filter(
    ({ start, text }) => start < at && !isOwn(text) && /\bof\s+(?:the\s+)?$/.test(sentence.slice(0, start)),
  ).length;
  return (own ? 2 : pronoun ? 1 : 0.7) - strangers * 0.5;
}

const isFact = (sentence: string) => /^[\p{L}\p{N}() ,]{1,40}[:：]/u.test(sentence) && !/。|\.$/.test(sentence);

/** “Van Rossum” and “Guido” for “Guido van Rossum”, and its longer forms: titles and further first names before or inside it. */
function isPartOf(name: string, whole: string): boolean {
  const [part, all] = [` ${name.toLowerCase()} `, ` ${whole.toLowerCase().replace(/,/g, '')} `];
  if (all.startsWith(part) || all.endsWith(part)) return true;
  if (part.startsWith(all) && /^(?:corporation|company|inc|ltd|limited|group) $/.test(part.slice(all.length)))
    return true;
  const [words, own] = [part, all].map((text) => text.trim().split(' ')) as [string[], string[]];
  return (
    own.length > 1 &&
    words.length > own.length &&
    words.at(-1) === own.at(-1) &&
    own.every((word) => words.includes(word))
  );
}

function aboutnessChinese(
  sentence: string,
  aliases: readonly string[],
  relationAt: number,
  ask: Ask,
  lead: string,
): number {
  const clause = sentence.slice(0, Math.max(relationAt, 0));
  const forms = FAMILIES.flatMap(({ zh }) => zh);
  let own = false;
  for (const alias of aliases) {
    for (let at = sentence.indexOf(alias); at !== -1; at = sentence.indexOf(alias, at + 1)) {
      const after = sentence.slice(at + alias.length).replace(/^[》” ]+/, '');
      const free =
        after === '' ||
        /^[^\p{Script=Han}]|^[是由于在的有为被曾与和从到也还又都把这将起则参共获向建位称常末上担始原本全总作属成高长占出发流写创市约已现即因用能可只并另至得就时后前内面拥设包含以经通采使提当去迁住生结毕受]|^(?:一般|首次|最)/u.test(
          after,
        ) ||
        forms.some((form) => after.startsWith(form)) ||
        ask.demands.some((demand) => 'word' in demand && after.startsWith(demand.word));
      if (!free) continue;
      own = true;
      if (relationAt <= 0 || (at < relationAt && !/[在于到从往向]$/.test(sentence.slice(0, at)))) return 2;
    }
  }
  if (ask.type === 'person' || ask.type === 'name') return own ? 2 : 0.8;
  if (/^(?:[它他她其]|这|该|此)/.test(sentence.replace(/^[^，]*年[^，]*，/, ''))) return 1.2;
  const head = clause.replace(/^(?:公元前?)?\d+\s*年[^，]{0,6}?，?/, '').replace(/^(?:\d+月)?(?:\d+日)?[，]?/, '');
  if (/^(?:第一|最|全|总|首|共)/.test(head) || head.length <= 1) return 0.8;
  // 公司, 湖面: a word that shares its sense with the name, or with what the page's first sentence says its subject is.
  const kind = aliases.join('') + lead.slice(lead.search(/[是为]/));
  if (
    !aliases.some((alias) => head.startsWith(alias)) &&
    [...head.slice(0, 2)].some((sign) => /\p{Script=Han}/u.test(sign) && kind.includes(sign))
  )
    return 0.8;
  return /^[它他她其]/.test(head) ? 1 : own ? 0.4 : 0.2;
}

/** Numbers with where they stand, years of dates left out. */
function numbersIn(sentence: string): { text: string; value: number; at: number; after: string }[] {
  return [...sentence.matchAll(/\d[\d,]*(?:\.\d+)?(?:\s*(?:thousand|million|billion|trillion|万亿|[万亿]))?/gi)]
    .map((match) => ({ text: match[0], at: match.index, after: sentence.slice(match.index + match[0].length) }))
    .filter(({ text, at, after }) => {
      const before = sentence.slice(0, at);
      if (/^\s*[年月日]|^\d*(?:st|nd|rd|th)\b/.test(after) || /[A-Za-z][-.]?$/.test(before)) return false;
      const year = /^(?:1\d|20)\d\d$/.test(text);
      return !(
        year &&
        (/\b(?:in|of|since|until|from|by|between|and|to|January|February|March|April|May|June|July|August|September|October|November|December)\s$/.test(
          before,
        ) ||
          /[(（–—-]\s?$/.test(before) ||
          /^\s?(?:[)）–—-]|census|普查)/.test(after))
      );
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

function unitOf(ask: Ask): RegExp | undefined {
  return ask.demands.flatMap((demand) => ('family' in demand ? (UNITS[demand.family.id] ?? []) : []))[0];
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** The date of a sentence that answers, as a number that sorts (year, month, day). */
export function dateOf({ sentence, at }: Candidate, ask: Ask): number | undefined {
  const found = [
    ...sentence.matchAll(
      /(?:(\d{1,2}) )?(?:(January|February|March|April|May|June|July|August|September|October|November|December) )?(?:(\d{1,2}), )?\b(1\d{3}|20\d{2}|\d{1,4}(?= BC))\b( BC)?|(公元前)?(\d{1,4})年(?:(\d{1,2})月)?(?:(\d{1,2})日)?/g,
    ),
  ].map((match) => {
    const [, day, month, otherDay, year, bc, before, yearZh, monthZh, dayZh] = match;
    const sort =
      Number(year ?? yearZh) * (bc || before ? -1 : 1) * 10_000 +
      (month ? MONTHS.indexOf(month) + 1 : Number(monthZh ?? 0)) * 100 +
      Number(day ?? otherDay ?? dayZh ?? 0);
    return { at: match.index, sort };
  });
  const isDeath = ask.demands.some((demand) => 'family' in demand && demand.family.id === 'death');
  if (LIFE.test(sentence)) return found[isDeath ? 1 : 0]?.sort;
  return (found.length > 1 ? (found.find((date) => date.at >= at) ?? found[0]) : found[0])?.sort;
}

const FORMS_ZH = FAMILIES.flatMap(({ zh }) => zh.filter((form) => form.length > 1));
const BREAKS = new RegExp(
  `[，。；、：:《》“”（）() ]|是|由|于|在|被|和|与|的|了|从|所|等|包括|担任|共同|主持|曾|也|${FORMS_ZH.join('|')}|[\\d—–]+[年月日]?(?:起|末|底)?`,
  'g',
);

/** Chinese names near a relation, the nearest first: 由英国数学家某某设计, 作者是某某, 某某发明了. */
function chineseNames({ sentence, at }: Candidate, aliases: readonly string[]): string[] {
  const pieces: { text: string; start: number }[] = [];
  let start = 0;
  for (const match of [...sentence.matchAll(BREAKS), { 0: '', index: sentence.length }]) {
    pieces.push({ text: sentence.slice(start, match.index), start });
    start = match.index + match[0].length;
  }
  const noun =
    FORMS_ZH.some((form) => NOUN_ZH.test(form) && sentence.startsWith(form, at)) ||
    /^[^，。]{0,4}[者人长官]/.test(sentence.slice(at));
  const distance = (piece: { start: number }) => {
    const before = sentence[piece.start - 1];
    if (before === '由') return 0;
    return (
      (piece.start > at === noun ? 0 : 1000) +
      (before === '在' || before === '于' ? 500 : 0) +
      Math.abs(piece.start - at)
    );
  };
  return pieces
    .sort((one, other) => distance(one) - distance(other))
    .map(({ text }) => nameOf(text.replace(/^(?:为|是)|(?:团队|等人|夫妇)$/g, '').trim()))
    .filter(
      (name) =>
        name.length > 1 &&
        !aliases.includes(name) &&
        !/^[它他她其这该此后前]|^\d|^(?:所以|因此|但是|而且|如果|因为|随后|并且|同时|最终|以及)|^(?:公司|小说|最|第|一)/.test(
          name,
        ),
    );
}

/** A name without what describes it: 英国数学家查尔斯·巴贝奇 → 查尔斯·巴贝奇. */
function nameOf(text: string): string {
  const described =
    /^[^·]*(?:家|员|师|学生|学者|公司|组织|诗人|国人|教授|博士|国王|皇帝|将军|官)(?=[\p{Script=Han}A-Z·-]{2,})/u.exec(
      text.split('·')[0]!,
    )?.[0] ?? '';
  const name = text.slice(described.length).trim();
  return /^(?:[A-Za-z][\w .&-]*|[\p{Script=Han}A-Z]{1,6}(?:[·・-][\p{Script=Han}A-Z]{1,6})+|\p{Script=Han}{2,4}|\p{Script=Han}{2,10}(?:公司|组织|大学|学院|基金会|协会|委员会|集团|研究所|出版社|银行|政府))$/u.test(
    name,
  )
    ? name
    : '';
}

/** Names that may be what the relation leads to, the likeliest first. */
export function agentsOf({ sentence, at }: Candidate, ask: Ask, aliases: readonly string[]): string[] {
  if (isChinese(sentence)) {
    const latin = sentence.match(/(?<![·\w])[A-Za-z][\w.&-]*(?: [A-Z][\w.&-]*)*(?!·)/g) ?? [];
    return [
      ...new Set([
        ...latin.filter((name) => !aliases.includes(name)),
        ...chineseNames({ sentence, at, score: 0 }, aliases),
      ]),
    ];
  }
  const after = isFact(sentence) ? sentence.search(/[:：]/) : 0;
  const rank = ({ text, start }: { text: string; start: number }) => {
    const lead = sentence.slice(0, start);
    const demonym =
      /^\S+(?:ish|[ai]an|man|ese|ch|eek|iss)$/.test(text) && /^ [a-z]/.test(sentence.slice(start + text.length));
    const beside = ask.type !== 'place' && /\b(?:in|at|on|from|near|after|until)\s+(?:the\s+)?$/i.test(lead);
    if (start < after || demonym || beside || aliases.some((alias) => isPartOf(text, alias))) return 9;
    if (start > at && /\bby\s+(?:[\w-]+\s+){0,5}$/.test(lead.slice(at))) return 0;
    if (start > at && /^[^.;]*?(?:\bis|\bwas|\bare|[:：])\s+(?:[\w-]+\s+){0,4}$/.test(lead.slice(at))) return 1;
    return start < at ? 2 : 3;
  };
  return namesOf(sentence)
    .map((name) => ({ ...name, rank: rank(name) }))
    .filter((name) => name.rank < 9)
    .sort((one, other) => one.rank - other.rank || one.start - other.start)
    .map(({ text }) => text);
}

const PLACE = /\b(?:in|at|near|on|from|to|of|between)\s+(?:[a-z]+\s+){0,4}?\p{Lu}/u;
const MONTHS_IN =
  /\b(?:in|on|of)\s+(?:\d+ )?(?:January|February|March|April|May|June|July|August|September|October|November|December)/g;
const isPlace = (ask: Ask) =>
  ask.demands.some((demand) => 'family' in demand && demand.family.type === 'place' && demand.family.id !== 'locate');

/** Whether the sentence holds an answer of the kind that was asked for. */
function fitsType(candidate: Candidate, ask: Ask, aliases: readonly string[]): boolean {
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

function counts(sentence: string, noun: string): boolean {
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

/** How well a sentence of the page answers; 0 where it lacks what was asked for, or is about something else. */
export function judge(sentence: string, ask: Ask, names: readonly string[], lead: string): Candidate {
  const aliases = names.flatMap(aliasesOf);
  const nothing: Candidate = { sentence, score: 0, at: -1 };
  if (/[:：]$/.test(sentence) || sentence.length > 600) return nothing;
  const folded = sentence.toLowerCase().replace(/(?<=\d),(?=\d{3})/g, '');
  if (!ask.literals.every((literal) => folded.includes(literal.toLowerCase()))) return nothing;
  const found = ask.demands.map((demand) => ({ demand, ...findDemand(sentence, demand, ask) }));
  // One plain word of many may be said in another way.
  const missing = found.filter(({ weight }) => weight === 0);
  const mayMiss = ({ demand }: (typeof found)[0]) =>
    'word' in demand &&
    demand.word !== ask.counted &&
    !/乘|除|[加减倍]|^(?:times|plus|minus|divided|multiplied|half|double|twice)$|est$|^(?:first|second|third|last|next)$|^[最第]/.test(
      demand.word,
    );
  if (missing.length > (found.length + ask.literals.length >= 3 ? 1 : 0) || !missing.every(mayMiss)) return nothing;
  const family = found.find(({ demand }) => 'family' in demand);
  const at =
    family?.at ??
    Math.min(...found.flatMap((each) => (each.at < 0 ? [] : [each.at])), sentence.length) %
      Math.max(1, sentence.length);
  const candidate = { sentence, score: 0, at };
  if (!fitsType(candidate, ask, aliases)) return nothing;
  const about = sentence === lead ? 2 : aboutness(sentence, aliases, at, ask, lead);
  if (about < 0.5) return nothing;
  const weight = found.reduce((sum, { weight: each }) => sum + each, 0) / Math.max(1, found.length);
  return { ...candidate, score: weight * 8 + about * 2 - sentence.length / 400 };
}
