/** A signal that follows others and can also end by time. Dispose it, or its timer and listeners stay. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout> | undefined;
  private readonly follow = () => this.controller.abort();
  /** True when time ran out (and none of the parents had aborted before). */
  expired = false;

  /** @param ms time allowed; undefined or Infinity: no limit of its own */
  constructor(
    private readonly parents: readonly (AbortSignal | undefined)[],
    ms?: number,
  ) {
    for (const parent of parents) {
      if (parent?.aborted) this.controller.abort();
      else parent?.addEventListener('abort', this.follow, { once: true });
    }
    if (ms === undefined || !Number.isFinite(ms) || this.signal.aborted) return;
    this.timer = setTimeout(
      () => {
        this.expired = !this.signal.aborted;
        this.controller.abort();
      },
      // setTimeout takes 32 bits; a longer limit is as good as none.
      Math.min(Math.max(0, ms), 2 ** 31 - 1),
    );
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(): void {
    this.controller.abort();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const parent of this.parents) parent?.removeEventListener('abort', this.follow);
  }
}

/** Settles as `promise` does, or rejects with an AbortError as soon as `signal` aborts, whether or not the work listens to it. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(abortError());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export function abortError(): Error {
  return Object.assign(new Error('Aborted'), { name: 'AbortError' });
}
