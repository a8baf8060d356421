import { type ErrorBody, readErrorBody } from './errorBody';
import type { Failure, FailureKind } from './failures';
import * as words from './refusalWords';
import { readRateReset, readRetryAfter } from './retryAfter';
import { readWindow } from './statedWindow';

/** What the rules look at. `status` 0: an error object came with a status of success. */
interface Refusal extends ErrorBody {
  status: number;
  /** All codes, for patterns. */
  code: string;
  /** It says when to try again. */
  timed: boolean;
}
type Rule = [FailureKind, (refusal: Refusal) => boolean];

/** With these the status says more than the page: a gateway's own pages, and those of a server behind it. */
const PLAIN_STATUS: ReadonlySet<number> = new Set([401, 403, 408, 413, 425, 429]);
/** The statuses of an endpoint that disagrees with what it was sent. */
const DISAGREES: ReadonlySet<number> = new Set([0, 400, 404, 422]);

/** The first rule that holds tells the kind: statuses and codes that leave no doubt, then words, then the other statuses. */
const RULES: readonly Rule[] = [
  // 511 is the sign-in page of a network.
  ['proxy', ({ status }) => status === 407 || status === 511],
  ['web-page', ({ webPage, status }) => webPage && status < 500 && !PLAIN_STATUS.has(status)],
  ['quota', ({ status, code }) => status === 402 || words.QUOTA_CODES.test(code)],
  // Too many tokens for one request is no matter of waiting, even where it is called a rate limit.
  ['context', ({ status, code }) => status === 413 || words.TOO_LONG_CODES.test(code)],
  ['context', (refusal) => refusal.status === 429 && words.TOO_LONG_FOR_A_MINUTE.test(refusal.words)],
  ['rate-limit', ({ status, code, timed }) => words.RATE_CODES.test(code) || (status === 429 && timed)],
  ['quota', (refusal) => refusal.status < 500 && words.QUOTA.test(refusal.words)],
  ['rate-limit', ({ status }) => status === 429],
  ['rate-limit', (refusal) => [0, 400].includes(refusal.status) && words.TOO_MANY.test(refusal.words)],
  ['context', (refusal) => refusal.status !== 401 && tooLong(refusal.words)],
  ['filtered', ({ status, code }) => status < 500 && words.FILTER_CODES.test(code)],
  ['filtered', (refusal) => [0, 400, 403].includes(refusal.status) && words.FILTERED.test(refusal.words)],
  ['unauthorized', ({ status, code }) => status === 401 || words.KEY_CODES.test(code)],
  ['unauthorized', (refusal) => [0, 400, 422].includes(refusal.status) && words.BAD_KEY.test(refusal.words)],
  ['forbidden', (refusal) => [400, 404].includes(refusal.status) && words.NO_ACCESS.test(refusal.words)],
  ['no-model', (refusal) => words.NO_MODEL_CODES.test(refusal.code) || words.NO_CHANNEL.test(refusal.words)],
  ['no-model', (refusal) => DISAGREES.has(refusal.status) && aboutModel(refusal)],
  ['unauthorized', (refusal) => refusal.status === 403 && words.KEY.test(refusal.words)],
  ['forbidden', ({ status }) => status === 403],
  ['wrong-path', ({ status }) => status === 405 || (status >= 300 && status < 400)],
  ['wrong-path', (refusal) => [0, 404].includes(refusal.status) && words.WRONG_PATH.test(refusal.words)],
  ['rejected', (refusal) => refusal.status === 404 && words.PARAMETER.test(refusal.words)],
  ['no-model', (refusal) => refusal.status === 404 && /\bmodels?\b/i.test(refusal.words)],
  ['wrong-path', ({ status }) => status === 404],
  ['loading', (refusal) => [0, 503].includes(refusal.status) && words.LOADING.test(refusal.words)],
  ['server', ({ status }) => status >= 500 || [408, 409, 425, 499].includes(status)],
  ['server', ({ status, code, words: said }) => status === 0 && words.SERVER.test(`${code} ${said}`)],
];

function tooLong(said: string): boolean {
  return words.TOO_LONG.test(said) && (words.ABOUT_INPUT.test(said) || !words.ABOUT_OUTPUT.test(said));
}

function aboutModel({ fields, words: said }: Refusal): boolean {
  return (fields.includes('model') || words.NO_MODEL.test(said)) && !words.PARAMETER.test(said);
}

/**
 * Reads a status and an error body.
 * @param status a status of success means an error object in place of a reply
 */
export function readRefusal(status: number, headers: Headers, text: string): Failure {
  const body = readErrorBody(text);
  const stated = Number(body.codes.find((code) => /^[45]\d\d$/.test(code)));
  const effective = status >= 300 ? status : stated || 0;
  const asked = readRetryAfter(headers, text, body.words);
  const refusal = { ...body, status: effective, code: body.codes.join(' '), timed: asked !== undefined };
  const kind = RULES.find(([, holds]) => holds(refusal))?.[0] ?? 'rejected';
  const waits = kind === 'rate-limit' || kind === 'server' || kind === 'loading';
  const retryAfterMs = waits ? (asked ?? (kind === 'rate-limit' ? readRateReset(headers) : undefined)) : undefined;
  return {
    kind,
    said: body.message,
    body,
    ...(effective === 0 ? {} : { status: effective }),
    ...(kind === 'context' ? readWindow(text, body.words) : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
