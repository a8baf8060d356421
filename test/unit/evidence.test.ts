import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Observation, ToolInput } from '../../src/agent/event';
import { checkAnswer } from '../../src/agent/evidence';
import { emptyTrace, fold, type Trace } from '../../src/agent/trace';

const TIME = '2026-01-01T00:00:00.000Z';

interface Labelled {
  passages: Record<string, { title: string; language: string; sentences: string[] }>;
  answers: {
    kind: string;
    question: string;
    passages: string[];
    answer: string;
    claims: { supported: boolean; sentence?: number }[];
  }[];
}

function start(question: string): Trace {
  return fold(emptyTrace(), {
    type: 'run-start',
    time: TIME,
    version: 1,
    run: 'r',
    question,
    language: 'en',
    provider: 'test',
    model: 'm',
    protocol: 'text',
    tools: [],
    limits: { steps: 8, seconds: 60 },
  });
}

function observe(
  trace: Trace,
  tool: string,
  input: ToolInput,
  observation: Partial<Observation> & { text: string },
): Trace {
  const step = trace.steps.length + 1;
  fold(trace, { type: 'action', time: TIME, step, tool, input });
  return fold(trace, { type: 'observation', time: TIME, step, ok: true, ms: 1, ...observation });
}

/** An observation as a Search gives it: a heading, then the page's sentences with their places. */
function page(title: string, sentences: readonly string[]): Partial<Observation> & { text: string } {
  let text = `${title}: ${sentences.length} sentences. `;
  const spans = sentences.map((sentence, index) => {
    const start = text.length;
    text += sentence;
    const end = text.length;
    text += ' ';
    return { index, start, end };
  });
  return { text, sentences: spans, document: { title, url: `sample:${title}`, fetchedAt: TIME, hash: title } };
}

describe('evidence: labelled answers', () => {
  const { passages, answers }: Labelled = JSON.parse(
    readFileSync(path.join(process.cwd(), 'test/fixtures/evidence.json'), 'utf8'),
  );
  const judged = answers.flatMap(({ kind, question, passages: keys, answer, claims }) => {
    const trace = start(question);
    for (const key of keys) observe(trace, 'Search', key, page(passages[key]!.title, passages[key]!.sentences));
    const { support } = checkAnswer(answer, trace, 'en');
    assert.equal(support.length, claims.length, `${answer}: ${JSON.stringify(support)}`);
    return claims.map((claim, index) => ({ kind, question, answer, ...claim, found: support[index]! }));
  });

  it('calls no unsupported claim verbatim', () => {
    const wrong = judged.filter(({ supported, found }) => !supported && found.status === 'verbatim');
    assert.deepEqual(
      wrong.map(({ answer }) => answer),
      [],
    );
  });

  it('finds at least 90 % of the supported claims, and gives most unsupported ones no support at all', () => {
    const supported = judged.filter((claim) => claim.supported);
    const missed = supported.filter(({ found }) => found.status === 'none');
    const unsupported = judged.filter((claim) => !claim.supported);
    const lenient = unsupported.filter(({ found }) => found.status !== 'none');
    console.log(
      `      ${supported.length} supported: ${supported.filter(({ found }) => found.status === 'verbatim').length} verbatim, ${missed.length} missed; ` +
        `${unsupported.length} unsupported: ${lenient.length} partial`,
    );
    for (const { kind, question, answer } of [...missed, ...lenient])
      console.log(`      ${kind}: ${question} — ${answer}`);
    assert.ok(missed.length <= supported.length * 0.1);
    assert.ok(lenient.length <= unsupported.length * 0.1);
  });

  it('points at the right sentence', () => {
    const astray = judged.filter(
      ({ sentence, found }) => sentence !== undefined && found.status !== 'none' && found.sentence !== sentence,
    );
    assert.deepEqual(
      astray.map(({ answer, found, sentence }) => [answer, found.sentence, sentence]),
      [],
    );
  });
});
