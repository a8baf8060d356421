import { type Quantities, quantitiesHold, sameQuantity } from './evidenceNumbers';
import { isHan, isQuantity, type Reading } from './evidenceText';

/** Share of a claim's content that one sentence must hold to support it in part. */
const PARTIAL_COVERAGE = 0.7;
/** Share of a claim's words among all words of the passage they stand in: below it they are gathered from different places. */
const VERBATIM_DENSITY = 0.45;

/** What is known of the document around a sentence. */
export interface Surroundings {
  /** Tokens of its title: what a pronoun in it most often means. */
  title: readonly string[];
  /** First names and surnames that stand together somewhere in what was observed. */
  namePairs: ReadonlySet<string>;
}

/** `against`: the sentence says it of the other one, or denies it. */
export type Match = 'verbatim' | 'partial' | 'against' | 'none';

/**
 * Whether a sentence says what a claim says. Numbers, dates and names must stand in it; what is negated, or said of the other
 * one (“A taught B” against “B taught A”), is not the same.
 */
export function matchClaim(claim: Reading, sentence: Reading, around: Surroundings): Match {
  if (claim.tokens.length === 0) return 'none';
  const named = placeOf(around.title, claim.tokens);
  if (!quantitiesHold(named < 0 ? claim.quantities : without(around.title, claim.quantities), sentence.quantities))
    return 'none';
  if (!namesHold(claim, sentence, around)) return 'none';
  // The page's name stands for a pronoun as a whole, whichever of its characters the sentence has elsewhere.
  const isPronoun = named >= 0 && placeOf(around.title, sentence.tokens) < 0;
  const own = claim.tokens.filter(
    (token, at) =>
      !(isPronoun && at >= named && at < named + around.title.length) && !isFromTitle(token, sentence, around),
  );
  const places = align(own, sentence.tokens);
  const matched = places.filter((place) => place >= 0);
  if (matched.length === 0) return 'none';
  const held = coverage(claim, sentence, around);
  const against = held >= PARTIAL_COVERAGE ? 'against' : 'none';
  const [first, last] = [Math.min(...matched), Math.max(...matched)];
  // Chinese negates in two characters that are content themselves.
  const inside = (position: number) => position >= first - 2 && position <= last;
  if (claim.negations.length > 0 !== sentence.negations.some(inside)) return against;
  const blocks = blocksOf(own, sentence.tokens, claim.namePairs);
  const voice = voiceOf(claim, sentence, around.title);
  const sameVoice = voice === 'same';
  if (voice === 'exchanged' || (sameVoice ? isExchanged(blocks, own, claim.names) : isRising(blocks))) return against;
  if (hasForeignName(own, blocks)) return 'none';
  const inOrder = places.every((place) => place >= 0);
  const density = own.length / (sentence.offsets[last]! - sentence.offsets[first]! + 1);
  if (claim.tokens.length > 1 && inOrder && sameVoice && density >= VERBATIM_DENSITY) return 'verbatim';
  return held >= PARTIAL_COVERAGE ? 'partial' : 'none';
}

/** Where a name of several tokens stands in others as it is; -1 for nowhere. */
function placeOf(name: readonly string[], tokens: readonly string[]): number {
  if (name.length < 2) return -1;
  return tokens.findIndex((_, start) => name.every((token, offset) => tokens[start + offset] === token));
}

/** A claim's quantities beside those in its page's name: “Apollo 11 landed” is said by “It landed” on that page. */
function without(title: readonly string[], quantities: Quantities): Quantities {
  return { ...quantities, numbers: quantities.numbers.filter((number) => !title.includes(`#${number}`)) };
}

/** Share of a claim's content that a sentence and its page's title hold, 0 to 1. Quantities were compared already. */
export function coverage({ tokens }: Reading, sentence: Reading, { title }: Surroundings): number {
  const pieces = [...blocksOf(tokens, sentence.tokens), ...blocksOf(tokens, title)];
  const inPiece = new Set(pieces.flatMap(({ start, length }) => Array.from({ length }, (_, offset) => start + offset)));
  const held = tokens.filter((token, index) => inPiece.has(index) || isQuantity(token));
  return tokens.length === 0 ? 0 : held.length / tokens.length;
}

/** Each name stands in the sentence or the title, or is the first name of a surname there. */
export function namesHold(claim: Reading, sentence: Reading, { title, namePairs }: Surroundings): boolean {
  const there = new Set(sentence.tokens);
  const known = (name: string) => there.has(name) || title.includes(name);
  return [...claim.names].every(
    (name) =>
      known(name) ||
      [...claim.namePairs].some((pair) => {
        const [given, surname] = pair.split(' ');
        return given === name && namePairs.has(pair) && known(surname!);
      }),
  );
}

/** A word that the sentence leaves to its context: the page's subject, or the first name of a surname. */
function isFromTitle(token: string, sentence: Reading, { title, namePairs }: Surroundings): boolean {
  if (sentence.tokens.includes(token)) return false;
  return title.includes(token) || sentence.tokens.some((next) => namePairs.has(`${token} ${next}`));
}

/** Equal words, or a quantity that agrees with the observed one. */
export const sameToken = (claim: string, observed: string) =>
  claim === observed || (isQuantity(claim) && sameQuantity(claim, observed));

/** Longest common subsequence: for each token its place in the sentence, -1 where it has none in that order. */
function align(tokens: readonly string[], sentence: readonly string[]): number[] {
  const width = sentence.length + 1;
  const table = new Uint16Array((tokens.length + 1) * width);
  for (let row = tokens.length - 1; row >= 0; row--) {
    for (let column = sentence.length - 1; column >= 0; column--) {
      table[row * width + column] = sameToken(tokens[row]!, sentence[column]!)
        ? table[(row + 1) * width + column + 1]! + 1
        : Math.max(table[(row + 1) * width + column]!, table[row * width + column + 1]!);
    }
  }
  const places: number[] = [];
  let column = 0;
  for (let row = 0; row < tokens.length; row++) {
    while (column < sentence.length && table[row * width + column] === table[row * width + column + 1]) column++;
    const here = column < sentence.length && table[row * width + column]! > table[(row + 1) * width + column]!;
    places.push(here ? column++ : -1);
  }
  return places;
}

interface Block {
  /** Place in the claim, and in the sentence. */
  start: number;
  place: number;
  length: number;
}

/**
 * The claim cut into the longest pieces that stand in the sentence as they are; a single Chinese character is no piece, 是 aside,
 * and no piece ends within one of the claim's names.
 */
function blocksOf(tokens: readonly string[], sentence: readonly string[], pairs?: ReadonlySet<string>): Block[] {
  const blocks: Block[] = [];
  const used = new Set<number>();
  for (let start = 0; start < tokens.length; ) {
    let best: Block = { start, place: -1, length: 0 };
    for (let place = 0; place < sentence.length; place++) {
      let length = 0;
      while (
        start + length < tokens.length &&
        place + length < sentence.length &&
        !used.has(place + length) &&
        sameToken(tokens[start + length]!, sentence[place + length]!)
      ) {
        length++;
      }
      if (length > 1 && pairs?.has(`${tokens[start + length - 1]} ${tokens[start + length]}`)) length--;
      if (length > best.length) best = { start, place, length };
    }
    const piece = best.length > 1 || (best.length === 1 && (!isHan(tokens[start]!) || tokens[start] === '是'));
    if (!piece) {
      start++;
      continue;
    }
    blocks.push(best);
    for (let offset = 0; offset < best.length; offset++) used.add(best.place + offset);
    start += best.length;
  }
  return blocks;
}

const isRising = (blocks: readonly Block[]) =>
  blocks.every(({ place }, index) => index === 0 || place > blocks[index - 1]!.place);

/** x M y in the claim, y M x in the sentence: three pieces in falling order, of which the outer two are names or numbers. */
function isExchanged(blocks: readonly Block[], tokens: readonly string[], names: ReadonlySet<string>): boolean {
  const outer = blocks.filter(({ start, length }) =>
    tokens.slice(start, start + length).some((token) => names.has(token) || isQuantity(token) || isHan(token)),
  );
  return blocks.some(
    ({ place, start }) =>
      outer.some((before) => before.start < start && before.place > place) &&
      outer.some((after) => after.start > start && after.place < place),
  );
}

/** Whether both say it in one voice: `other` when only one says “by” (被, 由), `exchanged` when both say it of different ones. */
function voiceOf(claim: Reading, sentence: Reading, title: readonly string[]): 'same' | 'other' | 'exchanged' {
  // “It was designed by Y” on the page of X: the pronoun stands for the claim's X.
  const isPronoun = [...claim.names].some((name) => !sentence.tokens.includes(name) && title.includes(name));
  const claimed = agentsOf(claim, sentence, isPronoun);
  const told = agentsOf(sentence, claim, isPronoun);
  if (claimed.length === 0) return told.length === 0 ? 'same' : 'other';
  const same = sentence.agents.some((position) =>
    sentence.tokens.slice(position, position + AGENT_REACH).some((token) => claimed.includes(token)),
  );
  return same ? 'same' : told.length === 0 ? 'other' : 'exchanged';
}

/** How many tokens after “by” may belong to the one who acts, and before it to the one done to. */
const AGENT_REACH = 4;

/** Tokens after an agent's “by” that stand in the other text too, where a name before it does as well, or may be a pronoun. */
function agentsOf(
  { tokens, agents, subjects, names }: Reading,
  { tokens: others }: Reading,
  isPronoun: boolean,
): string[] {
  const there = new Set(others);
  return agents.flatMap((position) => {
    const before = tokens.slice(Math.max(0, position - AGENT_REACH + 1), position);
    const verb = tokens[position - 1] ?? '';
    const isVerb = there.has(verb) && !names.has(verb) && !isHan(verb);
    const subject = subjects.get(position);
    // “X was a machine designed by Y”: only where it is the claim's verb.
    if (subject !== undefined && isVerb) before.push(...tokens.slice(Math.max(0, subject - AGENT_REACH + 1), subject));
    if (isQuantity(tokens[position] ?? '#')) return [];
    const isKnown = before.some((token) => there.has(token) && (names.has(token) || isHan(token)));
    if (!isKnown && !(isPronoun && isVerb)) return [];
    return tokens.slice(position, position + AGENT_REACH).filter((token) => there.has(token));
  });
}

const SURNAMES = new Set(
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段钱汤尹黎易常武乔贺赖龚文',
);

/** A Chinese person's or place's name in the claim that the sentence does not hold: two to four characters outside all pieces. */
function hasForeignName(tokens: readonly string[], blocks: readonly Block[]): boolean {
  const held = new Set(blocks.flatMap(({ start, length }) => Array.from({ length }, (_, offset) => start + offset)));
  const gaps = tokens.map((token, index) => (held.has(index) || !isHan(token) ? ' ' : token)).join('');
  return gaps
    .split(/ +/)
    .some((gap) => gap.length > 1 && ((gap.length < 4 && SURNAMES.has(gap[0]!)) || /[省市县国州岛镇]$/.test(gap)));
}
