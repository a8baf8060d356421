import assert from 'node:assert/strict';
import { Inbox } from '../../../src/agent/inbox';
import { callOf, ofType, tell, toolOf } from '../../support/story';

const echo = () => toolOf('Search', (input) => `A page about ${input}.`);
const FINISH = 'Thought: found.\nAction: Finish[Ada]';

describe('native calls', () => {
  const finish = (args: object | string) => [{ toolCalls: [callOf('1', 'Finish', args)] }];
  const told = async (args: object | string) =>
    (await tell(finish(args), { tools: [echo()], protocol: 'tools' })).end.answer;

  it('finish with an argument of any name and kind', async () => {
    assert.equal(await told({ thought: 't', result: 'Paris' }), 'Paris');
    assert.equal(await told({ answer: 1843 }), '1843');
    assert.equal(await told({ answer: { city: 'Paris' } }), '{"city":"Paris"}');
    assert.equal(await told('Paris'), 'Paris');
    assert.equal(await told("{'answer': 'Paris',}"), 'Paris');
  });

  it('with an empty Finish are corrected, and the correction is the call’s result', async () => {
    const { stored, end } = await tell(
      [
        { toolCalls: [callOf('1', 'Finish', { thought: 't' })] },
        { toolCalls: [callOf('2', 'Finish', { answer: 'Paris' })] },
      ],
      { tools: [echo()], protocol: 'tools' },
    );
    assert.equal(end.answer, 'Paris');
    assert.match(ofType(stored, 'observation')[0]?.text ?? '', /call of Finish held no answer/);
    assert.deepEqual(
      ofType(stored, 'model-request')[1]?.messages.map(({ role, toolCallId }) => [role, toolCallId]),
      [
        ['assistant', undefined],
        ['tool', '1'],
      ],
    );
  });

  it('that the output cap cut in two are asked for again with more room', async () => {
    const { stored, end } = await tell(
      [
        { toolCalls: [callOf('1', 'Finish', '{"thought":"t","answer":"Par')], finishReason: 'length' },
        { toolCalls: [callOf('2', 'Finish', { answer: 'Paris' })] },
      ],
      { tools: [echo()], protocol: 'tools' },
    );
    assert.equal(end.answer, 'Paris');
    assert(ofType(stored, 'notice').some(({ text }) => text.includes('2048')));
  });

  it('in parallel keep to the step limit, and what was not run is told to the model', async () => {
    const calls = ['a', 'b', 'c', 'd'].map((id) => callOf(id, 'Search', { thought: id, input: id.repeat(4) }));
    const { stored, end } = await tell(
      [{ toolCalls: calls }, { toolCalls: [callOf('z', 'Finish', { answer: 'best' })] }],
      {
        tools: [echo()],
        protocol: 'tools',
        limits: { steps: 2 },
      },
    );
    assert.equal(end.outcome, 'limit');
    assert.equal(end.answer, 'best');
    assert.equal(ofType(stored, 'observation').length, 2);
    const last = ofType(stored, 'model-request').at(-1);
    assert.deepEqual(
      last?.messages.map(({ role, toolCallId }) => toolCallId ?? role),
      ['assistant', 'a', 'b', 'c', 'd', 'user'],
    );
    assert.deepEqual(
      (last?.options.tools as { name: string }[] | undefined)?.map(({ name }) => name),
      ['Finish'],
    );
  });

  it('run in order around an unknown tool, a repeat, and a Finish in the middle', async () => {
    const asked: string[] = [];
    const tool = toolOf('Search', (input) => `found ${asked.push(input)}`);
    const { stored, end } = await tell(
      [
        {
          toolCalls: [
            callOf('1', 'Search', { input: 'one' }),
            callOf('2', 'Search', { input: 'one' }),
            callOf('3', 'Login', { input: 'x' }),
            callOf('4', 'finish', { answer: 'done' }),
            callOf('5', 'Search', { input: 'two' }),
          ],
        },
      ],
      { tools: [tool], protocol: 'tools' },
    );
    assert.equal(end.answer, 'done');
    assert.deepEqual(asked, ['one']);
    assert.deepEqual(
      ofType(stored, 'observation').map(({ ok, blocked }) => [ok, blocked ?? false]),
      [
        [true, false],
        [false, true],
        [false, false],
      ],
    );
  });

  it('that come in the text protocol are told back in its notation', async () => {
    const { stored, end } = await tell(
      [
        {
          text: 'I look.',
          toolCalls: [callOf('1', 'Search', { thought: 'one', input: 'a' }), callOf('2', 'Search', { input: 'b' })],
        },
        'Action: Finish[both]',
      ],
      { tools: [echo()] },
    );
    assert.equal(end.answer, 'both');
    const sent = ofType(stored, 'model-request')[1]?.messages ?? [];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['assistant', 'user', 'assistant', 'user'],
    );
    assert(sent.every(({ toolCalls, toolCallId }) => !toolCalls && !toolCallId));
    assert.match(sent[0]?.content ?? '', /^Thought 1: one\nAction 1: Search\[a\]$/);
  });

  it('and a reply in text are both read in the tools protocol', async () => {
    const { end } = await tell(
      ['Thought: t\nAction: Search[a]', { toolCalls: [callOf('1', 'Finish', { answer: 'b' })] }],
      {
        tools: [echo()],
        protocol: 'tools',
      },
    );
    assert.equal(end.answer, 'b');
  });

  it('start their tool as soon as they are whole, and those that follow run after it', async () => {
    let started = 0;
    let streamed = 0;
    const tool = toolOf('Search', (input) => {
      started ||= performance.now();
      return `About ${input}.`;
    });
    let calls = 0;
    const { stored, end } = await tell([], {
      tools: [tool],
      protocol: 'tools',
      llm: {
        provider: 'scripted',
        model: 'm',
        async *stream() {
          if (calls++ > 0) {
            yield { type: 'tool-call', call: callOf('c', 'Finish', { thought: 't', answer: 'Ada' }) };
            return;
          }
          yield { type: 'tool-call', call: callOf('a', 'Search', { thought: 'one', input: 'Ada' }) };
          await new Promise((resolve) => setTimeout(resolve, 150));
          yield { type: 'tool-call', call: callOf('b', 'Search', { thought: 'two', input: 'Byron' }) };
          yield { type: 'finish', reason: 'tool_calls' };
          streamed = performance.now();
        },
      },
    });
    assert.equal(end.answer, 'Ada');
    assert.ok(started < streamed - 100, `started ${streamed - started} ms before the stream ended`);
    assert.deepEqual(
      ofType(stored, 'action').map(({ input }) => input),
      [{ input: 'Ada' }, { input: 'Byron' }, { answer: 'Ada' }],
    );
    assert.equal(ofType(stored, 'model-reply')[0]?.toolCalls?.length, 2);
  });

  it('are what `auto` goes over to where a model can’t keep to text, and back where the endpoint takes none', async () => {
    const takes: boolean[] = [];
    const run = async (takesTools: boolean, protocol: 'auto' | 'text', says = 'Thought: I should look somewhere.') => {
      takes.length = 0;
      return tell([], {
        tools: [echo()],
        protocol,
        llm: {
          provider: 'x',
          model: 'x',
          async *stream(_, options) {
            const calls = options.tools !== undefined;
            takes.push(calls);
            const { tools, ...others } = options;
            yield { type: 'accepted', options: takesTools ? { ...options } : { ...others }, attempts: 1 };
            const finish = { id: 'f', name: 'Finish', arguments: '{"thought":"t","answer":"Ada"}' };
            if (calls && takesTools) yield { type: 'tool-call', call: finish };
            else yield { type: 'text', text: says };
            yield { type: 'finish', reason: 'stop' };
          },
        },
      });
    };
    const { stored, end } = await run(true, 'auto');
    assert.equal(end.answer, 'Ada');
    assert.deepEqual(takes, [false, false, true]);
    assert(ofType(stored, 'notice').some(({ text }) => /goes on with native function calls/.test(text)));
    const chat = 'Sure! It is a pleasure to help with that. Ada Lovelace is a fine subject.';
    assert.equal((await run(true, 'auto', chat)).end.answer, 'Ada', 'chatter twice is no answer yet');
    assert.equal((await run(false, 'auto', chat)).end.answer, chat, 'but where nothing else comes it is one');
    assert.equal((await run(true, 'text')).end.outcome, 'limit');
    assert(!takes.includes(true), 'text alone was asked for');
    assert.equal((await run(false, 'auto')).end.outcome, 'limit');
    assert.equal(takes.filter(Boolean).length, 1, 'refused once, never tried again');
  });

  it('run their tool with its own argument, whatever the model made up beside it', async () => {
    const args = { thought: 't', input: 'Ada', language: 'en' };
    const { stored } = await tell(
      [{ toolCalls: [callOf('a', 'Search', args)] }, { toolCalls: [callOf('b', 'Finish', { answer: 'Ada' })] }],
      { tools: [echo()], protocol: 'tools' },
    );
    assert.equal(ofType(stored, 'observation')[0]?.text, 'A page about Ada.');
  });

  it('that follow a whole action in text, or do not end, change nothing about the one that runs', async () => {
    const ran: string[] = [];
    const tool = toolOf('Search', (input) => {
      ran.push(input);
      return `About ${input}.`;
    });
    let calls = 0;
    const { stored, end } = await tell([], {
      tools: [tool],
      protocol: 'tools',
      llm: {
        provider: 'x',
        model: 'x',
        async *stream() {
          calls++;
          if (calls === 1) {
            yield { type: 'text', text: 'Thought: a\nAction: Search[Ada]\n' };
            await new Promise((resolve) => setTimeout(resolve, 20));
            yield { type: 'tool-call', call: callOf('late', 'Search', { input: 'Babbage' }) };
          } else if (calls === 2) {
            yield { type: 'tool-call', call: callOf('whole', 'Search', { input: 'Byron' }) };
            for (let n = 0; ; n++) yield { type: 'text', text: `so it goes ${n} ` };
          } else yield { type: 'tool-call', call: callOf('end', 'Finish', { answer: 'Ada' }) };
        },
      },
    });
    assert.equal(end.answer, 'Ada');
    assert.deepEqual(ran, ['Ada', 'Byron']);
    const inputs = ofType(stored, 'action').map(({ input }) => input);
    assert.deepEqual(inputs, ['Ada', { input: 'Byron' }, { answer: 'Ada' }]);
    assert.doesNotMatch(JSON.stringify(ofType(stored, 'model-request')), /so it goes 9/);
  });

  it('without their argument are told so, and the user is heeded between them', async () => {
    const inbox = new Inbox();
    const tool = toolOf('Search', (input) => {
      if (input === 'a') inbox.push({ action: 'answer-now' });
      return `About ${input}.`;
    });
    const two = [callOf('1', 'Search', { thought: 'no argument' }), callOf('2', 'Search', { input: 'a' })];
    const { stored } = await tell(
      [
        { toolCalls: [...two, callOf('3', 'Search', { input: 'b' })] },
        { toolCalls: [callOf('4', 'Finish', { answer: 'x' })] },
      ],
      { tools: [tool], protocol: 'tools', inbox },
    );
    const texts = ofType(stored, 'observation').map(({ text }) => text);
    assert.match(texts[0] ?? '', /needs its input/);
    assert.equal(texts.length, 2, 'the third was not run: an answer is wanted now');
  });

  it('that are missing are asked for as calls', async () => {
    const { stored } = await tell(['I will look it up now:', FINISH], { tools: [echo()], protocol: 'tools' });
    assert.match(ofType(stored, 'observation')[0]?.text ?? '', /called no function.*one call of a function/);
  });
});
