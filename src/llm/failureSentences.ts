import type { Language } from '../agent/event';
import type { Failure, FailureKind } from './failures';

/** What a message about a failure may mention. */
export interface FailureFacts {
  base: string;
  model: string;
  key?: string;
  /** Models that exist there. */
  models?: string[];
  attempts: number;
  timeoutMs?: number;
  /** The machine that asks, where it is not the one that the person sits at. */
  machine?: string;
}

interface Said extends FailureFacts {
  host: string;
  /** The endpoint's words, redacted and shortened; '' where it said nothing. */
  said: string;
  failure: Failure;
}
type Text = (facts: Said) => [message: string, hint: string];

const quote = (said: string, open: string, close: string, before: string) =>
  said === '' ? '' : `${before}${open}${said}${close}`;
const en = (said: string) => quote(said, '“', /[.!?]$/.test(said) ? '”' : '”.', ' It said: ');
const zh = (said: string) => quote(said, '“', '”。', '服务器的说明：');
/** The status in brackets, where there was one. */
export const shownStatus = ({ status }: Failure, language: Language) =>
  status === undefined ? '' : language === 'zh-CN' ? `（${status}）` : ` (${status})`;
const times = (attempts: number) => `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
const seconds = (ms: number | undefined) => Math.max(1, Math.round((ms ?? 0) / 1000));
const list = (models: string[] | undefined, joint: string, more: string) =>
  !models || models.length === 0 ? '' : models.slice(0, 12).join(joint) + (models.length > 12 ? `${joint}${more}` : '');

const ENGLISH: Record<FailureKind, Text> = {
  dns: ({ host }) => [
    `The server ${host} was not found.`,
    'Check the base URL for typing errors, and that this machine is online.',
  ],
  refused: ({ host }) => [
    `Nothing answers at ${host}.`,
    'Start the model server there, or correct the host and port in the base URL.',
  ],
  tls: ({ host, failure }) => [
    `The secure connection to ${host} failed (${failure.code ?? failure.said}).`,
    'Behind a company proxy, install its certificate on this machine, and look at the settings http.proxy, http.systemCertificates and http.proxyStrictSSL. For a local server, check whether it speaks http:// instead of https://.',
  ],
  proxy: ({ host, said }) => [
    `The proxy did not let the request through to ${host}.${en(said)}`,
    'Check the settings http.proxy and http.noProxy, and whether the proxy wants you to sign in.',
  ],
  network: ({ host, failure, attempts }) => [
    `The connection to ${host} failed (${failure.code ?? (failure.said || 'no reason given')}), ${times(attempts)}.`,
    'Check that this machine is online and that the server is running, then ask again.',
  ],
  'first-byte': ({ host, timeoutMs }) => [
    `${host} did not begin to answer within ${seconds(timeoutMs)} seconds.`,
    'Ask again; a local model may still be loading. For a slow one, raise the setting reactAgent.limits.stepSeconds.',
  ],
  unauthorized: ({ host, key, said }) => [
    key ? `${host} did not accept the API key.${en(said)}` : `${host} wants an API key.${en(said)}`,
    'Set the key for this endpoint with Set API Key.',
  ],
  forbidden: ({ host, failure, said }) => [
    `${host} refused access${shownStatus(failure, 'en')}.${en(said)}`,
    'Check in your account there that the key may use this model and that the service is offered in your region, and that no firewall is in between.',
  ],
  'wrong-path': ({ base, said }) => [
    `Chat completions are not found under ${base}.${en(said)}`,
    'Correct the base URL; most servers want it to end in /v1. Test Connection finds the right path.',
  ],
  moved: ({ host, failure, said }) =>
    failure.base === undefined
      ? [
          `${host} sends the request on to ${said}.`,
          'Check the base URL, and whether a proxy or a sign-in page stands in between.',
        ]
      : [
          `${host} sends requests on to another address.`,
          `Your key goes nowhere by itself: if that is the right server, enter this base URL: ${failure.base}`,
        ],
  'no-model': ({ host, model, models, said }) => [
    `The model “${model}” is not available at ${host}.${en(said)}`,
    models && models.length > 0
      ? `Choose another with Select Model. There are: ${list(models, ', ', '…')}.`
      : 'Choose another with Select Model, or check its name.',
  ],
  'rate-limit': ({ host, failure, said }) => [
    `${host} takes no more requests for now${shownStatus(failure, 'en')}.${en(said)}`,
    failure.retryAfterMs === undefined
      ? 'Wait a little and ask again, or choose another model.'
      : `Ask again in ${seconds(failure.retryAfterMs)} seconds, or choose another model.`,
  ],
  quota: ({ host, said }) => [
    `The account at ${host} has no credit or quota left.${en(said)}`,
    'Add credit or raise the limit at the provider, or choose another model. Waiting does not help.',
  ],
  context: ({ failure, said }) => [
    `The question and what was read no longer fit into the model's context window${failure.window ? ` of ${failure.window} tokens` : ''}.${en(said)}`,
    'Choose a model with a larger window, or set a larger one where the server lets you (Ollama: num_ctx).',
  ],
  server: ({ host, failure, attempts, said }) => [
    `${host} failed${shownStatus(failure, 'en')}, ${times(attempts)}.${en(said)}`,
    'The fault lies with the server. Ask again later, or choose another model.',
  ],
  loading: ({ host, failure, attempts, said }) => [
    `${host} is not ready yet${shownStatus(failure, 'en')}, ${times(attempts)}.${en(said)}`,
    'It may still be loading the model. Wait until it has, then ask again, or choose another model.',
  ],
  rejected: ({ host, failure, said }) => [
    `${host} refused the request${shownStatus(failure, 'en')}.${en(said)}`,
    'Run Test Connection to see what this endpoint accepts, or choose another model.',
  ],
  filtered: ({ host, said }) => [
    `${host} withheld the reply (content filter).${en(said)}`,
    'Ask in other words, or choose another model. Asking the same again does not help.',
  ],
  'web-page': ({ base, said }) => [
    `A web page came back from ${base} instead of a reply${said === '' ? '' : ` (“${said}”)`}.`,
    'Check the base URL (most servers want it to end in /v1), and whether a proxy or a sign-in page stands in between.',
  ],
  garbled: ({ host }) => [
    `The reply from ${host} was garbled.`,
    'Ask again; if it stays so, a proxy in between may be at fault: run Test Connection.',
  ],
  dropped: ({ host, attempts }) => [
    `The connection to ${host} broke off in mid-reply, ${times(attempts)}.`,
    'What was written so far is kept in the trace. Ask again.',
  ],
  idle: ({ host, timeoutMs }) => [
    `${host} fell silent in mid-reply for ${seconds(timeoutMs)} seconds.`,
    'What was written so far is kept in the trace. Ask again, or raise the setting reactAgent.limits.stepSeconds for a slow model.',
  ],
  'early-end': ({ host, attempts }) => [
    `The reply from ${host} ended before it was complete, ${times(attempts)}.`,
    'What was written so far is kept in the trace. Ask again; a proxy in between may cut long replies.',
  ],
  empty: ({ host, model }) => [`${host} sent an empty reply.`, `Ask again, or choose another model than “${model}”.`],
};

const CHINESE: Record<FailureKind, Text> = {
  dns: ({ host }) => [`找不到服务器 ${host}。`, '请检查基础地址是否有误，以及本机是否联网。'],
  refused: ({ host }) => [`${host} 没有响应。`, '请先启动那里的模型服务，或更正基础地址中的主机和端口。'],
  tls: ({ host, failure }) => [
    `与 ${host} 的安全连接失败（${failure.code ?? failure.said}）。`,
    '如果使用公司代理，请在本机安装它的证书，并检查 http.proxy、http.systemCertificates 和 http.proxyStrictSSL 设置；如果是本地服务器，请确认它用的是不是 http://。',
  ],
  proxy: ({ host, said }) => [
    `代理没有让请求到达 ${host}。${zh(said)}`,
    '请检查 http.proxy 和 http.noProxy 设置，以及代理是否需要登录。',
  ],
  network: ({ host, failure, attempts }) => [
    `连接 ${host} 失败（${failure.code ?? (failure.said || '原因不明')}），已尝试 ${attempts} 次。`,
    '请确认本机已联网、服务器正在运行，然后重新提问。',
  ],
  'first-byte': ({ host, timeoutMs }) => [
    `${host} 在 ${seconds(timeoutMs)} 秒内没有开始回答。`,
    '请重新提问；本地模型可能还在加载。如果模型较慢，可以调大设置 reactAgent.limits.stepSeconds。',
  ],
  unauthorized: ({ host, key, said }) => [
    key ? `${host} 不接受这个 API 密钥。${zh(said)}` : `${host} 需要 API 密钥。${zh(said)}`,
    '请用“设置 API 密钥”命令为这个服务设置密钥。',
  ],
  forbidden: ({ host, failure, said }) => [
    `${host} 拒绝访问${shownStatus(failure, 'zh-CN')}。${zh(said)}`,
    '请在服务商的账户中确认密钥有权使用这个模型、服务在当前地区可用，并确认没有被防火墙拦截。',
  ],
  'wrong-path': ({ base, said }) => [
    `在 ${base} 下找不到对话补全接口。${zh(said)}`,
    '请更正基础地址，多数服务器的地址以 /v1 结尾。“测试连接”命令可以找到正确的路径。',
  ],
  moved: ({ host, failure, said }) =>
    failure.base === undefined
      ? [`${host} 把请求转到了 ${said}。`, '请检查基础地址，以及中间是否有代理或登录页面。']
      : [
          `${host} 把请求转到了另一个地址。`,
          `密钥不会自动发往别处；如果那是正确的服务器，请填写这个基础地址：${failure.base}`,
        ],
  'no-model': ({ host, model, models, said }) => [
    `${host} 上没有可用的模型“${model}”。${zh(said)}`,
    models && models.length > 0
      ? `请用“选择模型”命令另选一个。现有模型：${list(models, '、', '……')}。`
      : '请用“选择模型”命令另选一个，或检查模型名称。',
  ],
  'rate-limit': ({ host, failure, said }) => [
    `${host} 暂时不再接受请求${shownStatus(failure, 'zh-CN')}。${zh(said)}`,
    failure.retryAfterMs === undefined
      ? '请稍后重新提问，或换一个模型。'
      : `请在 ${seconds(failure.retryAfterMs)} 秒后重新提问，或换一个模型。`,
  ],
  quota: ({ host, said }) => [
    `${host} 的账户余额或配额已用完。${zh(said)}`,
    '请在服务商处充值或提高限额，或换一个模型。等待不能解决问题。',
  ],
  context: ({ failure, said }) => [
    `问题和已读内容超出了模型的上下文窗口${failure.window ? `（${failure.window} 个 token）` : ''}。${zh(said)}`,
    '请选择上下文更大的模型；如果服务器允许，也可以调大窗口（Ollama 的 num_ctx）。',
  ],
  server: ({ host, failure, attempts, said }) => [
    `${host} 出错${shownStatus(failure, 'zh-CN')}，已尝试 ${attempts} 次。${zh(said)}`,
    '问题出在服务器一方。请稍后重新提问，或换一个模型。',
  ],
  loading: ({ host, failure, attempts, said }) => [
    `${host} 尚未就绪${shownStatus(failure, 'zh-CN')}，已尝试 ${attempts} 次。${zh(said)}`,
    '它可能还在加载模型。请等加载完成后重新提问，或换一个模型。',
  ],
  rejected: ({ host, failure, said }) => [
    `${host} 拒绝了请求${shownStatus(failure, 'zh-CN')}。${zh(said)}`,
    '请运行“测试连接”，看看这个服务接受什么，或换一个模型。',
  ],
  filtered: ({ host, said }) => [
    `${host} 拦截了回复（内容过滤）。${zh(said)}`,
    '请换一种问法，或换一个模型。原样重问没有用。',
  ],
  'web-page': ({ base, said }) => [
    `${base} 返回的是网页而不是回复${said === '' ? '' : `（“${said}”）`}。`,
    '请检查基础地址（多数服务器的地址以 /v1 结尾），以及中间是否有代理或登录页面。',
  ],
  garbled: ({ host }) => [
    `${host} 的回复已损坏。`,
    '请重新提问；如果一直这样，可能是中间的代理有问题，请运行“测试连接”。',
  ],
  dropped: ({ host, attempts }) => [
    `与 ${host} 的连接在回复途中断开，已尝试 ${attempts} 次。`,
    '已写出的部分保留在轨迹中。请重新提问。',
  ],
  idle: ({ host, timeoutMs }) => [
    `${host} 在回复途中停顿了 ${seconds(timeoutMs)} 秒。`,
    '已写出的部分保留在轨迹中。请重新提问；如果模型较慢，可以调大设置 reactAgent.limits.stepSeconds。',
  ],
  'early-end': ({ host, attempts }) => [
    `${host} 的回复没有写完就结束了，已尝试 ${attempts} 次。`,
    '已写出的部分保留在轨迹中。请重新提问；中间的代理可能会截断较长的回复。',
  ],
  empty: ({ host, model }) => [`${host} 返回了空回复。`, `请重新提问，或换用“${model}”以外的模型。`],
};

/** What happened, and what to do next, by the kind of a failure. */
export const SENTENCES: Record<Language, Record<FailureKind, Text>> = { en: ENGLISH, 'zh-CN': CHINESE };
