import * as vscode from 'vscode';
import type { Llm } from '../agent/llm';
import type { FitStore } from '../llm/fit';
import { readExamples } from './examplesFile';
import { editorModel } from './models';
import type { LiveRun, RunRequest, Runs } from './runs';
import type { Keys } from './secrets';
import { readSettings, type Settings } from './settings';

/** What differs from the settings for one question. */
export interface AskOptions {
  settings?: Partial<Settings>;
  /** In place of the model that the settings name. */
  llm?: Llm;
}

/** Asks a question with the settings of this moment. A refusal is reported in the view, never thrown. */
export class Asker {
  constructor(
    private readonly runs: Runs,
    private readonly keys: Keys,
    private readonly fitStore: FitStore,
  ) {}

  /** @returns the run once it has begun; undefined when none did, and why stands in the view */
  async ask(question: string, prior?: RunRequest['prior'], chosen: AskOptions = {}): Promise<LiveRun | undefined> {
    const text = question.trim();
    if (!text) {
      this.runs.report({
        message: vscode.l10n.t('The question is empty.'),
        hint: vscode.l10n.t('Type a question, or click one of the samples.'),
      });
      return undefined;
    }
    const settings = { ...readSettings(), ...chosen.settings };
    const examples = await readExamples(settings.examplesFile);
    if ('problem' in examples) {
      this.runs.report(examples.problem);
      return undefined;
    }
    const key = settings.baseUrl ? await this.keys.get(settings.baseUrl) : undefined;
    const wikiKey = /^https?:/.test(settings.wiki) ? await this.keys.get(settings.wiki) : undefined;
    const llm = chosen.llm ?? editorModel(settings);
    return this.runs.start({
      question: text,
      settings,
      key,
      fitStore: this.fitStore,
      ...(vscode.env.remoteName ? { machine: vscode.env.remoteName } : {}),
      examples: examples.examples,
      ...(wikiKey ? { wikiHeaders: { authorization: authorization(wikiKey) } } : {}),
      ...(llm ? { llm } : {}),
      ...(prior ? { prior } : {}),
    });
  }

  /** A question typed under a finished run goes on with its conversation. */
  async askInView(question: string): Promise<boolean> {
    const { current } = this.runs;
    const ended =
      current?.state === 'ended' && current.events.some((event) => event.type === 'run-end' && event.answer);
    const prior = ended ? { kind: 'follow-up' as const, from: current.events, before: current.before } : undefined;
    return (await this.ask(question, prior)) !== undefined;
  }
}

/** `name:password` is basic authentication; anything else is a token. */
function authorization(key: string): string {
  return key.includes(':') ? `Basic ${Buffer.from(key, 'utf8').toString('base64')}` : `Bearer ${key}`;
}
