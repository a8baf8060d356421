import { promises as dns, type LookupAddress } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedHost, isPublicAddress } from './addresses';
import { readBody } from './httpBody';
import { USER_AGENT } from './politeness';

export interface FetchOptions {
  /** Hosts that may be fetched though their address is not public: a name, name:port, or `*.name`. */
  allowHosts?: readonly string[];
  userAgent?: string;
  /** Bytes of a body, after decompression; the rest is left out. Default 5 MB. */
  maxBytes?: number;
  /** For one page with its redirects. Default 20. */
  totalSeconds?: number;
  /** Without a single byte. Default 8. */
  idleSeconds?: number;
  /** All addresses of a name. Default: the system's resolver. */
  resolve?: (name: string) => Promise<LookupAddress[]>;
}

export interface WebResponse {
  /** After redirects. */
  url: string;
  status: number;
  contentType: string;
  body: Buffer;
  /** True when the body ended at the size limit, or before its end. */
  cut: boolean;
}

export type FetchFailure = 'address' | 'scheme' | 'blocked' | 'redirects' | 'timeout' | 'network' | 'encoding';

/** Why nothing was fetched. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  constructor(
    readonly failure: FetchFailure,
    /** The address, host or machine's word that the failure is about. */
    readonly detail: string,
    options?: { cause?: unknown },
  ) {
    super(`${failure}: ${detail}`, options);
  }
}

const MOST_REDIRECTS = 5;

/**
 * GET for addresses that a model or a page chose. Only http and https; only public addresses, judged on every redirect for
 * all addresses of the name, and the judged addresses are the ones connected to, so that a name can't change its answer in
 * between. Bounded in size, time and redirects; one request at a time for a host. It connects directly: behind a proxy
 * only names could be judged, so the environment's proxies are not used.
 */
export class GuardedFetch {
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(readonly options: FetchOptions = {}) {}

  /** @throws FetchError; an AbortError when `signal` aborts */
  async get(address: string, signal: AbortSignal): Promise<WebResponse> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), (this.options.totalSeconds ?? 20) * 1000);
    try {
      let url = parse(address);
      for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
        const answer = await this.#inTurn(url, AbortSignal.any([signal, timeout.signal]));
        if (!(answer instanceof URL)) return answer;
        url = answer;
      }
      throw new FetchError('redirects', String(MOST_REDIRECTS));
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.signal.aborted) throw new FetchError('timeout', new URL(parse(address)).host, { cause: error });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** One request at a time for a host. */
  async #inTurn(url: URL, signal: AbortSignal): Promise<WebResponse | URL> {
    signal.throwIfAborted();
    const before = this.#turns.get(url.host);
    const own = Promise.resolve(before)
      .catch(() => undefined)
      .then(() => this.#request(url, signal));
    this.#turns.set(url.host, own);
    const leave = () => {
      if (this.#turns.get(url.host) === own) this.#turns.delete(url.host);
    };
    own.then(leave, leave);
    // Waiting for another page's turn can be stopped as well.
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return Promise.race([own, aborted]);
  }

  async #request(url: URL, signal: AbortSignal): Promise<WebResponse | URL> {
    signal.throwIfAborted();
    const open = isAllowedHost(url, this.options.allowHosts ?? []);
    const name = url.hostname.replace(/^\[|\]$/g, '');
    if (!open && (isIP(name) ? !isPublicAddress(name) : /(?:^|\.)localhost\.?$/.test(name))) {
      throw new FetchError('blocked', url.host);
    }
    const response = await this.#connect(url, open, signal);
    const location = response.headers.location;
    const status = response.statusCode ?? 0;
    if (location !== undefined && [301, 302, 303, 307, 308].includes(status)) {
      response.destroy();
      const next = parse(location, url);
      if (next.hash === '') next.hash = url.hash;
      return next;
    }
    try {
      const { body, cut } = await readBody(response, this.options.maxBytes ?? 5_000_000, signal);
      return { url: shown(url), status, contentType: response.headers['content-type'] ?? '', body, cut };
    } catch (error) {
      if (error instanceof FetchError) throw error;
      throw new FetchError('encoding', url.host, { cause: error });
    } finally {
      response.destroy();
    }
  }

  #connect(url: URL, open: boolean, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(error instanceof FetchError ? error : new FetchError('network', codeOf(error), { cause: error }));
      const request = (url.protocol === 'https:' ? https : http).request({
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        path: url.pathname + url.search,
        headers: {
          'User-Agent': this.options.userAgent ?? USER_AGENT,
          Accept: 'text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.1',
          'Accept-Encoding': 'gzip, br',
        },
        agent: false,
        lookup: this.#lookup(url, open),
        signal,
        timeout: (this.options.idleSeconds ?? 8) * 1000,
      });
      const blocked = () => new FetchError('blocked', url.host);
      request.on('socket', (socket) =>
        socket.once('connect', () => {
          if (!open && !isPublicAddress(socket.remoteAddress ?? '')) request.destroy(blocked());
        }),
      );
      request.on('timeout', () => request.destroy(new FetchError('timeout', url.host)));
      request.on('error', fail);
      request.on('response', resolve);
      request.end();
    });
  }

  /** A resolver that hands only judged addresses to the connection. */
  #lookup(url: URL, open: boolean): LookupFunction {
    const resolve = this.options.resolve ?? ((name: string) => dns.lookup(name, { all: true }));
    return (name, options, done) => {
      resolve(name).then(
        (addresses) => {
          const [first] = addresses;
          if (!first) return done(new FetchError('network', 'ENOTFOUND'), '', 4);
          if (!open && !addresses.every(({ address }) => isPublicAddress(address))) {
            return done(new FetchError('blocked', url.host), '', 4);
          }
          if (options.all) done(null, addresses);
          else done(null, first.address, first.family);
        },
        (error) => done(error, '', 4),
      );
    };
  }
}

/** @throws FetchError where it is no address, or not one of the web */
function parse(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new FetchError('address', address.slice(0, 200));
  const url = new URL(address, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchError('scheme', url.protocol.slice(0, -1));
  return url;
}

/** The address as it is shown: without a name and password. */
function shown(url: URL): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
