import { fitsType, isNational } from './answerType';
import type { Ask, Demand } from './ask';
import { aboutness } from './subject';
import { aliasesOf, isChinese, isFact, sameWord } from './text';
import { LIFE } from './values';
import { type Family, familyById } from './words';

/** A sentence that may answer, and how well it does. */
export interface Candidate {
  sentence: string;
  /** Above 0: it speaks of all that was asked and holds an answer of the right kind. From SURE on, nothing better is looked for. */
  score: number;
  /** Where the sentence speaks of the relation, UTF-16 offset. */
  at: number;
}

export const SURE = 9.5;

/** Where a sentence speaks of a family, and how exactly (0: not at all). */
function findFamily(sentence: string, family: Family, ask: Ask): { at: number; weight: number } {
  const direct = formAt(sentence, family);
  if (direct !== -1) return { at: direct, weight: 1 };
  if ((family.id === 'birth' || family.id === 'death') && ask.type === 'date' && LIFE.test(sentence))
    return { at: 0, weight: 0.6 };
  if (family.id === 'nationality' && isNational(sentence)) return { at: 0, weight: 1 };
  if (
    family.id === 'locate' &&
    /^.{2,60}? (?:is|was) (?:an?|the) .*\b(?:in|on|of)\b|[是在].*(?:的|省|市|国)/.test(sentence)
  )
    return { at: 0, weight: 0.8 };
  for (const id of family.near) {
    const at = formAt(sentence, familyById(id));
    if (at !== -1) return { at, weight: 0.6 };
  }
  return { at: -1, weight: 0 };
}

function formAt(sentence: string, family: Family): number {
  if (isChinese(sentence)) {
    const form = family.zh.find((each) => sentence.includes(each));
    return form === undefined ? -1 : sentence.indexOf(form);
  }
  const lower = sentence.toLowerCase();
  for (const form of family.en) {
    const at = lower.search(new RegExp(`\\b${form.replace(/-/g, '[- ]')}(?:s|es|ed|d|er|ing)?\\b`));
    if (at !== -1) return at;
  }
  return -1;
}

function findDemand(sentence: string, demand: Demand, ask: Ask): { at: number; weight: number } {
  if ('family' in demand) return findFamily(sentence, demand.family, ask);
  const { word } = demand;
  if (/\p{Script=Han}/u.test(word)) {
    const at = sentence.indexOf(word);
    if (at !== -1) return { at, weight: 1 };
    const pairs = Array.from({ length: word.length - 1 }, (_, start) => word.slice(start, start + 2));
    const held = pairs.filter((pair) => sentence.includes(pair)).length;
    return pairs.length > 1 && held / pairs.length >= 0.6
      ? { at: sentence.indexOf(pairs[0]!), weight: 0.7 }
      : { at: -1, weight: 0 };
  }
  for (const match of sentence.matchAll(/[\p{L}\p{M}][\p{L}\p{M}-]*/gu)) {
    if (sameWord(match[0], word)) return { at: match.index, weight: 1 };
  }
  return { at: -1, weight: 0 };
}

/** How well a sentence of the page answers; 0 where it lacks what was asked for, or is about something else. */
export function judge(sentence: string, ask: Ask, names: readonly string[], lead: string): Candidate {
  const aliases = names.flatMap(aliasesOf);
  const nothing: Candidate = { sentence, score: 0, at: -1 };
  if (/[:：]$/.test(sentence) || sentence.length > 600) return nothing;
  const folded = sentence.toLowerCase().replace(/(?<=\d),(?=\d{3})/g, '');
  if (!ask.literals.every((literal) => folded.includes(literal.toLowerCase()))) return nothing;
  const found = ask.demands.map((demand) => ({ demand, ...findDemand(sentence, demand, ask) }));
  // One plain word of many may be said in another way.
  const missing = found.filter(({ weight }) => weight === 0);
  const mayMiss = ({ demand }: (typeof found)[0]) =>
    'word' in demand &&
    demand.word !== ask.counted &&
    !/乘|除|[加减倍]|^(?:times|plus|minus|divided|multiplied|half|double|twice)$|est$|^(?:first|second|third|last|next)$|^[最第]/.test(
      demand.word,
    );
  const most = found.length > 1 && found.length + ask.literals.length >= 3 ? 1 : 0;
  if (missing.length > most || !missing.every(mayMiss)) return nothing;
  const places = found.flatMap((each) => (each.at < 0 ? [] : [each.at]));
  // Without a relation, an English subject stands before all that was asked for, a Chinese one may stand within it.
  const elsewhere = places.length === 0 ? 0 : isChinese(sentence) ? Math.max(...places) : Math.min(...places);
  const at = found.find(({ demand }) => 'family' in demand)?.at ?? elsewhere;
  // A fact tells what its label says, not what else stands in it.
  const label = isFact(sentence) && !sentence.includes(';') ? sentence.search(/[:：]/) : sentence.length;
  if (places.length > 0 && !places.some((place) => place < label)) return nothing;
  const candidate = { sentence, score: 0, at };
  if (!fitsType(candidate, ask, aliases)) return nothing;
  const about = sentence === lead ? 2 : aboutness(sentence, aliases, at, ask, lead);
  if (about < 0.5) return nothing;
  const weight = found.reduce((sum, { weight: each }) => sum + each, 0) / Math.max(1, found.length);
  return { ...candidate, score: weight * 8 + about * 2 - sentence.length / 400 };
}
