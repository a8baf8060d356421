import { Deadline, orAbort } from './deadline';
import type { AgentEvent, Language, Observation, ToolInput } from './event';
import type { Approve } from './input';
import { afterObservation, beforeAction, type GuardVerdict } from './loopGuard';
import type { Run } from './run';
import { findTool, inputText, type Tool, type ToolResult } from './tool';
import { safeResult } from './untrusted';

/** What the model decided in one step. */
export interface Move {
  thought?: string;
  tool: string;
  input: ToolInput;
}

/** An action under way: judged by the loop guard and, where it may run, already started. */
export interface Work {
  verdict: GuardVerdict;
  tool: Tool | undefined;
  input: string;
  /** Never rejects. Missing when the tool doesn't run, or waits for approval. */
  result?: Promise<Timed>;
}

interface Timed {
  result: ToolResult;
  ms: number;
  blocked?: boolean;
}

const WORDS = {
  en: {
    unknown: (name: string, tools: string) =>
      `There is no tool called “${name}”. The tools are: ${tools}, and Finish with the answer.`,
    empty: (tool: Tool) =>
      `${tool.name} needs its ${tool.argument} in square brackets after its name, for instance the ${tool.argument} “${tool.example.en}”. Nothing was run.`,
    late: (name: string, seconds: number) =>
      `${name} did not answer within ${seconds} seconds and was stopped. Another tool or another input may work.`,
    failed: (name: string, why: string) => `${name} failed: ${why}. Another tool or another input may work.`,
    stopped: (name: string) => `${name} was stopped by the user.`,
    denied: (name: string) => `The user did not allow ${name} with this input. It was not run; another way is needed.`,
    orders: (title: string) =>
      `The text of “${title}” tries to give orders to an agent. It was passed on as data only.`,
    reflect: 'The next Thought should begin with one sentence on what failed and what to change.',
  },
  'zh-CN': {
    unknown: (name: string, tools: string) =>
      `没有名为“${name}”的工具。可用的工具：${tools}，以及用来给出答案的 Finish。`,
    empty: (tool: Tool) =>
      `${tool.name} 需要在名称后的方括号中给出输入，例如输入“${tool.example['zh-CN']}”。没有执行任何操作。`,
    late: (name: string, seconds: number) => `${name} 在 ${seconds} 秒内没有返回，已被停止。可以换一个工具或输入。`,
    failed: (name: string, why: string) => `${name} 失败：${why}。可以换一个工具或输入。`,
    stopped: (name: string) => `${name} 已被用户停止。`,
    denied: (name: string) => `用户没有允许以此输入执行 ${name}，未执行；需要换一种办法。`,
    orders: (title: string) => `“${title}”的文字试图向智能体下达指令，只作为数据传给了模型。`,
    reflect: '下一个 Thought 应先用一句话说明哪里失败了、要改变什么。',
  },
} satisfies Record<Language, unknown>;

/** Judges a move and, where it may run unasked, starts its tool at once. */
export function begin(run: Run, move: Move): Work {
  const { toolbox } = run.input;
  const tool = findTool(toolbox, move.tool);
  const input = inputText(move.input, tool?.argument).trim();
  const verdict = beforeAction(run.trace, move, { toolbox, language: run.language });
  if (verdict.decision !== 'run') {
    if (tool?.opensPage) tool.reopen?.(input);
    return { verdict, tool, input };
  }
  if (!tool?.needsApproval) return { verdict, tool, input, result: runTool(run, tool, move.tool, input) };
  return { verdict, tool, input };
}

/** Waits for an action's result and tells it. Returns true when the loop guard wants the run to come to its end. */
export async function* observe(run: Run, step: number, move: Move, work: Work): AsyncGenerator<AgentEvent, boolean> {
  const { emit, language } = run;
  const { verdict } = work;
  if (verdict.decision !== 'run') {
    if (verdict.notice) yield emit({ type: 'notice', step, kind: 'loop', text: verdict.notice });
    const document = verdict.earlier?.observation?.document;
    const text = withReflection(run, verdict.observation ?? '');
    const blocked = { blocked: true, ...(document ? { document, cached: true } : {}) };
    yield emit({ type: 'observation', step, text, ok: false, ms: 0, hintAt: 0, ...blocked });
    return verdict.decision === 'stop';
  }
  const { result, ms, blocked } = work.result ? await work.result : yield* askFirst(run, step, work);
  const safe = safeResult(result);
  const warning =
    safe.warning ?? (safe.suspicious ? WORDS[language].orders(safe.document?.title ?? move.tool) : undefined);
  if (warning) yield emit({ type: 'notice', step, kind: 'security', text: warning });
  const observation: Omit<Observation, 'time'> = {
    type: 'observation',
    step,
    text: safe.text,
    ok: safe.ok ?? true,
    ms,
    ...(safe.cached ? { cached: true } : {}),
    ...(safe.transient ? { transient: true } : {}),
    ...(blocked ? { blocked: true } : {}),
    ...(safe.outside ? { outside: true } : {}),
    ...(safe.document ? { document: safe.document } : {}),
    ...(safe.sentences ? { sentences: safe.sentences } : {}),
    ...(safe.suggestions ? { suggestions: safe.suggestions } : {}),
  };
  const { toolbox } = run.input;
  const advice = afterObservation(
    run.trace,
    { action: move, observation, thought: move.thought },
    { toolbox, language },
  );
  if (advice.notice) yield emit({ type: 'notice', step, kind: 'loop', text: advice.notice });
  const hint = withReflection(run, advice.hint ?? '', advice.hint !== undefined || !observation.ok);
  if (hint) {
    observation.hintAt = observation.text.length;
    observation.text += `\n\n${hint}`;
  }
  yield emit(observation);
  return advice.stop === true;
}

function withReflection(run: Run, text: string, trouble = true): string {
  if (!trouble || !run.input.strategies?.reflect) return text;
  return `${text}\n${WORDS[run.language].reflect}`.trim();
}

function refused(run: Run, name: string, note?: string): Timed {
  return {
    result: { text: WORDS[run.language].denied(name) + (note ? ` ${note}` : ''), ok: false },
    ms: 0,
    blocked: true,
  };
}

async function* askFirst(run: Run, step: number, { tool, input }: Work): AsyncGenerator<AgentEvent, Timed> {
  const approve = run.input.approve;
  if (!tool || !approve) return refused(run, tool?.name ?? '');
  const asking = new Deadline([run.deadline.signal, run.inbox.answerNow]);
  let reply: Awaited<ReturnType<Approve>>;
  try {
    const asked = (async () => approve({ tool, input, step }, asking.signal))();
    reply = await run.deadline.hold(orAbort(asked, asking.signal));
  } catch {
    if (asking.signal.aborted) return { result: { text: WORDS[run.language].stopped(tool.name), ok: false }, ms: 0 };
    reply = { allow: false };
  } finally {
    asking.dispose();
  }
  const text = reply.note ? { text: reply.note } : {};
  yield run.emit({ type: 'control', step, action: reply.allow ? 'allow' : 'deny', ...text });
  return reply.allow ? runTool(run, tool, tool.name, input) : refused(run, tool.name, reply.note);
}

async function runTool(run: Run, tool: Tool | undefined, name: string, input: string): Promise<Timed> {
  const words = WORDS[run.language];
  const miss = (text: string): Timed => ({ result: { text, ok: false }, ms: 0 });
  if (!tool) return miss(words.unknown(name, [...run.input.toolbox.keys()].join(', ')));
  if (tool.argument && !input) return miss(words.empty(tool));
  const deadline = new Deadline([run.deadline.signal, run.inbox.answerNow], run.stepMs);
  const begun = run.now();
  try {
    const context = { language: run.language, question: run.input.question };
    const result = await orAbort(tool.run(input, context, deadline.signal), deadline.signal);
    return { result, ms: Math.round(run.now() - begun) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const stopped = run.cancelled || run.inbox.answerNow.aborted;
    const seconds = deadline.expired ? run.stepMs / 1000 : run.limits.seconds;
    const late = deadline.signal.aborted ? words.late(tool.name, seconds) : words.failed(tool.name, why);
    const text = stopped ? words.stopped(tool.name) : late;
    return { result: { text, ok: false, transient: true }, ms: Math.round(run.now() - begun) };
  } finally {
    deadline.dispose();
  }
}
