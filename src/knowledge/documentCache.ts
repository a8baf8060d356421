import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOf } from './page';
import type { KnowledgeSource, Resolution } from './source';

const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const MAX_BYTES = 50_000_000;

interface Entry {
  key: string;
  storedAt: number;
  resolution: Resolution;
}

/** Pages on disk, one file each. What can't be read or written is a miss: the cache never makes a run fail. */
export class DocumentCache {
  /**
   * @param folder belongs to the cache alone
   * @param limits age in milliseconds after which a page is asked for anew, and bytes that all files may take together
   */
  constructor(
    readonly folder: string,
    readonly limits = { maxAge: MAX_AGE_MS, maxBytes: MAX_BYTES },
  ) {}

  async get(key: string): Promise<Resolution | undefined> {
    const file = this.#file(key);
    try {
      const entry = JSON.parse(await readFile(file, 'utf8')) as Entry;
      if (entry.key !== key || !isWhole(entry.resolution)) return undefined;
      if (Date.now() - entry.storedAt > this.limits.maxAge) return undefined;
      await utimes(file, new Date(), new Date()); // The file's time says when it was last used.
      return entry.resolution;
    } catch {
      return undefined;
    }
  }

  async set(key: string, resolution: Resolution): Promise<void> {
    const entry: Entry = { key, storedAt: Date.now(), resolution };
    const file = this.#file(key);
    const temporary = `${file}.${randomUUID()}`;
    try {
      await mkdir(this.folder, { recursive: true });
      await writeFile(temporary, JSON.stringify(entry));
      await rename(temporary, file);
      await this.#shrink();
    } catch {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  /** Forgets every page. */
  async clear(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Removes the pages that were not used for longest, until the rest fits. */
  async #shrink(): Promise<void> {
    const names = await readdir(this.folder);
    const files = await Promise.all(
      names.map(async (name) => {
        const file = join(this.folder, name);
        const { size, mtimeMs } = await stat(file);
        return { file, size, mtimeMs };
      }),
    );
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (total <= this.limits.maxBytes) return;
      await rm(file, { force: true });
      total -= size;
    }
  }

  #file(key: string): string {
    return join(this.folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
  }
}

/** A file cut off in the middle is no JSON; one from another version may be JSON of another shape, and a text that is not the one hashed is no evidence. */
function isWhole(resolution: Resolution): boolean {
  if (resolution.kind === 'page') {
    const { sentences, sections, hash } = resolution.document;
    return Array.isArray(sentences) && Array.isArray(sections) && hashOf(sentences) === hash;
  }
  return resolution.kind === 'disambiguation' && Array.isArray(resolution.senses);
}

/**
 * The same source, asked only for pages that the cache lacks. Misses are asked again: the page may have been written since.
 * @param place tells the source from all others whose pages the cache holds: its address
 */
export function cachedSource(source: KnowledgeSource, cache: DocumentCache, place: string): KnowledgeSource {
  return {
    name: source.name,
    async resolve(title, options, signal) {
      const key = [place, options.language, title.trim()].join('\n');
      const known = await cache.get(key);
      if (known && known.kind !== 'missing') return { ...known, cached: true };
      const resolution = await source.resolve(title, options, signal);
      if (resolution.kind !== 'missing') await cache.set(key, resolution);
      return resolution;
    },
  };
}
