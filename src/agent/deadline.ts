/** A signal that follows others and can also end by time. Dispose it, or its timer and listeners stay. */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly begun = Date.now();
  private disposed = false;
  private readonly follow = () => this.controller.abort();
  /** True when time ran out (and none of the parents had aborted before). */
  expired = false;
  /** Milliseconds for which it was held. */
  held = 0;

  /** @param ms time allowed; by default no limit of its own */
  constructor(
    private readonly parents: readonly (AbortSignal | undefined)[],
    private readonly ms = Number.POSITIVE_INFINITY,
  ) {
    for (const parent of parents) {
      if (parent?.aborted) this.controller.abort();
      else parent?.addEventListener('abort', this.follow, { once: true });
    }
    this.start();
  }

  private start(): void {
    if (!Number.isFinite(this.ms) || this.signal.aborted || this.disposed) return;
    const left = this.ms + this.held - (Date.now() - this.begun);
    this.timer = setTimeout(
      () => {
        this.expired = !this.signal.aborted;
        this.controller.abort();
      },
      // setTimeout takes 32 bits; a longer limit is as good as none.
      Math.min(Math.max(0, left), 2 ** 31 - 1),
    );
  }

  /** Waits for a person, whose time does not count. */
  async hold<T>(waiting: Promise<T>): Promise<T> {
    clearTimeout(this.timer);
    const since = Date.now();
    try {
      return await waiting;
    } finally {
      this.held += Date.now() - since;
      this.start();
    }
  }

  /** Gives more time, for a wait that others asked for. */
  allow(ms: number): void {
    clearTimeout(this.timer);
    this.held += ms;
    this.start();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(): void {
    this.controller.abort();
  }

  dispose(): void {
    this.disposed = true;
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

function abortError(): Error {
  return Object.assign(new Error('Aborted'), { name: 'AbortError' });
}
