import assert from 'node:assert/strict';
import type { Message } from '../../src/agent/event';
import type { LlmOptions } from '../../src/agent/llm';
import { describeFit, memoryFitStore } from '../../src/llm/fit';
import { ASKED, collect, openaiAt, QUESTION } from '../support/ask';
import { type ModelReplySpec, type ModelServer, startModelServer } from '../support/modelServer';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any;
const bad = (message: string, more: object = {}, status = 400): ModelReplySpec => ({
  status,
  body: { error: { message, type: 'invalid_request_error', ...more } },
});

/** Endpoints by what they refuse: each says no in its own words until the request is to its liking. */
const ENDPOINTS: {
  name: string;
  refuse: (body: Body) => ModelReplySpec | false | undefined;
  /** What the accepted body must look like. */
  accepted: (body: Body) => void;
  messages?: Message[];
  options?: LlmOptions;
  extraBody?: Record<string, unknown>;
}[] = [
  {
    name: 'stop, by the param field',
    refuse: (body) =>
      body.stop && bad("Unsupported parameter: 'stop' is not supported with this model.", { param: 'stop' }),
    accepted: (body) => assert.ok(!('stop' in body) && body.temperature === 0),
  },
  {
    name: 'stop, by words only',
    refuse: (body) => body.stop && { status: 400, body: { message: 'Argument not supported on this model: stop' } },
    accepted: (body) => assert.ok(!('stop' in body) && body.max_tokens === 1024),
  },
  {
    name: 'max_tokens, which has another name',
    refuse: (body) =>
      body.max_tokens &&
      bad(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        {
          param: 'max_tokens',
          code: 'unsupported_parameter',
        },
      ),
    accepted: (body) => assert.ok(body.max_completion_tokens === 1024 && !('max_tokens' in body)),
  },
  {
    name: 'both names of the output cap',
    refuse: (body) =>
      body.max_tokens
        ? bad("'max_tokens' is not recognised. Did you mean 'max_completion_tokens'?")
        : body.max_completion_tokens && bad('Unknown field: max_completion_tokens'),
    accepted: (body) => assert.ok(!('max_tokens' in body) && !('max_completion_tokens' in body)),
  },
  {
    name: 'a temperature other than the default',
    refuse: (body) =>
      body.temperature === 0 &&
      bad(
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        {
          param: 'temperature',
        },
      ),
    accepted: (body) => assert.ok(!('temperature' in body)),
  },
  {
    name: 'a temperature of zero',
    refuse: (body) =>
      body.temperature === 0 && {
        status: 422,
        body: { error: '`temperature` must be strictly positive', error_type: 'validation' },
      },
    accepted: (body) => assert.ok(body.temperature > 0 && body.temperature < 0.1),
  },
  {
    name: 'a temperature outside an open range',
    refuse: (body) => body.temperature <= 0 && bad('temperature should be in (0.0, 1.0]'),
    accepted: (body) => assert.ok(body.temperature > 0 && body.temperature < 0.1),
  },
  {
    name: 'stream_options, in the words of pydantic',
    refuse: (body) =>
      body.stream_options && {
        status: 422,
        body: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'stream_options'],
              msg: 'Extra inputs are not permitted',
              input: {},
            },
          ],
        },
      },
    accepted: (body) => assert.ok(!('stream_options' in body) && body.stop),
  },
  {
    name: 'two fields at once, as vLLM prints them',
    refuse: (body) =>
      (body.stream_options || body.repetition_penalty) && {
        status: 400,
        body: {
          object: 'error',
          message:
            "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}, {'type': 'extra_forbidden', 'loc': ('body', 'repetition_penalty'), 'msg': 'Extra inputs are not permitted'}]",
          type: 'BadRequestError',
          param: null,
          code: 400,
        },
      },
    extraBody: { repetition_penalty: 1.1 },
    accepted: (body) => assert.ok(!('stream_options' in body) && !('repetition_penalty' in body)),
  },
  {
    name: 'a penalty that the user added',
    refuse: (body) => 'presence_penalty' in body && bad('Penalties are not enabled for this model'),
    extraBody: { presence_penalty: 0.5 },
    accepted: (body) => assert.ok(!('presence_penalty' in body)),
  },
  {
    name: 'more than four stop strings',
    refuse: (body) =>
      body.stop.length > 4 &&
      bad(
        "Invalid 'stop': array too long. Expected an array with maximum length 4, but instead got an array with length 6.",
        {
          param: 'stop',
        },
      ),
    options: { ...ASKED, stop: ['\nObservation', '\nObservation 1', '\n观察', '\nResult', '\nTool', '\nUser'] },
    accepted: (body) => assert.deepEqual(body.stop, ['\nObservation', '\n观察', '\nResult', '\nTool']),
  },
  {
    name: 'a list of stop strings',
    refuse: (body) => Array.isArray(body.stop) && bad('stop: value must be a string, not a list'),
    accepted: (body) => assert.equal(body.stop, '\nObservation'),
  },
  {
    name: 'an output cap above its own',
    refuse: (body) =>
      body.max_tokens > 512 &&
      bad(
        'max_tokens is too large: 1024. This model supports at most 512 completion tokens, whereas you provided 1024.',
      ),
    accepted: (body) => assert.equal(body.max_tokens, 512),
  },
  {
    name: 'an output cap above its own, with the window mentioned',
    refuse: (body) =>
      body.max_tokens > 800 &&
      bad(
        '`max_tokens` must be less than or equal to `800`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      ),
    accepted: (body) => assert.equal(body.max_tokens, 800),
  },
  {
    name: 'an output cap outside a range',
    refuse: (body) =>
      body.max_tokens > 600 && bad('Range of max_tokens should be [1, 600]', { code: 'InvalidParameter' }),
    accepted: (body) => assert.equal(body.max_tokens, 600),
  },
  {
    name: 'a system message, in the words of a template',
    refuse: (body) =>
      body.messages[0].role === 'system' && {
        status: 500,
        body: { error: 'Error rendering prompt with jinja template: "Only user and assistant roles are supported!".' },
      },
    accepted: (body) => {
      assert.equal(body.messages.length, 1);
      assert.match(body.messages[0].content, /^You research in steps\.\n\nQuestion: Who/);
    },
  },
  {
    name: 'a system message, in the words of an endpoint',
    refuse: (body) => body.messages[0].role === 'system' && bad('Developer instruction is not enabled for models/m'),
    accepted: (body) => assert.equal(body.messages[0].role, 'user'),
  },
  {
    name: 'a system message, by its place in the list',
    refuse: (body) =>
      body.messages[0].role === 'system' && {
        status: 422,
        body: {
          detail: [
            {
              loc: ['body', 'messages', 0, 'role'],
              msg: "Input should be 'user' or 'assistant'",
              type: 'literal_error',
            },
          ],
        },
      },
    accepted: (body) => assert.equal(body.messages[0].role, 'user'),
  },
  {
    name: 'two user messages in a row',
    refuse: (body) =>
      body.messages.some((message: Body, index: number) => message.role === body.messages[index - 1]?.role) && {
        status: 400,
        body: { message: 'Conversation roles must alternate user/assistant/user/assistant/...' },
      },
    messages: [...QUESTION, { role: 'user', content: 'A note from the user.' }],
    accepted: (body) => {
      assert.equal(body.messages.length, 2);
      assert.match(body.messages[1].content, /Analytical Engine\?\n\nA note from the user\.$/);
    },
  },
  {
    name: 'a template that says nothing: first the system message, then the turns',
    refuse: (body) =>
      (body.messages[0].role === 'system' || body.messages.length > 1) && {
        status: 500,
        body: { error: 'jinja2.exceptions.TemplateError' },
      },
    messages: [...QUESTION, { role: 'user', content: 'A note from the user.' }],
    accepted: (body) => assert.equal(body.messages.length, 1),
  },
  {
    name: 'a history without reasoning',
    refuse: (body) =>
      body.messages.some((message: Body) => message.role === 'assistant' && message.reasoning_content === undefined) &&
      bad('The reasoning_content in the thinking mode must be passed back to the API.'),
    messages: [
      ...QUESTION,
      { role: 'assistant', content: 'Thought 1: x', reasoning: 'Let me see.' },
      { role: 'user', content: 'Observation 1: y' },
    ],
    accepted: (body) => assert.equal(body.messages[2].reasoning_content, 'Let me see.'),
  },
  {
    name: 'a history without reasoning, other words, and none was kept',
    refuse: (body) =>
      body.messages.some((message: Body) => message.role === 'assistant' && message.reasoning_content === undefined) &&
      bad('Missing `reasoning_content` field in the assistant message at message index 2.'),
    messages: [
      ...QUESTION,
      { role: 'assistant', content: 'Thought 1: x' },
      { role: 'user', content: 'Observation 1: y' },
    ],
    accepted: (body) => assert.equal(body.messages[2].reasoning_content, ''),
  },
  {
    name: 'thinking',
    refuse: (body) =>
      body.enable_thinking !== false &&
      bad('parameter.enable_thinking must be set to false for this call', { code: 'invalid_parameter_error' }),
    accepted: (body) => assert.equal(body.enable_thinking, false),
  },
  {
    name: 'tools, by the model',
    refuse: (body) => body.tools && bad('"registry.ollama.ai/library/m" does not support tools'),
    options: { tools: [{ name: 'Search', description: 'finds', parameters: { type: 'object' } }] },
    accepted: (body) => assert.ok(!('tools' in body)),
  },
  {
    name: 'tools, with a 404 and earlier calls in the history',
    refuse: (body) =>
      body.tools && {
        status: 404,
        body: { error: { message: 'No endpoints found that support tool use.', code: 404 } },
      },
    options: { tools: [{ name: 'Search', description: 'finds', parameters: { type: 'object' } }] },
    messages: [
      ...QUESTION,
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'Search', arguments: '{"q":"Engine"}' }] },
      { role: 'tool', content: 'It was designed by Babbage.', toolCallId: 'c' },
    ],
    accepted: (body) => {
      assert.deepEqual(body.messages[2], { role: 'assistant', content: 'Search: {"q":"Engine"}' });
      assert.deepEqual(body.messages[3], { role: 'user', content: 'It was designed by Babbage.' });
    },
  },
  {
    name: 'streams',
    refuse: (body) =>
      body.stream &&
      bad('Your organization must be verified to stream this model.', { param: 'stream', code: 'unsupported_value' }),
    accepted: (body) => assert.ok(!('stream' in body) && !('stream_options' in body)),
  },
  {
    name: 'something it does not name',
    refuse: (body) => (body.stream_options || body.temperature === 0) && { status: 400, body: 'Bad Request' },
    accepted: (body) => assert.ok(body.stop),
  },
  {
    name: 'a field, inside a message of another server',
    refuse: (body) =>
      body.stop &&
      bad('Provider returned error', {
        metadata: { raw: '{"error":{"message":"Unrecognized request argument supplied: stop"}}' },
      }),
    accepted: (body) => assert.ok(!('stop' in body)),
  },
  {
    name: 'a field, with a status of success',
    refuse: (body) => body.stop && { body: { error: { message: 'Unknown parameter: stop', code: 400 } } },
    accepted: (body) => assert.ok(!('stop' in body)),
  },
  {
    name: 'a field, in Chinese',
    refuse: (body) =>
      body.stop && { status: 400, body: { code: '1210', message: 'API 调用参数有误：不支持 stop 参数' } },
    accepted: (body) => assert.ok(!('stop' in body)),
  },
];

describe('an endpoint that refuses something', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer();
  });
  after(() => server.close());

  for (const endpoint of ENDPOINTS) {
    it(`is given what it takes: ${endpoint.name}`, async () => {
      const before = server.requests.length;
      server.fallback = ({ body }) =>
        endpoint.refuse(body) || { text: 'Thought 1: fine.', ...(body.stream ? {} : { whole: true }) };
      const store = memoryFitStore();
      const make = () =>
        openaiAt(server.baseUrl, { fitStore: store, ...(endpoint.extraBody ? { extraBody: endpoint.extraBody } : {}) });
      const first = await collect(make(), endpoint.messages, endpoint.options);
      assert.equal(first.error, undefined);
      assert.equal(first.text, 'Thought 1: fine.');
      endpoint.accepted(server.requests.at(-1)!.body);
      assert.ok(
        first.notices.length > 0 && first.notices.every((notice) => notice.startsWith('fit: This endpoint ')),
        String(first.notices),
      );
      const attempts = server.requests.length - before;
      const accepted = first.chunks.find((chunk) => chunk.type === 'accepted');
      assert.equal(accepted?.type === 'accepted' && accepted.attempts, attempts);
      // It is remembered: another run begins where this one ended.
      const second = await collect(make(), endpoint.messages, endpoint.options);
      assert.equal(second.text, 'Thought 1: fine.');
      assert.deepEqual(second.notices, []);
      assert.equal(server.requests.length - before, attempts + 1);
      assert.ok(attempts <= 3, `${attempts} attempts`);
    });
  }

  it('is not believed when the changed request fails too', async () => {
    server.fallback = () => bad("Unsupported parameter: 'stop' is not supported with this model.", { param: 'stop' });
    const store = memoryFitStore();
    const before = server.requests.length;
    const { error } = await collect(openaiAt(server.baseUrl, { fitStore: store }));
    assert.match(error!.message, /refused the request \(400\).*'stop' is not supported/);
    assert.deepEqual(store.list(), []);
    assert.ok(server.requests.length - before <= 6);
  });

  it('is not believed to refuse anything when it only fails for a moment', async () => {
    const troubles = [
      'unexpected error while streaming the reply',
      'invalid tool call in the output',
      'internal error: stop only',
    ];
    for (const trouble of troubles) {
      const replies: (string | ModelReplySpec)[] = [bad(trouble, {}, 500)];
      server.fallback = () => replies.shift() ?? 'Fine.';
      const store = memoryFitStore();
      const { text, notices } = await collect(openaiAt(server.baseUrl, { fitStore: store }), QUESTION, {
        ...ASKED,
        tools: [{ name: 'Search', description: 'finds', parameters: { type: 'object' } }],
      });
      assert.equal(text, 'Fine.');
      assert.match(notices.join(), /^retry: [^,]+$/);
      assert.deepEqual(store.list(), []);
    }
  });

  it('keeps what it taught apart from other models, can be shown and forgotten', async () => {
    const store = memoryFitStore();
    server.fallback = ({ body }) => (body.stop ? bad('Unknown parameter: stop') : 'Fine.');
    await collect(openaiAt(server.baseUrl, { fitStore: store, model: 'one' }));
    assert.equal(store.get(server.baseUrl, 'two'), undefined);
    const [learnt] = store.list();
    assert.deepEqual(describeFit(learnt!.fit, 'en'), ['This endpoint takes no `stop`, so it is left out.']);
    assert.deepEqual(describeFit(learnt!.fit, 'zh-CN'), ['该服务不接受 `stop`，已不再发送。']);
    // Plain data: it survives being stored.
    const again = memoryFitStore(JSON.parse(JSON.stringify(store.list())));
    assert.deepEqual(again.get(server.baseUrl, 'one'), learnt!.fit);
    store.clear();
    assert.deepEqual(store.list(), []);
  });

  it('leaves less room for the reply where the prompt takes most of the window, and only this time', async () => {
    server.fallback = ({ body }) =>
      body.max_tokens > 548
        ? bad(
            "'max_tokens' is too large: 1024. This model's maximum context length is 2048 tokens and your request has 1500 input tokens (1024 > 2048 - 1500).",
          )
        : 'Fine.';
    const store = memoryFitStore();
    const llm = openaiAt(server.baseUrl, { fitStore: store });
    assert.equal((await collect(llm)).text, 'Fine.');
    assert.equal(server.requests.at(-1)!.body.max_tokens, 548);
    assert.deepEqual(store.list(), []);
    assert.equal(llm.contextWindow, 2048);
  });
});
