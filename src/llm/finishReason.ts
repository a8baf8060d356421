/** Words by which some servers say that a reply has not ended yet. */
const NONE = /^(null|none|(finish_reason_)?unspecified)?$/;
const LENGTH = /^(length|(max|maximum)_(output_|completion_)?tokens|model_length|token_limit|context_length)$/;
const FILTER =
  /^(content[_-]?filter(ed)?|filtered|sensitive|safety|image_safety|recitation|blocklist|prohibited_content|spii|guardrail_intervened)$/;
const BROKEN =
  /^(error|failed|failure|abort(ed)?|cancel(l?ed)?|time_?out|network_error|server_error|internal_error|insufficient_system_resource|engine_overloaded|(.*\W)?malformed_function_call|unexpected_tool_call)$/;

/**
 * A reason for the end of a reply in OpenAI's words: `length` and `content_filter` under all their names; any other as it
 * was said. `broken`: the server failed in mid-reply. Undefined: it goes on.
 */
export function readFinishReason(said: unknown): { reason: string; broken: boolean } | undefined {
  if (typeof said !== 'string') return undefined;
  const name = said.trim().toLowerCase();
  if (NONE.test(name)) return undefined;
  if (LENGTH.test(name)) return { reason: 'length', broken: false };
  if (FILTER.test(name)) return { reason: 'content_filter', broken: false };
  return { reason: said, broken: BROKEN.test(name) };
}
