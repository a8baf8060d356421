import { normaliseEndpoint } from './endpoint';

/** What is needed to ask an endpoint anything but a completion. */
export interface EndpointAccess {
  baseUrl: string;
  key?: string;
  fetch?: typeof fetch;
}

type Fields = Record<string, unknown>;

/**
 * GETs JSON from a URL of the endpoint, or POSTs `body` to it. Undefined when no JSON comes, for whatever reason.
 * @throws the signal's reason
 */
export async function getJson(
  access: EndpointAccess,
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
  body?: Fields,
): Promise<Fields | undefined> {
  const reply = await request(access, url, timeoutMs, signal, body);
  return reply && reply.status >= 200 && reply.status < 300 ? reply.data : undefined;
}

/** The reply's HTTP status, and its JSON where it is some; undefined when nothing answers in time. */
async function request(
  access: EndpointAccess,
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
  body?: Fields,
): Promise<{ status: number; data: Fields | undefined } | undefined> {
  signal.throwIfAborted();
  const own = new AbortController();
  const stop = () => own.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => own.abort(), timeoutMs);
  try {
    const query = new URLSearchParams(normaliseEndpoint(access.baseUrl)?.query).toString();
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (access.key) headers.Authorization = `Bearer ${access.key}`;
    if (body) headers['Content-Type'] = 'application/json';
    const response = await (access.fetch ?? globalThis.fetch)(url + (query ? `?${query}` : ''), {
      headers,
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      signal: own.signal,
      redirect: 'manual', // a key goes nowhere but where it was meant for
    });
    const data: unknown = await response.json().catch(() => undefined);
    signal.throwIfAborted();
    const isJson = typeof data === 'object' && data !== null;
    return { status: response.status, data: isJson ? ((Array.isArray(data) ? { data } : data) as Fields) : undefined };
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** What came of asking an endpoint for its models. */
export type ModelList =
  /** In the endpoint's order; may be empty. */
  | { kind: 'listed'; models: string[] }
  /** It wants a key, or another one: 401 or 403. */
  | { kind: 'locked' }
  /** It answers, but not with a list. */
  | { kind: 'unlisted' }
  /** Nothing answers there. */
  | { kind: 'silent' };

/**
 * Asks an endpoint for its models, and says why there is no list where there is none.
 * @throws the signal's reason
 */
export async function askForModels(
  access: EndpointAccess,
  base = normaliseEndpoint(access.baseUrl)?.base ?? access.baseUrl,
  signal: AbortSignal,
  timeoutMs = 5000,
): Promise<ModelList> {
  const reply = await request(access, `${base}/models`, timeoutMs, signal);
  if (!reply) return { kind: 'silent' };
  if (reply.status === 401 || reply.status === 403) return { kind: 'locked' };
  const models = reply.status >= 200 && reply.status < 300 ? namesIn(reply.data) : undefined;
  return models ? { kind: 'listed', models } : { kind: 'unlisted' };
}

/** Names of the models that the endpoint lists, in its order; undefined when it lists none. */
export async function listModels(...parameters: Parameters<typeof askForModels>): Promise<string[] | undefined> {
  const list = await askForModels(...parameters);
  return list.kind === 'listed' && list.models.length > 0 ? list.models : undefined;
}

function namesIn(found: Fields | undefined): string[] | undefined {
  const list = [found?.data, found?.models].find(Array.isArray) as unknown[] | undefined;
  return list?.flatMap((model) => {
    const fields: Fields = typeof model === 'object' && model !== null ? (model as Fields) : { id: model };
    const name = fields.id ?? fields.name ?? fields.model;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
}
