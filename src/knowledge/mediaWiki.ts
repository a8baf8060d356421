import { load } from 'cheerio/slim';
import type { Language } from '../agent/event';
import { headingAt } from './anchor';
import { existingForm, type Found, type Parsed, sameAmong, similarTitles } from './mediaWikiAnswers';
import { type MediaWikiApi, WikiError, type WikiSite } from './mediaWikiApi';
import { disambiguationSenses, looksLikeDisambiguation, readPage } from './page';
import { type KnowledgeSource, type Resolution, type SimilarPage, SourceUnavailable } from './source';
import { cleanTitle, nearestTitle, sameTitle, splitFragment, titleForms } from './titles';

const SIMILAR = 6;

const NOTES: Record<Language, { spelling: (query: string, title: string) => string }> = {
  en: { spelling: (query, title) => `No page is called “${query}”; the nearest spelling is “${title}”.` },
  'zh-CN': { spelling: (query, title) => `没有名为“${query}”的页面；已打开拼写最接近的“${title}”。` },
};

const plainText = (html: string) => load(html).text().replace(/\s+/g, ' ').trim();

/** Cuts a description to one line. */
function oneLine(text: string | undefined): string | undefined {
  const line = text?.replace(/\s+/g, ' ').trim();
  return line && line.length > 140 ? `${line.slice(0, 139).replace(/\s+\S*$/, '')}…` : line || undefined;
}

/** The pages of one MediaWiki, 1.31 or newer. */
export class MediaWiki implements KnowledgeSource {
  readonly name: string;

  constructor(readonly api: MediaWikiApi) {
    this.name = new URL(api.root).host;
  }

  /** The exact title and everything else that may be needed are asked for together: the usual case takes one round trip. */
  async resolve(query: string, { language }: { language: Language }, signal: AbortSignal): Promise<Resolution> {
    const site = await this.api.site(signal);
    const { page, fragment } = splitFragment(cleanTitle(query));
    if (page === '') return { kind: 'missing', similar: [] };
    const forms = titleForms(page);
    const exact = forms[0];
    const stop = new AbortController();
    const search = this.#search(page, forms, site, AbortSignal.any([signal, stop.signal]));
    search.catch(() => {}); // Awaited below, or not needed.
    const open = (title: string) => this.#open(title, fragment, site, language, signal);
    const hit = exact === undefined ? undefined : await open(exact);
    if (hit) {
      stop.abort();
      return hit;
    }
    const found = await search;
    const existing = existingForm(forms, found) ?? sameAmong(page, found);
    if (existing !== undefined) {
      const resolution = await open(existing);
      if (resolution) return resolution;
    }
    return this.#nearest(page, found, site, language, open, signal);
  }

  /** A title that nothing matched: a slip of the pen, or pages that are similar. */
  async #nearest(
    query: string,
    found: Found,
    site: WikiSite,
    language: Language,
    open: (title: string) => Promise<Resolution | undefined>,
    signal: AbortSignal,
  ): Promise<Resolution> {
    let titles = similarTitles(query, found);
    const suggestion = found.query?.searchinfo?.suggestion;
    let spelt = nearestTitle(query, [...(suggestion ? [suggestion] : []), ...titles]);
    if (titles.length === 0 && suggestion === undefined) {
      // A slip in the first letters, or an accent there, needs the longer list.
      for (const letters of [3, 1]) spelt ??= nearestTitle(query, await this.#sameBeginning(query, letters, signal));
    }
    const resolution = spelt === undefined ? undefined : await open(spelt);
    if (resolution?.kind === 'page') {
      return { ...resolution, note: NOTES[language].spelling(query, resolution.document.title) };
    }
    if (resolution) return resolution;
    if (titles.length === 0) titles = similarTitles(query, await this.#searchWords(suggestion ?? query, signal));
    const similar = await this.#describe(titles.slice(0, SIMILAR), found, site, signal);
    return { kind: 'missing', similar, ...(suggestion === undefined ? {} : { suggestion }) };
  }

  async #open(
    title: string,
    fragment: string | undefined,
    site: WikiSite,
    language: Language,
    signal: AbortSignal,
  ): Promise<Resolution | undefined> {
    const parsed = await this.#parse(title, site, language, signal);
    if (!parsed) return undefined;
    const html = withoutMissingTemplates(parsed.text);
    const url = site.pages.replace(
      '$1',
      encodeURIComponent(parsed.title.replace(/ /g, '_')).replace(/%(?:2F|3A|2C)/g, decodeURIComponent),
    );
    const disambiguation =
      parsed.properties?.disambiguation !== undefined || (!site.marksDisambiguation && looksLikeDisambiguation(html));
    const senses = disambiguation ? disambiguationSenses(html) : [];
    if (senses.length > 0) return { kind: 'disambiguation', title: parsed.title, url, senses };
    const shown = plainText(parsed.displaytitle ?? '');
    const document = readPage(html, {
      // How the wiki writes it (iPhone, a title in the reader's script), as long as it leads back to the page.
      title: shown && (sameTitle(shown, parsed.title) || site.language.startsWith('zh')) ? shown : parsed.title,
      url,
      ...(parsed.revid === undefined ? {} : { revision: String(parsed.revid) }),
      fetchedAt: new Date().toISOString(),
      ...(site.language === '' ? {} : { language: site.language }),
    });
    const redirect = parsed.redirects?.[0];
    const wanted = fragment ?? parsed.redirects?.at(-1)?.tofragment;
    const heading = wanted === undefined ? undefined : (headingAt(html, wanted) ?? wanted.replace(/_/g, ' '));
    const section =
      heading === undefined
        ? undefined
        : document.sections.find(({ title }) => title !== '' && sameTitle(title, heading));
    return {
      kind: 'page',
      document,
      ...(redirect ? { redirectedFrom: redirect.from } : {}),
      ...(section ? { sectionTitle: section.title } : {}),
    };
  }

  async #parse(title: string, site: WikiSite, language: Language, signal: AbortSignal): Promise<Parsed | undefined> {
    const variant = site.language.startsWith('zh') && language === 'zh-CN' ? { variant: 'zh-cn' } : {};
    const answer = await this.#call(
      {
        action: 'parse',
        page: title,
        redirects: 1,
        prop: 'text|revid|displaytitle|properties',
        disableeditsection: 1,
        disabletoc: 1,
        disablelimitreport: 1,
        ...variant,
      },
      signal,
    );
    return (answer as { parse?: Parsed }).parse;
  }

  /** A title or search that the wiki finds impossible has no answer; any other error says nothing about pages. */
  async #call(parameters: Parameters<MediaWikiApi['call']>[0], signal: AbortSignal): Promise<unknown> {
    try {
      return await this.api.call(parameters, signal);
    } catch (error) {
      if (!(error instanceof WikiError)) throw error;
      if (/title|search|cannotexist|interwiki/.test(error.code)) return {};
      throw new SourceUnavailable('unreadable', this.name, `${error.code}: ${error.message}`, {
        cause: error,
        quoted: true,
      });
    }
  }

  async #search(query: string, forms: readonly string[], site: WikiSite, signal: AbortSignal): Promise<Found> {
    return (await this.#call(
      {
        action: 'query',
        titles: forms.join('|'),
        redirects: 1,
        ...(site.language.startsWith('zh') ? { converttitles: 1 } : {}),
        list: 'search|prefixsearch',
        pssearch: query.slice(0, 250),
        pslimit: 10,
        ...searchFor(query),
      },
      signal,
    )) as Found;
  }

  /** Simple search engines want all the words in one page; ask again with those that carry the meaning. */
  async #searchWords(query: string, signal: AbortSignal): Promise<Found> {
    const words = query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const telling = words.filter((word) => word.length > 3 || /^\p{Lu}|\p{N}|[\p{scx=Han}]/u.test(word));
    for (const attempt of [telling.join(' '), ...telling.sort((a, b) => b.length - a.length).slice(0, 2)]) {
      if (attempt === '') break;
      const found = (await this.#call({ action: 'query', list: 'search', ...searchFor(attempt) }, signal)) as Found;
      if (found.query?.search?.length) return found;
    }
    return {};
  }

  /** Titles that begin with the query's first letters: where a wiki suggests no spellings, one of them may be meant. */
  async #sameBeginning(query: string, letters: number, signal: AbortSignal): Promise<string[]> {
    const beginning = Array.from(query).slice(0, letters).join('');
    const apprefix = beginning.charAt(0).toUpperCase() + beginning.slice(1);
    const found = (await this.#call({ action: 'query', list: 'allpages', apprefix, aplimit: 500 }, signal)) as Found;
    return found.query?.allpages?.map(({ title }) => title) ?? [];
  }

  /** One line on each title: the wiki's own short description, its first sentence, or where the words were found. */
  async #describe(
    titles: readonly string[],
    found: Found,
    site: WikiSite,
    signal: AbortSignal,
  ): Promise<SimilarPage[]> {
    if (titles.length === 0) return [];
    const question = {
      action: 'query',
      titles: titles.join('|'),
      redirects: 1,
      prop: 'description|extracts',
      exintro: 1,
      explaintext: 1,
      exsentences: 1,
      exlimit: titles.length,
      ...(site.language.startsWith('zh') ? { variant: 'zh-cn' } : {}),
    };
    const { query = {} } = (await this.#call(question, signal)) as Found;
    return titles.map((title) => {
      const target = query.redirects?.find(({ from }) => from === title)?.to ?? title;
      const page = query.pages?.find((candidate) => candidate.title === target);
      const snippet = found.query?.search?.find((candidate) => candidate.title === title)?.snippet;
      const description = oneLine(page?.description ?? page?.extract) ?? oneLine(snippet && plainText(snippet));
      return description === undefined ? { title } : { title, description };
    });
  }
}

/** A template that does not exist leaves a link to its own name in the text; such a name has no space after its colon. */
function withoutMissingTemplates(html: string): string {
  return html.replace(/<a [^>]*\bclass="new"[^>]*>[\p{L} ]+:[^\s<][^<]*<\/a>/gu, '');
}

/** `srwhat=text`: the database search engine would look at titles only. Search engines have a limit of 300 characters. */
const searchFor = (query: string) => ({
  srsearch: query.slice(0, 250) || '?',
  srwhat: 'text',
  srlimit: 10,
  srinfo: 'suggestion',
  srprop: 'snippet|redirecttitle',
});
