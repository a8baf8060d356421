import type { Language } from '../../agent/event';
import type { FailureKind } from '../failures';
import type { TestStep } from './result';

interface Words {
  labels: Record<TestStep, string>;
  fine: string;
  untested: string;
  /** Not encrypted: to this machine or the own network, and to any other. */
  plain: string;
  plainPublic: string;
  noKey: string;
  noKeyEntered: string;
  answersUnder: (base: string) => string;
  firstToken: (ms: number) => string;
  noText: string;
  streams: string;
  whole: string;
  stop: { taken: string; ignored: string; refused: string; unclear: string };
  usage: (prompt: number, completion: number) => string;
  noUsage: string;
  tools: string;
  noTools: string;
  toolsUntested: (reason: string) => string;
  window: (tokens: number) => string;
  noWindow: string;
  /** Even the test's few words were too many. */
  overflow: (window: number | undefined) => string;
  rateLimited: (seconds: number | undefined) => string;
  /** What to do now, where the advice after a question would not fit. */
  hints: Partial<Record<FailureKind, string>>;
}

const AGAIN = 'Test again in a moment. If it stays so, see what the server’s own log says, or choose another model.';
const AGAIN_CHINESE = '请稍后再测试；如果一直这样，请查看服务器自己的日志，或换一个模型。';
const repeated = (hint: string): Partial<Record<FailureKind, string>> =>
  Object.fromEntries(
    (['network', 'server', 'dropped', 'idle', 'early-end', 'garbled', 'empty'] as const).map((kind) => [kind, hint]),
  );

export const TEXTS: Record<Language, Words> = {
  en: {
    labels: {
      entered: 'What was entered',
      name: 'Server name',
      port: 'Port',
      tls: 'Encryption',
      path: 'Path',
      key: 'Key',
      model: 'Model',
      completion: 'First reply',
      streaming: 'Streaming',
      stop: 'Stop strings',
      usage: 'Token counts',
      tools: 'Native tools',
      window: 'Context window',
    },
    fine: 'fine',
    untested: 'not tested',
    plain: 'not encrypted; fine on this machine or in your own network',
    plainPublic: 'not encrypted; anyone on the way can read what is sent',
    noKey: 'none needed',
    noKeyEntered: 'none entered; not tested',
    answersUnder: (base) => `This server answers under ${base}: use that.`,
    firstToken: (ms) => `first token after ${ms} ms`,
    noText: 'came without any text',
    streams: 'the reply comes piece by piece',
    whole: 'the reply comes in one piece',
    stop: {
      taken: 'honoured',
      ignored: 'ignored; replies are cut here instead',
      refused: 'not taken; replies are cut here instead',
      unclear: 'not clear: the model did not write the words it was asked for; replies are cut here where need be',
    },
    usage: (prompt, completion) => `told (${prompt} in, ${completion} out)`,
    noUsage: 'not told; costs stay unknown, and budgets go by estimates',
    tools: 'work',
    noTools: 'not available; the text protocol works without them',
    toolsUntested: (reason) => `not tested: ${reason}`,
    window: (tokens) => `${tokens} tokens`,
    noWindow: 'not told; it is learnt from the first overflow, or set in the settings',
    overflow: (window) =>
      window === undefined
        ? 'Even a short request is too long for this server, or for a proxy before it. Give it a larger context window (Ollama: num_ctx), or choose another model.'
        : `Even a short request is too long for this server: it names a context window of ${window} tokens. Give it a larger one (Ollama: num_ctx), or choose another model.`,
    rateLimited: (seconds) =>
      `Rate limited: try again ${seconds === undefined ? 'later' : `in ${seconds} s`}, or choose another model.`,
    hints: {
      ...repeated(AGAIN),
      'first-byte': 'A local model may still be loading: test again in a while, or see what the server’s own log says.',
      'wrong-path':
        'Correct the base URL: neither it nor the usual paths beside it (such as /v1) take chat completions.',
      rejected: 'Look up what this endpoint takes, or choose another model.',
      filtered: 'Choose another model: this one’s filter refuses even a harmless request.',
    },
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
      completion: '首次回复',
      streaming: '流式输出',
      stop: '停止序列',
      usage: 'token 计数',
      tools: '原生工具',
      window: '上下文窗口',
    },
    fine: '正常',
    untested: '未测试',
    plain: '未加密；在本机或自己的网络中没有问题',
    plainPublic: '未加密；途中任何人都能读到所发内容',
    noKey: '不需要',
    noKeyEntered: '未填写；未测试',
    answersUnder: (base) => `该服务器的接口位于 ${base}，请使用这个地址。`,
    firstToken: (ms) => `${ms} 毫秒后收到第一个 token`,
    noText: '已收到，但没有任何文字',
    streams: '回复逐段到达',
    whole: '回复一次性到达',
    stop: {
      taken: '有效',
      ignored: '被忽略；改由本扩展截断回复',
      refused: '不接受；改由本扩展截断回复',
      unclear: '无法判断：模型没有写出要求的词语；需要时由本扩展截断回复',
    },
    usage: (prompt, completion) => `已提供（输入 ${prompt}，输出 ${completion}）`,
    noUsage: '未提供；费用无法得知，预算按估算值计',
    tools: '可用',
    noTools: '不可用；文本协议不需要原生工具',
    toolsUntested: (reason) => `未测试：${reason}`,
    window: (tokens) => `${tokens} 个 token`,
    noWindow: '未提供；第一次超出时才能得知，也可在设置中填写',
    overflow: (window) =>
      window === undefined
        ? '对这个服务器（或它前面的代理）来说，很短的请求也太长。请调大它的上下文窗口（Ollama 的 num_ctx），或换一个模型。'
        : `对这个服务器来说，很短的请求也太长：它给出的上下文窗口是 ${window} 个 token。请调大窗口（Ollama 的 num_ctx），或换一个模型。`,
    rateLimited: (seconds) =>
      `请求受到限流：请${seconds === undefined ? '稍后' : `在 ${seconds} 秒后`}再试，或换一个模型。`,
    hints: {
      ...repeated(AGAIN_CHINESE),
      'first-byte': '本地模型可能还在加载：请过一会儿再测试，或查看服务器自己的日志。',
      'wrong-path': '请更正基础地址：它和常见的相邻路径（如 /v1）都不接受对话补全请求。',
      rejected: '请查阅这个服务接受什么，或换一个模型。',
      filtered: '请换一个模型：这个模型的过滤器连无害的请求也拒绝。',
    },
  },
};
