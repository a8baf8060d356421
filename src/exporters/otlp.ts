import type { Message, ModelReply, ToolCall } from '../agent/event';
import { inputText } from '../agent/tool';
import type { Step, Trace } from '../agent/trace';
import { usageOf } from '../agent/trace';
import type { Exporter } from './exporter';

/*
 * OTLP/JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding) by the semantic conventions for generative AI
 * (https://github.com/open-telemetry/semantic-conventions-genai): one invoke_agent span, and below it chat and execute_tool.
 */

/** SpanKind and StatusCode of opentelemetry/proto/trace/v1/trace.proto. */
const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;

type Value =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: Value[] } };
interface Attribute {
  key: string;
  value: Value;
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  events?: { timeUnixNano: string; name: string; attributes: Attribute[] }[];
  status?: { code: number; message?: string };
}

type Plain = string | number | boolean | readonly string[] | undefined | null;

/** A count is a number without a fraction; where the conventions want a double, it is said. */
class Double {
  constructor(readonly value: number) {}
}

function attributeValue(value: Exclude<Plain, undefined | null> | Double): Value {
  if (value instanceof Double) return { doubleValue: value.value };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
}

/** What is undefined or null is left out. */
function attributes(plain: Record<string, Plain | Double>): Attribute[] {
  return Object.entries(plain).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: attributeValue(value) }],
  );
}

/** FNV-1a with 64 bits, as 16 hexadecimal digits: the same run gives the same identifiers each time it is sent. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  // An identifier of zeros is invalid.
  return (value || 1n).toString(16).padStart(16, '0');
}

function traceIdOf(run: string): string {
  const digits = run.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) && /[1-9a-f]/.test(digits) ? digits : hash(run) + hash(`${run} `);
}

const millis = (time: string | undefined, otherwise: number) => {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? otherwise : parsed;
};
const nanos = (ms: number) => String(BigInt(Math.max(0, Math.round(ms))) * 1_000_000n);

const toolCallPart = ({ id, name, arguments: text }: ToolCall) => {
  let given: unknown = text;
  try {
    given = JSON.parse(text);
  } catch {
    // Models write broken JSON: it is told as it was.
  }
  return { type: 'tool_call', id, name, arguments: given };
};

function messageParts({ role, content, toolCalls, toolCallId, reasoning }: Message) {
  if (role === 'tool')
    return [{ type: 'tool_call_response', ...(toolCallId ? { id: toolCallId } : {}), response: content }];
  return [
    ...(reasoning ? [{ type: 'reasoning', content: reasoning }] : []),
    ...(content ? [{ type: 'text', content }] : []),
    ...(toolCalls ?? []).map(toolCallPart),
  ];
}

/** Messages as the conventions write them: JSON in a string, the system's apart. */
function inputAttributes(messages: readonly Message[]): Record<string, string> {
  const system = messages.filter(({ role }) => role === 'system');
  const others = messages.filter(({ role }) => role !== 'system');
  return {
    ...(system.length > 0
      ? { 'gen_ai.system_instructions': JSON.stringify(system.map(({ content }) => ({ type: 'text', content }))) }
      : {}),
    'gen_ai.input.messages': JSON.stringify(
      others.map((message) => ({ role: message.role, parts: messageParts(message) })),
    ),
  };
}

function outputMessages(reply: ModelReply, reasoning: string | undefined): string {
  const message: Message = {
    role: 'assistant',
    content: reply.raw,
    ...(reasoning ? { reasoning } : {}),
    ...(reply.toolCalls ? { toolCalls: reply.toolCalls } : {}),
  };
  return JSON.stringify([
    {
      role: 'assistant',
      parts: messageParts(message),
      finish_reason: reply.finishReason ?? (reply.cut ? 'stop' : 'unknown'),
    },
  ]);
}

const numeric = (value: unknown) => (typeof value === 'number' ? value : undefined);
const double = (value: unknown) => (typeof value === 'number' ? new Double(value) : undefined);

class Spans {
  readonly list: Span[] = [];
  private readonly traceId: string;
  private readonly root: string;
  private readonly began: number;
  private readonly provider: string;
  private readonly model: string;
  private history: Message[] = [];

  constructor(
    private readonly trace: Trace,
    private readonly withContent: boolean,
  ) {
    const run = trace.start?.run ?? 'unknown';
    this.traceId = traceIdOf(run);
    this.root = hash(`${run} invoke_agent`);
    this.began = millis(trace.start?.time ?? trace.steps[0]?.startedAt, 0);
    this.provider = trace.start?.provider ?? 'unknown';
    this.model = trace.start?.model ?? 'unknown';
    this.list.push(this.agent());
    for (const step of trace.steps) this.step(step);
  }

  private agent(): Span {
    const { start, end, steps } = this.trace;
    const usage = end?.usage ?? usageOf(this.trace);
    const last = steps.at(-1);
    const ended = millis(end?.time ?? last?.observation?.time ?? last?.reply?.time ?? last?.startedAt, this.began);
    const failed = end?.outcome === 'failed';
    const text = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
    return {
      traceId: this.traceId,
      spanId: this.root,
      name: 'invoke_agent ReAct Agent',
      kind: INTERNAL,
      startTimeUnixNano: nanos(this.began),
      endTimeUnixNano: nanos(Math.max(this.began, ended)),
      attributes: attributes({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'ReAct Agent',
        'gen_ai.provider.name': this.provider,
        'gen_ai.request.model': this.model,
        'gen_ai.conversation.id': start?.parent?.run ?? start?.run,
        'gen_ai.usage.input_tokens': usage?.prompt,
        'gen_ai.usage.output_tokens': usage?.completion,
        'gen_ai.usage.cache_read.input_tokens': usage?.cached,
        'gen_ai.usage.reasoning.output_tokens': usage?.reasoning,
        'error.type': failed ? '_OTHER' : undefined,
        'react_agent.outcome': end?.outcome ?? 'interrupted',
        'react_agent.steps': steps.length,
        'react_agent.cost': end?.cost === undefined ? undefined : new Double(end.cost),
        ...(this.withContent
          ? {
              'gen_ai.input.messages': text('user', start?.question ?? ''),
              'gen_ai.output.messages': end?.answer === undefined ? undefined : text('assistant', end.answer),
            }
          : {}),
      }),
      ...(failed
        ? { status: { code: ERROR, ...(this.withContent && end.error ? { message: end.error.message } : {}) } }
        : {}),
      events: steps.flatMap(({ step, notices }) =>
        notices.map(({ time, kind, text: said }) => ({
          timeUnixNano: nanos(millis(time, this.began)),
          name: 'react_agent.notice',
          attributes: attributes({
            'react_agent.step': step,
            'react_agent.notice.kind': kind,
            ...(this.withContent ? { 'react_agent.notice.text': said } : {}),
          }),
        })),
      ),
    };
  }

  private add(name: string, kind: number, id: string, end: number, ms: number, plain: Record<string, Plain | Double>) {
    this.list.push({
      traceId: this.traceId,
      spanId: hash(`${this.traceId} ${id}`),
      parentSpanId: this.root,
      name,
      kind,
      startTimeUnixNano: nanos(end - Math.max(0, ms)),
      endTimeUnixNano: nanos(end),
      attributes: attributes(plain),
    });
  }

  private step(step: Step): void {
    const { requests, reply, action, observation } = step;
    for (const { messages, rewrite } of requests) this.history = rewrite ? messages : [...this.history, ...messages];
    if (reply) {
      const options = requests.at(-1)?.options ?? {};
      const stop = options.stop;
      this.add(`chat ${this.model}`, CLIENT, `chat ${step.step}`, millis(reply.time, this.began), reply.ms, {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': this.provider,
        'gen_ai.request.model': this.model,
        'gen_ai.request.temperature': double(options.temperature),
        'gen_ai.request.max_tokens': numeric(options.max_tokens ?? options.maxTokens),
        'gen_ai.request.stop_sequences': Array.isArray(stop) ? stop.map(String) : undefined,
        'gen_ai.response.finish_reasons': reply.finishReason ? [reply.finishReason] : undefined,
        'gen_ai.response.time_to_first_chunk':
          reply.firstTokenMs === null ? undefined : double(reply.firstTokenMs / 1000),
        'gen_ai.usage.input_tokens': reply.usage?.prompt,
        'gen_ai.usage.output_tokens': reply.usage?.completion,
        'gen_ai.usage.cache_read.input_tokens': reply.usage?.cached,
        'gen_ai.usage.reasoning.output_tokens': reply.usage?.reasoning,
        'react_agent.step': step.step,
        ...(this.withContent
          ? { ...inputAttributes(this.history), 'gen_ai.output.messages': outputMessages(reply, step.reasoning) }
          : {}),
      });
    }
    // A tool that was not run has no span: its answer came from the loop.
    if (!action || !observation || observation.blocked) return;
    this.add(
      `execute_tool ${action.tool}`,
      INTERNAL,
      `tool ${step.step}`,
      millis(observation.time, this.began),
      observation.ms,
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': action.tool,
        'gen_ai.tool.type': 'function',
        'react_agent.step': step.step,
        'react_agent.observation.ok': observation.ok,
        'react_agent.observation.cached': observation.cached,
        ...(this.withContent
          ? {
              'gen_ai.tool.call.arguments':
                typeof action.input === 'string'
                  ? JSON.stringify({ input: inputText(action.input) })
                  : JSON.stringify(action.input),
              'gen_ai.tool.call.result': observation.text,
              'url.full': observation.document?.url,
            }
          : {}),
      },
    );
  }
}

/** Spans for any OpenTelemetry backend: names, times and counts; what was asked, read and written only when wanted. */
export const otlp: Exporter = {
  id: 'otlp',
  label: 'OpenTelemetry (OTLP/JSON)',
  extension: '.otlp.json',
  write(trace, { includeContent = false }) {
    const { list } = new Spans(trace, includeContent);
    const scope = { name: 'react-agent' };
    const resource = { attributes: attributes({ 'service.name': 'react-agent' }) };
    return `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: list }] }] })}\n`;
  },
};
