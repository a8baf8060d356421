import assert from 'node:assert/strict';
import { join } from 'node:path';
import { foldAll } from '../../src/agent/trace';
import { rawStep } from '../../src/host/traceSlices';
import { openSource } from '../../src/knowledge';
import { createToolbox } from '../../src/tools';
import { parseTrace } from '../../src/traces/readTrace';
import { ofType, type Story, tell, toolOf } from '../support/story';

const sampleTools = () => [
  ...createToolbox({
    source: openSource('sample:', { sampleFolder: join('media', 'sample-wiki'), language: 'en' }),
  }).values(),
];

/** What a process leaves that is killed after so many lines, the last of them torn. */
function killedAfter(story: Story, lines: number) {
  const text = story.stored.map((event) => JSON.stringify(event)).join('\n');
  const kept = text.split('\n').slice(0, lines).join('\n');
  return parseTrace(`${kept}\n${(text.split('\n')[lines] ?? '').slice(0, 30)}`);
}

const resume = (events: Story['stored'], step?: number) => ({
  parent: { run: 'earlier', kind: 'resume' as const, ...(step === undefined ? {} : { step }) },
  traces: [foldAll(events)],
});

describe('a run that goes on', () => {
  it('after a kill begins behind its last complete step, on the page that lay open', async () => {
    const first = await tell(
      [
        'Thought: a\nAction: Search[Ada Lovelace]',
        'Thought: b\nAction: Lookup[Engine]',
        'Thought: c\nAction: Lookup[Engine]',
        'Finish[x]',
      ],
      { tools: sampleTools() },
    );
    const observations = ofType(first.stored, 'observation');
    assert(observations[1]?.ok && observations[2]?.ok, 'the article names the engine more than once');
    const second = first.stored.indexOf(observations[1]!);
    const cut = killedAfter(first, second + 2);
    assert.equal(cut.torn, true);
    const asked: number[] = [];
    const again = await tell(
      (_messages, _options, call) => {
        asked.push(call);
        return call === 1 ? 'Thought: c\nAction: Lookup[Engine]' : 'Finish[x]';
      },
      { tools: sampleTools(), prior: resume(cut.events, 2) },
    );
    assert.deepEqual(asked, [1, 2], 'steps that were paid for are not asked for again');
    assert.deepEqual(
      ofType(again.stored, 'action').map(({ step, tool }) => `${step} ${tool}`),
      ['1 Search', '2 Lookup', '3 Lookup', '4 Finish'],
    );
    // The open page is there, and Lookup goes on behind the hit that was shown before the kill.
    assert.equal(ofType(again.stored, 'observation')[2]?.text, observations[2]?.text);
  });

  it('tells in its first request all that the model reads, in place of the earlier requests', async () => {
    const echo = () => toolOf('Search', (input) => `about ${input}`);
    const first = await tell(['Action: Search[a]', 'Action: Search[b]', 'Finish[c]'], { tools: [echo()] });
    const cut = killedAfter(first, first.stored.findIndex(({ type }) => type === 'observation') + 1);
    const sent: number[] = [];
    const again = await tell(
      (messages) => {
        sent.push(messages.length);
        return 'Finish[c]';
      },
      { tools: [echo()], prior: resume(cut.events) },
    );
    assert.equal(rawStep(again.stored, 2, true).requests.at(-1)?.messages.length, sent[0]);
  });

  it('after a step limit gets as many steps again, and leaves corrections behind', async () => {
    const echo = () => toolOf('Search', (input) => `about ${input}`);
    let n = 0;
    const first = await tell(
      (_messages, _options, call) => (call === 2 ? 'I am not sure what to do.' : `Action: Search[topic ${++n}]`),
      { tools: [echo()], limits: { steps: 3 } },
    );
    assert.equal(first.end.outcome, 'limit');
    const again = await tell(() => `Action: Search[topic ${++n}]`, {
      tools: [echo()],
      limits: { steps: 3 },
      prior: resume(first.stored),
    });
    const acted = ofType(again.stored, 'observation').length;
    assert.equal(acted, 6);
    assert.equal(ofType(again.stored, 'run-start')[0]?.limits.steps, 6);
  });

  it('after a kill keeps to the limit of the whole', async () => {
    const echo = () => toolOf('Search', (input) => `about ${input}`);
    const first = await tell(['Action: Search[a]', 'Action: Search[b]', 'Finish[c]'], { tools: [echo()] });
    const cut = killedAfter(first, first.stored.length - 1);
    const again = await tell((_m, _o, call) => `Action: Search[topic ${call}]`, {
      tools: [echo()],
      limits: { steps: 4 },
      prior: resume(cut.events),
    });
    assert.equal(ofType(again.stored, 'observation').length, 4);
  });

  it('goes on where the page can’t be opened any more', async () => {
    let runs = 0;
    const search = () =>
      toolOf(
        'Search',
        (input) => {
          if (++runs > 1) throw new Error('gone');
          return `about ${input}`;
        },
        { opensPage: true },
      );
    const first = await tell(['Action: Search[a]', 'Finish[c]'], { tools: [search()] });
    const cut = killedAfter(first, first.stored.length - 3);
    const again = await tell(['Finish[c]'], { tools: [search()], prior: resume(cut.events) });
    assert.equal(runs, 2);
    assert.equal(again.end.outcome, 'answered');
  });
});
