import type { Language, Protocol } from './event';
import type { ParsedReply, Problem, RepairKind } from './parse';
import type { Tool } from './tool';

/** What a correction has to know of a tool. */
export type ToolForm = Pick<Tool, 'name' | 'argument' | 'example'>;

/** How a reply is to be written. */
interface FormWords {
  /** A Finish is what is missing, so the example shows one. */
  finishForm: string;
  form: (name: string, argument: string) => string;
  formWithoutArgument: (name: string) => string;
}

interface CorrectionWords {
  problem: Record<Problem, string>;
  /** Nothing of the reply was visible when it was cut. */
  unseen: string;
  text: FormWords;
  /** With native function calls, where these problems go by other words. */
  tools: FormWords & { problem: Partial<Record<Problem, string>> };
  names: (names: string) => string;
}

/** Prose only: no line of it may be readable as an action, since models copy what they read. */
const WORDS: Record<Language, CorrectionWords> = {
  en: {
    problem: {
      empty: 'The reply held no visible text, so that nothing was done.',
      'no-action': 'The reply held no action, so that nothing was done.',
      placeholder: 'The brackets held the placeholder of the format instead of real content.',
      'empty-finish': 'The run was to finish, but the brackets were empty and the answer is missing.',
      truncated:
        'The reply was cut off by the output limit before its action was complete. A shorter thought leaves room for it.',
      markup: 'The reply held the markup of a native tool call, which is not read here.',
      'no-tool': 'The reply said that no tool is needed, but gave no answer.',
    },
    unseen: 'The reply was cut off by the output limit before anything of it could be seen. There is more room now.',
    text: {
      finishForm:
        'When the answer is known, the reply ends with a line that begins with the label “Action”, a colon, the word Finish and, in square brackets, the answer itself in full.',
      form: (name, argument) =>
        `A reply is one thought and then one line that begins with the label “Action”, a colon, a tool’s name and, in square brackets, its argument; for instance the tool ${name} with the argument “${argument}”.`,
      formWithoutArgument: (name) =>
        `A reply is one thought and then one line that begins with the label “Action”, a colon, a tool’s name and a pair of square brackets; for instance the tool ${name}.`,
    },
    tools: {
      problem: {
        'no-action': 'The reply called no function, so that nothing was done.',
        placeholder: 'The call held the placeholder of the format instead of real content.',
        'empty-finish': 'The run was to finish, but the call of Finish held no answer.',
        markup: 'The reply held a function call as text, which is not read here.',
      },
      finishForm:
        'When the answer is known, the function Finish is called, with the answer itself in full and a thought in its arguments.',
      form: (name, argument) =>
        `A reply is one call of a function, with a thought in its arguments; for instance ${name} with “${argument}”.`,
      formWithoutArgument: (name) =>
        `A reply is one call of a function, with a thought in its arguments; for instance ${name}.`,
    },
    names: (names) => `The tools are ${names}.`,
  },
  'zh-CN': {
    problem: {
      empty: '回复没有可见的内容，因此什么也没有执行。',
      'no-action': '回复里没有行动，因此什么也没有执行。',
      placeholder: '方括号里是格式说明中的占位文字，不是真实内容。',
      'empty-finish': '回复要求结束，但方括号是空的，缺少答案。',
      truncated: '回复在行动写完之前就被输出上限截断了。思考写短一些，才有余地写完行动。',
      markup: '回复里是原生工具调用的标记，这里不读取这种标记。',
      'no-tool': '回复说不需要工具，却没有给出答案。',
    },
    unseen: '回复还没有可见的内容就被输出上限截断了。现在的余地更大。',
    text: {
      finishForm: '知道答案时，回复的最后一行以标签“Action”和冒号开头，接着是 Finish，再在方括号里写出完整的答案。',
      form: (name, argument) =>
        `一次回复由一段思考和一行行动组成：这一行以标签“Action”和冒号开头，接着是工具名，再在方括号里写参数；例如工具 ${name}，参数为“${argument}”。`,
      formWithoutArgument: (name) =>
        `一次回复由一段思考和一行行动组成：这一行以标签“Action”和冒号开头，接着是工具名和一对方括号；例如工具 ${name}。`,
    },
    tools: {
      problem: {
        'no-action': '回复没有调用任何函数，因此什么也没有执行。',
        placeholder: '调用里是格式说明中的占位文字，不是真实内容。',
        'empty-finish': '回复要求结束，但调用 Finish 时没有给出答案。',
        markup: '回复把函数调用写成了文字，这里不读取这种写法。',
      },
      finishForm: '知道答案时，调用函数 Finish，在参数里写出完整的答案和一段思考。',
      form: (name, argument) => `一次回复就是一次函数调用，参数里带一段思考；例如 ${name}，参数为“${argument}”。`,
      formWithoutArgument: (name) => `一次回复就是一次函数调用，参数里带一段思考；例如 ${name}。`,
    },
    names: (names) => `可用的工具有：${names}。`,
  },
};

/**
 * The observation for a reply without a usable action: what was wrong, the right form, one example.
 * @param tools those that are on, the most useful one first
 */
export function correction(
  parsed: ParsedReply,
  tools: Iterable<ToolForm>,
  language: Language,
  protocol: Protocol = 'text',
): string {
  const words = WORDS[language];
  const forms = words[protocol];
  const problem = parsed.problem ?? 'no-action';
  const all = [...tools];
  const first = all[0];
  const wantsAnswer =
    problem === 'empty-finish' || problem === 'no-tool' || (problem === 'placeholder' && isFinish(parsed));
  const unseen = problem === 'truncated' && !parsed.thought && !parsed.plan;
  const said = protocol === 'tools' ? words.tools.problem[problem] : undefined;
  const parts = [unseen ? words.unseen : (said ?? words.problem[problem])];
  if (first && !wantsAnswer) {
    parts.push(
      first.argument ? forms.form(first.name, first.example[language]) : forms.formWithoutArgument(first.name),
    );
    parts.push(words.names([...all.map((tool) => tool.name), 'Finish'].join(language === 'en' ? ', ' : '、')));
  }
  parts.push(forms.finishForm);
  return parts.join(language === 'en' ? ' ' : '');
}

/** A placeholder in Finish leaves no partial tool behind. */
const isFinish = (parsed: ParsedReply) => parsed.attempted === undefined || parsed.attempted === 'Finish';

const REPAIRS: Record<
  Language,
  { none: string; lead: string; kinds: Record<RepairKind, string>; join: string; end: string }
> = {
  en: {
    none: 'The reply held no usable action; the model is told what is missing.',
    lead: 'The reply was read although ',
    join: ' and ',
    end: '.',
    kinds: {
      'several-steps': 'it went on after its first action (that part was dropped)',
      'code-fence': 'it stood in a code block',
      json: 'it used JSON',
      'function-call': 'it was written as a function call',
      markup: 'it used native tool markup',
      'unclosed-bracket': 'a closing bracket was missing',
      'missing-label': 'the action had no label',
      'same-line': 'the action stood on the line of the thought',
      'trailing-text': 'text followed the action (it was dropped)',
      'loose-argument': 'the argument stood without brackets',
      'leading-observation': 'it began with an observation of its own (that part was dropped)',
    },
  },
  'zh-CN': {
    none: '回复中没有可用的行动；已告诉模型缺少什么。',
    lead: '回复的格式有偏差，但已读出：',
    join: '；',
    end: '。',
    kinds: {
      'several-steps': '第一个行动之后还有内容（已舍弃）',
      'code-fence': '写在了代码块里',
      json: '用了 JSON',
      'function-call': '写成了函数调用',
      markup: '用了原生工具调用标记',
      'unclosed-bracket': '缺少右括号',
      'missing-label': '行动前没有标签',
      'same-line': '行动与思考写在同一行',
      'trailing-text': '行动后面还有文字（已舍弃）',
      'loose-argument': '参数没有放在方括号里',
      'leading-observation': '开头自带了一段观察（已舍弃）',
    },
  },
};

/** One short sentence for the person: what had to be repaired, or that nothing usable was found. */
export function repairNotice(repairs: readonly RepairKind[], language: Language): string {
  const { none, lead, kinds, join, end } = REPAIRS[language];
  if (repairs.length === 0) return none;
  return `${lead}${[...new Set(repairs)].map((kind) => kinds[kind]).join(join)}${end}`;
}
