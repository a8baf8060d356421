import { type Quantities, quantitiesOf } from './evidenceNumbers';
import { foldText } from './similarity';

/** A claim or an observed sentence, ready to be compared. Positions are indexes into `tokens`: of the token that follows. */
export interface Reading {
  /** Content tokens in order: word stems, single Chinese characters, `#…` and `@…` for numbers and dates. */
  tokens: string[];
  /** Tokens in all up to each content token, function words included. */
  offsets: number[];
  /** Stems of words that are written like names. */
  names: Set<string>;
  /** Pairs of name stems that stand next to each other: a first name and a surname. */
  namePairs: Set<string>;
  quantities: Quantities;
  /** Where a word negates what follows. */
  negations: number[];
  /** Where the one who acts follows: “by”, 被. */
  agents: number[];
  /** For such a place, where the sentence's subject ends: “The engine | was a machine designed | by …”. */
  subjects: Map<number, number>;
}

/** Words that carry no claim of their own. Quantifiers, negations and “only” do carry one. */
const FUNCTION_WORDS = new Set(
  (
    'a an the this that these those there here it its he him his she her hers they them their we us our you your i me my who whom whose which ' +
    'what when where why how is are was were be been being am do does did done has have had having will would shall should can could may might must ' +
    'of in on at by to from for with about into onto as and or so if then than also very just such s t during after which while through until since between among ' +
    'ever never not no nor without neither cannot none yes'
  ).split(' '),
);
const NEGATION = /^(?:not|no|never|nor|without|neither|cannot|none|nobody|nothing)$|n['’]t$/;
const HAN_NEGATION = /[没未勿]|不(?![仅但过])|无(?!锡)|非(?![洲常])/y;
/** Chinese function characters; 是 stays, since what it links can be swapped. */
const HAN_GLUE = new Set('的了着过在于曾已也都又地得所把将被由受遭就而且以及并很和与为他她它其这那此吗呢吧');
const COPULA = /^(?:is|are|was|were)$/;
/** After these, a participle may belong to another noun than the subject. */
const LEADS_ON =
  /^(?:of|on|in|at|for|to|from|with|about|by|and|or|but|that|which|who|whom|whose|when|where|not|never)$/;
const HAN_AGENT = /[被由遭]/;
const TOKEN =
  /[#@][\d.e+-]*|\p{Script=Han}|[\p{Script=Hiragana}\p{Script=Katakana}]|%|[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;

/** Lower case, without accents: for comparing words. */
function plainWord(word: string): string {
  return foldText(word.normalize('NFD').replace(/\p{Mn}/gu, ''));
}

/** The same few thousand words come again and again. */
const stems = new Map<string, string>();
const STEMS_KEPT = 20_000;

/** A word without its inflection, roughly: freezes, freezing and freeze give the same. */
function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= STEMS_KEPT) stems.clear();
  const made = bareStem(plainWord(word).replace(/'s$|'$/, ''));
  stems.set(word, made);
  return made;
}

function bareStem(plain: string): string {
  if (plain.length < 4 || /\d/.test(plain)) return plain;
  return plain
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=\w{3})(?:ing|ed|es|e|s)$/, '')
    .replace(/([^aeiouls])\1$/, '$1');
}

/** Reads a text. @param names stems known to be names, where a capital at the start of a sentence would not tell */
export function read(text: string, names: ReadonlySet<string> = new Set()): Reading {
  const unified = text.normalize('NFKC').replace(/\bper ?cent\b/gi, '%');
  const quantities = quantitiesOf(foldText(unified));
  const reading: Reading = {
    tokens: [],
    offsets: [],
    names: new Set(),
    namePairs: new Set(),
    quantities,
    negations: [],
    agents: [],
    subjects: new Map(),
  };
  const { tokens } = reading;
  const { rest } = quantities;
  const capitals = capitalsOf(unified, names);
  let previousName = '';
  let length = 0;
  let linked: number | undefined;
  for (const { 0: token, index } of rest.matchAll(TOKEN)) {
    length++;
    const han = isHan(token);
    HAN_NEGATION.lastIndex = index;
    if (han ? HAN_NEGATION.test(rest) : NEGATION.test(token)) reading.negations.push(tokens.length);
    if (han ? HAN_AGENT.test(token) : token === 'by') reading.agents.push(tokens.length);
    if (token === 'by' && linked !== undefined) reading.subjects.set(tokens.length, linked);
    if (COPULA.test(token)) linked = tokens.length;
    else if (LEADS_ON.test(token)) linked = undefined;
    const word = han || isQuantity(token) ? token : stem(token);
    const isName = capitals.has(word);
    if (han ? !HAN_GLUE.has(token) : isName || !FUNCTION_WORDS.has(token)) {
      tokens.push(word);
      reading.offsets.push(length);
    }
    if (isName) {
      reading.names.add(word);
      if (previousName) reading.namePairs.add(`${previousName} ${word}`);
    }
    previousName = isName ? word : '';
  }
  return reading;
}

/** Stems of the capitalised words of a text; the first word only where it is a name elsewhere, or a name follows it. */
export function capitalsOf(text: string, names: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const part of text.split(/(?<=[.!?:]["”’]?)\s+|\n+|(?<=[。！？])/)) {
    const words = part.match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
    words.forEach((word, index) => {
      if (!/^\p{Lu}/u.test(word) || word === 'I') return;
      const known = stem(word);
      if (FUNCTION_WORDS.has(foldText(word)) || isMonth(word)) return;
      if (index > 0 || names.has(known) || /^\p{Lu}/u.test(words[1] ?? '')) found.add(known);
    });
  }
  return found;
}

const isMonth = (word: string) =>
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i.test(word);

/** Tokens that can be covered: words as they are, Chinese as pairs of neighbouring characters. */
export function unitsOf(tokens: readonly string[]): string[] {
  const units: string[] = [];
  tokens.forEach((token, index) => {
    if (token === '是') return;
    if (!isHan(token)) units.push(token);
    else {
      const next = tokens[index + 1];
      const previous = tokens[index - 1];
      if (next && isHan(next)) units.push(token + next);
      else if (!previous || !isHan(previous)) units.push(token);
    }
  });
  return units;
}

export const isQuantity = (token: string) => token[0] === '#' || token[0] === '@';
export const isHan = (token: string) => token > '\u2e7f' && /^\p{Script=Han}/u.test(token);
