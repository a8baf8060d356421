import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Failure, FailureKind } from '../../src/llm/failures';
import { toUserError } from '../../src/llm/failureTexts';
import { TIMEOUTS, timeoutsFor } from '../../src/llm/openai';
import { waitBefore } from '../../src/llm/retry';
import { readRateReset, readRetryAfter } from '../../src/llm/retryAfter';
import { collect, openaiAt } from '../support/ask';
import { type ModelReplySpec, type ModelServer, startModelServer } from '../support/modelServer';
import { ofType } from '../support/wire';

/** All waits for one failure that does not end, in milliseconds, with the usual backoff and without jitter. */
function waits(kind: FailureKind, more: Partial<Failure> = {}): number[] {
  const all: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const wait = waitBefore({ kind, said: '', ...more }, attempt, 500, () => 0);
    if (wait === undefined) return all;
    all.push(wait);
  }
}
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

describe('patience with a server', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer();
  });
  after(() => server.close());

  it('lasts for more than the window of a rate limit', () => {
    assert.ok(sum(waits('rate-limit')) > 60_000);
  });

  it('lasts for as long as it takes to load a model, with waits that are soon over', () => {
    const loading = waits('loading');
    assert.ok(sum(loading) > 300_000);
    assert.ok(Math.max(...loading) <= 10_000);
  });

  it('lasts longer with one that has too much to do than with one that is broken', () => {
    const broken = sum(waits('server', { status: 500 }));
    for (const status of [503, 529]) assert.ok(sum(waits('server', { status })) > 5 * broken);
    assert.deepEqual(waits('server', { status: 501 }), []);
  });

  it('is as long as it asks for, but never shorter than the backoff', () => {
    assert.deepEqual(waits('rate-limit', { retryAfterMs: 0 }), waits('rate-limit'));
    const asked = waits('rate-limit', { retryAfterMs: 3000 });
    assert.deepEqual(asked.slice(0, 5), [3000, 3000, 3000, 4000, 8000]);
    assert.deepEqual(waits('rate-limit', { retryAfterMs: 11 * 60_000 }), []);
  });

  it('lasts as long as it is asked for, in whatever way', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const wait = (headers: Record<string, string>, said = '', body: object = {}) =>
      readRetryAfter(new Headers(headers), JSON.stringify(body), said, now);
    assert.equal(wait({ 'retry-after': '33' }, 'try again in 2s'), 33_000);
    assert.equal(wait({ 'retry-after-ms': '250', 'retry-after': '9' }), 250);
    assert.equal(wait({ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }), 20_000);
    assert.equal(wait({}, 'Please retry after 33 seconds.'), 33_000);
    assert.equal(wait({}, 'Please try again in 1m3.5s.'), 63_500);
    assert.equal(wait({}, 'Please try again in 850ms.'), 850);
    assert.equal(wait({}, '请 20 秒后重试'), 20_000);
    assert.equal(wait({}, 'Rate limit of 60 requests per minute'), undefined);
    assert.equal(wait({ 'retry-after': '1s' }), 1000);
    assert.equal(wait({ 'retry-after': 'soon' }), undefined);
    assert.equal(wait({}, '', { error: { details: [{ retryDelay: '33.5s' }] } }), 33_500);
    assert.equal(wait({}, '', { error: 'loading', estimated_time: 20 }), 20_000);
    const reset = (headers: Record<string, string>) => readRateReset(new Headers(headers), now);
    assert.equal(reset({ 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-reset-tokens': '850ms' }), 850);
    assert.equal(
      reset({
        'x-ratelimit-reset-requests': '12s',
        'x-ratelimit-reset-tokens': '1s',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-remaining-tokens': '9000',
      }),
      12_000,
    );
    assert.equal(reset({ 'x-ratelimit-reset': String(now + 5000) }), 5000);
    assert.equal(reset({ 'ratelimit-reset': '30' }), 30_000);
    assert.equal(reset({ 'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:09Z' }), 9000);
    assert.equal(reset({ 'x-ratelimit-limit-requests': '60' }), undefined);
  });

  it('grows with the time that the user gives to a step, by a setting that hints name', () => {
    assert.deepEqual(timeoutsFor(90), { firstByteMs: TIMEOUTS.firstByteMs, idleMs: TIMEOUTS.idleMs });
    const { firstByteMs = 0, idleMs = 0 } = timeoutsFor(600);
    assert.ok(firstByteMs >= 600_000 && idleMs > TIMEOUTS.idleMs);
    const manifest = readFileSync('package.json', 'utf8');
    for (const kind of ['first-byte', 'idle'] as const) {
      for (const language of ['en', 'zh-CN'] as const) {
        const facts = { base: 'https://host.example/v1', model: 'm', attempts: 1, timeoutMs: 60_000 };
        const [setting] = /reactAgent\.[\w.]*\w/.exec(toUserError({ kind, said: '' }, facts, language).hint) ?? [];
        assert.ok(setting && manifest.includes(`"${setting}"`), setting);
      }
    }
  });

  it('is kept with each wait said aloud, until the model is loaded', async () => {
    const loading = { status: 503, body: { error: { message: 'Loading model', type: 'unavailable_error' } } };
    const silent = { status: 503, body: '' };
    for (const reply of [loading, silent]) {
      const replies: ModelReplySpec[] = Array.from({ length: 8 }, () => reply);
      server.fallback = () => replies.shift() ?? 'Yes.';
      const { text, notices } = await collect(openaiAt(server.baseUrl));
      assert.equal(text, 'Yes.');
      assert.equal(notices.length, 8);
      for (const notice of notices) assert.match(notice, /^retry: The server is not ready yet \(503\)\. Attempt/);
    }
  });

  it('tells each wait in milliseconds, too', async () => {
    server.queue.push({ status: 503, body: { error: { message: 'busy' } } }, 'Fine.');
    const { chunks } = await collect(openaiAt(server.baseUrl, { timeouts: { backoffMs: 200 } }));
    const [notice] = ofType(chunks, 'notice');
    assert.ok(notice?.waitMs && notice.waitMs >= 100 && notice.waitMs <= 300, `${notice?.waitMs}`);
  });

  it('is not asked of who only tests the connection', async () => {
    server.fallback = () => ({ status: 503, body: { error: { message: 'Loading model' } } });
    const { error, notices } = await collect(openaiAt(server.baseUrl, { once: true }));
    assert.match(error!.message, /is not ready yet \(503\), 1 attempt\. It said: “Loading model”/);
    assert.deepEqual(notices, []);
  });
});
