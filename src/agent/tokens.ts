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

/** Tokens of a whole request: each message costs a few more for its role. */
export function estimateRequest(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message.content) + 4, 0);
}
