import * as vscode from 'vscode';
import type { FitStore } from '../llm/fit';
import { plain } from './plain';
import type { ModelParts } from './selectModel';
import { readSettings, writeSetting } from './settings';

type Fix = { baseUrl?: string; model?: string; setKey?: true };

/** Probes the endpoint step by step, shows each result as it comes, names the fault and offers what mends it. */
export async function testConnection(parts: ModelParts & { fitStore: FitStore }): Promise<void> {
  const { provider, baseUrl, model } = readSettings();
  if (provider !== 'openai' || !baseUrl) {
    const select = vscode.l10n.t('Select Model');
    const message = vscode.l10n.t('There is no endpoint to test: none is set as the one that answers.');
    if ((await vscode.window.showInformationMessage(message, select)) === select) {
      await vscode.commands.executeCommand('reactAgent.selectModel');
    }
    return;
  }
  const key = await parts.keys.get(baseUrl);
  const { testConnection: probe } = await parts.loadResearch();
  const lines: string[] = [];
  let fault: { text: string; fix?: Fix } | undefined;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Testing {0}', baseUrl), cancellable: true },
    async (progress, token) => {
      const stopper = new AbortController();
      token.onCancellationRequested(() => stopper.abort());
      const language = vscode.env.language.startsWith('zh') ? 'zh-CN' : 'en';
      const options = {
        baseUrl,
        model,
        language,
        fitStore: parts.fitStore,
        ...(key === undefined ? {} : { key }),
        ...(vscode.env.remoteName ? { machine: vscode.env.remoteName } : {}),
      } as const;
      try {
        for await (const result of probe(options, stopper.signal)) {
          const text = vscode.l10n.t('{0}: {1}', result.label, result.detail);
          lines.push(`${result.ok ? '✓' : '✗'} ${text}`);
          progress.report({ message: plain(text) });
          if (!result.ok && (result.fix || BASIC.has(result.step)))
            fault ??= { text, ...(result.fix ? { fix: result.fix } : {}) };
        }
      } catch (error) {
        if (!stopper.signal.aborted) throw error;
      }
    },
  );
  await tell(lines, fault);
}

/** Steps without which no question can be answered; the others are limitations. */
const BASIC: ReadonlySet<string> = new Set(['entered', 'name', 'port', 'tls', 'path', 'key', 'model', 'completion']);

async function tell(lines: readonly string[], fault: { text: string; fix?: Fix } | undefined): Promise<void> {
  if (lines.length === 0) return;
  const detail = lines.join('\n');
  if (!fault) {
    await vscode.window.showInformationMessage(vscode.l10n.t('The endpoint answers.'), { modal: true, detail });
    return;
  }
  const mend = fault.fix && offer(fault.fix);
  const choice = await vscode.window.showWarningMessage(
    fault.text,
    { modal: true, detail },
    ...(mend ? [mend.label] : []),
  );
  if (mend && choice === mend.label) await mend.apply();
}

function offer({ baseUrl, model, setKey }: Fix): { label: string; apply: () => PromiseLike<unknown> } | undefined {
  if (baseUrl) return { label: vscode.l10n.t('Use {0}', baseUrl), apply: () => writeSetting('model.baseUrl', baseUrl) };
  if (model) return { label: vscode.l10n.t('Use {0}', model), apply: () => writeSetting('model.name', model) };
  if (setKey) {
    return { label: vscode.l10n.t('Set API Key'), apply: () => vscode.commands.executeCommand('reactAgent.setApiKey') };
  }
  return undefined;
}
