import assert from 'node:assert/strict';
import type { FailureKind } from '../../src/llm/failures';
import { readRefusal } from '../../src/llm/refusal';

type Expected = FailureKind | { kind: FailureKind; window?: number; prompt?: number; waitMs?: number };
type Wording = [
  from: string,
  status: number,
  body: object | string,
  expected: Expected,
  headers?: Record<string, string>,
];

const message = (said: string, more: object = {}) => ({ error: { message: said, ...more } });
const page = (title: string) => `<html><head><title>${title}</title></head></html>`;
const BILLING = 'Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing';

const RATE_LIMITS: Wording[] = [
  [
    'Groq, with a link to its bills',
    429,
    message(`Rate limit reached for model \`m\` on tokens per minute (TPM): Limit 6000. Try again in 1s. ${BILLING}`, {
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    { kind: 'rate-limit', waitMs: 2000 },
    { 'retry-after': '2' },
  ],
  [
    'OpenAI, with a link to its bills',
    429,
    message(
      'Rate limit reached for m on requests per min (RPM): Limit 3, Used 3. Please try again in 20s. You can increase your rate limit by adding a payment method at https://platform.openai.com/account/billing.',
      { type: 'requests', code: 'rate_limit_exceeded' },
    ),
    { kind: 'rate-limit', waitMs: 20_000 },
  ],
  [
    'Gemini, which calls it a quota',
    429,
    [
      message(
        'You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 15\nPlease retry in 33.6s.',
        { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '33s' }] },
      ),
    ],
    { kind: 'rate-limit', waitMs: 33_000 },
  ],
  ['Vertex', 429, message('Resource has been exhausted (e.g. check quota).'), 'rate-limit'],
  [
    'DashScope',
    429,
    { code: 'Throttling.AllocationQuota', message: 'Allocated quota exceeded, please increase your quota limit.' },
    'rate-limit',
  ],
  ['a quota with a time to come back', 429, message('Quota exceeded, try again in 40 seconds'), 'rate-limit'],
  [
    'Bedrock',
    400,
    { __type: 'ThrottlingException', message: 'Too many tokens, please wait before trying again.' },
    'rate-limit',
  ],
  ['Zhipu', 429, message('您当前使用该API的并发数过高，请降低并发，或联系客服增加限额。'), 'rate-limit'],
  [
    'Cloudflare, with a status of success',
    200,
    { success: false, errors: [{ message: 'Rate limited' }] },
    'rate-limit',
  ],
  [
    "Cloudflare's page",
    429,
    page('Error 1015: You are being rate limited'),
    { kind: 'rate-limit', waitMs: 7000 },
    { 'retry-after': '7' },
  ],
];

const QUOTAS: Wording[] = [
  [
    'OpenAI',
    429,
    message('You exceeded your current quota.', { code: 'insufficient_quota' }),
    'quota',
    { 'retry-after': '1' },
  ],
  ['LiteLLM', 429, message('OpenAIException - You exceeded your current quota', { code: '429' }), 'quota'],
  ['LiteLLM, its own budget', 400, message('Budget has been exceeded! Current cost: 10.2'), 'quota'],
  ['One API', 403, message('用户额度不足', { code: 'insufficient_user_quota' }), 'quota'],
  ['One API, by words', 429, message('该令牌额度已用尽'), 'quota'],
  ['SiliconFlow', 403, { code: 30001, message: 'Sorry, your account balance is insufficient' }, 'quota'],
  [
    'Moonshot',
    429,
    message('You exceeded your current token quota: 0, please check your account balance', {
      type: 'exceeded_current_quota_error',
    }),
    'quota',
  ],
  ['DashScope', 403, message('The free tier has been exhausted.', { code: 'AllocationQuota.FreeTierOnly' }), 'quota'],
  ['Anthropic', 400, message('Your credit balance is too low to access the Anthropic API.'), 'quota'],
];

const CONTEXTS: Wording[] = [
  [
    'Mistral, with a code',
    400,
    { message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length', code: '3051' },
    { kind: 'context', window: 32_768, prompt: 40_000 },
  ],
  ['MiniMax, with a code', 400, message('invalid params, context window exceeds limit (2013)'), { kind: 'context' }],
  [
    'Anthropic',
    400,
    message('input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000, decrease input length'),
    { kind: 'context', window: 200_000, prompt: 199_000 },
  ],
  [
    'xAI',
    400,
    { error: "This model's maximum prompt length is 131072 but the request contains 150000 tokens." },
    { kind: 'context', window: 131_072, prompt: 150_000 },
  ],
  [
    'Text Generation Inference',
    422,
    { error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000' },
    { kind: 'context', window: 4096, prompt: 5000 },
  ],
  [
    'Together',
    422,
    message('`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8500 `inputs` tokens and 512 `max_new_tokens`'),
    { kind: 'context', window: 8193, prompt: 8500 },
  ],
  [
    'vLLM',
    400,
    message('The decoder prompt (length 9000) is longer than the maximum model length of 8192.'),
    { kind: 'context', window: 8192, prompt: 9000 },
  ],
  [
    'OpenRouter',
    400,
    message(
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (39000 of text input, 1000 in the output).",
    ),
    { kind: 'context', window: 32_768, prompt: 39_000 },
  ],
  ['Zhipu', 400, message('Prompt 超长', { code: '1261' }), { kind: 'context' }],
  ['Qianfan', 400, message('the max length of current question is 8000'), { kind: 'context', window: 8000 }],
  [
    'OpenAI: more than a minute’s tokens at once',
    429,
    message('Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000.', {
      code: 'rate_limit_exceeded',
    }),
    { kind: 'context', window: 30_000 },
  ],
  [
    'OpenAI',
    400,
    message("This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens.", {
      code: 'context_length_exceeded',
    }),
    { kind: 'context', window: 8192, prompt: 9120 },
  ],
  [
    'vLLM, with the reply',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5120 tokens (4096 in the messages, 1024 in the completion).",
      code: 400,
    },
    { kind: 'context', window: 4096, prompt: 4096 },
  ],
  [
    'llama.cpp, in fields',
    400,
    message('the request exceeds the available context size, try increasing it', {
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9000,
      n_ctx: 2048,
    }),
    { kind: 'context', window: 2048, prompt: 9000 },
  ],
  [
    'Anthropic, the prompt alone',
    400,
    message('prompt is too long: 210000 tokens > 200000 maximum', { type: 'invalid_request_error' }),
    { kind: 'context', window: 200_000, prompt: 210_000 },
  ],
  [
    'DashScope',
    400,
    { code: 'InvalidParameter', message: 'Range of input length should be [1, 30720]' },
    { kind: 'context', window: 30_720 },
  ],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 5100 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
    { kind: 'context', window: 4096 },
  ],
  [
    'Gemini',
    400,
    message('The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).'),
    { kind: 'context', window: 1_048_576, prompt: 1_100_000 },
  ],
  [
    'Groq: more than a minute’s tokens at once',
    413,
    message('Request too large for model on tokens per minute (TPM): Limit 6000, Requested 9000', {
      code: 'rate_limit_exceeded',
    }),
    { kind: 'context', window: 6000 },
  ],
  ["nginx's page", 413, page('413 Request Entity Too Large'), { kind: 'context' }],
  // Near neighbours: about the reply, not about what was sent.
  [
    'Bedrock',
    400,
    { message: 'The maximum tokens you requested exceeds the model limit of 800. Try again with a lower value.' },
    'rejected',
  ],
  ['Cohere', 400, { message: 'too many tokens: max tokens must be less than or equal to 500' }, 'rejected'],
];

const KEYS: Wording[] = [
  ['Gemini', 400, [message('API key not valid. Please pass a valid API key.', { code: 400 })], 'unauthorized'],
  ['xAI', 400, { error: 'Incorrect API key provided: xa***yz.' }, 'unauthorized'],
  ['LiteLLM', 400, message('Authentication Error, No api key passed in.', { type: 'auth_error' }), 'unauthorized'],
  ['Cloudflare', 200, { success: false, errors: [{ code: 10000, message: 'Authentication error' }] }, 'unauthorized'],
  ['MiniMax', 200, { base_resp: { status_code: 1004, status_msg: 'login fail: carry the key' } }, 'unauthorized'],
  ['a gateway', 200, { code: 401, msg: '令牌无效' }, 'unauthorized'],
  ["nginx's page", 401, page('401 Authorization Required'), 'unauthorized'],
  // Near neighbours: a key is mentioned.
  ['a field', 400, message("Unknown parameter: 'api_key'"), 'rejected'],
  ['xAI', 404, { error: 'The model foo does not exist. Please ensure you use the correct API key.' }, 'no-model'],
];

const MODELS: Wording[] = [
  ['OpenRouter', 404, message('No endpoints found for foo/bar.', { code: 404 }), 'no-model'],
  ['OpenRouter, other words', 400, message('foo/bar is not a valid model ID'), 'no-model'],
  ['Anthropic', 404, message('model: claude-9', { type: 'not_found_error' }), 'no-model'],
  [
    'OpenAI',
    404,
    message('This model is only supported in v1/responses and not in v1/chat/completions.', { param: 'model' }),
    'no-model',
  ],
  ['Together', 404, message('Unable to access model foo. See https://api.together.ai/models.'), 'no-model'],
  ['One API', 503, message('当前分组 default 下对于模型 m 无可用渠道'), 'no-model'],
  ['OpenRouter: its settings', 404, message('No endpoints found matching your data policy.'), 'forbidden'],
  ['Gemini: the region', 400, message('User location is not supported for the API use.'), 'forbidden'],
  // Near neighbours: not about the model.
  ['OpenRouter: tools', 404, message('No endpoints found that support tool use.'), 'rejected'],
  ['OpenRouter: fields', 404, message('No endpoints found that can handle the requested parameters.'), 'rejected'],
  ['OpenAI: a field', 400, message("Unsupported parameter: 'stop' is not supported with this model."), 'rejected'],
  ['tools', 400, message('The model does not support tools'), 'rejected'],
  ['OpenAI: the path', 404, message('Invalid URL (POST /chat/completions)'), 'wrong-path'],
  ['LM Studio: the path', 200, message('Unexpected endpoint or method. (POST /chat/completions)'), 'wrong-path'],
  ['FastAPI', 404, { detail: 'Not Found' }, 'wrong-path'],
  ['a page', 404, page('404 Not Found'), 'web-page'],
];

const OTHERS: Wording[] = [
  ['DeepSeek', 400, message('Content Exists Risk', { code: 'invalid_request_error' }), 'filtered'],
  ['OpenAI', 400, message('Your request was flagged as potentially violating our usage policy.'), 'filtered'],
  ['OpenRouter', 403, message('Your chosen model requires moderation and your input was flagged'), 'filtered'],
  ['llama.cpp', 503, message('Loading model', { type: 'unavailable_error' }), 'loading'],
  [
    'Hugging Face',
    503,
    { error: 'Model m is currently loading', estimated_time: 20 },
    { kind: 'loading', waitMs: 20_000 },
  ],
  ['Envoy', 200, 'upstream connect error or disconnect/reset before headers', 'server'],
  ['DeepSeek: busy', 503, message('Service is too busy.'), 'server'],
  ['Anthropic: busy', 529, message('Overloaded', { type: 'overloaded_error' }), 'server'],
  ['a proxy', 407, message('Proxy Authentication Required'), 'proxy'],
  ['a network’s sign-in page', 511, page('Log in'), 'proxy'],
  ['a value', 400, message('The flagged parameter is unknown'), 'rejected'],
];

/** Statuses and codes go first, then words; what an address in them says counts for nothing. */
describe('a refusal is read for what it is', () => {
  const GROUPS = { RATE_LIMITS, QUOTAS, CONTEXTS, KEYS, MODELS, OTHERS };
  for (const [group, wordings] of Object.entries(GROUPS)) {
    for (const [from, status, body, expected, headers] of wordings) {
      it(`${group.toLowerCase().replace('_', ' ')}: ${from}`, () => {
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        const { kind, window, prompt, retryAfterMs } = readRefusal(status, new Headers(headers), text);
        const want = typeof expected === 'string' ? { kind: expected } : expected;
        assert.equal(kind, want.kind);
        if (kind === 'context') assert.deepEqual([window, prompt], [want.window, want.prompt]);
        if (want.waitMs !== undefined) assert.equal(retryAfterMs, want.waitMs);
      });
    }
  }
});
