import { load } from 'cheerio/slim';
import type { Language } from '../agent/event';
import { readPage } from './page';
import type { PoliteHttp } from './politeness';
import { slimHtml } from './slim';
import { type KnowledgeSource, type Resolution, type SimilarPage, SourceUnavailable } from './source';
import { cleanTitle, sameTitle } from './titles';

/** A site that is no MediaWiki, described in settings. Addresses hold `{query}` or `{title}`; selectors are CSS. */
export interface SiteTemplate {
  /** Page of search results for `{query}`. */
  searchUrl?: string;
  /** Address of the page called `{title}`. */
  pageUrl?: string;
  selectors: {
    /** Links to pages, on the page of results. */
    results?: string;
    /** The title, on a page. Default: its first heading. */
    title?: string;
    /** The text, on a page. */
    content: string;
  };
}

/** True for a template that can be used: settings hold whatever their user wrote. */
export function isSiteTemplate(value: unknown): value is SiteTemplate {
  const { searchUrl, pageUrl, selectors } = (value ?? {}) as Partial<SiteTemplate>;
  const isAddress = (address: unknown, place: string) =>
    typeof address === 'string' && /^https?:/i.test(address) && URL.canParse(address) && address.includes(place);
  const canSelect = (selector: unknown) => typeof selector === 'string' && isSelector(selector);
  const { content, results = 'a', title = 'h1' } = selectors ?? {};
  return (
    [content, results, title].every(canSelect) && (isAddress(searchUrl, '{query}') || isAddress(pageUrl, '{title}'))
  );
}

function isSelector(text: string): boolean {
  try {
    load('')(text);
    return true;
  } catch {
    return false;
  }
}

const SIMILAR = 6;
const fill = (address: string, name: string, value: string) => address.replace(`{${name}}`, encodeURIComponent(value));

/** Pages of any site, found by its own addresses: no code for a site, only a template. */
export class TemplateSite implements KnowledgeSource {
  constructor(
    readonly name: string,
    readonly template: SiteTemplate,
    readonly http: PoliteHttp,
  ) {}

  async resolve(query: string, _options: { language: Language }, signal: AbortSignal): Promise<Resolution> {
    const title = cleanTitle(query);
    const { pageUrl, searchUrl } = this.template;
    const mayMiss = searchUrl !== undefined;
    const direct = pageUrl && (await this.#open(fill(pageUrl, 'title', title), title, mayMiss, signal));
    if (direct) return direct;
    const results = searchUrl ? await this.#results(fill(searchUrl, 'query', title), signal) : [];
    const same = results.find((result) => sameTitle(result.title, title));
    const found = same && (await this.#open(same.url, same.title, false, signal));
    return found || { kind: 'missing', similar: results.slice(0, SIMILAR).map(({ url: _, ...similar }) => similar) };
  }

  async #results(url: string, signal: AbortSignal): Promise<(SimilarPage & { url: string })[]> {
    const answer = await this.http.get(url, {}, signal);
    const $ = load(slimHtml(answer.text));
    const links = $(this.template.selectors.results ?? 'a').toArray();
    return links.flatMap((element) => {
      const link = $(element).is('a') ? $(element) : $(element).find('a').first();
      const [title, href] = [link.text().replace(/\s+/g, ' ').trim(), link.attr('href')];
      const url = href && URL.canParse(href, answer.url) ? new URL(href, answer.url) : undefined;
      return title && url && /^https?:$/.test(url.protocol) ? [{ title, url: url.href }] : [];
    });
  }

  async #open(
    url: string,
    fallbackTitle: string,
    mayMiss: boolean,
    signal: AbortSignal,
  ): Promise<Resolution | undefined> {
    const answer = await this.http.get(url, {}, signal);
    if (answer.status === 404) return undefined;
    const $ = load(slimHtml(answer.text));
    const content = $(this.template.selectors.content).first();
    // Many sites answer “no such page” with a page: where results can be asked for, those decide.
    if (content.length === 0 && mayMiss) return undefined;
    if (content.length === 0) {
      throw new SourceUnavailable('unreadable', this.name, `nothing matches ${this.template.selectors.content}`);
    }
    const language = $('html').attr('lang');
    const heading = $(this.template.selectors.title ?? 'h1')
      .first()
      .text()
      .replace(/\s+/g, ' ')
      .trim();
    const document = readPage(`<div class="mw-parser-output">${content.html() ?? ''}</div>`, {
      title: heading || fallbackTitle,
      url: answer.url,
      fetchedAt: new Date().toISOString(),
      ...(language ? { language } : {}),
    });
    return { kind: 'page', document };
  }
}
