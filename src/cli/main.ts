import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runAgent } from '../agent/agent';
import { UserError } from '../agent/errors';
import type { AgentEvent, Language, RunEnd } from '../agent/event';
import { languageOf } from '../agent/language';
import { makeToolbox } from '../agent/tool';
import { openSource } from '../knowledge';
import { openLlm, unusable } from '../llm/open';
import { createToolbox } from '../tools';
import { TraceFile } from '../traces/traceFile';
import { type AskArguments, BadArguments, EXIT, readArguments, USAGE } from './arguments';
import { lineFor } from './print';

/** The folder that ships with the program: beside `dist/`, or at the top of a checkout. */
function mediaFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const media = join(folder, 'media');
    if (existsSync(media) || folder === dirname(folder)) return media;
  }
}

/** Runs one question and returns the exit code. All output goes through `out` (stdout) and `err` (stderr). */
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
  const interrupt = () => {
    if (stopper.signal.aborted) process.exit(EXIT.cancelled);
    stopper.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  let end: RunEnd | undefined;
  const run = runAgent({
    question: options.question,
    llm,
    toolbox,
    limits: { steps: options.steps, seconds: options.seconds },
    signal: stopper.signal,
    language,
    protocol: options.protocol === 'tools' ? 'tools' : 'text',
  });
  let warned = false;
  for await (const event of run) {
    if (event.type === 'run-end') end = event;
    if (file && event.type !== 'delta' && !file.append(event) && !warned) {
      warned = true;
      process.stderr.write(`The trace could not be written to ${options.trace}: ${file.problem?.message}\n`);
    }
    await show(event, options.json, language);
  }
  file?.close();
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
  if (end?.error) process.stderr.write(`${oneLine(end.error.message)} ${oneLine(end.error.hint)}\n`);
  return end ? EXIT[end.outcome] : EXIT.failed;
}

async function show(event: AgentEvent, json: boolean, language: Language): Promise<void> {
  const text = json ? `${JSON.stringify(event)}\n` : lineFor(event, language);
  if (text && !process.stdout.write(text)) await new Promise((drained) => process.stdout.once('drain', drained));
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function complain(error: unknown, code: number): number {
  const hint = error instanceof UserError ? ` ${error.hint}` : '';
  process.stderr.write(`${oneLine(error instanceof Error ? error.message : String(error))}${hint}\n`);
  return code;
}

async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = readArguments(argv);
    if (options !== 'help') return await ask(options);
    process.stdout.write(`${USAGE}\n`);
    return EXIT.answered;
  } catch (error) {
    if (!(error instanceof BadArguments)) return complain(error, EXIT.failed);
    process.stderr.write(`${error.message}.\n\n${USAGE}\n`);
    return EXIT.usage;
  }
}

// A reader that went away (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT.failed));
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.exitCode = complain(error, EXIT.failed);
  },
);
