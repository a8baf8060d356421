/**
 * What the first question needs and nothing before it: the loop, models, knowledge and tools. Bundled on its own and
 * loaded by `runs.ts`, so that starting VS Code stays cheap.
 */
import { join } from 'node:path';
import { runAgent } from '../agent/agent';
import type { AgentEvent, Language } from '../agent/event';
import type { AgentInput, Approve } from '../agent/input';
import { languageOf } from '../agent/language';
import type { Llm } from '../agent/llm';
import { makeToolbox, type Toolbox } from '../agent/tool';
import { openSource } from '../knowledge';
import { DocumentCache } from '../knowledge/documentCache';
import { PoliteHttp } from '../knowledge/politeness';
import type { SiteTemplate } from '../knowledge/siteTemplate';
import type { FitStore } from '../llm/fit';
import { openLlm, unusable } from '../llm/open';
import { timeoutsFor } from '../llm/openai';
import { createToolbox } from '../tools';
import { editorModel } from './models';
import type { Settings } from './settings';

export interface ResearchRequest {
  question: string;
  settings: Settings;
  /** For the endpoint in the settings. */
  key: string | undefined;
  /** The remote machine that this runs on, if any. */
  machine?: string;
  /** Authentication for the wiki that the settings name. */
  wikiHeaders?: Record<string, string>;
  /** Where the sample wiki lies, and where pages may be cached. */
  mediaFolder: string;
  cacheFolder: string;
  /** The user's own worked examples; [] for ours. */
  examples: readonly string[];
  fitStore?: FitStore;
  signal: AbortSignal;
  run: string;
  prior?: AgentInput['prior'];
  inbox: AgentInput['inbox'];
  approve?: Approve;
}

export { testConnection } from '../llm/connectionTest';
export { findLocalServers } from '../llm/localServers';
export { askForModels } from '../llm/models';
export { readSampleArticle } from './sampleArticle';

/** Shared by all runs of this window, so that a host sees at most two requests at a time. */
const http = new PoliteHttp();

/** Runs one question. Settings that can't work end the run with their message, like any other failure. */
export function research(request: ResearchRequest): AsyncGenerator<AgentEvent, void> {
  const { settings, question } = request;
  const language = languageOf(question);
  let llm = editorModel(settings) ?? makeLlm(request, language);
  let toolbox = makeToolbox([]);
  try {
    toolbox = makeTools(request, language);
  } catch (error) {
    llm = unusable(llm.provider, llm.model, error);
  }
  const prices = Object.hasOwn(settings.prices, llm.model) ? settings.prices[llm.model] : undefined;
  return runAgent({
    question,
    llm,
    toolbox,
    language,
    limits: settings.limits,
    signal: request.signal,
    protocol: settings.protocol,
    maxTokens: settings.maxTokens,
    strategies: { ...settings.strategies, ...(request.examples.length ? { examples: request.examples } : {}) },
    run: request.run,
    ...(settings.contextWindow === undefined ? {} : { contextWindow: settings.contextWindow }),
    ...(prices ? { prices } : {}),
    ...(request.prior ? { prior: request.prior } : {}),
    ...(request.inbox ? { inbox: request.inbox } : {}),
    ...(request.approve ? { approve: request.approve } : {}),
  });
}

function makeLlm({ settings, key, fitStore, machine }: ResearchRequest, language: Language): Llm {
  return openLlm(settings.provider, {
    language,
    extraBody: settings.extraBody,
    timeouts: timeoutsFor(settings.limits.stepSeconds ?? 0),
    ...(settings.baseUrl ? { baseUrl: settings.baseUrl } : {}),
    ...(settings.model ? { model: settings.model } : {}),
    ...(settings.contextWindow === undefined ? {} : { contextWindow: settings.contextWindow }),
    ...(key === undefined ? {} : { key }),
    ...(fitStore ? { fitStore } : {}),
    ...(machine ? { machine } : {}),
  });
}

function makeTools({ settings, mediaFolder, cacheFolder, wikiHeaders }: ResearchRequest, language: Language): Toolbox {
  const source = openSource(settings.wiki, {
    sampleFolder: join(mediaFolder, 'sample-wiki'),
    http,
    sites: settings.sites as Record<string, SiteTemplate>,
    cache: new DocumentCache(cacheFolder),
    language,
    ...(wikiHeaders ? { headers: wikiHeaders } : {}),
  });
  const toolbox = createToolbox({ source, fetch: { allowHosts: settings.allowHosts } });
  return makeToolbox([...toolbox.values()].filter((tool) => settings.tools[tool.name] !== false));
}
