import type { Ask } from './ask';
import { comparisonOf } from './comparison';
import { chineseEntities, englishEntities } from './entities';
import { around, type Reading } from './reading';
import { arithmeticOf, type Sum } from './sums';
import { HAN } from './text';
import { ASKED } from './words';

export type Question =
  | { kind: 'sum'; expression: string }
  | { kind: 'compare'; entities: [string, string]; ask: Ask; larger: boolean; operator?: '+' | '-' | '/' }
  | { kind: 'fact'; text: string; readings: Reading[]; over?: Sum; around(entity: string): Reading };

const POLITE =
  /^(?:(?:hi|hello|please|so|and|now)[, ]+)*(?:(?:can|could|would) you )?(?:please )?(?:(?:tell|show) me|do you know|i(?:'d like| would like| want) to know|find out|let me know)[:, ]+(?:about )?|^(?:请问一下|请问|请告诉我|告诉我|你知道|我想知道|想知道|帮我查一下|帮我查|查一下|请)[：:，, ]*/i;

/** Reads a question: plain arithmetic, a comparison, or a fact (with arithmetic over it) about one of its names. */
export function readQuestion(asked: string): Question {
  const text = asked
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(POLITE, '')
    .replace(/[\s?？。.!！]+$/u, '');
  const sum = arithmeticOf(text);
  if (typeof sum === 'string') return { kind: 'sum', expression: sum };
  const comparison = sum ? undefined : comparisonOf(text);
  if (comparison) return comparison;
  const core = sum?.fact ?? text;
  const read = (entity: string): Reading => {
    const reading = around(core, entity);
    if (sum) reading.hops.at(-1)!.type = 'number';
    return reading;
  };
  const english = /\b(?:who|what|when|where|which|how)\b/i.test(core) && core.search(ASKED) === -1;
  const entities = HAN.test(core) && !english ? chineseEntities(core) : englishEntities(core);
  return { kind: 'fact', text: core, readings: entities.map(read), ...(sum ? { over: sum } : {}), around: read };
}
