import type { Usage } from '../agent/event';
import type { LlmChunk } from '../agent/llm';
import { type Fields, record, string } from './fields';
import { readFinishReason } from './finishReason';
import { ToolCalls } from './toolCalls';
import { readUsage } from './usage';

/** No server gives these reasons with every piece. */
const CALLS = /^(tool_calls|function_call)$/;

/**
 * Reads the data objects of one reply, streamed (`delta`) or whole (`message`), into chunks. Nothing in them is required:
 * `content` may be null or a list of parts, `choices` may be empty, `usage` may stand in several places.
 */
export class ReplyReader {
  /** What the endpoint gave as the reason for the end. */
  finishReason: string | undefined;
  /** What the endpoint said when it failed in mid-reply: the reason for the end, or an error as JSON. */
  broken: string | undefined;
  /** Visible text so far. */
  text = '';
  usage: Usage | undefined;
  private reasoned = false;
  private readonly calls: ToolCalls;
  private refused = false;
  /** More came after a reason for the end: some servers give one with every piece. */
  private wentOn = false;
  /** The reason for the end came with the first piece: that may be such a server. */
  private endedAtOnce = false;

  /** @param key not to be shown, whatever the endpoint says */
  constructor(key?: string) {
    this.calls = new ToolCalls(key);
  }

  get empty(): boolean {
    return this.text === '' && !this.reasoned && !this.calls.any;
  }

  /** Text and calls, to compare two broken replies. */
  get content(): string {
    return this.text + this.calls.text;
  }

  /** Nothing but usage and the end mark is still to come: for sure, or as far as one can tell. */
  get ended(): 'surely' | 'maybe' | undefined {
    if (this.finishReason === undefined || this.wentOn) return undefined;
    return this.endedAtOnce ? 'maybe' : 'surely';
  }

  /** It ended within its only call, though neither the output cap nor a filter cut it. */
  get callBrokeOff(): boolean {
    return this.finishReason !== 'length' && this.finishReason !== 'content_filter' && this.calls.brokeOff;
  }

  read(data: Fields): LlmChunk[] {
    const chunks: LlmChunk[] = [];
    const first = this.empty;
    const choice = record(Array.isArray(data.choices) ? data.choices[0] : undefined);
    const delta = record(choice?.delta) ?? record(choice?.message) ?? record(data.message);
    if (delta) this.delta(delta, chunks);
    else if (typeof choice?.text === 'string') this.say(choice.text, chunks);
    const end = readFinishReason(
      choice?.finish_reason ?? choice?.finishReason ?? (data.done === true ? data.done_reason : undefined),
    );
    if (choice?.error) this.broken = JSON.stringify({ error: choice.error });
    else if (end?.broken) this.broken = end.reason;
    else if (end) {
      this.finishReason = end.reason;
      this.endedAtOnce = first && !CALLS.test(end.reason);
    }
    const usage = readUsage(data) ?? (choice && readUsage(choice));
    if (usage) {
      this.usage = usage;
      chunks.push({ type: 'usage', usage });
    }
    return chunks;
  }

  /** The calls that were not complete before, and the reason for the end. What is cut in two is a call only by the output cap. */
  end(): LlmChunk[] {
    const reason = this.refused ? 'refusal' : (this.finishReason ?? 'stop');
    const calls = this.calls.rest(reason === 'length');
    return [...calls.map((call) => ({ type: 'tool-call' as const, call })), { type: 'finish', reason }];
  }

  private goOn(): void {
    this.wentOn ||= this.finishReason !== undefined;
  }

  private say(text: string, chunks: LlmChunk[]): void {
    if (text === '') return;
    this.goOn();
    this.text += text;
    chunks.push({ type: 'text', text });
  }

  private think(text: string, chunks: LlmChunk[]): void {
    if (text === '') return;
    this.goOn();
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
    // `function_call` is the form before `tool_calls`; some gateways still speak it.
    const legacy = record(delta.function_call);
    const fragments = Array.isArray(delta.tool_calls) ? delta.tool_calls : legacy ? [{ function: legacy }] : [];
    fragments.forEach((fragment, position) => {
      const fields = record(fragment);
      if (!fields) return;
      this.goOn();
      this.calls.add(fields, position);
    });
    for (const call of this.calls.ready()) chunks.push({ type: 'tool-call', call });
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
