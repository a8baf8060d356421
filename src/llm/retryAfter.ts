const UNIT = '(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![a-z])';
const DURATION = `(?:\\d+(?:\\.\\d+)?\\s*${UNIT}\\s*)+`;
const ONLY_DURATION = new RegExp(`^${DURATION}$`, 'i');

/** “Please try again in 1m3.5s”, “Please wait 41000 seconds before retrying”, “请 20 秒后重试”. */
const SENTENCES = [
  new RegExp(`(?:retry|again|wait)[^.\\d]{0,30}?(${DURATION})`, 'i'),
  /(\d+(?:\.\d+)?\s*(?:毫秒|秒|分钟))[^。]{0,6}(?:重试|再试)/,
];

/** Fields of a body: Google's RetryInfo (`"33s"`), Hugging Face's estimate of the time a model takes to load. */
const FIELDS = /"(?:retryDelay|retry_after|estimated_time)":\s*"?(\d+(?:\.\d+)?)s?"?/;

/** Milliseconds to wait: from the headers, else from the body's fields, else from its sentences. */
export function readRetryAfter(headers: Headers, text: string, said: string, now = Date.now()): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const after = readTime(headers.get('retry-after') ?? '', now);
  if (after !== undefined) return after;
  const field = FIELDS.exec(text)?.[1];
  if (field !== undefined) return Number(field) * 1000;
  for (const sentence of SENTENCES) {
    const phrase = sentence.exec(said)?.[1];
    if (phrase !== undefined) return readDuration(phrase);
  }
  return undefined;
}

/**
 * Milliseconds until a rate limit's window begins anew, from headers like `x-ratelimit-reset-requests`: until all windows
 * that are used up do, or where none is said to be, the first one.
 */
export function readRateReset(headers: Headers, now = Date.now()): number | undefined {
  const usedUp: number[] = [];
  const all: number[] = [];
  for (const [name, value] of headers) {
    if (!/ratelimit\b.*\breset/.test(name)) continue;
    const time = readTime(value, now);
    if (time === undefined) continue;
    all.push(time);
    if (headers.get(name.replace('reset', 'remaining')) === '0') usedUp.push(time);
  }
  if (usedUp.length > 0) return Math.max(...usedUp);
  return all.length > 0 ? Math.min(...all) : undefined;
}

/** Seconds, “1m3s”, a date, or a moment in seconds or milliseconds since 1970. */
function readTime(value: string, now: number): number | undefined {
  const trimmed = value.trim();
  if (ONLY_DURATION.test(trimmed)) return readDuration(trimmed);
  const number = Number(trimmed);
  if (trimmed === '' || number === Number.POSITIVE_INFINITY) return undefined;
  if (!Number.isNaN(number)) {
    return Math.max(0, number > 1e12 ? number - now : number > 1e9 ? number * 1000 - now : number * 1000);
  }
  const date = Date.parse(trimmed);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readDuration(phrase: string): number {
  let total = 0;
  for (const [, number, unit = ''] of phrase.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+|毫秒|秒|分钟)/gi)) {
    const scale = /^(ms|milli|毫秒)/i.test(unit)
      ? 1
      : /^(s|秒)/i.test(unit)
        ? 1000
        : /^(m|分钟)/i.test(unit)
          ? 60_000
          : 3_600_000;
    total += Number(number) * scale;
  }
  return total;
}
