import * as vscode from 'vscode';
import { isUserError } from '../agent/errors';
import type { FitStore } from '../llm/fit';
import type { Asker } from './ask';
import type { ModelParts } from './chooseEndpoint';
import type { Claims } from './claims';
import { openTraceInEditor } from './editorTab';
import { exportTrace } from './exportTrace';
import type { History } from './history';
import * as stored from './historyCommands';
import type { Log } from './log';
import { openObserved, type SourceParts } from './openSource';
import { openTraceFile, resumePoint } from './openTrace';
import { clearPages } from './pages';
import { plain } from './plain';
import type { Runs } from './runs';
import { selectionText } from './selection';
import { SECTION } from './settings';
import { TraceView } from './traceView';
import { openTranscript } from './transcript';
import type { ViewSource } from './viewSource';
import { askSample, openWalkthrough } from './welcome';

export interface CommandParts extends ModelParts {
  fitStore: FitStore;
  /** Folder of the cached pages. */
  pages: string;
  runs: Runs;
  asker: Asker;
  claims: Claims;
  log: Log;
  view: TraceView;
  source: ViewSource;
  history: History;
  articles: SourceParts;
}

/** Loaded when first used. */
const models = () => import('./modelCommands');

/** Every command by its id (`reactAgent.` left out): one line each, its work elsewhere. */
const COMMANDS: Record<string, (parts: CommandParts, ...args: unknown[]) => unknown> = {
  askQuestion: (parts, question) => askQuestion(parts, question),
  askAboutSelection: (parts) => askAboutSelection(parts),
  askSample: async ({ asker }, question) => {
    await revealView();
    return (await askSample(asker, question))?.id;
  },
  openWalkthrough,
  focusSteps: async ({ view }) => {
    await vscode.commands.executeCommand(`${TraceView.id}.focus`);
    view.focus('steps');
  },
  stopRun: ({ runs }) => runs.stop(),
  pauseRun: ({ runs }) => runs.control('pause'),
  continueRun: ({ runs }) => runs.control('resume'),
  stepRun: ({ runs }) => runs.control('single-step'),
  answerNow: ({ runs }) => runs.control('answer-now'),
  addNote: (parts, text) => addNote(parts, text),
  retryQuestion: async ({ asker }) => {
    if (await asker.askAgain()) return;
    void vscode.window.showInformationMessage(vscode.l10n.t('No question was asked in this window yet.'));
  },
  resumeRun: (parts, note) => resumeRun(parts, note),
  newQuestion: async ({ runs, view }) => {
    runs.show(undefined);
    await revealView();
    view.focus('question');
  },
  selectModel: async (parts) => (await models()).selectModel(parts),
  testConnection: async (parts) => (await models()).testConnection(parts),
  setApiKey: async ({ keys, runs }) => (await models()).setApiKey(keys, runs),
  clearApiKey: async ({ keys }) => (await models()).clearApiKey(keys),
  setWikiKey: async ({ keys }) => (await models()).setWikiKey(keys),
  showLearnt: async ({ fitStore }) => (await models()).showLearnt(fitStore),
  clearPages: ({ pages }) => clearPages(pages),
  openTraceFile: ({ runs }, uri) => openTraceFile(runs, uri),
  openTraceInEditor: ({ runs }, uri) => openTraceInEditor(runs, uri),
  openTranscript: ({ runs }, uri) => openTranscript(runs, uri),
  exportTrace: ({ runs }, what, format, target) => exportTrace(runs, what, format, target),
  openSource: ({ runs, articles }, step, sentence) =>
    openObserved(runs.current?.events ?? [], step as number, sentence as number | undefined, articles),
  showHistory: stored.showHistory,
  searchHistory: stored.searchHistory,
  filterHistory: stored.filterHistory,
  clearHistoryFilter: stored.clearHistoryFilter,
  openRun: stored.openRun,
  openRunInEditor: stored.openRunInEditor,
  resumeStoredRun: stored.resumeStoredRun,
  renameRun: stored.renameRun,
  pinRun: (parts, run, all) => stored.pinRun(parts, true, run, all),
  unpinRun: (parts, run, all) => stored.pinRun(parts, false, run, all),
  deleteRun: stored.deleteRun,
  openSettings: () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:react-agent.react-agent'),
  showLog: ({ log }) => log.show(true),
};

export function registerCommands(parts: CommandParts): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(COMMANDS).map(([name, run]) => register(`${SECTION}.${name}`, run, parts)),
  );
}

/** No exception reaches the user raw. */
function register(
  id: string,
  run: (parts: CommandParts, ...args: unknown[]) => unknown,
  parts: CommandParts,
): vscode.Disposable {
  const { log } = parts;
  const guarded = async (...args: unknown[]) => {
    try {
      return await run(parts, ...args);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      const show = vscode.l10n.t('Show Log');
      const message = error instanceof Error ? error.message : String(error);
      const said = plain(isUserError(error) ? `${message} ${error.hint}` : message);
      void vscode.window.showErrorMessage(vscode.l10n.t('ReAct Agent: {0}', said), show).then((choice) => {
        if (choice === show) log.show(true);
      });
      return undefined;
    }
  };
  return parts.claims.take(id, () => vscode.commands.registerCommand(id, guarded));
}

async function revealView(): Promise<void> {
  await vscode.commands.executeCommand(`${TraceView.id}.focus`, { preserveFocus: true });
}

/** @returns the run's id, once it has begun */
async function askQuestion({ asker, runs }: CommandParts, given: unknown): Promise<string | undefined> {
  const question =
    typeof given === 'string'
      ? given
      : await vscode.window.showInputBox({
          title: vscode.l10n.t('Ask ReAct Agent'),
          prompt: vscode.l10n.t('A question to research. Each step appears in the ReAct Agent view.'),
          placeHolder: vscode.l10n.t('Who designed the Analytical Engine?'),
          ignoreFocusOut: true,
        });
  if (question === undefined) return undefined;
  await revealView();
  if (!question.trim()) {
    void vscode.window.showErrorMessage(
      `${vscode.l10n.t('The question is empty.')} ${vscode.l10n.t('Type a question, or click one of the samples.')}`,
    );
    return undefined;
  }
  const run = await asker.ask(question);
  if (!run && runs.running) {
    void vscode.window.showWarningMessage(
      `${vscode.l10n.t('A run is still going on.')} ${vscode.l10n.t('Stop it first, or wait for its answer.')}`,
    );
  }
  return run?.id;
}

/** Puts the selection into the question box, where all that will be sent can be seen and edited before it is sent. */
async function askAboutSelection({ source, view, runs }: CommandParts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const text = editor && selectionText(editor);
  if (!text) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing is selected. Select some text in an editor, then run the command again.'),
    );
    return;
  }
  const { text: draft } = source.draft();
  const question = draft.trim() ? draft.trimEnd() : '';
  source.setDraft({
    text: `${question}\n\n${text}`,
    selectionStart: question.length,
    selectionEnd: question.length,
    time: Date.now(),
  });
  runs.refresh();
  await vscode.commands.executeCommand(`${TraceView.id}.focus`);
  view.focus('question');
}

async function addNote({ runs }: CommandParts, given: unknown): Promise<void> {
  if (!runs.running) return;
  const text =
    typeof given === 'string'
      ? given
      : await vscode.window.showInputBox({
          title: vscode.l10n.t('Note to the agent'),
          prompt: vscode.l10n.t('It enters the run as your words at the next step.'),
        });
  if (text?.trim()) runs.control('note', text.trim());
}

/** Goes on from the last complete step of the shown run; what was paid for is not paid again. */
async function resumeRun({ runs, asker }: CommandParts, note: unknown): Promise<void> {
  const { current } = runs;
  const point = current && resumePoint(current.events);
  if (!current || runs.running || !point) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no ended run to go on with. Choose one in the history.'),
    );
    return;
  }
  const run = await asker.ask(point.question, {
    kind: 'resume',
    from: current.events,
    before: current.before,
    ...(point.step === undefined ? {} : { step: point.step }),
  });
  if (run && typeof note === 'string' && note.trim()) runs.control('note', note.trim());
}
