import { arithmeticOf, type Sum } from './researcherSums';
import { type AnswerType, COMPARATIVES, FAMILIES, type Family, KINDS, STOP_WORDS } from './researcherWords';

/** Something a sentence must speak of to answer. */
export type Demand = { family: Family /** As the question put it. */; said?: string } | { word: string };

/** One question about one page. */
export interface Ask {
  type: AnswerType;
  demands: Demand[];
  /** Years, numbers and names that the sentence must hold as they stand. */
  literals: string[];
  /** The noun that is counted: how many … */
  counted?: string;
}

/** The question read with one of its names as the page to open. A second hop is asked of what the first one finds. */
export interface Reading {
  entity: string;
  hops: [Ask] | [Ask, Ask];
}

export type Question =
  | { kind: 'sum'; expression: string }
  | { kind: 'compare'; entities: [string, string]; ask: Ask; larger: boolean; operator?: '+' | '-' }
  | { kind: 'fact'; text: string; readings: Reading[]; over?: Sum; around(entity: string): Reading };

const HAN = /\p{Script=Han}/u;
/** True for text that is mostly Chinese. */
export const isChinese = (text: string): boolean =>
  HAN.test(text) && text.match(/\p{Script=Han}/gu)!.length >= (text.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0);

/** Same word in another form: designed, designer; movement, moved; cities, city. */
export function sameWord(one: string, other: string): boolean {
  const [a, b] = [one, other].map((word) =>
    word
      .toLowerCase()
      .replace(/ies$/, 'y')
      .replace(/(?<!s)s$/, ''),
  );
  if (a === b) return true;
  // The largest is not any large one.
  if (/est$/.test(a!) || /est$/.test(b!)) return false;
  const [stem, root] = [a, b].map((word) => word!.replace(/(?<=.{3})(?:ed|ing|er|or|e)$/, ''));
  if (stem === root) return true;
  let common = 0;
  while (common < a!.length && a![common] === b![common]) common++;
  return common >= 4 && common >= Math.min(a!.length, b!.length) - 2 && common >= Math.max(a!.length, b!.length) * 0.55;
}

const POLITE =
  /^(?:(?:hi|hello|please|so|and|now)[, ]+)*(?:(?:can|could|would) you )?(?:please )?(?:(?:tell|show) me|do you know|i(?:'d like| would like| want) to know|find out|let me know)[:, ]+(?:about )?|^(?:请问一下|请问|请告诉我|告诉我|你知道|我想知道|想知道|帮我查一下|帮我查|查一下|请)[：:，, ]*/i;
const DATE_WORDS =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/;
const ASKED =
  /谁|哪(?:一|几)?(?:国人|国|年|里|儿|天|位|个|家|种|座|条|些|部|本|所|支|款|名|项|门|颗|届|省|市|州|次|群|群人|类|艘|幅|首|片|块|处)?|什么(?:时候|时间|地方|名字|人)?|多少[个名位座部本册种条颗次枚所家艘项章只头]?|几(?:[个名位座部本册种条颗次枚所家艘项章只头]|(?=[年岁人米月]))|多(?:么)?(?=[高长大重远深宽快久])|何(?:时|地|人|年|处)|怎么样?|如何|为什么|为何|是否|吗|呢/g;
const EDGE_START =
  /^(?:[的了是在由被和与有把从也还曾，,、：: ]|其中|第[一二三四五六七八九十\d]+[个位次届]?|首[个位次])+/;
const EDGE_END =
  /(?:[的了是在于由被有也还曾共叫写画娶嫁，,、：: ]|一共|总共|最\p{Script=Han}|首次|开始|的?时候?|期间|第[一二三四五六七八九十\d]+[个位次届]?)+$/u;
const DATE_ZH =
  /^(?:公元前?)?\d{2,4}\s*年(?:\d+月)?(?:\d+[日号])?(?:末|底|初)?|(?:在|于)?\d{2,4}\s*年(?:\d+月)?(?:\d+[日号])?$/;

/** Chinese words that name nothing to look for. */
const IDLE_ZH =
  /^(?:[一二两三几]个|时|人|个|位|名|家|座|种|条|国|年|月|日|时候|名字|名称|叫|叫做|叫作|一|这|那|其|中|上|里|下|公司|大学|学校|组织|机构|地区|国家|城市|地方|人物|现在|目前|正式|总共|一共|共|米|公里|千米|万|亿|数|数量|数目|末|底|初)$/;

const familyForms = FAMILIES.flatMap((family) => family.zh.map((form) => ({ family, form }))).sort(
  (one, other) => other.form.length - one.form.length,
);
const familyById = (id: string): Family => FAMILIES.find((family) => family.id === id)!;
/** The English family that a word, or two words, belong to. */
export function familyOf(text: string): Family | undefined {
  const lower = text.toLowerCase();
  return (
    FAMILIES.find(({ en }) => en.includes(lower)) ??
    (lower.includes(' ')
      ? undefined
      : FAMILIES.find(({ en }) => en.some((form) => form.length > 4 && sameWord(form, lower))))
  );
}

interface Span {
  text: string;
  start: number;
}

/** Quoted titles and capitalised names of an English question, in order. */
function namesIn(text: string): Span[] {
  const quoted = [...text.matchAll(/[“"《「]([^”"》」]+)[”"》」]/g)];
  if (quoted.length > 0) return quoted.map((match) => ({ text: match[1]!, start: match.index + 1 }));
  const tokens = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}+#&/.’'·-]*/gu)].map((match) => ({
    text: match[0].replace(/[.'’]+$/, (end) => (/^(?:\p{Lu}\.)+$/u.test(match[0]) ? end : '')),
    start: match.index,
  }));
  const isName = (token: Span | undefined) =>
    token !== undefined && (/\p{Lu}/u.test(token.text) || HAN.test(token.text));
  const names: Span[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at]!;
    if (!isName(first) || (at === 0 && isPlain(first.text)) || DATE_WORDS.test(first.text)) continue;
    let end = at;
    const possessive = (token: Span) => /['’]s$/.test(token.text);
    while (end + 1 < tokens.length && !possessive(tokens[end]!)) {
      const gap = text.slice(tokens[end]!.start + tokens[end]!.text.length, tokens[end + 1]!.start);
      if (!/^\.? $/.test(gap)) break;
      const small = /^(?:of|off|de|van|von|der|la|del|da|the|for)$/;
      let next = end + 1;
      while (next < tokens.length && small.test(tokens[next]!.text)) next++;
      const follows = isName(tokens[next]) || (next === end + 1 && /^\d+$/.test(tokens[next]!.text));
      if (next - end > 3 || !follows) break;
      end = next;
    }
    const last = tokens[end]!;
    const bracket = /^ \([^()]+\)/.exec(text.slice(last.start + last.text.length))?.[0] ?? '';
    const whole = text.slice(first.start, last.start + last.text.length).replace(/['’]s$/, '') + bracket;
    // “CEO of Tesla”: the relation is not part of the name.
    const relation = /^([\p{L}-]+) of (?:the )?/u.exec(whole);
    const cut = relation && familyOf(relation[1]!) ? relation[0].length : 0;
    if (whole.length > cut && !familyOf(whole)) names.push({ text: whole.slice(cut), start: first.start + cut });
    at = end;
  }
  return names;
}

const isPlain = (word: string) =>
  STOP_WORDS.has(word.toLowerCase()) || familyOf(word) !== undefined || /^(?:calculate|compute)$/i.test(word);

/** Entities that an English question may be about, the likeliest first. */
function englishEntities(text: string): string[] {
  const found: string[] = [];
  const later: string[] = [];
  for (const { text: name, start } of namesIn(text)) {
    const before = text.slice(0, start);
    const after = /^['’]?\s+([a-z][\w-]+)/.exec(text.slice(start + name.length))?.[1];
    const list = /\b(?:in|at|from|to|with|by|for|on)\s+(?:the\s+)?$/i.test(before) ? later : found;
    if (after && /(?<!\b(?:do|does|did)\s+)\b(?:the|an?)\s+$/i.test(before) && !isPlain(after))
      list.push(`${name} ${after}`);
    list.push(name);
  }
  const names = [...found, ...later];
  if (names.length > 0) return names;
  const plain = text.replace(
    /^(?:(?:in|at|on|by|from|to|for) )?(?:who|what|when|where|which|how|why)\b(?: (?:many|much|kind of|type of))?/i,
    '',
  );
  const words = (chunk: string) => chunk.split(/\s+/).filter(Boolean);
  const trim = (chunk: string) => {
    const list = words(chunk);
    const idle = (word: string | undefined) => word !== undefined && isPlain(word);
    while (idle(list[0])) list.shift();
    while (idle(list.at(-1))) list.pop();
    return list.join(' ');
  };
  const whole = trim(plain);
  const parts = plain.split(
    /\b(?:of|in|at|by|for|from|to|that|which|who|is|are|was|were|did|does|do|has|have|had|stand)\b|['’]s\b/i,
  );
  const joined = /\b(?:is|are|was|were|did|does|do|has|have|had|that|which|who)\b/i.test(whole) ? [] : [whole];
  return [...new Set([...joined, ...parts.toReversed().map(trim)])].filter((chunk) => chunk.length > 1).slice(0, 3);
}

/** Entities that a Chinese question may be about, the likeliest first. */
function chineseEntities(text: string): string[] {
  const quoted = [...text.matchAll(/[《“「"]([^》”」"]+)[》”」"]/g)].map((match) => match[1]!);
  if (quoted.length > 0) return quoted;
  const chunks = text
    .replace(ASKED, '\u0001')
    .split(/(?=[\u0001，,？?。；]|的|(?<=\p{Script=Han})[在于][\p{Script=Han}]{2})/u)
    .flatMap((chunk, at, all) => {
      const name = trimChinese(chunk.replace(/^[\u0001，,？?。；的]+/, ''));
      if (name.length < 2 && !/^[A-Z汞铁金银]$/.test(name)) return [];
      const latin = /·/.test(name)
        ? []
        : (name.match(/(?<!\p{Script=Han})[A-Za-z][\w.+#/-]+(?: [A-Z0-9][\w.+#/-]*)*/gu) ?? []);
      // A name that runs into its verb (黄河发源于, 黄河流经几个), or into what kind of thing it is (某某公司).
      const whole = chunk
        .trim()
        .replace(/[了过于在]$/, '')
        .endsWith(name);
      const verb =
        whole && (/[了过于]\s*$/.test(chunk) || (/^\u0001/.test(all[at + 1] ?? '') && !/[是有在]\s*$/.test(chunk)));
      const shorter =
        verb && name.length > 3 && HAN.test(name) ? [name.slice(0, -2)] : /公司$/.test(name) ? [name.slice(0, -2)] : [];
      return [...latin, ...shorter, name, ...(/^\p{Script=Han}{4,}$/u.test(name) ? [name.slice(0, 2)] : [])];
    });
  return [...new Set(chunks)].slice(0, 3);
}

/** Takes relation words, dates and function words off both ends of a chunk. */
function trimChinese(chunk: string): string {
  let text = chunk.trim();
  for (let before = ''; before !== text; ) {
    before = text;
    const bare = text.replace(/[于在]$/, '');
    const long = familyForms.filter(({ form }) => form.length > 1 && text !== form);
    const last = long.find(({ form }) => bare.endsWith(form)) ?? long.find(({ form }) => text.endsWith(form));
    const first = long.find(({ form }) => text.startsWith(form));
    if (last) text = text.slice(0, text.lastIndexOf(last.form));
    else if (first) text = text.slice(first.form.length);
    else text = text.replace(EDGE_START, '').replace(EDGE_END, '').replace(DATE_ZH, '').trim();
  }
  return IDLE_ZH.test(text) ||
    /^(?:大学|学校|组织|机构|地区)$/.test(text) ||
    familyForms.some(({ form }) => form === text)
    ? ''
    : text;
}

/** What an English text demands of the answering sentence, apart from the kind of the answer. */
function englishDemands(text: string): Pick<Ask, 'demands' | 'literals'> {
  const demands: Demand[] = [];
  const literals: string[] = [];
  const words =
    text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}’'.+#/-]*/gu)?.map((word) => word.replace(/(?:['’]s|[.'’])$/, '')) ?? [];
  const add = (family: Family, said: string) => {
    if (!demands.some((demand) => 'family' in demand && demand.family === family)) demands.push({ family, said });
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const pair = familyOf(`${word} ${words[at + 1] ?? ''}`.trim());
    if (words[at + 1] && pair) {
      add(pair, `${word} ${words[at + 1]}`);
      at++;
    } else if (STOP_WORDS.has(word.toLowerCase())) continue;
    else if (/\p{N}/u.test(word) || (/\p{Lu}/u.test(word) && !familyOf(word))) literals.push(word);
    else {
      const family = familyOf(word);
      if (family) add(family, word);
      else demands.push({ word });
    }
  }
  return { demands, literals };
}

function chineseDemands(text: string): Pick<Ask, 'demands' | 'literals'> {
  const demands: Demand[] = [];
  const literals: string[] = [...(text.match(/\d+/g) ?? [])];
  let rest = text.replace(/\d+\s*(?:年|月|日|号)?(?:末|底|初)?/g, '\u0001');
  for (const { family, form } of familyForms) {
    const at =
      form.length > 1 ? rest.indexOf(form) : rest.search(new RegExp(`(?:\u0002|^|\u0001)${form}|${form}(?:\u0003)`));
    if (at === -1) continue;
    rest = rest.replace(form, '\u0001');
    if (!demands.some((demand) => 'family' in demand && demand.family === family)) demands.push({ family, said: form });
  }
  for (const chunk of rest.split(
    /[\u0001-\u0003的了是在于由被和与有为从到把也还又都曾就请叫向用？?，,。、：:；!！ 　”“]+/u,
  )) {
    const trimmed = chunk.replace(/^(?:第一[个位次]?|首[个位次])/, '第一').trim();
    if (trimmed === '' || IDLE_ZH.test(trimmed)) continue;
    if (/^[A-Za-z0-9]/.test(trimmed)) literals.push(trimmed);
    else
      demands.push({
        word: trimmed
          .replace(/^(?:家|个|座|位|种|条|部)(?=\p{Script=Han}{2})/u, '')
          .replace(/(?<=\p{Script=Han}{2})(?:公司|国家|城市)$/u, ''),
      });
  }
  return { demands, literals };
}

const QUANTITY_ZH: Readonly<Record<string, string>> = {
  高: 'height',
  长: 'length',
  深: 'depth',
  宽: 'width',
  重: 'mass',
  快: 'speed',
  大: 'area',
};

/** Question words → the kind of answer, the first that fits. */
const ASKED_TYPES: Readonly<Record<'en' | 'zh', readonly [RegExp, AnswerType][]>> = {
  en: [
    [/\bhow (?:many|much|tall|high|long|deep|wide|heavy|big|large|old|fast)\b/i, 'number'],
    [/\bwhy\b/i, 'reason'],
    [/\bhow (?:did|does|do|is|was|are|were|can)\b/i, 'manner'],
    [/\bwhen\b/i, 'date'],
    [/\bwhere\b|\bbirthplace\b|\bplace of (?:birth|death)\b/i, 'place'],
    [/\bwho(?:m|se)?\b/i, 'person'],
  ],
  zh: [
    [/哪国人|国籍/, 'nationality'],
    [/为什么|为何/, 'reason'],
    [/怎么样?|如何/, 'manner'],
    [/谁|何人|什么人|哪(?:一|几)?位|哪(?:一)?个人|哪些人/, 'person'],
    [/哪(?:一|几)?[年天月]|何[时年]|什么时[候间]|哪个世纪|几[年月]/, 'date'],
    [/哪(?:一|两|几)?个?国(?!人)/, 'country'],
    [/哪[里儿]|什么地方|何[地处]|哪(?:一)?[座个](?:城市|地方|省|岛|州|市)/, 'place'],
    [/多少|几(?=[个年岁名座部本册种条颗次家人米章])|多[高长大重深宽快]/, 'number'],
    [/哪(?:一)?家|哪(?:一)?个(?:公司|组织|机构)|哪所/, 'name'],
  ],
};
/** What is left of a question that only asks what something is. */
const DEFINES =
  /^\W*(?:what|who)(?:['’]s| is| are| was| were)?(?: an?| the)?\W*(?:is|are|means?)?\W*$|^\W*(?:tell me about|describe|explain|define)\W*$|^\W*what (?:does|is)\W*(?:mean|stand for)\W*$|^\W*(?:[什么谁]+是|是?(?:什么|谁|怎样的|什么样的)(?:人|东西)?|介绍|解释)\W*$/iu;

function askOf(text: string): Ask {
  const chinese = HAN.test(text);
  const { type: kind, ...asked } = chinese ? chineseAsk(text) : englishAsk(text);
  const type = kind ?? ASKED_TYPES[chinese ? 'zh' : 'en'].find(([pattern]) => pattern.test(text))?.[1];
  if (asked.demands.length + asked.literals.length === 0 && type !== 'place' && type !== 'country') {
    return { ...asked, type: DEFINES.test(text.replace(/[\u0001;]/g, ' ')) ? 'definition' : 'thing' };
  }
  const families = familiesOf(asked.demands);
  const only = families.length === 1 && asked.demands.length === 1 && !/\b(?:did|does|do)\b/i.test(text);
  return { ...asked, type: type ?? (only ? families[0]!.type : 'thing') };
}

const familiesOf = (demands: readonly Demand[]) =>
  demands.flatMap((demand) => ('family' in demand ? [demand.family] : []));

type Asked = Omit<Ask, 'type'> & { type?: AnswerType };

function englishAsk(question: string): Asked {
  const text = question
    .replace(
      /\bhow many (?:people|inhabitants|residents)(?: (?:live|lived|are there)\b|(?=.* have\b))/i,
      'how many population',
    )
    .replace(/\bhow old\b/i, 'how many age')
    .replace(/\bhow fast\b/i, 'how much speed')
    // “Who first saw it” is told without the word, too.
    .replace(/\bfirst (?=\w+ed\b)/i, '');
  const aux = 'is|are|was|were|did|does|do|has|have|can|will|of|the';
  const phrase = new RegExp(`\\b(?:which|what)\\s+((?:(?!(?:${aux})\\b)[\\w-]+\\s+){1,3})`, 'i').exec(text)?.[1] ?? '';
  const head =
    phrase
      .trim()
      .split(/\s+/)
      .find((word) => KINDS.some(({ pattern }) => pattern.test(word))) ?? '';
  const type = KINDS.find(({ pattern }) => pattern.test(head))?.type;
  const counted = /\bhow many (?!population|age)((?:[a-z-]+ ){0,2}?)([a-z-]+)\b/i.exec(text)?.[2];
  // The kind of the answer need not be said again, where there is something else to look for.
  const without =
    type && type !== 'nationality' ? englishDemands(text.replace(new RegExp(`\\b${head}\\b`, 'i'), ' ')) : undefined;
  const asked = without && without.demands.length > 0 ? without : englishDemands(text);
  const relation = head ? undefined : familyOf(phrase.trim().split(' ').at(-1) ?? '');
  // “Under which licence is it released?” asks for the licence.
  if (relation) asked.demands = asked.demands.filter((demand) => 'word' in demand || demand.family === relation);
  const many = /\bhow (?:many|much)\b/i.test(text);
  return { ...asked, ...(type && !many ? { type } : {}), ...(counted ? { counted } : {}) };
}

function chineseAsk(text: string): Asked {
  const quantity = /多(?:么)?([高长大重深宽快])|(?:多少|几)\s*(?:千?米|公里|公尺)([高长深宽])/.exec(text);
  const relation = quantity && QUANTITY_ZH[(quantity[1] ?? quantity[2])!];
  const people = /(?:多少|几)(?:万|亿|个)?人(?!口|\p{Script=Han})/u.test(text);
  const [, measure, rest = ''] = /(?:多少|几)([个名位座部本册种条颗次枚所家艘项章只头])?(.*)/u.exec(text) ?? [];
  const asked: Asked = chineseDemands(
    text
      .replace(/几岁|多少岁|多大(?:年纪|岁数|年龄)/g, '\u0001岁')
      .replace(/(?:多少|几)\s*(?:千?米|公里|公尺)[高长深宽]?|多(?:么)?[高长大重深宽快]/g, '\u0001')
      .replace(/哪国人|什么国籍/g, '国籍')
      .replace(/用来|用于|主要|通常|一共|总共|担任|多少钱/g, '\u0001')
      .replace(ASKED, '\u0001'),
  );
  // 寿命有多长: the noun says what is measured.
  if (relation && asked.demands.length === 0) asked.demands.unshift({ family: familyById(relation) });
  if (people) asked.demands.unshift({ family: familyById('population') });
  if (relation || !/多少|几(?!乎)/.test(text)) return asked;
  const noun = asked.demands.flatMap((demand) =>
    'word' in demand && rest.startsWith(demand.word) ? [demand.word] : [],
  )[0];
  if (!noun && measure && asked.demands.length === 0) asked.demands.push({ word: measure });
  const counted = noun ?? (familiesOf(asked.demands).length > 0 ? undefined : measure);
  return { ...asked, ...(counted ? { counted } : {}) };
}

/** Chinese relation words that name the other end of the relation: 作者, 首都. */
export const NOUN_ZH =
  /(?:[者人家长官商师员]|首都|首府|省会|父亲|母亲|妻子|丈夫|配偶|儿子|女儿|导演|总裁|总统|主席|CEO|总部|货币)$/;

const YIELDS: ReadonlySet<AnswerType> = new Set(['person', 'name', 'place', 'country']);
const NOTHING: Ask = { type: 'definition', demands: [], literals: [] };

/** Reads the question with this name as the page to open. */
function around(text: string, entity: string): Reading {
  const start = text.toLowerCase().indexOf(entity.toLowerCase());
  if (start === -1) return { entity, hops: [askOf(text)] };
  const left = text.slice(0, start).replace(/[《“「"]$/, '');
  const right = text.slice(start + entity.length).replace(/^[》”」"]/, '');
  const chain = HAN.test(left + right) ? chineseChain(left, right) : englishChain(left, right);
  if (
    chain &&
    YIELDS.has(chain.inner.type) &&
    !familiesOf(chain.inner.demands).some(({ id }) => id === 'locate' || id === 'study')
  ) {
    const outer = askOf(chain.outer);
    // “Where is the headquarters of E located?” is one step.
    const further = outer.demands.some((demand) => 'word' in demand || demand.family.id !== 'locate');
    if (further || outer.literals.length > 0) return { entity, hops: [chain.inner, outer] };
  }
  const ask = askOf(left + (HAN.test(left + right) ? '\u0001' : ' ; ') + right.replace(/^['’]s\b/, ''));
  // “Where is E?” and “哪国的” have no other word to look for.
  const implied = { place: 'locate', country: 'nationality', nationality: 'nationality' }[ask.type as string];
  if (implied && ask.demands.length === 0) ask.demands.push({ family: familyById(implied) });
  return { entity, hops: [ask] };
}

/** “the author of E”, “E's author”, “the company that developed E”: a relation of its own, inside the question. */
function englishChain(left: string, right: string): { inner: Ask; outer: string } | undefined {
  const innerOf = (noun: string, clause: string): Ask | undefined => {
    const { demands, literals } = englishDemands(clause);
    const family = familiesOf(demands).at(-1);
    if (!family) return undefined;
    const kind = KINDS.find(({ pattern }) => noun.split(' ').some((word) => pattern.test(word)))?.type;
    return { type: kind ?? family.type, demands, literals };
  };
  const relative =
    /^(.*?)\b(?:the\s+)?((?:[\w-]+\s+)?[\w-]+)\s+(?:that|which|who|whom)\s+((?:[\w-]+\s+){1,4})(?:the\s+|an?\s+)?$/i.exec(
      left,
    );
  if (relative && !/^(?:in|on|at|of|by|under|to|from|for|with|is|was)$/i.test(relative[2]!)) {
    const inner = innerOf(relative[2]!, relative[3]!);
    if (inner)
      return {
        inner: { ...inner, type: inner.type === 'date' ? 'name' : inner.type },
        outer: `${relative[1]} ; ${right}`,
      };
  }
  const of = /^(.*)\bthe\s+((?:[\w-]+\s+){0,2}[\w-]+)\s+(?:of|behind)\s+(?:the\s+|an?\s+)?$/i.exec(left);
  const inner = of && innerOf('', of[2]!);
  if (inner && YIELDS.has(inner.type)) return { inner, outer: `${of[1]} ; ${right}` };
  const owned = /^['’]s?\s+((?:[\w-]+\s+){0,2}?)([\w-]+)/.exec(right);
  for (let size = 1; owned && size <= 3; size++) {
    const noun = right
      .replace(/^['’]s?\s+/, '')
      .split(/\s+/)
      .slice(0, size)
      .join(' ');
    const mine = innerOf('', noun);
    if (mine) return { inner: mine, outer: `${left} ; ${right.slice(right.indexOf(noun) + noun.length)}` };
  }
  return undefined;
}

function chineseChain(left: string, right: string): { inner: Ask; outer: string } | undefined {
  const ask = (family: Family): Ask => ({ ...NOTHING, type: family.type, demands: [{ family }] });
  const verb = familyForms.find(({ form }) => form.length > 1 && new RegExp(`${form}[了过]?\\s*$`).test(left));
  if (verb && /^\s*的/.test(right)) {
    const noun = /^\s*的(?:那?[个位家])?(公司|机构|组织|人物|人|科学家|作家|工程师|程序员|数学家)?/.exec(right)!;
    const inner = ask(verb.family);
    const type = noun[1] && /公司|机构|组织/.test(noun[1]) ? 'name' : inner.type === 'date' ? 'person' : inner.type;
    return {
      inner: { ...inner, type },
      outer: `${left.replace(new RegExp(`${verb.form}[了过]?\\s*$`), '')}\u0001${right.slice(noun[0].length)}`,
    };
  }
  const maker = familyForms.find(({ form }) => new RegExp(`^\\s*的?${form}(?:公司|机构|团队|人)的`).test(right));
  if (maker) {
    const rest = right.replace(new RegExp(`^\\s*的?${maker.form}(?:公司|机构|团队|人)的`), '');
    return { inner: { ...ask(maker.family), type: 'name' }, outer: `${left}\u0001${rest}` };
  }
  const noun = familyForms.find(
    ({ form, family }) => NOUN_ZH.test(form) && YIELDS.has(family.type) && new RegExp(`^\\s*的?${form}`).test(right),
  );
  if (!noun) return undefined;
  const rest = right.replace(new RegExp(`^\\s*的?${noun.form}`), '');
  // A verb (创办了哪家公司) is the question itself, not a step on the way.
  if (/^[了过]/.test(rest)) return undefined;
  return { inner: ask(noun.family), outer: `${left}\u0001${rest}` };
}

/** What is wanted of two values, where it is not the larger one. */
const OPERATORS: readonly [RegExp, '+' | '-'][] = [
  [/\b(?:difference|minus)\b|\bhow many years\b.*\bbetween\b|相差|之差|差多少|减去|减/i, '-'],
  [/\b(?:sum|combined|together|plus)\b|之和|总和|加起来|加上/i, '+'],
];

function comparisonOf(text: string): Extract<Question, { kind: 'compare' }> | undefined {
  const chinese = isChinese(text);
  const asked = chinese ? chineseDemands(text) : englishDemands(text);
  const families = familiesOf(asked.demands);
  const operation = OPERATORS.find(([pattern]) => pattern.test(text))?.[1];
  const named = operation && families.find(({ type }) => type === 'number' || type === 'date');
  const comparative =
    COMPARATIVES.find(({ pattern }) => pattern.test(text)) ??
    (named ? { relation: named.type === 'date' ? 'date' : named.id, larger: true } : undefined);
  if (!comparative) return undefined;
  const entities = chinese ? chinesePair(text) : englishPair(text);
  if (entities?.length !== 2 || entities.some((name) => !name)) return undefined;
  const dated = comparative.relation === 'date';
  const wanted = dated
    ? (families.find(({ id }) =>
        ['birth', 'death', 'found', 'publish', 'build', 'finish', 'discover', 'create', 'invent', 'begin'].includes(id),
      ) ?? undefined)
    : FAMILIES.find(({ id }) => id === comparative.relation);
  const operator = operation ?? (/\bhow (?:much|many)\b|多少|几/i.test(text) ? '-' : undefined);
  const ask: Ask = { type: dated ? 'date' : 'number', demands: wanted ? [{ family: wanted }] : [], literals: [] };
  return {
    kind: 'compare',
    entities: [entities[0]!, entities[1]!],
    ask,
    larger: comparative.larger,
    ...(operator ? { operator } : {}),
  };
}

function chinesePair(text: string): string[] | undefined {
  for (const piece of text.replace(ASKED, '\u0001').split(/[\u0001，,：:]|相比|之间/)) {
    const pair = /^(?:在)?(.+?)\s*(?:还是|减去|加上|和|与|跟|或|、|比)\s*(.+)$/.exec(piece)?.slice(1, 3);
    const names = pair?.map((name) =>
      trimChinese(
        name.replace(/[《》“”]/g, '').replace(/(?:更|要|得)*[高矮长短早晚大小老重轻深多]?(?:的|中)?\s*$/, ''),
      ),
    );
    if (names?.every(Boolean)) return names;
  }
  return undefined;
}

function englishPair(text: string): string[] | undefined {
  const names = namesIn(text).map((span) => span.text);
  const pair = names.flatMap((name) => name.split(/ or | and /));
  if (pair.length === 2 && /\b(?:or|than|and|before|after|between|minus|plus)\b/.test(text)) return pair;
  const plain =
    /(?:[,:]|\bis|\bwas|\bof|\bbetween)\s+(?:the )?([\w -]+?)\s+(?:or|and)\s+(?:the )?([\w -]+?)\s*\??$/i.exec(text);
  return plain?.slice(1, 3).map((name) => name.trim());
}

/** Reads a question: plain arithmetic, a comparison, or a fact (with arithmetic over it) about one of its names. */
export function readQuestion(asked: string): Question {
  const text = asked
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(POLITE, '')
    .replace(/[\s?？。.!！]+$/u, '');
  const sum = arithmeticOf(text);
  if (typeof sum === 'string') return { kind: 'sum', expression: sum };
  const comparison = sum ? undefined : comparisonOf(text);
  if (comparison) return comparison;
  const core = sum?.fact ?? text;
  const read = (entity: string): Reading => {
    const reading = around(core, entity);
    if (sum) reading.hops.at(-1)!.type = 'number';
    return reading;
  };
  const english = /\b(?:who|what|when|where|which|how)\b/i.test(core) && core.search(ASKED) === -1;
  const entities = HAN.test(core) && !english ? chineseEntities(core) : englishEntities(core);
  return { kind: 'fact', text: core, readings: entities.map(read), ...(sum ? { over: sum } : {}), around: read };
}
