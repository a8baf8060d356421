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

const repeats = ({ messages }: Body) =>
  messages.some((message: Body, index: number) => message.role === messages[index - 1]?.role);
const TOOLS: LlmOptions = { tools: [{ name: 'Search', description: 'finds', parameters: { type: 'object' } }] };

/** What is refused until the body is as it must be. */
type Wording = [name: string, status: number, body: object | string, changed: (body: Body) => boolean, LlmOptions?];
const said = (message: string) => ({ error: { message } });
const capped = (most: number) => (body: Body) => body.max_tokens <= most && body.max_tokens >= most - 1;
const LONG: LlmOptions = { ...ASKED, maxTokens: 32_768 };
const withoutStop = (body: Body) => !('stop' in body) && 'stream_options' in body && body.temperature === 0;
const folded = (body: Body) => body.messages[0].role === 'user' && 'stop' in body;
const WORDINGS: Wording[] = [
  ['a cap: OpenAI', 400, said("Invalid 'max_tokens'. Expected a value <= 512, but got 1024 instead."), capped(512)],
  ['a cap: Anthropic', 400, said('max_tokens: 1024 > 800, which is the maximum allowed number'), capped(800)],
  ['a cap: vLLM', 400, said('max_tokens must be at least 1 and at most 500, got 1024.'), capped(500)],
  ['a cap: a range', 400, said('max_tokens must be between 1 and 8192, inclusive'), capped(8192), LONG],
  ['a cap: thousands', 400, said('max_tokens must be less than or equal to 8,192.'), capped(8192), LONG],
  [
    'a cap: Gemini',
    400,
    said('it has a maxOutputTokens value of 1024 but the supported range is from 1 (inclusive) to 501 (exclusive)'),
    capped(500),
  ],
  ['a cap: Bedrock', 400, { message: 'The maximum tokens you requested exceeds the model limit of 800.' }, capped(800)],
  ['a cap: Zhipu', 400, said('API 调用参数有误。max_tokens 不能大于4095'), capped(4095), LONG],
  ['a cap: in Chinese', 400, said('max_tokens 参数值超出范围，最大值为 500'), capped(500)],
  ['a cap: the window', 400, said("max_tokens (32768) exceeds the model's context length (4096)"), capped(4096), LONG],
  [
    'a least number',
    400,
    said("Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead."),
    (body) => body.max_tokens === 16,
    { ...ASKED, maxTokens: 1 },
  ],
  [
    'another name',
    400,
    said('max_tokens is deprecated in favor of max_completion_tokens'),
    (body) => body.max_completion_tokens === 1024 && !('max_tokens' in body),
  ],
  ['stop: German', 400, { fehler: 'Der Parameter "stop" wird nicht unterstützt.' }, withoutStop],
  ['stop: French', 400, said('Le paramètre « stop » n’est pas pris en charge.'), withoutStop],
  ['stop: Japanese', 400, said('パラメータ stop はサポートされていません。'), withoutStop],
  ['stop: not available', 404, said("'stop' isn't available for this model"), withoutStop],
  ['stop: 501', 501, said('stop sequences not implemented'), withoutStop],
  ['stop: 500', 500, said('stop: not implemented'), withoutStop],
  [
    'stop: with a status of success',
    200,
    { success: false, code: 400, msg: 'unsupported parameter: stop' },
    withoutStop,
  ],
  [
    'stop: Zod',
    400,
    { error: { name: 'ZodError', message: '[{"expected":"string","path":["stop"],"message":"Expected a string"}]' } },
    (body) => typeof body.stop === 'string',
  ],
  [
    'stop: XML',
    400,
    '<?xml version="1.0"?><Error><Code>InvalidParameter</Code><Message>stop is not supported</Message></Error>',
    withoutStop,
  ],
  ['system: MiniMax', 400, said('invalid params, invalid chat setting (2013)'), folded],
  ['system: ERNIE', 400, said("messages' role must be in user, assistant and function"), folded],
  [
    'system: ERNIE, with a status of success',
    200,
    { error_code: 336006, error_msg: 'the role of first message must be user' },
    folded,
  ],
  ['system: Zhipu', 400, said('messages 参数非法：角色信息不正确'), folded],
  [
    'system: pydantic',
    422,
    {
      detail: [
        { loc: ['body', 'messages', 0], msg: 'value is not a valid enumeration member; permitted: user, assistant' },
      ],
    },
    folded,
  ],
  [
    'tools: llama.cpp',
    500,
    said('tools param requires --jinja flag'),
    (body) => !('tools' in body) && body.messages[0].role === 'system',
    TOOLS,
  ],
  [
    'tools: Ollama',
    500,
    said('registry.ollama.ai/library/gemma:2b does not support tools'),
    (body) => !('tools' in body) && body.messages[0].role === 'system',
    TOOLS,
  ],
  ['a demand: a number', 400, said('temperature must be 1.0 for this model'), (body) => body.temperature === 1],
  ['a demand: Moonshot', 400, said('invalid temperature: only 0.6 is allowed'), (body) => body.temperature === 0.6],
  [
    'a demand: DashScope',
    400,
    said('The value of the enable_thinking parameter is restricted to True.'),
    (body) => body.enable_thinking === true,
  ],
  [
    'a demand: DashScope, other words',
    400,
    said('This model only supports incremental_output set to True.'),
    (body) => body.incremental_output === true,
  ],
];

/** Endpoints by what they refuse: each says no in its own words until the request is to its liking. */
const ENDPOINTS: {
  name: string;
  refuse: (body: Body) => ModelReplySpec | false | undefined;
  /** What the accepted body must look like. */
  accepted: (body: Body) => void;
  messages?: Message[];
  options?: LlmOptions;
  extraBody?: Record<string, unknown>;
  /** Requests that it takes to find out; more than three only where there is nothing but to guess. */
  most?: number;
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
      repeats(body) && {
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
    most: 4,
  },
  {
    name: 'a template that says nothing: the turns alone',
    refuse: (body) => repeats(body) && { status: 500, body: { error: 'jinja2.exceptions.TemplateError' } },
    messages: [...QUESTION, { role: 'user', content: 'A note from the user.' }],
    accepted: (body) => assert.equal(body.messages[0].role, 'system'),
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
    refuse: (body) => body.temperature === 0 && { status: 400, body: 'Bad Request' },
    accepted: (body) => assert.ok(body.stop && body.stream_options && body.max_tokens && !('temperature' in body)),
    most: 6,
  },
  {
    name: 'two things it does not name',
    refuse: (body) => (body.stream_options || body.temperature === 0) && { status: 400, body: 'Bad Request' },
    accepted: (body) => assert.equal(body.messages[0].role, 'system'),
    most: 9,
  },
  {
    name: 'a system message, without a word',
    refuse: (body) =>
      body.messages[0].role === 'system' && { status: 400, body: { error: { message: 'Bad Request' } } },
    accepted: (body) => assert.ok(body.stop && body.stream_options && body.temperature === 0),
    most: 4,
  },
  {
    name: 'tools, without a word',
    refuse: (body) => body.tools && { status: 422, body: '' },
    options: TOOLS,
    accepted: (body) => assert.ok(body.stream_options && body.messages[0].role === 'system'),
  },
  {
    name: 'streams, without a word',
    refuse: (body) => body.stream && { status: 400, body: {} },
    accepted: (body) => assert.ok(body.stop && body.max_tokens === 1024 && body.messages[0].role === 'system'),
    most: 8,
  },
  ...WORDINGS.map(([name, status, body, changed, options = ASKED]: Wording) => ({
    name,
    refuse: (sent: Body) => !changed(sent) && { status, body },
    options,
    accepted: (sent: Body) => assert.ok(changed(sent), JSON.stringify(sent)),
  })),
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
      assert.ok(attempts <= (endpoint.most ?? 3), `${attempts} attempts`);
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

  it('is not believed at once when it does not say what it refuses', async () => {
    const replies: ModelReplySpec[] = [{ status: 400, body: 'Bad Request' }];
    server.fallback = () => replies.shift() ?? 'Fine.';
    const store = memoryFitStore();
    const { text, notices } = await collect(openaiAt(server.baseUrl, { fitStore: store }));
    assert.deepEqual([text, notices, store.list()], ['Fine.', [], []]);
    assert.ok(server.requests.at(-1)!.body.stream_options);
  });

  it('is still understood after it was out of order for a while', async () => {
    const replies: ModelReplySpec[] = Array.from({ length: 20 }, () => ({ status: 503, body: 'Loading' }));
    server.fallback = ({ body }) =>
      replies.shift() ?? (body.temperature === 0 ? { status: 400, body: 'Bad Request' } : 'Fine.');
    const store = memoryFitStore();
    assert.equal((await collect(openaiAt(server.baseUrl, { fitStore: store }))).text, 'Fine.');
    assert.deepEqual(store.list()[0]?.fit, { drop: ['temperature'] });
  });

  it('is not asked again and again about something else', async () => {
    const before = server.requests.length;
    server.fallback = () => bad(`The organisation ${'o'.repeat(80)} has switched off this service for all its users.`);
    await collect(openaiAt(server.baseUrl));
    assert.equal(server.requests.length - before, 1);
  });

  it('is not believed to take no tools for a call that the model got wrong', async () => {
    for (const message of ['Invalid tool call arguments: not valid JSON', 'tool_call_id "c" is not supported here']) {
      server.fallback = () => bad(message);
      const store = memoryFitStore();
      const { error } = await collect(openaiAt(server.baseUrl, { fitStore: store }), QUESTION, TOOLS);
      assert.match(error!.message, /refused the request/);
      assert.ok('tools' in server.requests.at(-1)!.body);
      assert.deepEqual(store.list(), []);
    }
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

  it('is told so where it takes no reasoning back any more', async () => {
    server.fallback = ({ body }) =>
      body.messages.some((message: Body) => 'reasoning_content' in message)
        ? bad("property 'messages.2.reasoning_content' is unsupported")
        : 'Fine.';
    for (const [language, notice] of [
      ['en', 'fit: This endpoint takes no reasoning back.'],
      ['zh-CN', 'fit: 该服务不接受发回的推理内容。'],
    ] as const) {
      const store = memoryFitStore([{ endpoint: server.baseUrl, model: 'm', fit: { sendReasoning: true } }]);
      const messages: Message[] = [...QUESTION, { role: 'assistant', content: 'Thought 1: x', reasoning: 'Hm.' }];
      const { text, notices } = await collect(openaiAt(server.baseUrl, { fitStore: store, language }), messages);
      assert.deepEqual([text, notices], ['Fine.', [notice]]);
    }
  });

  it('keeps what it taught apart from other models, can be shown and forgotten', async () => {
    const store = memoryFitStore();
    server.fallback = ({ body }) => (body.stop ? bad('Unknown parameter: stop') : 'Fine.');
    await collect(openaiAt(server.baseUrl, { fitStore: store, model: 'one' }));
    assert.equal(store.get(server.baseUrl, 'two'), undefined);
    const [learnt] = store.list();
    assert.deepEqual(describeFit(learnt!.fit, 'en'), ['This endpoint takes no “stop”, so it is left out.']);
    assert.deepEqual(describeFit(learnt!.fit, 'zh-CN'), ['该服务不接受“stop”，已不再发送。']);
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
