import type { Move } from './act';
import { correction, repairNotice } from './corrections';
import { UserError } from './errors';
import type { AgentEvent, Language, ToolCall } from './event';
import { afterUnreadable } from './loopGuard';
import type { ParsedReply } from './parse';
import type { Reply, Settled } from './reply';
import type { Run } from './run';
import { isJson, readTolerantJson } from './tolerantJson';
import { findTool, inputText } from './tool';
import type { Trace } from './trace';

/**
 * Corrections in a row before what the model said is taken as its answer, or the last call follows. One is enough where it
 * did answer, though without a label, or where it finished without an answer.
 */
const CORRECTIONS = 2;
const enough = ({ prose, problem }: ParsedReply) =>
  prose || problem === 'empty-finish' || problem === 'placeholder' ? 1 : CORRECTIONS;

const WORDS = {
  en: {
    filtered: 'The endpoint withheld the reply (content filter).',
    filteredHint: 'Rephrase the question, or choose another model.',
    cut: (tokens: number) => `The reply was cut by its output cap; the cap is now ${tokens} tokens.`,
    stillCut: {
      most: (tokens: number) =>
        `The reply was cut again, at ${tokens} tokens. The setting reactAgent.model.maxTokens gives it a larger cap, if the endpoint allows it. The best answer from what was gathered follows.`,
      window: (tokens: number) =>
        `The reply was cut at ${tokens} tokens, since the context window has no room for more. The best answer from what was gathered follows.`,
    },
    chanting: 'The model repeated itself without end and was cut.',
    unlabelled: 'The model did not keep to the format; what it said is taken as its answer.',
    refusal: 'The model refused.',
    calls: 'The model does not keep to the text format; the run goes on with native function calls.',
  },
  'zh-CN': {
    filtered: '该服务拦截了回复（内容过滤）。',
    filteredHint: '请换一种问法，或选择其他模型。',
    cut: (tokens: number) => `回复被输出上限截断；现已改为 ${tokens} 个 token。`,
    stillCut: {
      most: (tokens: number) =>
        `回复在 ${tokens} 个 token 处再次被截断。如果服务允许，可用设置 reactAgent.model.maxTokens 调大上限。下面根据已收集的内容给出最佳答案。`,
      window: (tokens: number) =>
        `回复在 ${tokens} 个 token 处被截断，因为上下文窗口已没有余地。下面根据已收集的内容给出最佳答案。`,
    },
    chanting: '模型不停地重复，已被截断。',
    unlabelled: '模型没有遵守格式；以它所说的内容作为答案。',
    refusal: '模型拒绝回答。',
    calls: '模型没有遵守文本格式，运行改用原生函数调用继续。',
  },
} satisfies Record<Language, unknown>;

/** The actions of a reply: one in the text protocol; in the tools protocol one a call, to run in order. Names become ours. */
export function movesOf(run: Run, reply: Reply): Move[] {
  const { action, thought } = reply.parsed;
  // What was withheld, or went round in circles until it was cut, holds no whole action.
  if (reply.filtered || (reply.chanting && reply.toolCalls.length === 0)) return [];
  if (reply.toolCalls.length > 0 && !(action && run.protocol === 'text')) {
    const moves = reply.toolCalls.map((call) => moveOf(run, call));
    // A Finish without an answer, and a call that the output cap cut in two, are none: the model is asked again.
    const last = reply.toolCalls.at(-1);
    if (reply.truncated && last && !isJson(last.arguments)) moves.pop();
    const empty = moves.findIndex((move) => move.tool === 'Finish' && !finalText(move));
    if (empty >= 0) moves.length = empty;
    const first = moves[0];
    const beside = thought ?? reply.parsed.prose;
    if (first && !first.thought && beside) first.thought = beside;
    return moves;
  }
  if (!action) return [];
  const tool = action.tool === 'Finish' ? 'Finish' : (findTool(run.input.toolbox, action.tool)?.name ?? action.tool);
  return [{ ...(thought ? { thought } : {}), tool, input: action.input }];
}

function moveOf(run: Run, call: ToolCall): Move {
  const name = /^finish$/i.test(call.name) ? 'Finish' : (findTool(run.input.toolbox, call.name)?.name ?? call.name);
  const value = readTolerantJson(call.arguments.trim() || '{}')?.value;
  // Not an object: the tool is given the text as it stands, and says what it needs.
  if (value === undefined || Array.isArray(value)) return { tool: name, input: call.arguments };
  const { thought, ...rest } = value as Record<string, unknown>;
  return { ...(typeof thought === 'string' && thought ? { thought } : {}), tool: name, input: rest };
}

/** The answer that a Finish holds, whatever the model called its argument; '' when there is none. */
export function finalText({ input }: Move): string {
  if (typeof input === 'string') return input.trim();
  const { answer, ...others } = input;
  const value = answer ?? (Object.keys(others).length > 0 ? inputText(others) : '');
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();
}

/** Tells a reply's raw words and its reasoning; of one that broke off, as far as it had come. */
export function* tellRaw(run: Run, step: number, settled: Settled, ...reasoning: (string | undefined)[]) {
  yield run.emit({ type: 'model-reply', step, ...settled });
  const text = reasoning.filter(Boolean).join('\n');
  if (text) yield run.emit({ type: 'reasoning', step, text });
}

/** Tells what a reply was: the raw words, reasoning, plan, and what had to be repaired. Returns true for an honest "not found". */
export async function* tell(run: Run, step: number, reply: Reply): AsyncGenerator<AgentEvent, boolean> {
  const settled = await reply.settled;
  yield* tellRaw(run, step, settled, reply.reasoning, reply.parsed.reasoning);
  for (const notice of reply.said) yield run.emit({ type: 'notice', step, ...notice });
  const unpriced = run.unpriced(settled.usage);
  if (unpriced) yield run.emit({ type: 'notice', step, kind: 'limit', text: unpriced });
  const { plan, repairs } = reply.parsed;
  if (plan?.length) yield run.emit({ type: 'plan', step, items: plan });
  const words = WORDS[run.language];
  if (repairs.length && !reply.filtered)
    yield run.emit({ type: 'notice', step, kind: 'repair', text: repairNotice(repairs, run.language) });
  if (reply.chanting) yield run.emit({ type: 'notice', step, kind: 'loop', text: words.chanting });
  return settled.finishReason === 'not_found';
}

/**
 * Answers a reply that holds no action: a correction that the model reads, or, after two in a row, its own words as the
 * answer, or the last call.
 */
export async function* correct(
  run: Run,
  step: number,
  reply: Reply,
): AsyncGenerator<AgentEvent, 'go-on' | 'stop' | Move> {
  const { language, emit, trace } = run;
  const words = WORDS[language];
  const problem = reply.truncated ? 'truncated' : 'empty-finish';
  const parsed: ParsedReply = reply.toolCalls.length > 0 ? { ...reply.parsed, problem } : reply.parsed;
  const { finishReason, raw, usage } = await reply.settled;
  if (finishReason === 'content_filter') throw new UserError(words.filtered, words.filteredHint, 'select-model');
  if (parsed.refusal && parsed.prose) {
    yield emit({ type: 'notice', step, kind: 'repair', text: words.refusal });
    return { tool: 'Finish', input: parsed.prose };
  }
  if (parsed.thought) yield emit({ type: 'thought', step, text: parsed.thought });
  const asObservation = (): AgentEvent => {
    const text = correction(parsed, [...run.input.toolbox.values()], language, run.protocol);
    return emit({ type: 'observation', step, text, ok: false, ms: 0, hintAt: 0 });
  };
  if (reply.truncated) {
    // Half a sentence is no answer, and no fault of the format.
    const room = run.cap.raise(usage?.completion);
    const text =
      room === 'raised' ? words.cut(run.cap.tokens) : words.stillCut[room](usage?.completion ?? run.cap.tokens);
    yield emit({ type: 'notice', step, kind: room === 'raised' ? 'repair' : 'limit', text });
    yield asObservation();
    return room === 'raised' ? 'go-on' : 'stop';
  }
  const inARow = correctionsBefore(trace, step);
  if (run.mayCall && inARow > 0) {
    run.speak('tools');
    yield emit({ type: 'notice', step, kind: 'repair', text: words.calls });
    yield asObservation();
    return 'go-on';
  }
  const verdict = afterUnreadable(
    trace,
    { raw, ...(parsed.thought ? { thought: parsed.thought } : {}) },
    { toolbox: run.input.toolbox, language },
  );
  if (verdict.notice) yield emit({ type: 'notice', step, kind: 'loop', text: verdict.notice });
  if (verdict.stop || inARow >= enough(parsed)) {
    if (!parsed.prose) return 'stop';
    yield emit({ type: 'notice', step, kind: 'repair', text: words.unlabelled });
    return { tool: 'Finish', input: parsed.prose };
  }
  yield emit({ type: 'notice', step, kind: 'repair', text: repairNotice([], language) });
  yield asObservation();
  return 'go-on';
}

/** How many steps right before this one were corrections; replies that were cut are none. */
function correctionsBefore(trace: Trace, step: number): number {
  const earlier = trace.steps.filter((each) => each.step < step && each.reply?.finishReason !== 'length');
  const lastOther = earlier.findLastIndex((each) => each.action || !each.observation);
  return earlier.length - 1 - lastOther;
}
