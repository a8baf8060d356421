import { sameWord } from './text';

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
  en: readonly string[];
  zh: readonly string[];
  /** Relations that people often mean by this one. */
  near: readonly string[];
}

const family = (id: string, type: AnswerType, en: string, zh: string, near = ''): Family => ({
  id,
  type,
  en: en.split(','),
  // Longer forms first, so that 创始人 is taken before 创始.
  zh: zh.split(' ').sort((one, other) => other.length - one.length),
  near: near.split(' ').filter(Boolean),
});

/** Relation families: a question's word finds a page's word for the same thing. Phrases are written with a space. */
export const FAMILIES: readonly Family[] = [
  family('birth', 'date', 'born,birth,birthday,birthplace,birthdate', '出生地 出生 生于 诞生 生日'),
  family('death', 'date', 'died,die,dies,death,dead', '去世 逝世 死于 卒于 死亡 病逝 过世 死'),
  family(
    'found',
    'person',
    'founded,found,founder,founding,co-founded,cofounded,co-founder,established,establish,establishment,set up',
    '创始人 创办人 创立者 创办者 创立 创办 成立 建立 创始',
    'create',
  ),
  family('design', 'person', 'designed,design,designer,devised', '设计者 设计师 设计', 'invent create develop'),
  family('invent', 'person', 'invented,invent,inventor,invention', '发明者 发明人 发明', 'design create develop'),
  family(
    'create',
    'person',
    'created,create,creator,creation',
    '创造者 创造 创作 创建者 创建',
    'write develop found design invent',
  ),
  family(
    'develop',
    'name',
    'developed,develop,developer,development,made by,maker,makes',
    '开发者 开发商 开发 研发 研制 制造',
    'design invent create write',
  ),
  family('write', 'person', 'wrote,written,write,writes,author,writer', '作者 撰写 编写 写成 所著 著有 写', 'create'),
  family('discover', 'person', 'discovered,discover,discoverer,discovery', '发现者 发现'),
  family('build', 'person', 'built,build,builder,constructed,construction', '建造者 建造 修建 建于 兴建 建成'),
  family('paint', 'person', 'painted,paint,painter', '画家 绘制 画'),
  family('compose', 'person', 'composed,compose,composer', '作曲家 作曲 谱写'),
  family('direct', 'person', 'directed,director,direct', '导演 执导'),
  family('play', 'person', 'played,play,plays,portrayed,actor,actress', '饰演者 扮演者 饰演 扮演 出演 主演'),
  family(
    'publish',
    'date',
    'published,publish,publication,publisher,released,release,appeared,appear,came out,come out,launched,announced,issued',
    '发布 出版 发表 公布 推出 问世 上市 发行 上映',
  ),
  family('chief', 'person', 'chief executive,ceo', '首席执行官 CEO 行政总裁'),
  family('president', 'person', 'president', '总统 总裁 主席 校长'),
  family('maintain', 'person', 'maintainer,maintained,maintains,maintain', '维护者 维护'),
  family('capital', 'place', 'capital', '首都 首府 省会'),
  family('currency', 'name', 'currency', '货币'),
  family('height', 'number', 'height,high,tall,elevation', '高度 海拔 高'),
  family('length', 'number', 'length,long', '长度 全长 总长 长'),
  family('depth', 'number', 'depth,deep', '深度 深'),
  family('width', 'number', 'width,wide', '宽度 宽'),
  family('mass', 'number', 'weight,weighs,weigh,mass,heavy', '重量 质量 重'),
  family('area', 'number', 'area', '占地 面积'),
  family('speed', 'number', 'speed,fast', '速度 时速'),
  family('population', 'number', 'population,inhabitants,residents,people live,live in', '人口 居民'),
  family('age', 'number', 'age,aged,years old', '终年 享年 岁'),
  family('nationality', 'nationality', 'nationality,citizen,citizenship', '国籍'),
  family('headquarters', 'place', 'headquarters,headquartered', '总部'),
  family('locate', 'place', 'located,location,lies,lie,stands,situated', '位于 坐落 地处 位置'),
  family('marry', 'person', 'married,marry,marriage,wife,husband,spouse', '妻子 丈夫 结婚 配偶 娶 嫁'),
  family('father', 'person', 'father', '父亲'),
  family('mother', 'person', 'mother', '母亲'),
  family('child', 'name', 'children,child', '子女 孩子', 'son daughter'),
  family('son', 'person', 'son,sons', '儿子'),
  family('daughter', 'person', 'daughter,daughters', '女儿'),
  family('language', 'name', 'language,languages,spoken', '语言'),
  family('win', 'name', 'won,win,winner,receive,received,awarded,recipient', '获得 荣获 获奖 得主'),
  family('study', 'place', 'studied,study,educated,education,graduated,attended', '学习 毕业 就读 求学 学历'),
  family('teach', 'person', 'taught,teach,teacher', '老师 导师'),
  family('begin', 'date', 'began,begin,started,start,begun', '开始 起始', 'found create publish'),
  family('finish', 'date', 'finished,finish,completed,complete,ended,end', '完成 完工 竣工 结束'),
  family('buy', 'name', 'bought,buy,acquired,acquire,purchased', '收购 买下'),
  family('symbol', 'thing', 'symbol', '符号'),
  family('translate', 'person', 'translated,translate,translator,translation', '译者 翻译 译成'),
  family('eponym', 'thing', 'named after,named,namesake', '命名'),
  family('license', 'name', 'license,licence', '许可证 许可'),
  family('fullName', 'name', 'full name,original name,real name,official name', '全名 全称 原名 本名'),
  family('penName', 'name', 'pen name,pseudonym', '笔名'),
  family('propose', 'person', 'proposed,propose,introduced,introduce,described,describe', '提出者 提出'),
];

export const familyById = (id: string): Family => FAMILIES.find((family) => family.id === id)!;

/** Every Chinese form with its family, the longer ones first. */
export const familyForms = FAMILIES.flatMap((family) => family.zh.map((form) => ({ family, form }))).sort(
  (one, other) => other.form.length - one.form.length,
);

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

/** Families that come to one another's aid when a comparison does not say which date it means. */
export const DATED = ['publish', 'found', 'create', 'build', 'invent', 'discover', 'birth'];

/** Relation compared, the words for more of it, and the words for less, in both languages. */
const COMPARED: readonly [string, string, string][] = [
  [
    'population',
    '(?:more|most|larger|bigger) (?:people|inhabitants|populous|population)|population.*(?:larger|bigger)|(?:larger|bigger).*population|人口.*[多大]',
    '(?:fewer|less|smaller) (?:people|inhabitants|populous|population)|population.*smaller|smaller.*population|人口.*[少小]',
  ],
  ['height', '(?:tall|high)(?:er|est)|[更比].*高|哪.{1,3}高', 'low(?:er|est)|[更比].*[矮低]'],
  ['length', 'long(?:er|est)|[更比].*长(?!大)', 'short(?:er|est)|[更比].*短'],
  ['depth', 'deep(?:er|est)|[更比].*深', 'shallow(?:er|est)|[更比].*浅'],
  ['speed', 'fast(?:er|est)|[更比].*快', 'slow(?:er|est)|[更比].*慢'],
  [
    'date',
    'young(?:er|est)|new(?:er|est)|lat(?:er|est)|after|[更较比].*晚|晚于|更新|年轻|年纪.*小',
    'old(?:er|est)|earl(?:ier|iest)|first|before|早|[更较]老|谁先|年长|年纪.*大',
  ],
  ['mass', 'heav(?:ier|iest)|[更比].*重', 'light(?:er|est)|[更比].*轻'],
  ['area', '(?:larg|bigg)(?:er|est)|面积.*大|[更比].*大', 'small(?:er|est)|面积.*小|[更比].*小'],
];
/** Words of comparison → the relation compared, and whether the larger value wins. */
export const COMPARATIVES = COMPARED.flatMap(([relation, more, less]) =>
  [more, less].map((words, at) => ({
    relation,
    larger: at === 0,
    // Word bounds mean nothing beside Chinese signs.
    pattern: new RegExp(`(?<![a-z])(?:${words})(?![a-z])`, 'i'),
  })),
);

/** Quantities and the units that measure them. A quantity that is not here takes any number. */
export const UNITS: Readonly<Record<string, RegExp>> = {
  height: /(?:^|[\s\d-])(?:m|cm|km|ft|met(?:re|er)s?|feet|foot|kilomet\w+|centimet\w+|miles?|inch\w*)\b|米|公里/i,
  length:
    /(?:^|[\s\d-])(?:m|cm|km|ft|met(?:re|er)s?|feet|foot|kilomet\w+|centimet\w+|miles?|inch\w*)\b|米|公里|里|页|分钟|小时/i,
  area: /square|km²|km2|m²|hectare|acre|平方|公顷/i,
  mass: /(?:^|[\s\d-])(?:kg|g|t|lb|kilogram\w*|tonn?e?s?|grams?|pounds?)\b|吨|千克|公斤|克/i,
  speed: /\bper\b|\/\s?[sh]\b|km\/h|每秒|每小时|时速/i,
  age: /\bage[ds]?\b|years? old|岁/i,
};

/** Words of an English question that carry nothing to look for. */
export const STOP_WORDS = new Set(
  `a an the this that these those is are was were be been being do does did done has have had having can could will would
   shall should may might must what which who whom whose when where why how many much of in on at by to for from with about
   into over under than as and or it its he she his her him they their them there here i you me my your we us if so not
   please tell know give say find show name called also still more most about over all each every several another only other few around nearly almost approximately roughly up both just ever actually exactly currently now today
   together original officially official own total one person people man someone somebody thing kind sort type
   get got go went become became come take took happen happened used use year date day month time place time world mean
   programming question answer let like want through during between according after before since until among against`
    .split(/\s+/)
    .filter(Boolean),
);

/** Nouns after “which” that only name the kind of the answer. */
export const KINDS: readonly { pattern: RegExp; type: AnswerType }[] = [
  { pattern: /^(?:year|date|day|month|century|decade|time)s?$/, type: 'date' },
  { pattern: /^(?:country|state|nation)$/, type: 'country' },
  { pattern: /^(?:city|town|place|island|continent|region|village|location|mountains?|range)$/, type: 'place' },
  { pattern: /^nationality$/, type: 'nationality' },
  { pattern: /^languages?$/, type: 'name' },
  {
    pattern:
      /^(?:person|scientist|engineer|architect|author|writer|mathematician|physicist|programmer|actor|actress|king|queen|woman|man|inventor|designer|director|founder|artist|composer|painter)$/,
    type: 'person',
  },
  {
    pattern: /^(?:company|firm|organi[sz]ation|university|school|publisher|institution|college|studio)$/,
    type: 'name',
  },
];

/** English names of months, as a pattern's alternatives. */
export const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';

/** Chinese measure words. */
export const MEASURES = '个名位座部本册种条颗次枚所家艘项章只头';

/** Chinese question words, with the measure word after a number. */
export const ASKED = new RegExp(
  `谁|哪(?:一|几)?(?:国人|国|年|里|儿|天|位|个|家|种|座|条|些|部|本|所|支|款|名|项|门|颗|届|省|市|州|次|群|群人|类|艘|幅|首|片|块|处)?|什么(?:时候|时间|地方|名字|人)?|多少[${MEASURES}]?|几(?:[${MEASURES}]|(?=[年岁人米月]))|多(?:么)?(?=[高长大重远深宽快久])|何(?:时|地|人|年|处)|怎么样?|如何|为什么|为何|是否|吗|呢`,
  'g',
);

/** Chinese words that name nothing to look for. */
export const IDLE_ZH =
  /^(?:[一二两三几]个|时|人|个|位|名|家|座|种|条|国|年|月|日|时候|名字|名称|叫|叫做|叫作|一|这|那|其|中|上|里|下|公司|大学|学校|组织|机构|地区|国家|城市|地方|人物|现在|目前|正式|总共|一共|共|米|公里|千米|万|亿|数|数量|数目|末|底|初)$/;

/** Chinese relation words that name the other end of the relation: 作者, 首都. */
export const NOUN_ZH =
  /(?:[者人家长官商师员]|首都|首府|省会|父亲|母亲|妻子|丈夫|配偶|儿子|女儿|导演|总裁|总统|主席|CEO|总部|货币)$/;
