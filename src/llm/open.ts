import { UserError } from '../agent/errors';
import type { Language } from '../agent/event';
import type { Llm } from '../agent/llm';
import { type LlmCreateOptions, providers } from './index';

const WORDS: Record<Language, { unknown: (id: string) => string; hint: (ids: string) => string }> = {
  en: { unknown: (id) => `There is no model provider “${id}”.`, hint: (ids) => `Choose one of: ${ids}.` },
  'zh-CN': { unknown: (id) => `没有名为“${id}”的模型提供方。`, hint: (ids) => `请选择其中之一：${ids}。` },
};

/**
 * Stands in for a model that can't even be made (bad address, unknown provider), so that such a run, too, is told and ends
 * like any other: with its error.
 */
export function unusable(provider: string, model: string, error: unknown): Llm {
  return {
    provider,
    model,
    // biome-ignore lint/correctness/useYield: it fails before it could say anything
    async *stream() {
      throw error;
    },
  };
}

/** Makes a model by its provider's id. Never throws: what can't be made fails when it is first asked. */
export function openLlm(id: string, options: LlmCreateOptions): Llm {
  const words = WORDS[options.language ?? 'en'];
  try {
    const provider = providers.get(id);
    if (provider) return provider.create(options);
    const offered = [...providers.values()].filter(({ internal }) => !internal).map((each) => each.id);
    throw new UserError(words.unknown(id), words.hint(offered.join(', ')), 'select-model');
  } catch (error) {
    return unusable(id, options.model ?? '', error);
  }
}
