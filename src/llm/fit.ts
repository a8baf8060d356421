import type { Language } from '../agent/event';

/** What an endpoint taught us about the requests it takes. Plain data, kept per endpoint and model. */
export interface Fit {
  /** Fields never to send. */
  drop?: string[];
  /** Fields that have another name there. */
  rename?: Record<string, string>;
  /** Values it insists on. */
  set?: Record<string, unknown>;
  /** Largest numbers it takes; for `stop`, how many strings. */
  atMost?: Record<string, number>;
  /** Smallest numbers it takes. */
  atLeast?: Record<string, number>;
  /** The system message goes into the first message of the user. */
  foldSystem?: boolean;
  /** Neighbouring messages of one role are joined. */
  joinRoles?: boolean;
  /** The assistant's reasoning is sent back with its messages. */
  sendReasoning?: boolean;
  /** Replies end with the body, without any mark. */
  unmarkedEnd?: boolean;
  /** The model reasons before it replies: its reasoning counts towards the output cap. */
  reasons?: boolean;
  /** Where requests really go, when that is not the base URL as entered. */
  base?: string;
}

/** Keeps what was learnt; the host's store lives across restarts. */
export interface FitStore {
  get(endpoint: string, model: string): Fit | undefined;
  set(endpoint: string, model: string, fit: Fit): void;
  /** All of it, to be shown. */
  list(): { endpoint: string; model: string; fit: Fit }[];
  forget(endpoint: string, model: string): void;
  clear(): void;
}

/** Keeps what was learnt until the process ends. `entries` may come from, and go to, a store of plain data. */
export function memoryFitStore(entries: { endpoint: string; model: string; fit: Fit }[] = []): FitStore {
  const known = new Map<string, { endpoint: string; model: string; fit: Fit }>();
  const keyOf = (endpoint: string, model: string) => JSON.stringify([endpoint, model]);
  for (const entry of entries) known.set(keyOf(entry.endpoint, entry.model), entry);
  return {
    get: (endpoint, model) => known.get(keyOf(endpoint, model))?.fit,
    set: (endpoint, model, fit) => void known.set(keyOf(endpoint, model), { endpoint, model, fit }),
    list: () => [...known.values()],
    forget: (endpoint, model) => void known.delete(keyOf(endpoint, model)),
    clear: () => known.clear(),
  };
}

const SENTENCES: Record<Language, Record<string, (name: string, value: string) => string>> = {
  en: {
    drop: (name) => `takes no “${name}”, so it is left out`,
    rename: (name, value) => `calls “${name}” “${value}”`,
    set: (name, value) => `wants “${name}” to be ${value}`,
    atMost: (name, value) =>
      name === 'stop' ? `takes at most ${value} stop strings` : `takes “${name}” up to ${value}`,
    atLeast: (name, value) => `takes “${name}” from ${value}`,
    foldSystem: () => 'takes no system message, so it goes into the first user message',
    joinRoles: () => 'wants user and assistant to take turns, so neighbouring messages are joined',
    sendReasoning: (_, value) => (value === 'true' ? 'wants its reasoning sent back' : 'takes no reasoning back'),
    unmarkedEnd: () => 'ends its replies without a mark',
    reasons: () => 'runs a model that reasons before it replies, so its replies get 4,096 tokens more',
    base: (_, value) => `answers under ${value}`,
  },
  'zh-CN': {
    drop: (name) => `不接受“${name}”，已不再发送`,
    rename: (name, value) => `把“${name}”叫作“${value}”`,
    set: (name, value) => `要求“${name}”为 ${value}`,
    atMost: (name, value) => (name === 'stop' ? `最多接受 ${value} 个停止序列` : `“${name}”最大为 ${value}`),
    atLeast: (name, value) => `“${name}”最小为 ${value}`,
    foldSystem: () => '不接受系统消息，已并入第一条用户消息',
    joinRoles: () => '要求用户与助手轮流发言，相邻的同类消息已合并',
    sendReasoning: (_, value) => (value === 'true' ? '要求把推理内容一并发回' : '不接受发回的推理内容'),
    unmarkedEnd: () => '结束回复时不作标记',
    reasons: () => '所运行的模型会先推理再回答，因此每次回复多给 4,096 个 token',
    base: (_, value) => `的接口位于 ${value}`,
  },
};

/**
 * One sentence for each thing learnt, in a person's words.
 * @param before only what is not in it already
 */
export function describeFit(fit: Fit, language: Language, before: Fit = {}): string[] {
  const subject = language === 'zh-CN' ? '该服务' : 'This endpoint ';
  const end = language === 'zh-CN' ? '。' : '.';
  const said: string[] = [];
  for (const [rule, value] of Object.entries(fit)) {
    const say = SENTENCES[language][rule];
    if (!say) continue;
    const known = entriesOf((before as Record<string, unknown>)[rule]);
    for (const [name, one] of entriesOf(value)) {
      if (known.some(([other, was]) => other === name && was === one)) continue;
      said.push(subject + say(name, typeof one === 'string' ? one : JSON.stringify(one)) + end);
    }
  }
  return said;
}

/** What a rule of a fit holds, one by one: names, names with values, or a single value. */
function entriesOf(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((name) => [name, true]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [['', value]];
}
