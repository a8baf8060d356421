import assert from 'node:assert/strict';
import { citationsOf } from '../../../src/agent/citations';
import type { RunEnd } from '../../../src/agent/event';

describe('the numbers of an answer’s evidence', () => {
  const end: RunEnd = {
    type: 'run-end',
    time: '2026-01-01T00:00:00.000Z',
    outcome: 'answered',
    sources: [{ title: 'China', url: 'sample:China', steps: [1] }],
    support: [
      { claim: 'said', status: 'verbatim', step: 1, sentence: 7 },
      { claim: 'calculated', status: 'verbatim', step: 3 },
      { claim: 'said again', status: 'partial', step: 1, sentence: 7 },
      { claim: 'made up', status: 'none' },
    ],
    steps: 3,
    ms: 1,
  };

  it('give a sentence one number, and keep a calculated claim as found though no page holds it', () => {
    const claims = citationsOf(end, () => undefined);
    assert.deepEqual(
      claims.map(({ status, citation }) => [status, citation?.number]),
      [
        ['verbatim', 1],
        ['verbatim', undefined],
        ['partial', 1],
        ['none', undefined],
      ],
    );
    assert.equal(claims[0]?.citation?.title, 'China');
  });
});
