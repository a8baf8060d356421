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

/** Same word in another form: moved, moves; cities, city. The largest is not any large one. */
export function sameWord(one: string, other: string): boolean {
  const stem = (word: string) =>
    word
      .toLowerCase()
      .replace(/ies$/, 'y')
      .replace(/(?<=.{3})(?:e?s|ed|ing|er|or|e|ly|ment|ion)$/, '');
  return stem(one) === stem(other) && /est$/i.test(one) === /est$/i.test(other);
}

export const plainTitle = (title: string) => title.replace(/\s*[(（].*[)）]$/, '');

/** Other ways a page calls its subject: without a suffix in brackets, by its last name, by its name without Inc. */
export function aliasesOf(title: string): string[] {
  const plain = plainTitle(title).replace(/,? (?:Inc|Ltd|Corp)\.?$/, '');
  const parts = plain.split(/[·\s]/);
  const isName = parts.length > 1 && parts.every((part) => /^[\p{Lu}\p{Script=Han}]/u.test(part));
  const short = isName ? parts.at(-1)! : title;
  return [...new Set([title, plain, plain.replace(/(?:公司|集团)$/, ''), ...(short.length > 1 ? [short] : [])])];
}

/** “Van Rossum” and “Guido” for “Guido van Rossum”, and “Tesla Inc” for “Tesla”. */
export function isPartOf(name: string, whole: string): boolean {
  const [part, all] = [` ${name.toLowerCase()} `, ` ${whole.toLowerCase()} `];
  return (
    all.startsWith(part) || all.endsWith(part) || /^(?:corporation|company|inc|group) $/.test(part.replace(all, ''))
  );
}

const RUN =
  /(?:\p{Lu}\.\s?)*[\p{L}\p{N}]*\p{Lu}[\p{L}\p{M}\p{N}’'.&/+#-]*(?:(?:,? (?=Inc)| (?:(?:of|off|de|van|von|der|la|del|the) ){0,2})(?=\p{Lu}|\d+\b)[\p{L}\p{M}\p{N}’'.&/+#-]+)*/gu;

const isPlain = (word: string) => STOP_WORDS.has(word.toLowerCase()) || relationsIn(word)[0]?.said === word;

/** Names of an English text: runs of capitalised words, without relations and what is capital only because it stands first. */
export function namesOf(text: string): { text: string; start: number }[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    const own = run.replace(/['’]s$|[.,'’]+$/, '');
    const name = own.replace(/^([\p{L}-]+)(?: of(?: the)? |(?: |$))/u, (all, word) => {
      const drop = / of /.test(all) ? relationsIn(word).length > 0 : isPlain(word) && (index === 0 || all === own);
      return drop ? '' : all;
    });
    const common = index === 0 && /^\p{L}+(?:ed|ing|tion|ment|ly)$/u.test(name);
    if (name.length < 2 || common || new RegExp(`^(?:${MONTHS})\\b`).test(name)) return [];
    return [{ text: name, start: index + own.length - name.length }];
  });
}

const BREAK =
  /[，。；、：:《》“”（）() ]|是|为|由|于|在|被|和|与|的|了|从|所|等|包括|担任|共同|曾|也|[\d—–]+[年月日]?/g;
const DESCRIBED =
  /^[^·]*(?:家|员|师|学生|学者|公司|组织|诗人|国人|教授|博士|国王|皇帝|将军|官)(?=[\p{Script=Han}A-Z·-]{2,})/u;
const NAME_ZH =
  /^(?:[A-Z][\w .&-]+|[\p{Script=Han}A-Z]+(?:[·・-][\p{Script=Han}A-Z]+)+|\p{Script=Han}{2,4}|\p{Script=Han}{2,10}(?:公司|组织|大学|学院|基金会|协会|委员会|集团|研究所|出版社|银行))$/u;
const NO_NAME_ZH = /^(?:[它他她其这该此后前最第一]|所以|因此|但是|如果|因为|随后|同时|以及|公司|小说)/;

/** Names that may be what the relation at this place leads to, the likeliest first; not the subject's own. */
export function agentsOf(sentence: string, at: number, own: readonly string[]): string[] {
  if (isChinese(sentence)) return chineseAgents(sentence, at).filter((name) => !own.includes(name));
  const rank = ({ text, start }: { text: string; start: number }) => {
    const lead = sentence.slice(0, start);
    const demonym =
      /(?:ish|[ai]an|man|ese|ch|eek|iss)$/.test(text) && /^ [a-z]/.test(sentence.slice(start + text.length));
    const beside = /\b(?:in|at|on|from|near|after|until)\s+(?:the\s+)?$/i.test(lead);
    if (demonym || beside || own.some((alias) => isPartOf(text, alias))) return 9;
    return start < at ? 2 : /(?:\bby|\bis|\bwas|\bare|[:：])\s+(?:[\w-]+\s+){0,5}$/.test(lead.slice(at)) ? 1 : 3;
  };
  const ranked = namesOf(sentence).map((name) => ({ ...name, rank: rank(name) }));
  return ranked
    .filter((name) => name.rank < 9)
    .sort((one, other) => one.rank - other.rank)
    .map(({ text }) => text);
}

/** 由英国数学家某某设计, 作者是某某, 某某发明了: names in the relation's clause, the nearest on its side first. */
function chineseAgents(sentence: string, at: number): string[] {
  const relations = relationsIn(sentence);
  const behind = NOUN_ZH.test(relations.find((each) => each.at === at)?.said ?? '');
  const masked = relations.reduce((text, { said }) => text.replace(said, '：'.repeat(said.length)), sentence);
  const from = masked.slice(0, at).search(/[，；。][^，；。]*$/);
  const until = (masked.slice(at).search(/[，；。]/) + 1 || 1000) + at;
  const pieces: { text: string; at: number; by: string }[] = [];
  for (const mark of [...masked.matchAll(BREAK), { 0: '', index: masked.length }]) {
    const last = pieces.at(-1);
    const start = last ? last.at + last.text.length + last.by.length : 0;
    pieces.push({ text: masked.slice(start, mark.index), at: start, by: mark[0] });
  }
  const distance = (piece: { at: number }) => {
    const by = masked[piece.at - 1] ?? '';
    return by === '由'
      ? 0
      : Math.abs(piece.at - at) + (piece.at > at === behind ? 0 : 500) + (/[在于]/.test(by) ? 500 : 0);
  };
  return pieces
    .filter((piece) => piece.at > from && piece.at < until)
    .sort((one, other) => distance(one) - distance(other))
    .map(({ text }) => text.replace(DESCRIBED, '').replace(/(?:团队|等人|夫妇)$/, ''))
    .filter((name) => NAME_ZH.test(name) && !NO_NAME_ZH.test(name));
}
