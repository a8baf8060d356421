import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as the server received it. */
export interface ModelRequestSeen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  /** Counts all requests, from 1. */
  number: number;
  /** `closed`: the client went away before the reply was complete. */
  state: 'open' | 'answered' | 'closed';
}

/** What one request is answered with. Without `raw` and `body` it is a well-formed stream of chat completion chunks. */
export interface ModelReplySpec {
  text?: string;
  /** Pieces of text as they are sent, one an event; by default `text` by words. */
  tokens?: string[];
  reasoning?: string;
  toolCalls?: { id?: string; name: string; arguments: string }[];
  finishReason?: string | null;
  /** False: none is sent, not even when asked for. */
  usage?: Record<string, unknown> | false;
  /** Milliseconds before the first token, and between tokens. */
  firstTokenMs?: number;
  tokenMs?: number;
  /** False: no `[DONE]`. */
  done?: boolean;
  /** False: `stop` is ignored, the reply goes on. */
  honoursStop?: boolean;
  /** True: one JSON object, though a stream was asked for. */
  whole?: boolean;
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is; an object as JSON. */
  body?: string | object;
  /** Bytes written as they are, piece by piece; a number waits so many milliseconds. */
  raw?: (string | Uint8Array | number)[];
  /** No answer at all: the connection is dropped, or nothing ever comes. */
  unanswered?: 'drop' | 'stall';
  /** After all pieces: end the response, destroy the connection, or leave it open. */
  ending?: 'end' | 'reset' | 'stall';
}
export type ModelHandler = (request: ModelRequestSeen) => string | ModelReplySpec;

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1` */
  baseUrl: string;
  origin: string;
  requests: ModelRequestSeen[];
  /** Those that ask for a completion. Others ask for models and the like, beside them. */
  readonly completions: ModelRequestSeen[];
  /** Connections open now, and all there ever were. */
  readonly openConnections: number;
  readonly connections: number;
  /** Text tokens written, over all requests. */
  readonly tokensSent: number;
  /** Answers to come, in order; then `fallback` again. */
  queue: (string | ModelReplySpec | ModelHandler)[];
  fallback: ModelHandler;
  /** Waits until no request is still being answered, or fails after `ms`. */
  settled(ms?: number): Promise<void>;
  close(): Promise<void>;
}

export const tokensOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** Text up to the first stop string, and whether one was found. */
function upToStop(text: string, stops: string[]): { text: string; stopped: boolean } {
  const at = Math.min(...stops.map((stop) => text.indexOf(stop)).filter((index) => index >= 0));
  return Number.isFinite(at) ? { text: text.slice(0, at), stopped: true } : { text, stopped: false };
}

/**
 * A real OpenAI-compatible server on loopback. Paths under `/v1` exist; GET `/v1/models` lists `models`.
 * `connectionMs` is how long each new connection needs before it is of use, as a TLS handshake does.
 */
export async function startModelServer(
  fallback: ModelHandler = () => 'Hello there.',
  options: { models?: string[]; connectionMs?: number; get?: Record<string, object> } = {},
): Promise<ModelServer> {
  const sockets = new Set<Socket>();
  /** When a connection is ready for its first answer. */
  const readyAt = new WeakMap<Socket, number>();
  const timers = new Set<NodeJS.Timeout>();
  const requests: ModelRequestSeen[] = [];
  const queue: ModelServer['queue'] = [];
  let connections = 0;
  let tokensSent = 0;
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      if (ms <= 0) return resolve();
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });

  async function answer(spec: ModelReplySpec, request: ModelRequestSeen, response: ServerResponse): Promise<void> {
    const write = (piece: string | Uint8Array) => response.destroyed || response.write(piece);
    const conclude = async () => {
      if (spec.ending === 'reset') {
        // What was written goes out first.
        await wait(10);
        response.socket?.destroy();
      } else if (spec.ending !== 'stall') response.end();
    };
    if (spec.unanswered === 'drop') response.socket?.destroy();
    if (spec.unanswered) return;
    if (spec.body !== undefined) {
      const text = typeof spec.body === 'string' ? spec.body : JSON.stringify(spec.body);
      const type = text.trimStart().startsWith('<') ? 'text/html' : 'application/json';
      response.writeHead(spec.status ?? 200, { 'content-type': type, ...spec.headers });
      await wait(spec.firstTokenMs ?? 0);
      write(text);
      return conclude();
    }
    if (spec.raw) {
      response.writeHead(spec.status ?? 200, { 'content-type': 'text/event-stream', ...spec.headers });
      response.flushHeaders();
      for (const piece of spec.raw) {
        if (typeof piece === 'number') await wait(piece);
        else write(piece);
      }
      return conclude();
    }
    const stops = spec.honoursStop === false ? [] : [request.body?.stop ?? []].flat();
    const cut = upToStop(spec.tokens?.join('') ?? spec.text ?? '', stops);
    const finish =
      spec.finishReason === undefined ? (spec.toolCalls && !cut.stopped ? 'tool_calls' : 'stop') : spec.finishReason;
    const tokens = spec.tokens && !cut.stopped ? spec.tokens : tokensOf(cut.text);
    const toolCalls = spec.toolCalls?.map((call, index) => ({
      index,
      id: call.id ?? `call_${index}`,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }));
    const usage = spec.usage ?? {
      prompt_tokens: Math.ceil(JSON.stringify(request.body?.messages ?? '').length / 4),
      completion_tokens: tokens.length,
      total_tokens: 0,
    };
    if (spec.whole) {
      await wait(spec.firstTokenMs ?? 0);
      const message = {
        role: 'assistant',
        content: toolCalls ? null : cut.text,
        ...(spec.reasoning === undefined ? {} : { reasoning_content: spec.reasoning }),
        ...(toolCalls ? { tool_calls: toolCalls } : {}),
      };
      response.writeHead(200, { 'content-type': 'application/json', ...spec.headers });
      write(
        JSON.stringify({
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason: finish }],
          ...(usage ? { usage } : {}),
        }),
      );
      return conclude();
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', ...spec.headers });
    response.flushHeaders();
    const send = (data: object) => write(`data: ${JSON.stringify(data)}\n\n`);
    await wait(spec.firstTokenMs ?? 0);
    if (spec.reasoning) for (const piece of tokensOf(spec.reasoning)) send(chunk({ reasoning_content: piece }));
    // Paced by the clock, so that late timers don't add up.
    const start = performance.now();
    for (const [index, token] of tokens.entries()) {
      if (spec.tokenMs) await wait(start + index * spec.tokenMs - performance.now());
      if (response.destroyed) return;
      send(chunk({ content: token }));
      tokensSent++;
    }
    if (spec.tokenMs) await wait(start + tokens.length * spec.tokenMs - performance.now());
    if (toolCalls) send(chunk({ tool_calls: toolCalls }));
    if (finish !== null) send(chunk({}, finish));
    if (usage && request.body?.stream_options?.include_usage) send({ ...chunk({}), choices: [], usage });
    if (spec.done !== false) write('data: [DONE]\n\n');
    await conclude();
  }

  const server = createServer(async (incoming, response) => {
    response.on('error', () => {});
    await wait((readyAt.get(incoming.socket) ?? 0) - performance.now());
    const pieces: Buffer[] = [];
    try {
      for await (const piece of incoming) pieces.push(piece);
    } catch {
      return;
    }
    const text = Buffer.concat(pieces).toString();
    const path = incoming.url ?? '/';
    const bare = path.replace(/\?.*/s, '');
    const request: ModelRequestSeen = {
      method: incoming.method ?? '',
      path,
      headers: incoming.headers,
      body: text === '' ? undefined : JSON.parse(text),
      number: requests.length + 1,
      state: 'open',
    };
    requests.push(request);
    response.on('close', () => {
      request.state = response.writableFinished ? 'answered' : 'closed';
    });
    const known = options.get?.[bare];
    if (request.method === 'GET' && known) return answer({ body: known }, request, response);
    if (request.method === 'GET' && bare === '/v1/models' && options.models) {
      return answer(
        { body: { object: 'list', data: options.models.map((id) => ({ id, object: 'model' })) } },
        request,
        response,
      );
    }
    if (request.method !== 'POST' || bare !== '/v1/chat/completions') {
      return answer({ status: 404, body: { detail: 'Not Found' } }, request, response);
    }
    const next = queue.shift() ?? self.fallback;
    const reply = typeof next === 'function' ? next(request) : next;
    await answer(typeof reply === 'string' ? { text: reply } : reply, request, response);
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
    readyAt.set(socket, performance.now() + (options.connectionMs ?? 0));
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const self: ModelServer = {
    baseUrl: `${origin}/v1`,
    origin,
    requests,
    get completions() {
      return requests.filter(({ method, path }) => method === 'POST' && path.includes('/chat/completions'));
    },
    get openConnections() {
      return sockets.size;
    },
    get connections() {
      return connections;
    },
    get tokensSent() {
      return tokensSent;
    },
    queue,
    fallback,
    async settled(ms = 2000) {
      const end = performance.now() + ms;
      const open = () => requests.filter((request) => request.state === 'open').length;
      while (open() > 0) {
        if (performance.now() > end) throw new Error(`${open()} requests are still open after ${ms} ms`);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return self;
}
