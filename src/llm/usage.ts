import type { Usage } from '../agent/event';
import { count, type Fields, record } from './fields';

/**
 * Token counts from the places servers put them: `usage` (OpenAI's names or Anthropic's), `x_groq`, Ollama's own fields,
 * llama.cpp's `timings`. Undefined when it holds none; zeros are what servers send that do not count.
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

function told(prompt: number, completion: number, { reasoning, cached, total = 0 }: Details = {}): Usage | undefined {
  if (prompt === 0 && completion === 0) return undefined;
  // More cached than sent: the cached ones were left out of the prompt.
  const sent = (cached ?? 0) > prompt ? prompt + (cached ?? 0) : prompt;
  // Some leave reasoning out of the completion, where only the total or its own count shows it.
  const rest = Math.max(0, total - sent - completion);
  const thought = reasoning || rest || reasoning;
  const outside = thought !== undefined && (thought === rest || thought > completion) ? thought : 0;
  return {
    prompt: sent,
    completion: completion + outside,
    ...(thought === undefined ? {} : { reasoning: thought }),
    ...(cached === undefined ? {} : { cached }),
  };
}
