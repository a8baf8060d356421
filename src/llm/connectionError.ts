import type { Failure, FailureKind } from './failures';

const TLS = /CERT|SSL|TLS|UNABLE_TO_(VERIFY|GET)|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH/;

/**
 * What `fetch` makes of a 407 outside of a browser's window: an error without a word. See step 14 of
 * https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
 */
const PROXY_SIGN_IN = '407 Proxy Authentication Required';

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
    if (at !== error && at.message === '' && at.constructor === Error && !named && !at.cause) said = PROXY_SIGN_IN;
    const several = at instanceof AggregateError ? at.errors[0] : undefined;
    if (several instanceof Error && !code) code = String((several as NodeJS.ErrnoException).code ?? '');
  }
  const failure = (kind: FailureKind): Failure => ({ kind, said, ...(code === '' ? {} : { code }) });
  if (/ENOTFOUND|EAI_|ERR_NAME_NOT_RESOLVED/.test(code)) return failure('dns');
  if (/ECONNREFUSED|ERR_CONNECTION_REFUSED/.test(code) || said === 'bad port') return failure('refused');
  if (/PROXY|TUNNEL/i.test(code) || /proxy/i.test(said)) return failure('proxy');
  if (TLS.test(code)) return failure('tls');
  if (/TIMEDOUT|TIMEOUT|TIMED_OUT/.test(code) || /timed? ?out/i.test(said)) return failure('first-byte');
  return failure('network');
}
