import { normaliseEndpoint } from './endpoint';

/** What is needed to ask an endpoint anything but a completion. */
export interface EndpointAccess {
  baseUrl: string;
  key?: string;
  fetch?: typeof fetch;
}

/**
 * GETs JSON from a URL of the endpoint, or POSTs `body` to it. Undefined when no JSON comes, for whatever reason.
 * @throws the signal's reason
 */
export async function getJson(
  access: EndpointAccess,
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
  body?: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
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
      redirect: 'error',
    });
    const data: unknown = await response.json();
    if (!response.ok || typeof data !== 'object' || data === null) return undefined;
    return (Array.isArray(data) ? { data } : data) as Record<string, unknown>;
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Names of the models that the endpoint lists, in its order; undefined when it lists none. */
export async function listModels(
  access: EndpointAccess,
  base = normaliseEndpoint(access.baseUrl)?.base ?? access.baseUrl,
  signal: AbortSignal,
  timeoutMs = 5000,
): Promise<string[] | undefined> {
  const found = await getJson(access, `${base}/models`, timeoutMs, signal);
  const list = [found?.data, found?.models].find(Array.isArray) as unknown[] | undefined;
  const names = list?.flatMap((model) => {
    const fields = typeof model === 'object' && model !== null ? (model as Record<string, unknown>) : { id: model };
    const name = fields.id ?? fields.name ?? fields.model;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  return names && names.length > 0 ? names : undefined;
}
