import * as vscode from 'vscode';
import { exportSettings, exportText, patternProblem } from './exportTrace';
import type { Log } from './log';
import { plain } from './plain';
import type { Runs } from './runs';

/** A collector that does not answer must not be waited for. In milliseconds. */
const PATIENCE = 10_000;
const PATH = '/v1/traces';

/** Sends each run that ends to the collector that the settings name; none is named at first. A failure is told once. */
export function otlpSender(runs: Runs, log: Log): vscode.Disposable {
  let told = false;
  return runs.onEvent(({ event }) => {
    if (event.type !== 'run-end') return;
    const endpoint = collectorAddress(exportSettings().otlpEndpoint);
    const events = runs.current?.events;
    if (endpoint === undefined || !events) return;
    void send(endpoint, events).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
      const why = patternProblem(error) ?? `${(error as Error).message}${cause}`;
      // Without credentials or parameters that may stand in the address.
      const { origin } = new URL(endpoint);
      log.error(`OTLP: ${origin}: ${why}`);
      if (told) return;
      told = true;
      const show = vscode.l10n.t('Show Log');
      const settings = vscode.l10n.t('Open Settings');
      const message = vscode.l10n.t('The trace could not be sent to {0}: {1}', origin, why);
      void vscode.window.showWarningMessage(plain(message), settings, show).then((choice) => {
        if (choice === show) log.show(true);
        if (choice === settings) {
          void vscode.commands.executeCommand('workbench.action.openSettings', 'reactAgent.export.otlpEndpoint');
        }
      });
    });
  });
}

/** A collector's base address gets the path that OTLP/HTTP names; an address with a path of its own is taken as it is. */
export function collectorAddress(setting: string): string | undefined {
  if (!/^https?:\/\//i.test(setting) || !URL.canParse(setting)) return undefined;
  const url = new URL(setting);
  if (url.pathname === '/') url.pathname = PATH;
  return url.href;
}

async function send(endpoint: string, events: Parameters<typeof exportText>[1]): Promise<void> {
  // A name and password become a header: `fetch` refuses an address with them, in an error that quotes it.
  const url = new URL(endpoint);
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  // VS Code's own fetch: it knows the proxy and the certificates that the user has set.
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(login === ':' ? {} : { authorization: `Basic ${Buffer.from(login, 'utf8').toString('base64')}` }),
    },
    body: await exportText('otlp', events),
    // What was read and written goes to the collector that the user named, and nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`HTTP ${response.status} ${text.slice(0, 200)}`);
}
