import { estimateNext } from './estimate';
import type { Language, LimitValues, ModelRequest, Prices, Usage } from './event';
import { estimateRequest, estimateTokens } from './tokens';
import { addUsage, type Step, type Trace, usageOf } from './trace';

export type LimitKind = 'steps' | 'seconds' | 'step-seconds' | 'tokens' | 'cost';

export interface LimitReached {
  kind: LimitKind;
  /** What was allowed. */
  allowed: number;
  /** The endpoint does not tell its tokens: what was spent is our estimate. */
  estimated?: boolean;
}

/** Corrections are no steps, but even they are bounded, so that no run goes on for ever. */
const CORRECTIONS_PER_RUN = 4;

const DEFAULT_LIMITS: LimitValues = { steps: 8, seconds: 300, stepSeconds: 90 };

/** Fills in what is missing or senseless: there is always a step and a time limit. */
export function soundLimits(limits: Partial<LimitValues> = {}): LimitValues {
  const positive = (value: number | undefined, otherwise: number) =>
    value !== undefined && Number.isFinite(value) && value > 0 ? value : otherwise;
  const sound: LimitValues = {
    steps: Math.max(1, Math.floor(positive(limits.steps, DEFAULT_LIMITS.steps))),
    seconds: positive(limits.seconds, DEFAULT_LIMITS.seconds),
    stepSeconds: positive(limits.stepSeconds, DEFAULT_LIMITS.stepSeconds as number),
  };
  if (limits.tokens !== undefined && limits.tokens > 0) sound.tokens = limits.tokens;
  if (limits.cost !== undefined && limits.cost > 0) sound.cost = limits.cost;
  return sound;
}

/** The prices, where they are whole and make sense: a wrong sum would be worse than none. */
export function soundPrices(prices: unknown): Prices | undefined {
  const { prompt, completion, cached } = (prices ?? {}) as Record<keyof Prices, unknown>;
  const sound = (price: unknown): price is number => typeof price === 'number' && Number.isFinite(price) && price >= 0;
  if (!sound(prompt) || !sound(completion)) return undefined;
  return { prompt, completion, ...(sound(cached) ? { cached } : {}) };
}

/** Cost of some tokens in US dollars; undefined without prices or usage. */
export function costOf(usage: Usage | null | undefined, prices: Prices | undefined): number | undefined {
  if (!usage || !prices) return undefined;
  const cached = Math.min(usage.cached ?? 0, usage.prompt);
  const prompt = (usage.prompt - cached) * prices.prompt + cached * (prices.cached ?? prices.prompt);
  return (prompt + usage.completion * prices.completion) / 1e6;
}

const sizes = new WeakMap<ModelRequest, number>();
function sizeOf(request: ModelRequest): number {
  const size = sizes.get(request) ?? estimateRequest(request.messages);
  sizes.set(request, size);
  return size;
}

/**
 * Tokens spent so far, those of calls beside the steps too. A budget must hold where an endpoint does not say, or where its
 * reply was cut before it could: such a reply is estimated, unless it failed before its first word.
 */
export function spentTokens(trace: Trace): Usage {
  const total: Usage = { prompt: 0, completion: 0 };
  let prompt = 0;
  for (const { requests, reply, reasoning, notices } of trace.steps) {
    for (const request of requests) prompt = (request.rewrite ? 0 : prompt) + sizeOf(request);
    for (const { usage } of notices) if (usage) addUsage(total, usage);
    if (!reply) continue;
    const written = reply.raw + (reasoning ?? '') + (reply.toolCalls ?? []).map((call) => call.arguments).join('');
    if (reply.usage) addUsage(total, reply.usage);
    else if (written) addUsage(total, { prompt, completion: estimateTokens(written) });
  }
  return total;
}

/** What would be spent after one more step and the last call: where that is too much, the last call comes now. */
function withReserve(trace: Trace): Usage {
  const spent = spentTokens(trace);
  const next = estimateNext(trace.steps);
  if (next) for (const call of [next, next]) addUsage(spent, call);
  return spent;
}

/** The reply could not be read. One that its output cap cut is another matter: it gets more room. */
const isCorrection = ({ observation, action, reply }: Step) =>
  observation !== undefined && action === undefined && reply?.finishReason !== 'length';

type Predicate = (
  trace: Trace,
  limits: LimitValues,
  spent: { ms: number; prices?: Prices },
) => LimitReached | undefined;

const PREDICATES: readonly Predicate[] = [
  (trace, limits) => {
    const acted = trace.steps.filter((step) => step.action).length;
    const corrected = trace.steps.filter(isCorrection).length;
    const spent = acted >= limits.steps || corrected >= CORRECTIONS_PER_RUN || acted + corrected >= limits.steps + 2;
    return spent ? { kind: 'steps', allowed: limits.steps } : undefined;
  },
  (_, limits, { ms }) => (ms >= limits.seconds * 1000 ? { kind: 'seconds', allowed: limits.seconds } : undefined),
  (trace, limits) => {
    if (limits.tokens === undefined) return undefined;
    const { prompt, completion } = withReserve(trace);
    const estimated = usageOf(trace) === undefined;
    return prompt + completion >= limits.tokens ? { kind: 'tokens', allowed: limits.tokens, estimated } : undefined;
  },
  (trace, limits, { prices }) => {
    if (limits.cost === undefined) return undefined;
    const cost = costOf(withReserve(trace), prices);
    const estimated = usageOf(trace) === undefined;
    return cost !== undefined && cost >= limits.cost ? { kind: 'cost', allowed: limits.cost, estimated } : undefined;
  },
];

/** The first limit that the run has reached, if any. `ms`: time since the run began. */
export function limitReached(
  trace: Trace,
  limits: LimitValues,
  spent: { ms: number; prices?: Prices },
): LimitReached | undefined {
  for (const predicate of PREDICATES) {
    const reached = predicate(trace, limits, spent);
    if (reached) return reached;
  }
  return undefined;
}

const SAID: Record<Language, Record<LimitKind, (allowed: number) => string>> = {
  en: {
    steps: (n) => `The step limit (${n}) is reached. The best answer from what was gathered follows.`,
    seconds: (n) => `The time limit (${n} s) is reached. The best answer from what was gathered follows.`,
    'step-seconds': (n) =>
      `The model did not finish its step within ${n} s. The best answer from what was gathered follows.`,
    tokens: (n) =>
      `The token budget (${n}) has no room for another step. The best answer from what was gathered follows.`,
    cost: (n) =>
      `The cost budget ($${n}) has no room for another step. The best answer from what was gathered follows.`,
  },
  'zh-CN': {
    steps: (n) => `已达到步数上限（${n} 步），下面根据已收集的内容给出最佳答案。`,
    seconds: (n) => `已达到时间上限（${n} 秒），下面根据已收集的内容给出最佳答案。`,
    'step-seconds': (n) => `模型没有在 ${n} 秒内完成这一步，下面根据已收集的内容给出最佳答案。`,
    tokens: (n) => `token 预算（${n}）不够再走一步，下面根据已收集的内容给出最佳答案。`,
    cost: (n) => `费用预算（${n} 美元）不够再走一步，下面根据已收集的内容给出最佳答案。`,
  },
};

const ESTIMATED: Record<Language, string> = {
  en: ' (The endpoint does not tell its tokens, so they were estimated.)',
  'zh-CN': '（该服务没有报告 token 数，用量为估算值。）',
};

/** One sentence for the person, and one more where what was spent is an estimate. */
export function limitNotice({ kind, allowed, estimated }: LimitReached, language: Language): string {
  const said = SAID[language][kind](allowed);
  return estimated ? `${said}${ESTIMATED[language]}` : said;
}

const UNPRICED: Record<Language, (model: string) => string> = {
  en: (model) => `The cost budget can't be kept: enter the prices of the model “${model}” in the settings.`,
  'zh-CN': (model) => `无法遵守费用预算：请在设置中填写模型“${model}”的价格。`,
};

/** One sentence for the person about a cost budget that can't hold. */
export const unpricedNotice = (model: string, language: Language): string => UNPRICED[language](model);
