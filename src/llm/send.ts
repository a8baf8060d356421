import { readConnectionError } from './connectionError';
import { RequestFailed } from './failures';
import { carriedBy } from './headers';
import type { EndpointAccess } from './models';
import { readRefusal } from './refusal';
import type { RequestBody } from './request';

/** Posts one chat completions request below `base` and returns the response, its body not yet read. */
export type Send = (body: RequestBody, base: string, signal: AbortSignal) => Promise<Response>;

/** Longest error body that is read, in characters. */
const LONGEST = 20_000;

/**
 * Chat completions over the global `fetch`; see https://platform.openai.com/docs/api-reference/chat/create.
 * @returns a function that throws RequestFailed, or the signal's reason
 */
export function createSend(access: EndpointAccess): Send {
  const { headers: carried, search } = carriedBy(access);
  const headers = {
    ...carried,
    Accept: 'text/event-stream, application/json',
    'Content-Type': 'application/json',
  };
  return async (body, base, signal) => {
    // The global is looked up at each call: VS Code replaces it, for proxies and certificates.
    const post = access.fetch ?? globalThis.fetch;
    try {
      const response = await post(`${base}/chat/completions${search}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal,
        redirect: 'manual', // another server must not get the key, nor a GET in place of this
      });
      if (response.ok) return response;
      throw new RequestFailed(readRefusal(response.status, response.headers, await reason(response)));
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof RequestFailed ? error : new RequestFailed(readConnectionError(error));
    }
  };
}

/** What a response without success says; the rest of it is left unread. */
async function reason(response: Response): Promise<string> {
  const moved = response.headers.get('location');
  if (moved === null) return (await response.text().catch(() => '')).slice(0, LONGEST);
  response.body?.cancel().catch(() => {});
  return `Moved to ${moved}`;
}
