import { isPrivateHost, normaliseEndpoint } from './endpoint';
import { type EndpointAccess, getJson } from './models';

type Fields = Record<string, unknown>;
const record = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const records = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(record) : []);
/** The first that is a plausible number of tokens. */
const tokens = (...values: unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 256);

/**
 * The context window of a model in tokens, where its server tells: OpenRouter and vLLM in the list of models; on private
 * hosts also Ollama, LM Studio and llama.cpp at addresses of their own. Undefined where it doesn't.
 * @throws the signal's reason
 */
export async function learnContextWindow(
  access: EndpointAccess,
  model: string,
  signal: AbortSignal,
  timeoutMs = 3000,
): Promise<number | undefined> {
  const base = normaliseEndpoint(access.baseUrl)?.base;
  if (base === undefined) return undefined;
  const ask = (url: string, body?: Fields) => getJson(access, url, timeoutMs, signal, body);
  const { origin, hostname } = new URL(base);
  const none = Promise.resolve(undefined);
  const own = isPrivateHost(hostname);
  const [listed, studio, running, shown, props] = await Promise.all([
    ask(`${base}/models`),
    own ? ask(`${origin}/api/v0/models`) : none,
    own ? ask(`${origin}/api/ps`) : none,
    own ? ask(`${origin}/api/show`, { model }) : none,
    own ? ask(`${origin}/props`) : none,
  ]);
  const named = (list: unknown) =>
    records(list).find((entry) => [entry.id, entry.name, entry.model].includes(model)) ?? {};
  const inStudio = named(studio?.data);
  const entry = named(listed?.data);
  return tokens(
    // What is loaded now counts; what the model could take does not, where the server was given less.
    named(running?.models).context_length,
    readNumCtx(shown?.parameters),
    inStudio.loaded_context_length,
    record(props?.default_generation_settings).n_ctx,
    props?.n_ctx,
    record(entry.top_provider).context_length,
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
