import { stemmer } from 'stemmer';
import { foldText } from './titles';

/** Words that ask for the same thing. A word's whole group is searched when the word itself is not on the page. */
const GROUPS: readonly string[] = [
  'born birth birthday birthplace',
  'died dead death',
  'founded founding founder foundation established establishment created creation formed',
  'located location situated place lies',
  'married marriage wife husband spouse',
  'population inhabitants residents',
  'wrote written author writer writing',
  'invented invention inventor designed designer design devised',
  'directed director filmmaker',
  'height tall elevation high',
  'length long',
  'company corporation firm business',
  'won winner winning award prize',
  'occupation profession career job',
  'children child son daughter',
  'parents father mother',
  'built construction constructed building',
  'name named called known',
  'studied education educated university school college',
  'began begin begun started start',
  'ended end finished',
  'cost price',
  'released release published publication',
  'nationality citizen citizenship',
  'headquarters headquartered based',
  '出生 生于 诞生 生日',
  '去世 逝世 卒于 死于 死亡',
  '成立 创立 创办 建立 创建 创始 始建',
  '位于 坐落 地点 位置 地处',
  '妻子 丈夫 配偶 结婚',
  '人口 居民',
  '作者 撰写 写作 著有',
  '导演 执导',
  '首都 首府',
  '发明 设计 研制 创造',
  '父亲 母亲 父母',
  '子女 儿子 女儿',
  '毕业 就读 求学 教育',
  '高度 海拔',
  '获奖 奖项 荣获',
  '出版 发表 发行',
  '名字 名称 又称 别名 原名',
];

const STOP_WORDS = new Set(
  'a an and are as at be by did do does for from had has have he her his how in is it its of on or she that the their they this to was were what when where which who whom whose why will with'.split(
    ' ',
  ),
);

/** A word in the form under which it is indexed. */
export const termOf = (word: string): string => (/^[a-z]+$/.test(word) ? stemmer(word) : word);

const SYNONYMS = new Map<string, string[]>();
for (const group of GROUPS) {
  const terms = [...new Set(group.split(' ').map(termOf))];
  for (const term of terms) SYNONYMS.set(term, terms);
}

/** A term and those that ask for the same. */
export const withSynonyms = (term: string): string[] => SYNONYMS.get(term) ?? [term];

/** The words of a text, folded; Chinese and Japanese, which have no spaces, as overlapping pairs of characters. */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  if (/^[\x00-\x7f]*$/.test(folded)) return folded.match(/[a-z\d]+/g) ?? []; // Most text, many times faster.
  const words: string[] = [];
  for (const [run] of folded.matchAll(
    /[\p{scx=Han}\p{scx=Kana}]+|(?:(?![\p{scx=Han}\p{scx=Kana}])[\p{L}\p{M}\p{N}])+/gu,
  )) {
    if (!/^[\p{scx=Han}\p{scx=Kana}]/u.test(run)) words.push(run);
    else if (run.length === 1) words.push(run);
    else for (let at = 0; at < run.length - 1; at++) words.push(run.slice(at, at + 2));
  }
  return words;
}

/** The words that carry a question's meaning; all of them where none does. */
export function tellingWords(text: string): string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length === 0 ? words : telling;
}
