import { carriedBy, type EndpointAccess } from './access';
import { normaliseEndpoint, otherBases, validateEndpoint } from './endpoint';
import { type Fields, record } from './fields';

/** An HTTP status, and the JSON that came with it where it is some. */
interface Reply {
  status: number;
  data: Fields | undefined;
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
  body?: Fields,
): Promise<Fields | undefined> {
  const reply = await request(access, url, timeoutMs, signal, body);
  return reply && isFine(reply) ? reply.data : undefined;
}

/** Undefined when nothing answers in time, or when what was entered is wrong: then nothing is sent. */
async function request(
  access: EndpointAccess,
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
  body?: Fields,
): Promise<Reply | undefined> {
  signal.throwIfAborted();
  if (validateEndpoint(access, 'en', false).some(({ severity }) => severity === 'error')) return undefined;
  const own = new AbortController();
  const stop = () => own.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => own.abort(), timeoutMs);
  try {
    const { headers, search } = carriedBy(access);
    headers.Accept = 'application/json';
    if (body) headers['Content-Type'] = 'application/json';
    const response = await (access.fetch ?? globalThis.fetch)(url + search, {
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

const isFine = ({ status }: Reply) => status >= 200 && status < 300;
const isLocked = ({ status }: Reply) => status === 401 || status === 403;
/** True where something else lives at that path, or nothing: the list may be at another. */
const isElsewhere = ({ status }: Reply) => status < 400 || status === 404 || status === 405;

/**
 * The reply to a GET of the list of models, and the base it was found under: the one that was entered or, where that path
 * leads nowhere, one of those that completions would try then, too. The key goes no further than that.
 * @param base the only one to ask, where it is known
 * @returns the first reply where no base has a list; undefined when nothing answers
 * @throws the signal's reason
 */
export async function findModels(
  access: EndpointAccess,
  base: string | undefined,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<(Reply & { base: string }) | undefined> {
  const entered = normaliseEndpoint(access.baseUrl)?.base;
  if (entered === undefined) return undefined;
  let first: (Reply & { base: string }) | undefined;
  for (const at of base === undefined ? [entered, ...otherBases(entered)] : [base]) {
    const reply = await request(access, `${at}/models`, timeoutMs, signal);
    if (!reply) break;
    const found = { ...reply, base: at };
    if (isLocked(reply) || (isFine(reply) && namesIn(reply.data))) return found;
    first ??= found;
    if (!isElsewhere(reply)) break;
  }
  return first;
}

/** What came of asking an endpoint for its models. */
export type ModelList =
  /** In the endpoint's order; may be empty. `baseUrl` is the one that answers, as the user would enter it. */
  | { kind: 'listed'; models: string[]; baseUrl: string }
  /** It wants a key, or another one: 401 or 403. */
  | { kind: 'locked' }
  /** It answers, but not with a list. */
  | { kind: 'unlisted' }
  /** Nothing answers there. */
  | { kind: 'silent' };

/**
 * Asks an endpoint for its models, and says why there is no list where there is none.
 * @param base the only one to ask; undefined: the one that was entered, then those where a server may answer, too
 * @throws the signal's reason
 */
export async function askForModels(
  access: EndpointAccess,
  base: string | undefined,
  signal: AbortSignal,
  timeoutMs = 5000,
): Promise<ModelList> {
  const reply = await findModels(access, base, signal, timeoutMs);
  if (!reply) return { kind: 'silent' };
  if (isLocked(reply)) return { kind: 'locked' };
  const models = isFine(reply) ? namesIn(reply.data) : undefined;
  if (!models) return { kind: 'unlisted' };
  const isEntered = reply.base === normaliseEndpoint(access.baseUrl)?.base;
  return { kind: 'listed', models, baseUrl: isEntered ? access.baseUrl : reply.base + carriedBy(access).search };
}

/** Names of the models that the endpoint lists, in its order; undefined when it lists none. */
export async function listModels(...parameters: Parameters<typeof askForModels>): Promise<string[] | undefined> {
  const list = await askForModels(...parameters);
  return list.kind === 'listed' && list.models.length > 0 ? list.models : undefined;
}

/** Models of one list at most: the longest known has some hundreds. */
const MOST = 5000;
/** A name fit to be shown on a line and sent again: without control characters, and of a sensible length. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u;

function namesIn(found: Fields | undefined): string[] | undefined {
  const list = [found?.data, found?.models].find(Array.isArray) as unknown[] | undefined;
  if (!list) return undefined;
  const names = list.map((model) => {
    const fields = record(model) ?? { id: model };
    return fields.id ?? fields.name ?? fields.model;
  });
  const fit = (name: unknown): name is string => typeof name === 'string' && NAME.test(name) && name === name.trim();
  return [...new Set(names.filter(fit))].slice(0, MOST);
}
