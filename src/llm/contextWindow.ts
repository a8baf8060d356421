import type { EndpointAccess } from './access';
import { isPrivateHost, normaliseEndpoint, validateEndpoint } from './endpoint';
import { type Fields, record, records } from './fields';
import { findModels, getJson } from './models';

/** The first that is a plausible number of tokens. */
const tokens = (...values: unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 256);

/**
 * The context window of a model in tokens, where its server tells: OpenRouter and vLLM in the list of models; on private
 * hosts also Ollama, LM Studio and llama.cpp at addresses of their own. Undefined where it doesn't.
 *
 * Those addresses lie outside of the base URL, where another service may live: neither the key nor the base URL's query is
 * sent there, so a server that locks them with its key tells nothing.
 * @throws the signal's reason
 */
export async function learnContextWindow(
  access: EndpointAccess,
  model: string,
  signal: AbortSignal,
  timeoutMs = 3000,
): Promise<number | undefined> {
  const base = normaliseEndpoint(access.baseUrl)?.base;
  const problems = validateEndpoint({ ...access, model });
  if (base === undefined || problems.some(({ severity }) => severity === 'error')) return undefined;
  const { origin, hostname } = new URL(base);
  const open: EndpointAccess = { baseUrl: origin, ...(access.fetch ? { fetch: access.fetch } : {}) };
  const ask = async (path: string, body?: Fields) =>
    isPrivateHost(hostname) ? getJson(open, origin + path, timeoutMs, signal, body) : undefined;
  const [list, studio, running, shown, props] = await Promise.all([
    findModels(access, undefined, signal, timeoutMs),
    ask('/api/v0/models'),
    ask('/api/ps'),
    ask('/api/show', { model }),
    ask('/props'),
  ]);
  const named = (list: unknown) =>
    records(list).find((entry) => [entry.id, entry.name, entry.model].includes(model)) ?? {};
  const inStudio = named(studio?.data);
  const entry = named(list?.data?.data);
  return tokens(
    // What is loaded now counts; what the model could take does not, where the server was given less.
    named(running?.models).context_length,
    readNumCtx(shown?.parameters),
    inStudio.loaded_context_length,
    record(props?.default_generation_settings)?.n_ctx,
    props?.n_ctx,
    record(entry.top_provider)?.context_length,
    entry.max_model_len,
    entry.context_length,
    entry.context_window,
    entry.max_context_length,
    inStudio.max_context_length,
  );
}

/** Ollama gives a model's parameters as lines of text: `num_ctx 8192`. */
function readNumCtx(parameters: unknown): number | undefined {
  const found = typeof parameters === 'string' ? /^\s*num_ctx\s+(\d+)/m.exec(parameters)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
}
