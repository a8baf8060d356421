import type { Language, Message, Usage } from '../agent/event';

const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/gu;

/**
 * True when an endpoint counted far fewer prompt tokens than were sent: some local servers cut the beginning of a prompt
 * that outgrows their window, and say nothing. Errs towards silence: no tokenizer gets by with so few tokens.
 */
export function isTruncated(messages: readonly Message[], usage: Usage): boolean {
  const counted = usage.prompt;
  // A very small count is one of uncached tokens only; and most counts are plainly sound.
  const length = messages.reduce((sum, message) => sum + message.content.length, 0);
  if (counted <= 1000 || counted >= length / 2.5) return false;
  const wide = messages.reduce((sum, message) => sum + (message.content.match(WIDE)?.length ?? 0), 0);
  return (length - wide) / 6.25 + wide / 2.5 - counted > 300;
}

const TEXTS: Record<Language, (tokens: number) => string> = {
  en: (tokens) =>
    `The server read only ${tokens} tokens of what was sent, and dropped the beginning without a word. Give it a larger context window (Ollama: num_ctx), or set the window in the settings so that requests are kept below it.`,
  'zh-CN': (tokens) =>
    `服务器只读取了所发内容中的 ${tokens} 个 token，并且没有提示就丢掉了开头。请为它设置更大的上下文窗口（Ollama 的 num_ctx），或在设置中填写窗口大小，以便请求不超出它。`,
};

export function truncationNotice(tokens: number, language: Language): string {
  return TEXTS[language](tokens);
}
