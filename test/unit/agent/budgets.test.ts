import assert from 'node:assert/strict';
import { foldAll } from '../../../src/agent/trace';
import { ofType, tell, toolOf } from '../../support/story';

const echo = () => toolOf('Search', (input) => `A page about ${input}.`);
const search = (n: number) => `Thought: ${'abcdefghij'[n]} is next\nAction: Search[${'abcdefghij'[n]?.repeat(5)}]`;
const SEARCH = 'Thought: I look it up.\nAction: Search[Ada]';
const FINISH = 'Thought: found.\nAction: Finish[Ada]';

describe('usage, cost and budgets', () => {
  const usage = { prompt: 100, completion: 10 };
  const prices = { prompt: 1, completion: 1 };

  it('count the calls beside the steps', async () => {
    const { stored, end } = await tell(
      [
        { text: 'Action: Search[a]', usage },
        { text: 'It is Paris.\nAnswer: Paris', usage },
        { text: 'Answer: Rome', usage },
        { text: 'Answer: paris', usage },
      ],
      {
        tools: [toolOf('Search', () => Promise.reject(new Error('gone')))],
        limits: { steps: 1 },
        strategies: { selfConsistency: 3 },
        prices,
      },
    );
    assert.equal(end.answer, 'Paris');
    assert.deepEqual(end.usage, { prompt: 400, completion: 40 });
    assert.equal(end.cost, 440 / 1e6);
    assert.deepEqual(ofType(stored, 'notice').find(({ usage }) => usage)?.usage, { prompt: 300, completion: 30 });
  });

  it('are unknown as soon as one call beside the steps did not say', async () => {
    const { end } = await tell(
      [
        { text: 'Action: Search[a]', usage },
        { text: 'no idea', usage: null },
        { text: 'Finish[x]', usage },
      ],
      {
        tools: [toolOf('Search', () => Promise.reject(new Error('gone')))],
        limits: { steps: 1 },
        strategies: { selfConsistency: 1 },
      },
    );
    assert.equal(end.answer, 'x');
    assert.equal(end.usage, undefined);
  });

  it('keep room for the last call: what was allowed is not overrun', async () => {
    const call = { prompt: 500, completion: 50 };
    for (const limits of [{ tokens: 2000 }, { cost: 2000 / 1e6 }]) {
      let n = 0;
      const { stored, end } = await tell(
        (messages) => ({
          text: /No further action/.test(messages.at(-1)?.content ?? '') ? 'Finish[best]' : search(n++),
          usage: call,
        }),
        { tools: [echo()], limits: { ...limits, steps: 9 }, prices },
      );
      assert.equal(end.outcome, 'limit');
      assert.deepEqual(end.usage, { prompt: 1500, completion: 150 }, 'two steps and the last call');
      assert.match(
        ofType(stored, 'notice').find(({ kind }) => kind === 'limit')?.text ?? '',
        /no room for another step/,
      );
    }
  });

  it('count what a resumed run does not tell again: it was paid all the same', async () => {
    const first = await tell(
      [
        { text: search(0), usage },
        { text: 'Finish[best]', usage },
      ],
      { tools: [echo()], limits: { steps: 1 }, prices },
    );
    assert.equal(first.end.outcome, 'limit');
    const prior = { parent: { run: 'r', kind: 'resume' as const }, traces: [foldAll(first.stored)] };
    const second = await tell([{ text: FINISH, usage }], {
      tools: [echo()],
      limits: { steps: 1, cost: 1 },
      prices,
      prior,
    });
    assert.equal(second.end.outcome, 'answered');
    assert.deepEqual(second.end.usage, { prompt: 300, completion: 30 });
    assert.equal(second.end.cost, 330 / 1e6);
    const again = { ...prior, traces: [foldAll(second.stored.slice(0, -1))] };
    const third = await tell([{ text: FINISH, usage }], { tools: [echo()], prices, prior: again });
    assert.deepEqual(third.end.usage, { prompt: 400, completion: 40 }, 'each of them once');
  });

  for (const limits of [{ tokens: 3000 }, { cost: 3000 / 1e6 }]) {
    it(`end the run (${Object.keys(limits)[0]}) though the endpoint tells no usage`, async () => {
      let n = 0;
      const { stored, end } = await tell(
        (messages) => ({
          text: /No further action/.test(messages.at(-1)?.content ?? '') ? 'Finish[best]' : search(n++),
          usage: null,
        }),
        { tools: [echo()], limits: { ...limits, steps: 9 }, prices },
      );
      assert.equal(end.outcome, 'limit');
      const steps = ofType(stored, 'observation').length;
      assert(steps >= 1 && steps < 9, String(steps));
      assert.match(
        ofType(stored, 'notice').find(({ kind }) => kind === 'limit')?.text ?? '',
        /budget.*so they were estimated/,
      );
    });
  }

  it('without prices can’t be kept, and it is said so once', async () => {
    const script = [
      { text: SEARCH, usage },
      { text: FINISH, usage },
    ];
    for (const wrong of [undefined, { prompt: 1 }, { prompt: '1', completion: 2 }, { prompt: -1, completion: 2 }]) {
      const input = { tools: [echo()], limits: { cost: 1 }, ...(wrong ? { prices: wrong as never } : {}) };
      const { stored, end } = await tell(script, input);
      assert.equal(ofType(stored, 'notice').filter(({ text }) => /cost budget can't be kept/.test(text)).length, 1);
      assert.equal(end.cost, undefined);
    }
  });

  it('are never less than nothing, though more tokens are called cached than sent', async () => {
    const { end } = await tell([{ text: FINISH, usage: { ...usage, cached: 99_999 } }], {
      tools: [echo()],
      prices: { prompt: 10, completion: 10, cached: 1 },
    });
    assert.equal(end.cost, (100 * 1 + 10 * 10) / 1e6);
  });
});
