import type { Language, RunStart, TraceEvent } from './event';
import { estimateTokens } from './tokens';
import type { Trace } from './trace';

/** Where a run starts from, if not from nothing. */
export interface Prior {
  parent: NonNullable<RunStart['parent']>;
  /** Follow-up: the earlier runs of the conversation, oldest first. Resume and fork: the one run that goes on. */
  traces: readonly Trace[];
}

/** Tokens that earlier questions and answers may take in a follow-up. */
const ROOM = 1200;

const WORDS = {
  en: {
    intro: 'Earlier in this conversation (context; the new question follows):',
    question: 'Question: ',
    answer: 'Answer: ',
    none: '(no answer)',
    pages: 'Pages read: ',
  },
  'zh-CN': {
    intro: '本次对话先前的内容（背景，新问题在后）：',
    question: '问题：',
    answer: '回答：',
    none: '（没有回答）',
    pages: '读过的页面：',
  },
} satisfies Record<Language, unknown>;

/** Earlier questions, answers and pages of a follow-up, newest kept when room is short; '' for other runs. */
export function carryOver(prior: Prior | undefined, language: Language): string {
  if (prior?.parent.kind !== 'follow-up') return '';
  const words = WORDS[language];
  const parts: string[] = [];
  let room = ROOM;
  for (const trace of prior.traces.toReversed()) {
    const answer = (trace.end?.answer ?? words.none).slice(0, 1500);
    const pages = [...new Set(trace.steps.flatMap((step) => step.observation?.document?.title ?? []))];
    const part = [
      words.question + (trace.start?.question ?? '').slice(0, 500),
      words.answer + answer,
      ...(pages.length ? [words.pages + pages.join(', ')] : []),
    ].join('\n');
    room -= estimateTokens(part);
    if (room < 0 && parts.length > 0) break;
    parts.unshift(part);
  }
  return parts.length ? `${words.intro}\n${parts.join('\n')}\n\n` : '';
}

/** The events of a resumed or forked run's complete steps, up to `parent.step`: told again in the new trace, paid only once. */
export function completedSteps(prior: Prior | undefined): TraceEvent[] {
  if (!prior || prior.parent.kind === 'follow-up') return [];
  const last = prior.parent.step ?? Number.POSITIVE_INFINITY;
  const complete = prior.traces[0]?.steps.filter((step) => step.observation && step.step <= last) ?? [];
  return complete.flatMap((step): TraceEvent[] => [
    ...step.controls,
    ...step.requests,
    ...(step.reply ? [step.reply] : []),
    ...(step.reasoning === undefined
      ? []
      : [{ type: 'reasoning' as const, time: step.startedAt, step: step.step, text: step.reasoning }]),
    ...(step.thought === undefined
      ? []
      : [{ type: 'thought' as const, time: step.startedAt, step: step.step, text: step.thought }]),
    ...(step.action ? [step.action] : []),
    ...step.notices,
    ...(step.observation ? [step.observation] : []),
  ]);
}
