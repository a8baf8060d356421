import type { Citation } from '../agent/citations';
import type { Step, Trace } from '../agent/trace';
import { withoutFence } from '../agent/untrusted';
import { answerHtml } from './answerHtml';
import type { Exporter, ExportOptions } from './exporter';
import { STYLE } from './htmlStyle';
import {
  actionText,
  claimsOf,
  durationText,
  factsOf,
  sourcesOf,
  statusText,
  timesOf,
  verdictOf,
  visible,
  webAddress,
} from './parts';

export const escapeHtml = (text: string) =>
  visible(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Someone else's text: as written, in its own direction. */
const prose = (text: string, more = '') => `<p class="prose${more}" dir="auto">${escapeHtml(text)}</p>`;

function link(title: string, url: string): string {
  const address = webAddress(url);
  const name = `<bdi>${escapeHtml(title || url)}</bdi>`;
  return address === undefined ? name : `<a href="${escapeHtml(address)}" rel="noopener noreferrer">${name}</a>`;
}

/** Model and tool time of each step, to scale; decoration beside the times in the steps. */
function timeline(trace: Trace): string {
  const parts = trace.steps.flatMap(({ reply, observation }) => [
    { kind: 'model', ms: reply?.ms ?? 0 },
    { kind: 'tool', ms: observation?.blocked ? 0 : (observation?.ms ?? 0) },
  ]);
  const whole = parts.reduce((sum, { ms }) => sum + Math.max(0, ms), 0);
  if (whole === 0) return '';
  const bars = parts
    .filter(({ ms }) => ms > 0)
    .map(({ kind, ms }) => `<i class="${kind}" style="flex-grow:${Math.max(1, Math.round((ms / whole) * 1000))}"></i>`);
  return `<div class="bar" aria-hidden="true">${bars.join('')}</div>`;
}

function header(trace: Trace, options: ExportOptions): string {
  const [, ...facts] = factsOf(trace, options);
  const sign = trace.end?.outcome ?? 'interrupted';
  const pieces = facts.map((fact) => `<li><bdi>${escapeHtml(fact)}</bdi></li>`).join('');
  return `<header>
<h1 class="prose" dir="auto">${escapeHtml(trace.start?.question.trim() || options.t('Question'))}</h1>
<ul class="facts"><li class="status ${sign}">${escapeHtml(statusText(trace, options))}</li>${pieces}</ul>
${timeline(trace)}</header>`;
}

function citation({ number, step, sentence, title, url, text }: Citation, { t }: ExportOptions): string {
  const said = text ? ` — <q><bdi>${escapeHtml(text)}</bdi></q>` : '';
  const where = escapeHtml(t(', sentence {0}', sentence + 1));
  return `<li id="source-${number}" dir="auto">[${number}] ${link(title, url)}${where}${said} <a href="#step-${step}">${escapeHtml(t('Step {0}', step))}</a></li>`;
}

function sources(trace: Trace, options: ExportOptions): string {
  const { cited, others } = sourcesOf(trace);
  if (cited.length + others.length === 0) return '';
  const { t } = options;
  const first = cited.map((one) => citation(one, options)).join('\n');
  const rest = others.map(({ title, url }) => `<li dir="auto">${link(title, url)}</li>`).join('\n');
  return `<section aria-labelledby="sources"><h2 id="sources">${escapeHtml(t('Sources'))}</h2>
${first ? `<ul class="sources">\n${first}\n</ul>` : ''}
${first && rest ? `<p class="muted">${escapeHtml(t('Also read:'))}</p>` : ''}
${rest ? `<ul class="sources">\n${rest}\n</ul>` : ''}</section>`;
}

function answer(trace: Trace, options: ExportOptions): string {
  const { t } = options;
  const { end } = trace;
  const title =
    end?.answer !== undefined && !end.error ? t('Answer') : end ? t('How the run ended') : statusText(trace, options);
  const parts: string[] = [];
  if (!end && !options.running) parts.push(prose(t('The run was cut off before its end.')));
  if (!end && options.running) parts.push(prose(t('This run is still going on.')));
  if (end?.error) parts.push(prose(end.error.message), prose(end.error.hint, ' muted'));
  if (end?.answer !== undefined) {
    const claims = claimsOf(trace);
    if (end.bestEffort) parts.push(prose(t('Best effort, written from what was gathered so far:'), ' muted'));
    parts.push(answerHtml(end.answer, claims, options));
    const verdict = verdictOf(claims, options);
    if (verdict) parts.push(prose(verdict, ' muted'));
  }
  return `<section class="answer" aria-labelledby="answer"><h2 id="answer">${escapeHtml(title)}</h2>\n${parts.join('\n')}</section>`;
}

function step(one: Step, options: ExportOptions): string {
  const { t } = options;
  const { action, observation } = one;
  const parts: string[] = [];
  const labelled = (label: string, content: string) =>
    `<div class="part"><h4>${escapeHtml(label)}</h4>${content}</div>`;
  if (one.reasoning) {
    parts.push(`<details><summary>${escapeHtml(t('Reasoning'))}</summary>${prose(one.reasoning, ' muted')}</details>`);
  }
  if (one.thought) parts.push(labelled(t('Thought'), prose(one.thought)));
  if (action && action.tool !== 'Finish') {
    parts.push(labelled(t('Action'), `<p class="action"><code dir="ltr">${escapeHtml(actionText(one))}</code></p>`));
  }
  for (const { text } of one.notices) parts.push(`<p class="notice prose" dir="auto">${escapeHtml(text)}</p>`);
  for (const { text } of one.controls) if (text) parts.push(labelled(t('Note'), prose(text)));
  if (observation) {
    const { document } = observation;
    const text = withoutFence(observation.text);
    const source = document ? `<p class="muted">${link(document.title, document.url)}</p>` : '';
    const long = text.length > 1200;
    const body = long
      ? `<details><summary>${escapeHtml(t('{0} characters', text.length))}</summary>${prose(text)}</details>`
      : prose(text);
    parts.push(
      labelled(t('Observation'), `<div class="observation${observation.ok ? '' : ' missed'}">${source}${body}</div>`),
    );
  }
  const times = timesOf(one, options);
  const tool = action ? ` · <bdi>${escapeHtml(action.tool)}</bdi>` : '';
  return `<section class="step" id="step-${one.step}" aria-labelledby="step-${one.step}-title">
<h3 id="step-${one.step}-title">${escapeHtml(t('Step {0}', one.step))}${tool}${times ? ` <span class="times">${escapeHtml(times)}</span>` : ''}</h3>
${parts.join('\n')}</section>`;
}

/** One file with nothing in it that runs or loads anything; reads well in both themes, offline, and without eyes. */
export const html: Exporter = {
  id: 'html',
  label: 'HTML',
  extension: '.html',
  write(trace, options) {
    const { t, language } = options;
    const question = trace.start?.question.replace(/\s+/g, ' ').trim().slice(0, 120) ?? '';
    const steps = trace.steps.map((one) => step(one, options)).join('\n');
    const took = trace.end ? durationText(trace.end.ms, options) : '';
    return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(question || t('ReAct trace'))}</title>
<style>${STYLE}</style>
</head>
<body>
${header(trace, options)}
<main>
${answer(trace, options)}
${sources(trace, options)}
${steps ? `<section aria-labelledby="steps"><h2 id="steps">${escapeHtml(t('Steps'))}${took ? ` <span class="times">${escapeHtml(took)}</span>` : ''}</h2>\n${steps}</section>` : ''}
</main>
</body>
</html>
`;
  },
};
