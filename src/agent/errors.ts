/**
 * An error whose message is fit to show to a person. `hint` names the next action and is never empty;
 * `action` lets the host offer it as a button.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  constructor(
    message: string,
    readonly hint: string,
    readonly action?: ErrorAction,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** By name and not by class: an error may come from another of our bundles, with a class of its own. */
export function isUserError(error: unknown): error is UserError {
  return error instanceof Error && error.name === 'UserError' && typeof (error as UserError).hint === 'string';
}

/** Next actions that the host knows how to offer. */
export type ErrorAction = 'set-key' | 'open-settings' | 'select-model' | 'test-connection' | 'show-log' | 'retry';
