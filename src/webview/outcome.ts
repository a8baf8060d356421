import type { RunEnd } from '../agent/event';
import type { IconName } from './icons';

const SIGNS: Record<RunEnd['outcome'], { sign: IconName; kind: string }> = {
  answered: { sign: 'check', kind: 'answered' },
  limit: { sign: 'limit', kind: 'warned' },
  cancelled: { sign: 'stop', kind: 'off' },
  failed: { sign: 'cross', kind: 'failed' },
};

/** How an end is shown: its sign, and the class that says its kind. */
export function outcomeSign(end: RunEnd): { sign: IconName; kind: string } {
  return end.found === false ? { sign: 'limit', kind: 'warned' } : SIGNS[end.outcome];
}
