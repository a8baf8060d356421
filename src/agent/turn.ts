import type { Move } from './act';
import { correction, repairNotice } from './corrections';
import { UserError } from './errors';
import type { AgentEvent, Language, ToolCall } from './event';
import { afterUnreadable } from './loopGuard';
import type { ParsedReply } from './parse';
import type { Reply } from './reply';
import type { Run } from './run';
import { findTool } from './tool';
import type { Trace } from './trace';

/**
 * Corrections in a row before what the model said is taken as its answer, or the last call follows. One is enough where it
 * did answer, though without a label, or where it finished without an answer.
 */
const CORRECTIONS = 2;
const enough = ({ prose, problem }: ParsedReply) =>
  prose || problem === 'empty-finish' || problem === 'placeholder' ? 1 : CORRECTIONS;
/** How far a reply that was cut by its output cap may raise the cap, in tokens. */
const MOST_TOKENS = 8192;

const WORDS = {
  en: {
    filtered: 'The endpoint withheld the reply (content filter).',
    filteredHint: 'Rephrase the question, or choose another model.',
    cut: (tokens: number) => `The reply was cut by its output cap; the cap is now ${tokens} tokens.`,
    chanting: 'The model repeated itself without end and was cut.',
    unlabelled: 'The model did not keep to the format; what it said is taken as its answer.',
    refusal: 'The model refused.',
  },
  'zh-CN': {
    filtered: '端点拦截了回复（内容过滤）。',
    filteredHint: '换一种问法，或选择其他模型。',
    cut: (tokens: number) => `回复被输出上限截断；上限现改为 ${tokens} 个令牌。`,
    chanting: '模型不停地重复，已被截断。',
    unlabelled: '模型没有遵守格式；以它所说的内容作为答案。',
    refusal: '模型拒绝回答。',
  },
} satisfies Record<Language, unknown>;

/** The actions of a reply: one in the text protocol; in the tools protocol one a call, to run in order. Names become ours. */
export function movesOf(run: Run, reply: Reply): Move[] {
  const { action, thought } = reply.parsed;
  if (reply.toolCalls.length > 0 && !(action && run.protocol === 'text')) {
    const moves = reply.toolCalls.map((call) => moveOf(run, call));
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
  let input: Move['input'] = call.arguments;
  try {
    const value: unknown = JSON.parse(call.arguments || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) input = value as Record<string, unknown>;
  } catch {
    // Not JSON: the tool is given the text as it stands, and says what it needs.
  }
  if (typeof input === 'string') return { tool: name, input };
  const { thought, ...rest } = input;
  return { ...(typeof thought === 'string' && thought ? { thought } : {}), tool: name, input: rest };
}

/** Tells what a reply was: the raw words, reasoning, plan, and what had to be repaired. Returns true for an honest "not found". */
export async function* tell(run: Run, step: number, reply: Reply): AsyncGenerator<AgentEvent, boolean> {
  const settled = await reply.settled;
  yield run.emit({ type: 'model-reply', step, ...settled });
  const reasoning = [reply.reasoning, reply.parsed.reasoning].filter(Boolean).join('\n');
  if (reasoning) yield run.emit({ type: 'reasoning', step, text: reasoning });
  const { plan, repairs } = reply.parsed;
  if (plan?.length) yield run.emit({ type: 'plan', step, items: plan });
  const words = WORDS[run.language];
  if (repairs.length)
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
  const { parsed } = reply;
  const { finishReason } = await reply.settled;
  if (finishReason === 'content_filter') throw new UserError(words.filtered, words.filteredHint, 'select-model');
  if (parsed.refusal && parsed.prose) {
    yield emit({ type: 'notice', step, kind: 'repair', text: words.refusal });
    return { tool: 'Finish', input: parsed.prose };
  }
  if (parsed.thought) yield emit({ type: 'thought', step, text: parsed.thought });
  const verdict = afterUnreadable(
    trace,
    { raw: (await reply.settled).raw, ...(parsed.thought ? { thought: parsed.thought } : {}) },
    { toolbox: run.input.toolbox, language },
  );
  if (verdict.notice) yield emit({ type: 'notice', step, kind: 'loop', text: verdict.notice });
  const inARow = correctionsBefore(trace, step);
  if (verdict.stop || inARow >= enough(parsed)) {
    if (!parsed.prose) return 'stop';
    yield emit({ type: 'notice', step, kind: 'repair', text: words.unlabelled });
    return { tool: 'Finish', input: parsed.prose };
  }
  if (finishReason === 'length' && run.maxTokens < MOST_TOKENS) {
    run.maxTokens = Math.min(MOST_TOKENS, run.maxTokens * 2);
    yield emit({ type: 'notice', step, kind: 'repair', text: words.cut(run.maxTokens) });
  } else yield emit({ type: 'notice', step, kind: 'repair', text: repairNotice([], language) });
  const tools = [...run.input.toolbox.values()];
  yield emit({ type: 'observation', step, text: correction(parsed, tools, language), ok: false, ms: 0, hintAt: 0 });
  return 'go-on';
}

/** How many steps right before this one were corrections. */
function correctionsBefore(trace: Trace, step: number): number {
  const earlier = trace.steps.filter((each) => each.step < step);
  const lastOther = earlier.findLastIndex((each) => each.action || !each.observation);
  return earlier.length - 1 - lastOther;
}
