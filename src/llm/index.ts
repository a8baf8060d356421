import type { Language } from '../agent/event';
import type { Llm } from '../agent/llm';
import type { Timeouts } from './attempt';
import type { FitStore } from './fit';
import { withLearntWindow } from './learntWindow';
import { createOpenai } from './openai';
import { createResearcher } from './researcher';
import { createScripted, type Script } from './scripted';

/** What a maker of models is handed; each takes what concerns it. */
export interface LlmCreateOptions {
  /** Language of messages for people. */
  language?: Language;
  baseUrl?: string;
  model?: string;
  key?: string;
  extraBody?: Record<string, unknown>;
  timeouts?: Partial<Timeouts>;
  fitStore?: FitStore;
  /** Tokens, where known. */
  contextWindow?: number;
  /** Where this runs, when that is not the machine that the person sits at. */
  machine?: string;
  fetch?: typeof fetch;
  script?: Script;
}

export interface Provider {
  id: string;
  label: Record<Language, string>;
  /** True for one that people are not offered. */
  internal?: true;
  create(options: LlmCreateOptions): Llm;
}

const table: Provider[] = [
  {
    id: 'researcher',
    label: { en: 'built-in researcher (rules, no model)', 'zh-CN': '内置研究员（规则，无模型）' },
    create: (options) => createResearcher(options.language),
  },
  {
    id: 'openai',
    label: { en: 'OpenAI-compatible endpoint', 'zh-CN': '兼容 OpenAI 的服务' },
    create: (options) => {
      const endpoint = { ...options, baseUrl: options.baseUrl ?? '', model: options.model ?? '' };
      const llm = createOpenai(endpoint);
      return options.contextWindow === undefined ? withLearntWindow(llm, endpoint) : llm;
    },
  },
  {
    id: 'scripted',
    label: { en: 'Scripted replies', 'zh-CN': '预设回复' },
    internal: true,
    create: (options) => createScripted(options.script ?? [], options.model),
  },
];

/** Every maker of models, by id. A new one is a file and a line above. */
export const providers: ReadonlyMap<string, Provider> = new Map(table.map((provider) => [provider.id, provider]));
