import { parseArgs } from 'node:util';
import type { Language, Protocol } from '../agent/event';
import { ARGUMENT_WORDS, type ArgumentWords } from './usage';

/** Exit codes of the terminal contract (docs/trace-format.md). */
export const EXIT = { answered: 0, failed: 1, limit: 2, usage: 64, cancelled: 130 } as const;

export interface AskArguments {
  question: string;
  json: boolean;
  provider: string;
  baseUrl?: string;
  model?: string;
  wiki?: string;
  steps?: number;
  seconds?: number;
  language?: Language;
  protocol: Protocol | 'auto';
  trace?: string;
}

/** What is wrong with the arguments, fit to print. */
export class BadArguments extends Error {}

/**
 * Reads the command line after the program's name.
 * @param speaking the language of what is said about it
 * @returns the arguments, or 'help'
 * @throws BadArguments
 */
export function readArguments(argv: readonly string[], speaking: Language): AskArguments | 'help' {
  const words = ARGUMENT_WORDS[speaking];
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BadArguments(words.unread(code, message));
  }
  const { values, positionals } = parsed;
  if (values.help || (positionals[0] === 'help' && positionals.length === 1)) return 'help';
  const [command, ...rest] = positionals;
  if (command !== 'ask') throw new BadArguments(command ? words.unknownCommand(command) : words.noCommand);
  const question = rest.join(' ').trim();
  if (!question) throw new BadArguments(words.noQuestion);
  // An unset variable in a script must not choose another model or another file unseen.
  const empty = Object.entries(values).find(([, value]) => typeof value === 'string' && !value.trim());
  if (empty) throw new BadArguments(words.empty(`--${empty[0]}`));
  const baseUrl = values['base-url'];
  const provider = values.provider ?? (baseUrl ? 'openai' : 'researcher');
  // Whoever names a model must not get the rules' answer for that model's.
  const unused = (['model', 'base-url'] as const).find((flag) => values[flag] !== undefined);
  if (provider === 'researcher' && unused) throw new BadArguments(words.noEndpoint(`--${unused}`));
  return {
    question,
    json: values.json ?? false,
    provider,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(values.wiki === undefined ? {} : { wiki: values.wiki }),
    ...count('steps', '--max-steps', values['max-steps'], true, words),
    ...count('seconds', '--seconds', values.seconds, false, words),
    ...language(values.language, words),
    protocol: oneOf('--protocol', values.protocol ?? 'auto', ['auto', 'text', 'tools'] as const, words),
    ...(values.trace === undefined ? {} : { trace: values.trace }),
  };
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      'base-url': { type: 'string' },
      model: { type: 'string' },
      provider: { type: 'string' },
      wiki: { type: 'string' },
      'max-steps': { type: 'string' },
      seconds: { type: 'string' },
      language: { type: 'string' },
      protocol: { type: 'string' },
      trace: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

function count<K extends string>(
  key: K,
  flag: string,
  text: string | undefined,
  whole: boolean,
  words: ArgumentWords,
): { [k in K]?: number } {
  if (text === undefined) return {};
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value) || (whole && !Number.isInteger(value))) {
    throw new BadArguments(words.number(flag, whole, text));
  }
  return { [key]: value } as { [k in K]?: number };
}

function oneOf<T extends string>(flag: string, text: string, allowed: readonly T[], words: ArgumentWords): T {
  const found = allowed.find((each) => each === text);
  if (!found) throw new BadArguments(words.oneOf(flag, allowed, text));
  return found;
}

function language(text: string | undefined, words: ArgumentWords): { language?: Language } {
  const chosen = oneOf('--language', text ?? 'auto', ['auto', 'en', 'zh-CN'] as const, words);
  return chosen === 'auto' ? {} : { language: chosen };
}
