/** Compares names as models write them: without case, spaces, underscores, hyphens. */
export const foldName = (name: string) => name.toLowerCase().replace(/[\s_\-*`]+/g, '');

export const FINISH = 'Finish';
const FINISH_NAMES = new Set([
  ...['finish', 'finalanswer', 'answer', 'finalize', 'final', 'finishanswer', 'submit'],
  ...['完成', '结束', '最终答案', '最终回答', '答案', '回答', '给出答案'],
]);
const NO_TOOL =
  /^(none|n\/?a|nil|null|no[ _-]?(tool|action)s?|not? (needed|required|necessary)|-+|无|没有|不需要|无需)\b/iu;
const NO_TOOL_CHINESE = /^(无|没有|不需要|无需|不用)/;

/** The names a reply may call. */
export class Names {
  private readonly known: ReadonlySet<string>;
  /** Longest first, so that "Search Web" is not read as "Search". */
  private readonly ordered: readonly string[];

  constructor(tools: readonly string[]) {
    this.known = new Set(tools.map(foldName));
    this.ordered = [...tools, FINISH, 'Final Answer'].sort((left, right) => right.length - left.length);
  }

  isTool(name: string): boolean {
    return this.known.has(foldName(name));
  }

  isFinish(name: string): boolean {
    return !this.isTool(name) && FINISH_NAMES.has(foldName(name));
  }

  isKnown(name: string): boolean {
    return this.isTool(name) || FINISH_NAMES.has(foldName(name));
  }

  /** Whether the name counts without a label before it. */
  isBare(name: string): boolean {
    return this.isTool(name) || ['finish', 'finalanswer'].includes(foldName(name));
  }

  /** "None", "N/A (direct answer)", "无需工具": the model says that it wants no tool. */
  isNone(text: string): boolean {
    return !this.isTool(text) && (NO_TOOL.test(text) || NO_TOOL_CHINESE.test(text));
  }

  /** The known name that `text` begins with, as a whole word. */
  leading(text: string): string | undefined {
    const lower = text.toLowerCase();
    for (const name of this.ordered) {
      for (const form of [name.toLowerCase(), name.toLowerCase().replace(/[\s_]+/g, ' ')]) {
        const next = text.slice(form.length, form.length + 2);
        // Chinese is written without spaces: 搜索京都.
        const whole = /\p{Script=Han}$/u.test(form) || !/^[\p{L}\p{N}_]/u.test(next);
        if (whole && lower.startsWith(form)) {
          return text.slice(0, form.length);
        }
      }
    }
    return undefined;
  }
}

/** Keys under which models put a tool's only argument. */
export const ARGUMENT_KEYS: ReadonlySet<string> = new Set([
  ...[
    'input',
    'query',
    'q',
    'text',
    'expression',
    'entity',
    'keyword',
    'keywords',
    'term',
    'title',
    'topic',
    'url',
    'name',
  ],
  ...[
    'answer',
    'final_answer',
    'finalanswer',
    'result',
    'value',
    'argument',
    'arg',
    'content',
    'response',
    'string',
    'question',
  ],
  ...['查询', '关键词', '答案', '表达式', '实体'],
]);
