import * as vscode from 'vscode';
import type { AgentEvent } from '../agent/event';
import type { Runs } from './runs';

/** Shows a run while it goes on: its step, and Stop on click; Go on where it waits. Nothing is there, and nothing ticks, otherwise. */
export function runStatus(runs: Runs): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('reactAgent.run', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('ReAct Agent run');
  let run: string | undefined;
  let now = BEGINNING;
  const update = ({ step, waits }: Progress) => {
    const text = waits ? vscode.l10n.t('ReAct paused · Go on') : vscode.l10n.t('ReAct step {0} · Stop', step);
    item.text = `$(${waits ? 'debug-continue' : 'debug-stop'}) ${text}`;
    item.accessibilityInformation = { label: text, role: 'button' };
    item.command = waits ? 'reactAgent.continueRun' : 'reactAgent.stopRun';
    item.tooltip = waits ? vscode.l10n.t('Paused. Go on, or add a note for the model.') : vscode.l10n.t('Stop the run');
  };
  const subscriptions = [
    runs.onDidChangeRun(() => {
      void vscode.commands.executeCommand('setContext', 'reactAgent.running', runs.running);
      void vscode.commands.executeCommand('setContext', 'reactAgent.shown', runs.current !== undefined);
      if (!runs.running) return item.hide();
      void vscode.commands.executeCommand('setContext', 'reactAgent.asked', true); // ticks the walkthrough
      if (run !== runs.current?.id) now = BEGINNING;
      run = runs.current?.id;
      update(now);
      item.show();
    }),
    runs.onEvent(({ event }) => {
      if (event.type === 'run-end') {
        void vscode.commands.executeCommand('setContext', 'reactAgent.running', false);
        item.hide();
        return;
      }
      const before = now;
      now = advance(now, event);
      // Not at each piece of live text.
      if (now.step !== before.step || now.waits !== before.waits) update(now);
    }),
  ];
  return vscode.Disposable.from(item, ...subscriptions);
}

interface Progress {
  step: number;
  /** It waits for the person after each step, until it is told to go on. */
  held: boolean;
  /** It waits for the person now. */
  waits: boolean;
}
const BEGINNING: Progress = { step: 1, held: false, waits: false };

/** A control is told when it takes effect, between steps; a single step ends with what it observes. */
function advance(now: Progress, event: AgentEvent): Progress {
  if (!('step' in event)) return now;
  const { step } = event;
  if (event.type === 'observation') return { ...now, step, waits: now.held };
  if (event.type !== 'control') return { ...now, step };
  switch (event.action) {
    case 'pause':
      return { step, held: true, waits: true };
    case 'single-step':
      return { step, held: true, waits: false };
    case 'resume':
    case 'answer-now':
      return { step, held: false, waits: false };
    default:
      return { ...now, step };
  }
}
