import { type Deadline, orAbort } from './deadline';
import type { ControlAction } from './event';

export interface ControlMessage {
  action: Extract<ControlAction, 'pause' | 'resume' | 'single-step' | 'note' | 'answer-now'>;
  text?: string;
}

/** What the user does to a run while it goes on. The loop empties it between steps; `answer-now` also cuts the step at hand. */
export class Inbox {
  private readonly messages: ControlMessage[] = [];
  private readonly answering = new AbortController();
  private wake: (() => void) | undefined;
  /** True from `pause` until `resume`; `single-step` lets one step through. */
  paused = false;

  /** Aborts when an answer is wanted now. */
  get answerNow(): AbortSignal {
    return this.answering.signal;
  }

  push(message: ControlMessage): void {
    this.messages.push(message);
    if (message.action === 'answer-now') this.answering.abort();
    this.wake?.();
  }

  /**
   * The messages that came since the last step. While paused it waits for the next message, and the run's time stands still;
   * it returns when a step may begin, and yields each message as it is read, so that the trace shows it at once.
   */
  async *read(deadline: Deadline): AsyncGenerator<ControlMessage> {
    for (;;) {
      let step = false;
      for (let message = this.messages.shift(); message; message = this.messages.shift()) {
        if (message.action === 'pause') this.paused = true;
        if (message.action === 'resume' || message.action === 'answer-now') this.paused = false;
        if (message.action === 'single-step') {
          this.paused = true;
          step = true;
        }
        yield message;
        if (step) return;
      }
      if (!this.paused || deadline.signal.aborted || this.answerNow.aborted) return;
      const message = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      await deadline.hold(orAbort(message, deadline.signal)).catch(() => {});
      this.wake = undefined;
    }
  }
}
