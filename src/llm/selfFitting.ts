import { otherBases } from './endpoint';
import type { ErrorBody } from './errorBody';
import type { Failure } from './failures';
import { drop, fitFields } from './fieldFitting';
import type { Fit } from './fit';
import { fitMessages } from './messageFitting';
import type { RequestBody } from './request';

/** Changes to one request before its endpoint is given up. */
const MOST_CHANGES = 16;

/**
 * Finds, refusal by refusal, the form in which an endpoint takes one request. What its words teach is built upon; guesses
 * are tried each alone, so that what is remembered, once a request is accepted, is what mattered.
 */
export class Fitting {
  private readonly tried = new Set<string>();
  private guesses: Fit[] | undefined;
  private changes = 0;

  /** @param entered the base URL as the user gave it */
  constructor(private readonly entered: string) {}

  /**
   * The form to try next; undefined when nothing sensible is left to change.
   * @param fit the form that was refused
   */
  next(failure: Failure, body: RequestBody, fit: Fit): Fit | undefined {
    if (this.changes >= MOST_CHANGES) return undefined;
    this.tried.add(JSON.stringify(fit));
    let next = teach(failure, body, fit, this.entered);
    if (next && !this.tried.has(JSON.stringify(next))) this.guesses = undefined;
    else {
      const riddle = isRiddle(failure) || (this.guesses !== undefined && failure.kind === 'rejected');
      if (riddle) this.guesses ??= guesses(failure, body, fit);
      next = riddle ? this.guesses?.shift() : undefined;
    }
    if (next) this.changes++;
    return next;
  }
}

/** A server error may well be just that, and pass: what it teaches must be said outright. */
const OUTRIGHT =
  /paramet|argument|\bfield|not supported|unsupported|n[o'’]t support|not implemented|--\w+|\broles?\b|template|jinja/i;
/** About one call that the model made, not about tools. */
const ONE_CALL =
  /(invalid|malformed|pars\w+|decod\w+|json)\b[^.]{0,60}\barguments|\barguments\b[^.]{0,60}(invalid|malformed|pars|decod|json|not (a )?valid)|tool_call_id/i;

/** What the endpoint's own words say to change. */
function teach(failure: Failure, body: RequestBody, fit: Fit, entered: string): Fit | undefined {
  if (failure.kind === 'wrong-path' || failure.kind === 'web-page') return elsewhere(fit, entered);
  const said = understood(failure);
  if (!said) return undefined;
  if (failure.kind === 'server' && failure.status !== 501 && !OUTRIGHT.test(said.words)) return undefined;
  return fitMessages(said, body, fit) ?? fitFields(said, body, fit);
}

function elsewhere(fit: Fit, entered: string): Fit {
  const { base, ...rest } = fit;
  const others = otherBases(entered);
  const next = others[base === undefined ? 0 : others.indexOf(base) + 1];
  return next === undefined ? rest : { ...rest, base: next };
}

function understood({ kind, body }: Failure): ErrorBody | undefined {
  const fits = (kind === 'rejected' || kind === 'server') && body && !ONE_CALL.test(body.words);
  return fits ? body : undefined;
}

/** A chat template that fails without saying why mostly stumbles over the system message, or over who speaks when. */
const TEMPLATE = /jinja|chat[ _]?template|template ?error|rendering prompt/i;
/** Left out one by one, the likeliest to be unknown first. */
const DISPENSABLE = ['tools', 'stream_options', 'stop', 'temperature', 'max_completion_tokens', 'max_tokens', 'stream'];
/** Characters: what says this much and names nothing that was sent is about something else. */
const LONGEST_RIDDLE = 100;

/** It says no, and does not say to what. */
function isRiddle(failure: Failure): boolean {
  const said = understood(failure);
  if (!said || TEMPLATE.test(said.words)) return said !== undefined;
  const disagrees = failure.kind === 'rejected' && [undefined, 400, 404, 422].includes(failure.status);
  return disagrees && said.words.length <= LONGEST_RIDDLE && said.fields.length === 0;
}

/** Forms to try, each of them a change to the one that was refused. */
function guesses({ body: said }: Failure, body: RequestBody, fit: Fit): Fit[] {
  const fold = body.messages.some(({ role }) => role === 'system') ? { ...fit, foldSystem: true } : undefined;
  if (said && TEMPLATE.test(said.words)) {
    const join = { ...fit, joinRoles: true };
    return fold ? [fold, join, { ...fold, joinRoles: true }] : [join];
  }
  const names = DISPENSABLE.filter((name) => name in body);
  const [likely, ...others] = names.map((name) => drop(fit, name));
  const plain = names.filter((name) => name !== 'tools' && name !== 'stream').reduce(drop, fit);
  // First the same once more: it may have been a whim. Last all at once: it may be more than one of them.
  return [fit, likely, fold, ...others, plain, fold && { ...plain, foldSystem: true }].filter(
    (one) => one !== undefined,
  );
}
