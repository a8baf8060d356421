import { FAMILIES, type Family, MONTHS, NOUN_ZH, STOP_WORDS } from './words';

export const HAN = /\p{Script=Han}/u;

/** True for text that is mostly Chinese. */
export const isChinese = (text: string): boolean =>
  (text.match(/\p{Script=Han}/gu)?.length ?? 0) > (text.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0);

/** Where a text speaks of relations, in order; of two that overlap, the longer one counts. */
export function relationsIn(text: string): { family: Family; said: string; at: number; end: number }[] {
  const all = FAMILIES.flatMap((family) =>
    [...text.matchAll(new RegExp(family.pattern, 'giu'))].map((match) => {
      return { family, said: match[0], at: match.index, end: match.index + match[0].length };
    }),
  ).sort((one, other) => one.at - other.at || other.end - one.end);
  return all.filter(({ at }, index) => !all.slice(0, index).some(({ end }) => end > at));
}

/** A word of a question that names nothing to look for a page of. */
export const isPlain = (word: string) => STOP_WORDS.has(word.toLowerCase()) || relationsIn(word)[0]?.said === word;

const ENDING = /(?<=.{3})(?:e?s|ed|ing|er|or|e|ly|ment|ion)$/;
const stemOf = (word: string) => word.toLowerCase().replace(/ies$/, 'y').replace(ENDING, '');

/** Same word in another form: moved, moves; cities, city. The largest is not any large one. */
export const sameWord = (one: string, other: string) => stemOf(one) === stemOf(other);

export const plainTitle = (title: string) => title.replace(/\s*[(（].*[)）]$/, '');

/** Other ways a page calls its subject: without a suffix in brackets, by its last name, by its name without Inc. */
export function aliasesOf(title: string): string[] {
  const plain = plainTitle(title).replace(/,? (?:Inc|Ltd|Corp)\.?$/, '');
  const parts = plain.split(/[·\s]/);
  const isName = parts.length > 1 && parts.every((part) => /^[\p{Lu}\p{Script=Han}]/u.test(part));
  const short = isName ? parts.at(-1)! : title;
  return [...new Set([title, plain, plain.replace(/(?:公司|集团)$/, ''), ...(short.length > 1 ? [short] : [])])];
}

/** What may follow a name that is not a part of a longer one: 京都是, 京都的, but not 京都大学; Kyoto was, but not Kyoto University. */
const FREE_ZH = new RegExp(
  `^[》” ]*(?:[^\\p{Script=Han}》” ]|$|[是由于在的有为被曾与和从到也还又都把将起则参共获向位称常末上担始原本全总作属成高长占出发流写创约已现即因用能可只并另至得就时后前内面拥设以经采使提去迁住生结毕受]|一般|首次|最|${FAMILIES.map(({ pattern }) => pattern.source).join('|')})`,
  'iu',
);
const FREE_EN = /^(?![\p{L}\p{N}]| \p{Lu})/u;

/** A text with “@” for the subject. */
export function withSubject(text: string, names: readonly string[]): string {
  const aliases = names.flatMap(aliasesOf).sort((one, other) => other.length - one.length);
  const free = HAN.test(text) ? FREE_ZH : FREE_EN;
  return aliases.reduce((marked, alias) => {
    const name = alias.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const found = new RegExp(`(?<![\\p{Script=Latin}\\p{N}-])(?:${name}|${name.toLowerCase()})`, 'gu');
    return marked.replace(found, (own, at: number) => (free.test(marked.slice(at + own.length)) ? '@' : own));
  }, text);
}

const RUN =
  /(?:\p{Lu}\.\s?)*[\p{L}\p{N}]*\p{Lu}[\p{L}\p{M}\p{N}’'.&/+#-]*(?: (?:(?:of|off|de|van|von|der|la|del|the) ){0,2}(?=\p{Lu}|\d+\b)[\p{L}\p{M}\p{N}’'.&/+#-]+)*/gu;
const NO_NAME = new RegExp(`^.?$|^(?:${MONTHS})\\b`);

/** Names of an English text: runs of capitalised words, without relations and what is capital only because it stands first. */
export function namesOf(text: string): { text: string; start: number }[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    const own = run.replace(/['’]s$|[.,'’]+$/, '');
    const bare = own.replace(/^([\p{L}-]+)(?: of(?: the)? |(?: |$))/u, (all, word) => {
      const drop = / of /.test(all) ? relationsIn(word).length > 0 : isPlain(word) && (index === 0 || all === own);
      return drop ? '' : all;
    });
    const name = bare.replace(/^\d+ (?=\p{Lu})/u, '');
    const common = index === 0 && /^\p{L}+(?:ed|ing|tion|ment|ly)$/u.test(name);
    return common || NO_NAME.test(name) ? [] : [{ text: name, start: index + own.length - name.length }];
  });
}

const BREAK =
  /[，。；、：:《》“”（）() ]|是|为|由|被|和|与|的|了|所|等|包括|担任|共同|曾|也|(?=[在于从])|[\d—–]+[年月日]?/gu;
const DESCRIBED =
  /^[^·]*(?:家|员|师|学生|学者|公司|组织|诗人|国人|教授|博士|国王|皇帝|将军)(?=[\p{Script=Han}A-Z·-]{2,})/u;
const NAME_ZH =
  /^(?![在于从它他她其这该此最第一所因但如随同]|公司$)(?:[A-Z][\w .&-]+|[\p{Script=Han}A-Z]+(?:[·・-][\p{Script=Han}A-Z]+)+|\p{Script=Han}{2,4}|\p{Script=Han}{2,10}(?:公司|组织|大学|学院|基金会|协会|集团|研究所|出版社|银行))$/u;

/** Names that may be what the relation leads to, the likeliest first, from what stands before it and what begins with it. */
export function agentsOf({ before, after }: { before: string; after: string }): string[] {
  if (isChinese(before + after)) return chineseAgents(before.split(/[，；。]/).at(-1)!, after);
  const from = (part: string) =>
    namesOf(part).flatMap(({ text, start }) => {
      const [lead, rest] = [part.slice(0, start), part.slice(start + text.length)];
      const demonym = /(?:ish|[ai]an|man|ese|ch|eek|iss)$/.test(text) && /^ [a-z]/.test(rest);
      const beside = /\b(?:in|at|on|from|near|after|until) (?:the )?$/i.test(lead);
      return demonym || beside ? [] : [{ text, led: /(?:\bby|\bis|\bwas|\bare|[:：]) (?:[\w-]+ ){0,5}$/.test(lead) }];
    });
  const behind = from(after);
  const ranked = [...behind.filter(({ led }) => led), ...from(before), ...behind.filter(({ led }) => !led)];
  return ranked.map(({ text }) => text);
}

/** 由英国数学家某某设计, 作者是某某, 某某发明了: names in the relation's clause, on its side first. */
function chineseAgents(before: string, rest: string): string[] {
  const named = (text = '') => {
    const masked = relationsIn(text).reduce((left, { said }) => left.replace(said, '，'), text);
    const pieces = masked.split(BREAK).map((piece) => piece.replace(DESCRIBED, '').replace(/(?:团队|等人|夫妇)$/, ''));
    return pieces.filter((piece) => NAME_ZH.test(piece));
  };
  const after = rest.split(/[，；。]/)[0]!;
  const relation = relationsIn(after)[0];
  const isNoun = relation?.at === 0 && NOUN_ZH.test(relation.said);
  const [near, far] = isNoun ? [named(after), named(before)] : [named(before).reverse(), named(after)];
  return [...new Set([...named(before.split('由')[1]), ...near, ...far])];
}
