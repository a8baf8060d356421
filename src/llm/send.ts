import { carriedBy, type EndpointAccess } from './access';
import { readConnectionError } from './connectionError';
import { isPrivateHost, normaliseEndpoint } from './endpoint';
import { type Failure, RequestFailed } from './failures';
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
  /** Where this server has sent requests on to, by base. */
  const moved = new Map<string, string>();
  return async (body, base, signal) => {
    // The global is looked up at each call: VS Code replaces it, for proxies and certificates.
    const post = access.fetch ?? globalThis.fetch;
    const request: RequestInit = {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
      redirect: 'manual', // another server must not get the key, nor a GET in place of this
    };
    const url = moved.get(base) ?? `${base}/chat/completions${search}`;
    try {
      let response = await post(url, request);
      let target = targetOf(response, url);
      // The same server under another path, as one that wants a slash at the end.
      if (target && target.origin === new URL(url).origin && CHAT.test(target.pathname)) {
        response.body?.cancel().catch(() => {});
        response = await post(target, request);
        if (response.ok) moved.set(base, target.href);
        target = targetOf(response, target.href);
      }
      if (response.ok) return response;
      throw new RequestFailed(target ? movedTo(target, response) : await refusal(response, base));
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof RequestFailed ? error : new RequestFailed(readConnectionError(error));
    }
  };
}

const CHAT = /\/chat\/completions\/?$/;

/** Where a response sends the request on to. */
function targetOf({ status, headers }: Response, from: string): URL | undefined {
  const location = headers.get('location');
  const moves = status >= 300 && status < 400 && location !== null;
  return moves && URL.canParse(location, from) ? new URL(location, from) : undefined;
}

function movedTo(target: URL, { status, body }: Response): Failure {
  body?.cancel().catch(() => {});
  const base = CHAT.test(target.pathname) ? normaliseEndpoint(target.href)?.base : undefined;
  return { kind: 'moved', said: target.href, status, ...(base === undefined ? {} : { base }) };
}

/** What a response without success says; all beyond its beginning is left unread. */
async function refusal(response: Response, base: string): Promise<Failure> {
  const text = (await response.text().catch(() => '')).slice(0, LONGEST);
  const failure = readRefusal(response.status, response.headers, text);
  // A server of one's own is seldom busy with others: it is starting, or loading the model.
  const starting = failure.kind === 'server' && failure.status === 503 && isPrivateHost(new URL(base).hostname);
  return starting ? { ...failure, kind: 'loading' } : failure;
}
