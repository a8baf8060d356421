import { Deadline, orAbort } from './deadline';
import type { Language, LimitValues, Prices, RunStart, TraceEvent, Usage } from './event';
import { costOf, spentTokens } from './limits';
import { questionText } from './prompt';
import type { Run } from './run';
import { estimateTokens } from './tokens';
import { findTool, inputText } from './tool';
import { addUsage, foldAll, type Step, type Trace } from './trace';

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
    paid: 'The run that this one goes on with made calls that led no further; their tokens are counted.',
  },
  'zh-CN': {
    intro: '本次对话先前的内容（背景，新问题在后）：',
    question: '问题：',
    answer: '回答：',
    none: '（没有回答）',
    pages: '读过的页面：',
    paid: '所继续的运行中有些调用没有结果，其 token 已计入。',
  },
} satisfies Record<Language, unknown>;

/**
 * Earlier questions, answers and pages of a follow-up, newest kept when room is short. A run that goes on carries what it
 * carried before; others nothing ('').
 */
export function carryOver(prior: Prior | undefined, language: Language): string {
  if (prior?.parent.kind !== 'follow-up') return carriedBefore(prior?.traces[0], language);
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

/** What the run's first request held before the question. */
function carriedBefore(trace: Trace | undefined, language: Language): string {
  const sent = (trace?.steps ?? []).flatMap(({ requests }) => requests.flatMap(({ messages }) => messages));
  const { intro } = WORDS[language];
  const opening = sent.find(({ role, content }) => role === 'user' && content.startsWith(intro))?.content ?? '';
  if (opening === '') return '';
  const question = questionText(trace?.start?.question ?? '', language);
  return opening.slice(0, Math.max(0, opening.lastIndexOf(question)));
}

/**
 * The events of a resumed or forked run's complete steps, up to `parent.step`: told again in the new trace, paid only once.
 * A correction without an action behind it is no step, the model is asked anew instead; but what the user said then still holds.
 */
export function completedSteps(prior: Prior | undefined): TraceEvent[] {
  if (!prior || prior.parent.kind === 'follow-up') return [];
  const { kind, step: upTo = Number.POSITIVE_INFINITY } = prior.parent;
  const steps = prior.traces[0]?.steps ?? [];
  const complete = completeSteps(prior);
  const next = ([...complete].at(-1)?.step ?? 0) + 1;
  return steps.flatMap((step): TraceEvent[] => {
    if (complete.has(step)) return eventsOf(step);
    if (kind === 'fork' && step.step > upTo) return [];
    const notes = step.controls.filter(({ action }) => action === 'note');
    return notes.map((note) => ({ ...note, step: Math.min(step.step, next) }));
  });
}

/** Says that {@link untoldUsage} is counted. */
export const untoldNotice = (language: Language): string => WORDS[language].paid;

function completeSteps({ parent, traces }: Prior): Set<Step> {
  const { step: upTo = Number.POSITIVE_INFINITY } = parent;
  const steps = traces[0]?.steps ?? [];
  return new Set(steps.filter(({ action, observation, step }) => action && observation && step <= upTo));
}

function eventsOf(step: Step): TraceEvent[] {
  const at = { time: step.startedAt, step: step.step };
  return [
    ...step.controls,
    ...step.requests,
    ...(step.reply ? [step.reply] : []),
    ...(step.reasoning === undefined ? [] : [{ type: 'reasoning' as const, ...at, text: step.reasoning }]),
    ...(step.plan ? [step.plan] : []),
    ...(step.thought === undefined ? [] : [{ type: 'thought' as const, ...at, text: step.thought }]),
    ...(step.action ? [step.action] : []),
    ...step.notices,
    ...(step.observation ? [step.observation] : []),
  ];
}

/**
 * Tokens of the calls that a resumed run does not tell again, though they were paid: what led to no complete step, and the
 * last call at a limit. Undefined where there was none; null where the endpoint did not say.
 */
export function untoldUsage(prior: Prior | undefined): Usage | null | undefined {
  if (prior?.parent.kind !== 'resume') return undefined;
  const complete = completeSteps(prior);
  const calls = (prior.traces[0]?.steps ?? [])
    .filter((step) => !complete.has(step))
    .flatMap(({ reply, notices }) => [...(reply && (reply.raw || reply.toolCalls) ? [reply] : []), ...notices]);
  const told = calls.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  if (told.length === 0 || told.includes(null)) return told.length === 0 ? undefined : null;
  const total: Usage = { prompt: 0, completion: 0 };
  for (const usage of told) if (usage) addUsage(total, usage);
  return total;
}

/**
 * Limits of a run that goes on: where the earlier one came to its end they are granted anew, on top of what its steps used
 * up; where it was cut off they hold for both together. Time counts from now.
 */
export function grantedLimits(limits: LimitValues, prior: Prior | undefined, prices: Prices | undefined): LimitValues {
  const earlier = prior?.parent.kind === 'follow-up' ? undefined : prior?.traces[0];
  if (!earlier?.end) return limits;
  const told = foldAll(completedSteps(prior));
  const spent = spentTokens(told);
  addUsage(spent, untoldUsage(prior) ?? { prompt: 0, completion: 0 });
  return {
    ...limits,
    steps: limits.steps + told.steps.filter(({ action }) => action).length,
    ...(limits.tokens === undefined ? {} : { tokens: limits.tokens + spent.prompt + spent.completion }),
    ...(limits.cost === undefined ? {} : { cost: limits.cost + (costOf(spent, prices) ?? 0) }),
  };
}

/**
 * Opens again, unseen, the page that lay open at the end of the steps told again, and moves on in it as far as they had
 * come. What fails here fails once more, visibly, when a tool needs the page.
 */
export async function reopenPage(run: Run): Promise<void> {
  const { toolbox, question } = run.input;
  const acted = run.trace.steps.flatMap(({ action, observation }) => {
    const tool = action && findTool(toolbox, action.tool);
    return tool && observation ? [{ tool, input: inputText(action.input, tool.argument).trim(), observation }] : [];
  });
  const opened = acted.findLastIndex(
    ({ tool, observation }) => tool.opensPage && (observation.ok || (observation.blocked && observation.document)),
  );
  if (opened < 0) return;
  const deadline = new Deadline([run.deadline.signal], (run.limits.stepSeconds ?? run.limits.seconds) * 1000);
  try {
    for (const [index, { tool, input, observation }] of acted.slice(opened).entries()) {
      if (index > 0 && !(tool.advances && observation.ok)) continue;
      await orAbort(tool.run(input, { language: run.language, question }, deadline.signal), deadline.signal);
    }
  } catch {
    // Told above.
  } finally {
    deadline.dispose();
  }
}
