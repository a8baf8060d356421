import { setTimeout as sleep } from 'node:timers/promises';
import { decodeBody } from './charset';
import { SourceUnavailable } from './source';

/** Names the program and a contact, as Wikimedia's user-agent policy demands: https://foundation.wikimedia.org/wiki/Policy:User-Agent_policy */
export const USER_AGENT =
  'ReActAgent/0.1 (VS Code extension; https://marketplace.visualstudio.com/items?itemName=react-agent.react-agent)';

const REQUESTS_PER_HOST = 2;
const LONGEST_WAIT_MS = 10_000;
const ANSWER_WITHIN_MS = 20_000;
const LARGEST_BYTES = 24_000_000;
const ATTEMPTS = 3;

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** After redirects. */
  url: string;
}

export interface GetOptions {
  /** Sent only as long as redirects stay on the host. */
  headers?: Readonly<Record<string, string>>;
  /** True for an answer that means "try again later" though its status says 200. */
  isBusy?: (answer: HttpAnswer) => boolean;
}

/** Seconds or a date → milliseconds to wait. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

async function readText(response: Response, place: string): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > LARGEST_BYTES) throw new SourceUnavailable('unreadable', place, `more than ${LARGEST_BYTES / 1e6} MB`);
    chunks.push(chunk);
  }
  return decodeBody(Buffer.concat(chunks), response.headers.get('content-type') ?? '');
}

/** Whether what is secret may go to `url`: only to the place it was given for, also where that insists on TLS. */
export function isHome(url: URL, home: URL): boolean {
  return url.origin === home.origin || (url.protocol === 'https:' && url.host === home.host);
}

/** GET requests with manners: a named client, two at a time for a host, waits when told to, bounded in time and size. */
export class PoliteHttp {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Map<string, number>();

  constructor(readonly userAgent = USER_AGENT) {}

  /**
   * @returns an answer with a status below 400, or 404
   * @throws SourceUnavailable for anything else; an AbortError
   */
  async get(url: string, options: GetOptions, signal: AbortSignal): Promise<HttpAnswer> {
    const { host } = new URL(url);
    await this.#enter(host, signal);
    try {
      for (let attempt = 1; ; attempt++) {
        const answer = await this.#follow(url, options.headers ?? {}, signal);
        const busy = answer.status === 429 || answer.status >= 500 || options.isBusy?.(answer) === true;
        if (!busy) return accepted(answer, host);
        const wait = retryAfter(answer.headers) ?? attempt * 500;
        if (attempt === ATTEMPTS || wait > LONGEST_WAIT_MS) {
          const until = wait > LONGEST_WAIT_MS ? `, Retry-After ${Math.ceil(wait / 1000)} s` : '';
          if (answer.status === 200) return answer;
          const reason = answer.status === 429 || answer.status === 503 ? 'busy' : 'unreadable';
          throw new SourceUnavailable(reason, host, `HTTP ${answer.status}${until}`);
        }
        await sleep(wait, undefined, { signal });
      }
    } finally {
      this.#leave(host);
    }
  }

  /** Follows redirects by hand: fetch would take a secret header along to another host. */
  async #follow(start: string, secrets: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpAnswer> {
    const home = new URL(start);
    const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS);
    let url = home;
    try {
      for (let hop = 0; hop < 5; hop++) {
        const response = await fetch(url, {
          headers: { 'User-Agent': this.userAgent, 'Accept-Encoding': 'gzip', ...(isHome(url, home) ? secrets : {}) },
          redirect: 'manual',
          signal: AbortSignal.any([signal, timeout]),
        });
        const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
        if (location === null) {
          return {
            status: response.status,
            headers: response.headers,
            text: await readText(response, home.host),
            url: url.href,
          };
        }
        await response.body?.cancel();
        const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
        if (!next || !/^https?:$/.test(next.protocol))
          throw new SourceUnavailable('unreadable', home.host, 'a redirect');
        next.username = '';
        next.password = '';
        url = next;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceUnavailable) throw error;
      if (timeout.aborted)
        throw new SourceUnavailable('timeout', home.host, `${ANSWER_WITHIN_MS / 1000} s`, { cause: error });
      throw new SourceUnavailable('network', home.host, networkDetail(error), { cause: error });
    }
    throw new SourceUnavailable('unreadable', home.host, 'too many redirects');
  }

  async #enter(host: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const running = this.#running.get(host) ?? 0;
    if (running < REQUESTS_PER_HOST) {
      this.#running.set(host, running + 1);
      return;
    }
    const queue = this.#waiting.get(host) ?? [];
    this.#waiting.set(host, queue);
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', give);
        resolve();
      };
      const give = () => {
        queue.splice(queue.indexOf(go), 1);
        reject(signal.reason);
      };
      queue.push(go);
      signal.addEventListener('abort', give, { once: true });
    });
  }

  #leave(host: string): void {
    const next = this.#waiting.get(host)?.shift();
    if (next) next();
    else this.#running.set(host, (this.#running.get(host) ?? 1) - 1);
  }
}

function accepted(answer: HttpAnswer, host: string): HttpAnswer {
  const { status } = answer;
  if (status < 400 || status === 404) return answer;
  throw new SourceUnavailable(
    status === 401 ? 'unauthorized' : status === 403 ? 'forbidden' : 'unreadable',
    host,
    `HTTP ${status}`,
  );
}

/** The code of a failed connection stands in the cause of fetch's error. */
function networkDetail(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return String(cause);
}
