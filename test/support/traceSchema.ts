import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import type { TraceEvent } from '../../src/agent/event';

const validate = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(readFileSync('docs/trace-format.schema.json', 'utf8')),
);

/** Asserts what docs/trace-format.md promises of a whole trace: every event by the schema, and the rules between events. */
export function assertTrace(events: readonly TraceEvent[]): void {
  for (const event of events) {
    const text = JSON.stringify(event).slice(0, 300);
    assert(validate(JSON.parse(JSON.stringify(event))), `${JSON.stringify(validate.errors)} in ${text}`);
  }
  assert.equal(events[0]?.type, 'run-start');
  assert.equal(events.filter(({ type }) => type === 'run-end').length, 1);
  assert.equal(events.at(-1)?.type, 'run-end');
  for (const event of events) {
    if (event.type !== 'observation') continue;
    for (const { start, end } of event.sentences ?? []) {
      assert(start >= 0 && start < end && end <= event.text.length, 'a sentence lies within its observation');
    }
    assert(!/^\s*(?:Action|Final Answer)\b.*:/m.test(event.hintAt === undefined ? '' : event.text.slice(event.hintAt)));
  }
  for (const event of events) {
    if (event.type === 'action' && event.tool === 'Finish') {
      assert(!events.some((other) => other.type === 'observation' && other.step === event.step));
    }
  }
}
