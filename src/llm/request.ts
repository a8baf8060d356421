import type { Message } from '../agent/event';
import type { LlmOptions } from '../agent/llm';
import { readTolerantJson } from '../agent/tolerantJson';
import { readObject, record } from './fields';
import type { Fit } from './fit';
import { redactAll } from './redact';

/** A chat completions body. */
export type RequestBody = Record<string, unknown> & { messages: Record<string, unknown>[] };

/** The body as we would like to send it: everything streams, and usage is asked for. */
export function buildBody(
  model: string,
  messages: readonly Message[],
  options: LlmOptions,
  extra: Record<string, unknown> = {},
  fit: Fit = {},
): RequestBody {
  const body: RequestBody = {
    model,
    messages: toWire(messages, fit),
    stream: true,
    stream_options: { include_usage: true },
  };
  if (options.temperature !== undefined) body.temperature = options.temperature;
  if (options.maxTokens !== undefined) body.max_tokens = options.maxTokens;
  if (options.stop && options.stop.length > 0) body.stop = options.stop;
  if (options.tools && options.tools.length > 0) {
    body.tools = options.tools.map((tool) => ({ type: 'function', function: tool }));
  }
  return applyFit({ ...body, ...extra }, fit);
}

/** What the trace may show of a request: everything but the conversation and the key; tools by name. */
export function sentOptions({ messages: _, model: __, ...rest }: RequestBody, key?: string): Record<string, unknown> {
  const { tools } = rest;
  const named = Array.isArray(tools)
    ? { ...rest, tools: tools.map((tool) => (tool as { function?: { name?: string } }).function?.name) }
    : rest;
  return redactAll(named, key) as Record<string, unknown>;
}

/** The body as this endpoint takes it. */
function applyFit(body: RequestBody, fit: Fit): RequestBody {
  const fitted: RequestBody = { ...body };
  for (const name of fit.drop ?? []) delete fitted[name];
  for (const [name, most] of Object.entries(fit.atMost ?? {})) {
    const value = fitted[name];
    if (typeof value === 'number') fitted[name] = Math.min(value, most);
    else if (Array.isArray(value)) fitted[name] = fewest(value, most);
  }
  for (const [name, least] of Object.entries(fit.atLeast ?? {})) {
    const value = fitted[name];
    if (typeof value === 'number') fitted[name] = Math.max(value, least);
  }
  for (const [name, other] of Object.entries(fit.rename ?? {})) {
    if (!(name in fitted)) continue;
    fitted[other] = fitted[name];
    delete fitted[name];
  }
  // Usage can only be asked for with a stream.
  if (fitted.stream !== true) delete fitted.stream_options;
  return { ...fitted, ...fit.set };
}

/**
 * The stop strings that matter most: those that another one covers go first, then the last ones. A single one is sent as
 * a plain string, which is what endpoints that take only one expect.
 */
function fewest(stops: unknown[], most: number): unknown {
  const strings = stops.filter((stop): stop is string => typeof stop === 'string');
  const needed = strings.filter(
    (stop, index) =>
      !strings.some((other, at) => at !== index && stop.includes(other) && (other !== stop || at < index)),
  );
  const kept = (needed.length > 0 ? needed : strings).slice(0, Math.max(1, most));
  return most <= 1 ? kept[0] : kept;
}

function toWire(messages: readonly Message[], fit: Fit): Record<string, unknown>[] {
  const noTools = fit.drop?.includes('tools') === true;
  let list: Message[] = messages.map((message) => (noTools ? asText(message) : message));
  if (fit.foldSystem) list = foldSystem(list);
  if (fit.joinRoles) list = joinRoles(list);
  return list.map((message) => {
    const wire: Record<string, unknown> = { role: message.role, content: message.content };
    if (message.toolCalls && message.toolCalls.length > 0) {
      wire.tool_calls = message.toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: soundArguments(call.arguments) },
      }));
    }
    if (message.toolCallId !== undefined) wire.tool_call_id = message.toolCallId;
    if (fit.sendReasoning && message.role === 'assistant') wire.reasoning_content = message.reasoning ?? '';
    return wire;
  });
}

/** What a model wrote may be no JSON object, though we could read it; servers that parse it would refuse every request that follows. */
function soundArguments(written: string): string {
  if (readObject(written)) return written;
  return JSON.stringify(record(readTolerantJson(written)?.value) ?? {});
}

/** For an endpoint without function calling: earlier calls and their results become plain turns. */
function asText({ role, content, toolCalls, reasoning }: Message): Message {
  const calls = (toolCalls ?? []).map((call) => `${call.name}: ${call.arguments}`);
  const text = [content, ...calls].filter((part) => part !== '').join('\n');
  return { role: role === 'tool' ? 'user' : role, content: text, ...(reasoning === undefined ? {} : { reasoning }) };
}

function foldSystem(messages: Message[]): Message[] {
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
  if (system.length === 0) return messages;
  const rest = messages.filter((message) => message.role !== 'system');
  const first = rest[0];
  if (first?.role !== 'user') return [{ role: 'user', content: system.join('\n\n') }, ...rest];
  return [{ ...first, content: [...system, first.content].join('\n\n') }, ...rest.slice(1)];
}

function joinRoles(messages: Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === message.role && message.role !== 'tool' && !last.toolCalls && !message.toolCalls) {
      joined[joined.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
    } else joined.push(message);
  }
  return joined;
}
