const NUMBER = '(\\d[\\d,]{2,})';
const patterns = (...sources: string[]) => sources.map((source) => new RegExp(source, 'i'));

/** Fields of a body: llama.cpp. All else is read from its sentences: a number elsewhere may be an error's code. */
const WINDOW_FIELDS = patterns(`"n_ctx":\\s*${NUMBER}`);
const PROMPT_FIELDS = patterns(`"n_prompt_tokens":\\s*${NUMBER}`);

const WINDOW = patterns(
  `${NUMBER} maximum context length`, // Mistral
  `context limit: [\\d,]+ \\+ [\\d,]+ > ${NUMBER}`, // Anthropic
  `(?:context (?:length|window|size)|max_model_len|model_max_length)(?: is only| of(?: only)?| is| limit(?: of)?|:|=)* ?\\(?${NUMBER}`,
  `max_new_tokens\` must be <= ${NUMBER}`, // Text Generation Inference
  `must have less than ${NUMBER} tokens`,
  `max length of current question is ${NUMBER}`, // Qianfan
  `(?:maximum|max)[^.\\d]{0,60}${NUMBER}`,
  `range of input length should be \\[\\d+, ?${NUMBER}`, // DashScope
  `> ${NUMBER} maximum`, // Anthropic
  // What stands in brackets after these is MiniMax's error code.
  `(?:limit|exceeds?)[^.\\d(]{0,60}${NUMBER}`,
);
const PROMPT = patterns(
  `${NUMBER} in the messages`, // OpenAI, vLLM
  `${NUMBER} tokens from the input`, // SGLang
  `\\(${NUMBER} of text input`, // OpenRouter
  `context limit: ${NUMBER} \\+`, // Anthropic
  `messages resulted in ${NUMBER}`, // OpenAI
  `(?:request (?:has|contains)|prompt (?:contains|has)(?: at least)?|prompt is too long:) ${NUMBER}`, // vLLM, xAI, Anthropic
  `${NUMBER} \`?(?:inputs?|prompt)\`? tokens`,
  `must have less than [\\d,]+ tokens\\. given: ${NUMBER}`, // Text Generation Inference
  `(?:request|prompt|input)(?: token count)?[^.\\d]{0,20}\\((?:length )?${NUMBER}`,
);

/**
 * The context window and the prompt's size, in tokens, from the wordings that servers use when a prompt is too long.
 * @param text the body as it came
 * @param said its sentences
 */
export function readWindow(text: string, said: string): { window?: number; prompt?: number } {
  const window = first(WINDOW_FIELDS, text) ?? first(WINDOW, said);
  const prompt = first(PROMPT_FIELDS, text) ?? first(PROMPT, said);
  return { ...(window ? { window } : {}), ...(prompt ? { prompt } : {}) };
}

function first(list: readonly RegExp[], text: string): number | undefined {
  for (const pattern of list) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return Number(found.replaceAll(',', ''));
  }
  return undefined;
}
