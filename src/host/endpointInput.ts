import * as vscode from 'vscode';
import { validateEndpoint } from '../llm/endpoint';

/** Asks for a base URL and checks it while it is typed. */
export async function askForEndpoint(value: string): Promise<string | undefined> {
  const entered = await vscode.window.showInputBox({
    title: vscode.l10n.t('Base URL of the endpoint'),
    prompt: vscode.l10n.t('For instance https://api.openai.com/v1 or http://127.0.0.1:11434/v1'),
    value,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const problem = validateEndpoint({ baseUrl: text.trim(), model: 'any' }).find(({ field }) => field === 'baseUrl');
      if (!problem) return undefined;
      const severity =
        problem.severity === 'error'
          ? vscode.InputBoxValidationSeverity.Error
          : vscode.InputBoxValidationSeverity.Warning;
      return { message: `${problem.message} ${problem.hint}`, severity };
    },
  });
  return entered?.trim();
}

/** Asks for a model: from the endpoint's list where it has one, else by name. */
export async function askForModel(baseUrl: string, models: readonly string[]): Promise<string | undefined> {
  const title = vscode.l10n.t('Model at {0}', baseUrl);
  if (models.length > 0) return vscode.window.showQuickPick(models, { title });
  const entered = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('The endpoint lists no models: enter a name as its documentation gives it.'),
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() ? undefined : vscode.l10n.t('A name is needed.')),
  });
  return entered?.trim();
}
