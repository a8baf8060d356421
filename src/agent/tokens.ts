import type { Message } from './event';

const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/gu;

/**
 * Rough token count of a text, without a tokenizer: about four characters a token for Latin text, one a token for CJK.
 * Meant to err on the high side; a real count from the endpoint corrects it (see `History`).
 */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/** Tokens of a whole request, without the tools it offers: each message costs a few more for its role. */
export function estimateRequest(messages: readonly Message[]): number {
  return messages.reduce((sum, { content, toolCalls }) => {
    const calls = toolCalls ? estimateTokens(JSON.stringify(toolCalls)) : 0;
    return sum + estimateTokens(content) + calls + 4;
  }, 0);
}

/** The beginning of a text, with about so many tokens at most. */
export function cutToTokens(text: string, tokens: number): string {
  const all = estimateTokens(text);
  return all <= tokens ? text : text.slice(0, Math.floor((text.length * Math.max(0, tokens)) / all));
}
