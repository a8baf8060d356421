import type { DocumentReference, Language, ToolInput } from './event';
import { type Attempt, argumentOf, attemptsOf, isFinish, keyOf, lastIntervention, pageOpenedBy } from './loopHistory';
import { otherMoves } from './loopMoves';
import { cycleLength, errorsOf, findPatterns, isRephrasing, rephrasings, THRESHOLDS } from './loopPatterns';
import { type LoopPattern, loopWords, quote } from './loopWords';
import { wordSimilarity } from './similarity';
import { findTool, type Tool, type Toolbox } from './tool';
import type { Step, Trace } from './trace';
import { isFromOutside } from './untrusted';

export interface GuardContext {
  toolbox: Toolbox;
  language: Language;
}

/** `block`: not run, `observation` answers; `stop`: not run, `observation` answers and the final call follows. */
export interface GuardVerdict {
  decision: 'run' | 'block' | 'stop';
  /** What the model reads. */
  observation?: string;
  /** What the person reads: one short sentence. */
  notice?: string;
  /** The step whose result is given again. */
  earlier?: Step;
}

export interface GuardedAction {
  tool: string;
  input: ToolInput;
  thought?: string;
}

export interface ObservedAction {
  action: { tool: string; input: ToolInput };
  observation: {
    text: string;
    ok: boolean;
    blocked?: boolean;
    suggestions?: readonly string[];
    document?: DocumentReference;
  };
  thought?: string;
}

/** Characters of an earlier result that are given again. */
const EARLIER_LENGTH = 1500;

/**
 * Before an action runs: an exact repeat, a tool that failed too often and the question itself are answered from the trace.
 * Pure; `trace` holds everything before the action.
 */
export function beforeAction(trace: Trace, action: GuardedAction, context: GuardContext): GuardVerdict {
  if (isFinish(action.tool)) return { decision: 'run' };
  const attempts = attemptsOf(trace, context.toolbox);
  const tool = findTool(context.toolbox, action.tool);
  const proposal: Proposal = {
    key: keyOf(context.toolbox, action.tool, action.input),
    name: tool?.name ?? action.tool,
    argument: argumentOf(action.input),
    tool,
  };
  const recent = since(lastIntervention(trace), attempts);
  const speaker = speakerFor(trace, attempts, proposal, context);
  return (
    answerRepeat(attempts, recent, proposal, speaker) ??
    answerWithdrawn(recent, proposal, speaker) ??
    answerRecursion(recent, proposal, trace.start?.question ?? '', speaker) ?? { decision: 'run' }
  );
}

const since = (number: number, attempts: readonly Attempt[]) => attempts.filter(({ step }) => step.step > number);

interface Proposal {
  key: string;
  name: string;
  argument: string;
  tool: Tool | undefined;
}

function answerRepeat(
  attempts: readonly Attempt[],
  recent: readonly Attempt[],
  proposal: Proposal,
  speaker: Speaker,
): GuardVerdict | undefined {
  const earlier = earlierEqual(attempts, proposal);
  if (!earlier) return undefined;
  const { words } = speaker;
  const blockedSince = recent.filter(
    ({ key, state, step }) => key === proposal.key && state === 'blocked' && step.step > earlier.step.step,
  );
  const inRow = recent.slice(recent.findLastIndex(({ state }) => state !== 'blocked') + 1);
  const repeats = blockedSince.length + 1;
  const adjacent = inRow.filter(({ key }) => key === proposal.key).length + 1;
  const stop =
    adjacent >= THRESHOLDS.repeatsAdjacent ||
    repeats >= THRESHOLDS.repeatsInAll ||
    inRow.length + 1 >= THRESHOLDS.blockedInRow;
  const reason =
    earlier.state === 'refused' ? words.refused : proposal.tool?.advances && !earlier.ok ? words.samePage : words.same;
  const failures = earlier.ok ? 0 : errorsOf(recent, proposal.name) + 1;
  return speaker.verdict(
    stop,
    [
      words.again(proposal.name, quote(proposal.argument), earlier.step.step, reason),
      ...(cycleLength([...recent, earlier]) >= THRESHOLDS.cycle.hint ? [words.hint('cycle', 0, proposal.name)] : []),
      words.earlier(fenced(earlier.step.observation, shortened(earlier.text, words.rest(earlier.step.step)))),
      ...(pageOpenedBy(earlier) === undefined ? [] : [words.reopened]),
      ...(failures > THRESHOLDS.errors.withdrawn - 1
        ? [words.withdrawn(proposal.name)]
        : failures > 1
          ? [speaker.syntax()]
          : []),
    ],
    words.noticeAgain(proposal.name, quote(proposal.argument), earlier.step.step),
    earlier.step,
  );
}

/** The earlier action that makes this one a repeat: its result would be the same. */
function earlierEqual(attempts: readonly Attempt[], { key, tool, argument }: Proposal): Attempt | undefined {
  const equal = attempts.filter((attempt) => attempt.key === key && attempt.state !== 'blocked');
  const last = equal.at(-1);
  if (!last) return undefined;
  // “Airplane!” is another title than “Airplane” when a miss offered it.
  const offered = attempts.some(({ suggestions }) => suggestions.includes(argument));
  if (offered && equal.every((attempt) => attempt.argument !== argument)) return undefined;
  if (!tool?.advances || last.state === 'refused') return last;
  if (!last.ok) return anotherPageOpened(attempts, last) ? undefined : last;
  const before = equal.at(-2);
  return before?.text === last.text && !anotherPageOpened(attempts, before) ? last : undefined;
}

function anotherPageOpened(attempts: readonly Attempt[], since: Attempt): boolean {
  const at = attempts.indexOf(since);
  const open = attempts
    .slice(0, at + 1)
    .map(pageOpenedBy)
    .findLast((page) => page !== undefined);
  return attempts.slice(at + 1).some((attempt) => {
    const page = pageOpenedBy(attempt);
    return page !== undefined && page !== open;
  });
}

function answerWithdrawn(recent: readonly Attempt[], { name }: Proposal, speaker: Speaker): GuardVerdict | undefined {
  const errors = errorsOf(recent, name);
  if (errors < THRESHOLDS.errors.withdrawn) return undefined;
  return speaker.verdict(
    errors + 1 >= THRESHOLDS.errors.stop,
    [speaker.words.withdrawn(name)],
    speaker.words.notice('withdrawn', errors, name),
  );
}

function answerRecursion(
  recent: readonly Attempt[],
  { name, argument }: Proposal,
  question: string,
  speaker: Speaker,
): GuardVerdict | undefined {
  if (!isRephrasing(argument, question)) return undefined;
  const count = rephrasings(recent, question) + 1;
  if (count < THRESHOLDS.recursion.block) return undefined;
  return speaker.verdict(
    count >= THRESHOLDS.recursion.stop,
    [speaker.words.asked(name)],
    speaker.words.notice('recursion', count, name),
  );
}

/**
 * After an action ran, before its observation is emitted: names the pattern the run is in, if any, with other moves.
 * Pure; `hint` is to be appended to the observation's text.
 */
export function afterObservation(
  trace: Trace,
  observed: ObservedAction,
  context: GuardContext,
): { hint?: string; notice?: string; stop?: boolean } {
  if (isFinish(observed.action.tool) || observed.observation.blocked) return {};
  const past = attemptsOf(trace, context.toolbox);
  const tool = findTool(context.toolbox, observed.action.tool);
  const number = Math.max(trace.steps.at(-1)?.step ?? 1, (past.at(-1)?.step.step ?? 0) + 1);
  const current: Attempt = {
    step: { step: number, requests: [], notices: [], controls: [], startedAt: '' },
    tool,
    name: tool?.name ?? observed.action.tool,
    argument: argumentOf(observed.action.input),
    key: keyOf(context.toolbox, observed.action.tool, observed.action.input),
    state: 'ran',
    ok: observed.observation.ok,
    text: observed.observation.text,
    thought: observed.thought ?? '',
    suggestions: observed.observation.suggestions ?? [],
    document: observed.observation.document,
  };
  const attempts = [...past, current];
  const recent = since(lastIntervention(trace), attempts);
  const [finding] = findPatterns(recent, trace.start?.question ?? '');
  if (!finding) return {};
  const speaker = speakerFor(trace, attempts, current, context);
  const { words } = speaker;
  const { pattern, count, stop } = finding;
  const said = pattern === 'syntax' ? speaker.syntax() : words.hint(pattern, count, current.name);
  const notice = words.notice(pattern, count, current.name);
  const hint = (more: string) => [said, more].filter(Boolean).join(context.language === 'en' ? ' ' : '');
  if (stop) return { hint: hint(words.ends), notice: words.noticeEnds(notice), stop: true };
  return { hint: hint(pattern === 'syntax' ? '' : speaker.moves()), notice };
}

/** After a reply without a usable action: ends the run when replies are the same again and again, or when none can be read. */
export function afterUnreadable(
  trace: Trace,
  reply: { thought?: string; raw: string },
  context: GuardContext,
): { stop?: boolean; notice?: string } {
  const intervened = lastIntervention(trace);
  const recent = trace.steps.filter(({ step, observation }) => observation && step > intervened);
  const text = reply.thought || reply.raw;
  const same = recent.filter(
    (step) => !step.action && wordSimilarity(step.thought || step.reply?.raw || '', text) >= THRESHOLDS.alike.thought,
  );
  const words = loopWords[context.language];
  const ends = (pattern: LoopPattern, count: number) => ({
    stop: true,
    notice: words.noticeEnds(words.notice(pattern, count, '')),
  });
  if (same.length + 1 >= THRESHOLDS.monologue) return ends('monologue', same.length + 1);
  const inRow = recent.length - 1 - recent.findLastIndex(({ action }) => action);
  return inRow + 1 >= THRESHOLDS.unreadable ? ends('unreadable', inRow + 1) : {};
}

/** Says things about one action in the run's language. */
interface Speaker {
  words: (typeof loopWords)[Language];
  moves(): string;
  syntax(): string;
  verdict(stop: boolean, said: string[], notice: string, earlier?: Step): GuardVerdict;
}

function speakerFor(
  trace: Trace,
  attempts: readonly Attempt[],
  stuck: { tool: Tool | undefined; argument: string },
  context: GuardContext,
): Speaker {
  const words = loopWords[context.language];
  const question = trace.start?.question ?? '';
  const moves = () => words.moves(otherMoves(attempts, stuck, { ...context, question }));
  return {
    words,
    moves,
    syntax: () =>
      stuck.tool ? words.syntax(stuck.tool.name, stuck.tool.argument, stuck.tool.example[context.language]) : '',
    verdict: (stop, said, notice, earlier) => ({
      decision: stop ? 'stop' : 'block',
      observation: [...said, stop ? words.ends : moves()].join('\n'),
      notice: stop ? words.noticeEnds(notice) : notice,
      ...(earlier ? { earlier } : {}),
    }),
  };
}

/** Told again among the guard's own words, a text from outside keeps its fence. */
const fenced = (observation: Step['observation'], text: string) =>
  observation && isFromOutside(observation) ? `<data>${text}</data>` : text;

/** Cut between sentences where possible; the cut is visible. */
function shortened(text: string, rest: string): string {
  if (text.length <= EARLIER_LENGTH) return text;
  const head = text.slice(0, EARLIER_LENGTH);
  const end = Math.max(...['. ', '。', '\n'].map((mark) => head.lastIndexOf(mark) + 1));
  return `${(end > EARLIER_LENGTH / 2 ? head.slice(0, end) : head).trimEnd()} ${rest}`;
}
