import * as vscode from 'vscode';
import type { RunEnd, TraceEvent } from '../agent/event';
import type { FitStore } from '../llm/fit';
import { readExamples } from './examplesFile';
import type { LiveRun, RunRequest, Runs } from './runs';
import type { Keys } from './secrets';
import { readSettings, type Settings } from './settings';

/** What differs from the settings for one question. */
export interface AskOptions {
  settings?: Partial<Settings>;
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
    return this.runs.start({
      question: text,
      settings,
      key,
      fitStore: this.fitStore,
      ...(vscode.env.remoteName ? { machine: vscode.env.remoteName } : {}),
      examples: examples.examples,
      ...(wikiKey ? { wikiHeaders: { authorization: authorization(wikiKey) } } : {}),
      ...(prior ? { prior } : {}),
    });
  }

  /** A question typed under a finished run goes on with its conversation. */
  async askInView(question: string): Promise<boolean> {
    return (await this.ask(question, followUp(this.conversation()))) !== undefined;
  }

  /**
   * The answered runs, oldest first, that a question typed in the view follows. None where somebody else answers now:
   * what one endpoint was asked is not told to another.
   */
  conversation(): TraceEvent[][] {
    const { current } = this.runs;
    return current && answersStill(current, readSettings()) ? saidSoFar(current) : [];
  }

  /** There are such runs, but another endpoint was asked. */
  withholds(): boolean {
    const { current } = this.runs;
    return current !== undefined && !answersStill(current, readSettings()) && saidSoFar(current).length > 0;
  }

  /** Asks the shown run's question once more, in the conversation that it was asked in. */
  async askAgain(): Promise<LiveRun | undefined> {
    const { current } = this.runs;
    const start = current?.events.find((event) => event.type === 'run-start');
    return start && this.ask(start.question, followUp(current?.before ?? []));
  }
}

/** What stands in place of an answer that could not be written is none. */
const isAnswer = ({ answer, error, bestEffort, support }: RunEnd) =>
  Boolean(answer) && !error && !(bestEffort && !support?.length);

/** The answered runs of a conversation, oldest first. */
function saidSoFar(run: LiveRun): TraceEvent[][] {
  const answered = run.state === 'ended' && run.events.some((event) => event.type === 'run-end' && isAnswer(event));
  // A question that failed or was stopped is passed over; what was said before it still counts.
  return [...run.before, ...(answered ? [run.events] : [])];
}

/** The same provider and endpoint; of a run read from its file only the provider and the model are known. */
function answersStill(run: LiveRun, settings: Settings): boolean {
  const start = run.events.find((event) => event.type === 'run-start');
  if (start?.provider !== settings.provider) return false;
  return run.baseUrl === undefined
    ? start.model === settings.model || settings.provider === 'researcher'
    : run.baseUrl === settings.baseUrl;
}

/** @param conversation earlier runs, oldest first */
function followUp(conversation: TraceEvent[][]): RunRequest['prior'] {
  const from = conversation.at(-1);
  return from && { kind: 'follow-up', from, before: conversation.slice(0, -1) };
}

/** `name:password` is basic authentication; anything else is a token. */
function authorization(key: string): string {
  return key.includes(':') ? `Basic ${Buffer.from(key, 'utf8').toString('base64')}` : `Bearer ${key}`;
}
