import { readErrorBody } from './errorBody';
import type { Failure, FailureKind } from './failures';
import { readRetryAfter } from './retryAfter';
import { readWindow } from './statedWindow';

/** What the rules look at. `status` 0: an error object came with a status of success. */
interface Refusal {
  status: number;
  said: string;
  codes: string;
  webPage: boolean;
}

const CONTEXT =
  /context[ _-]?(length|window|size|limit|overflow|shift)|context the overflows|(prompt|input) (is )?too long|prompt (has|contains) too many|too many (input )?tokens|(input|prompt|request)( token| length| tokens)?[^.]{0,40} exceed|range of input length|reduce the (length|size|number) of|maximum (number of )?(input )?tokens|tokens? (limit|count)[^.]{0,30}exceed|exceeds? (the )?token limit|exceeds? the (available|maximum|model'?s)[^.]{0,40}(context|tokens|length)|上下文.{0,8}(长度|超)|输入.{0,6}(过长|超)/i;
const CONTEXT_CODES =
  /context_length|exceed_context|context_window|string_above_max_length|request_too_large|tokens_exceeded/;
/** Only the reply asked for is too long, not what was sent. */
const OUTPUT = /max(imum)?[ _-]?(completion|output|new)?[ _-]?tokens/i;
const INPUT = /prompt|message|input|request/i;
const QUOTA =
  /insufficient[ _](quota|balance|credit|funds)|exceeded your current quota|billing|out of credits|credit balance|more credits|quota[^.]{0,30}(exhausted|exceeded)|daily (limit|quota)|arrearage|payment required|余额不足|欠费/i;
const FILTERED =
  /content[ _-](filter|management|policy|moderation)|moderation|inappropriate|data_inspection|safety (system|polic)|sensitive (content|words)|内容安全|敏感/i;
const NO_MODEL =
  /\bmodels?\b[^.\n]{0,120}?(not[ _](be )?(found|exist|available|supported|loaded)|does(n't| not)[ _]exist|unknown|invalid|decommissioned|no longer)|(no such|unknown|invalid|unsupported|not a valid|not found[:,]?( the)?) model|no models? (is |are )?loaded|try pulling it first|deployment.{0,60}not exist|模型.{0,12}(不存在|未找到)/i;
const NO_MODEL_CODES =
  /model_not_found|model_not_exist|deploymentnotfound|model_decommissioned|invalid_model|modelnotfound/;
/** Then it is the parameter that the model does not take. */
const PARAMETER =
  /paramet|argument|\b(stop|stream\w*|temperature|top_p|tools?|function|penalty|\w*_penalty|max_\w*tokens|system|role|reasoning\w*|image)\b/i;
const WRONG_PATH =
  /invalid url|unexpected endpoint|no (such )?route|cannot (post|get) |unknown (url|path|endpoint|request url)|page not found|no handler|url.{0,20}not found|method not allowed|^not found$|file not found|resource not found/i;
const KEY = /api[-_ ]?key|unauthori[sz]ed|authentication|invalid[_ ]token|credential|no auth|bearer|密钥|鉴权/i;
const KEY_CODES = /invalid_api_key|authentication_error|unauthenticated/;
const RATE_CODES = /rate_?limit|throttl|too_many_requests/;
const SERVER = /overload|timeout|timed out|unavailable|internal|server_error|upstream/i;

/** The first rule that holds tells the kind. What endpoints say goes before the status, which gateways often get wrong. */
const RULES: readonly [FailureKind, (refusal: Refusal) => boolean][] = [
  ['proxy', ({ status }) => status === 407],
  ['server', ({ webPage, status }) => webPage && status >= 500],
  ['forbidden', ({ webPage, status }) => webPage && status === 403],
  ['web-page', ({ webPage }) => webPage],
  ['quota', ({ status, said, codes }) => status === 402 || QUOTA.test(said) || QUOTA.test(codes)],
  // Too many tokens for one request is no matter of waiting, even where it is called a rate limit.
  ['context', ({ status, codes }) => status === 413 || CONTEXT_CODES.test(codes)],
  [
    'context',
    ({ status, said }) =>
      status !== 429 && status !== 401 && CONTEXT.test(said) && (INPUT.test(said) || !OUTPUT.test(said)),
  ],
  ['rate-limit', ({ status, codes }) => status === 429 || RATE_CODES.test(codes)],
  [
    'filtered',
    ({ status, said, codes }) => status < 500 && (FILTERED.test(codes) || (status === 400 && FILTERED.test(said))),
  ],
  ['unauthorized', ({ status, codes }) => status === 401 || KEY_CODES.test(codes)],
  ['no-model', ({ codes }) => NO_MODEL_CODES.test(codes)],
  [
    'no-model',
    ({ status, said }) => [0, 400, 404, 422].includes(status) && NO_MODEL.test(said) && !PARAMETER.test(said),
  ],
  ['unauthorized', ({ status, said }) => status === 403 && KEY.test(said)],
  ['forbidden', ({ status }) => status === 403],
  ['wrong-path', ({ status }) => status === 405 || (status >= 300 && status < 400)],
  ['wrong-path', ({ status, said }) => (status === 404 || status === 0) && WRONG_PATH.test(said)],
  ['rejected', ({ status, said }) => status === 404 && PARAMETER.test(said)],
  ['wrong-path', ({ status }) => status === 404],
  ['server', ({ status }) => status >= 500 || status === 408 || status === 409 || status === 425],
  ['server', ({ status, said, codes }) => status === 0 && (SERVER.test(codes) || SERVER.test(said))],
];

/**
 * Reads a status and an error body.
 * @param status a status of success means an error object in place of a reply
 */
export function readRefusal(status: number, headers: Headers, text: string): Failure {
  const body = readErrorBody(text);
  const stated = Number(body.codes.find((code) => /^[45]\d\d$/.test(code)));
  const effective = status >= 300 ? status : stated || 0;
  const refusal = { status: effective, said: body.message, codes: body.codes.join(' '), webPage: body.webPage };
  const kind = RULES.find(([, holds]) => holds(refusal))?.[0] ?? 'rejected';
  const retryAfterMs = readRetryAfter(headers, body.message);
  return {
    kind,
    said: body.message,
    body,
    ...(effective === 0 ? {} : { status: effective }),
    ...(kind === 'context' ? readWindow(text) : {}),
    ...(retryAfterMs !== undefined && (kind === 'rate-limit' || kind === 'server') ? { retryAfterMs } : {}),
  };
}
