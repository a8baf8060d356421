import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TraceEvent } from '../../src/agent/event';
import { Conversation } from '../../src/host/conversation';
import { COMMANDS, CONTROLS, COPIES, type ToWebview } from '../../src/protocol';
import { parseTrace } from '../../src/traces/readTrace';
import { Model, noChange } from '../../src/webview/model';
import { damaged, randomTrace } from '../support/damage';
import { HandSource } from '../support/handSource';
import { answered } from '../support/viewHarnessStory';

const RUNS = 10_000;

/** The host's side of a view, with the view's own model at the other end of the line. */
function line(events: readonly TraceEvent[]) {
  const source = new HandSource();
  source.show(events, 'running');
  const model = new Model();
  const posted: ToWebview[] = [];
  const conversation = new Conversation(
    {
      post(message) {
        posted.push(message);
        model.receive(structuredClone(message), noChange());
      },
      openExternal: (url) => assert.match(url, /^https?:\/\//),
      focused: () => {},
      writeClipboard: async () => {},
      t: (english) => english,
    },
    source,
  );
  return { source, model, posted, conversation };
}

const small = fc.oneof(
  fc.integer({ min: -2, max: 12 }),
  fc.constantFrom<unknown>(1.5, Number.NaN, '1', null, undefined),
);
const message = fc.oneof(
  fc.anything(),
  fc.record({
    type: fc.constantFrom(
      'ready',
      'ask',
      'draft',
      'load',
      'load-raw',
      'find',
      'open-source',
      'copy',
      'control',
      'command',
    ),
    run: fc.constantFrom('run-1', 'another', '__proto__', 7),
    id: fc.oneof(small, fc.constantFrom(...COMMANDS, 'toString')),
    question: fc.string(),
    from: small,
    to: small,
    step: small,
    sentence: small,
    whole: fc.boolean(),
    query: fc.oneof(fc.string({ maxLength: 3 }), fc.anything()),
    what: fc.constantFrom(...COPIES, 'key'),
    action: fc.constantFrom(...CONTROLS, 'allow'),
    text: fc.oneof(fc.string(), small),
    draft: fc.record({ text: fc.string(), selectionStart: small, selectionEnd: small, time: small }),
  }),
);

describe('anything that may come, from a view or from a file', () => {
  it('10,000 random messages: no throw, and never an answer for another run', async () => {
    const { posted, conversation, model } = line(answered);
    await conversation.receive({ type: 'ready' });
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(message, async (one) => {
        posted.length = 0;
        await conversation.receive(one);
        answers += posted.length;
        for (const answer of posted) if ('run' in answer) assert.equal(answer.run, 'run-1');
      }),
      { numRuns: RUNS },
    );
    assert.ok(answers > 200, `${answers} of them meant something`);
    assert.equal(model.trace.end?.outcome, 'answered', 'the view still shows the run');
    conversation.dispose();
  }).timeout(60_000);

  it('10,000 damaged trace files: no throw, and what stands before the damage is shown', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const written = randomTrace(seed);
      const { text, whole } = damaged(
        written.map((event) => `${JSON.stringify(event)}\n`),
        seed,
      );
      const { events } = parseTrace(text);
      const { source, model, conversation } = line([]);
      await conversation.receive({ type: 'ready' });
      for (const event of events) source.happen(event);
      const steps = [...new Set(written.slice(0, whole).flatMap((event) => ('step' in event ? [event.step] : [])))];
      const look = () => steps.filter((step) => !model.step(step) || !model.outline(step));
      assert.deepEqual(look(), [], `seed ${seed}, live`);
      source.show(events, 'ended');
      assert.deepEqual(look(), [], `seed ${seed}, from the start`);
      for (const step of steps) await conversation.receive({ type: 'load-raw', run: 'run-1', step, whole: true });
      for (const what of COPIES) await conversation.receive({ type: 'copy', what, step: 1 });
      for (const what of COPIES) await conversation.receive({ type: 'copy', what });
      await conversation.receive({ type: 'find', id: 1, query: 'a' });
      conversation.dispose();
    }
  }).timeout(60_000);
});
