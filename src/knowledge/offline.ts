import type { Language } from '../agent/event';
import { type KnowledgeSource, type Resolution, SourceUnavailable } from './source';

/** A failure that took longer than `slow` is not waited for again before `again` has passed; both in milliseconds. */
const PATIENCE = { slow: 2_000, again: 60_000 };

const NOTES: Record<Language, { page: (place: string, detail: string) => string; neither: string }> = {
  en: {
    page: (place, detail) =>
      `${place} could not be reached (${detail}); this page is from the sample wiki that ships with the extension.`,
    neither: 'The sample wiki that ships with the extension has no such page either.',
  },
  'zh-CN': {
    page: (place, detail) => `无法连接 ${place}（${detail}）；以下页面来自随扩展附带的示例百科。`,
    neither: '随扩展附带的示例百科中也没有这个页面。',
  },
};

/**
 * Asks a source on the network; where that can't be reached, another one on this machine answers what it can, and the
 * observation says so. What neither has stays unavailable: a page that could not be asked for is not missing.
 */
export class OrOffline implements KnowledgeSource {
  readonly name: string;
  #lately: { error: SourceUnavailable; until: number } | undefined;

  constructor(
    readonly online: KnowledgeSource,
    readonly offline: KnowledgeSource,
    readonly patience = PATIENCE,
  ) {
    this.name = online.name;
  }

  async resolve(title: string, options: { language: Language }, signal: AbortSignal): Promise<Resolution> {
    // Behind a firewall that swallows packets each try takes many seconds: a run would spend its time on them.
    const lately = this.#lately && Date.now() < this.#lately.until ? this.#lately.error : undefined;
    const error = lately ?? (await this.#ask(title, options, signal));
    if (!(error instanceof SourceUnavailable)) return error;
    const notes = NOTES[options.language];
    const elsewhere = await this.offline.resolve(title, options, signal);
    if (elsewhere.kind === 'missing') {
      throw new SourceUnavailable(error.reason, error.place, error.detail, { cause: error, aside: notes.neither });
    }
    if (elsewhere.kind === 'disambiguation') return elsewhere;
    return {
      ...elsewhere,
      note: [notes.page(error.place, error.detail), elsewhere.note]
        .filter(Boolean)
        .join(options.language === 'en' ? ' ' : ''),
    };
  }

  async #ask(title: string, options: { language: Language }, signal: AbortSignal) {
    const began = Date.now();
    try {
      return await this.online.resolve(title, options, signal);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const now = Date.now();
      this.#lately = now - began >= this.patience.slow ? { error, until: now + this.patience.again } : undefined;
      return error;
    }
  }
}

function isUnreachable(error: unknown): error is SourceUnavailable {
  return error instanceof SourceUnavailable && (error.reason === 'network' || error.reason === 'timeout');
}
