import * as vscode from 'vscode';
import { type EndpointProblem, isPrivateHost, validateEndpoint, withScheme } from '../llm/endpoint';
import type { ModelList } from '../llm/models';
import { displayLanguage } from './displayLanguage';

/** Asks for a base URL and checks it while it is typed; a scheme that was left out is added. */
export async function askForEndpoint(value: string): Promise<string | undefined> {
  const entered = await vscode.window.showInputBox({
    title: vscode.l10n.t('Base URL of the endpoint'),
    prompt: vscode.l10n.t('For instance https://api.openai.com/v1 or http://127.0.0.1:11434/v1'),
    value,
    ignoreFocusOut: true,
    validateInput: (text) => shown(problemsOf(withScheme(text), '').find(({ field }) => field === 'baseUrl')),
  });
  return entered === undefined ? undefined : withScheme(entered);
}

/**
 * Asks for an endpoint's key and checks it while it is typed, also for being sent without encryption. Undefined when that
 * was left; '' for none, where there may be none.
 */
export async function askForEndpointKey(
  baseUrl: string,
  prompt: string,
  required: boolean,
): Promise<string | undefined> {
  const entered = await vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', baseUrl),
    prompt,
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const key = value.trim();
      if (!key && required) return vscode.l10n.t('The key is empty.');
      return key ? shown(problemsOf(baseUrl, key)[0]) : undefined;
    },
  });
  return entered?.trim();
}

/** What is wrong with an endpoint and a key before any model is chosen, errors first. */
export function problemsOf(baseUrl: string, key: string): EndpointProblem[] {
  return validateEndpoint({ baseUrl, key }, displayLanguage(), false);
}

function shown(problem: EndpointProblem | undefined): vscode.InputBoxValidationMessage | undefined {
  if (!problem) return undefined;
  const severities = vscode.InputBoxValidationSeverity;
  return {
    message: `${problem.message} ${problem.hint}`,
    severity: problem.severity === 'error' ? severities.Error : severities.Warning,
  };
}

/**
 * Asks whether a key may be sent though something speaks against it: in a dialog, which shows all of that. Enter alone sends
 * nothing. Undefined when that was left.
 */
export async function askToSend(
  baseUrl: string,
  { message, hint }: EndpointProblem,
): Promise<'correct' | 'send' | undefined> {
  const correct = vscode.l10n.t('Correct the Address');
  const send = vscode.l10n.t('Send the Key');
  const options = { modal: true, detail: `${vscode.l10n.t('API key for {0}', baseUrl)}\n\n${hint}` };
  const chosen = await vscode.window.showWarningMessage(message, options, correct, send);
  return chosen === undefined ? undefined : chosen === send ? 'send' : 'correct';
}

/**
 * Asks what to do about an endpoint that does not answer. Undefined when that was left.
 * @param tries how often it was asked: a try that fails at once must be seen to have been made
 */
export async function askForSilent(baseUrl: string, tries: number): Promise<'again' | 'name' | undefined> {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const placeHolder = isPrivateHost(host)
    ? vscode.l10n.t('Nothing answers at {0}. Start the server, then choose it again.', baseUrl)
    : vscode.l10n.t('Nothing answers at {0}. Check the address and the network, then try again.', baseUrl);
  const again = { label: vscode.l10n.t('Try Again'), does: 'again' as const };
  const items = [
    tries > 1 ? { ...again, description: vscode.l10n.t('tried {0} times', tries) } : again,
    { label: vscode.l10n.t('Enter a model’s name…'), does: 'name' as const },
  ];
  const title = vscode.l10n.t('Model at {0}', baseUrl);
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.does;
}

/** Asks for a model by name, and says why there is no list to choose from. */
export async function askForModelName(title: string, { kind }: ModelList): Promise<string | undefined> {
  const causes: Record<ModelList['kind'], string> = {
    listed: vscode.l10n.t('The endpoint lists no models: enter a name as its documentation gives it.'),
    locked: vscode.l10n.t('The endpoint shows its list with a key only: enter a name as its documentation gives it.'),
    unlisted: vscode.l10n.t(
      'The endpoint answers without a list of models: enter a name as its documentation gives it.',
    ),
    silent: vscode.l10n.t('The endpoint does not answer now: enter a name as its documentation gives it.'),
  };
  const entered = await vscode.window.showInputBox({
    title,
    prompt: causes[kind],
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() ? undefined : vscode.l10n.t('A name is needed.')),
  });
  return entered?.trim();
}
