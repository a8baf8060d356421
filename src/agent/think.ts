import { condenseSteps } from './condense';
import { Deadline } from './deadline';
import type { AgentEvent } from './event';
import { ContextOverflow } from './llm';
import { BrokenReply, type Reply, readReply } from './reply';
import type { Run } from './run';

/** How often one request may be shortened and sent again after the endpoint called it too long. */
const OVERFLOWS = 2;

/**
 * One model call: sends the transcript, streams the reply, and keeps the conversation inside the context window.
 * @throws BrokenReply with the model's error, or an AbortError, as its cause
 */
export async function* think(run: Run, step: number): AsyncGenerator<AgentEvent, Reply> {
  yield* makeRoom(run, step);
  for (let overflows = 0; ; overflows++) {
    const { messages, recorded, rewrite } = run.history.request(run.trace);
    const deadline = new Deadline([run.deadline.signal, run.inbox.answerNow], (run.limits.stepSeconds ?? 90) * 1000);
    const { llm, toolbox } = run.input;
    const tools = [...toolbox.values()].flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
    try {
      const reply: Reply = yield* readReply(
        { llm, messages, options: run.options(), tools, step, now: run.now },
        (options) =>
          run.emit({ type: 'model-request', step, messages: recorded, ...(rewrite ? { rewrite } : {}), options }),
        run.time,
        deadline.signal,
      );
      void reply.settled.then(({ usage }) => usage && run.history.learn(usage.prompt));
      return reply;
    } catch (error) {
      if (deadline.expired) run.late = true;
      const cause = error instanceof BrokenReply ? error.cause : error;
      if (!(cause instanceof ContextOverflow) || overflows >= OVERFLOWS) throw error;
      // The same prompt would overflow again: go clearly below what was sent, or below the window the endpoint named.
      const before = run.history.tokens(run.trace);
      run.contextWindow = Math.min(cause.window ?? Number.POSITIVE_INFINITY, run.contextWindow ?? before);
      const room = Math.min(run.contextWindow - run.maxTokens, Math.floor(before * 0.7));
      yield* shorten(run, step, Math.max(room, 500));
      if (run.history.tokens(run.trace) >= before) throw error;
    } finally {
      deadline.dispose();
    }
  }
}

/** Shortens before a request would overflow a window that is known. */
async function* makeRoom(run: Run, step: number): AsyncGenerator<AgentEvent> {
  if (run.contextWindow === undefined) return;
  const room = run.contextWindow - run.maxTokens;
  if (room > 0 && run.history.tokens(run.trace) > room) yield* shorten(run, step, room);
}

async function* shorten(run: Run, step: number, room: number): AsyncGenerator<AgentEvent> {
  const said = run.history.shorten(run.trace, room);
  if (said) yield run.emit({ type: 'notice', step, kind: 'context', text: said });
  if (run.history.tokens(run.trace) > room) yield* condenseSteps(run, step);
}
