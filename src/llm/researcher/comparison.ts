import { type Ask, chineseDemands, englishDemands, familiesOf } from './ask';
import { namesIn, trimChinese } from './entities';
import type { Question } from './question';
import { isChinese } from './text';
import { ASKED, COMPARATIVES, familyById } from './words';

/** What is wanted of two values, where it is not the larger one. */
const OPERATORS: readonly [RegExp, '+' | '-' | '/'][] = [
  [/\bhow many times\b|[几少]倍/i, '/'],
  [/\b(?:difference|minus)\b|\bhow many years\b.*\bbetween\b|相差|之差|差多少|减去|减/i, '-'],
  [/\b(?:sum|combined|together|plus)\b|之和|总和|加起来|加上/i, '+'],
];

/** A question that sets two things side by side; undefined for any other. */
export function comparisonOf(text: string): Extract<Question, { kind: 'compare' }> | undefined {
  const chinese = isChinese(text);
  const asked = chinese ? chineseDemands(text) : englishDemands(text);
  const families = familiesOf(asked.demands);
  const operation = OPERATORS.find(([pattern]) => pattern.test(text))?.[1];
  const named = operation && families.find(({ type }) => type === 'number' || type === 'date');
  const comparative =
    COMPARATIVES.find(({ pattern }) => pattern.test(text)) ??
    (named ? { relation: named.type === 'date' ? 'date' : named.id, larger: true } : undefined);
  if (!comparative) return undefined;
  const entities = chinese ? chinesePair(text) : englishPair(text);
  if (entities?.length !== 2 || entities.some((name) => !name)) return undefined;
  const dated = comparative.relation === 'date';
  const wanted = dated
    ? (families.find(({ id }) =>
        ['birth', 'death', 'found', 'publish', 'build', 'finish', 'discover', 'create', 'invent', 'begin'].includes(id),
      ) ?? undefined)
    : familyById(comparative.relation);
  const operator = operation ?? (/\bhow (?:much|many)\b|多少|几/i.test(text) ? '-' : undefined);
  const ask: Ask = { type: dated ? 'date' : 'number', demands: wanted ? [{ family: wanted }] : [], literals: [] };
  return {
    kind: 'compare',
    entities: [entities[0]!, entities[1]!],
    ask,
    larger: comparative.larger,
    ...(operator ? { operator } : {}),
  };
}

function chinesePair(text: string): string[] | undefined {
  for (const piece of text.replace(ASKED, '\u0001').split(/[\u0001，,：:]|相比|之间/)) {
    const pair = /^(?:在)?(.+?)\s*(?:还是|减去|加上|和|与|跟|或|、|比)\s*(.+)$/.exec(piece)?.slice(1, 3);
    const names = pair?.map((name) =>
      trimChinese(
        name.replace(/[《》“”]/g, '').replace(/(?:更|要|得)*[高矮长短早晚大小老重轻深多]?(?:的|中)?\s*$/, ''),
      ),
    );
    if (names?.every(Boolean)) return names;
  }
  return undefined;
}

function englishPair(text: string): string[] | undefined {
  const names = namesIn(text).map((span) => span.text);
  const pair = names.flatMap((name) => name.split(/ or | and /));
  if (pair.length === 2 && /\b(?:or|than|and|before|after|between|minus|plus)\b/.test(text)) return pair;
  const plain =
    /(?:[,:]|\bis|\bwas|\bof|\bbetween)\s+(?:the )?([\w -]+?)\s+(?:or|and)\s+(?:the )?([\w -]+?)\s*\??$/i.exec(text);
  return plain?.slice(1, 3).map((name) => name.trim());
}
