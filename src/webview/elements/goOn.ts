import type { Context } from '../context';
import { element } from '../dom';

/** What can be done about a limit: more steps, a hint for the model, or leaving it at that. */
export function goOn({ words, send }: Context): HTMLElement {
  const hint = element('textarea', {
    attributes: { rows: '2', dir: 'auto', 'aria-label': words.t('Hint for the model') },
  });
  const sendHint = element('button', {
    class: 'button primary',
    click: () => {
      if (hint.value.trim() !== '') send({ type: 'resume-run', note: hint.value.trim() });
    },
  });
  sendHint.append(words.t('Go on with this hint'));
  const form = element('div', { class: 'hint' }, hint, sendHint);
  form.hidden = true;
  const buttons = element('div', { class: 'buttons' });
  const button = (label: string, kind: string, click: () => void) =>
    buttons.append(element('button', { class: kind, click }, label));
  button(words.t('More steps'), 'button primary', () => send({ type: 'more-steps' }));
  button(words.t('Give a hint'), 'button', () => {
    form.hidden = false;
    hint.focus();
  });
  const whole = element('div', { class: 'go-on' }, buttons, form);
  button(words.t('Leave it'), 'button', () => {
    whole.closest<HTMLElement>('.answer')?.setAttribute('tabindex', '-1');
    whole.closest<HTMLElement>('.answer')?.focus();
    whole.remove();
  });
  return whole;
}
