import type { Language } from '../agent/event';
import { shownStatus } from './failureSentences';
import type { Failure, FailureKind } from './failures';

/** Requests in all, the first one counted. With the usual backoff: */
const ATTEMPTS: Partial<Record<FailureKind, number>> = {
  // More than a minute in all, which is the usual window of a limit.
  'rate-limit': 9,
  // Five minutes: a large model takes as long from a slow disk.
  loading: 36,
  server: 3,
  network: 3,
  'first-byte': 2,
  // The partial text is void then, so once more must do.
  dropped: 2,
  idle: 2,
  garbled: 2,
  'early-end': 2,
  empty: 2,
};

/** Statuses of a server that works, but has too much to do. */
const BUSY: ReadonlySet<number> = new Set([503, 529]);
const BUSY_ATTEMPTS = 6;

/** How often the first wait may double: up to 20 seconds with the usual backoff, to ten for what is soon over. */
const LONGEST_BACKOFF = 40;
const LONGEST_LOADING = 20;

/** Milliseconds: a wait longer than this is not worth sitting out; it is said instead. */
const LONGEST_WAIT = 10 * 60_000;

/**
 * Milliseconds to wait before another attempt: as long as the endpoint asks, and never shorter than the backoff; undefined
 * when there is to be none.
 * @param attempt how many were made
 * @param baseMs the first wait of the backoff; it doubles each time, with jitter on top
 */
export function waitBefore(
  { kind, status = 0, retryAfterMs = 0 }: Failure,
  attempt: number,
  baseMs: number,
  random = Math.random,
): number | undefined {
  const attempts = kind === 'server' && BUSY.has(status) ? BUSY_ATTEMPTS : (ATTEMPTS[kind] ?? 1);
  if (attempt >= attempts || status === 501 || status === 505 || retryAfterMs > LONGEST_WAIT) return undefined;
  // A kept connection that the server closed in the meantime says nothing about the server.
  if (kind === 'network' && attempt === 1) return 0;
  const doubled = Math.min(2 ** (attempt - 1), kind === 'loading' ? LONGEST_LOADING : LONGEST_BACKOFF);
  return Math.max(retryAfterMs, baseMs * doubled * (1 + random() * 0.25));
}

/** @throws the signal's reason, at once when it is aborted */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

const REASONS: Record<Language, Partial<Record<FailureKind, string>> & { other: string }> = {
  en: {
    'rate-limit': 'The endpoint takes no more requests for now',
    server: 'The server failed',
    loading: 'The server is not ready yet',
    network: 'The connection failed',
    'first-byte': 'No answer began in time',
    dropped: 'The connection broke off in mid-reply',
    idle: 'The reply fell silent',
    garbled: 'The reply was garbled',
    'early-end': 'The reply ended before it was complete',
    empty: 'The reply was empty',
    other: 'The request failed',
  },
  'zh-CN': {
    'rate-limit': '服务暂时不再接受请求',
    server: '服务器出错',
    loading: '服务器尚未就绪',
    network: '连接失败',
    'first-byte': '没有按时开始回答',
    dropped: '连接在回复途中断开',
    idle: '回复中途停顿',
    garbled: '回复已损坏',
    'early-end': '回复没有写完就结束了',
    empty: '回复为空',
    other: '请求失败',
  },
};

/** The notice at the beginning of a wait. */
export function retryNotice(failure: Failure, waitMs: number, attempt: number, language: Language): string {
  const reason = (REASONS[language][failure.kind] ?? REASONS[language].other) + shownStatus(failure, language);
  const wait = waitMs >= 950 ? String(Math.round(waitMs / 1000)) : '';
  if (language === 'zh-CN') return `${reason}。${wait ? `${wait} 秒后` : '现在'}进行第 ${attempt + 1} 次尝试。`;
  return `${reason}. Attempt ${attempt + 1} follows ${wait ? `in ${wait} s` : 'at once'}.`;
}
