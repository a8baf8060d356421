import type { Failure } from './failures';
import type { Fit } from './fit';
import type { RequestBody } from './request';

/** What to change after a refusal; undefined when nothing sensible is left to change. */
export function adapt(_failure: Failure, _body: RequestBody, _fit: Fit, _base: string): Fit | undefined {
  return undefined;
}
