import * as vscode from 'vscode';
import type { Fix, Mark, TestResult } from '../llm/connectionTest';
import type { FitStore } from '../llm/fit';
import type { ModelParts } from './chooseEndpoint';
import { displayLanguage } from './displayLanguage';
import { nextAction } from './nextAction';
import { plain } from './plain';
import { isSameServer } from './sameServer';
import { readSettings, writeSetting } from './settings';

const SIGNS: Record<Mark, string> = { fine: '✓', fault: '✗', limit: '!', open: '–' };

type TestParts = ModelParts & { fitStore: FitStore };

/** The test that goes on. Another one takes its place: what was entered may have changed meanwhile. */
let testing: AbortController | undefined;

/**
 * Probes the endpoint step by step, shows each result as it comes, names the fault and offers what mends it. A test that is
 * cancelled ends in silence.
 */
export async function testConnection(parts: TestParts): Promise<void> {
  const { provider, baseUrl, model } = readSettings();
  if (provider !== 'openai' || !baseUrl) {
    const select = vscode.l10n.t('Select Model');
    const message = vscode.l10n.t('There is no endpoint to test: none is set as the one that answers.');
    if ((await vscode.window.showInformationMessage(message, select)) === select) {
      await vscode.commands.executeCommand('reactAgent.selectModel');
    }
    return;
  }
  const stopper = new AbortController();
  testing?.abort();
  testing = stopper;
  const key = await parts.keys.get(baseUrl);
  const { testConnection: probe } = await parts.loadResearch();
  const results: TestResult[] = [];
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Testing {0}', baseUrl), cancellable: true },
    async (progress, token) => {
      token.onCancellationRequested(() => stopper.abort());
      const options = {
        baseUrl,
        model,
        language: displayLanguage(),
        fitStore: parts.fitStore,
        ...(key === undefined ? {} : { key }),
        ...(vscode.env.remoteName ? { machine: vscode.env.remoteName } : {}),
      } as const;
      try {
        for await (const result of probe(options, stopper.signal)) {
          results.push(result);
          // What was entered is seen at once; the wait is for the first reply.
          const waits = result.step === 'entered' && result.mark === 'fine';
          progress.report({ message: waits ? vscode.l10n.t('waiting for the first reply…') : plain(line(result)) });
        }
      } catch (error) {
        if (!stopper.signal.aborted) throw error;
      }
    },
  );
  if (!stopper.signal.aborted) await tell(results, baseUrl, parts);
}

const line = ({ label, detail }: TestResult) => vscode.l10n.t('{0}: {1}', label, detail);

async function tell(results: readonly TestResult[], baseUrl: string, parts: TestParts): Promise<void> {
  const detail = results.map((result) => `${SIGNS[result.mark]} ${line(result)}`).join('\n');
  const fault = results.find(({ mark }) => mark === 'fault');
  const fixes = [fault, ...results.filter((result) => result !== fault)].flatMap((result) => result?.fixes ?? []);
  const offers = fixes.map((fix) => offer(fix, baseUrl, parts));
  const show = fault ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const message = fault
    ? vscode.l10n.t('The test failed at “{0}”.', fault.label)
    : vscode.l10n.t('The endpoint answers.');
  const chosen = await show(message, { modal: true, detail }, ...offers.map(({ title }) => title));
  await offers.find(({ title }) => title === chosen)?.apply();
}

interface Offer {
  title: string;
  apply: () => PromiseLike<unknown>;
}

/** A value that is taken over is tested at once: so it shows whether it helped. */
function offer(fix: Fix, baseUrl: string, parts: TestParts): Offer {
  const again = () => testConnection(parts);
  if ('baseUrl' in fix) {
    return { title: vscode.l10n.t('Use {0}', fix.baseUrl), apply: () => move(baseUrl, fix, parts).then(again) };
  }
  if ('model' in fix) {
    return {
      title: vscode.l10n.t('Use {0}', fix.model),
      apply: () => writeSetting('model.name', fix.model).then(again),
    };
  }
  if ('billing' in fix) {
    const page = vscode.Uri.parse(fix.billing);
    return { title: vscode.l10n.t('Open Billing Page'), apply: () => vscode.env.openExternal(page) };
  }
  if (fix.action === 'test-connection') return { title: vscode.l10n.t('Test Again'), apply: again };
  const { title, command } = nextAction(fix.action);
  return { title, apply: () => vscode.commands.executeCommand(command) };
}

/** The key goes along where the server stays the same. */
async function move(from: string, { baseUrl }: { baseUrl: string }, { keys }: ModelParts): Promise<void> {
  const key = isSameServer(from, baseUrl) ? await keys.get(from) : undefined;
  if (key !== undefined) await keys.set(baseUrl, key);
  await writeSetting('model.baseUrl', baseUrl);
}
