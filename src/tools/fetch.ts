import type { Language } from '../agent/event';
import type { Tool, ToolResult } from '../agent/tool';
import {
  FetchError,
  type FetchFailure,
  type FetchOptions,
  GuardedFetch,
  type WebResponse,
} from '../knowledge/guardedFetch';
import type { Reader } from '../knowledge/reader';
import { readWebPage } from '../knowledge/webPage';
import { openPage } from './openPage';

interface FetchTexts {
  empty: string;
  failed: Record<FetchFailure, (detail: string) => string>;
  status(url: string, status: number, title: string): string;
  pdf(url: string): string;
  unreadable(url: string, type: string): string;
  cut: string;
}

const TEXTS: Record<Language, FetchTexts> = {
  en: {
    empty: 'Fetch needs the address of a web page between the brackets.',
    failed: {
      address: (detail) => `“${detail}” is no web address. An address such as https://example.org/page is needed.`,
      scheme: (detail) => `Addresses that begin with “${detail}:” are not fetched; only http and https are.`,
      blocked: (detail) =>
        `${detail} is not on the public internet, so it was not asked. A setting of the user can open named hosts.`,
      redirects: (detail) => `The address was redirected more than ${detail} times and was given up.`,
      timeout: (detail) => `${detail} did not answer in time. Another page may say the same.`,
      network: (detail) => `The page could not be reached (${detail}). The address may be misspelt.`,
      encoding: (detail) => `${detail} sent a body that can't be read.`,
    },
    status: (url, status, title) =>
      `${url} answered with status ${status}${title && `: “${title}”`}. There is no page to read; another address is needed.`,
    pdf: (url) => `${url} is a PDF, which can't be read here. A web page about the same may help.`,
    unreadable: (url, type) => `${url} is no text (${type}), so there is nothing to read.`,
    cut: 'The page was too large or broke off: only its beginning was read.',
  },
  'zh-CN': {
    empty: 'Fetch 的方括号里需要填写网页地址。',
    failed: {
      address: (detail) => `“${detail}”不是网址。需要形如 https://example.org/page 的地址。`,
      scheme: (detail) => `不读取以“${detail}:”开头的地址，只支持 http 和 https。`,
      blocked: (detail) => `${detail} 不在公共互联网上，因此没有访问。用户可以在设置中开放指定的主机。`,
      redirects: (detail) => `该地址的重定向超过 ${detail} 次，已放弃。`,
      timeout: (detail) => `${detail} 没有及时响应。其他网页可能有相同的内容。`,
      network: (detail) => `无法访问该网页（${detail}）。地址可能有误。`,
      encoding: (detail) => `${detail} 返回的内容无法读取。`,
    },
    status: (url, status, title) =>
      `${url} 返回状态码 ${status}${title && `：“${title}”`}。没有可读的网页，需要换一个地址。`,
    pdf: (url) => `${url} 是 PDF 文件，此处无法读取。介绍相同内容的网页或许有用。`,
    unreadable: (url, type) => `${url} 不是文本（${type}），没有可读的内容。`,
    cut: '网页过大或传输中断，只读取了开头部分。',
  },
};

/** The address as models write it: in quotes, angle brackets or a Markdown link, or without its scheme. */
export function cleanAddress(input: string): string {
  let address = input.trim();
  address = /^\[[^\]]*\]\(([^)\s]+)\)$/.exec(address)?.[1] ?? address;
  address = address.replace(/^["'“”‘’`<(\s]+|["'“”‘’`>)\s]+$/g, (mark, at) =>
    at > 0 && mark === ')' && address.includes('(') ? mark : '',
  );
  if (/^\/\//.test(address)) return `https:${address}`;
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address);
  return hasScheme ? address : `https://${address}`;
}

/** What says nothing about the address, so that it may be tried once more. */
const passing = (reason: FetchFailure | number) =>
  reason === 'timeout' || reason === 'network' || reason === 429 || Number(reason) >= 500 ? { transient: true } : {};

/** An address as it is told in a sentence. */
const shortened = (url: string) => (url.length > 200 ? `${url.slice(0, 199)}…` : url);

/** Opens a web page. One request at a time for a host; see GuardedFetch for what is refused. */
export function fetchTool({ reader, fetch = {} }: { reader: Reader; fetch?: FetchOptions }): Tool {
  const web = new GuardedFetch(fetch);
  const request = (input: string) => `fetch ${input.trim()}`;
  return {
    name: 'Fetch',
    aliases: ['open url', 'fetch url', 'browse', 'visit', 'read url', 'web fetch', 'http get', '打开网页', '抓取'],
    argument: 'url',
    description: {
      en: 'opens a web page by its address and shows its beginning; Lookup then works on it.',
      'zh-CN': '按地址打开网页并显示开头；之后可用 Lookup 在其中查找。',
    },
    example: { en: 'https://example.org/history', 'zh-CN': 'https://example.org/history' },
    opensPage: true,
    reopen: (input) => reader.reopen(request(input)),
    async run(input, { language }, signal) {
      const texts = TEXTS[language];
      if (input.trim() === '') return { text: texts.empty, ok: false };
      // The words of a miss may be the server's: the title of its error page, the address it sent us to.
      const miss = (text: string): ToolResult => ({ text, ok: false, outside: true });
      let response: WebResponse;
      try {
        response = await web.get(cleanAddress(input), signal);
      } catch (error) {
        if (!(error instanceof FetchError)) throw error;
        return { ...miss(texts.failed[error.failure](error.detail)), ...passing(error.failure) };
      }
      const url = shortened(response.url);
      const page = await readWebPage(response, new Date().toISOString());
      if (page.kind === 'status') {
        return { ...miss(texts.status(url, page.status, page.title)), ...passing(page.status) };
      }
      if (page.kind === 'unreadable') {
        return miss(page.type === 'application/pdf' ? texts.pdf(url) : texts.unreadable(url, page.type));
      }
      const { document, sectionTitle } = page;
      const section = sectionTitle === undefined ? {} : { sectionTitle };
      const note = page.cut ? { note: texts.cut } : {};
      return openPage({ kind: 'page', document, ...section, ...note }, request(input), reader, language);
    },
  };
}
