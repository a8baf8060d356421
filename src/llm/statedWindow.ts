const NUMBER = '(\\d[\\d,]{2,})';
const patterns = (...sources: string[]) => sources.map((source) => new RegExp(source, 'i'));

const WINDOW = patterns(
  `"n_ctx":\\s*${NUMBER}`,
  `(?:context (?:length|window|size)|max_model_len|model_max_length)(?: of(?: only)?| is| limit(?: of)?|:|=)* ?\\(?${NUMBER}`,
  `(?:maximum|max)[^.\\d]{0,60}${NUMBER}`,
  `range of input length should be \\[\\d+, ?${NUMBER}`,
  `> ${NUMBER} maximum`,
  `(?:limit|exceeds?)[^.\\d]{0,60}\\(?${NUMBER}`,
);
const PROMPT = patterns(
  `"n_prompt_tokens":\\s*${NUMBER}`,
  `${NUMBER} in the messages`,
  `messages resulted in ${NUMBER}`,
  `(?:request has|prompt (?:contains|has)(?: at least)?|prompt is too long:) ${NUMBER}`,
  `${NUMBER} (?:input|prompt) tokens`,
  `(?:request|prompt|input)(?: token count)?[^.\\d]{0,20}\\(${NUMBER}`,
);

/** The context window and the prompt's size, in tokens, from the wordings that servers use when a prompt is too long. */
export function readWindow(text: string): { window?: number; prompt?: number } {
  const window = first(WINDOW, text);
  const prompt = first(PROMPT, text);
  return { ...(window ? { window } : {}), ...(prompt ? { prompt } : {}) };
}

function first(list: readonly RegExp[], text: string): number | undefined {
  for (const pattern of list) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return Number(found.replaceAll(',', ''));
  }
  return undefined;
}
