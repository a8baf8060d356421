import OpenAI, { APIError, APIUserAbortError } from 'openai';
import { UserError } from '../agent/errors';
import type { Language } from '../agent/event';
import { ContextOverflow, type Llm, type LlmChunk } from '../agent/llm';
import { normaliseEndpoint, validateEndpoint } from './endpoint';
import { type Failure, RequestFailed, readConnectionError, readRefusal, readStreamFault } from './failures';
import { toUserError } from './failureTexts';
import { describeFit, type Fit, type FitStore, memoryFitStore } from './fit';
import { listModels } from './models';
import { redact } from './redact';
import { ReplyReader } from './reply';
import { buildBody, type RequestBody } from './request';
import { retryNotice, sleep, waitBefore } from './retry';
import { adapt } from './selfFitting';
import { readStream, StreamFault } from './wildStream';

/** Milliseconds. */
export interface Timeouts {
  /** Until the first byte of the reply's body; a local model may have to be loaded first. */
  firstByteMs: number;
  /** Without a single byte in mid-reply. */
  idleMs: number;
  /** The first wait between attempts; it doubles. */
  backoffMs: number;
}

export const TIMEOUTS: Timeouts = { firstByteMs: 120_000, idleMs: 60_000, backoffMs: 500 };

export interface OpenaiOptions {
  baseUrl: string;
  model: string;
  /** None: no Authorization header is sent, as local servers like it. */
  key?: string;
  language?: Language;
  /** Sent with every request, on top of what the loop asks for. */
  extraBody?: Record<string, unknown>;
  timeouts?: Partial<Timeouts>;
  fitStore?: FitStore;
  /** Tokens, where the user or the server said so. */
  contextWindow?: number;
  fetch?: typeof fetch;
}

/** Milliseconds that a finished reply's body may stay open before its connection is given up. */
const GRACE_MS = 500;

/**
 * Any OpenAI-compatible endpoint, over streaming chat completions. What it refuses is left out, renamed or clamped at once
 * and remembered; what fails for a moment is tried again; what fails for good is a UserError that names the next action.
 */
export function createOpenai(options: OpenaiOptions): Llm {
  const { model, key } = options;
  const language = options.language ?? 'en';
  const times = { ...TIMEOUTS, ...options.timeouts };
  const store = options.fitStore ?? memoryFitStore();
  const problems = validateEndpoint(options, language);
  const endpoint = normaliseEndpoint(options.baseUrl);
  let warnings = problems.filter((problem) => problem.severity === 'warning');
  let window = options.contextWindow;
  let client: OpenAI | undefined;

  /** The response to one request, its body not yet read. */
  async function send(body: RequestBody, base: string, signal: AbortSignal): Promise<Response> {
    client ??= makeClient(endpoint?.query ?? {}, options);
    client.baseURL = base;
    try {
      const promise = client.chat.completions.create(body as never, { signal });
      return await promise.asResponse();
    } catch (error) {
      if (error instanceof APIUserAbortError) signal.throwIfAborted();
      if (error instanceof APIError && error.status !== undefined) {
        const raw = (error.error as { raw?: string } | undefined)?.raw ?? error.message;
        throw new RequestFailed(readRefusal(error.status, error.headers ?? new Headers(), raw));
      }
      throw new RequestFailed(readConnectionError(error));
    }
  }

  return {
    provider: 'openai',
    model,
    get contextWindow() {
      return window;
    },
    async *stream(messages, llmOptions, signal): AsyncGenerator<LlmChunk> {
      const wrong = problems.find((problem) => problem.severity === 'error');
      if (wrong || !endpoint) throw new UserError(wrong!.message, wrong!.hint, wrong!.action);
      for (const warning of warnings.splice(0)) {
        yield { type: 'notice', kind: 'security', text: `${warning.message} ${warning.hint}` };
      }
      warnings = [];
      const known = store.get(endpoint.base, model) ?? {};
      let fit: Fit = known;
      let attempts = 0;
      let failures = 0;
      let earlier: string | undefined;
      for (;;) {
        signal.throwIfAborted();
        attempts++;
        const body = buildBody(model, messages, llmOptions, options.extraBody, fit);
        const base = fit.base ?? endpoint.base;
        const reader = new ReplyReader();
        const attempt = new AbortController();
        const stop = () => attempt.abort(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        let late = false;
        const firstByte = setTimeout(() => {
          late = true;
          attempt.abort();
        }, times.firstByteMs);
        let accepted = false;
        let over = false;
        try {
          const response = await send(body, base, attempt.signal);
          clearTimeout(firstByte);
          const streamTimes = { firstMs: times.firstByteMs, idleMs: times.idleMs, graceMs: GRACE_MS };
          for await (const event of readStream(response, streamTimes, () => reader.finishReason !== undefined)) {
            if (event.type === 'error') throw new RequestFailed(readRefusal(200, response.headers, event.body));
            if (event.type === 'done') {
              over = true;
              continue;
            }
            const chunks = reader.read(event.data);
            if (!accepted) {
              accepted = true;
              if (fit !== known) {
                store.set(endpoint.base, model, fit);
                for (const text of describeFit(fit, language, known))
                  yield { type: 'notice', kind: 'fit', text: redact(text, key) };
              }
              yield { type: 'accepted', options: sentOptions(body), attempts };
            }
            yield* chunks;
          }
          over ||= reader.finishReason !== undefined || fit.unmarkedEnd === true || body.stream !== true;
          if (reader.empty && reader.finishReason === undefined) throw new RequestFailed({ kind: 'empty', said: '' });
          if (!over) {
            // The same text twice, each time without a mark: it is how this server ends its replies.
            if (earlier === reader.text) store.set(endpoint.base, model, { ...fit, unmarkedEnd: true });
            else {
              earlier = reader.text;
              throw new RequestFailed({ kind: 'early-end', said: '' });
            }
          }
          yield* reader.end();
          return;
        } catch (error) {
          signal.throwIfAborted();
          const failure = late ? ({ kind: 'first-byte', said: '' } satisfies Failure) : failureOf(error, accepted);
          if (over || (accepted && reader.finishReason !== undefined)) {
            // The reply was complete: what happens to the connection afterwards is of no matter.
            yield* reader.end();
            return;
          }
          if (reader.empty) {
            const next = adapt(failure, body, fit, base);
            if (next) {
              fit = next;
              continue;
            }
          }
          if (failure.kind === 'context') {
            window = failure.window ?? window;
            throw new ContextOverflow(redact(failure.said, key), failure.window);
          }
          failures++;
          const wait = waitBefore(failure, failures, times.backoffMs);
          if (wait === undefined) {
            const models = failure.kind === 'no-model' ? await listModels(options, base, signal) : undefined;
            const timeoutMs = failure.kind === 'idle' ? times.idleMs : times.firstByteMs;
            throw toUserError(
              failure,
              { base, model, attempts: failures, timeoutMs, ...(key ? { key } : {}), ...(models ? { models } : {}) },
              language,
            );
          }
          const text = retryNotice(failure, wait, failures, language);
          yield { type: 'notice', kind: 'retry', text, ...(reader.empty ? {} : { discard: true }) };
          await sleep(wait, signal);
        } finally {
          clearTimeout(firstByte);
          signal.removeEventListener('abort', stop);
        }
      }
    },
  };
}

function failureOf(error: unknown, accepted: boolean): Failure {
  if (error instanceof RequestFailed) return error.failure;
  if (error instanceof StreamFault) return readStreamFault(error);
  const failure = readConnectionError(error);
  return accepted && failure.kind === 'network' ? { ...failure, kind: 'dropped' } : failure;
}

/** What the trace may show of a request: everything but the conversation. */
function sentOptions({ messages: _, model: __, ...rest }: RequestBody): Record<string, unknown> {
  const { tools } = rest;
  if (!Array.isArray(tools)) return rest;
  return { ...rest, tools: tools.map((tool) => (tool as { function?: { name?: string } }).function?.name) };
}

/** The package's client, kept from reading the environment, from retrying by itself, and from telling about this machine. */
function makeClient(query: Record<string, string>, options: Pick<OpenaiOptions, 'key' | 'fetch'>): OpenAI {
  const { key } = options;
  const silent = ['Arch', 'Lang', 'OS', 'Package-Version', 'Retry-Count', 'Runtime', 'Runtime-Version', 'Timeout'];
  return new OpenAI({
    apiKey: key || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: 'http://localhost',
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    dangerouslyAllowBrowser: true,
    defaultQuery: query,
    defaultHeaders: {
      ...Object.fromEntries(silent.map((name) => [`X-Stainless-${name}`, null])),
      'User-Agent': 'react-agent',
      Accept: 'text/event-stream, application/json',
      ...(key ? {} : { Authorization: null }),
      // Azure's own gateways take the key under this name.
      ...(key && 'api-version' in query ? { 'api-key': key } : {}),
    },
    // The global is looked up at each call: VS Code replaces it, for proxies and certificates.
    fetch: async (url, init) => {
      const response = await (options.fetch ?? globalThis.fetch)(url as string, init as RequestInit);
      if (response.ok) return response;
      // The package keeps only the `error` field of a body; other servers put their reasons elsewhere.
      const raw = (await response.text()).slice(0, 20_000);
      return Response.json({ error: { raw } }, { status: response.status, headers: keptHeaders(response.headers) });
    },
  });
}

function keptHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ['retry-after', 'retry-after-ms']) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value;
  }
  return kept;
}
