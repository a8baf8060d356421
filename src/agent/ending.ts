import { isUserError } from './errors';
import type { AgentEvent, Language, RunEnd } from './event';
import { checkAnswer } from './evidence';
import { BrokenReply } from './reply';
import type { Run } from './run';
import { sampleAnswers } from './selfConsistency';
import { think } from './think';
import { finalText, movesOf, tellRaw } from './turn';

type Ending = Pick<RunEnd, 'outcome' | 'sources'> & Partial<RunEnd>;

const WORDS = {
  en: {
    last: 'No further action is possible. Reply now with the final answer only, from the Observations above: Finish[answer]. If they do not hold the answer, say what is missing.',
    best: (title: string, text: string) =>
      `No answer could be written. The most fitting thing observed${title && `, from “${title}”`}: ${text}`,
    nothing: 'Nothing that answers the question was found within the limits.',
    hint: 'Look at the steps to see where it went wrong, then ask again, with more steps or another model.',
    unobserved: 'No page was found that could answer the question.',
    unexpected: (why: string) => `Something went wrong inside the agent. ${why}`,
    unexpectedHint: 'Ask again; if it happens again, the log has the details.',
  },
  'zh-CN': {
    last: '不能再执行任何行动。现在只根据上面的 Observation 给出最终答案：Finish[答案]。如果其中没有答案，请说明缺少什么。',
    best: (title: string, text: string) => `未能写出答案。观察到的最相关内容${title && `来自“${title}”`}：${text}`,
    nothing: '在达到上限之前没有找到能回答该问题的内容。',
    hint: '查看各步骤，了解哪里出了问题，然后用更多步数或换一个模型再问一次。',
    unobserved: '没有找到能回答该问题的页面。',
    unexpected: (why: string) => `智能体内部出错：${why}`,
    unexpectedHint: '请再问一次；如果再次发生，日志中有详细信息。',
  },
} satisfies Record<Language, unknown>;

/** The end of an answered run: which observed sentences support the answer, and which sources it has. */
export function* answered(
  run: Run,
  step: number,
  answer: string,
  extra: Partial<Ending> = {},
): Generator<AgentEvent, Ending> {
  const { support, sources, notice } = checkAnswer(answer, run.trace, run.language);
  if (extra.found === false) {
    // An honest "not found" claims nothing about the world: there is nothing to support.
    const observed = run.trace.steps.some((each) => each.observation?.ok && !each.observation.blocked);
    if (!observed) yield run.emit({ type: 'notice', step, kind: 'evidence', text: WORDS[run.language].unobserved });
    return { outcome: 'answered', answer, sources, ...extra };
  }
  if (notice) yield run.emit({ type: 'notice', step, kind: 'evidence', text: notice });
  return { outcome: 'answered', answer, sources, ...(support.length ? { support } : {}), ...extra };
}

export function cancelled(run: Run): Ending {
  return { outcome: 'cancelled', sources: checkAnswer('', run.trace, run.language).sources };
}

/**
 * At a limit: one call that asks for the best answer from what was gathered. Where even that fails, direct answers are
 * sampled (if that strategy is on), or the best observation is offered as such.
 */
export async function* lastCall(run: Run, step: number, why: string | undefined): AsyncGenerator<AgentEvent, Ending> {
  if (why) yield run.emit({ type: 'notice', step, kind: 'limit', text: why });
  const found = run.trace.steps.some((each) => each.observation?.ok);
  if (run.silent) {
    yield run.emit({ type: 'notice', step, kind: 'limit', text: `${run.silent.message} ${run.silent.hint}` });
    return bestEnding(run);
  }
  try {
    if (!found && run.input.strategies?.selfConsistency) {
      const sampled = yield* sampleAnswers(run, step);
      if (run.cancelled) return cancelled(run);
      if (sampled) return yield* answered(run, step, sampled, { outcome: 'limit', bestEffort: true });
    }
    const reply = yield* think(run, step, {
      extra: WORDS[run.language].last,
      options: () => run.lastOptions(),
      signals: [run.input.signal],
    });
    const settled = await reply.settled;
    const finish = movesOf(run, reply).find(({ tool }) => tool === 'Finish');
    yield* tellRaw(run, step, settled, reply.reasoning, reply.parsed.reasoning);
    if (finish?.thought) yield run.emit({ type: 'thought', step, text: finish.thought });
    // Half a thought is no answer.
    const broken = reply.truncated || reply.filtered || reply.chanting;
    const answer = finish ? finalText(finish) : broken ? undefined : reply.parsed.prose;
    if (answer) return yield* answered(run, step, answer, { outcome: 'limit', bestEffort: true });
  } catch (error) {
    if (!(error instanceof BrokenReply)) throw error;
    yield* tellRaw(run, step, error.partial, error.reasoning);
    const { cause } = error;
    if (isUserError(cause) && !run.cancelled)
      yield run.emit({ type: 'notice', step, kind: 'limit', text: `${cause.message} ${cause.hint}` });
  }
  return run.cancelled ? cancelled(run) : bestEnding(run);
}

function bestEnding(run: Run): Ending {
  const best = bestObservation(run);
  const { sources } = checkAnswer(best.answer, run.trace, run.language);
  return { ...best, outcome: 'limit', bestEffort: true, sources };
}

/** The observation that shares most words with the question, later ones first; offered as such when no answer can be had. */
function bestObservation(run: Run): { answer: string; found?: boolean } {
  const words = new Set(run.input.question.toLowerCase().match(/[\p{L}\p{N}]{3,}|\p{Script=Han}/gu) ?? []);
  let best: { score: number; answer: string } | undefined;
  for (const { observation } of run.trace.steps) {
    if (!observation?.ok || observation.blocked) continue;
    // Its sentences, where the tool told which they are: what else stands there is for the model.
    const spans = observation.sentences;
    const text = spans?.length
      ? spans.map(({ start, end }) => observation.text.slice(start, end)).reduce(joined)
      : observation.text.slice(0, observation.hintAt);
    const lower = text.toLowerCase();
    const score = [...words].filter((word) => lower.includes(word)).length;
    const title = observation.document?.title ?? '';
    if (!best || score >= best.score) best = { score, answer: WORDS[run.language].best(title, text.slice(0, 1200)) };
  }
  return best ? { answer: best.answer } : { answer: WORDS[run.language].nothing, found: false };
}

/** Chinese sentences stand together without a space. */
const joined = (before: string, sentence: string) => before + (/[。！？”」）]$/.test(before) ? '' : ' ') + sentence;

/** When the model or the machine fails for good. What was observed before is offered, never lost. */
export function failed(run: Run, error: unknown): Ending {
  const words = WORDS[run.language];
  const known = isUserError(error);
  const message = known ? error.message : words.unexpected(error instanceof Error ? error.message : String(error));
  const hint = known && error.hint ? error.hint : words.unexpectedHint;
  const action = known && error.action ? { action: error.action } : {};
  const ending: Ending = { outcome: 'failed', error: { message, hint, ...action }, sources: [] };
  if (!run.trace.steps.some((step) => step.observation?.ok)) return ending;
  const { answer } = bestObservation(run);
  return { ...ending, answer, bestEffort: true, sources: checkAnswer(answer, run.trace, run.language).sources };
}
