import * as vscode from 'vscode';
import type { LimitValues, Prices, Protocol } from '../agent/event';
import type { Strategies } from '../agent/strategies';

/** The settings of one moment, typed. Endpoints come from the user's own settings alone while the workspace isn't trusted. */
export interface Settings {
  provider: string;
  baseUrl: string;
  model: string;
  protocol: Protocol | 'auto';
  maxTokens: number;
  contextWindow: number | undefined;
  /** Sent with every request to the endpoint. */
  extraBody: Record<string, unknown>;
  prices: Record<string, Prices>;
  wiki: string;
  sites: Record<string, unknown>;
  allowHosts: string[];
  tools: Record<string, boolean>;
  limits: LimitValues;
  strategies: Strategies;
  examplesFile: string;
  sendWith: 'enter' | 'ctrlEnter';
  notify: boolean;
  traceMegabytes: number;
}

export const SECTION = 'reactAgent';

export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  // VS Code hands out what stands in the file, of whatever type.
  const get = <T>(key: string, otherwise: T): T => {
    const value = configuration.get<T>(key) ?? otherwise;
    return typeof value === typeof otherwise && Array.isArray(value) === Array.isArray(otherwise) ? value : otherwise;
  };
  const budget = (key: string) => {
    const value = get<number>(key, 0);
    return value > 0 ? value : undefined;
  };
  const tokens = budget('limits.tokens');
  const cost = budget('limits.cost');
  return {
    provider: get('model.provider', 'researcher'),
    baseUrl: get('model.baseUrl', '').trim(),
    model: get('model.name', '').trim(),
    protocol: get('model.protocol', 'auto'),
    maxTokens: get('model.maxTokens', 1024),
    contextWindow: budget('model.contextWindow'),
    extraBody: get('model.extraBody', {}),
    prices: get('model.prices', {}),
    wiki: get('knowledge.wiki', 'auto'),
    sites: get('knowledge.sites', {}),
    allowHosts: get('knowledge.allowHosts', []),
    tools: get('tools', {}),
    limits: {
      steps: get('limits.steps', 8),
      seconds: get('limits.seconds', 300),
      stepSeconds: get('limits.stepSeconds', 90),
      ...(tokens === undefined ? {} : { tokens }),
      ...(cost === undefined ? {} : { cost }),
    },
    strategies: {
      plan: get('strategies.plan', false),
      reflect: get('strategies.reflect', false),
      direct: get('strategies.direct', false),
      selfConsistency: get('strategies.selfConsistency', 0),
      instructions: get('instructions', ''),
    },
    examplesFile: get('examplesFile', ''),
    sendWith: get('view.sendWith', 'enter'),
    notify: get('view.notifyWhenDone', true),
    traceMegabytes: get('traces.maximumSize', 500),
  };
}

/** Writes to the user's own settings, where endpoints belong. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}
