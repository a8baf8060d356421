import { arithmeticOf, type Sum } from './arithmetic';
import { HAN, isPlain, namesOf, relationsIn } from './names';
import { type AnswerType, ASKED, ASKED_TYPES, type Family, familyById, IDLE, IDLE_WORD, KIND, NOUN_ZH } from './words';

/** One question about one page: what a sentence must speak of to answer it. */
export interface Ask {
  type: AnswerType;
  relations: Family[];
  /** The first relation as the question puts it. */
  said: string;
  /** Other words with a meaning. */
  words: string[];
  /** Years, numbers and names that the sentence must hold as they stand. */
  literals: string[];
  /** What the answer's number counts or is measured in. */
  unit?: RegExp | undefined;
}

/** One thing asked, or with a second part that is asked of what the first one finds. */
export type Hops = [Ask] | [Ask, Ask];

export type Question =
  | { kind: 'sum'; expression: string }
  | { kind: 'compare'; entities: string[]; asks: Ask[]; larger: boolean; difference: boolean }
  | { kind: 'fact'; text: string; entities: string[]; read(entity: string): Hops; over: Sum | undefined };

const POLITE =
  /^(?:(?:hi|hello|please|so|and|now)[, ]+)*(?:(?:can|could|would) you )?(?:please )?(?:(?:tell|show) me|do you know|i(?:'d like| would like| want) to know)[:, ]+(?:about )?|^(?:请问一下|请问|请告诉我|告诉我|你知道|我?想知道|帮我查一下|查一下|请)[：:，, ]*/i;

/** Reads a question: plain arithmetic, a comparison, or a fact (with arithmetic over it) about one of its names. */
export function readQuestion(asked: string): Question {
  const line = asked.normalize('NFC').replace(/[\s@#§|]+/g, ' ');
  const text = line
    .trim()
    .replace(POLITE, '')
    .replace(/[\s?？。.!！]+$/u, '');
  const sum = arithmeticOf(text);
  if (typeof sum === 'string') return { kind: 'sum', expression: sum };
  const comparison = sum ? undefined : comparisonOf(text);
  if (comparison) return comparison;
  const fact = sum?.fact ?? text;
  const read = (entity: string): Hops => {
    const hops = hopsOf(fact, entity);
    if (sum) hops.at(-1)!.type = 'number';
    return hops;
  };
  return { kind: 'fact', text: fact, entities: entitiesOf(fact), read, over: sum?.apply };
}

const COUNTED_EN =
  /\bhow many (?:[a-z-]+ )*?([a-z-]+?)s?(?= (?:do|does|did|is|are|was|were|has|have|had|can|in|on|of)\b|$| @)/i;
const COUNTED_ZH = /(?:多少|几)([个名位座部本册种条颗次枚所家艘项章])?(\p{Script=Han}*)/u;
const DEFINES =
  /^\W*(?:what|who)(?:['’]s| is| are| was| were| does)|^\W*(?:describe|explain|define)|^@|[什么谁]|介绍|解释/iu;
const IMPLIED: Partial<Record<AnswerType, string>> = {
  place: 'locate',
  country: 'nationality',
  nationality: 'nationality',
};

/** What a text demands of the sentence that answers. “@” stands for the page's subject. */
function askOf(question: string): Ask {
  const text = question
    .replace(/@['’]s\b/, '@')
    .replace(/\bhow old\b/i, 'how many years old')
    .replace(/\bhow many (?:people|residents)\b(?! live)/i, 'how many inhabitants')
    .replace(/多大(?:年纪|岁数|年龄)|几岁/, '多少岁')
    .replace(/(?:多少|几)\s*(?:千?米|公里)([高长深宽])/, '多$1')
    .replace(/(?:多少|几)[万亿个]*人(?!口|\p{Script=Han})/u, '多少人口');
  const kindless = text.replace(KIND, (all) => ' '.repeat(all.length));
  const said = relationsIn(kindless);
  const relations = [...new Set(said.map(({ family }) => family))];
  const rest = said.reduce((left, { said: form }) => left.replace(form, ' | '), kindless).replace(ASKED, ' | ');
  const latin = (rest.match(/[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{M}\p{N}’'.+#/-]*/gu) ?? [])
    .map((word) => word.replace(/(?:['’]s|[.'’])$/, ''))
    .filter((word) => !isPlain(word));
  const literals = latin.filter((word) => /[\p{Lu}\p{N}]/u.test(word));
  const han = (rest.replace(IDLE, ' ').match(/\p{Script=Han}{2,}/gu) ?? [])
    .map((word) => word.replace(/(?<=..)(?:公司|国家|城市)$/, ''))
    .filter((word) => !IDLE_WORD.test(word));
  const words = [...latin.filter((word) => !literals.includes(word)), ...han];
  const [, noun = '|'] = COUNTED_EN.exec(text) ?? [];
  const [, measure = '', after = ''] = COUNTED_ZH.exec(text) ?? [];
  const counted =
    words.find((word) => word.startsWith(noun) || after.startsWith(word)) ?? (words.length ? '' : measure);
  const unit = relations.find((family) => family.unit)?.unit;
  let type = ASKED_TYPES.find(([, pattern]) => pattern.test(text))?.[0];
  if (relations.length + words.length + literals.length === 0) {
    const implied = IMPLIED[type ?? 'thing'];
    if (implied) relations.push(familyById(implied));
    else if (DEFINES.test(text)) type = 'definition';
  }
  if (relations.length === 1 && words.length === 0 && !/\b(?:did|does|do)\b/i.test(text)) type ??= relations[0]!.type;
  const counting = counted ? new RegExp(noun === '|' ? counted : noun, 'i') : undefined;
  return { type: type ?? 'thing', relations, said: said[0]?.said ?? '', words, literals, unit: unit ?? counting };
}

/** A relation inside the question (§: a Chinese noun): the author of E, E's author, the company that developed E; E 的作者, 开发 E 的公司. */
const CHAIN =
  /\bthe (?:[\w-]+ ){0,2}?# (?:of|behind) (?:the |an? )?@|@['’]s? # |(?:\bthe )?[\w-]+ (?:that|which|who) (?:[\w-]+ )?# (?:by )?(?:the )?@|@\s*的?[#§](?:公司|机构|团队|人)(?=的)|@\s*的?§(?![了过])|#[了过]?\s*@\s*的(?:那?[个位家])?(?:公司|机构|组织|\p{Script=Han}?[家师]|人)?/iu;

/** Reads the question with this name as the page to open. */
function hopsOf(text: string, entity: string): Hops {
  const start = text.toLowerCase().indexOf(entity.toLowerCase());
  const [left, right] = [text.slice(0, start), text.slice(start + entity.length)];
  const marked = start === -1 ? text : `${left.replace(/[《“「"]$/, '')}@${right.replace(/^[》”」"]/, '')}`;
  const said = relationsIn(marked.replace(KIND, (all) => ' '.repeat(all.length)));
  const signed = said.reduce((all, each) => all.replace(each.said, NOUN_ZH.test(each.said) ? '§' : '#'), `${marked} `);
  const chain = CHAIN.exec(signed);
  if (!chain) return [askOf(marked)];
  const skipped = signed.slice(0, chain.index).match(/[#§]/g)?.length ?? 0;
  const relation = said[skipped]!;
  const rest = said.filter((each) => each !== relation);
  const outer = askOf(signed.replace(chain[0], ' | ').replace(/[#§]/g, () => rest.shift()?.said ?? ''));
  const { id, type } = relation.family;
  const isTeam = /company|firm|organi[sz]ation|公司|机构|组织|团队/.test(chain[0]);
  const inner: Ask = {
    type: isTeam ? 'name' : type === 'date' ? 'person' : type,
    relations: [relation.family],
    said: relation.said,
    words: [],
    literals: [],
  };
  const further =
    outer.relations.some((family) => family.id !== 'locate') || outer.words.length + outer.literals.length > 0;
  const leads = ['person', 'name', 'place'].includes(inner.type) && !['birth', 'death', 'locate'].includes(id);
  return further && leads ? [inner, outer] : [askOf(marked)];
}

/** Takes relations, dates and words that name nothing off both ends of a piece of Chinese text. */
function trimChinese(piece: string): string {
  const text = piece
    .trim()
    .replace(/^(?:[的了是在由被和与有把从也还曾，,、：: ]|其中|第[一二三\d]+[个位次届]?|首[个位次])+/, '')
    .replace(/(?:[的了过是在于由被有与和也还曾共更要得叫，,、：: ]|一共|总共|最\p{Script=Han}|首次|的?时候?)+$/u, '')
    .replace(/^(?:公元前?)?\d{2,4}\s*年(?:\d+月)?(?:\d+[日号])?[末底初]?|[在于]?\d{2,4}\s*年(?:\d+月)?$/, '')
    .trim();
  const edge = relationsIn(text).find(({ at, end }) => at === 0 || end === text.length);
  const inner = !edge ? text : edge.at === 0 ? text.slice(edge.end) : text.slice(0, edge.at);
  return IDLE_WORD.test(inner) ? '' : inner === piece ? inner : trimChinese(inner);
}

const PARTED = /[|，,；：]|的|(?<=\p{Script=Han})[在于](?=\p{Script=Han}{2})/u;

/** Names that the question may be about, the likeliest first. */
function entitiesOf(text: string, parted = PARTED): string[] {
  const quoted = [...text.matchAll(/[《“「"]([^》”」"]+)[》”」"]/g)].map((match) => match[1]!);
  if (quoted.length > 0) return quoted;
  if (HAN.test(text) && !/\b(?:who|what|when|where|which|how)\b/i.test(text)) {
    const pieces = text.replace(ASKED, '|').split(parted).map(trimChinese);
    const latin = text.match(/(?<!\p{Script=Han}·?)[A-Za-z][\w.+#/-]+(?: [A-Z0-9][\w.+#/-]*)*/gu) ?? [];
    return [...new Set([...pieces, ...latin])].filter((name, at) => name.length > Math.min(at, 1)).slice(0, 3);
  }
  const named = namesOf(text).flatMap(({ text: name, start }) => {
    // The Turing machine: the noun belongs to the name.
    const noun =
      /\b(?:the|an?) $/i.test(text.slice(0, start)) && /^ [a-z][\w-]+/.exec(text.slice(start + name.length))?.[0];
    const aside = /\b(?:in|at|from|to|with|by|for|on) (?:the )?$/i.test(text.slice(0, start));
    return [...(noun && !isPlain(noun.trim()) ? [name + noun] : []), name].map((each) => ({ name: each, aside }));
  });
  if (named.length > 0) return named.sort((one, other) => +one.aside - +other.aside).map(({ name }) => name);
  const pieces = text.split(
    /\b(?:in|at|by|for|from|to|that|than|or|who|what|which|is|are|was|were|did|does|has|have)\b|['’]s\b|,/i,
  );
  const trimmed = pieces.flatMap((piece) => {
    const list = piece.split(/\s+/).filter(Boolean);
    const isEdge = (at: number) => list.slice(0, at + 1).every(isPlain) || list.slice(at).every(isPlain);
    const kept = list.filter((_, at) => !isEdge(at)).join(' ');
    return [kept, kept.replace(/^.* of (?:the )?/, '')];
  });
  return [...new Set(trimmed.toReversed())].filter((piece) => piece.length > 1).slice(0, 3);
}

const LESS = 'less|fewer|older|earlier|smaller|lower|shorter|shallower|narrower|slower|lighter|first|before';
const GREATER = 'more|younger|newer|later|larger|bigger|taller|higher|longer|deeper|wider|faster|heavier|after';
const COMPARES = new RegExp(
  String.raw`\b(?:${LESS}|${GREATER}|difference)\b.*\b(?:or|than|and|[A-Z]\w*$)|\bor\b.*\b(?:${LESS}|${GREATER})\b|[更比]|谁先|还是|相差|之差`,
);
const PAIR = /[|，,：]|相比|之间|还是|[和与跟或比、]|[更的]?[多大少小高低矮长短深浅快慢早晚重轻老](?=\||$)/;
const ORDER = /\b(?:old|young|new|earli|lat)er\b|\b(?:first|before|after)\b|[早晚老]|谁先|年[轻长]/i;
const MORE = new RegExp(String.raw`\b(?:${GREATER})\b|更?[多大高长宽深快重晚]|年轻`);
/** Relations whose dates stand for the age of a thing. */
const DATED = ['publish', 'found', 'create', 'build', 'invent', 'discover', 'birth'].map(familyById);

/** A question that sets two things side by side; undefined for any other. */
function comparisonOf(text: string): Extract<Question, { kind: 'compare' }> | undefined {
  if (!COMPARES.test(text)) return undefined;
  const found = relationsIn(text);
  const families = found.map(({ family }) => family);
  const measured = families.find((family) => family.type === 'number');
  const dated = families.find((family) => family.id === 'death' || DATED.includes(family));
  const entities = entitiesOf(text.replace(/[《》“”]/g, ''), PAIR).slice(0, HAN.test(text) ? 2 : 3);
  if (entities.length !== 2 || !(measured || ORDER.test(text))) return undefined;
  const relations = ORDER.test(text) || !measured ? (dated ? [dated] : DATED) : [measured];
  const type = relations[0] === measured ? 'number' : 'date';
  const asks = relations.map((family): Ask => {
    const said = found.find((each) => each.family === family)?.said ?? '';
    return { type, relations: [family], said, words: [], literals: [], unit: family.unit };
  });
  const difference = /\bhow (?:much|many)\b|\bdifference\b|多少|几|相差|之差/i.test(text);
  return { kind: 'compare', entities, asks, larger: MORE.test(text), difference };
}
