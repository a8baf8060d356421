import * as vscode from 'vscode';
import type { RunEnd } from '../agent/event';
import { connectModel, type NextAction, nextAction, showSteps } from './nextAction';
import { plain } from './plain';
import type { Runs } from './runs';
import { readSettings } from './settings';
import type { TraceView } from './traceView';

/** Characters of an answer that a notice shows. */
const SHOWN = 160;

/**
 * One quiet notice when a run ends and nobody can see that; none otherwise.
 * @param seenElsewhere tells of a run that is read in another place than the view
 */
export function finishNotice(runs: Runs, view: TraceView, seenElsewhere: (run: string) => boolean): vscode.Disposable {
  return runs.onEvent(({ run, event }) => {
    if (event.type !== 'run-end' || event.outcome === 'cancelled') return;
    if (view.visible || seenElsewhere(run) || !readSettings().notify) return;
    const start = runs.current?.events.find(({ type }) => type === 'run-start');
    void notify(event, start?.type === 'run-start' && start.provider === 'researcher');
  });
}

/** @param byRules the built-in researcher answered: where it gives up, a model may do better */
async function notify(end: RunEnd, byRules: boolean): Promise<void> {
  const { message, next } = noticeOf(end, byRules);
  const actions = [...(next ? [next] : []), showSteps()];
  const show = end.error ? vscode.window.showErrorMessage : vscode.window.showInformationMessage;
  const chosen = await show(plain(message), ...actions.map(({ title }) => title));
  const action = actions.find(({ title }) => title === chosen);
  if (action) await vscode.commands.executeCommand(action.command);
}

function noticeOf(end: RunEnd, byRules: boolean): { message: string; next?: NextAction } {
  if (end.error) {
    const { message, hint, action } = end.error;
    return { message: `${message} ${hint}`, ...(action ? { next: nextAction(action) } : {}) };
  }
  if (end.found === false && byRules) {
    return { message: vscode.l10n.t('The built-in researcher found no answer. A model may.'), next: connectModel() };
  }
  const excerpt = (end.answer ?? '').replace(/\s+/g, ' ').slice(0, SHOWN);
  return {
    message: end.bestEffort
      ? vscode.l10n.t('ReAct Agent ended at a limit. Best answer: {0}', excerpt)
      : vscode.l10n.t('ReAct Agent answered: {0}', excerpt),
  };
}
