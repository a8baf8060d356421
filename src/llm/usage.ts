import type { Usage } from '../agent/event';
import { type Fields, record } from './fields';

/** No reply takes more tokens. */
const MOST = 1e9;

/** A number of tokens: NaN where what is stated can be none, undefined where none is stated. */
function count(value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined;
  return value >= 0 && value <= MOST ? Math.round(value) : Number.NaN;
}

/**
 * Token counts from the places servers put them: `usage` (OpenAI's names or Anthropic's), `x_groq`, Ollama's own fields,
 * llama.cpp's `timings`. Undefined when it holds none; zeros are what servers send that do not count, and
 * one that can be no number of tokens makes all of them doubtful.
 */
export function readUsage(data: Fields): Usage | undefined {
  const usage = readFields(record(data.usage) ?? record(record(data.x_groq)?.usage) ?? {});
  return usage ?? readOllama(data) ?? readTimings(record(data.timings));
}

function readFields(usage: Fields): Usage | undefined {
  const cached =
    count(record(usage.prompt_tokens_details)?.cached_tokens) ??
    count(record(usage.input_tokens_details)?.cached_tokens) ??
    count(usage.prompt_cache_hit_tokens) ??
    count(usage.cache_read_input_tokens) ??
    count(usage.cached_tokens);
  // Under Anthropic's names the prompt is told in three parts.
  const input = count(usage.input_tokens);
  const read = count(usage.cache_read_input_tokens) ?? 0;
  const parts = input === undefined ? undefined : input + read + (count(usage.cache_creation_input_tokens) ?? 0);
  const prompt = count(usage.prompt_tokens) ?? parts ?? 0;
  const completion = count(usage.completion_tokens) ?? count(usage.output_tokens) ?? 0;
  const reasoning =
    count(record(usage.completion_tokens_details)?.reasoning_tokens) ??
    count(record(usage.output_tokens_details)?.reasoning_tokens) ??
    count(usage.reasoning_tokens);
  return told(prompt, completion, { reasoning, cached, total: count(usage.total_tokens) });
}

function readOllama(data: Fields): Usage | undefined {
  return told(count(data.prompt_eval_count) ?? 0, count(data.eval_count) ?? 0);
}

/** llama.cpp counts what it found in its cache apart. */
function readTimings(timings: Fields = {}): Usage | undefined {
  const cached = count(timings.cache_n);
  return told((count(timings.prompt_n) ?? 0) + (cached ?? 0), count(timings.predicted_n) ?? 0, { cached });
}

interface Details {
  reasoning?: number | undefined;
  cached?: number | undefined;
  total?: number | undefined;
}

function told(prompt: number, completion: number, details: Details = {}): Usage | undefined {
  if (Number.isNaN(prompt + completion) || prompt + completion === 0) return undefined;
  const { reasoning, cached } = { reasoning: sound(details.reasoning), cached: sound(details.cached) };
  // More cached than sent: the cached ones were left out of the prompt.
  const sent = (cached ?? 0) > prompt ? prompt + (cached ?? 0) : prompt;
  // Some leave reasoning out of the completion, which only the total or the count itself shows. What a total counts beyond
  // that may be anything.
  const thought = reasoning ?? 0;
  const outside = thought > completion || details.total === sent + completion + thought ? thought : 0;
  return {
    prompt: sent,
    completion: completion + outside,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(cached === undefined ? {} : { cached }),
  };
}

const sound = (tokens: number | undefined) => (Number.isNaN(tokens) ? undefined : tokens);
