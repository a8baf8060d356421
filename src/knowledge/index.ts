import { UserError } from '../agent/errors';
import { ByLanguage } from './byLanguage';
import type { DocumentCache } from './documentCache';
import { cachedSource } from './documentCache';
import { MediaWiki } from './mediaWiki';
import { MediaWikiApi } from './mediaWikiApi';
import { PoliteHttp } from './politeness';
import { SampleWiki } from './sampleWiki';
import { type SiteTemplate, TemplateSite } from './siteTemplate';
import type { KnowledgeSource } from './source';

export interface SourceOptions {
  /** Folder of the sample wiki's pages. */
  sampleFolder: string;
  /** Shared by all sources of one process, so that a host sees at most two requests at a time. */
  http?: PoliteHttp;
  /** Authentication for the wiki named by its address; sent to its host only. */
  headers?: Readonly<Record<string, string>>;
  /** Sites that are no MediaWiki, by name: `site:NAME` opens one. */
  sites?: Readonly<Record<string, SiteTemplate>>;
  cache?: DocumentCache;
}

interface SourceKind {
  matches(wiki: string): boolean;
  open(wiki: string, options: Required<Pick<SourceOptions, 'http'>> & SourceOptions): KnowledgeSource;
}

const wikipedia = (language: string, http: PoliteHttp) =>
  new MediaWiki(new MediaWikiApi(`https://${language}.wikipedia.org`, http));

/** The kinds of sources: the first that matches opens it. */
const KINDS: readonly SourceKind[] = [
  {
    matches: (wiki) => wiki === 'sample:',
    open: (_, { sampleFolder }) => {
      const [en, zh] = [new SampleWiki(sampleFolder, 'en'), new SampleWiki(sampleFolder, 'zh-CN')];
      return new ByLanguage('sample wiki', { en: [en, zh], 'zh-CN': [zh, en] });
    },
  },
  {
    matches: (wiki) => wiki === 'auto' || wiki === '',
    open: (_, { http }) => {
      const [en, zh] = [wikipedia('en', http), wikipedia('zh', http)];
      return new ByLanguage('Wikipedia', { en: [en], 'zh-CN': [zh, en] });
    },
  },
  { matches: (wiki) => wiki.startsWith('site:'), open: openSite },
  {
    matches: (wiki) => URL.canParse(wiki) && /^https?:/i.test(wiki),
    open: (wiki, { http, headers }) => new MediaWiki(new MediaWikiApi(wiki, http, headers)),
  },
];

function openSite(wiki: string, { http, sites = {} }: { http: PoliteHttp } & SourceOptions): KnowledgeSource {
  const name = wiki.slice('site:'.length);
  const template = Object.hasOwn(sites, name) ? sites[name] : undefined;
  if (template) return new TemplateSite(name, template, http);
  const known = Object.keys(sites)
    .map((site) => `site:${site}`)
    .join(', ');
  throw new UserError(
    `No site is called “${name}”.`,
    known ? `Known sites: ${known}.` : 'Describe it in the setting for sites first.',
    'open-settings',
  );
}

/**
 * Opens the source that a setting or `--wiki` names.
 * @param wiki `sample:`, `auto` (Wikipedia in the question's language), `site:NAME`, or the address of any MediaWiki
 * @throws UserError for anything else
 */
export function openSource(wiki: string, options: SourceOptions): KnowledgeSource {
  const kind = KINDS.find((candidate) => candidate.matches(wiki.trim()));
  if (!kind) {
    throw new UserError(
      `“${wiki}” is no wiki.`,
      'Give the address of a MediaWiki (https://en.wikipedia.org), auto, or sample:.',
      'open-settings',
    );
  }
  const source = kind.open(wiki.trim(), { ...options, http: options.http ?? new PoliteHttp() });
  return options.cache ? cachedSource(source, options.cache) : source;
}
