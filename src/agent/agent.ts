import { begin, type Move, observe } from './act';
import { answered, cancelled, failed, lastCall } from './ending';
import type { AgentEvent, RunEnd } from './event';
import type { AgentInput } from './input';
import { completedSteps, reopenPage, untoldNotice, untoldUsage } from './prior';
import { BrokenReply } from './reply';
import { Run } from './run';
import { think } from './think';
import { correct, finalText, movesOf, tell, tellRaw } from './turn';

/**
 * The ReAct loop (Yao et al., 2023, https://arxiv.org/abs/2210.03629): Thought → Action → Observation, until Finish, a
 * limit, or Stop. Yields every event as it happens; the last is always `run-end`. Never throws; whoever stops iterating
 * stops the run.
 */
export async function* runAgent(input: AgentInput): AsyncGenerator<AgentEvent, void> {
  const run = new Run(input);
  try {
    yield run.emit(run.startEvent());
    yield* run.replay(completedSteps(input.prior));
    const paid = untoldUsage(input.prior);
    const told = untoldNotice(run.language);
    if (paid !== undefined)
      yield run.emit({ type: 'notice', step: run.nextStep, kind: 'limit', text: told, usage: paid });
    await reopenPage(run);
    yield run.emit(run.endEvent(yield* research(run)));
  } catch (error) {
    yield run.emit(run.endEvent(run.cancelled ? cancelled(run) : failed(run, error)));
  } finally {
    run.deadline.abort();
    run.deadline.dispose();
  }
}

type Ending = Pick<RunEnd, 'outcome' | 'sources'> & Partial<RunEnd>;

async function* research(run: Run): AsyncGenerator<AgentEvent, Ending> {
  for (let step = run.nextStep; ; step++) {
    yield* heed(run, step);
    if (run.cancelled) return cancelled(run);
    const over = run.over();
    if (over) return yield* lastCall(run, step, over);

    let moves: Move[];
    let work: ReturnType<typeof begin> | undefined;
    let notFound = false;
    try {
      const reply = yield* think(run, step);
      moves = movesOf(run, reply);
      // The tool starts at the very token that completes the action; the stream runs dry meanwhile.
      if (moves[0] && moves[0].tool !== 'Finish') work = begin(run, moves[0]);
      notFound = yield* tell(run, step, reply);
      // Further native calls may have followed the first.
      if (reply.toolCalls.length > 0) moves = movesOf(run, reply);
      if (moves.length === 0) {
        const verdict = yield* correct(run, step, reply);
        if (verdict === 'go-on') continue;
        if (verdict === 'stop') return yield* lastCall(run, step + 1, undefined);
        moves = [verdict];
      }
    } catch (error) {
      if (!(error instanceof BrokenReply)) throw error;
      yield* tellRaw(run, step, error.partial, error.reasoning);
      if (run.cancelled || (run.silent && !run.deadline.expired) || !run.over()) throw error.cause;
      continue;
    }

    for (const [index, move] of moves.entries()) {
      // Further calls of one reply are steps of their own: the limits hold for them, too.
      if (index > 0 && move.tool !== 'Finish' && run.over()) break;
      if (index > 0) {
        step++;
        yield* heed(run, step);
        if (run.cancelled) return cancelled(run);
        if (run.inbox.answerNow.aborted) break;
      }
      if (move.thought) yield run.emit({ type: 'thought', step, text: move.thought });
      yield run.emit({ type: 'action', step, tool: move.tool, input: move.input });
      if (move.tool === 'Finish') return yield* answered(run, step, finalText(move), notFound ? { found: false } : {});
      const stop = yield* observe(run, step, move, work && index === 0 ? work : begin(run, move));
      if (run.cancelled) return cancelled(run);
      if (stop) return yield* lastCall(run, step + 1, undefined);
    }
  }
}

/** Tells what the user did before a step; while the run is paused it waits. */
async function* heed(run: Run, step: number): AsyncGenerator<AgentEvent> {
  for await (const message of run.inbox.read(run.deadline)) yield run.emit({ type: 'control', step, ...message });
}
