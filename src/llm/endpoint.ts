import type { ErrorAction } from '../agent/errors';
import type { Language } from '../agent/event';
import { redact } from './redact';

/** A base URL, taken apart: requests go to `base` + path + `query`. */
export interface Endpoint {
  /** Without a slash at the end, and without the path of a single method. */
  base: string;
  /** As an Azure-style gateway needs it (`api-version=…`); empty where there is none. */
  query: Record<string, string>;
}

/**
 * Brings a base URL as people paste it to one form: no slash at the end, no `/chat/completions`, no doubled `/v1`; a query
 * stays. Undefined when it is not an http(s) URL.
 */
export function normaliseEndpoint(baseUrl: string): Endpoint | undefined {
  let url: URL;
  try {
    url = new URL(baseUrl.trim());
  } catch {
    return undefined;
  }
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  const path = url.pathname
    .replace(/\/{2,}/g, '/')
    .replace(/\/+$/, '')
    .replace(/\/(chat\/completions|completions|chat|models|responses|embeddings)$/, '')
    .replace(/(\/v\d+)\1+$/, '$1');
  return { base: url.origin + path, query: Object.fromEntries(url.searchParams) };
}

/** A base URL as people type it, trimmed, with the scheme that they left out: http:// in the own network, else https://. */
export function withScheme(baseUrl: string): string {
  const bare = baseUrl.trim();
  const host = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?(\/\S*)?$/i.exec(bare)?.[1];
  if (host === undefined || !/[.:]|^localhost/.test(bare)) return bare;
  return `${isPrivateHost(host) ? 'http' : 'https'}://${bare}`;
}

/** Where else a server may answer: with `/v1` added, or without it, or under `/v1` right after the host. */
export function otherBases(base: string): string[] {
  const toggled = /\/v1$/.test(base) ? base.slice(0, -3) : `${base}/v1`;
  const plain = `${new URL(base).origin}/v1`;
  return [...new Set([toggled, plain])].filter((other) => other !== base);
}

/** True for this machine and for networks that are not the open Internet. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (host === 'localhost' || /\.(localhost|local|lan|internal|intranet|home|corp|home\.arpa)$/.test(host)) return true;
  if (host.includes(':')) return host === '::1' || /^(f[cd]|fe[89ab])/.test(host);
  const parts = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (!parts) return !host.includes('.');
  const [first, second] = [Number(parts[1]), Number(parts[2])];
  return (
    first === 127 ||
    first === 10 ||
    (first === 192 && second === 168) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 169 && second === 254) ||
    (first === 100 && second >= 64 && second < 128)
  );
}

/** Something wrong with what the user entered. A `warning` is said, and the request is sent. */
export interface EndpointProblem {
  severity: 'error' | 'warning';
  field: 'baseUrl' | 'model' | 'key';
  message: string;
  hint: string;
  action: ErrorAction;
  /** A value that would be right. */
  fix?: string;
}

const TEXTS: Record<Language, Record<string, (value: string) => [message: string, hint: string]>> = {
  en: {
    notUrl: (value) => [
      value === '' ? 'No base URL is set.' : `The base URL “${value}” is not a URL.`,
      'Enter one that begins with https:// or http://, for instance https://api.openai.com/v1 or http://localhost:11434/v1.',
    ],
    credentials: () => [
      'The base URL holds a user name or a password.',
      'Take them out of the URL, and store the key with Set API Key.',
    ],
    plainHttp: (value) => [
      `The key is sent to ${value} without encryption.`,
      'Use https:// where the server offers it: anyone on the way can read a key sent over http://.',
    ],
    noModel: () => ['No model is chosen.', 'Choose one with Select Model, or enter its name in the settings.'],
    modelSpace: (value) => [
      `The model name “${value}” begins or ends with a space.`,
      'Enter it again, without spaces around it.',
    ],
    bearer: () => ['The key begins with “Bearer”.', 'Set the key again without that word; it is added by itself.'],
    keySpace: () => ['The key holds a space or a line break.', 'Set the key again; copy it in one piece.'],
    keyCharacters: () => [
      'The key holds characters that no key can have.',
      'Set the key again; copy it from where it was issued.',
    ],
  },
  'zh-CN': {
    notUrl: (value) => [
      value === '' ? '还没有设置基础地址。' : `基础地址“${value}”不是有效的网址。`,
      '请填写以 https:// 或 http:// 开头的地址，例如 https://api.openai.com/v1 或 http://localhost:11434/v1。',
    ],
    credentials: () => ['基础地址里含有用户名或密码。', '请把它们从地址中去掉，并用“设置 API 密钥”命令保存密钥。'],
    plainHttp: (value) => [
      `密钥正以明文发送到 ${value}。`,
      '如果服务器支持，请改用 https://：经由 http:// 发送的密钥可能在途中被人读取。',
    ],
    noModel: () => ['还没有选择模型。', '请用“选择模型”命令选一个，或在设置中填写模型名称。'],
    modelSpace: (value) => [`模型名称“${value}”的首尾有空格。`, '请重新填写，去掉首尾的空格。'],
    bearer: () => ['密钥以“Bearer”开头。', '请重新设置密钥，不要带这个词，它会自动加上。'],
    keySpace: () => ['密钥中有空格或换行。', '请重新设置密钥，复制时注意保持完整的一行。'],
    keyCharacters: () => ['密钥中含有密钥不可能有的字符。', '请从签发页面重新复制并设置密钥。'],
  },
};

/**
 * Checks what the user entered before anything is sent. Errors come first.
 * @param requireModel false where the model is still to be chosen, as when models are listed
 */
export function validateEndpoint(
  entered: { baseUrl?: string; model?: string; key?: string },
  language: Language = 'en',
  requireModel = true,
): EndpointProblem[] {
  const problems: EndpointProblem[] = [];
  const add = (
    severity: EndpointProblem['severity'],
    field: EndpointProblem['field'],
    text: string,
    value = '',
    fix?: string,
  ) => {
    const [message, hint] = TEXTS[language][text]!(value);
    const action: ErrorAction = field === 'key' ? 'set-key' : field === 'model' ? 'select-model' : 'open-settings';
    problems.push({ severity, field, message, hint, action, ...(fix === undefined ? {} : { fix }) });
  };
  const { baseUrl = '', model = '', key = '' } = entered;
  const endpoint = normaliseEndpoint(baseUrl);
  if (!endpoint) {
    const bare = baseUrl.trim();
    const whole = withScheme(bare);
    add('error', 'baseUrl', 'notUrl', redact(bare.slice(0, 120), key), whole === bare ? undefined : whole);
  } else {
    const url = new URL(baseUrl.trim());
    if (url.username !== '' || url.password !== '') add('error', 'baseUrl', 'credentials');
  }
  if (requireModel && model.trim() === '') add('error', 'model', 'noModel');
  else if (model !== model.trim()) add('error', 'model', 'modelSpace', model, model.trim());
  if (/^bearer\s/i.test(key)) add('error', 'key', 'bearer');
  else if (/\s/.test(key)) add('error', 'key', 'keySpace');
  else if (/[^\x21-\x7e]/.test(key)) add('error', 'key', 'keyCharacters');
  if (endpoint && key !== '' && endpoint.base.startsWith('http:')) {
    const { hostname } = new URL(endpoint.base);
    if (!isPrivateHost(hostname)) add('warning', 'baseUrl', 'plainHttp', hostname);
  }
  return problems;
}
