import type { Language } from '../agent/event';
import type { KnowledgeSource, Resolution } from './source';

const FALLBACK_NOTES: Record<Language, (first: string, other: string) => string> = {
  en: (first, other) => `Not found in ${first}; this page is from ${other}.`,
  'zh-CN': (first, other) => `${first}中没有找到；以下页面来自${other}。`,
};

/** Asks the source in the run's language first; what it lacks may be in the next, and the observation says so. */
export class ByLanguage implements KnowledgeSource {
  constructor(
    readonly name: string,
    readonly sources: Record<Language, readonly KnowledgeSource[]>,
  ) {}

  async resolve(title: string, options: { language: Language }, signal: AbortSignal): Promise<Resolution> {
    const [first, ...others] = this.sources[options.language];
    const resolution = await first!.resolve(title, options, signal);
    if (resolution.kind !== 'missing') return resolution;
    const missing = { ...resolution, similar: [...resolution.similar] };
    for (const other of others) {
      const elsewhere = await other.resolve(title, options, signal);
      if (elsewhere.kind === 'page') {
        const notes = [FALLBACK_NOTES[options.language](first!.name, other.name), elsewhere.note];
        return { ...elsewhere, note: notes.filter(Boolean).join(options.language === 'en' ? ' ' : '') };
      }
      if (elsewhere.kind === 'disambiguation') return elsewhere;
      missing.similar.push(...elsewhere.similar);
      missing.suggestion ??= elsewhere.suggestion;
    }
    return missing;
  }
}
