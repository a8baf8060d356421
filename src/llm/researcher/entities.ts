import { HAN } from './text';
import { ASKED, familyForms, familyOf, IDLE_ZH, MONTHS, STOP_WORDS } from './words';

const DATE_WORDS = new RegExp(`^(?:${MONTHS}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)$`);

const EDGE_START =
  /^(?:[的了是在由被和与有把从也还曾，,、：: ]|其中|第[一二三四五六七八九十\d]+[个位次届]?|首[个位次])+/;

const EDGE_END =
  /(?:[的了是在于由被有也还曾共叫写画娶嫁，,、：: ]|一共|总共|最\p{Script=Han}|首次|开始|的?时候?|期间|第[一二三四五六七八九十\d]+[个位次届]?)+$/u;

const DATE_ZH =
  /^(?:公元前?)?\d{2,4}\s*年(?:\d+月)?(?:\d+[日号])?(?:末|底|初)?|(?:在|于)?\d{2,4}\s*年(?:\d+月)?(?:\d+[日号])?$/;

interface Span {
  text: string;
  start: number;
}

/** Quoted titles and capitalised names of an English question, in order. */
export function namesIn(text: string): Span[] {
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
export function englishEntities(text: string): string[] {
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
export function chineseEntities(text: string): string[] {
  const quoted = [...text.matchAll(/[《“「"]([^》”」"]+)[》”」"]/g)].map((match) => match[1]!);
  if (quoted.length > 0) return quoted;
  const chunks = text
    .replace(ASKED, '\u0001')
    .split(/(?=[\u0001，,？?。；]|的|(?<=\p{Script=Han})[在于][\p{Script=Han}]{2})/u)
    .flatMap((chunk, at, all) => {
      const name = trimChinese(chunk.replace(/^[\u0001，,？?。；的]+/, ''));
      // A single character is a name only where nothing stands before it.
      if (name === '' || (name.length === 1 && at > 0)) return [];
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
export function trimChinese(chunk: string): string {
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
  return IDLE_ZH.test(text) || familyForms.some(({ form }) => form === text) ? '' : text;
}
