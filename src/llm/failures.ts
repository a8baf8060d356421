import type { ErrorBody } from './errorBody';
import type { StreamFaultKind } from './wildStream';

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
  | 'moved'
  | 'no-model'
  | 'rate-limit'
  | 'quota'
  | 'context'
  | 'server'
  | 'loading'
  | 'rejected'
  | 'filtered'
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
  /** A base URL that would do: where the server has moved to. */
  base?: string;
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
