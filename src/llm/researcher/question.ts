import { arithmeticOf, type Sum } from './arithmetic';
import { HAN, namesOf, relationsIn } from './names';
import * as words from './words';

/** One question about one page: what a sentence must speak of to answer it. */
export interface Ask {
  type: words.AnswerType;
  relations: words.Family[];
  /** The first relation as the question puts it. */
  said?: string;
  /** Other words with a meaning. */
  words: string[];
  /** Years, numbers and names that the sentence must hold as they stand. */
  literals: string[];
  /** What the answer's number counts or is measured in. */
  unit?: RegExp;
}

/** One thing asked, or with a second part that is asked of what the first one finds. */
export type Hops = [Ask] | [Ask, Ask];

export type Question =
  | { kind: 'sum'; expression: string }
  | { kind: 'compare'; entities: string[]; asks: Ask[]; larger: boolean; difference: boolean }
  | { kind: 'fact'; text: string; entities: string[]; read(entity: string): Hops; over?: Sum };

const POLITE =
  /^(?:(?:hi|hello|please|so|and|now)[, ]+)*(?:(?:can|could|would) you )?(?:please )?(?:(?:tell|show) me|do you know|i(?:'d like| would like| want) to know|find out)[:, ]+(?:about )?|^(?:请问一下|请问|请告诉我|告诉我|你知道|我想知道|想知道|帮我查一下|帮我查|查一下|请)[：:，, ]*/i;

/** Reads a question: plain arithmetic, a comparison, or a fact (with arithmetic over it) about one of its names. */
export function readQuestion(asked: string): Question {
  const spaced = asked
    .normalize('NFC')
    .replace(/[\s@|]+/g, ' ')
    .trim();
  const text = spaced.replace(POLITE, '').replace(/[\s?？。.!！]+$/u, '');
  const sum = arithmeticOf(text);
  if (typeof sum === 'string') return { kind: 'sum', expression: sum };
  const fact = sum?.fact ?? text;
  const read = (entity: string): Hops => {
    const hops = hopsOf(fact, entity);
    if (sum) hops.at(-1)!.type = 'number';
    return hops;
  };
  const single: Question = {
    kind: 'fact',
    text: fact,
    entities: entitiesOf(fact),
    read,
    ...(sum ? { over: sum.apply } : {}),
  };
  return (sum ? undefined : comparisonOf(text)) ?? single;
}

/** What a text demands of the sentence that answers. “@” stands for the page's subject. */
function askOf(question: string): Ask {
  const text = question
    .replace(/@['’]s\b/, '@')
    .replace(/\bhow old\b/i, 'how many years old')
    .replace(/\bhow many (?:people|inhabitants|residents)\b(?! live)/i, 'how many inhabitants')
    .replace(/多大(?:年纪|岁数|年龄)|几岁|多少岁/, '多少岁')
    .replace(/(?:多少|几)\s*(?:千?米|公里)([高长深宽])/, '多$1')
    .replace(/(?:多少|几)[万亿个]*人(?!口|\p{Script=Han})/u, '多少人口');
  const said = relationsIn(text.replace(words.KIND, (all) => ' '.repeat(all.length)));
  const relations = [...new Set(said.map(({ family }) => family))];
  const rest = said
    .reduceRight((left, { at, end }) => `${left.slice(0, at)} | ${left.slice(end)}`, text)
    .replace(words.KIND, '')
    .replace(words.ASKED, ' | ');
  const latin = (rest.match(/[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{M}\p{N}’'.+#/-]*/gu) ?? [])
    .map((word) => word.replace(/(?:['’]s|[.'’])$/, ''))
    .filter((word) => !words.STOP_WORDS.has(word.toLowerCase()));
  const han = (rest.replace(words.IDLE, ' ').match(/\p{Script=Han}{2,}/gu) ?? [])
    .map((word) => word.replace(/(?<=..)(?:公司|国家|城市)$/, ''))
    .filter((word) => !words.IDLE_WORD.test(word));
  const literals = latin.filter((word) => /[\p{Lu}\p{N}]/u.test(word));
  const plain = [...latin.filter((word) => !literals.includes(word)), ...han];
  let type = words.ASKED_TYPES.find(([, pattern]) => pattern.test(text))?.[0];
  const noun =
    /\bhow many (?:[a-z-]+ )*?([a-z-]+?)s?(?= (?:do|does|did|is|are|was|were|has|have|had|can|in|on|of)\b|$| @)/i.exec(
      text,
    )?.[1];
  const [, measure = '', after = ''] =
    /(?:多少|几)([个名位座部本册种条颗次枚所家艘项章只头])?(\p{Script=Han}*)/u.exec(text) ?? [];
  const counted =
    plain.find((word) => word.startsWith(noun ?? '|') || after.startsWith(word)) ?? (plain.length > 0 ? '' : measure);
  const unit =
    relations.find((family) => family.unit)?.unit ?? (counted ? new RegExp(noun ?? counted, 'i') : undefined);
  if (relations.length + plain.length + literals.length === 0) {
    const implied = { place: 'locate', country: 'nationality', nationality: 'nationality' }[type as string];
    if (implied) relations.push(words.familyById(implied));
    else if (
      /^\W*(?:what|who)(?:['’]s| is| are| was| were| does)|^\W*(?:describe|explain|define)|^@|[什么谁]|介绍|解释/iu.test(
        text,
      )
    )
      type ??= 'definition';
  }
  if (relations.length === 1 && plain.length === 0 && !/\b(?:did|does|do)\b/i.test(text)) type ??= relations[0]!.type;
  return {
    type: type ?? 'thing',
    relations,
    words: plain,
    literals,
    ...(said[0] ? { said: said[0].said } : {}),
    ...(unit ? { unit } : {}),
  };
}

/** The author of E; E's author; the company that developed E. */
const CHAINS = [
  /\bthe ((?:[\w-]+ ){0,2}?[\w-]+) (?:of|behind) (?:the |an? )?@/i,
  /@['’]s? [\w-]+(?: executive| name)?/i,
  /(?:\bthe )?[\w-]+ (?:that|which|who) (?:[\w-]+ ){1,4}(?:the )?@/i,
];

/** The part of a question that is a relation of its own, inside the question. */
function chainOf(text: string): string | undefined {
  const [left = '', right = ''] = text.split('@');
  const verb = relationsIn(left).at(-1);
  if (verb && /^[了过]?\s*$/.test(left.slice(verb.end)) && /^\s*的/.test(right))
    return `${left.slice(verb.at)}@${/^\s*的(?:那?[个位家])?(?:公司|机构|组织|人物|\p{Script=Han}?[家师]|人)?/u.exec(right)![0]}`;
  const noun = relationsIn(right)[0];
  if (!noun || !HAN.test(noun.said) || !/^\s*的?$/.test(right.slice(0, noun.at)))
    return CHAINS.map((pattern) => pattern.exec(text)?.[0]).find((match) => match && relationsIn(match).length > 0);
  const rest = right.slice(noun.end);
  const team = /^(?:公司|机构|团队|人)(?=的)/.exec(rest)?.[0] ?? '';
  return team || (words.NOUN_ZH.test(noun.said) && !/^[了过]/.test(rest))
    ? `@${right.slice(0, noun.end)}${team}`
    : undefined;
}

/** Reads the question with this name as the page to open. */
function hopsOf(text: string, entity: string): Hops {
  const at = text.toLowerCase().indexOf(entity.toLowerCase());
  if (at === -1) return [askOf(text)];
  const marked = `${text.slice(0, at).replace(/[《“「"]$/, '')}@${text.slice(at + entity.length).replace(/^[》”」"]/, '')}`;
  const chain = chainOf(marked);
  if (!chain) return [askOf(marked)];
  const [inner, outer] = [askOf(chain), askOf(marked.replace(chain, ' | '))];
  const { id = '', type = 'thing' } = inner.relations.at(-1) ?? {};
  inner.type = /company|firm|organi[sz]ation|公司|机构|组织|团队/.test(chain)
    ? 'name'
    : type === 'date'
      ? 'person'
      : type;
  const further =
    outer.relations.some((family) => family.id !== 'locate') || outer.words.length + outer.literals.length > 0;
  return further && !/birth|death|locate/.test(id) && /person|name|place/.test(inner.type)
    ? [inner, outer]
    : [askOf(marked)];
}

/** Takes relations, dates and words that name nothing off both ends of a piece of Chinese text. */
function trimChinese(piece: string): string {
  const text = piece
    .trim()
    .replace(/^(?:[的了是在由被和与有把从也还曾，,、：: ]|其中|第[一二三\d]+[个位次届]?|首[个位次])+/, '')
    .replace(/(?:[的了过是在于由被有也还曾共更要得叫，,、：: ]|一共|总共|最\p{Script=Han}|首次|的?时候?)+$/u, '')
    .replace(/^(?:公元前?)?\d{2,4}\s*年(?:\d+月)?(?:\d+[日号])?[末底初]?|[在于]?\d{2,4}\s*年(?:\d+月)?$/, '')
    .trim();
  const edge = relationsIn(text).find(({ at, end }) => at === 0 || end === text.length);
  const inner = edge ? (edge.at === 0 ? text.slice(edge.end) : text.slice(0, edge.at)) : text;
  return words.IDLE_WORD.test(inner) ? '' : inner === piece ? inner : trimChinese(inner);
}

const isPlain = (word: string) => words.STOP_WORDS.has(word.toLowerCase()) || relationsIn(word)[0]?.said === word;

/** Names that the question may be about, the likeliest first. */
function entitiesOf(text: string, parted = /[|，,；：]|的|(?<=\p{Script=Han})[在于](?=\p{Script=Han}{2})/u): string[] {
  const quoted = [...text.matchAll(/[《“「"]([^》”」"]+)[》”」"]/g)].map((match) => match[1]!);
  if (quoted.length > 0) return quoted;
  if (HAN.test(text) && !/\b(?:who|what|when|where|which|how)\b/i.test(text)) {
    const pieces = text.replace(words.ASKED, '|').split(parted).map(trimChinese);
    const latin = text.match(/(?<!\p{Script=Han}·?)[A-Za-z][\w.+#/-]+(?: [A-Z0-9][\w.+#/-]*)*/gu) ?? [];
    return [...new Set([...pieces, ...latin])].filter((name, at) => name.length > Math.min(at, 1)).slice(0, 3);
  }
  const named = namesOf(text).flatMap(({ text: name, start }) => {
    const before = text.slice(0, start);
    // The Turing machine: the noun belongs to the name.
    const noun = /\b(?:the|an?) $/i.test(before)
      ? /^ ([a-z][\w-]+)/.exec(text.slice(start + name.length))?.[1]
      : undefined;
    const aside = /\b(?:in|at|from|to|with|by|for|on) (?:the )?$/i.test(before);
    return [...(noun && !isPlain(noun) ? [`${name} ${noun}`] : []), name].map((each) => ({ name: each, aside }));
  });
  if (named.length > 0)
    return [...named.filter(({ aside }) => !aside), ...named.filter(({ aside }) => aside)].map(({ name }) => name);
  const pieces = text.split(
    /\b(?:in|at|by|for|from|to|that|than|or|who|what|which|is|are|was|were|did|does|do|has|have|had)\b|['’]s\b|,/i,
  );
  const trimmed = pieces.flatMap((piece) => {
    const list = piece.split(/\s+/).filter(Boolean);
    const kept = list
      .filter((_, at) => !list.slice(0, at + 1).every(isPlain) && !list.slice(at).every(isPlain))
      .join(' ');
    return kept.includes(' of ') ? [kept, kept.replace(/^.* of (?:the )?/, '')] : [kept.replace(/^of (?:the )?/, '')];
  });
  return [...new Set(trimmed.toReversed())].filter((piece) => piece.length > 1).slice(0, 3);
}

/** A question that sets two things side by side; undefined for any other. */
function comparisonOf(text: string): Extract<Question, { kind: 'compare' }> | undefined {
  const difference = /\bhow (?:much|many)\b|\bdifference\b|多少|几|相差|之差|差/i.test(text);
  const families = relationsIn(text).map(({ family }) => family);
  const measured = /\bdifference\b|相差|之差/i.test(text)
    ? families.find(({ type }) => type === 'number')?.id
    : undefined;
  const relation = words.COMPARED.find(([, pattern]) => pattern.test(text))?.[0] ?? measured;
  if (!relation || !/\b(?:or|and|than|before|after)\b|还是|[和与跟或比、]/i.test(text)) return undefined;
  const parted = /[|，,：]|相比|之间|还是|[和与跟或比、]|[更的]?[多大少小高低矮长短深浅快慢早晚重轻老](?=\||$)/;
  const entities = entitiesOf(text.replace(/[《》“”]/g, ''), parted).slice(0, 3);
  if (HAN.test(text) ? entities.length < 2 : entities.length !== 2) return undefined;
  const dated = families.filter(({ id }) => /death|finish/.test(id) || words.DATED.some((each) => each.id === id));
  const wanted =
    relation !== 'date' ? [words.familyById(relation)] : dated.length > 0 ? dated.slice(0, 1) : words.DATED;
  const asks = wanted.map((family): Ask => {
    const type = relation === 'date' ? 'date' : 'number';
    return { type, relations: [family], words: [], literals: [], ...(family.unit ? { unit: family.unit } : {}) };
  });
  return { kind: 'compare', entities: entities.slice(0, 2), asks, larger: words.MORE.test(text), difference };
}
