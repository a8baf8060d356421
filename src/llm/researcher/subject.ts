import type { Ask } from './ask';
import { namesOf } from './names';
import { isChinese, isFact, isPartOf } from './text';
import { FAMILIES } from './words';

/** Whether the sentence is about the page's subject: 2 by name, 1 by a pronoun, less where that is unclear, 0 about something else. */
export function aboutness(sentence: string, aliases: readonly string[], at: number, ask: Ask, lead: string): number {
  if (isFact(sentence)) return 1.5;
  if (isChinese(sentence)) return aboutnessChinese(sentence, aliases, at, ask, lead);
  const names = namesOf(sentence);
  const isOwn = (name: string) =>
    aliases.some((alias) => isPartOf(name, alias)) ||
    ask.literals.some((each) => /\d/.test(each) && name.includes(each));
  const own =
    names.some(({ text }) => isOwn(text)) ||
    aliases.some((alias) => alias.slice(1) === alias.slice(1).toLowerCase() && sentence.includes(alias.toLowerCase()));
  const pronoun =
    /^(?:It|He|She|They|Its|His|Her|Their|The)\b/.test(sentence) ||
    /\b(?:it|he|she|they)\b[^,.]{0,40}$/.test(sentence.slice(0, at));
  const before = names.filter(
    ({ start }) =>
      start < at &&
      !/\b(?:in|at|on|from|to|of|by|with|near|for|under|after)\s+(?:the\s+)?$/i.test(sentence.slice(0, start)),
  );
  if (ask.type === 'person' || ask.type === 'name') {
    if (own) return 2;
    if (pronoun && before.length === 0) return 1;
    const objectIsPronoun = /^\W*\w+\s+(?:it|them|him|her|its|his|their)\b/.test(sentence.slice(at));
    const inOffice =
      before.length === 1 &&
      /\b(?:is|was|became|has been|as)\s+(?:(?:the|its|an?)\s+)?(?:[a-z-]+\s+)?$/.test(sentence.slice(0, at));
    return objectIsPronoun || inOffice ? 0.8 : 0;
  }
  const subject = before.at(-1);
  if (subject && !isOwn(subject.text)) return 0;
  if (subject) return 2;
  // A name that restricts the subject: the wall of the Ming dynasty.
  const strangers = names.filter(
    ({ start, text }) => start < at && !isOwn(text) && /\bof\s+(?:the\s+)?$/.test(sentence.slice(0, start)),
  ).length;
  return (own ? 2 : pronoun ? 1 : 0.7) - strangers * 0.5;
}

function aboutnessChinese(
  sentence: string,
  aliases: readonly string[],
  relationAt: number,
  ask: Ask,
  lead: string,
): number {
  const clause = sentence.slice(0, Math.max(relationAt, 0));
  const forms = FAMILIES.flatMap(({ zh }) => zh);
  let own = false;
  for (const alias of aliases) {
    for (let at = sentence.indexOf(alias); at !== -1; at = sentence.indexOf(alias, at + 1)) {
      const after = sentence.slice(at + alias.length).replace(/^[》” ]+/, '');
      const free =
        after === '' ||
        /^[^\p{Script=Han}]|^[是由于在的有为被曾与和从到也还又都把这将起则参共获向建位称常末上担始原本全总作属成高长占出发流写创市约已现即因用能可只并另至得就时后前内面拥设包含以经通采使提当去迁住生结毕受]|^(?:一般|首次|最)/u.test(
          after,
        ) ||
        forms.some((form) => after.startsWith(form)) ||
        ask.demands.some((demand) => 'word' in demand && after.startsWith(demand.word));
      if (!free) continue;
      own = true;
      if (relationAt <= 0 || (at < relationAt && !/[在于到从往向]$/.test(sentence.slice(0, at)))) return 2;
    }
  }
  if (ask.type === 'person' || ask.type === 'name') return own ? 2 : 0.8;
  if (/^(?:[它他她其]|这|该|此)/.test(sentence.replace(/^[^，]*年[^，]*，/, ''))) return 1.2;
  const head = clause.replace(/^(?:公元前?)?\d+\s*年[^，]{0,6}?，?/, '').replace(/^(?:\d+月)?(?:\d+日)?[，]?/, '');
  if (/^(?:第一|最|全|总|首|共)/.test(head) || head.length <= 1) return 0.8;
  // 公司, 湖面: a word that shares its sense with the name, or with what the page's first sentence says its subject is.
  const kind = aliases.join('') + lead.slice(lead.search(/[是为]/));
  if (
    !aliases.some((alias) => head.startsWith(alias)) &&
    [...head.slice(0, 2)].some((sign) => /\p{Script=Han}/u.test(sign) && kind.includes(sign))
  )
    return 0.8;
  return /^[它他她其]/.test(head) ? 1 : own ? 0.4 : 0.2;
}
