import { condenseSteps } from './condense';
import { Deadline } from './deadline';
import { UserError } from './errors';
import type { AgentEvent, Language } from './event';
import { ContextOverflow, type LlmOptions } from './llm';
import { BrokenReply, type Reply, readReply } from './reply';
import type { Run } from './run';

/** How often one request may be shortened and sent again after the endpoint called it too long. */
const OVERFLOWS = 2;

interface Words {
  tooLong: (tokens: number) => string;
  tooLongHint: string;
  noTools: string;
  silent: (seconds: number) => string;
  silentHint: string;
}

const WORDS: Record<Language, Words> = {
  en: {
    tooLong: (tokens) =>
      `The conversation does not fit the model's context window (about ${tokens} tokens), even shortened.`,
    tooLongHint: 'Give the model a larger context window, choose another model, or ask something shorter.',
    noTools: 'The endpoint takes no native tool calls; the run goes on in the text protocol.',
    silent: (seconds) => `The model has not begun to answer within ${seconds} s, the time limit of a step.`,
    silentHint:
      'See whether its server is busy, or still loading the model, and ask again; or allow more seconds a step in the settings.',
  },
  'zh-CN': {
    tooLong: (tokens) => `对话即使缩短后也放不进模型的上下文窗口（约 ${tokens} 个 token）。`,
    tooLongHint: '请调大模型的上下文窗口、换一个模型，或把问题写短一些。',
    noTools: '该服务不支持原生工具调用，运行改用文本协议继续。',
    silent: (seconds) => `模型在 ${seconds} 秒（单步时限）内没有开始回答。`,
    silentHint: '请检查服务器是否繁忙，或仍在加载模型，然后重新提问；也可以在设置中放宽单步的秒数。',
  },
};

/** The endpoint accepted the request only without the tools: its reply would follow no notation. */
class ToolsRefused extends Error {}

/** How the last call differs from a step: the user text at its end, its options, and which signals end it. */
export interface Request {
  extra?: string;
  options: () => LlmOptions;
  signals: readonly AbortSignal[];
}

/**
 * One model call: sends the transcript, streams the reply, and keeps the conversation inside the context window.
 * @throws BrokenReply with the model's error, or an AbortError, as its cause
 */
export async function* think(run: Run, step: number, request?: Request): AsyncGenerator<AgentEvent, Reply> {
  const { signals, extra } = request ?? { signals: [run.deadline.signal, run.inbox.answerNow] };
  // Nothing is written yet, but the step has begun, and may be awaited for long.
  yield { type: 'delta', time: run.time(), step, channel: 'text', text: '' };
  yield* makeRoom(run, step);
  for (let overflows = 0; ; overflows++) {
    const options = run.capped(request ? request.options() : run.options());
    const { messages, recorded, rewrite } = run.history.request(run.trace, extra);
    const deadline = new Deadline(signals, run.stepMs);
    const waits = (ms: number) => {
      // Whoever wants an answer now does not want to wait for it.
      if (run.inbox.answerNow.aborted) deadline.abort();
      else run.allow(ms, deadline);
    };
    const goesOn = run.trace.steps.at(-1)?.reply?.cut === true;
    const { llm, toolbox } = run.input;
    const tools = [...toolbox.values()].flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
    try {
      const reply: Reply = yield* readReply(
        { llm, messages, options, tools, step, now: run.now, goesOn, deadline, waits },
        (sent) => {
          if (options.tools && sent.tools === undefined) throw new ToolsRefused();
          const rewritten = rewrite ? { rewrite } : {};
          return run.emit({ type: 'model-request', step, messages: recorded, ...rewritten, options: sent });
        },
        run.time,
      );
      if (reply.reasoning || reply.parsed.reasoning) run.sawReasoning = true;
      void reply.settled.then(({ usage }) => {
        if (usage) run.history.learn(usage.prompt);
        if (usage?.reasoning) run.sawReasoning = true;
      });
      return reply;
    } catch (error) {
      if ((deadline.expired || run.deadline.expired) && error instanceof BrokenReply && isSilent(error)) {
        const { silent, silentHint } = WORDS[run.language];
        run.silent = new UserError(silent(run.stepMs / 1000), silentHint, 'open-settings', { cause: error.cause });
        throw new BrokenReply(error.partial, error.reasoning, run.silent);
      }
      if (deadline.expired) run.late = true;
      if (error instanceof BrokenReply && error.cause instanceof ToolsRefused) {
        run.speak('text');
        yield run.emit({ type: 'notice', step, kind: 'fit', text: WORDS[run.language].noTools });
        continue;
      }
      if (!(error instanceof BrokenReply) || !(error.cause instanceof ContextOverflow)) throw error;
      // The same prompt would overflow again: go clearly below what was sent, or below the window the endpoint named.
      const before = run.history.tokens(run.trace);
      run.contextWindow = Math.min(error.cause.window ?? Number.POSITIVE_INFINITY, run.contextWindow ?? before);
      if (overflows < OVERFLOWS) yield* shorten(run, step, Math.max(500, Math.min(run.room, Math.floor(before * 0.7))));
      if (overflows < OVERFLOWS && run.history.tokens(run.trace) < before) continue;
      const words = WORDS[run.language];
      const told = new UserError(words.tooLong(run.contextWindow), words.tooLongHint, 'select-model', {
        cause: error.cause,
      });
      throw new BrokenReply(error.partial, error.reasoning, told);
    }
  }
}

/** Nothing at all came of the reply. */
const isSilent = ({ partial, reasoning }: BrokenReply) => !partial.raw && !reasoning && !partial.toolCalls;

/** Shortens before a request would overflow a window that is known. */
async function* makeRoom(run: Run, step: number): AsyncGenerator<AgentEvent> {
  if (run.contextWindow !== undefined && run.history.tokens(run.trace) > run.room) yield* shorten(run, step, run.room);
}

/** Part of the room that shortening leaves filled: with some to spare, the next steps can be appended and prompt caches hit. */
const FILLED = 0.8;

/** Older observations first; then the oldest steps become facts; where even that is not enough, the newest observation too. */
async function* shorten(run: Run, step: number, room: number): AsyncGenerator<AgentEvent> {
  const { history, trace } = run;
  const window = run.contextWindow ?? room;
  const said = history.shorten(trace, Math.floor(room * FILLED), window);
  if (said) yield run.emit({ type: 'notice', step, kind: 'context', text: said });
  // Where the manual and the question alone are too long, leaving out steps would cost calls and help nothing.
  if (history.tokens(trace) <= room || history.openingTokens > room) return;
  yield* condenseSteps(run, step);
  const last = history.tokens(trace) > room && history.shorten(trace, room, window, true);
  if (last) yield run.emit({ type: 'notice', step, kind: 'context', text: last });
}
