import assert from 'node:assert/strict';
import { collect, openaiAt, QUESTION } from '../support/ask';
import { type ModelServer, startModelServer } from '../support/modelServer';
import { DONE, data, delta, ofType, whole } from '../support/wire';

describe('the usage of a reply', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer();
  });
  after(() => server.close());

  it('is read from wherever it stands', async () => {
    const usages: [object, object][] = [
      [
        {
          usage: {
            prompt_tokens: 10,
            completion_tokens: 2,
            prompt_tokens_details: { cached_tokens: 8 },
            completion_tokens_details: { reasoning_tokens: 1 },
          },
        },
        { prompt: 10, completion: 2, reasoning: 1, cached: 8 },
      ],
      [{ x_groq: { usage: { prompt_tokens: 10, completion_tokens: 2 } } }, { prompt: 10, completion: 2 }],
      [
        { usage: { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 4 } },
        { prompt: 10, completion: 2, cached: 4 },
      ],
      [{ usage: { input_tokens: 10, output_tokens: 2 } }, { prompt: 10, completion: 2 }],
      [
        { prompt_eval_count: 10, eval_count: 2 },
        { prompt: 10, completion: 2 },
      ],
      [
        { usage: { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 50, cache_creation_input_tokens: 40 } },
        { prompt: 100, completion: 2, cached: 50 },
      ],
      // The cached ones are not among those of the prompt.
      [
        { usage: { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 800 } } },
        { prompt: 810, completion: 2, cached: 800 },
      ],
      // Nor is reasoning always among those of the completion.
      [
        { usage: { prompt_tokens: 100, completion_tokens: 600, total_tokens: 1200, reasoning_tokens: 500 } },
        { prompt: 100, completion: 1100, reasoning: 500 },
      ],
      // What a total counts beyond what is stated may be anything.
      [{ usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 5000 } }, { prompt: 10, completion: 5 }],
      [{ usage: { prompt_tokens: 12.5, completion_tokens: 3.25 } }, { prompt: 13, completion: 3 }],
      [{ usage: { prompt_tokens: 9, completion_tokens: 3, reasoning_tokens: -1 } }, { prompt: 9, completion: 3 }],
      [
        {
          usage: {
            prompt_tokens: 100,
            completion_tokens: 20,
            total_tokens: 620,
            completion_tokens_details: { reasoning_tokens: 500 },
          },
        },
        { prompt: 100, completion: 520, reasoning: 500 },
      ],
      [
        {
          usage: {
            prompt_tokens: 100,
            completion_tokens: 520,
            total_tokens: 620,
            completion_tokens_details: { reasoning_tokens: 500 },
          },
        },
        { prompt: 100, completion: 520, reasoning: 500 },
      ],
      [{ timings: { prompt_n: 4, predicted_n: 2, cache_n: 6 } }, { prompt: 10, completion: 2, cached: 6 }],
    ];
    for (const [more, expected] of usages) {
      server.queue.push(whole({ content: 'Yes.' }, 'stop', more));
      const { chunks } = await collect(openaiAt(server.baseUrl));
      assert.deepEqual(ofType(chunks, 'usage').at(-1)?.usage, expected);
    }
    server.queue.push({
      raw: [
        data(
          JSON.stringify({
            choices: [
              { delta: { content: 'Yes.' }, finish_reason: 'stop', usage: { prompt_tokens: 10, completion_tokens: 2 } },
            ],
          }),
        ),
      ],
    });
    assert.deepEqual(ofType((await collect(openaiAt(server.baseUrl))).chunks, 'usage').at(-1)?.usage, {
      prompt: 10,
      completion: 2,
    });
  });

  it('is unknown where the server tells none, zeros, or what can be no number of tokens', async () => {
    const zeros = { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
    const doubtful = [-1, 1e10, 1e300].flatMap((tokens) => [
      { usage: { prompt_tokens: tokens, completion_tokens: 5 } },
      { usage: { prompt_tokens: 5, completion_tokens: tokens } },
    ]);
    for (const more of [{ usage: null }, {}, zeros, ...doubtful]) {
      server.queue.push(whole({ content: 'Yes.' }, 'stop', more));
      assert.deepEqual(ofType((await collect(openaiAt(server.baseUrl))).chunks, 'usage'), []);
    }
    const told = { ...JSON.parse(delta('Yes.', 'stop')), usage: { prompt_tokens: 10, completion_tokens: 2 } };
    server.queue.push({ raw: [data(JSON.stringify(told)), data(JSON.stringify({ choices: [], ...zeros })), DONE] });
    assert.deepEqual(
      ofType((await collect(openaiAt(server.baseUrl))).chunks, 'usage').map((chunk) => chunk.usage),
      [{ prompt: 10, completion: 2 }],
    );
  });

  it('shows when the server dropped the beginning of the prompt without a word', async () => {
    const long = 'The engine was never finished, though parts of it were built. '.repeat(500);
    server.fallback = () => ({ text: 'Yes.', usage: { prompt_tokens: 4096, completion_tokens: 1 } });
    const llm = openaiAt(server.baseUrl);
    const messages = [...QUESTION, { role: 'user' as const, content: long }];
    const { notices } = await collect(llm, messages);
    assert.match(notices.join(), /^context: The server read only 4096 tokens/);
    assert.equal(llm.contextWindow, 4096);
    assert.deepEqual((await collect(llm, messages)).notices, []);
    // A setting may be mistaken, too.
    const set = openaiAt(server.baseUrl, { contextWindow: 32_000 });
    assert.match((await collect(set, messages)).notices.join(), /^context: The server read only 4096 tokens/);
    assert.equal(set.contextWindow, 4096);
    // An honest count of the same text raises no alarm.
    server.fallback = () => ({ text: 'Yes.', usage: { prompt_tokens: 6100, completion_tokens: 1 } });
    assert.deepEqual((await collect(openaiAt(server.baseUrl), messages)).notices, []);
  });
});
