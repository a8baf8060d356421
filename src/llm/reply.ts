import type { ToolCall, Usage } from '../agent/event';
import type { LlmChunk } from '../agent/llm';

type Fields = Record<string, unknown>;

const record = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
const string = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/**
 * Reads the data objects of one reply, streamed (`delta`) or whole (`message`), into chunks. Nothing in them is required:
 * `content` may be null or a list of parts, `choices` may be empty, `usage` may stand in several places.
 */
export class ReplyReader {
  /** What the endpoint gave as the reason for the end. */
  finishReason: string | undefined;
  /** Visible text and reasoning so far, to tell an empty reply and to compare two broken ones. */
  text = '';
  reasoned = false;
  usage: Usage | undefined;
  private readonly calls: { call: ToolCall; given: boolean }[] = [];
  private readonly atIndex = new Map<number, number>();
  private refused = false;

  get empty(): boolean {
    return this.text === '' && !this.reasoned && this.calls.length === 0;
  }

  read(data: Fields): LlmChunk[] {
    const chunks: LlmChunk[] = [];
    const choice = record(Array.isArray(data.choices) ? data.choices[0] : undefined);
    const delta = record(choice?.delta) ?? record(choice?.message) ?? record(data.message);
    if (delta) this.delta(delta, chunks);
    else if (typeof choice?.text === 'string') this.say(choice.text, chunks);
    const reason = choice?.finish_reason ?? choice?.finishReason ?? (data.done === true ? data.done_reason : undefined);
    if (typeof reason === 'string' && reason !== '') this.finishReason = reason;
    const usage = readUsage(data) ?? (choice && readUsage(choice));
    if (usage) {
      this.usage = usage;
      chunks.push({ type: 'usage', usage });
    }
    return chunks;
  }

  /** The calls that were not complete before, and the reason for the end. */
  end(): LlmChunk[] {
    const chunks: LlmChunk[] = [];
    for (const entry of this.calls) this.give(entry, chunks);
    const reason = this.refused ? 'refusal' : (this.finishReason ?? 'stop');
    chunks.push({ type: 'finish', reason });
    return chunks;
  }

  private say(text: string, chunks: LlmChunk[]): void {
    if (text === '') return;
    this.text += text;
    chunks.push({ type: 'text', text });
  }

  private think(text: string, chunks: LlmChunk[]): void {
    if (text === '') return;
    this.reasoned = true;
    chunks.push({ type: 'reasoning', text });
  }

  private delta(delta: Fields, chunks: LlmChunk[]): void {
    this.think(string(delta.reasoning_content) || string(delta.reasoning) || reasoningDetails(delta), chunks);
    if (Array.isArray(delta.content)) {
      for (const part of delta.content) {
        const fields = record(part);
        if (fields?.type === 'thinking') this.think(partText(fields.thinking), chunks);
        else this.say(typeof part === 'string' ? part : partText(fields?.text), chunks);
      }
    } else this.say(string(delta.content), chunks);
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.refused = true;
      this.say(delta.refusal, chunks);
    }
    if (Array.isArray(delta.tool_calls)) {
      delta.tool_calls.forEach((call, position) => {
        const fields = record(call);
        if (fields) this.call(count(fields.index) ?? position, string(fields.id), record(fields.function), chunks);
      });
    }
    // The form before `tool_calls`; some gateways still speak it.
    const legacy = record(delta.function_call);
    if (legacy) this.call(0, '', legacy, chunks);
  }

  private call(index: number, id: string, part: Fields | undefined, chunks: LlmChunk[]): void {
    let entry = this.calls[this.atIndex.get(index) ?? -1];
    // Some servers number every call 0, and tell them apart by id only.
    if (!entry || (id !== '' && entry.call.id !== '' && id !== entry.call.id)) {
      for (const earlier of this.calls) this.give(earlier, chunks);
      entry = { call: { id: '', name: '', arguments: '' }, given: false };
      this.atIndex.set(index, this.calls.push(entry) - 1);
    }
    const { call } = entry;
    if (id !== '') call.id = id;
    const name = string(part?.name);
    if (name !== '' && name !== call.name) call.name += name;
    const written = part?.arguments;
    if (typeof written === 'string') call.arguments += written;
    else if (record(written)) call.arguments = JSON.stringify(written);
    // An object that is complete can't go on; an empty one may be a placeholder.
    if (
      call.name !== '' &&
      call.arguments.length > 2 &&
      call.arguments.trimEnd().endsWith('}') &&
      isJson(call.arguments)
    ) {
      this.give(entry, chunks);
    }
  }

  private give(entry: { call: ToolCall; given: boolean }, chunks: LlmChunk[]): void {
    if (entry.given || entry.call.name === '') return;
    entry.given = true;
    entry.call.id ||= `call_${this.calls.indexOf(entry)}`;
    entry.call.arguments ||= '{}';
    chunks.push({ type: 'tool-call', call: entry.call });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function partText(part: unknown): string {
  if (Array.isArray(part)) return part.map((inner) => partText(record(inner)?.text ?? inner)).join('');
  return string(part);
}

function reasoningDetails(delta: Fields): string {
  if (!Array.isArray(delta.reasoning_details)) return '';
  return delta.reasoning_details
    .map((detail) => string(record(detail)?.text) || string(record(detail)?.summary))
    .join('');
}

/**
 * Token counts from the places servers put them: `usage` (OpenAI's names or Anthropic's), `x_groq`, Ollama's own fields,
 * llama.cpp's `timings`. Undefined when it holds none.
 */
export function readUsage(data: Fields): Usage | undefined {
  const usage = record(data.usage) ?? record(record(data.x_groq)?.usage);
  if (usage) {
    const prompt = count(usage.prompt_tokens) ?? count(usage.input_tokens);
    const completion = count(usage.completion_tokens) ?? count(usage.output_tokens);
    if (prompt === undefined && completion === undefined) return undefined;
    const reasoning =
      count(record(usage.completion_tokens_details)?.reasoning_tokens) ??
      count(record(usage.output_tokens_details)?.reasoning_tokens) ??
      count(usage.reasoning_tokens);
    const cached =
      count(record(usage.prompt_tokens_details)?.cached_tokens) ??
      count(record(usage.input_tokens_details)?.cached_tokens) ??
      count(usage.prompt_cache_hit_tokens) ??
      count(usage.cached_tokens);
    return {
      prompt: prompt ?? 0,
      completion: completion ?? 0,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(cached === undefined ? {} : { cached }),
    };
  }
  const evaluated = count(data.eval_count);
  if (evaluated !== undefined) return { prompt: count(data.prompt_eval_count) ?? 0, completion: evaluated };
  const timings = record(data.timings);
  const prompt = count(timings?.prompt_n);
  const completion = count(timings?.predicted_n);
  if (prompt === undefined || completion === undefined) return undefined;
  const cached = count(timings?.cache_n);
  return { prompt: prompt + (cached ?? 0), completion, ...(cached === undefined ? {} : { cached }) };
}
