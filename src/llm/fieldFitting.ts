import { readBounds } from './bounds';
import type { ErrorBody } from './errorBody';
import type { Fit } from './fit';
import { NO } from './refusalWords';
import type { RequestBody } from './request';

const OUTPUT_CAP = 'max(imum)?[ _-]?(completion|output|new)?[ _-]?tokens';
/** Words for a field other than its name. */
const OTHER_WORDS: Record<string, string> = {
  stop: 'stop[ _-]?(sequences?|words?|strings?)',
  stream_options: 'stream[ _-]options|include_usage',
  max_tokens: OUTPUT_CAP,
  max_completion_tokens: OUTPUT_CAP,
  presence_penalty: 'penalt(y|ies)',
  frequency_penalty: 'penalt(y|ies)',
  stream: 'streaming',
};
const FOREIGN = /(?!\p{Script=Latin})\p{L}/u;

/** Reads what is wrong with which field of the body, and mends it; undefined when no field is meant. */
export function fitFields(said: ErrorBody, body: RequestBody, fit: Fit): Fit | undefined {
  const sent = Object.keys(body).filter((name) => name !== 'model' && name !== 'messages');
  const named = sent.filter((name) => said.fields.some((field) => field === name || field.startsWith(`${name}.`)));
  const text = said.words;
  const demanded = demand(text, body, fit);
  if (demanded) return demanded;
  if (named.length > 0) return named.reduce<Fit>((fitted, name) => fitField(name, text, body, fitted), fit);
  const place = (name: string) => text.search(new RegExp(`(?<![\\w])(${wordsFor(name)})(?![\\w])`, 'i'));
  const [first] = sent.filter((name) => place(name) >= 0).sort((one, other) => place(one) - place(other));
  if (first === undefined) return undefined;
  const quoted = new RegExp(`["'\`“”‘«「『]\\s?${first}\\s?["'\`“”’»」』]`).test(text);
  const meant = quoted || FOREIGN.test(text) || NO.test(text) || readBounds(text, body[first]);
  return meant ? fitField(first, text, body, fit) : undefined;
}

/** Its name in either spelling (`presencePenalty`), and other words for it. */
function wordsFor(name: string): string {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [name, camel, OTHER_WORDS[name] ?? name].join('|');
}

const NAME = '[`\'"]?(?:parameters?\\.)?\\b([a-z]+(?:_[a-z]+)*)[`\'"]?';
/** Not the first number of a range or a comparison. */
const VALUE =
  '[`\'"]?(true|false|null|-?\\d+(?:\\.\\d+)?(?![\\d.]*\\d|[`\'"]?\\s*(?:or|to|and|-|<|≤|characters|tokens|items)))[`\'"]?';
const DEMANDS = [
  // DashScope: “parameter.enable_thinking must be set to false for non-streaming calls”; OpenAI: “temperature must be 1.0”;
  // Anthropic: “`temperature` may only be set to 1 when thinking is enabled”
  `${NAME} (?:parameter )?(?:must|should|has to|needs to|(?:may|can) only) be (?:set to |equal to |exactly )?${VALUE}`,
  // DashScope: “The value of the enable_thinking parameter is restricted to True.”
  `${NAME} (?:parameter )?is (?:restricted|fixed) (?:to|at) ${VALUE}`,
  // DashScope: “This model only supports incremental_output set to True.”
  `only supports? ${NAME} (?:set to|=) ?${VALUE}`,
  // Moonshot: “invalid temperature: only 0.6 is allowed for this model”
  `${NAME}: only ${VALUE} is (?:allowed|supported)`,
  // Gateways: “Invalid value for temperature: expected 1, got 0”
  `value for ${NAME}: expected ${VALUE},? (?:but )?got`,
].map((source) => new RegExp(source, 'i'));

/** A field must have one certain value, whether we sent it or not. */
function demand(text: string, body: RequestBody, fit: Fit): Fit | undefined {
  for (const pattern of DEMANDS) {
    const [, name, value] = pattern.exec(text) ?? [];
    if (name === undefined || value === undefined) continue;
    const wanted: unknown = JSON.parse(value.toLowerCase());
    // A switch may be one we never heard of; a number is only for a number that we sent.
    const known = typeof wanted === 'number' ? typeof body[name] === 'number' : name in body || name.includes('_');
    if (known && fit.set?.[name] !== wanted) return { ...fit, set: { ...fit.set, [name]: wanted } };
  }
  return undefined;
}

const OTHER_NAME =
  /(?:use|try|did you mean|renamed to|replaced (?:by|with)|in favou?r of|请使用|改用)[: ]*(?:the )?[`'"]?([a-z][a-z_]+[a-z])[`'"]?/i;

function fitField(name: string, text: string, body: RequestBody, fit: Fit): Fit {
  const other = OTHER_NAME.exec(text)?.[1];
  if (other?.includes('_') && other !== name && !(other in body)) {
    return { ...fit, rename: { ...fit.rename, [name]: other } };
  }
  const value = body[name];
  const limit = readBounds(text, value);
  if (typeof value === 'number' && limit && !/default/i.test(text)) {
    const step = Number.isInteger(limit.most ?? 0) && /token|_n$|^n$|top_k|seed/.test(name) ? 1 : 0.01;
    const most = limit.most === undefined ? undefined : limit.most - (limit.belowMost ? step : 0);
    const least = limit.least === undefined ? undefined : limit.least + (limit.aboveLeast ? step : 0);
    if (most !== undefined && value > most) return clamp(fit, 'atMost', original(fit, name), most);
    if (least !== undefined && value < least) return clamp(fit, 'atLeast', original(fit, name), least);
  }
  if (name === 'stop' && Array.isArray(value) && value.length > 1) {
    if (limit?.most && limit.most < value.length) return clamp(fit, 'atMost', 'stop', limit.most);
    if (/too many|too long|number of|at most|maximum|string|array|list|length|single/i.test(text)) {
      return clamp(fit, 'atMost', 'stop', value.length > 4 ? 4 : 1);
    }
  }
  return drop(fit, name);
}

/** A field may have been renamed by what was learnt before. */
function original(fit: Fit, name: string): string {
  return Object.entries(fit.rename ?? {}).find(([, other]) => other === name)?.[0] ?? name;
}

/** Leaves out a field, by its name in the body. */
export function drop(fit: Fit, name: string): Fit {
  const left = original(fit, name);
  const { [left]: _, ...rename } = fit.rename ?? {};
  const { rename: __, ...rest } = fit;
  const dropped = { ...rest, drop: [...new Set([...(fit.drop ?? []), left])] };
  return Object.keys(rename).length > 0 ? { ...dropped, rename } : dropped;
}

function clamp(fit: Fit, rule: 'atMost' | 'atLeast', name: string, value: number): Fit {
  return { ...fit, [rule]: { ...fit[rule], [name]: value } };
}
