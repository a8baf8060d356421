import * as vscode from 'vscode';
import type { Asker } from './ask';
import type { LiveRun } from './runs';
import { SAMPLES } from './viewSource';

/** Settings for a first question that needs nothing: no model, no key, no network. */
export const OFFLINE = { provider: 'researcher', baseUrl: '', model: '', wiki: 'sample:' };

/** Asks a sample question with the built-in researcher over the sample wiki, whatever the settings say. */
export async function askSample(asker: Asker, given: unknown): Promise<LiveRun | undefined> {
  const question = typeof given === 'string' ? given : SAMPLES()[0];
  return question === undefined ? undefined : asker.ask(question, undefined, { settings: OFFLINE });
}

/** The walkthrough of the manifest, in VS Code's own welcome page. */
export function openWalkthrough(): Thenable<unknown> {
  return vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    'react-agent.react-agent#reactAgent.start',
    false,
  );
}
