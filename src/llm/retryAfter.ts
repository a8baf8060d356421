/** Milliseconds to wait: from the headers, else from the sentence itself (“try again in 1m3.5s”). */
export function readRetryAfter(headers: Headers, said: string, now = Date.now()): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const after = headers.get('retry-after');
  if (after !== null) {
    const seconds = Number(after);
    if (Number.isFinite(seconds) && after.trim() !== '') return Math.max(0, seconds * 1000);
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  const phrase =
    /(?:retry|again|wait)[^.\d]{0,30}?((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![a-z])\s*)+)/i.exec(
      said,
    )?.[1];
  if (phrase === undefined) return undefined;
  let total = 0;
  for (const [, number, unit = ''] of phrase.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const scale = /^(ms|milli)/i.test(unit) ? 1 : /^s/i.test(unit) ? 1000 : /^m/i.test(unit) ? 60_000 : 3_600_000;
    total += Number(number) * scale;
  }
  return total;
}
