import { otherBases } from './endpoint';
import type { ErrorBody } from './errorBody';
import type { Failure } from './failures';
import type { Fit } from './fit';
import type { RequestBody } from './request';

/**
 * What to change after a refusal, read from the endpoint's own words; undefined when nothing sensible is left to change.
 * Guesses may be bold: a change is remembered only when the changed request is accepted.
 * @param entered the base URL as the user gave it
 */
export function adapt(failure: Failure, body: RequestBody, fit: Fit, entered: string): Fit | undefined {
  if (failure.kind === 'wrong-path' || failure.kind === 'web-page') {
    const { base, ...rest } = fit;
    const others = otherBases(entered);
    const next = others[base === undefined ? 0 : others.indexOf(base) + 1];
    return next === undefined ? rest : { ...rest, base: next };
  }
  if ((failure.kind !== 'rejected' && failure.kind !== 'server') || !failure.body) return undefined;
  const said = failure.body;
  // A server error may well be just that, and pass: what it teaches must be said outright.
  if (failure.kind === 'server' && !OUTRIGHT.test(said.message)) return undefined;
  const known = roles(said, body, fit) ?? tools(said, body, fit) ?? fields(said, body, fit);
  return known ?? (failure.kind === 'rejected' ? less(said, body, fit) : undefined);
}

const OUTRIGHT = /paramet|argument|\bfield|not supported|unsupported|n[o']t support|--\w+|\broles?\b|template|jinja/i;
const NO =
  /unsupported|not (be )?(supported|permitted|allowed|recogni[sz]ed|valid|available|accepted|implemented|enabled|compatible|exist)|n't (support|allow|accept|recogni)|(does|do|can|may|must) ?not|no (support|endpoint)|unknown|unrecogni[sz]ed|unexpected|extra (input|field|param|key)|invalid|illegal|forbid|deprecated|reject|only|disabled|incompatible|requires?|must|should|expected|too (many|long|large|high|low|small)|不支持|无效|不允许|未知|非法|不能/i;

/** Who may speak, in which order, and with what beside the text. */
function roles(said: ErrorBody, body: RequestBody, fit: Fit): Fit | undefined {
  const text = said.message;
  if (/reasoning/i.test(text)) {
    const aboutMessages = said.fields.some((field) => field.startsWith('messages'));
    if (fit.sendReasoning && (NO.test(text) || aboutMessages)) return { ...fit, sendReasoning: false };
    if (fit.sendReasoning === undefined && /pass|back|missing|must|require|include|缺少|必须|传回/i.test(text)) {
      return { ...fit, sendReasoning: true };
    }
  }
  const hasSystem = body.messages.some((message) => message.role === 'system');
  const fold: Fit | undefined = hasSystem && !fit.foldSystem ? { ...fit, foldSystem: true } : undefined;
  const join: Fit | undefined = fit.joinRoles ? undefined : { ...fit, joinRoles: true };
  if (/alternat|consecutive|successive|in a row|same role|expected last role|轮流|交替/i.test(text))
    return join ?? fold;
  const systemRefused =
    /(system|developer)[^.]{0,40}(role|message|prompt|instruction)|(role|message|prompt|instruction)[^.]{0,20}(system|developer)/i.test(
      text,
    ) && NO.test(text);
  const othersOnly =
    /user and assistant|user['"`]? (or|and) ['"`]?assistant|(unknown|invalid|unsupported|unexpected) role|role[^.]{0,40}not supported|(first|start)[^.]{0,30}user/i;
  if (systemRefused || othersOnly.test(text)) return fold ?? join;
  if (said.fields.some((field) => /^messages\.\d+\.role$/.test(field))) return fold ?? join;
  // A chat template that fails without saying why mostly stumbles over these two.
  return /jinja|chat[ _]?template|template ?error|rendering prompt/i.test(text) ? (fold ?? join) : undefined;
}

function tools({ message, fields: named }: ErrorBody, body: RequestBody, fit: Fit): Fit | undefined {
  if (!('tools' in body)) return undefined;
  const mentioned = /\btools?\b|tool[ _-](use|call|choice)|function[ _-]?call/i.test(message) && NO.test(message);
  return mentioned || named.some((field) => /^tools?(_choice)?$/.test(field)) ? drop(fit, 'tools') : undefined;
}

/** Words for a field other than its name. */
const OTHER_WORDS: Record<string, string> = {
  stop: 'stop[ _-]?(sequences?|words?|strings?)',
  stream_options: 'stream[ _-]options|include_usage',
  max_tokens: 'max(imum)?[ _-]?(completion|output|new)?[ _-]?tokens',
  max_completion_tokens: 'max(imum)?[ _-]?(completion|output|new)?[ _-]?tokens',
  presence_penalty: 'penalt(y|ies)',
  frequency_penalty: 'penalt(y|ies)',
  stream: 'streaming',
};

function fields(said: ErrorBody, body: RequestBody, fit: Fit): Fit | undefined {
  const sent = Object.keys(body).filter((name) => name !== 'model' && name !== 'messages');
  const named = sent.filter((name) => said.fields.some((field) => field === name || field.startsWith(`${name}.`)));
  const text = said.message;
  const place = (name: string) => {
    const words = OTHER_WORDS[name] === undefined ? name : `${name}|${OTHER_WORDS[name]}`;
    return text.search(new RegExp(`(?<![\\w])(${words})(?![\\w])`, 'i'));
  };
  const mentioned = sent.filter((name) => place(name) >= 0).sort((one, other) => place(one) - place(other));
  const demanded = demand(text, fit);
  if (demanded) return demanded;
  if (named.length > 0) return named.reduce<Fit>((fitted, name) => fitField(name, text, body, fitted), fit);
  const [first] = mentioned;
  return first !== undefined && (NO.test(text) || bounds(text)) ? fitField(first, text, body, fit) : undefined;
}

/** “`enable_thinking` must be set to false”, whether we sent it or not. */
function demand(text: string, fit: Fit): Fit | undefined {
  const found =
    /[`'"]?(?:parameters?\.)?\b([a-z]+(?:_[a-z]+)+)[`'"]? (?:must|should|has to|needs to) be (?:set to )?[`'"]?(true|false|null)\b/i.exec(
      text,
    );
  const [, name, value] = found ?? [];
  if (name === undefined || value === undefined) return undefined;
  const wanted: unknown = JSON.parse(value.toLowerCase());
  return fit.set?.[name] === wanted ? undefined : { ...fit, set: { ...fit.set, [name]: wanted } };
}

function fitField(name: string, text: string, body: RequestBody, fit: Fit): Fit {
  const other =
    /(?:use|try|did you mean|renamed to|replaced (?:by|with))[: ]+(?:the )?[`'"]?([a-z][a-z_]+[a-z])[`'"]?/i.exec(
      text,
    )?.[1];
  if (other?.includes('_') && other !== name && !(other in body)) {
    return { ...fit, rename: { ...fit.rename, [name]: other } };
  }
  const value = body[name];
  const limit = bounds(text);
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
  return drop(fit, original(fit, name));
}

interface Bounds {
  least?: number;
  most?: number;
  /** True where the bound itself is not allowed. */
  aboveLeast?: boolean;
  belowMost?: boolean;
}

/** Numbers between which a value must lie, from the usual wordings. */
function bounds(text: string): Bounds | undefined {
  const N = '[`\'"]?(-?\\d[\\d,]*(?:\\.\\d+)?)';
  const value = (found: string | undefined) =>
    found === undefined ? undefined : Number(found.replace(/,(?=\d{3})/g, ''));
  const range = /([[(])\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*([\])])/.exec(text);
  if (range) {
    const [, open, least, most, close] = range;
    return { least: Number(least), most: Number(most), aboveLeast: open === '(', belowMost: close === ')' };
  }
  const between = new RegExp(`(?:between|from) ${N}['"\`]? (?:and|to) ${N}`, 'i').exec(text);
  if (between) return { least: value(between[1])!, most: value(between[2])! };
  const most = new RegExp(
    `(?:(less|smaller|lower|fewer) than(?: or equal to)?|<=?|≤|at most|no more than|up to|(?:not|cannot) exceed|\\bmax(?:imum)?(?!_)(?: (?:value|length|number|allowed))?|limit(?:ed)?)[^\\d.]{0,24}${N}`,
    'i',
  ).exec(text);
  const least = new RegExp(
    `(?:(greater|larger|more|higher) than(?: or equal to)?|>=?|≥|at least|min(?:imum)?(?: value)?)[^\\d.]{0,16}${N}`,
    'i',
  ).exec(text);
  const strict = (found: RegExpExecArray | null) =>
    found !== null && /^(\w+ than(?! or equal)|[<>](?!=))/.test(found[0]);
  const result: Bounds = {};
  if (most) Object.assign(result, { most: value(most[2]), belowMost: strict(most) });
  if (least) Object.assign(result, { least: value(least[2]), aboveLeast: strict(least) });
  else if (/strictly positive|positive (float|number)|must be positive/i.test(text))
    Object.assign(result, { least: 0, aboveLeast: true });
  return result.most === undefined && result.least === undefined ? undefined : result;
}

/** What is said doesn't tell: leave out one more of the fields that a plain endpoint may not know. */
function less(said: ErrorBody, body: RequestBody, fit: Fit): Fit | undefined {
  if (said.message.length > 300 || said.fields.length > 0) return undefined;
  const next = ['stream_options', 'temperature', 'stop', 'max_completion_tokens', 'max_tokens'].find(
    (name) => name in body,
  );
  return next === undefined ? undefined : drop(fit, original(fit, next));
}

/** A field may have been renamed by what was learnt before. */
function original(fit: Fit, name: string): string {
  return Object.entries(fit.rename ?? {}).find(([, other]) => other === name)?.[0] ?? name;
}

function drop(fit: Fit, name: string): Fit {
  const { [name]: _, ...rename } = fit.rename ?? {};
  const { rename: __, ...rest } = fit;
  const dropped = { ...rest, drop: [...new Set([...(fit.drop ?? []), name])] };
  return Object.keys(rename).length > 0 ? { ...dropped, rename } : dropped;
}

function clamp(fit: Fit, rule: 'atMost' | 'atLeast', name: string, value: number): Fit {
  return { ...fit, [rule]: { ...fit[rule], [name]: value } };
}
