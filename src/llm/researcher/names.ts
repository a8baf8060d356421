import type { Ask } from './ask';
import type { Candidate } from './judge';
import { isChinese, isFact, isPartOf } from './text';
import { FAMILIES, MONTHS, NOUN_ZH, STOP_WORDS } from './words';

const MONTH = new RegExp(`^(?:${MONTHS})$`);

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
  const clause = sentence.slice(0, at).search(/[，；。][^，；。]*$/);
  const end = sentence.slice(at).search(/[，；。]/);
  return pieces
    .filter((piece) => piece.start > clause && (end === -1 || piece.start < at + end))
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
