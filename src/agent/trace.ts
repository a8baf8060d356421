import type {
  Action,
  AgentEvent,
  Control,
  ModelReply,
  ModelRequest,
  Notice,
  Observation,
  Plan,
  PlanItem,
  RunEnd,
  RunStart,
  Usage,
} from './event';

/** One Thought/Action/Observation round, as far as it has come. */
export interface Step {
  step: number;
  requests: ModelRequest[];
  reply?: ModelReply;
  reasoning?: string;
  /** The plan, where it was written or ticked off in this step. */
  plan?: Plan;
  thought?: string;
  action?: Action;
  observation?: Observation;
  notices: Notice[];
  controls: Control[];
  /** Text being written right now; emptied by a `retry` notice (what a broken stream wrote is void), cleared by `model-reply`. */
  live?: string;
  liveReasoning?: string;
  /** When the step's first event happened, ISO 8601. */
  startedAt: string;
}

/** A run, folded from its events. Everything that shows a run reads this. */
export interface Trace {
  start?: RunStart;
  steps: Step[];
  plan?: PlanItem[];
  end?: RunEnd;
  /** Events of types this version does not know: kept, ignored. */
  unknown: number;
}

export function emptyTrace(): Trace {
  return { steps: [], unknown: 0 };
}

/** The step with this number; made when it is new. Steps stay ordered by number. */
function stepOf(trace: Trace, event: { step: number; time: string }): Step {
  const last = trace.steps.at(-1);
  if (last?.step === event.step) return last;
  const known = trace.steps.find((step) => step.step === event.step);
  if (known) return known;
  const made: Step = { step: event.step, requests: [], notices: [], controls: [], startedAt: event.time };
  const at = trace.steps.findLastIndex((step) => step.step < event.step);
  trace.steps.splice(at + 1, 0, made);
  return made;
}

/**
 * Adds one event to a trace, in place, and returns it. Order and repetition within a run do not matter to readers:
 * an event that names a step goes to that step.
 */
export function fold(trace: Trace, event: AgentEvent): Trace {
  switch (event.type) {
    case 'run-start':
      trace.start = event;
      return trace;
    case 'run-end':
      trace.end = event;
      for (const step of trace.steps) {
        delete step.live;
        delete step.liveReasoning;
      }
      return trace;
    case 'plan':
      trace.plan = event.items;
      stepOf(trace, event).plan = event;
      return trace;
    case 'delta': {
      const step = stepOf(trace, event);
      if (event.channel === 'text') step.live = (step.live ?? '') + event.text;
      else step.liveReasoning = (step.liveReasoning ?? '') + event.text;
      return trace;
    }
    case 'model-request':
      stepOf(trace, event).requests.push(event);
      return trace;
    case 'model-reply': {
      const step = stepOf(trace, event);
      step.reply = event;
      delete step.live;
      delete step.liveReasoning;
      return trace;
    }
    case 'reasoning': {
      const step = stepOf(trace, event);
      step.reasoning = (step.reasoning ?? '') + event.text;
      return trace;
    }
    case 'thought': {
      const step = stepOf(trace, event);
      step.thought = event.text;
      return trace;
    }
    case 'action':
      stepOf(trace, event).action = event;
      return trace;
    case 'observation':
      stepOf(trace, event).observation = event;
      return trace;
    case 'notice': {
      const step = stepOf(trace, event);
      step.notices.push(event);
      if (event.kind === 'retry' && step.live !== undefined) step.live = '';
      if (event.kind === 'retry' && step.liveReasoning !== undefined) step.liveReasoning = '';
      return trace;
    }
    case 'control':
      stepOf(trace, event).controls.push(event);
      return trace;
    default: {
      const unknown: never = event;
      void unknown;
      trace.unknown++;
      return trace;
    }
  }
}

export function foldAll(events: Iterable<AgentEvent>): Trace {
  const trace = emptyTrace();
  for (const event of events) fold(trace, event);
  return trace;
}

/** Adds tokens to a total, in place; what neither told stays untold. */
export function addUsage(total: Usage, more: Usage): void {
  total.prompt += more.prompt;
  total.completion += more.completion;
  if (more.reasoning !== undefined) total.reasoning = (total.reasoning ?? 0) + more.reasoning;
  if (more.cached !== undefined) total.cached = (total.cached ?? 0) + more.cached;
}

/** Tokens over all model calls so far, those beside the steps too; undefined when an endpoint did not say for any of them. */
export function usageOf(trace: Trace): Usage | undefined {
  const total: Usage = { prompt: 0, completion: 0 };
  let told = false;
  for (const { reply, notices } of trace.steps) {
    for (const { usage } of reply ? [reply, ...notices] : notices) {
      if (usage === undefined) continue;
      if (usage === null) return undefined;
      told = true;
      addUsage(total, usage);
    }
  }
  return told ? total : undefined;
}
