import type { Context } from '../context';
import { element } from '../dom';

/**
 * What can be done about a limit: its grant once more, a hint for the model, or leaving it at that. The buttons, and the
 * form that the hint goes into.
 */
export function goOn({ words, send, focusQuestion, model }: Context): { buttons: HTMLElement[]; form: HTMLElement } {
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
  const more = element('button', { class: 'button primary', click: () => send({ type: 'more-steps' }) });
  const acted = model.outlines.filter(({ tool }) => tool !== undefined).length;
  const bySteps = acted >= (model.trace.start?.limits.steps ?? 0);
  more.append(bySteps ? words.t('More steps') : words.t('Go on'));
  more.title = words.t('Steps, time and budget are granted once more, on top of what was used.');
  const give = element('button', { class: 'button', attributes: { 'aria-expanded': 'false' } }, words.t('Give a hint'));
  give.addEventListener('click', () => {
    form.hidden = !form.hidden;
    give.setAttribute('aria-expanded', String(!form.hidden));
    if (!form.hidden) hint.focus();
  });
  const leave = element('button', { class: 'button' }, words.t('Leave it'));
  leave.addEventListener('click', () => {
    for (const gone of [more, give, leave, form]) gone.remove();
    focusQuestion();
  });
  return { buttons: [more, give, leave], form };
}
