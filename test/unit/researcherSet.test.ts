import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runAgent } from '../../src/agent/agent';
import type { RunEnd } from '../../src/agent/event';
import { SampleWiki } from '../../src/knowledge/sampleWiki';
import { createResearcher } from '../../src/llm/researcher';
import { createToolbox } from '../../src/tools';
import { type Question, type Row, score, summary } from '../questions/score';

const FOLDER = 'test/questions/pages';
const questions = JSON.parse(readFileSync('test/questions/questions.json', 'utf8')) as Question[];

/** One question through the real loop and tools, over the set's own pages. */
async function answer(question: Question): Promise<RunEnd> {
  const source = new SampleWiki(FOLDER, question.language);
  let end: RunEnd | undefined;
  for await (const event of runAgent({
    question: question.question,
    llm: createResearcher(),
    toolbox: createToolbox({ source }),
    limits: {},
    signal: new AbortController().signal,
    language: question.language,
  })) {
    if (event.type === 'run-end') end = event;
  }
  assert(end, 'a run ends with run-end');
  return end;
}

describe('the built-in researcher on questions it was not written for', () => {
  it('is right often enough, says not found, and is seldom wrong (totals only, see test/questions/README.md)', async function () {
    this.timeout(60_000);
    const rows: Row[] = [];
    for (const question of questions) rows.push({ question, verdict: score(question, await answer(question)) });
    const { kinds, basicRight, unanswerableRight, wrong } = summary(rows);
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    console.log(
      `      one-hop and arithmetic right ${percent(basicRight)}, unanswerable said so ${percent(unanswerableRight)}, wrong ${percent(wrong)}`,
    );
    for (const [kind, counts] of Object.entries(kinds)) console.log(`      ${kind}: ${JSON.stringify(counts)}`);
    assert(basicRight >= 0.6, `one-hop and arithmetic right: ${percent(basicRight)}`);
    assert(unanswerableRight >= 0.9, `unanswerable said so: ${percent(unanswerableRight)}`);
    assert(wrong <= 0.1, `wrong: ${percent(wrong)}`);
  });
});
