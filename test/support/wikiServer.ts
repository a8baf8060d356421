import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Language } from '../../src/agent/event';
import type { ToolResult } from '../../src/agent/tool';
import { openSource, type SourceOptions } from '../../src/knowledge';
import { createToolbox } from '../../src/tools';

/** A page as api.php would tell of it. */
export interface StandInPage {
  html?: string;
  description?: string;
  disambiguation?: boolean;
  redirect?: string;
  display?: string;
  /** The same title in the other Chinese script. */
  variant?: string;
}

export interface StandInOptions {
  pages?: Readonly<Record<string, StandInPage>>;
  /** Language of its content. */
  language?: string;
  /** Spelling suggestions, by query. */
  suggestions?: Readonly<Record<string, string>>;
  /** Full-text results, by query: titles. */
  results?: Readonly<Record<string, readonly string[]>>;
  /** Where api.php is. */
  script?: string;
  /** Names of extensions that the wiki says it has. */
  extensions?: readonly string[];
  /** Answers in the wiki's place: true where it did. */
  before?(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): boolean | Promise<boolean>;
}

export interface StandIn {
  root: string;
  /** Every request for api.php, in order. */
  requests: { query: URLSearchParams; headers: IncomingMessage['headers'] }[];
  /** How many were being answered at once, at most. */
  readonly atOnce: number;
  stop(): Promise<void>;
}

/**
 * A stand-in for MediaWiki's API over real HTTP, for what Debian's package lacks: spelling suggestions, short descriptions, the
 * disambiguation property, Chinese variants; and for servers that fail. Its answers have the documented shapes of format version 2.
 */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const { pages = {}, suggestions = {}, results = {}, script = '/w/api.php', language = 'en' } = options;
  const { extensions = ['Disambiguator', 'CirrusSearch'] } = options;
  const requests: StandIn['requests'] = [];
  let [running, atOnce] = [0, 0];

  const first = (title: string) => title.charAt(0).toUpperCase() + title.slice(1);
  const follow = (title: string) => pages[title]?.redirect ?? title;

  function parse(query: URLSearchParams) {
    const asked = first(query.get('page') ?? '');
    const title = follow(asked);
    const page = pages[title];
    if (!page) return { error: { code: 'missingtitle', info: "The page you specified doesn't exist." } };
    return {
      parse: {
        title,
        pageid: 1,
        revid: 7,
        redirects: title === asked ? [] : [{ from: asked, to: title }],
        text: `<div class="mw-parser-output">${page.html ?? ''}</div>`,
        displaytitle: page.display ?? title,
        properties: page.disambiguation ? { disambiguation: '' } : {},
      },
    };
  }

  function ask(query: URLSearchParams) {
    const titles = (query.get('titles') ?? '').split('|').filter(Boolean);
    const variants = Object.entries(pages).filter(([, { variant }]) => variant !== undefined);
    const converted = query.has('converttitles')
      ? titles.flatMap((from) => variants.filter(([, page]) => page.variant === from).map(([to]) => ({ from, to })))
      : [];
    const targets = titles.map((title) => converted.find(({ from }) => from === title)?.to ?? title).map(first);
    const search = query.get('srsearch') ?? '';
    const prefix = query.get('pssearch')?.toLowerCase();
    return {
      batchcomplete: true,
      query: {
        ...(query.get('meta') === 'siteinfo'
          ? {
              general: { lang: language, articlepath: '/wiki/$1', generator: 'MediaWiki 1.43.0' },
              extensions: extensions.map((name) => ({ type: 'other', name })),
            }
          : {}),
        normalized: titles.filter((title) => first(title) !== title).map((from) => ({ from, to: first(from) })),
        converted,
        redirects: targets.filter((title) => follow(title) !== title).map((from) => ({ from, to: follow(from) })),
        pages: targets.map(follow).map((title) => {
          const page = pages[title];
          if (!page) return { ns: 0, title, missing: true };
          return { ns: 0, title, ...(page.description === undefined ? {} : { description: page.description }) };
        }),
        search: (results[search] ?? []).map((title) => ({
          ns: 0,
          title,
          snippet: `… <span class="searchmatch">x</span> …`,
        })),
        searchinfo: suggestions[search] === undefined ? {} : { suggestion: suggestions[search] },
        prefixsearch:
          prefix === undefined
            ? []
            : Object.keys(pages)
                .filter((title) => title.toLowerCase().startsWith(prefix))
                .map((title) => ({ title })),
      },
    };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    if (url.pathname !== script) {
      const isRoot = url.pathname === '/';
      response.writeHead(isRoot ? 200 : 404, { 'Content-Type': 'text/html' });
      response.end(
        isRoot ? `<link rel="EditURI" type="application/rsd+xml" href="${script}?action=rsd"/>` : '<h1>Not here</h1>',
      );
      return;
    }
    requests.push({ query: url.searchParams, headers: request.headers });
    if (await options.before?.(request, response, url.searchParams)) return;
    const body = url.searchParams.get('action') === 'parse' ? parse(url.searchParams) : ask(url.searchParams);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(body)));
  }

  const server = createServer((request, response) => {
    atOnce = Math.max(atOnce, ++running);
    response.once('close', () => running--);
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    root: `http://127.0.0.1:${port}`,
    requests,
    get atOnce() {
      return atOnce;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What Search observes on the wiki at `root`. */
export function searchWiki(
  root: string,
  input: string,
  language: Language = 'en',
  options: Partial<SourceOptions> = {},
): Promise<ToolResult> {
  const toolbox = createToolbox({ source: openSource(root, { sampleFolder: '', ...options }) });
  return toolbox.get('Search')!.run(input, { language, question: '' }, AbortSignal.timeout(15_000));
}
