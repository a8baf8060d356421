import { type ErrorBody, readErrorBody } from './errorBody';
import type { StreamFault, StreamFaultKind } from './wildStream';

export type FailureKind =
  // No reply at all.
  | 'dns'
  | 'refused'
  | 'tls'
  | 'proxy'
  | 'network'
  | 'first-byte'
  // A reply that says no.
  | 'unauthorized'
  | 'forbidden'
  | 'wrong-path'
  | 'no-model'
  | 'rate-limit'
  | 'quota'
  | 'context'
  | 'server'
  | 'rejected'
  // A reply that broke off.
  | Exclude<StreamFaultKind, 'first-byte'>
  | 'early-end'
  | 'empty';

/** Why a request failed, as far as it can be told. `said` is the endpoint's own wording, not yet redacted. */
export interface Failure {
  kind: FailureKind;
  said: string;
  status?: number;
  /** System error code, as Node names it: `ECONNREFUSED`. */
  code?: string;
  /** Milliseconds the endpoint asks to wait. */
  retryAfterMs?: number;
  /** Tokens: the context window, and the prompt that was too long for it, where it said so. */
  window?: number;
  prompt?: number;
  /** The error body, for self-fitting. */
  body?: ErrorBody;
}

/** Carries a failure through code that knows only errors. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  constructor(readonly failure: Failure) {
    super(`${failure.kind}: ${failure.said}`);
  }
}

const CONTEXT =
  /context[ _-]?(length|window|size|limit|overflow)|context the overflows|prompt is too long|prompt (has|contains) too many|too many (input )?tokens|input (is )?too long|(input|prompt|request)( token| length| tokens)?[^.]{0,40} exceed|range of input length|reduce the (length|size|number) of|maximum (number of )?(input )?tokens|tokens? (limit|count)[^.]{0,30}exceed|exceeds? the (available|maximum|model'?s)[^.]{0,40}(context|tokens|length)|上下文.{0,8}(长度|超)|输入.{0,6}(过长|超)/i;
const CONTEXT_CODES =
  /context_length|exceed_context|context_window|string_above_max_length|request_too_large|tokens_exceeded/;
const QUOTA =
  /insufficient[ _](quota|balance|credit|funds)|exceeded your current quota|billing|out of credits|credit balance|more credits|quota[^.]{0,30}(exhausted|exceeded)|daily (limit|quota)|arrearage|payment required|余额不足|欠费/i;
const MODEL_MISSING =
  /\bmodels?\b[^.\n]{0,120}?(not[ _](be )?(found|exist|available|supported|loaded)|does(n't| not)[ _]exist|unknown|invalid|decommissioned|no longer)|(no such|unknown|invalid|unsupported|not a valid|not found[:,]?( the)?) model|no models? (is |are )?loaded|try pulling it first|deployment.{0,60}not exist|模型.{0,12}(不存在|未找到)/i;
const MODEL_CODES =
  /model_not_found|model_not_exist|deploymentnotfound|model_decommissioned|invalid_model|modelnotfound/;
const WRONG_PATH =
  /invalid url|unexpected endpoint|no (such )?route|cannot (post|get) |unknown (url|path|endpoint|request url)|page not found|no handler|url.{0,20}not found|method not allowed|^not found$|file not found|resource not found/i;
const KEY_WORDS =
  /api[-_ ]?key|unauthori[sz]ed|authentication|invalid[_ ]token|credential|no auth|bearer|api密钥|鉴权/i;

/** Reads a status and an error body. `status` 200 means an error object in place of a reply. */
export function readRefusal(status: number, headers: Headers, text: string): Failure {
  const body = readErrorBody(text);
  const codes = body.codes.join(' ');
  const said = body.message;
  const own = Number(body.codes.find((code) => /^[45]\d\d$/.test(code)));
  const effective = status < 300 && own ? own : status;
  const retryAfterMs = readRetryAfter(headers, said);
  const failure = (kind: FailureKind, more: Partial<Failure> = {}): Failure => ({
    kind,
    said,
    ...(effective < 300 ? {} : { status: effective }),
    body,
    ...more,
  });
  if (body.webPage)
    return failure(effective === 407 ? 'proxy' : effective >= 500 || effective === 403 ? 'server' : 'web-page');
  if (effective === 407) return failure('proxy');
  if (effective === 402 || QUOTA.test(said) || QUOTA.test(codes)) return failure('quota');
  // Too many tokens for one request is no matter of waiting, even where it is called a rate limit.
  if (
    effective === 413 ||
    CONTEXT_CODES.test(codes) ||
    (effective !== 429 && effective !== 401 && CONTEXT.test(said))
  ) {
    return failure('context', readWindow(said, text));
  }
  if (effective === 429 || /rate_?limit|throttl|too_many_requests/.test(codes)) {
    return failure('rate-limit', retryAfterMs === undefined ? {} : { retryAfterMs });
  }
  if (effective === 401 || /invalid_api_key|authentication_error|unauthenticated/.test(codes))
    return failure('unauthorized');
  if (
    MODEL_CODES.test(codes) ||
    ([200, 400, 404, 422].includes(effective) && MODEL_MISSING.test(said) && !/tool|image|paramet/i.test(said))
  ) {
    return failure('no-model');
  }
  if (effective === 403) return failure(KEY_WORDS.test(said) ? 'unauthorized' : 'forbidden');
  if (
    effective === 405 ||
    ((effective === 404 || effective === 200) && WRONG_PATH.test(said)) ||
    (effective === 404 && said === '')
  ) {
    return failure('wrong-path');
  }
  if (effective === 404) return failure(/tool|parameter|support/i.test(said) ? 'rejected' : 'wrong-path');
  if (effective >= 500 || effective === 408 || effective === 409 || effective === 425) {
    return failure('server', retryAfterMs === undefined ? {} : { retryAfterMs });
  }
  if (effective < 300)
    return failure(
      /overload|timeout|unavailable|internal|server_error/i.test(`${codes} ${said}`) ? 'server' : 'rejected',
    );
  if (effective < 400) return failure('wrong-path');
  return failure('rejected');
}

const TLS = /CERT|SSL|TLS|UNABLE_TO_(VERIFY|GET)|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH/;

/** Finds out why no reply came: the reason lies some causes deep under “fetch failed”. */
export function readConnectionError(error: unknown): Failure {
  let code = '';
  let said = '';
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    const named = (at as NodeJS.ErrnoException).code;
    if (typeof named === 'string' && named !== '') code = named;
    // Chromium's network stack, which VS Code can be told to use, names its errors in the message.
    code ||= /net::ERR_\w+/.exec(at.message)?.[0] ?? '';
    if (at.message !== '') said = at.message;
    const several = at instanceof AggregateError ? at.errors[0] : undefined;
    if (several instanceof Error && !code) code = String((several as NodeJS.ErrnoException).code ?? '');
  }
  const failure = (kind: FailureKind): Failure => ({ kind, said, ...(code === '' ? {} : { code }) });
  if (/ENOTFOUND|EAI_|ERR_NAME_NOT_RESOLVED/.test(code)) return failure('dns');
  if (/ECONNREFUSED|ERR_CONNECTION_REFUSED/.test(code)) return failure('refused');
  if (/PROXY|TUNNEL/i.test(code) || /proxy/i.test(said)) return failure('proxy');
  if (TLS.test(code)) return failure('tls');
  if (/TIMEDOUT|TIMEOUT|TIMED_OUT/.test(code) || /timed? ?out/i.test(said)) return failure('first-byte');
  return failure('network');
}

export function readStreamFault(fault: StreamFault): Failure {
  return { kind: fault.kind, said: fault.message };
}

/** Milliseconds to wait: from the headers, else from the sentence itself (“try again in 1m3.5s”). */
export function readRetryAfter(headers: Headers, said: string, now = Date.now()): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const after = headers.get('retry-after');
  if (after !== null) {
    const seconds = Number(after);
    if (Number.isFinite(seconds) && after.trim() !== '') return Math.max(0, seconds * 1000);
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  const phrase =
    /(?:retry|again|wait)[^.\d]{0,30}?((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\b\s*)+)/i.exec(
      said,
    )?.[1];
  if (phrase === undefined) return undefined;
  let total = 0;
  for (const [, number, unit = ''] of phrase.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const scale = /^(ms|milli)/i.test(unit) ? 1 : /^s/i.test(unit) ? 1000 : /^m/i.test(unit) ? 60_000 : 3_600_000;
    total += Number(number) * scale;
  }
  return total;
}

const number = (text: string | undefined) =>
  text === undefined ? undefined : Number(text.replace(/[,_ ]/g, '')) || undefined;

/** The window and the prompt's size, in tokens, from the wordings that servers use. */
export function readWindow(said: string, text = said): { window?: number; prompt?: number } {
  const N = '(\\d[\\d,]{2,})';
  const first = (...patterns: string[]) => {
    for (const pattern of patterns) {
      const found =
        number(new RegExp(pattern, 'i').exec(said)?.[1]) ?? number(new RegExp(pattern, 'i').exec(text)?.[1]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const window = first(
    `"n_ctx":\\s*${N}`,
    `(?:context (?:length|window|size)|max_model_len|model_max_length)(?: of(?: only)?| is| limit(?: of)?|:|=)* ?\\(?${N}`,
    `(?:maximum|max)[^.\\d]{0,60}${N}`,
    `range of input length should be \\[\\d+, ?${N}`,
    `> ${N} maximum`,
    `(?:limit|exceeds?)[^.\\d]{0,60}\\(?${N}`,
  );
  const prompt = first(
    `"n_prompt_tokens":\\s*${N}`,
    `\\(${N} in the messages`,
    `${N} in the messages`,
    `messages resulted in ${N}`,
    `(?:request has|prompt (?:contains|has)(?: at least)?|prompt is too long:) ${N}`,
    `${N} (?:input|prompt) tokens`,
    `(?:request|prompt|input)(?: token count)?[^.\\d]{0,20}\\(${N}`,
  );
  return { ...(window === undefined ? {} : { window }), ...(prompt === undefined ? {} : { prompt }) };
}
