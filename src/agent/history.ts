import type { Language, Message, Observation, Protocol } from './event';
import { estimateRequest } from './tokens';
import { inputText } from './tool';
import type { Step, Trace } from './trace';
import { fenceOff, isFromOutside } from './untrusted';

/** What one request sends, and what of it is new against the request before. */
export interface Request {
  messages: Message[];
  /** What `model-request` records: the appended messages, or all of them when `rewrite`. */
  recorded: Message[];
  rewrite: boolean;
}

const WORDS = {
  en: {
    note: 'Note from the user: ',
    shortened: (kept: number, all: number) =>
      `[… shortened to make room: ${kept} of ${all} characters kept. The action may be repeated to read it whole.]`,
    said: (steps: string, tokens: number) =>
      `The conversation would not have fitted the model's context window (${tokens} tokens): the observations of steps ${steps} were shortened for the model. The trace keeps them whole.`,
    facts: 'Key facts from earlier steps (condensed to make room):',
    notRun: 'Not run: the run went another way.',
  },
  'zh-CN': {
    note: '用户补充：',
    shortened: (kept: number, all: number) =>
      `[……为腾出空间已缩短：保留 ${all} 个字符中的 ${kept} 个。可重复该行动以阅读全文。]`,
    said: (steps: string, tokens: number) =>
      `对话将超出模型的上下文窗口（${tokens} 个 token）：已为模型缩短第 ${steps} 步的观察，轨迹中保留全文。`,
    facts: '先前步骤的要点（为腾出空间而浓缩）：',
    notRun: '未执行：运行已转向其他方向。',
  },
} satisfies Record<Language, unknown>;

/** The words before the fence's end tag may hold anything: our own tags in them were defused before they were stored. */
function fenced(observation: Observation, text: string): string {
  // The loop guard tells an earlier text in a fence of its own, which shortening may have cut.
  if (observation.blocked) return text.lastIndexOf('<data>') > text.lastIndexOf('</data>') ? `${text}</data>` : text;
  if (!isFromOutside(observation)) return text;
  const hintAt = observation.hintAt ?? text.length;
  return `<data>${text.slice(0, hintAt)}</data>${text.slice(hintAt)}`;
}

/**
 * The transcript as messages. Append-only, so that providers' prompt caches hit; it is rewritten only when a reply that
 * could not be read is dropped, or when the context window forces it to shorten.
 */
export class History {
  private sent: Message[] = [];
  /** Steps whose observation was shortened, to how many characters. */
  private readonly shortened = new Map<number, number>();
  /** Steps up to this number are told by `facts` alone. */
  private condensed: { upTo: number; facts: string } | undefined;
  /** What the endpoint counted for the request sent last that it told of. */
  private counted: { tokens: number; messages: readonly Message[] } | undefined;
  /** Observations as they stand in messages: long runs send each again and again. */
  private readonly told = new WeakMap<Observation, { limit: number | undefined; label: string; text: string }>();

  constructor(
    private readonly opening: readonly Message[],
    private readonly language: Language,
    private readonly protocol: Protocol,
    /** Tokens of the tools that go along with each request, about. */
    private readonly schemaTokens = 0,
  ) {}

  /** The next request, with `extra` user text at its end (the last call's instruction). */
  request(trace: Trace, extra?: string): Request {
    const messages = this.messages(trace);
    if (extra) appendUser(messages, extra);
    const sameStart = this.sent.every((message, index) => sameMessage(message, messages[index]));
    const recorded = sameStart ? messages.slice(this.sent.length) : messages;
    // A resumed run tells earlier requests again: its own first one takes their place, it does not follow them.
    const told = this.sent.length === 0 && trace.steps.some(({ requests }) => requests.length > 0);
    const rewrite = !sameStart || told;
    this.sent = messages;
    return { messages, recorded, rewrite };
  }

  /** Learns how far our estimate is off, from what the endpoint counted. */
  learn(promptTokens: number): void {
    if (promptTokens > 0) this.counted = { tokens: promptTokens, messages: this.sent };
  }

  /** Real tokens per estimated token. */
  private ratio(): number {
    if (!this.counted) return 1;
    return Math.min(3, Math.max(0.3, this.counted.tokens / this.estimate(this.counted.messages)));
  }

  /** Tokens that the next request would have, about. */
  tokens(trace: Trace): number {
    return Math.ceil(this.estimate(this.messages(trace)) * this.ratio());
  }

  private estimate(messages: readonly Message[]): number {
    return estimateRequest(messages) + this.schemaTokens;
  }

  /**
   * Shortens observations until the request fits `room` tokens: the largest and oldest first, the newest only if asked to.
   * `window` is what the person is told.
   * @returns what to tell the person, or undefined when nothing was left to shorten
   */
  shorten(trace: Trace, room: number, window: number, newestToo = false): string | undefined {
    const touched = new Set<number>();
    const observed = trace.steps.filter((step) => step.observation && step.step > (this.condensed?.upTo ?? 0));
    const older = newestToo ? observed : observed.slice(0, -1);
    for (const floor of [1200, 400, 120]) {
      while (this.tokens(trace) > room) {
        const largest = older
          .filter((step) => this.kept(step) > floor)
          .reduce<Step | undefined>(
            (best, step) => (best && this.kept(best) >= this.kept(step) ? best : step),
            undefined,
          );
        if (!largest) break;
        this.shortened.set(largest.step, Math.max(floor, Math.floor(this.kept(largest) / 3)));
        touched.add(largest.step);
      }
    }
    if (touched.size === 0) return undefined;
    return WORDS[this.language].said([...touched].sort((a, b) => a - b).join(', '), window);
  }

  /** Tokens of the manual and the question alone, about. */
  get openingTokens(): number {
    return Math.ceil(this.estimate(this.opening) * this.ratio());
  }

  /** What stands for the oldest steps, if they were condensed, and up to which step. */
  get facts(): { upTo: number; facts: string } | undefined {
    return this.condensed;
  }

  /** Replaces all steps up to `upTo` by facts condensed from them. */
  condense(upTo: number, facts: string): void {
    this.condensed = { upTo, facts };
  }

  private kept(step: Step): number {
    return this.shortened.get(step.step) ?? step.observation?.text.length ?? 0;
  }

  private messages(trace: Trace): Message[] {
    const messages = this.opening.map((message) => ({ ...message }));
    const lastActed = trace.steps.findLast((step) => step.action)?.step ?? 0;
    const words = WORDS[this.language];
    if (this.condensed) appendUser(messages, `${words.facts}\n${fenceOff(this.condensed.facts)}`);
    let pending: string[] = [];
    const flush = () => {
      for (const call of pending) messages.push({ role: 'tool', content: words.notRun, toolCallId: call });
      pending = [];
    };
    for (const step of trace.steps) {
      for (const control of step.controls) {
        if (control.action !== 'note' || !control.text) continue;
        flush();
        appendUser(messages, words.note + control.text);
      }
      if (this.condensed && step.step <= this.condensed.upTo) continue;
      const unreadable = step.observation !== undefined && step.action === undefined;
      if (!step.observation || (unreadable && step.step < lastActed)) continue;
      const reasoning = step.reasoning === undefined ? {} : { reasoning: step.reasoning };
      const calls = this.protocol === 'tools' ? step.reply?.toolCalls : undefined;
      if (step.reply) flush();
      if (calls?.length) {
        messages.push({ role: 'assistant', content: step.reply?.raw ?? '', toolCalls: calls, ...reasoning });
        pending = calls.map((call) => call.id);
      } else if (step.reply || pending.length === 0) {
        messages.push({ role: 'assistant', content: assistantText(step), ...reasoning });
      }
      const call = pending.shift();
      const content = this.observationText(
        step,
        step.observation,
        call === undefined ? `Observation ${step.step}: ` : '',
      );
      messages.push(call === undefined ? { role: 'user', content } : { role: 'tool', content, toolCallId: call });
    }
    flush();
    return messages;
  }

  private observationText(step: Step, observation: Observation, label: string): string {
    const limit = this.shortened.get(step.step);
    const known = this.told.get(observation);
    if (known?.limit === limit && known?.label === label) return known.text;
    let text = label + fenced(observation, observation.text);
    if (limit !== undefined) {
      const cut = fenced(
        { ...observation, hintAt: Math.min(limit, observation.hintAt ?? limit) },
        observation.text.slice(0, limit),
      );
      text = `${label}${cut} ${WORDS[this.language].shortened(limit, observation.text.length)}`;
    }
    this.told.set(observation, { limit, label, text });
    return text;
  }
}

/**
 * The model's own words. Native calls that came though they were not offered are told in the notation of the text protocol,
 * as is each further call of such a reply: an endpoint may refuse tool messages where no tools are sent.
 */
function assistantText({ step, thought, action, reply }: Step): string {
  if (!action || (reply && !reply.toolCalls?.length)) return reply?.raw.trim() || '…';
  return `${thought ? `Thought ${step}: ${thought}\n` : ''}Action ${step}: ${action.tool}[${inputText(action.input)}]`;
}

/** User text joins a user turn that stands last: many chat templates insist on alternating roles. */
function appendUser(messages: Message[], content: string): void {
  const last = messages.at(-1);
  if (last?.role === 'user') last.content += `\n\n${content}`;
  else messages.push({ role: 'user', content });
}

function sameMessage(a: Message, b: Message | undefined): boolean {
  return (
    b !== undefined &&
    a.role === b.role &&
    a.content === b.content &&
    a.toolCallId === b.toolCallId &&
    a.toolCalls?.length === b.toolCalls?.length
  );
}
