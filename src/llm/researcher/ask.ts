import { HAN } from './text';
import {
  type AnswerType,
  ASKED,
  type Family,
  familyById,
  familyForms,
  familyOf,
  IDLE_ZH,
  KINDS,
  MEASURES,
  STOP_WORDS,
} from './words';

/** Something a sentence must speak of to answer. `said`: the relation as the question put it. */
export type Demand = { family: Family; said?: string } | { word: string };

/** One question about one page. */
export interface Ask {
  type: AnswerType;
  demands: Demand[];
  /** Years, numbers and names that the sentence must hold as they stand. */
  literals: string[];
  /** The noun that is counted: how many … */
  counted?: string;
}

export const familiesOf = (demands: readonly Demand[]) =>
  demands.flatMap((demand) => ('family' in demand ? [demand.family] : []));

/** What an English text demands of the answering sentence, apart from the kind of the answer. */
export function englishDemands(text: string): Pick<Ask, 'demands' | 'literals'> {
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

export function chineseDemands(text: string): Pick<Ask, 'demands' | 'literals'> {
  const demands: Demand[] = [];
  const literals: string[] = [...(text.match(/\d+/g) ?? [])];
  let rest = text.replace(/\d+\s*(?:年|月|日|号)?(?:末|底|初)?/g, '\u0001');
  for (const { family, form } of familyForms) {
    const at = form.length > 1 ? rest.indexOf(form) : rest.search(new RegExp(`(?:^|\u0001)${form}`));
    if (at === -1) continue;
    rest = rest.replace(form, '\u0001');
    if (!demands.some((demand) => 'family' in demand && demand.family === family)) demands.push({ family, said: form });
  }
  for (const chunk of rest.split(/[\u0001的了是在于由被和与有为从到把也还又都曾就请叫向用？?，,。、：:；!！ 　”“]+/u)) {
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

export function askOf(text: string): Ask {
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
  const [, measure, rest = ''] = new RegExp(`(?:多少|几)([${MEASURES}])?(.*)`, 'u').exec(text) ?? [];
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
