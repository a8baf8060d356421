import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'cheerio/slim';
import MiniSearch from 'minisearch';
import type { Document } from '../agent/document';
import type { Language } from '../agent/event';
import { disambiguationSenses, readPage } from './page';
import type { KnowledgeSource, Resolution, SimilarPage } from './source';
import { tellingWords, termOf, withSynonyms, wordsOf } from './terms';
import { cleanTitle, nearestTitle, sameTitle, splitFragment, titleForms } from './titles';

const SIMILAR = 6;

interface Article {
  title: string;
  description: string;
  html: string;
  isDisambiguation: boolean;
}
/** Where a title leads: an article, and for a section redirect the section. */
interface Target {
  article: Article;
  section?: string;
}
interface Contents {
  targets: Map<string, Target>;
  articles: Article[];
}

const NAMES: Record<Language, string> = { en: 'sample:en', 'zh-CN': 'sample:zh' };
const FILES: Record<Language, string> = { en: 'en.html', 'zh-CN': 'zh.html' };
const SPELLING_NOTES: Record<Language, (query: string, title: string) => string> = {
  en: (query, title) => `No page is called “${query}”; the nearest spelling is “${title}”.`,
  'zh-CN': (query, title) => `没有名为“${query}”的页面；已打开拼写最接近的“${title}”。`,
};

/** One language of the wiki that ships with the extension: works offline, and its pages never change under a test. */
export class SampleWiki implements KnowledgeSource {
  readonly name: string;
  #contents: Promise<Contents> | undefined;
  /** Made at the first miss: an exact title needs none. */
  #search: MiniSearch<Article> | undefined;

  /** @param folder holds en.html and zh.html: a list of `<article data-title …>` */
  constructor(
    readonly folder: string,
    readonly language: Language,
  ) {
    this.name = NAMES[language];
  }

  async resolve(query: string, { language }: { language: Language }, _signal: AbortSignal): Promise<Resolution> {
    this.#contents ??= this.#read();
    const { targets, articles } = await this.#contents;
    const { page, fragment } = splitFragment(cleanTitle(query));
    const titles = [...targets.keys()];
    const exact = titleForms(page).find((form) => targets.has(form)) ?? titles.find((title) => sameTitle(title, page));
    if (exact !== undefined) return this.#open(exact, targets.get(exact)!, fragment);
    const spelt = nearestTitle(page, titles);
    if (spelt !== undefined) {
      const resolution = this.#open(spelt, targets.get(spelt)!, fragment);
      if (resolution.kind !== 'page') return resolution;
      return { ...resolution, note: SPELLING_NOTES[language](page, resolution.document.title) };
    }
    this.#search ??= indexOf(articles);
    return { kind: 'missing', similar: similarTo(page, this.#search) };
  }

  #open(title: string, { article, section }: Target, fragment: string | undefined): Resolution {
    const url = `sample:${article.title}`;
    if (article.isDisambiguation) {
      return { kind: 'disambiguation', title: article.title, url, senses: disambiguationSenses(article.html) };
    }
    const document: Document = readPage(article.html, {
      title: article.title,
      url,
      fetchedAt: new Date().toISOString(),
      language: this.language,
    });
    const wanted = fragment ?? section;
    const opened = document.sections.find((candidate) => wanted !== undefined && sameTitle(candidate.title, wanted));
    return {
      kind: 'page',
      document,
      ...(title === article.title ? {} : { redirectedFrom: title }),
      ...(opened ? { sectionTitle: opened.title } : {}),
    };
  }

  async #read(): Promise<Contents> {
    const $ = load(await readFile(join(this.folder, FILES[this.language]), 'utf8'));
    const articles: Article[] = [];
    const targets = new Map<string, Target>();
    const redirects: [string, Target][] = [];
    for (const element of $('article[data-title]').toArray()) {
      const article: Article = {
        title: $(element).attr('data-title')!,
        description: $(element).attr('data-description') ?? '',
        html: $(element).html() ?? '',
        isDisambiguation: $(element).attr('data-kind') === 'disambiguation',
      };
      targets.set(article.title, { article });
      articles.push(article);
      for (const redirect of ($(element).attr('data-redirects') ?? '').split('|').filter(Boolean)) {
        const [alias = '', section] = redirect.split('>');
        redirects.push([alias.trim(), section === undefined ? { article } : { article, section: section.trim() }]);
      }
    }
    for (const [alias, target] of redirects) if (!targets.has(alias)) targets.set(alias, target);
    return { targets, articles };
  }
}

function indexOf(articles: readonly Article[]): MiniSearch<Article> {
  const search = new MiniSearch<Article>({
    idField: 'title',
    fields: ['title', 'description', 'html'],
    storeFields: ['title', 'description'],
    extractField: (article, field) => {
      const text = String(article[field as keyof Article]);
      return field === 'html' ? text.replace(/<[^>]*>/g, ' ') : text;
    },
    tokenize: wordsOf,
    processTerm: termOf,
  });
  search.addAll(articles);
  return search;
}

/** Pages that hold the query's words, most of them in their titles first. */
function similarTo(query: string, search: MiniSearch<Article>): SimilarPage[] {
  const terms = [...new Set(tellingWords(query).map(termOf))];
  if (terms.length === 0) return [];
  const groups = terms.map((term) => ({ combineWith: 'OR' as const, queries: withSynonyms(term) }));
  const found = search.search(
    { combineWith: 'OR', queries: groups },
    { boost: { title: 4, description: 2 }, prefix: (term) => term.length > 3, processTerm: (term) => term },
  );
  // A single pair of characters shared by chance makes no Chinese page similar.
  const isUnspaced = terms.length > 2 && terms.every((term) => /^\p{scx=Han}+$/u.test(term));
  const close = isUnspaced ? found.filter(({ terms: matched }) => matched.length > 1) : found;
  return close.slice(0, SIMILAR).map(({ title, description }) => ({ title, ...(description ? { description } : {}) }));
}
