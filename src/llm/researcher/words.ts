import type { Language } from '../../agent/event';

/** What kind of answer a question wants, or a relation has. */
export type AnswerType =
  | 'person'
  | 'name'
  | 'date'
  | 'number'
  | 'place'
  | 'country'
  | 'nationality'
  | 'definition'
  | 'reason'
  | 'manner'
  | 'thing';

/** Words that speak of one relation, in both languages. */
export interface Family {
  id: string;
  /** What stands at the other end of the relation. */
  type: AnswerType;
  /** A word of each language to look up. */
  keyword: Record<Language, string>;
  /** Where a text, of either language, speaks of it. */
  pattern: RegExp;
  /** Relations that people often mean by this one. */
  near: string[];
  /** What its numbers are measured in; any, where it is missing. */
  unit?: RegExp;
}

/**
 * Relation families: a question's word finds a page's word for the same thing. In a row: name and type, English stems,
 * Chinese forms, families near it, units. Columns are parted by two bars; the first stem and form are words to look up.
 */
const TABLE = `
birth date || born|birth|birthday|birthplace || 出生|出生地|生于|诞生|生日
death date || died|dies?|death|dead || 去世|逝世|死于|卒于|死亡|病逝|过世
found person || founded|found|co-?found|establish|set up || 创立|创始人|创办|创办人|成立|建立|创建|创立者 || create
design person || designed|design|devis || 设计|设计者|设计师 || invent create develop
invent person || invented|invent || 发明|发明者|发明人 || design create develop
create person || created|creat || 创造|创造者|创作 || write develop found design invent
develop name || developed|develop|made by|maker || 开发|开发者|开发商|研发|研制|制造|制造商 || design invent create write
write person || wrote|written|writ|author || 作者|撰写|编写|写成|所著|著有|写(?![作入字信]) || create
discover person || discovered|discover|discovery || 发现|发现者
build person || built|build|construct || 建造|修建|建于|兴建|建成|建造者
paint person || painted|paint || 画家|绘制|画(?=[了的])
compose person || composed|compos || 作曲|作曲家|谱写
direct person || directed|direct || 导演|执导
play person || played|play|portray|actor|actress || 扮演|饰演|饰演者|扮演者|出演|主演
publish date || published|publish|publication|releas|appear|c[ao]me out|launch|announc|issu || 出版|发布|发表|公布|推出|问世|上市|发行|上映
chief person || chief executive|ceo || 首席执行官|CEO|行政总裁
president person || president || 总统|总裁|主席|校长
maintain person || maintained|maintain || 维护|维护者
capital place || capital || 首都|首府|省会
currency name || currency || 货币
height number || height|high|tall|elevation || 高度|海拔|高(?=约?\\d)|(?<=多)高 || || c?m|km|ft|(?:kilo)?met(?:re|er)s?|feet|千?米|公里
length number || length|long || 长度|全长|总长|长(?=约?\\d)|(?<=多)长 || || k?m|ft|(?:kilo)?met(?:re|er)s?|feet|miles|pages|minutes|hours|千?米|公里|页|分钟|小时
depth number || depth|deep || 深度|深(?=约?\\d)|(?<=多)深 || || k?m|ft|(?:kilo)?met(?:re|er)s?|feet|千?米|公里
width number || width|wide || 宽度|宽(?=约?\\d)|(?<=多)宽 || || k?m|ft|(?:kilo)?met(?:re|er)s?|feet|千?米|公里
mass number || weight|weigh|mass|heavy || 重量|质量|重(?=约?\\d)|(?<=多)重 || || k?g|t|(?:kilo)?grams?|tonn?es?|pounds?|吨|千?克|公斤
area number || area || 面积|占地 || || square|km²|hectares?|acres?|平方|公顷
speed number || speed|fast || 速度|时速|(?<=多)快 || || per|km/h|每秒|每小时|时速
population number || population|inhabitant|residents?|people live || 人口|居民
age number || age|years old || 岁|终年|享年 || || age|aged|years old|岁
nationality nationality || nationality|citizen|citizenship || 国籍
headquarters place || headquarters|headquartered || 总部
locate place || located|location|lie|situated || 位于|坐落|地处
marry person || married|marri|marry|wife|husband|spouse || 妻子|丈夫|结婚|配偶
father person || father || 父亲
mother person || mother || 母亲
child name || children|child || 孩子|子女 || son daughter
son person || son || 儿子
daughter person || daughter || 女儿
language name || language|spoken || 语言
win name || won|winner|win(?!e)|receiv|awarded|recipient || 获得|荣获|获奖|得主
study place || studied|study|educat|graduat|attend || 学习|毕业|就读|求学|学历
begin date || began|begin|begun|start || 开始|起始 || found create publish
finish date || finished|finish|complet|ended || 完成|完工|竣工|结束
buy name || bought|buy|acquir|purchas || 收购|买下
translate person || translated|translat || 译者|翻译|译成
eponym thing || named after|namesake || 命名
license name || licen[cs]e || 许可证|许可
penName name || pen name|pseudonym || 笔名
propose person || proposed|propos|introduc|describ || 提出|提出者`;

const SUFFIX = '(?:e|es|s|d|ed|r|er|rs|ers|or|ors|ing|ten|ion|ment)?';

export const FAMILIES: readonly Family[] = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [head = '', en = '', zh = '', near = '', unit] = row.split('||').map((column) => column.trim());
    const [id = '', type] = head.split(' ');
    const longerFirst = zh.split('|').sort((one, other) => other.length - one.length);
    return {
      id,
      type: type as AnswerType,
      keyword: { en: en.split('|')[0]!, 'zh-CN': zh.split('|')[0]! },
      pattern: new RegExp(`(?<![\\p{L}-])(?:${en})${SUFFIX}(?![\\p{L}-])|${longerFirst.join('|')}`, 'iu'),
      near: near.split(' ').filter(Boolean),
      ...(unit ? { unit: new RegExp(`(?<![a-z])(?:${unit})(?![a-z])`, 'i') } : {}),
    };
  });

export const familyById = (id: string): Family => FAMILIES.find((family) => family.id === id)!;

/** Relations whose dates stand for the age of a thing. */
export const DATED = ['publish', 'found', 'create', 'build', 'invent', 'discover', 'birth'].map(familyById);

/** Rows of a table: a name, then a pattern. */
const rows = <Name extends string>(table: string): [Name, RegExp][] =>
  table
    .trim()
    .split('\n')
    .map((row) => [row.split(' ', 1)[0] as Name, new RegExp(row.slice(row.indexOf(' ') + 1), 'i')]);

/** Relation compared, and the words of comparison; MORE tells which value wins. */
export const COMPARED = rows<string>(`
population (?:more|most|fewer|less|larger|bigger|smaller)\\b.*\\b(?:people|inhabitants|popul\\w+)|population.*\\b(?:larger|bigger|smaller)|人口.*[多大少小]
height \\b(?:tall|high|low)(?:er|est)\\b|[更比个].*[高矮低]
length \\b(?:long|short)(?:er|est)\\b|[更比个条].*[长短]
depth \\b(?:deep|shallow)(?:er|est)\\b|[更比个].*[深浅]
speed \\b(?:fast|slow)(?:er|est)\\b|[更比个].*[快慢]
date \\b(?:young|new|lat|old|earli)(?:er|est)\\b|\\b(?:first|before|after)\\b.*\\b(?:or|and|than)\\b|\\b(?:before|after)\\b|[早晚]|年轻|年长|谁先|[更较]老
mass \\b(?:heavi|light)(?:er|est)\\b|[更比个].*[重轻]
area \\b(?:larg|bigg|small)(?:er|est)\\b|[更比个].*[大小]`);
export const MORE =
  /\b(?:more|most|larg\w+|bigg\w+|tall\w+|high\w+|long\w+|deep\w+|fast\w+|heavi\w+|young\w+|newe\w+|late\w+|after)\b|[多大高长深快重晚]|年轻/;

/** Question words and the nouns beside them → the kind of the answer, the first that fits. */
export const ASKED_TYPES = rows<AnswerType>(`
nationality nationality|哪国人|国籍
number \\bhow (?:many|much|tall|high|long|deep|wide|heavy|big|large|old|fast)\\b|多少|几(?=[个岁名座部本册种条颗次家人米章])|多[高长大重深宽快]
date \\b(?:which|what) (?:year|date|day|month|century|decade)\\b|\\bwhen\\b|哪(?:一|几)?[年天月]|何[时年]|什么时[候间]|哪个世纪|几[年月]
country \\b(?:which|what) (?:country|state|nation)\\b|哪(?:一|两|几)?个?国
place \\bwhere\\b|\\bbirthplace\\b|\\b(?:which|what) (?:city|town|place|island|continent|region|village|mountain|range)|哪[里儿]|什么地方|何[地处]|哪(?:一)?[座个](?:城市|地方|省|岛|州|市)
reason \\bwhy\\b|为什么|为何
manner \\bhow (?:did|does|do|is|was|are|were|can)\\b|怎么样?|如何
person \\bwho(?:m|se)?\\b|\\b(?:which|what) (?:person|\\w+(?:ist|eer|ian|tect|or|mer)|writer|painter|king|queen|(?:wo)?man)\\b|谁|何人|什么人|哪(?:一|几)?位|哪(?:一)?个人
name \\b(?:which|what) (?:\\w+ )?(?:company|firm|organi[sz]ation|university|school|publisher|institution|college|studio|language)|哪(?:一)?家|哪(?:一)?个(?:公司|组织|机构)|哪所`);

/** A noun behind “which” that only names the kind of the answer. */
export const KIND =
  /\b(which|what) (?:programming )?(?:year|date|day|month|century|decade|country|state|nation|city|town|place|island|continent|person|company|firm|language)\b/i;

/** English words that carry nothing to look for, or only name the kind of the answer. */
export const STOP_WORDS = new Set(
  `a an the this that these those is are was were be been being do does did done has have had having can could will would
   shall should may might must what which who whom whose when where why how many much of in on at by to for from with about
   into over under than as and or it its he she his her him they their them there here i you me my your we us if so not
   please tell know give say find show name called also still more most all each every another other few around nearly
   almost about roughly up both just ever exactly currently now today together original officially official own total one
   person people someone thing kind sort type get got go went become became come take took happen happened used
   use year date day month time times place world mean country state nation city town company firm organisation organization
   university school institution programming question answer let want like through during between after before since until
   among calculate compute`.split(/\s+/),
);

export const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';

/** Chinese question words, with the measure word and the noun that only names the kind of the answer. */
export const ASKED =
  /谁|哪(?:一|几|两)?(?:国人|[国年里儿天位家种座条些部本所支款名项门颗届省市州次类艘幅首片块处个])?(?:公司|国家|城市|地方|大学|人)?|什么(?:时候|时间|地方|名字|人)?|多少[个名位座部本册种条颗次枚所家艘项章只头]?|几(?:[个名位座部本册种条颗次枚所家艘项章只头]|(?=[年岁人米月]))|多么?(?=[高长大重远深宽快久])|何(?:时|地|人|年|处)|怎么样?|如何|为什么|为何|是否|吗|呢/g;

/** Chinese signs that join words and name nothing, and whole words that name nothing. */
export const IDLE =
  /[的了是在于由被和与有为从到把也还又都曾就请叫向用其中]|一共|总共|共有|目前|现在|主要|通常|正式|担任|第一[个位次]?|首[个位次]/g;
export const IDLE_WORD =
  /^(?:[人个位名家座种条国年月日一这那上里下米末底初]|时候?|名字|名称|公司|大学|组织|机构|国家|城市|地方|公里|千米|数量?|数目|最)$/;

/** Chinese relation words that name the other end of the relation: 作者, 首都. */
export const NOUN_ZH =
  /(?:[者人家长官商师员]|首都|首府|省会|父亲|母亲|妻子|丈夫|配偶|儿子|女儿|导演|总裁|总统|主席|CEO|总部|货币|笔名)$/;

const CONNECT = {
  en: 'A language model reads more freely than these rules: connect one in the settings of ReAct Agent and ask again.',
  'zh-CN': '语言模型的阅读能力比这些规则灵活：可以在 ReAct Agent 的设置中连接一个模型，然后再问一次。',
};

/** What the researcher says, in the question's language. None of it can be read as an action. */
/** What a Lookup brought: no sentence, sentences about something else, or one that may answer. */
export type Found = 'nothing' | 'aside' | 'part';

export const SAYINGS = {
  en: {
    start: (entity: string) => `The question is about “${entity}”. Its page comes next.`,
    another: (title: string) => `“${title}” in the list fits the question best of those not yet read.`,
    lookUp: (keyword: string, title: string) =>
      `The part of “${title}” that was shown does not settle it. The word “${keyword}” may lead to the sentence.`,
    lookUpAfter: (keyword: string, last: string, found: Found) =>
      ({
        nothing: `“${last}” is nowhere on the page; “${keyword}” may stand there instead.`,
        aside: `The sentences with “${last}” tell something else, so “${keyword}” is looked up next.`,
        part: `A sentence with “${last}” comes near without being certain. Does “${keyword}” lead to a better one?`,
      })[found],
    lookUpMore: (keyword: string) => `This place with “${keyword}” does not answer it; the page has another one.`,
    hop: (sentence: string, name: string) => `“${sentence}” So the first part leads to ${name}, whose page comes next.`,
    calculate: 'What is left is arithmetic, which the calculator does exactly.',
    done: 'What was observed answers the question.',
    giveUp: 'Nothing that was read answers the question, and a guess would not be honest.',
    notFound: (looked: readonly string[]) =>
      `No answer was found. ${looked.length > 0 ? `Looked at: ${looked.join(', ')}. ` : ''}${CONNECT.en}`,
    because: (answer: string, reason: string) => `${answer} (${reason})`,
    line: (name: string, sentence: string) => `${name}: ${sentence}`,
    both: (one: string, other: string) => `${one.replace(/\.$/, '')}; ${other}`,
  },
  'zh-CN': {
    start: (entity: string) => `问题与“${entity}”有关，打开它的页面。`,
    another: (title: string) => `在列表中尚未阅读的页面里，“${title}”与问题最相符。`,
    lookUp: (keyword: string, title: string) =>
      `“${title}”已显示的部分还不足以回答，查找“${keyword}”也许能找到相应的句子。`,
    lookUpAfter: (keyword: string, last: string, found: Found) =>
      ({
        nothing: `页面上没有“${last}”，换成“${keyword}”再查。`,
        aside: `含有“${last}”的句子说的是别的事，接着查找“${keyword}”。`,
        part: `含有“${last}”的句子接近答案但不够确定，看看“${keyword}”能否找到更好的句子。`,
      })[found],
    lookUpMore: (keyword: string) => `“${keyword}”的这一处没有回答问题，页面上还有另一处。`,
    hop: (sentence: string, name: string) => `“${sentence}”由此得出第一部分的答案是${name}，接下来打开这个页面。`,
    calculate: '剩下的是算术，用计算器可以得到准确结果。',
    done: '观察到的内容已经回答了问题。',
    giveUp: '读到的内容都不能回答这个问题，不应猜测。',
    notFound: (looked: readonly string[]) =>
      `没有找到答案。${looked.length > 0 ? `查看过：${looked.join('、')}。` : ''}${CONNECT['zh-CN']}`,
    because: (answer: string, reason: string) => `${answer}（${reason}）`,
    line: (name: string, sentence: string) => `${name}：${sentence}`,
    both: (one: string, other: string) => `${one.replace(/。$/, '')}；${other}`,
  },
} satisfies Record<Language, unknown>;
