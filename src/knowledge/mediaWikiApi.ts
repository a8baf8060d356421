import { load } from 'cheerio/slim';
import { type HttpAnswer, isHome, type PoliteHttp } from './politeness';
import { slimHtml } from './slim';
import { SourceUnavailable } from './source';
import { decodePercent } from './titles';

/** What one question to a wiki tells about the wiki itself. */
export interface WikiSite {
  /** Address of api.php. */
  api: string;
  /** Address of a page, with `$1` for its title. */
  pages: string;
  /** Language of its content, as MediaWiki names it: `en`, `zh`. */
  language: string;
  /** True where disambiguation pages carry a page property, so that looking at their structure would only mislead. */
  marksDisambiguation: boolean;
}

type Parameters = Record<string, string | number | undefined>;

/** An error in a 200 answer: `missingtitle` and the like are the caller's business. */
export class WikiError extends Error {
  override readonly name = 'WikiError';
  constructor(
    readonly code: string,
    info: string,
  ) {
    super(info);
  }
}

const WIKIMEDIA =
  /(?:^|\.)(?:wikipedia|wiktionary|wikiquote|wikibooks|wikinews|wikisource|wikiversity|wikivoyage)\.org$/;
const BUSY = /^(?:maxlag|ratelimited|readonly|cirrussearch-.*|search-error|internal_api_error_\w+)$|too[ -]busy/i;
const REFUSED = /^(?:readapidenied|permissiondenied|notloggedin)$/;

interface Failure {
  code?: string;
  info?: string;
}

/** Near the beginning, behind warnings or the server's name at most. */
const MAY_FAIL = /^\s*\{[\s\S]{0,2000}?"error"\s*:\s*\{/;

/** The error that an answer tells of, or undefined. Answers that are no JSON tell none. */
function failureIn(answer: HttpAnswer): Failure | undefined {
  if (!MAY_FAIL.test(answer.text)) return undefined;
  try {
    return (JSON.parse(answer.text) as { error?: Failure }).error;
  } catch {
    return undefined;
  }
}

const isBusy = (failure: Failure | undefined) => BUSY.test(failure?.code ?? '') || BUSY.test(failure?.info ?? '');

/** Speaks with the api.php of one wiki, and finds it first: https://www.mediawiki.org/wiki/API:Main_page */
export class MediaWikiApi {
  #site: Promise<WikiSite> | undefined;
  /** Without a name and password: those become a header. */
  readonly root: string;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param root any address of the wiki: its root, a page, api.php or index.php
   * @param headers authentication, sent to the wiki's own host only
   */
  constructor(
    root: string,
    readonly http: PoliteHttp,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const address = new URL(root);
    this.headers = { ...basicLogin(address), ...headers };
    address.username = '';
    address.password = '';
    this.root = address.href;
  }

  /** Asked once, remembered. A failure is not remembered. */
  site(signal: AbortSignal): Promise<WikiSite> {
    this.#site ??= this.#discover(signal).catch((error) => {
      this.#site = undefined;
      throw error;
    });
    return this.#site;
  }

  /**
   * @returns the answer's JSON
   * @throws WikiError what the API found wrong with the question; SourceUnavailable; an AbortError
   */
  async call(parameters: Parameters, signal: AbortSignal): Promise<unknown> {
    const { api } = await this.site(signal);
    const answer = await this.#ask(api, parameters, signal);
    if (answer === undefined) throw new SourceUnavailable('unreadable', new URL(api).host, 'no JSON');
    return answer;
  }

  async #ask(api: string, parameters: Parameters, signal: AbortSignal): Promise<Record<string, unknown> | undefined> {
    const { host } = new URL(api);
    const query = new URLSearchParams({ format: 'json', formatversion: '2', maxlag: '5' });
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
    const answer = await this.http.get(
      `${api}?${query}`,
      {
        headers: isHome(new URL(api), new URL(this.root)) ? this.headers : {},
        isBusy: (candidate) => isBusy(failureIn(candidate)),
      },
      signal,
    );
    const failure = failureIn(answer);
    if (failure) {
      const { code = '', info = '' } = failure;
      if (isBusy(failure)) throw new SourceUnavailable('busy', host, info || code, { quoted: true });
      if (REFUSED.test(code)) throw new SourceUnavailable('unauthorized', host, info || code, { quoted: true });
      throw new WikiError(code, info);
    }
    try {
      const json: unknown = JSON.parse(answer.text);
      return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
    } catch {
      return undefined;
    }
  }

  async #discover(signal: AbortSignal): Promise<WikiSite> {
    const root = new URL(this.root);
    if (WIKIMEDIA.test(root.hostname)) {
      const language = root.hostname.split('.')[0]!;
      return { api: `${root.origin}/w/api.php`, pages: `${root.origin}/wiki/$1`, language, marksDisambiguation: true };
    }
    for (const api of likelyAddresses(root)) {
      const site = await this.#siteAt(api, signal);
      if (site) return site;
    }
    const announced = await this.#announced(root, signal);
    const site = announced && (await this.#siteAt(announced, signal));
    if (site) return site;
    throw new SourceUnavailable('no-wiki', root.host);
  }

  async #siteAt(api: string, signal: AbortSignal): Promise<WikiSite | undefined> {
    const question = { action: 'query', meta: 'siteinfo', siprop: 'general|extensions' };
    const answer = (await this.#ask(api, question, signal).catch((error: unknown) => {
      // A server may refuse a path that does not exist in its own way; only what concerns the whole host is final.
      if (error instanceof SourceUnavailable && error.reason !== 'unreadable' && error.reason !== 'forbidden')
        throw error;
      if (error instanceof SourceUnavailable) return undefined;
      throw error;
    })) as { query?: { general?: Record<string, unknown>; extensions?: { name: string }[] } } | undefined;
    const general = answer?.query?.general;
    if (!general) return undefined;
    const path = typeof general.articlepath === 'string' ? general.articlepath : '/index.php?title=$1';
    return {
      api,
      // The wiki may know itself by another name (behind a proxy): what the user wrote is what works for the user.
      pages: new URL(api).origin + (path.startsWith('/') ? path : new URL(path, api).pathname),
      language: String(general.lang ?? ''),
      marksDisambiguation: answer.query?.extensions?.some(({ name }) => name === 'Disambiguator') ?? false,
    };
  }

  /** Every MediaWiki page names its API in a link element. */
  async #announced(root: URL, signal: AbortSignal): Promise<string | undefined> {
    const page = await this.http.get(root.href, { headers: this.headers }, signal);
    const href = load(slimHtml(page.text))('link[rel="EditURI"]').attr('href');
    return href && URL.canParse(href, page.url) ? new URL(href, page.url).href.replace(/\?.*$/, '') : undefined;
  }
}

/** The login that an address carries: https://name:password@wiki.example */
function basicLogin({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const login = `${decodePercent(username)}:${decodePercent(password)}`;
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

/** Where api.php may be, the likeliest first. */
function likelyAddresses(root: URL): string[] {
  const path = root.pathname.replace(/\/+$/, '');
  const script = /^(.*)\/(?:api|index)\.php$/.exec(path);
  if (script) return [`${root.origin}${script[1]}/api.php`];
  // In /wiki/Some_page the wiki's own folder is the one above; but /wiki may be a folder with the scripts as well.
  const [, above = path, inside = ''] = /^(.*?)(\/wiki)(?:\/.*)?$/.exec(path) ?? [];
  const folders = new Set([above || '/w', above, `${above}/w`, above + inside, path, '/w', '']);
  return [...folders].map((folder) => `${root.origin}${folder}/api.php`);
}
