import assert from 'node:assert/strict';
import type { TraceEvent } from '../../src/agent/event';
import { Conversation } from '../../src/host/conversation';
import { copyText } from '../../src/host/copyText';
import { page } from '../../src/host/page';
import { findInRun, rawStep, sliceSteps } from '../../src/host/traceSlices';
import type { ToWebview } from '../../src/protocol';
import { HandSource } from '../support/handSource';
import { answered, long, running } from '../support/viewHarnessStory';

const stepsOf = (events: readonly { type: string }[]) => [
  ...new Set(events.flatMap((event) => ('step' in event ? [event.step as number] : []))),
];

function talk(source = new HandSource()) {
  const posted: ToWebview[] = [];
  const clipboard: string[] = [];
  const conversation = new Conversation(
    {
      post: (message) => posted.push(message),
      openExternal: () => undefined,
      focused: () => {},
      writeClipboard: async (text) => {
        if (text.includes('refuse')) throw new Error('no clipboard');
        clipboard.push(text);
      },
      t: (english) => english,
    },
    source,
  );
  return { source, posted, clipboard, conversation };
}

describe('slices of a trace', () => {
  it('begin with the newest steps, whole, and with start and end', () => {
    const { from, to, events } = sliceSteps(long(200, 500));
    assert.deepEqual([from, to], [151, 200]);
    assert.equal(events[0]!.type, 'run-start');
    assert.equal(events.filter((event) => event.type === 'observation').length, 50);
  });

  it('stay small when steps are large, and a step is never cut in two', () => {
    const slice = sliceSteps(long(100, 60_000));
    const size = JSON.stringify(slice).length;
    assert.ok(size < 1_300_000, `${size} units`);
    assert.equal(slice.to, 100);
    assert.ok(slice.from > 60 && slice.from < 95, `from ${slice.from}`);
    for (const step of stepsOf(slice.events)) {
      const types = slice.events.flatMap((event) => ('step' in event && event.step === step ? [event.type] : []));
      assert.deepEqual(types, ['model-request', 'model-reply', 'thought', 'action', 'observation']);
    }
  });

  it('hold the steps that were asked for', () => {
    assert.deepEqual(stepsOf(sliceSteps(long(30, 100), 12, 10).events), [10, 11, 12]);
    assert.deepEqual(sliceSteps([]), { from: 0, to: 0, events: [] });
  });

  it('leave out what the model read, and cut a question of a megabyte', () => {
    const events = long(1, 10);
    const huge = [{ ...events[0]!, question: 'x'.repeat(1_500_000) } as TraceEvent, ...events.slice(1)];
    const slice = sliceSteps(huge);
    assert.ok(JSON.stringify(slice).length < 110_000);
    const request = slice.events.find((event) => event.type === 'model-request');
    assert.deepEqual(request?.messages, []);
    assert.match((slice.events[0] as { question: string }).question, /… \(\+1400000\)$/);
  });
});

describe('what the model saw', () => {
  it('is the whole history, with the new messages told apart', () => {
    const { requests, reply } = rawStep(answered, 2, false);
    assert.deepEqual(
      requests[0]!.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
    );
    assert.equal(requests[0]!.newFrom, 2);
    assert.equal(reply?.finishReason, 'stop');
  });

  it('begins anew where the history was rewritten', () => {
    const events = answered.map((event) =>
      event.type === 'model-request' && event.step === 3 ? { ...event, rewrite: true } : event,
    );
    const { requests } = rawStep(events, 3, false);
    assert.equal(requests[0]!.rewritten, true);
    assert.equal(requests[0]!.newFrom, 0);
    assert.equal(requests[0]!.messages.length, 2);
  });

  it('shows excerpts of old messages until the whole is asked for', () => {
    const events = structuredClone(answered) as TraceEvent[];
    const first = events.find((event) => event.type === 'model-request')!;
    first.messages[0]!.content = 'm'.repeat(50_000);
    const short = rawStep(events, 2, false).requests[0]!;
    assert.ok(short.messages[0]!.content.length < 2_100);
    assert.equal(short.lengths[0], 50_000);
    assert.equal(rawStep(events, 2, true).requests[0]!.messages[0]!.content.length, 50_000);
  });
});

describe('finding in a run', () => {
  it('counts in question, steps and answer, whatever the case', () => {
    assert.deepEqual(findInRun(answered, 'ANALYTICAL ENGINE'), [
      { step: 1, count: 1 },
      { step: 2, count: 1 },
      { step: 3, count: 3 },
      { step: 4, count: 1 },
      { step: -1, count: 1 },
    ]);
    assert.deepEqual(findInRun(answered, 'how many digits'), [{ step: 0, count: 1 }]);
    assert.deepEqual(findInRun(answered, ''), []);
  });
});

describe('copying', () => {
  it('has all steps as text, also those that no view shows', () => {
    const text = copyText(long(500, 200), 'text');
    for (const step of [1, 250, 500]) assert.ok(text.includes(`Action ${step}: Search[Page ${step}]`));
  });

  it('writes a request for a shell, without a key', () => {
    const curl = copyText(answered, 'curl', 2);
    assert.match(curl, /^curl "\$OPENAI_BASE_URL\/chat\/completions"/);
    assert.match(curl, /Bearer \$OPENAI_API_KEY/);
    const body = JSON.parse(/-d '([\s\S]*)'$/.exec(curl)![1]!.replaceAll(`'\\''`, "'"));
    assert.equal(body.model, 'gpt-4.1-mini');
    assert.equal(body.temperature, 0);
    assert.equal(body.messages.length, 4);
  });

  it('quotes the answer with its numbered sources', () => {
    assert.match(
      copyText(answered, 'answer'),
      /each\.\n\n\[1\] Note G https:\/\/en\.wikipedia\.org\/wiki\/Note_G\n\[2\] /,
    );
  });

  it('gives one step as lines of JSON', () => {
    const lines = copyText(answered, 'json', 4).trim().split('\n');
    assert.equal(lines.length, 5);
    for (const line of lines) assert.equal(JSON.parse(line).step, 4);
  });
});

describe('the conversation with a view', () => {
  it('says nothing before the view is ready, then everything', async () => {
    const { source, posted, conversation } = talk();
    source.show(running, 'running');
    source.happen({ type: 'thought', time: '2025-03-03T09:00:05.000Z', step: 3, text: 'early' });
    conversation.focus('question');
    assert.equal(posted.length, 0);
    await conversation.receive({ type: 'ready' });
    const [reset, focus] = posted;
    assert.equal(reset?.type, 'reset');
    assert.deepEqual(stepsOf((reset as Extract<ToWebview, { type: 'reset' }>).events), [1, 2, 3]);
    assert.deepEqual(focus, { type: 'focus', target: 'question' });
    conversation.dispose();
  });

  it('holds deltas together and keeps their order before other events', async () => {
    const { source, posted, conversation } = talk();
    source.show(running, 'running');
    await conversation.receive({ type: 'ready' });
    const time = '2025-03-03T09:00:05.000Z';
    for (const text of 'abcdefgh') source.happen({ type: 'delta', time, step: 3, channel: 'text', text });
    source.happen({ type: 'thought', time, step: 3, text: 'abcdefgh' });
    const events = posted.filter((message) => message.type === 'events');
    assert.equal(events.length, 1);
    assert.deepEqual(
      events[0]!.events.map(({ type }) => type),
      [...Array(8).fill('delta'), 'thought'],
    );
    conversation.dispose();
  });

  it('posts as much for an event late in a run as early in it', async () => {
    const sizes = [];
    for (const steps of [20, 1000]) {
      const { source, posted, conversation } = talk();
      source.show(long(steps, 300), 'running');
      await conversation.receive({ type: 'ready' });
      posted.length = 0;
      source.happen({ type: 'thought', time: '2025-03-03T09:00:05.000Z', step: steps + 1, text: 'next' });
      sizes.push(JSON.stringify(posted).length);
      conversation.dispose();
    }
    assert.ok(sizes[1]! - sizes[0]! < 10, sizes.join());
  });

  it('is silent while the view is hidden and lets go of everything in the end', async () => {
    const { source, posted, conversation } = talk();
    source.show(running, 'running');
    await conversation.receive({ type: 'ready' });
    posted.length = 0;
    conversation.sleep();
    source.happen({ type: 'thought', time: '2025-03-03T09:00:05.000Z', step: 3, text: 'unseen' });
    source.fail({ message: 'm', hint: 'h' });
    assert.deepEqual(posted, []);
    conversation.dispose();
    assert.equal(source.listeners, 0);
  });

  it('acts on messages of ours only, and only for the run that is shown', async () => {
    const { source, posted, conversation } = talk();
    source.show(running, 'running');
    await conversation.receive({ type: 'ready' });
    posted.length = 0;
    await conversation.receive({ type: 'command', id: 'workbench.action.terminal.new' });
    await conversation.receive({ type: 'load', run: 'another', from: 1, to: 2 });
    assert.deepEqual([source.calls, posted], [[], []]);
    await conversation.receive({ type: 'ask', id: 'x', question: 'next?' });
    assert.deepEqual(posted, [{ type: 'asked', id: 'x', accepted: true }]);
    conversation.dispose();
  });

  it('says so when the clipboard refuses', async () => {
    const { source, posted, clipboard, conversation } = talk();
    source.show([{ ...running[0]!, question: 'refuse this' } as TraceEvent], 'running');
    await conversation.receive({ type: 'ready' });
    await conversation.receive({ type: 'copy', what: 'text' });
    assert.deepEqual(clipboard, []);
    assert.equal(posted.at(-1)?.type, 'error');
    conversation.dispose();
  });
});

describe('an error that nobody heard', () => {
  const report = { message: 'No.', hint: 'Mend it.' };
  const types = (posted: readonly ToWebview[]) => posted.map(({ type }) => type);

  it('is told once the view listens, and once only', async () => {
    const { source, posted, conversation } = talk();
    source.fail(report);
    await conversation.receive({ type: 'ready' });
    assert.deepEqual(types(posted), ['reset', 'error']);
    conversation.sleep();
    await conversation.receive({ type: 'ready' });
    assert.deepEqual(types(posted), ['reset', 'error', 'reset']);
  });

  it('is void once a run has begun', async () => {
    const { source, posted, conversation } = talk();
    source.show([], 'running');
    source.fail(report);
    source.happen(answered[0]!);
    await conversation.receive({ type: 'ready' });
    assert.deepEqual(types(posted), ['reset']);
  });
});

describe("the view's document", () => {
  it('allows one script and one style sheet, and escapes what it is given', () => {
    const html = page({
      nonce: 'N0NCE',
      cspSource: 'vscode-resource:',
      scriptUri: 'vscode-resource:/a"b.js',
      styleUri: 'vscode-resource:/a.css',
      language: 'en',
      title: '<x>',
    });
    assert.match(
      html,
      /default-src &#39;none&#39;; script-src &#39;nonce-N0NCE&#39;; style-src vscode-resource: &#39;nonce-N0NCE&#39;/,
    );
    assert.match(html, /<title>&#60;x&#62;<\/title>/);
    assert.match(html, /src="vscode-resource:\/a&#34;b.js"/);
    assert.doesNotMatch(html, / on\w+=|unsafe/);
  });
});
