import { parseArgs } from 'node:util';
import type { Language, Protocol } from '../agent/event';

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

export const USAGE = `Usage: react-agent ask "question" [options]

  --json               print the events as JSON Lines on stdout, nothing else there
  --base-url URL       an OpenAI-compatible endpoint; its key is read from OPENAI_API_KEY
  --model NAME         the model at that endpoint
  --provider ID        who answers; default: the built-in researcher (rules, no model), or openai with --base-url
  --wiki URL           root of a MediaWiki, or sample: for the sample wiki; default: Wikipedia
  --max-steps N        Thought/Action steps at most (default 8)
  --seconds N          seconds for the whole run (default 300)
  --language L         auto, en or zh-CN (default: the question's)
  --protocol P         auto, text or tools (default: auto)
  --trace FILE         write the trace there
  --help               this text

Exit code: 0 answered, 2 ended at a limit, 1 failed, 130 cancelled, 64 bad arguments.`;

/** What is wrong with the arguments, fit to print. */
export class BadArguments extends Error {}

/**
 * Reads the command line after the program's name.
 * @returns the arguments, or 'help'
 * @throws BadArguments
 */
export function readArguments(argv: readonly string[]): AskArguments | 'help' {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    throw new BadArguments((error as Error).message.split(/\.?\s*\n|\. /)[0]);
  }
  const { values, positionals } = parsed;
  if (values.help || (positionals[0] === 'help' && positionals.length === 1)) return 'help';
  const [command, ...words] = positionals;
  if (command !== 'ask') throw new BadArguments(command ? `Unknown command “${command}”` : 'A command is missing');
  const question = words.join(' ').trim();
  if (!question) throw new BadArguments('The question is empty');
  // An unset variable in a script must not choose another model or another file unseen.
  const empty = Object.entries(values).find(([, value]) => typeof value === 'string' && !value.trim());
  if (empty) throw new BadArguments(`--${empty[0]} is empty`);
  const baseUrl = values['base-url'];
  const provider = values.provider ?? (baseUrl ? 'openai' : 'researcher');
  return {
    question,
    json: values.json ?? false,
    provider,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(values.wiki === undefined ? {} : { wiki: values.wiki }),
    ...count('steps', '--max-steps', values['max-steps'], true),
    ...count('seconds', '--seconds', values.seconds, false),
    ...language(values.language),
    protocol: oneOf('--protocol', values.protocol ?? 'auto', ['auto', 'text', 'tools'] as const),
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
): { [k in K]?: number } {
  if (text === undefined) return {};
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value) || (whole && !Number.isInteger(value))) {
    throw new BadArguments(`${flag} takes a ${whole ? 'whole ' : ''}number above 0, not “${text}”`);
  }
  return { [key]: value } as { [k in K]?: number };
}

function oneOf<T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === text);
  if (!found) throw new BadArguments(`${flag} takes ${allowed.join(', ')}, not “${text}”`);
  return found;
}

function language(text: string | undefined): { language?: Language } {
  const chosen = oneOf('--language', text ?? 'auto', ['auto', 'en', 'zh-CN'] as const);
  return chosen === 'auto' ? {} : { language: chosen };
}
