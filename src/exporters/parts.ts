import { type Citation, type CitedClaim, citationsOf } from '../agent/citations';
import type { RunEnd } from '../agent/event';
import { inputText } from '../agent/tool';
import type { Step, Trace } from '../agent/trace';
import { usageOf } from '../agent/trace';
import type { ExportOptions } from './exporter';

const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Text as it may be shown: what can't be seen, or would reorder its neighbours, is named by its number. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    return code >= 0xd800 && code <= 0xdfff ? '\ufffd' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** The address as it may be linked, or undefined: only http and https. */
export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined;
}

function knownLanguage(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf([language])[0] ?? 'en';
  } catch {
    return 'en';
  }
}

export function numberText(value: number, { language }: ExportOptions): string {
  return new Intl.NumberFormat(knownLanguage(language), { maximumFractionDigits: 1 }).format(value);
}

/** A duration, from milliseconds. */
export function durationText(ms: number, options: ExportOptions): string {
  const { t } = options;
  if (ms < 100) return t('{0} ms', numberText(Math.round(ms), options));
  if (ms < 59_950) return t('{0} s', numberText(Math.round(ms / 100) / 10, options));
  const seconds = Math.round(ms / 1000);
  return t('{0} min {1} s', numberText(Math.floor(seconds / 60), options), seconds % 60);
}

/** How the run ended, in a word or two. */
export function statusText({ end }: Trace, { t, running }: ExportOptions): string {
  switch (end?.outcome) {
    case undefined:
      return running ? t('Running') : t('Interrupted');
    case 'answered':
      return end.found === false ? t('Not found') : t('Answered');
    case 'limit':
      return t('Ended at a limit');
    case 'cancelled':
      return t('Stopped');
    case 'failed':
      return t('Failed');
  }
}

/** What is worth knowing about the whole run, in short pieces: outcome, steps, time, tokens, cost, model, day. */
export function factsOf(trace: Trace, options: ExportOptions): string[] {
  const { t, language } = options;
  const { start, end, steps } = trace;
  const count = steps.filter((step) => step.action ?? step.observation).length;
  const usage = end?.usage ?? usageOf(trace);
  const began = start ? new Date(start.time) : undefined;
  const known = knownLanguage(language);
  return [
    statusText(trace, options),
    count === 1 ? t('1 step') : t('{0} steps', numberText(count, options)),
    ...(end ? [durationText(end.ms, options)] : []),
    ...(usage ? [t('{0} tokens', numberText(usage.prompt + usage.completion, options))] : []),
    ...(end?.cost === undefined
      ? []
      : [
          new Intl.NumberFormat(known, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }).format(
            end.cost,
          ),
        ]),
    ...(start?.provider === 'researcher' ? [t('built-in researcher (rules, no model)')] : []),
    ...(start?.model && start.provider !== 'researcher' ? [visible(start.model)] : []),
    ...(began && !Number.isNaN(began.getTime())
      ? [new Intl.DateTimeFormat(known, { dateStyle: 'long', timeStyle: 'short' }).format(began)]
      : []),
  ];
}

/** How long the model and the tool of a step took. */
export function timesOf({ reply, observation }: Step, options: ExportOptions): string {
  const { t } = options;
  return [
    ...(reply ? [t('model {0}', durationText(reply.ms, options))] : []),
    ...(observation?.cached
      ? [t('cached')]
      : observation && !observation.blocked
        ? [t('tool {0}', durationText(observation.ms, options))]
        : []),
  ].join(' · ');
}

/** `Search[Note G]` */
export function actionText(step: Step): string {
  return step.action ? `${step.action.tool}[${inputText(step.action.input)}]` : '';
}

/** The evidence of an answer, numbered in the order of its claims. */
export function claimsOf({ end, steps }: Trace): CitedClaim[] {
  return end ? citationsOf(end, (step) => steps.find((one) => one.step === step)) : [];
}

/** Each citation once, and the sources that no claim cites. */
export function sourcesOf(trace: Trace): { cited: Citation[]; others: RunEnd['sources'] } {
  const cited = new Map<number, Citation>();
  for (const { citation } of claimsOf(trace)) if (citation) cited.set(citation.number, citation);
  const addresses = new Set([...cited.values()].map(({ url }) => url));
  return {
    cited: [...cited.values()],
    others: (trace.end?.sources ?? []).filter(({ url }) => !addresses.has(url)),
  };
}

/** How much of the answer was found in what was read; '' when it has no claims. */
export function verdictOf(claims: readonly CitedClaim[], { t }: ExportOptions): string {
  if (claims.length === 0) return '';
  const found = claims.filter(({ status }) => status === 'verbatim').length;
  const partly = claims.filter(({ status }) => status === 'partial').length;
  const text =
    claims.length === 1
      ? t('{0} of 1 claim found word for word in the sources', found)
      : t('{0} of {1} claims found word for word in the sources', found, claims.length);
  return partly > 0 ? text + t(' ({0} in part)', partly) : text;
}

/** Where the words of a claim end in a list of texts: which text, and the offset behind the last word. */
export function claimEnd(texts: readonly string[], claim: string): { index: number; offset: number } | undefined {
  const skipped = /[\s*_`#>[\]]/;
  let letters = '';
  const places: { index: number; offset: number }[] = [];
  for (const [index, text] of texts.entries()) {
    for (let offset = 0; offset < text.length; offset++) {
      if (skipped.test(text[offset]!)) continue;
      letters += text[offset]!.toLowerCase();
      places.push({ index, offset: offset + 1 });
    }
  }
  const wanted = [...claim.replace(/\]\([^)\s]*\)/g, ']')]
    .filter((character) => !skipped.test(character))
    .join('')
    .toLowerCase()
    .replace(/[.。!！?？,，;；:：]+$/, '');
  const at = wanted === '' ? -1 : letters.indexOf(wanted);
  return at < 0 ? undefined : places[at + wanted.length - 1];
}
