/** What a line of a reply can announce. `answer` is the weak form of `final`: it counts only where no action follows. */
export type Label = 'thought' | 'action' | 'input' | 'observation' | 'final' | 'answer' | 'question' | 'plan';

const WORDS: Record<Label, readonly string[]> = {
  thought: ['thought', 'thoughts', 'thinking', 'reasoning', '思考', '思考过程', '想法', '思路', '推理'],
  action: [
    ...['action', 'act', 'next action', 'tool', 'tool call', 'tool name'],
    ...['行动', '动作', '操作', '下一步行动', '工具', '工具调用', '调用工具', '工具名称'],
  ],
  input: [
    ...['action input', 'action_input', 'actioninput', 'tool input', 'tool_input', 'input'],
    ...['arguments', 'argument', 'args', 'parameters', 'action arguments', 'tool arguments'],
    ...['行动输入', '动作输入', '操作输入', '工具输入', '输入', '参数', '行动参数', '动作参数', '工具参数'],
  ],
  observation: ['observation', 'obs', '观察', '观察结果', '观测', '观测结果'],
  final: ['final answer', 'final_answer', 'finalanswer', 'finish', '最终答案', '最终回答', '最终的答案', '最后答案'],
  answer: ['answer', '答', '答案', '回答', '答复'],
  question: ['question', 'new question', 'human', 'user', '问', '问题', '新问题', '用户'],
  plan: ['plan', '计划', '规划'],
};

interface Node {
  next: Map<string, Node>;
  label?: Label;
}

const root: Node = { next: new Map() };
for (const [label, words] of Object.entries(WORDS) as [Label, readonly string[]][]) {
  for (const word of words) {
    let node = root;
    for (const char of word) {
      let next = node.next.get(char);
      if (!next) {
        next = { next: new Map() };
        node.next.set(char, next);
      }
      node = next;
    }
    node.label = label;
  }
}
// "Action " may go on to "Action Input" or be "Action :", so that a space after a whole word is still that word.
function closeSpaces(node: Node): void {
  for (const [char, next] of node.next) {
    if ((char === ' ' || char === '_') && node.label && !next.label) next.label = node.label;
    closeSpaces(next);
  }
}
closeSpaces(root);

/** What may stand before a label: indentation, quotation, list and heading marks, emphasis, quotes, a list number. */
const LEADING = new Set(' \t\r\u00a0\u3000\u200b\ufeff>*_#`"\'“‘-–•·|~+0123456789.)、[【［「〔<(（');
const TRAILING = new Set(' \t\r\u00a0\u3000*_`"\'”’#().（）0123456789-');
const ENCLOSURES: Record<string, string> = { '[': ']', '【': '】', '［': '］', '「': '」', '〔': '〕', '<': '>' };
const CLOSERS = new Set(Object.values(ENCLOSURES));
const EMPHASIS = new Set('*#');

/** Longest run before the word and after it; real labels need far less. */
const MAX_LEADING = 16;
const MAX_TRAILING = 12;

export type Match = 'maybe' | 'no' | Label;

/**
 * Reads one line from its start, a character at a time, until it is clear whether the line begins with a label.
 * Labels count with wrong or missing numbers, any case, emphasis, list marks, brackets around them, full-width colons.
 */
export class LabelMatcher {
  /** True for a label without a colon, as in "Action 1 Search[…]": only a readable action after it proves it. */
  weak = false;
  /** True where the character fed last already belongs to what follows the label. */
  overshoot = false;
  /** A quote stands before the word, as in a JSON key. */
  quoted = false;
  private node: Node | undefined = root;
  private phase: 'leading' | 'word' | 'trailing' = 'leading';
  private run = 0;
  private closer = '';
  private emphasis = false;
  private digits = false;
  private last = '';

  reset(): void {
    this.weak = false;
    this.overshoot = false;
    this.quoted = false;
    this.node = root;
    this.phase = 'leading';
    this.run = 0;
    this.closer = '';
    this.emphasis = false;
    this.digits = false;
    this.last = '';
  }

  feed(char: string): Match {
    const match = this.step(char);
    this.last = char;
    return match;
  }

  private step(char: string): Match {
    if (this.phase === 'leading') {
      if (char === '\n') return 'no';
      if (LEADING.has(char)) {
        if (EMPHASIS.has(char)) this.emphasis = true;
        if (char === '"' || char === "'") this.quoted = true;
        const closer = ENCLOSURES[char];
        if (closer !== undefined) this.closer = closer;
        this.run += 1;
        return this.run > MAX_LEADING ? 'no' : 'maybe';
      }
      this.phase = 'word';
      this.run = 0;
    }
    if (this.phase === 'word') {
      const next = this.node?.next.get(char) ?? this.node?.next.get(char.toLowerCase());
      if (next) {
        this.node = next;
        return 'maybe';
      }
      if (!this.node?.label) return 'no';
      this.phase = 'trailing';
    }
    return this.trail(char, this.node?.label as Label);
  }

  private trail(char: string, label: Label): Match {
    if (char === ':' || char === '：') return label;
    if (char === '\n') {
      const alone = label === 'thought' || label === 'action' || label === 'observation' || label === 'final';
      return alone || this.emphasis ? label : 'no';
    }
    const sign = char === '=' || char === '→' || (char === '>' && this.last === '-');
    if (CLOSERS.has(char) && !sign) return char === this.closer ? label : 'no';
    if (this.run < MAX_TRAILING && TRAILING.has(char)) {
      this.run += 1;
      if (char >= '0' && char <= '9') this.digits = true;
      return 'maybe';
    }
    if (label !== 'action') return 'no';
    if (!sign && !(this.digits && (this.last === ' ' || this.last === '.'))) return 'no';
    this.weak = true;
    this.overshoot = !sign;
    return label;
  }
}
