import type { ErrorAction } from '../agent/errors';
import type { FromWebview } from '../protocol';
import { element } from './dom';
import type { Words } from './words';

/** A button for the next action that an error names. */
export function errorAction(
  words: Words,
  action: ErrorAction | undefined,
  send: (message: FromWebview) => void,
  look = 'button primary',
): HTMLButtonElement | undefined {
  const labels: Record<ErrorAction, string> = {
    'set-key': words.t('Set API key'),
    'open-settings': words.t('Open settings'),
    'select-model': words.t('Select model'),
    'test-connection': words.t('Test connection'),
    'show-log': words.t('Show the log'),
    retry: words.t('Try again'),
  };
  // A trace may come from elsewhere and name what nobody knows here.
  if (action === undefined || !Object.hasOwn(labels, action)) return undefined;
  const click = () => send({ type: 'command', id: action });
  return element('button', { class: look, click }, labels[action]);
}
