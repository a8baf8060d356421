import type { Language } from '../agent/event';
import { readPlainText } from './plainPage';
import { PoliteHttp } from './politeness';
import { type KnowledgeSource, type Resolution, SourceUnavailable } from './source';
import { cleanTitle } from './titles';

const SIMILAR = 6;
const VERSIONS = 5;

/** The parts of a package's document that are told: https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
interface Packument {
  name: string;
  description?: unknown;
  'dist-tags'?: { latest?: string };
  versions?: Record<string, Manifest>;
  time?: Record<string, string>;
  readme?: unknown;
}
interface Manifest {
  license?: unknown;
  homepage?: unknown;
  repository?: unknown;
  engines?: unknown;
  dependencies?: unknown;
  deprecated?: string;
}

interface Labels {
  facts: string;
  latest: string;
  licence: string;
  created: string;
  versions: string;
  engines: string;
  dependencies: string;
  none: string;
  homepage: string;
  repository: string;
  deprecated: string;
  colon: string;
}

const LABELS: Record<Language, Labels> = {
  en: {
    facts: 'Package',
    latest: 'Latest version',
    licence: 'Licence',
    created: 'First published',
    versions: 'Number of versions, and the newest',
    engines: 'Runs on',
    dependencies: 'Dependencies',
    none: 'none',
    homepage: 'Home page',
    repository: 'Repository',
    deprecated: 'Deprecated',
    colon: ': ',
  },
  'zh-CN': {
    facts: '软件包信息',
    latest: '最新版本',
    licence: '许可证',
    created: '首次发布',
    versions: '版本数量与最近版本',
    engines: '运行环境',
    dependencies: '依赖',
    none: '无',
    homepage: '主页',
    repository: '代码仓库',
    deprecated: '已弃用',
    colon: '：',
  },
};

/** A value as text, whatever twenty years of packages have put there: a text, an object with one, or nothing. */
function textOf(value: unknown, key: 'url' | 'type'): string | undefined {
  const inner = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : value;
  return typeof inner === 'string' ? inner : undefined;
}
const pairs = (record: unknown) =>
  Object.entries(typeof record === 'object' && record !== null ? record : {})
    .map(([name, range]) => `${name} ${range}`)
    .join(', ');

/** The facts that the registry knows, one a line. */
function factsOf(found: Packument, language: Language): string[] {
  const labels = LABELS[language];
  const latest = found['dist-tags']?.latest ?? '';
  const manifest = found.versions?.[latest] ?? {};
  const time = found.time ?? {};
  const versions = Object.keys(found.versions ?? {});
  const newest = [...versions]
    .sort((one, other) => (time[other] ?? '').localeCompare(time[one] ?? ''))
    .slice(0, VERSIONS);
  const day = (date: string | undefined) => (date ? ` (${date.slice(0, 10)})` : '');
  const { license } = manifest;
  const facts: [string, string | undefined][] = [
    [labels.deprecated, manifest.deprecated],
    [labels.latest, latest && latest + day(time[latest])],
    [labels.licence, textOf(license, 'type')],
    [labels.created, time.created?.slice(0, 10)],
    [labels.versions, `${versions.length}; ${newest.map((version) => version + day(time[version])).join(', ')}`],
    [labels.engines, pairs(manifest.engines)],
    [labels.dependencies, pairs(manifest.dependencies) || labels.none],
    [labels.homepage, textOf(manifest.homepage, 'url')],
    [labels.repository, textOf(manifest.repository, 'url')],
  ];
  return facts.flatMap(([label, value]) => (value ? [`- ${label}${labels.colon}${value}`] : []));
}

/**
 * A readme without what is no text: comments, tags, badges; its headings one level down, below the facts. The patterns are
 * bounded, so that a readme full of openings that never close takes no longer than another.
 */
function plainReadme(readme: string): string {
  return readme
    .replace(/<!--[\s\S]{0,5000}?-->/g, '')
    .replace(/<\/?[a-z][^>]{0,500}>/gi, '')
    .replace(/\[?!\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)(?:\]\([^)\n]{0,500}\))?/g, '')
    .replace(/\[([^\]\n]{1,300})\]\([^)\n]{0,500}\)/g, '$1')
    .replace(/^#/gm, '##');
}

/** The packages of an npm registry: facts and readme as one document. */
export class NpmPackages implements KnowledgeSource {
  readonly name: string;

  constructor(
    readonly registry = 'https://registry.npmjs.org',
    readonly http = new PoliteHttp(),
  ) {
    this.name = new URL(registry).host;
  }

  async resolve(query: string, { language }: { language: Language }, signal: AbortSignal): Promise<Resolution> {
    const name = packageName(query);
    const found = name === '' ? undefined : await this.#get<Packument>(`/${name.replace('/', '%2F')}`, signal);
    if (!found?.versions) return { kind: 'missing', similar: await this.#similar(query, signal) };
    const lead = typeof found.description === 'string' ? found.description : found.name;
    const text = [
      lead,
      '',
      `## ${LABELS[language].facts}`,
      ...factsOf(found, language),
      '',
      '## Readme',
      plainReadme(typeof found.readme === 'string' ? found.readme : ''),
    ];
    const revision = found['dist-tags']?.latest;
    const document = readPlainText(text.join('\n'), {
      title: found.name,
      url: `https://www.npmjs.com/package/${found.name}`,
      fetchedAt: new Date().toISOString(),
      ...(revision === undefined ? {} : { revision }),
    });
    return { kind: 'page', document };
  }

  async #similar(query: string, signal: AbortSignal) {
    const search = new URLSearchParams({ text: cleanTitle(query).slice(0, 100), size: String(SIMILAR) });
    interface Results {
      objects?: { package: { name: string; description?: string } }[];
    }
    const found = await this.#get<Results>(`/-/v1/search?${search}`, signal);
    return (found?.objects ?? []).map(({ package: { name, description } }) => ({
      title: name,
      ...(description ? { description } : {}),
    }));
  }

  async #get<T>(path: string, signal: AbortSignal): Promise<T | undefined> {
    const answer = await this.http.get(this.registry.replace(/\/$/, '') + path, {}, signal);
    if (answer.status === 404) return undefined;
    try {
      return JSON.parse(answer.text) as T;
    } catch {
      throw new SourceUnavailable('unreadable', this.name, 'no JSON');
    }
  }
}

/** `npm install Left-Pad@1`, an address, `@Scope/name` → the name as the registry knows it; '' for what can be no name. */
function packageName(query: string): string {
  const name = query
    .trim()
    .replace(/^https?:\/\/(?:www\.)?npmjs\.com\/package\//, '')
    .replace(/^(?:npm (?:i|install|add)|yarn add|pnpm add|npx)\s+/, '')
    .replace(/^["'`“]|["'`”]$/g, '')
    .replace(/(?<=.)@[^/@]*$/, '')
    .toLowerCase();
  return /^(?:@[\w.-]+\/)?[\w.-]+$/.test(name) ? name : '';
}
