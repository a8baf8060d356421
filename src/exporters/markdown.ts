import type { Step, Trace } from '../agent/trace';
import { withoutFence } from '../agent/untrusted';
import type { Exporter, ExportOptions } from './exporter';
import { actionText, claimsOf, factsOf, sourcesOf, timesOf, verdictOf, visible, webAddress } from './parts';

/** How a text that is no Markdown is put into the document. */
type Put = (text: string) => string;

/** Marks that would be read as Markdown or HTML, wherever they stand and at the beginning of a line. */
const ANYWHERE = /[\\`*_[\]<&~$|]/g;
const LINE_START = /^(\s*)(?:([#>]|[+=-](?=[\s=-]|$))|(\d{1,9})([.)])(?=\s|$))/gm;

/** Text that is no Markdown, so that a reader of Markdown shows it as it was written. */
const escapeText: Put = (text) =>
  visible(text)
    .replace(ANYWHERE, '\\$&')
    .replace(LINE_START, (_, space: string, mark?: string, number?: string, end?: string) =>
      mark ? `${space}\\${mark}` : `${space}${number}\\${end}`,
    );

/** For reading as plain text. */
const asWritten: Put = (text) => visible(text);

const quote = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** On one line: what stands in a heading or in a list must not begin a line of its own. */
const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

/** A code span that may hold backticks. */
function codeSpan(text: string): string {
  const line = flat(visible(text));
  const fence = '`'.repeat(1 + Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)));
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/**
 * An answer is Markdown already. Outside of code its HTML is shown as it was written, its images are not loaded, only web
 * addresses are linked, its headings go below ours, and a fence that was never closed is closed.
 */
export function tameMarkdown(answer: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of visible(answer).split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const [, run = '', info = ''] = mark ?? [];
    if (fence !== undefined) {
      if (mark && run[0] === fence[0] && run.length >= fence.length && info.trim() === '') fence = undefined;
      lines.push(line);
    } else if (mark && !(run[0] === '`' && info.includes('`'))) {
      fence = run;
      lines.push(line);
    } else {
      lines.push(
        tameLine(line)
          .replace(/^(\s{0,3})(#{1,4})(?=\s)/, '$1##$2')
          .replace(/^(\s*)(?=\[[^\]]+\]:(?!\s*<?https?:\/\/))/i, '$1\\'),
      );
    }
  }
  if (fence !== undefined) lines.push(fence);
  return lines.join('\n');
}

/** Everything outside of code spans. */
function tameLine(line: string): string {
  return line
    .split(/((?<!`)(`+)(?!`)[\s\S]*?(?<!`)\2(?!`))/)
    .map((part, index) => {
      // A group in the expression makes split give three parts: outside, code span, its backticks.
      if (index % 3 === 1) return part;
      if (index % 3 === 2) return '';
      return part
        .replace(/<(?!https?:\/\/[^\s<>]*>)/g, '\\<')
        .replace(/&(?=#?\w+;)/g, '\\&')
        .replace(/!(?=\[)/g, '\\!')
        .replace(/\](?=\((?!\s*<?(?:https?:\/\/|#)))/gi, '\\]');
    })
    .join('');
}

function link(title: string, url: string, put: Put): string {
  const address = webAddress(url);
  const name = put(flat(title || url));
  if (address === undefined) return url && url !== title ? `${name} (${codeSpan(url)})` : name;
  return put === asWritten ? `${name} <${address}>` : `[${name}](<${address}>)`;
}

function questionLines(trace: Trace, options: ExportOptions, put: Put): string[] {
  const question = trace.start?.question ?? '';
  const short = question.length <= 200 && !question.includes('\n') && question.trim() !== '';
  const facts = factsOf(trace, options)
    .map((fact) => put(flat(fact)))
    .join(' · ');
  if (short) return [`# ${put(question.trim())}`, facts];
  return [`# ${options.t('Question')}`, ...(question.trim() ? [quote(put(question))] : []), facts];
}

function answerLines(trace: Trace, options: ExportOptions, put: Put): string[] {
  const { t } = options;
  const { end } = trace;
  const lines: string[] = [];
  if (!end) {
    if (!options.running) lines.push(`## ${t('Interrupted')}`, t('The run was cut off before its end.'));
  } else if (end.error) {
    lines.push(`## ${t('How the run ended')}`, put(flat(`${end.error.message} ${end.error.hint}`)));
  }
  if (end?.answer !== undefined) {
    lines.push(`## ${t('Answer')}`);
    if (end.bestEffort) lines.push(t('Best effort, written from what was gathered so far:'));
    lines.push(put === asWritten ? quote(visible(end.answer)) : tameMarkdown(end.answer));
    const claims = claimsOf(trace);
    const verdict = verdictOf(claims, options);
    if (verdict) lines.push(verdict);
    const unsupported = claims.filter(({ status }) => status === 'none').map(({ claim }) => `- ${put(flat(claim))}`);
    if (unsupported.length > 0) lines.push(t('Not found word for word in what was read:'), unsupported.join('\n'));
  }
  return lines;
}

function sourceLines(trace: Trace, { t }: ExportOptions, put: Put): string[] {
  const { cited, others } = sourcesOf(trace);
  if (cited.length + others.length === 0) return [];
  const items = [
    ...cited.map(({ number, title, url, sentence, text }) => {
      const said = text ? ` — “${put(flat(text))}”` : '';
      return `${number}. ${link(title, url, put)}${t(', sentence {0}', sentence + 1)}${said}`;
    }),
    ...others.map(({ title, url }) => `- ${link(title, url, put)}`),
  ];
  return [`## ${t('Sources')}`, items.slice(0, cited.length).join('\n'), items.slice(cited.length).join('\n')].filter(
    (line) => line !== '',
  );
}

function stepLines(step: Step, options: ExportOptions, put: Put): string[] {
  const { t } = options;
  const { action, observation } = step;
  const lines = [`### ${t('Step {0}', step.step)}${action ? ` · ${put(flat(action.tool))}` : ''}`];
  if (step.reasoning) lines.push(`**${t('Reasoning')}**`, quote(put(step.reasoning)));
  if (step.thought) lines.push(`**${t('Thought')}**`, quote(put(step.thought)));
  if (action && action.tool !== 'Finish') {
    lines.push(
      `**${t('Action')}** ${put === asWritten ? flat(visible(actionText(step))) : codeSpan(actionText(step))}`,
    );
  }
  for (const notice of step.notices) lines.push(`**${t('Notice')}** ${put(flat(notice.text))}`);
  for (const { text } of step.controls) if (text) lines.push(`**${t('Note')}**`, quote(put(text)));
  if (observation) {
    const { document } = observation;
    const source = document ? ` · ${link(document.title, document.url, put)}` : '';
    lines.push(`**${t('Observation')}**${source}`, quote(put(withoutFence(observation.text))));
  }
  const times = timesOf(step, options);
  if (times) lines.push(times);
  return lines;
}

const paragraphs = (lines: readonly string[]) => `${lines.join('\n\n')}\n`;

function stepsPart(trace: Trace, options: ExportOptions, put: Put): string[] {
  if (trace.steps.length === 0) return [];
  return [`## ${options.t('Steps')}`, ...trace.steps.flatMap((step) => stepLines(step, options, put))];
}

/** Answer, sources and steps, for a wiki, a ticket or a note. */
export const markdown: Exporter = {
  id: 'markdown',
  label: 'Markdown',
  extension: '.md',
  write: (trace, options) =>
    paragraphs([
      ...questionLines(trace, options, escapeText),
      ...answerLines(trace, options, escapeText),
      ...sourceLines(trace, options, escapeText),
      ...stepsPart(trace, options, escapeText),
    ]),
};

/** The run in the order it happened, to be read as plain text: a heading for each part, and texts as they were written. */
export function transcript(trace: Trace, options: ExportOptions): string {
  return paragraphs([
    ...questionLines(trace, options, asWritten),
    ...stepsPart(trace, options, asWritten),
    ...answerLines(trace, options, asWritten),
    ...sourceLines(trace, options, asWritten),
  ]);
}
