import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runAgent } from '../agent/agent';
import { UserError } from '../agent/errors';
import type { Language, RunEnd } from '../agent/event';
import { languageOf } from '../agent/language';
import { makeToolbox } from '../agent/tool';
import { openSource } from '../knowledge';
import { openLlm, unusable } from '../llm/open';
import { createToolbox } from '../tools';
import { TraceFile } from '../traces/traceFile';
import { type AskArguments, BadArguments, EXIT, readArguments } from './arguments';
import { terminalHint } from './hints';
import { lineFor, printable } from './print';
import { ARGUMENT_WORDS, terminalLanguage, USAGE } from './usage';

/** Ctrl-C, a polite kill, a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds that what is left over may keep the process after its run. */
const LINGER = 500;

const UNWRITTEN: Record<Language, (path: string, problem: string) => string> = {
  en: (path, problem) => `The trace could not be written to ${path}: ${problem}`,
  'zh-CN': (path, problem) => `无法把轨迹写入 ${path}：${problem}`,
};

/** The folder that ships with the program: beside `dist/`, or at the top of a checkout. */
function mediaFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const media = join(folder, 'media');
    if (existsSync(media) || folder === dirname(folder)) return media;
  }
}

/** Stdout while somebody reads it: `| head` goes away, and that is no error of ours. */
class Output {
  private readonly gone = new AbortController();

  constructor(onGone: () => void) {
    process.stdout.on('error', () => {
      this.gone.abort();
      onGone();
    });
  }

  /** Resolves when there is room for more, when the reader went away, or when `signal` aborts. */
  async write(text: string, signal: AbortSignal): Promise<void> {
    if (!text || this.gone.signal.aborted || process.stdout.write(text)) return;
    await once(process.stdout, 'drain', { signal: AbortSignal.any([signal, this.gone.signal]) }).catch(() => {});
  }
}

/** Runs one question and returns the exit code. */
async function ask(options: AskArguments): Promise<number> {
  const language = options.language ?? languageOf(options.question);
  const key = process.env.OPENAI_API_KEY;
  let llm = openLlm(options.provider, {
    language,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(key ? { key } : {}),
  });
  let toolbox = makeToolbox([]);
  try {
    const source = openSource(options.wiki ?? 'auto', {
      sampleFolder: join(mediaFolder(), 'sample-wiki'),
      language,
    });
    toolbox = createToolbox({ source });
  } catch (error) {
    llm = unusable(llm.provider, llm.model, error);
  }
  const file = options.trace === undefined ? undefined : new TraceFile(resolve(options.trace), 'w');
  const stopper = new AbortController();
  let interrupted = false;
  const interrupt = () => {
    if (interrupted) process.exit(EXIT.cancelled);
    interrupted = true;
    stopper.abort();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  let unread = false;
  const output = new Output(() => {
    unread = true;
    stopper.abort();
  });
  let end: RunEnd | undefined;
  const run = runAgent({
    question: options.question,
    llm,
    toolbox,
    limits: { steps: options.steps, seconds: options.seconds },
    signal: stopper.signal,
    language,
    protocol: options.protocol,
  });
  let warned = false;
  for await (const event of run) {
    if (event.type === 'run-end') end = event;
    if (file && event.type !== 'delta' && !file.append(event) && !warned) {
      warned = true;
      process.stderr.write(`${oneLine(UNWRITTEN[language](options.trace ?? '', file.problem?.message ?? ''))}\n`);
    }
    const text = options.json ? `${JSON.stringify(event)}\n` : lineFor(event, language);
    await output.write(text, stopper.signal);
  }
  file?.close();
  for (const signal of SIGNALS) process.off(signal, interrupt);
  if (unread && !interrupted) return EXIT.answered;
  if (end?.error)
    process.stderr.write(`${oneLine(end.error.message)} ${oneLine(terminalHint(end.error.hint, language))}\n`);
  return end ? EXIT[end.outcome] : EXIT.failed;
}

const oneLine = (text: string) => printable(text.replace(/\s+/g, ' ').trim());

function complain(error: unknown, code: number): number {
  const hint = error instanceof UserError ? error.hint : '';
  process.stderr.write(`${oneLine(`${error instanceof Error ? error.message : String(error)} ${hint}`)}\n`);
  return code;
}

async function main(argv: readonly string[]): Promise<number> {
  const language = terminalLanguage(process.env);
  try {
    const options = readArguments(argv, language);
    if (options !== 'help') return await ask(options);
    process.stdout.write(`${USAGE[language]}\n`);
    return EXIT.answered;
  } catch (error) {
    if (!(error instanceof BadArguments)) return complain(error, EXIT.failed);
    process.stderr.write(`${error.message}${ARGUMENT_WORDS[language].end}\n\n${USAGE[language]}\n`);
    return EXIT.usage;
  }
}

process.stderr.on('error', () => {});
main(process.argv.slice(2))
  .catch((error) => complain(error, EXIT.failed))
  .then((code) => {
    process.exitCode = code;
    // What a tool left open (a socket that nobody answers) must not keep the terminal.
    setTimeout(() => process.stdout.writableLength === 0 && process.exit(), LINGER).unref();
  });
