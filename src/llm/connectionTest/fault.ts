import { type ErrorAction, UserError } from '../../agent/errors';
import type { Language } from '../../agent/event';
import { ContextOverflow } from '../../agent/llm';
import { type Failure, type FailureKind, RequestFailed } from '../failures';
import { ENDPOINT_PRESETS } from '../presets';
import type { BasicStep, Fix } from './result';
import { TEXTS } from './texts';

/** Where a failed request got stuck. */
export interface Fault {
  at: BasicStep;
  /** The last step that the failure shows to be fine, with all before it; those between it and `at` stay open. */
  fine?: BasicStep;
  text: string;
  fixes: Fix[];
}

type Reach = [at: BasicStep, fine?: BasicStep];

/** A server that only fails, or a gateway before it that only counts, has looked at no path, key or model. */
const REACH: Record<FailureKind, Reach> = {
  dns: ['name'],
  proxy: ['port'],
  refused: ['port', 'name'],
  tls: ['tls', 'port'],
  'wrong-path': ['path', 'tls'],
  'web-page': ['path', 'tls'],
  moved: ['path', 'tls'],
  unauthorized: ['key', 'path'],
  forbidden: ['key', 'path'],
  'no-model': ['model', 'key'],
  network: ['completion', 'port'],
  'first-byte': ['completion', 'port'],
  'rate-limit': ['completion', 'tls'],
  server: ['completion', 'tls'],
  loading: ['completion', 'tls'],
  garbled: ['completion', 'tls'],
  empty: ['completion', 'tls'],
  rejected: ['completion', 'path'],
  quota: ['completion', 'key'],
  context: ['completion', 'model'],
  filtered: ['completion', 'model'],
  dropped: ['completion', 'model'],
  idle: ['completion', 'model'],
  'early-end': ['completion', 'model'],
};

/** No connection was made; every other failure of a connection comes after the port has answered. */
const UNREACHED =
  /HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL|CONNECT_TIMEOUT|ETIMEDOUT|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED|CONNECTION_TIMED_OUT|NETWORK_CHANGED/;

function reachOf({ kind, code = '' }: Failure): Reach {
  return (kind === 'network' || kind === 'first-byte') && UNREACHED.test(code) ? ['port', 'name'] : REACH[kind];
}

const ACTIONS: Partial<Record<FailureKind, ErrorAction[]>> = {
  dns: ['open-settings'],
  refused: ['open-settings', 'test-connection'],
  proxy: ['open-settings'],
  tls: ['open-settings'],
  'wrong-path': ['open-settings'],
  'web-page': ['open-settings'],
  moved: ['open-settings'],
  unauthorized: ['set-key'],
  forbidden: ['set-key', 'select-model'],
  'no-model': ['select-model'],
  quota: ['select-model'],
  context: ['select-model'],
  filtered: ['select-model'],
  rejected: ['select-model'],
};
const AGAIN: ErrorAction[] = ['test-connection', 'select-model'];
const toFixes = (kind: FailureKind): Fix[] => (ACTIONS[kind] ?? AGAIN).map((action) => ({ action }));

/**
 * Reads what a completion failed with; undefined where that is no failure of the endpoint.
 * @param base of the endpoint, for the page where its provider takes payments
 */
export function readFault(error: unknown, base: string, language: Language): Fault | undefined {
  const words = TEXTS[language];
  if (error instanceof ContextOverflow) {
    // Only who has the model at hand can name its window.
    const fine = error.window === undefined ? 'tls' : 'model';
    return { at: 'completion', fine, text: words.overflow(error.window), fixes: toFixes('context') };
  }
  if (!(error instanceof UserError) || !(error.cause instanceof RequestFailed)) return undefined;
  const { failure } = error.cause;
  const { kind, retryAfterMs } = failure;
  const [at, fine] = reachOf(failure);
  const seconds = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const hint = kind === 'rate-limit' ? words.rateLimited(seconds) : (words.hints[kind] ?? error.hint);
  const billing = kind === 'quota' ? billingPage(base) : undefined;
  const fixes = [
    ...(failure.base === undefined ? [] : [{ baseUrl: failure.base }]),
    ...(billing === undefined ? [] : [{ billing }]),
    ...toFixes(kind),
  ];
  return { at, ...(fine ? { fine } : {}), text: `${error.message} ${hint}`, fixes };
}

function billingPage(base: string): string | undefined {
  const { origin } = new URL(base);
  return ENDPOINT_PRESETS.find(({ baseUrl }) => new URL(baseUrl).origin === origin)?.billingUrl;
}
