import { join } from 'node:path';
import * as vscode from 'vscode';
import { Asker } from './host/ask';
import { ChatParticipant, PARTICIPANT } from './host/chatParticipant';
import { Claims } from './host/claims';
import { registerCommands } from './host/commands';
import { traceEditor } from './host/editorTab';
import { otlpSender } from './host/exportTraceOtlp';
import { History } from './host/history';
import { learntStore } from './host/learnt';
import { createLog } from './host/log';
import { modelStatus } from './host/modelStatus';
import { finishNotice } from './host/notice';
import { sourceDocuments } from './host/openSource';
import { restoreShownRun } from './host/restore';
import { Runs } from './host/runs';
import { Keys } from './host/secrets';
import { runStatus } from './host/statusBar';
import { TraceView } from './host/traceView';
import { transcripts } from './host/transcript';
import { viewProgress } from './host/viewProgress';
import { ViewSource } from './host/viewSource';
import { TraceFolder } from './traces/traceFolder';

/** Builds the parts and registers them. Nothing is read, asked or loaded before it is needed. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const storage = context.globalStorageUri.fsPath;
  const log = own(createLog());
  const claims = new Claims(log, context.extension.id);
  const keys = own(new Keys(context.secrets, log));
  const places = {
    media: join(context.extensionPath, 'media'),
    traces: join(storage, 'traces'),
    cache: join(storage, 'pages'),
  };
  const loadResearch = () => import('./host/research');
  const runs = own(new Runs(places, log, loadResearch));
  const fitStore = learntStore(context.globalState);
  const asker = new Asker(runs, keys, fitStore);
  const source = own(new ViewSource(runs, context.workspaceState, keys, asker));
  const view = own(new TraceView(source, context.extensionUri));
  own(claims.take(TraceView.id, () => vscode.window.registerWebviewViewProvider(TraceView.id, view)));
  const folder = new TraceFolder(places.traces);
  const history = own(new History(runs, folder));
  const articles = { media: places.media, loadResearch };
  own(
    registerCommands({
      runs,
      asker,
      keys,
      claims,
      loadResearch,
      log,
      view,
      source,
      fitStore,
      pages: places.cache,
      history,
      articles,
    }),
  );
  own(runStatus(runs));
  own(viewProgress(runs));
  own(modelStatus());
  const chat = new ChatParticipant(runs, asker);
  const icon = vscode.Uri.joinPath(context.extensionUri, 'media/icons/icon.png');
  own(claims.take(PARTICIPANT, () => chat.register(icon)));
  own(finishNotice(runs, view, (run) => chat.answers(run)));
  own(traceEditor({ runs, source, extensionUri: context.extensionUri, ...articles }));
  own(transcripts(runs));
  own(sourceDocuments(articles));
  own(otlpSender(runs, log));
  own(restoreShownRun(runs, folder, context.workspaceState));
}
