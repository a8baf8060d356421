import assert from 'node:assert/strict';
import { UserError } from '../../../src/agent/errors';
import { Inbox } from '../../../src/agent/inbox';
import { ContextOverflow, type Llm } from '../../../src/agent/llm';
import { foldAll } from '../../../src/agent/trace';
import { ofType, tell, toolOf } from '../../support/story';

const echo = () => toolOf('Search', (input) => `A page about ${input}.`);

describe('the loop', () => {
  it('goes Thought, Action, Observation until Finish, and shows the model its own words', async () => {
    const { stored, end } = await tell(
      ['Thought 1: I look.\nAction 1: Search[rivers]', 'Thought 2: Enough.\nAction 2: Finish[The Nile]'],
      { tools: [echo()] },
    );
    assert.equal(end.outcome, 'answered');
    assert.equal(end.answer, 'The Nile');
    const types = stored.map((event) => event.type).filter((type) => type !== 'notice');
    assert.deepEqual(types, [
      'run-start',
      'model-request',
      'model-reply',
      'thought',
      'action',
      'observation',
      'model-request',
      'model-reply',
      'thought',
      'action',
      'run-end',
    ]);
    const second = ofType(stored, 'model-request')[1];
    assert.deepEqual(second?.messages, [
      { role: 'assistant', content: 'Thought 1: I look.\nAction 1: Search[rivers]' },
      { role: 'user', content: 'Observation 1: A page about rivers.' },
    ]);
    assert.equal(second?.rewrite, undefined);
  });

  it('reads the plain notation, in full width too', async () => {
    const { end } = await tell(['思考：先查。\n行动：Search[江河]', 'Thought: ok\nFinal Answer: 长江'], {
      question: '最长的江是哪条？',
      tools: [echo()],
    });
    assert.equal(end.answer, '长江');
  });

  it('does not run an invented observation, and drops what follows it', async () => {
    const asked: string[] = [];
    const search = toolOf('Search', (input) => `found ${asked.push(input)}`);
    const { stored } = await tell(
      [
        {
          text: 'Thought: a\nAction: Search[one]\nObservation: made up\nThought: b\nAction: Finish[wrong]',
          ignoresStop: true,
        },
        'Action: Finish[right]',
      ],
      { tools: [search] },
    );
    assert.deepEqual(asked, ['one']);
    assert(!ofType(stored, 'model-reply')[0]?.raw.includes('made up'));
  });

  it('answers an exact repeat from the trace, and ends with a last call at the second', async () => {
    let ran = 0;
    const search = toolOf('Search', () => `run ${++ran}`);
    const again = 'Thought: again\nAction: Search[x]';
    const { stored, end } = await tell([again, again, again, 'Finish[from what was gathered]'], { tools: [search] });
    assert.equal(ran, 1);
    const observations = ofType(stored, 'observation');
    assert.equal(observations[1]?.blocked, true);
    assert.match(observations[1]?.text ?? '', /run 1/);
    assert.equal(end.outcome, 'limit');
    assert.equal(end.bestEffort, true);
    assert.equal(end.answer, 'from what was gathered');
  });

  it('asks for the best answer at the step limit, and offers the best observation when even that fails', async () => {
    const step = (n: number) => `Thought: next\nAction: Search[thing ${'abc'[n]}]`;
    const best = await tell([step(0), step(1), 'Finish[best]'], { tools: [echo()], limits: { steps: 2 } });
    assert.equal(best.end.outcome, 'limit');
    assert.equal(best.end.answer, 'best');
    assert.equal(ofType(best.stored, 'notice').filter(({ kind }) => kind === 'limit').length, 1);
    const worst = await tell([step(0), { error: new UserError('gone', 'wait') }], {
      tools: [echo()],
      limits: { steps: 1 },
    });
    assert.equal(worst.end.outcome, 'limit');
    assert.match(worst.end.answer ?? '', /A page about thing a/);
  });

  it('names the tools when one is unknown, and the form when the input is empty', async () => {
    const { stored } = await tell(['Action: Login[now]', 'Action: Search[]', 'Action: Finish[done]'], {
      tools: [echo()],
    });
    const [unknown, empty] = ofType(stored, 'observation');
    assert.equal(ofType(stored, 'action')[0]?.tool, 'Login');
    assert.equal(unknown?.ok, false);
    assert.match(unknown?.text ?? '', /Search/);
    assert.equal(empty?.ok, false);
    assert.match(empty?.text ?? '', /square brackets/);
  });

  it('corrects an unlabelled answer once, then takes what is said as the answer', async () => {
    const { stored, end } = await tell(['The capital of France is Paris.', 'Paris is the capital.'], {
      tools: [echo()],
    });
    assert.equal(ofType(stored, 'observation').length, 1);
    assert.equal(end.outcome, 'answered');
    assert.match(end.answer ?? '', /Paris/);
  });

  it('corrects a reply that says nothing at most twice, then asks for the best answer', async () => {
    const { stored, end } = await tell(
      ['Thought: I need to search.', 'Thought: I should search for it.', '…', 'Finish[none]'],
      {
        tools: [echo()],
      },
    );
    assert.equal(ofType(stored, 'observation').length, 2);
    assert.equal(end.outcome, 'limit');
    assert.equal(end.answer, 'none');
  });

  it('asks once for an answer when Finish is empty or a placeholder', async () => {
    for (const [first, answer] of [
      ['Action: Finish[]', 'x'],
      ['Action: Finish[answer]', 'y'],
    ] as const) {
      const { stored, end } = await tell([first, first, `Finish[${answer}]`], { tools: [echo()] });
      assert.equal(ofType(stored, 'observation').length, 1);
      assert.equal(end.answer, answer);
      assert.equal(end.bestEffort, true);
    }
  });

  it('takes a correction out of the history once the model is back on track', async () => {
    const { stored } = await tell(['Thought: hm', 'Action: Search[a]', 'Action: Finish[b]'], { tools: [echo()] });
    const third = ofType(stored, 'model-request')[2];
    assert.equal(third?.rewrite, true);
    assert(!third?.messages.some(({ content }) => content === 'Thought: hm'));
  });

  it('stops at once in the middle of a tool, and in the middle of a stream', async () => {
    for (const script of [['Action: Search[slow]'], [{ text: 'Thought: long and slow '.repeat(50), tokenMs: 50 }]]) {
      const stopper = new AbortController();
      const slow = toolOf('Search', () => new Promise(() => {}));
      setTimeout(() => stopper.abort(), 60);
      const begun = Date.now();
      const { end } = await tell(script, { tools: [slow], signal: stopper.signal });
      assert.equal(end.outcome, 'cancelled');
      assert(Date.now() - begun < 2000);
    }
  });

  it('keeps what a broken stream had written, and fails with the error and its hint', async () => {
    const { stored, end } = await tell([
      { text: 'Thought: I was about to', error: new UserError('The line is dead.', 'Try again.', 'retry') },
    ]);
    assert.equal(ofType(stored, 'model-reply')[0]?.raw, 'Thought: I was about to');
    assert.equal(end.outcome, 'failed');
    assert.deepEqual(end.error, { message: 'The line is dead.', hint: 'Try again.', action: 'retry' });
  });

  it('says that an answer without any observation has no evidence', async () => {
    const { stored } = await tell(['Action: Finish[42]']);
    assert(ofType(stored, 'notice').some(({ kind }) => kind === 'evidence'));
  });

  it('turns a tool that throws, or takes too long, into an observation', async () => {
    const broken = toolOf('Search', () => Promise.reject(new Error('disk on fire')));
    const late = toolOf('Lookup', () => new Promise(() => {}));
    const { stored } = await tell(['Action: Search[a]', 'Action: Lookup[b]', 'Action: Finish[c]'], {
      tools: [broken, late],
      limits: { stepSeconds: 0.05 },
    });
    const [first, second] = ofType(stored, 'observation');
    assert.match(first?.text ?? '', /disk on fire/);
    assert.match(second?.text ?? '', /0\.05 seconds/);
  });

  it('lets an action run once more after the network failed, then no more', async () => {
    let ran = 0;
    const flaky = toolOf('Search', () => Promise.reject(new Error(`network down ${++ran}`)));
    const again = 'Thought: again\nAction: Search[x]';
    await tell([again, again, again, 'Action: Finish[gave up]'], { tools: [flaky] });
    assert.equal(ran, 2);
  });

  it('runs native function calls, each a step with its thought, Finish among them', async () => {
    const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
    const { stored, end } = await tell(
      [
        {
          toolCalls: [
            call('1', 'Search', { thought: 'first', input: 'a' }),
            call('2', 'Search', { thought: 'second', input: 'b' }),
          ],
        },
        { toolCalls: [call('3', 'Finish', { thought: 'done', answer: 'both' })] },
      ],
      { tools: [echo()], protocol: 'tools' },
    );
    assert.equal(end.answer, 'both');
    assert.deepEqual(
      ofType(stored, 'thought').map(({ text }) => text),
      ['first', 'second', 'done'],
    );
    assert.deepEqual(
      ofType(stored, 'observation').map(({ step }) => step),
      [1, 2],
    );
    const second = ofType(stored, 'model-request')[1];
    assert.deepEqual(
      second?.messages.map(({ role }) => role),
      ['assistant', 'tool', 'tool'],
    );
  });

  it('goes on in the text protocol where an endpoint takes no native calls', async () => {
    const told: string[] = [];
    const llm: Llm = {
      provider: 'x',
      model: 'x',
      async *stream(messages, options) {
        yield { type: 'accepted', options: options.stop ? { stop: options.stop } : {}, attempts: 1 };
        told.push(messages[0]?.content ?? '');
        yield { type: 'text', text: 'Thought: ok\nAction: Finish[in text]' };
        yield { type: 'finish', reason: 'stop' };
      },
    };
    const { stored, end } = await tell([], { llm, protocol: 'tools', tools: [echo()] });
    assert.equal(end.answer, 'in text');
    assert.equal(ofType(stored, 'notice').filter(({ kind }) => kind === 'fit').length, 1);
    assert.match(told.at(-1) ?? '', /Action n: Tool\[input\]/);
    assert.equal(ofType(stored, 'model-request').length, 1);
  });

  it('shortens the largest old observation when the context overflows, and never sends the same again', async () => {
    const sizes: number[] = [];
    const long = toolOf('Search', (input) => `${input}: ${'words and more words '.repeat(400)}`);
    let overflowed = false;
    const { stored, end } = await tell(
      (messages, _, call) => {
        const size = messages.reduce((sum, { content }) => sum + content.length, 0);
        if (call === 3 && !overflowed) {
          overflowed = true;
          sizes.push(size);
          return { error: new ContextOverflow('too long') };
        }
        if (call === 4) sizes.push(size);
        return call < 3 ? `Thought: go\nAction: Search[topic ${'ab'[call - 1]}]` : 'Action: Finish[ok]';
      },
      { tools: [long] },
    );
    assert.equal(end.answer, 'ok');
    assert((sizes[1] as number) < (sizes[0] as number) * 0.8, String(sizes));
    assert(ofType(stored, 'notice').some(({ kind }) => kind === 'context'));
    assert.equal(ofType(stored, 'observation')[0]?.text.length, ofType(stored, 'observation')[1]?.text.length);
  });

  it('lets the user pause, step, steer and force the answer', async () => {
    const inbox = new Inbox();
    inbox.push({ action: 'pause' });
    inbox.push({ action: 'note', text: 'mind the gap' });
    setTimeout(() => inbox.push({ action: 'single-step' }), 20);
    setTimeout(() => inbox.push({ action: 'answer-now' }), 60);
    const { stored, end } = await tell(['Action: Search[a]', 'Finish[now]'], { tools: [echo()], inbox });
    assert.deepEqual(
      ofType(stored, 'control').map(({ action }) => action),
      ['pause', 'note', 'single-step', 'answer-now'],
    );
    assert.match(ofType(stored, 'model-request')[0]?.messages[1]?.content ?? '', /mind the gap/);
    assert.equal(end.bestEffort, true);
    assert.equal(end.answer, 'now');
  });

  it('goes on from a trace without paying for its steps again', async () => {
    const first = await tell(['Thought: a\nAction: Search[a]', { error: new UserError('cut', 'resume') }], {
      tools: [echo()],
    });
    const trace = foldAll(first.stored);
    const { stored, end } = await tell(['Action: Finish[done]'], {
      tools: [echo()],
      prior: { parent: { run: 'x', kind: 'resume', step: 1 }, traces: [trace] },
    });
    assert.equal(end.outcome, 'answered');
    assert.equal(ofType(stored, 'observation').length, 1);
    assert.equal(ofType(stored, 'action').at(-1)?.step, 2);
  });

  it('carries earlier questions and answers into a follow-up', async () => {
    const first = await tell(['Action: Finish[Ada Lovelace]'], { question: 'Who wrote Note G?' });
    const { stored } = await tell(['Action: Finish[1843]'], {
      question: 'When?',
      prior: { parent: { run: 'x', kind: 'follow-up' }, traces: [foldAll(first.stored)] },
    });
    const asked = ofType(stored, 'model-request')[0]?.messages[1]?.content ?? '';
    assert.match(asked, /Who wrote Note G\?[\s\S]*Ada Lovelace[\s\S]*When\?$/);
  });

  it('asks before a tool that needs approval, and tells the model when the answer is no', async () => {
    let ran = false;
    const write = toolOf(
      'Write',
      () => {
        ran = true;
        return 'written';
      },
      { needsApproval: true },
    );
    const { stored } = await tell(['Action: Write[x]', 'Action: Finish[y]'], {
      tools: [write],
      approve: async () => ({ allow: false, note: 'not there' }),
    });
    assert.equal(ran, false);
    assert.equal(ofType(stored, 'control')[0]?.action, 'deny');
    assert.equal(ofType(stored, 'observation')[0]?.blocked, true);
  });
});
