import { type ErrorAction, UserError } from '../agent/errors';
import type { Language } from '../agent/event';
import { ByLanguage } from './byLanguage';
import { cachedSource, type DocumentCache } from './documentCache';
import { MediaWiki } from './mediaWiki';
import { MediaWikiApi } from './mediaWikiApi';
import { OrOffline } from './offline';
import { PoliteHttp } from './politeness';
import { SampleWiki } from './sampleWiki';
import { isSiteTemplate, type SiteTemplate, TemplateSite } from './siteTemplate';
import type { KnowledgeSource } from './source';

export interface SourceOptions {
  /** Folder of the sample wiki's pages. */
  sampleFolder: string;
  /** Shared by all sources of one process, so that a host sees at most two requests at a time. */
  http?: PoliteHttp;
  /** Authentication for the wiki named by its address; sent to its host only. */
  headers?: Readonly<Record<string, string>>;
  /** Sites that are no MediaWiki, by name: `site:NAME` opens one. From settings, so of any shape. */
  sites?: Readonly<Record<string, SiteTemplate>>;
  cache?: DocumentCache;
  /** Of errors. Default English. */
  language?: Language;
}

type OpenOptions = SourceOptions & Required<Pick<SourceOptions, 'http' | 'language'>>;

interface SourceKind {
  matches(wiki: string): boolean;
  open(wiki: string, options: OpenOptions): KnowledgeSource;
  /** True where pages cost nothing, so that a copy could only be out of date. */
  isLocal?: boolean;
  /** Answers what it can while the source can't be reached. */
  offline?(wiki: string, options: OpenOptions): KnowledgeSource;
}

const ERRORS: Record<
  Language,
  Record<'wiki' | 'site' | 'template', (name: string) => [message: string, hint: string]>
> = {
  en: {
    wiki: (name) => [
      `“${name}” is no wiki.`,
      'Give the address of a MediaWiki (https://en.wikipedia.org), auto, or sample:.',
    ],
    site: (name) => [`No site is called “${name}”.`, 'Describe it in the setting for sites, or choose another wiki.'],
    template: (name) => [
      `The description of the site “${name}” is not complete.`,
      'It needs searchUrl with {query} or pageUrl with {title}, and selectors.content.',
    ],
  },
  'zh-CN': {
    wiki: (name) => [
      `“${name}”不是可用的百科。`,
      '请填写 MediaWiki 的地址（如 https://zh.wikipedia.org）、auto 或 sample:。',
    ],
    site: (name) => [`没有名为“${name}”的站点。`, '请先在站点设置中描述它，或选择其他百科。'],
    template: (name) => [
      `站点“${name}”的描述不完整。`,
      '需要带 {query} 的 searchUrl 或带 {title} 的 pageUrl，以及 selectors.content。',
    ],
  },
};

const OPEN_SETTINGS: ErrorAction = 'open-settings';

const wikipedia = (language: string, http: PoliteHttp) =>
  new MediaWiki(new MediaWikiApi(`https://${language}.wikipedia.org`, http));

function openSample(_wiki: string, { sampleFolder }: OpenOptions): KnowledgeSource {
  const [en, zh] = [new SampleWiki(sampleFolder, 'en'), new SampleWiki(sampleFolder, 'zh-CN')];
  return new ByLanguage('sample wiki', { en: [en, zh], 'zh-CN': [zh, en] });
}

function openWikipedia(_wiki: string, { http }: OpenOptions): KnowledgeSource {
  const [en, zh] = [wikipedia('en', http), wikipedia('zh', http)];
  return new ByLanguage('Wikipedia', { en: [en], 'zh-CN': [zh, en] });
}

function openSite(wiki: string, { http, sites = {}, language }: OpenOptions): KnowledgeSource {
  const name = wiki.slice('site:'.length);
  const template: unknown = Object.hasOwn(sites, name) ? sites[name] : undefined;
  if (template === undefined) throw new UserError(...ERRORS[language].site(name), OPEN_SETTINGS);
  if (!isSiteTemplate(template)) throw new UserError(...ERRORS[language].template(name), OPEN_SETTINGS);
  return new TemplateSite(name, template, http);
}

const openMediaWiki = (wiki: string, { http, headers }: OpenOptions) =>
  new MediaWiki(new MediaWikiApi(wiki, http, headers));

/** The address of no Wikipedia in particular. */
const PORTAL = /^https?:\/\/(?:www\.)?wikipedia\.org\/?$/i;

/** The kinds of sources: the first that matches opens it. */
const KINDS: readonly SourceKind[] = [
  { matches: (wiki) => wiki === 'sample:', open: openSample, isLocal: true },
  { matches: (wiki) => wiki === 'auto' || wiki === '' || PORTAL.test(wiki), open: openWikipedia, offline: openSample },
  { matches: (wiki) => wiki.startsWith('site:'), open: openSite },
  { matches: (wiki) => /^https?:/i.test(wiki) && URL.canParse(wiki), open: openMediaWiki },
];

/** What is written to disk names the place, not who reads there. */
const withoutLogin = (place: string) => place.replace(/^(https?:\/\/)[^/?#]*@/i, '$1');

/**
 * Opens the source that a setting or `--wiki` names.
 * @param wiki `sample:`, `auto` (Wikipedia in the question's language), `site:NAME`, or the address of any MediaWiki
 * @throws UserError for anything else
 */
export function openSource(wiki: string, options: SourceOptions): KnowledgeSource {
  const place = wiki.trim();
  const kind = KINDS.find((candidate) => candidate.matches(place));
  const { language = 'en', http = new PoliteHttp(), cache } = options;
  if (!kind) throw new UserError(...ERRORS[language].wiki(wiki), OPEN_SETTINGS);
  const openOptions = { ...options, http, language };
  const opened = kind.open(place, openOptions);
  const source = cache && !kind.isLocal ? cachedSource(opened, cache, withoutLogin(place)) : opened;
  // Around the cache: what the other source says must not be kept as if this one had said it.
  return kind.offline ? new OrOffline(source, kind.offline(place, openOptions)) : source;
}
