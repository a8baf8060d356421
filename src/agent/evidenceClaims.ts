import { splitOutside, unbracketed } from './evidenceBrackets';
import { contentTokensOf, contentWordsOf } from './similarity';

/** Question words, longest first, where an answer takes their place. */
const ASKED = /(?:什么|哪(?:一)?(?:位|个|些|里|儿|年|种)|谁|多少|几)/;
const ASKED_ENGLISH = /^(?:who|what|which\s+\S+)\b/i;
const POLARITY =
  /^(?:(yes|yeah|是的?|对|有|会|能|可以)|(no|not?\s+really|不是|没有|不|否|不会|不能))(?:$|[\s,，.。;；!！]+)/i;

export interface ShortAnswer {
  /** The question with the answer in it, as one statement. */
  statement: string;
  /** What must stand in the sentence itself; empty for yes and no. */
  core: string;
  /** True when it may be a whole sentence after all. */
  whole?: boolean;
  /** Of a yes or no. */
  negative?: boolean;
}

/** An answer's text without Markdown, code, links and citation marks. @param titles what citations may name */
export function plainAnswer(answer: string, titles: readonly string[]): string {
  return answer
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/^#{1,6}\s.*$/gm, '')
    .replace(
      /\n\s*(?:#+\s*|\*\*)?(?:sources?|references?|来源|参考资料)\s*(?:\*\*)?\s*[:：]?\s*(?:\*\*)?\s*\n[\s\S]*$/i,
      '',
    )
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[\^?\d+(?:\s*[,–-]\s*\d+)*\]|【\d+[^】]*】/g, '')
    .replace(/\s*\[([^\]]+)\]/g, (whole, name: string) => (titles.includes(name) ? '' : whole))
    .replace(/https?:\/\/\S+/g, '')
    .replace(/^\s*(?:[-*+•>]|\d+[.)、])\s+/gm, '')
    .replace(/^\s*\|?(?:\s*:?-{2,}:?\s*\|)+.*$/gm, '')
    .replace(/\|/g, ' ')
    .replace(/[*_~`]+/g, (mark, at: number, all: string) => {
      const before = all.slice(Math.max(0, at - 2), at);
      const after = all.slice(at + mark.length, at + mark.length + 2);
      return (/\w$/.test(before) && /^\w/.test(after)) || isTimes(mark, before, after) ? mark : '';
    })
    .trim();
}

/** An asterisk between two numbers: emphasis has a space on one side at most, multiplication on both or neither. */
function isTimes(mark: string, before: string, after: string): boolean {
  const spaced = [/\s$/.test(before), /^\s/.test(after)];
  return mark === '*' && spaced[0] === spaced[1] && /[\d)）%]\s?$/.test(before) && /^\s?[\d(（.-]/.test(after);
}

const ABBREVIATION = /(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|No|Mt|Inc|Ltd|Co)|\b\p{Lu})\.$/u;

/** Sentences of an answer; a line that only leads in (“I found:”) is none. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split(/\n+/)) {
    let pending = '';
    for (const part of splitOutside(
      unbracketed(line),
      /(?<=[.!?]["”’)]?)\s+(?=["“‘(]?[\p{Lu}\p{N}\p{Script=Han}])|(?<=[。！？；][”」』）]?)|(?<=;)\s+/u,
    )) {
      pending += (pending && ' ') + part;
      if (ABBREVIATION.test(part)) continue;
      sentences.push(pending.trim());
      pending = '';
    }
    sentences.push(pending.trim());
  }
  return sentences.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && !/[:：]$/.test(sentence));
}

/** The clauses of a compound sentence, each long enough to say something; one clause when it is not compound. */
export function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  for (const part of splitOutside(sentence, /,\s+(?=(?:and|but|which|who|while|whereas|where)\s)|(?<=[，、])(?=.)/)) {
    const last = clauses.at(-1);
    if (last !== undefined && (isThin(part) || isThin(last))) clauses[clauses.length - 1] = last + part;
    else clauses.push(part);
  }
  return clauses;
}

const isThin = (clause: string) => contentWordsOf(clause).length < 3 && !/[\p{Script=Han}\d]{4}/u.test(clause);

const VERB = /\b(?:is|are|was|were|has|have|had|did|does|do|can|could|will|would|became|began)\b|[是有为在]|[^\d]了/i;
const SHORT_ENGLISH = 6;
const SHORT_HAN = 12;
/** Chinese names are hardly longer. */
const NAME_HAN = 6;

/** Reads an answer that is only a name, a number, a yes: it says something only together with its question. */
export function shortAnswer(question: string, sentence: string): ShortAnswer | undefined {
  const polar = POLARITY.exec(sentence);
  const rest = polar ? sentence.slice(polar[0].length) : sentence;
  if (polar && !rest.trim())
    return { statement: question.replace(/[?？吗]+\s*$/, ''), core: '', negative: polar[2] !== undefined };
  const words = rest.match(/[\p{Script=Latin}\p{N}][\p{L}\p{M}\p{N}.,'’-]*/gu)?.length ?? 0;
  const han = rest.match(/\p{Script=Han}/gu)?.length ?? 0;
  if (!question || /[，；]/.test(rest) || words > SHORT_ENGLISH || han > SHORT_HAN || VERB.test(rest)) return undefined;
  const core = rest.replace(/[.。!！]+$/, '');
  const bare = question.replace(/[?？吗呢]+\s*$/, '');
  const whole = han > NAME_HAN || restates(core, bare);
  if (ASKED.test(bare)) return { statement: bare.replace(ASKED, core), core, whole };
  return { statement: ASKED_ENGLISH.test(bare) ? bare.replace(ASKED_ENGLISH, core) : `${bare} ${core}`, core, whole };
}

/** True when an answer takes up at least two words of its question: then it has a subject of its own. */
function restates(core: string, question: string): boolean {
  const asked = new Set(contentTokensOf(question));
  const shared = contentTokensOf(core).filter((token) => asked.has(token));
  return shared.length > 1;
}

/** A sentence without the yes or no it begins with. */
export function withoutPolarity(sentence: string): string {
  return sentence.replace(/^(?:yes|no|是的|不是|没有|不)\s*[,，]\s*/i, '');
}
