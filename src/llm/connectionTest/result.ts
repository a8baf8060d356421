import type { ErrorAction } from '../../agent/errors';

export type TestStep =
  | 'entered'
  | 'name'
  | 'port'
  | 'tls'
  | 'path'
  | 'key'
  | 'model'
  | 'completion'
  | 'streaming'
  | 'stop'
  | 'usage'
  | 'tools'
  | 'window';

/** The steps that one completion goes through, in order. */
export const ORDER = ['name', 'port', 'tls', 'path', 'key', 'model', 'completion'] as const satisfies TestStep[];
export type BasicStep = (typeof ORDER)[number];

/**
 * `fine`: seen to work. `fault`: no question can be answered, so the test ends here. `limit`: questions can be answered, with
 * something to know or to mend. `open`: not tested, or what came back shows nothing.
 */
export type Mark = 'fine' | 'fault' | 'limit' | 'open';

/** What helps: a value to be taken over, the provider's page to be opened, or something to do. */
export type Fix = { baseUrl: string } | { model: string } | { billing: string } | { action: ErrorAction };

/** One step's result, in a person's words. The best fix comes first. */
export interface TestResult {
  step: TestStep;
  label: string;
  mark: Mark;
  detail: string;
  fixes?: Fix[];
}
