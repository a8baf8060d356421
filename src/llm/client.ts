import OpenAI, { APIError, APIUserAbortError } from 'openai';
import { readConnectionError } from './connectionError';
import { normaliseEndpoint } from './endpoint';
import { RequestFailed } from './failures';
import type { EndpointAccess } from './models';
import { readRefusal } from './refusal';
import type { RequestBody } from './request';

/** Sends one chat completions request below `base` and returns the response, its body not yet read. */
export type Send = (body: RequestBody, base: string, signal: AbortSignal) => Promise<Response>;

/** Headers by which the package would tell about this machine. */
const SILENT = ['Arch', 'Lang', 'OS', 'Package-Version', 'Retry-Count', 'Runtime', 'Runtime-Version', 'Timeout'];

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
    return new OpenAI({
      apiKey: key || 'none',
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
      defaultHeaders: {
        ...Object.fromEntries(SILENT.map((name) => [`X-Stainless-${name}`, null])),
        'User-Agent': 'react-agent',
        Accept: 'text/event-stream, application/json',
        ...(key ? {} : { Authorization: null }),
        // Azure's own gateways take the key under this name.
        ...(key && 'api-version' in query ? { 'api-key': key } : {}),
      },
      // The global is looked up at each call: VS Code replaces it, for proxies and certificates.
      fetch: async (url, init) => legible(await (fetch ?? globalThis.fetch)(url as string, init as RequestInit)),
    });
  }
}

/** Longest error body that is read, in characters. */
const LONGEST = 20_000;

/** The package keeps only the `error` field of an error's body; other servers put their reasons elsewhere, so all goes there. */
async function legible(response: Response): Promise<Response> {
  if (response.ok) return response;
  const raw = await response.text().catch(() => '');
  const headers: Record<string, string> = {};
  for (const name of ['retry-after', 'retry-after-ms']) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return Response.json({ error: { raw: raw.slice(0, LONGEST) } }, { status: response.status, headers });
}
