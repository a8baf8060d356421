import OpenAI, { APIError, APIUserAbortError } from 'openai';
import { readConnectionError } from './connectionError';
import { normaliseEndpoint } from './endpoint';
import { RequestFailed } from './failures';
import type { EndpointAccess } from './models';
import { readRefusal } from './refusal';
import type { RequestBody } from './request';

/** Sends one chat completions request below `base` and returns the response, its body not yet read. */
export type Send = (body: RequestBody, base: string, signal: AbortSignal) => Promise<Response>;

/**
 * The package's client, kept from reading the environment and from retrying by itself. It is made at the first request.
 * @returns a function that throws RequestFailed, or the signal's reason
 */
export function createSend(access: EndpointAccess): Send {
  const { key } = access;
  let client: OpenAI | undefined;
  return async (body, base, signal) => {
    client ??= makeClient(access);
    client.baseURL = base;
    try {
      // Awaited as a bare response: the package's own reader knows only well-formed streams.
      return await client.chat.completions.create(body as never, { signal }).asResponse();
    } catch (error) {
      if (error instanceof APIUserAbortError) signal.throwIfAborted();
      if (error instanceof APIError && error.status !== undefined) {
        const { raw = '' } = (error.error ?? {}) as { raw?: string };
        throw new RequestFailed(readRefusal(error.status, error.headers ?? new Headers(), raw));
      }
      throw new RequestFailed(readConnectionError(error));
    }
  };

  function makeClient({ baseUrl, fetch }: EndpointAccess): OpenAI {
    const query = normaliseEndpoint(baseUrl)?.query ?? {};
    // All of them: the package's own would tell about this machine, or send a key where there is none.
    const headers: Record<string, string> = {
      Accept: 'text/event-stream, application/json',
      'Content-Type': 'application/json',
      'User-Agent': 'react-agent',
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      // Azure's own gateways take the key under this name.
      ...(key && 'api-version' in query ? { 'api-key': key } : {}),
    };
    return new OpenAI({
      apiKey: 'unused',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: baseUrl,
      maxRetries: 0,
      // Ours are finer; this is the longest that a timer takes.
      timeout: 2 ** 31 - 1,
      logLevel: 'off',
      dangerouslyAllowBrowser: true,
      defaultQuery: query,
      // The global is looked up at each call: VS Code replaces it, for proxies and certificates.
      fetch: async (url, init) => {
        // A redirect would take the key to another server, or make a GET of this.
        const request: RequestInit = { ...(init as RequestInit), headers, redirect: 'manual' };
        return legible(await (fetch ?? globalThis.fetch)(url as string, request));
      },
    });
  }
}

/** Longest error body that is read, in characters. */
const LONGEST = 20_000;

/** The package keeps only the `error` field of an error's body; other servers put their reasons elsewhere, so all goes there. */
async function legible(response: Response): Promise<Response> {
  if (response.ok) return response;
  const moved = response.headers.get('location');
  const raw = moved === null ? await response.text().catch(() => '') : `Moved to ${moved}`;
  if (moved !== null) response.body?.cancel().catch(() => {});
  const headers: Record<string, string> = {};
  for (const name of ['retry-after', 'retry-after-ms']) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return Response.json({ error: { raw: raw.slice(0, LONGEST) } }, { status: response.status, headers });
}
