import type { DocumentReference, Observation, ToolInput } from './event';
import { foldText, remembered } from './similarity';
import { findTool, inputText, type Tool, type Toolbox } from './tool';
import type { Step, Trace } from './trace';

/** One action with its answer, as the loop guard sees it. */
export interface Attempt {
  step: Step;
  /** The toolbox's tool; undefined when the model named one that does not exist. */
  tool: Tool | undefined;
  name: string;
  /** The input as text, as the model wrote it. */
  argument: string;
  /** Equal for two actions that are the same one. */
  key: string;
  /** `refused`: the person said no. A blocked action was answered by the guard and is not counted as executed. */
  state: 'ran' | 'blocked' | 'refused';
  /** Of a blocked repeat: as it was when the action ran. */
  ok: boolean;
  text: string;
  thought: string;
  suggestions: readonly string[];
  document: DocumentReference | undefined;
}

/** Finish belongs to the loop and always ends the run: the guard never touches it. */
export function isFinish(tool: string): boolean {
  return foldText(tool).trim() === 'finish';
}

/** The input as one line of text; an arguments object gives the same text whatever the order of its keys. */
export function argumentOf(input: ToolInput): string {
  if (typeof input === 'string') return input.trim();
  const sorted = Object.entries(input).sort(([left], [right]) => (left < right ? -1 : 1));
  return inputText(Object.fromEntries(sorted)).trim();
}

/** True for formulas and names such as C++, where a sign makes a difference. */
const SIGNS = /[+*/^=<>%#|&$~]|\d\s*-\s*[\d(]|\w\(/;

/** One spelling for all spellings of the same argument: width, case, spaces, underscores, outer quotes and brackets, punctuation. */
export const normaliseArgument = remembered((text: string): string => {
  let bare = text.trim();
  for (let stripped = stripPair(bare); stripped !== bare; stripped = stripPair(bare)) bare = stripped;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(bare)) return bare.replace(/#.*$/, '').replace(/\/$/, '');
  const folded = foldText(bare).replace(/_/g, ' ');
  if (SIGNS.test(folded)) return folded.replace(/["'\s]+|[.?。]+$/g, '');
  return folded
    .replace(/'/g, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/(?!(?<=\d)\.(?=\d))[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
});

const PAIRS = ['""', "''", '``', '“”', '‘’', '「」', '『』', '《》', '«»', '()', '（）', '[]', '【】', '<>', '**'];

function stripPair(text: string): string {
  const pair = PAIRS.find(([open, close]) => text.length > 2 && text.startsWith(open!) && text.endsWith(close!));
  if (!pair) return text;
  const [open, close] = [...pair];
  const inner = text.slice(1, -1);
  let depth = 0;
  for (const character of inner) {
    if (character === close) depth--;
    else if (character === open) depth++;
    // The first bracket of “(1 + 2) * (3 + 4)” is not closed by the last one.
    if (depth < 0) return text;
  }
  return inner.trim();
}

/** The key of an action: the tool's own name, whatever alias was used, and the normalised argument. */
export function keyOf(toolbox: Toolbox, tool: string, input: ToolInput): string {
  return `${findTool(toolbox, tool)?.name ?? foldText(tool)}\n${normaliseArgument(argumentOf(input))}`;
}

/** Steps that are over don't change, and every later step looks at them again. */
const known = new WeakMap<Step, { toolbox: Toolbox; observation: Observation; attempt: Attempt }>();

/** A step's attempt, taken by itself; undefined while the step has no answer, and for Finish. */
function attemptOf(step: Step, toolbox: Toolbox): Attempt | undefined {
  const { action, observation } = step;
  if (!action || !observation) return undefined;
  const earlier = known.get(step);
  if (earlier?.observation === observation && earlier.toolbox === toolbox) return earlier.attempt;
  if (isFinish(action.tool)) return undefined;
  const tool = findTool(toolbox, action.tool);
  const refused = step.controls.some((control) => control.action === 'deny');
  const state = refused ? 'refused' : observation.blocked ? 'blocked' : 'ran';
  const attempt: Attempt = {
    step,
    tool,
    name: tool?.name ?? action.tool,
    argument: argumentOf(action.input),
    key: keyOf(toolbox, action.tool, action.input),
    state,
    ok: state === 'ran' && observation.ok,
    text: observation.text.slice(0, observation.hintAt),
    thought: step.thought ?? '',
    suggestions: observation.suggestions ?? [],
    document: observation.document,
  };
  known.set(step, { toolbox, observation, attempt });
  return attempt;
}

/** All answered actions of a trace in order, Finish aside. */
export function attemptsOf(trace: Trace, toolbox: Toolbox): Attempt[] {
  const attempts: Attempt[] = [];
  const ran = new Map<string, Attempt>();
  const retried = new Set<string>();
  for (const step of trace.steps) {
    const attempt = attemptOf(step, toolbox);
    if (!attempt) continue;
    const { key, state } = attempt;
    // A dead network says nothing about the input: the first such failure of an action is as if it had not been tried.
    if (step.observation?.transient && !retried.has(key)) {
      retried.add(key);
      continue;
    }
    const original = state === 'blocked' ? ran.get(key) : undefined;
    if (original) {
      const { ok, text, document } = original;
      attempts.push({ ...attempt, ok, text, document: document ?? attempt.document });
    } else attempts.push(attempt);
    if (state === 'ran') ran.set(key, attempt);
  }
  return attempts;
}

/** The page an attempt opened, or opened again when a repeat of it was answered from the trace; undefined when it opened none. */
export function pageOpenedBy(attempt: Attempt): string | undefined {
  if (!attempt.tool?.opensPage || !attempt.ok || attempt.state === 'refused') return undefined;
  return attempt.document?.url.replace(/#.*$/, '') ?? attempt.key;
}

/**
 * Number of the last step before the person last took a hand in the run (a note, or going on after its end), 0 when never.
 * Streaks begin anew after it: what the person said may have changed what is worth trying.
 */
export function lastIntervention({ start, steps }: Trace): number {
  const carriedOn = start?.parent && start.parent.kind !== 'follow-up' ? start : undefined;
  const last = steps.findLast(
    ({ step, startedAt, controls }) =>
      controls.some(({ action }) => action === 'note') ||
      (carriedOn && (startedAt < carriedOn.time || step <= (carriedOn.parent?.step ?? 0))),
  );
  return last?.step ?? 0;
}
