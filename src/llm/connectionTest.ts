import { UserError } from '../agent/errors';
import { ContextOverflow } from '../agent/llm';
import { carriedBy } from './access';
import { type Fault, readFault } from './connectionTest/fault';
import { ask, CALL, judgeStop, type Probe, SAY } from './connectionTest/probe';
import { type BasicStep, type Fix, type Mark, ORDER, type TestResult, type TestStep } from './connectionTest/result';
import { TEXTS } from './connectionTest/texts';
import { learnContextWindow } from './contextWindow';
import { type EndpointProblem, isPrivateHost, normaliseEndpoint, validateEndpoint } from './endpoint';
import { memoryFitStore } from './fit';
import { listModels } from './models';
import { createOpenai, type OpenaiOptions } from './openai';

export type { Fix, Mark, TestResult } from './connectionTest/result';

/**
 * Probes an endpoint step by step and yields each result as it is known. Ends after the first fault, or with what the
 * endpoint can do. Nothing is waited out: what fails for the moment is told. What the test teaches goes into the fit store,
 * so that the first question profits.
 * @throws the signal's reason
 */
export async function* testConnection(options: OpenaiOptions, signal: AbortSignal): AsyncGenerator<TestResult> {
  const language = options.language ?? 'en';
  const words = TEXTS[language];
  const result = (step: TestStep, mark: Mark, detail: string, fixes: Fix[] = []): TestResult => ({
    step,
    label: words.labels[step],
    mark,
    detail,
    ...(fixes.length > 0 ? { fixes } : {}),
  });
  const problems = validateEndpoint(options, language);
  const wrong = problems.find(({ severity }) => severity === 'error');
  if (wrong) {
    yield result('entered', 'fault', sentence(wrong), [fixFor(wrong)]);
    return;
  }
  // A warning is shown before anything is sent.
  if (problems.length > 0) yield result('entered', 'limit', problems.map(sentence).join(' '));
  else yield result('entered', 'fine', words.fine);

  const { base } = normaliseEndpoint(options.baseUrl)!;
  const { search } = carriedBy(options);
  const fitStore = options.fitStore ?? memoryFitStore();
  let type = '';
  /** The base that was asked last: another one where the one entered leads nowhere. */
  let answering = base;
  const watched: typeof fetch = async (input, init) => {
    const response = await (options.fetch ?? globalThis.fetch)(input, init);
    const asked = /^(.*)\/chat\/completions(?:\?|$)/s.exec(String(input))?.[1];
    if (asked !== undefined) {
      answering = asked;
      type = response.headers.get('content-type') ?? '';
    }
    return response;
  };
  const llm = createOpenai({ ...options, fitStore, fetch: watched, once: true });
  let probe: Probe | undefined;
  let fault: Fault | undefined;
  try {
    probe = await ask(llm, SAY, signal);
  } catch (error) {
    signal.throwIfAborted();
    fault = readFault(error, base, language);
    if (!fault) throw error;
  }
  const fine = fault ? fault.fine : 'completion';
  const lastFine = fine === undefined ? -1 : ORDER.indexOf(fine);
  for (const [index, step] of ORDER.entries()) {
    if (step === fault?.at) {
      const models = step === 'model' ? await listModels(options, answering, signal) : undefined;
      // The first of a list may be anything, even a model that does not chat: a choice comes before it.
      const found = models?.[0] === undefined ? [] : [{ model: models[0] }];
      yield result(step, 'fault', fault.text, [...fault.fixes, ...found]);
      return;
    }
    yield basic(step, index <= lastFine);
  }
  if (!probe) return;

  const dropped = () => fitStore.get(base, options.model)?.drop ?? [];
  const streams = !/json/i.test(type) && !dropped().includes('stream');
  yield result('streaming', streams ? 'fine' : 'limit', streams ? words.streams : words.whole);

  const stop = dropped().includes('stop') ? 'refused' : judgeStop(probe);
  yield result('stop', stop === 'taken' ? 'fine' : stop === 'unclear' ? 'open' : 'limit', words.stop[stop]);

  const { prompt = 0, completion = 0 } = probe.usage ?? {};
  // Servers that do not count say 0.
  if (prompt + completion > 0) yield result('usage', 'fine', words.usage(prompt, completion));
  else yield result('usage', 'limit', words.noUsage);

  try {
    const { calls } = await ask(llm, CALL, signal);
    yield result('tools', calls > 0 ? 'fine' : 'limit', calls > 0 ? words.tools : words.noTools);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError || error instanceof ContextOverflow)) throw error;
    yield result('tools', 'open', words.toolsUntested(error.message));
  }

  const window =
    llm.contextWindow ?? (await learnContextWindow({ ...options, baseUrl: answering + search }, options.model, signal));
  if (window === undefined) yield result('window', 'limit', words.noWindow);
  else yield result('window', 'fine', words.window(window));

  /** A step that the completion went through; `seen` where what came back shows that it did. */
  function basic(step: BasicStep, seen: boolean): TestResult {
    const { protocol, hostname } = new URL(base);
    if (step === 'tls' && protocol === 'http:') {
      return isPrivateHost(hostname) ? result(step, 'fine', words.plain) : result(step, 'limit', words.plainPublic);
    }
    if (!seen) return result(step, 'open', step === 'key' && !options.key ? words.noKeyEntered : words.untested);
    if (step === 'path' && answering !== base) {
      return result(step, 'limit', words.answersUnder(answering), [{ baseUrl: answering + search }]);
    }
    if (step === 'key' && !options.key) return result(step, 'fine', words.noKey);
    if (step !== 'completion') return result(step, 'fine', words.fine);
    const ms = probe?.firstTokenMs;
    return ms === undefined
      ? result(step, 'limit', words.noText)
      : result(step, 'fine', words.firstToken(Math.round(ms)));
  }
}

const sentence = ({ message, hint }: EndpointProblem) => `${message} ${hint}`;

function fixFor({ field, fix, action }: EndpointProblem): Fix {
  if (fix === undefined || field === 'key') return { action };
  return field === 'model' ? { model: fix } : { baseUrl: fix };
}
