import { UserError } from '../agent/errors';
import type { Language, Message, Usage } from '../agent/event';
import type { LlmOptions } from '../agent/llm';
import { learnContextWindow } from './contextWindow';
import { normaliseEndpoint, validateEndpoint } from './endpoint';
import { type FailureKind, RequestFailed } from './failures';
import { type Fit, type FitStore, memoryFitStore } from './fit';
import { listModels } from './models';
import { createOpenai, type OpenaiOptions } from './openai';

export type TestStep =
  | 'entered'
  | 'name'
  | 'port'
  | 'tls'
  | 'path'
  | 'key'
  | 'model'
  | 'completion'
  | 'streaming'
  | 'stop'
  | 'usage'
  | 'tools'
  | 'window';

/** One step's result, in a person's words. `ok` false on a step after `completion` is a limitation, not a fault. */
export interface TestResult {
  step: TestStep;
  label: string;
  ok: boolean;
  detail: string;
  /** What would mend it, ready to be taken over. */
  fix?: { baseUrl?: string; model?: string; setKey?: true };
}

/** How far a request got before it failed in this way: the step that is at fault. */
const STEP_OF: Partial<Record<FailureKind, TestStep>> = {
  dns: 'name',
  refused: 'port',
  network: 'port',
  proxy: 'port',
  'first-byte': 'port',
  tls: 'tls',
  'wrong-path': 'path',
  'web-page': 'path',
  unauthorized: 'key',
  forbidden: 'key',
  quota: 'key',
  'no-model': 'model',
};
const ORDER: readonly TestStep[] = ['name', 'port', 'tls', 'path', 'key', 'model', 'completion'];

const TEXTS = {
  en: {
    labels: {
      entered: 'What was entered',
      name: 'Server name',
      port: 'Port',
      tls: 'Encryption',
      path: 'Path',
      key: 'Key',
      model: 'Model',
      completion: 'Completion',
      streaming: 'Streaming',
      stop: 'Stop strings',
      usage: 'Token counts',
      tools: 'Native tools',
      window: 'Context window',
    },
    fine: 'fine',
    plain: 'not encrypted; fine on this machine or in your own network',
    noKey: 'none needed',
    answersUnder: (base: string) => `This server answers under ${base}: use that.`,
    firstToken: (ms: number) => `first token after ${ms} ms`,
    streams: 'the reply comes piece by piece',
    whole: 'the reply comes in one piece',
    stopTaken: 'honoured',
    stopIgnored: 'ignored; replies are cut here instead',
    stopRefused: 'not taken; replies are cut here instead',
    usage: (prompt: number, completion: number) => `told (${prompt} in, ${completion} out)`,
    noUsage: 'not told; costs and budgets stay unknown',
    tools: 'work',
    noTools: 'not available; the text protocol works without them',
    window: (tokens: number) => `${tokens} tokens`,
    noWindow: 'not told; it is learnt from the first overflow, or set in the settings',
  },
  'zh-CN': {
    labels: {
      entered: '填写的内容',
      name: '服务器名称',
      port: '端口',
      tls: '加密',
      path: '路径',
      key: '密钥',
      model: '模型',
      completion: '补全',
      streaming: '流式输出',
      stop: '停止序列',
      usage: 'token 计数',
      tools: '原生工具',
      window: '上下文窗口',
    },
    fine: '正常',
    plain: '未加密；在本机或自己的网络中没有问题',
    noKey: '不需要',
    answersUnder: (base: string) => `该服务器的接口位于 ${base}，请使用这个地址。`,
    firstToken: (ms: number) => `${ms} 毫秒后收到第一个 token`,
    streams: '回复逐段到达',
    whole: '回复一次性到达',
    stopTaken: '有效',
    stopIgnored: '被忽略；改由本扩展截断回复',
    stopRefused: '不接受；改由本扩展截断回复',
    usage: (prompt: number, completion: number) => `已提供（输入 ${prompt}，输出 ${completion}）`,
    noUsage: '未提供；费用和预算无法得知',
    tools: '可用',
    noTools: '不可用；文本协议不需要原生工具',
    window: (tokens: number) => `${tokens} 个 token`,
    noWindow: '未提供；第一次超出时才能得知，也可在设置中填写',
  },
} satisfies Record<Language, unknown>;

interface Probe {
  text: string;
  calls: number;
  firstTokenMs: number;
  usage?: Usage;
}

/**
 * Probes an endpoint step by step and yields each result as it is known. Ends after the first fault, or with what the
 * endpoint can do. What it teaches goes into the fit store, so that the first question profits.
 * @throws the signal's reason
 */
export async function* testConnection(options: OpenaiOptions, signal: AbortSignal): AsyncGenerator<TestResult> {
  const language = options.language ?? 'en';
  const words = TEXTS[language];
  const result = (step: TestStep, ok: boolean, detail: string, fix?: TestResult['fix']): TestResult => ({
    step,
    label: words.labels[step],
    ok,
    detail,
    ...(fix ? { fix } : {}),
  });
  const wrong = validateEndpoint(options, language).find((problem) => problem.severity === 'error');
  if (wrong) {
    const fix =
      wrong.field === 'key'
        ? { setKey: true as const }
        : wrong.fix === undefined
          ? undefined
          : { [wrong.field]: wrong.fix };
    yield result('entered', false, `${wrong.message} ${wrong.hint}`, fix);
    return;
  }
  yield result('entered', true, words.fine);

  const { base } = normaliseEndpoint(options.baseUrl)!;
  const fitStore: FitStore = options.fitStore ?? memoryFitStore();
  const fitted = (): Fit => fitStore.get(base, options.model) ?? {};
  let type = '';
  const watched: typeof fetch = async (...parameters) => {
    const response = await (options.fetch ?? globalThis.fetch)(...parameters);
    type = response.headers.get('content-type') ?? '';
    return response;
  };
  const llm = createOpenai({ ...options, fitStore, fetch: watched });
  let probe: Probe | undefined;
  let fault: UserError | undefined;
  try {
    // Stop strings and streaming are seen in the same reply that shows whether there is one at all.
    const say: Message[] = [{ role: 'user', content: 'Write these words, and nothing else: alpha beta gamma delta' }];
    probe = await ask(say, { maxTokens: 256, temperature: 0, stop: ['gamma'] });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    fault = error;
  }
  const kind = fault?.cause instanceof RequestFailed ? fault.cause.failure.kind : undefined;
  const at = fault ? ((kind && STEP_OF[kind]) ?? 'completion') : undefined;
  for (const step of ORDER) {
    if (step === at) {
      const models = step === 'model' ? await listModels(options, fitted().base ?? base, signal) : undefined;
      const fix =
        step === 'key' ? { setKey: true as const } : models?.[0] === undefined ? undefined : { model: models[0] };
      yield result(step, false, `${fault!.message} ${fault!.hint}`, fix);
      return;
    }
    const other = fitted().base;
    if (step === 'path' && other !== undefined) yield result(step, true, words.answersUnder(other), { baseUrl: other });
    else if (step === 'tls' && base.startsWith('http:')) yield result(step, true, words.plain);
    else if (step === 'key' && !options.key) yield result(step, true, words.noKey);
    else if (step === 'completion' && probe) yield result(step, true, words.firstToken(Math.round(probe.firstTokenMs)));
    else yield result(step, true, words.fine);
  }
  if (!probe) return;

  const { drop = [] } = fitted();
  const streams = !/json/i.test(type) && !drop.includes('stream');
  yield result('streaming', streams, streams ? words.streams : words.whole);
  const ignored = probe.text.includes('gamma');
  const refused = drop.includes('stop');
  yield result(
    'stop',
    !ignored && !refused,
    refused ? words.stopRefused : ignored ? words.stopIgnored : words.stopTaken,
  );
  const { usage } = probe;
  yield result('usage', usage !== undefined, usage ? words.usage(usage.prompt, usage.completion) : words.noUsage);

  const tool = { name: 'note_word', description: 'Notes a word.', parameters: WORD_PARAMETER };
  const asked: Message[] = [{ role: 'user', content: 'Call note_word with the word “alpha”.' }];
  const called = await ask(asked, { maxTokens: 256, temperature: 0, tools: [tool] }).catch(() => undefined);
  signal.throwIfAborted();
  const calls = called !== undefined && called.calls > 0;
  yield result('tools', calls, calls ? words.tools : words.noTools);

  const window =
    llm.contextWindow ??
    (await learnContextWindow({ ...options, baseUrl: fitted().base ?? base }, options.model, signal));
  yield result('window', window !== undefined, window === undefined ? words.noWindow : words.window(window));

  async function ask(messages: Message[], llmOptions: LlmOptions): Promise<Probe> {
    const begun = performance.now();
    const probed: Probe = { text: '', calls: 0, firstTokenMs: 0 };
    for await (const chunk of llm.stream(messages, llmOptions, signal)) {
      if (chunk.type === 'usage') probed.usage = chunk.usage;
      if (chunk.type === 'tool-call') probed.calls++;
      if (chunk.type !== 'text' && chunk.type !== 'reasoning') continue;
      probed.firstTokenMs ||= performance.now() - begun;
      if (chunk.type === 'text') probed.text += chunk.text;
    }
    return probed;
  }
}

const WORD_PARAMETER = {
  type: 'object',
  properties: { word: { type: 'string' } },
  required: ['word'],
};
