import type { Language } from './event';

/**
 * The language a run speaks, from its question: Chinese when it has at least as many Han characters as words in another
 * script, and no kana (Japanese is answered in English).
 */
export function languageOf(question: string): Language {
  const han = question.match(/\p{Script=Han}/gu)?.length ?? 0;
  if (han === 0 || /[\u3040-\u30ff]/.test(question)) return 'en';
  const words = question.match(/[\p{Script=Latin}\p{N}][\p{L}\p{N}’'-]*/gu)?.length ?? 0;
  return han >= words ? 'zh-CN' : 'en';
}
