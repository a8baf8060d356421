const REFUSAL_ENGLISH =
  /\b(i('m| am) (really |very )?sorry,? but|i('m| am) sorry[.,]? i (can|could|will|am|'m)|i (can ?not|can['’]t|won['’]t|am unable to|['’]m unable to|am not able to|['’]m not able to|must decline to) (help|assist|comply|fulfil|fulfill|provide|answer|discuss|do that|support|engage|share|give|create|write)|i must decline|as an ai[^.]{0,40}(can ?not|can['’]t|unable))/i;
const REFUSAL_CHINESE =
  /(抱歉|对不起|很遗憾)[，,。]?.{0,12}(无法|不能|不便|没办法)|我(无法|不能|不便)(协助|帮助|回答|提供|满足|完成|讨论|参与)/;

/** Recognises a refusal by how it begins; only for replies without an action. */
export function isRefusal(prose: string): boolean {
  const start = prose.slice(0, 240).replace(/’/g, "'");
  return REFUSAL_ENGLISH.test(start) || REFUSAL_CHINESE.test(start);
}

const SEARCHING =
  'search|look|find|check|use|verify|consult|open|see|query|call|try|calculate|compute|determine|figure|get|gather|read|start|begin|confirm|identify|know|think|analy[sz]e|examine|investigate|figure';
const INTENTION_ENGLISH = new RegExp(
  `^(so|ok|okay|well|now|next|first|then|to (answer|do|find)[^,]*)?[,.]?\\s*((i|we)('ll| will| need| should| must| have to| want| am going| can| could|'m going| would)|let (me|us)|let's|need to|searching|looking)\\b.{0,30}?\\b(${SEARCHING}|searching|looking|wait)`,
  'i',
);
const INTENTION_CHINESE =
  /^(那么|好的?|现在|接下来|首先|然后|所以|因此)?[，,]?(我|我们|让我|让我们)?(需要|应该|先|要|将|会|得|必须|可以|来|想|打算|去|再)+(先|去|来|再)?(搜索|查找|查询|查|找|看|使用|调用|确认|了解|计算|检索|核实|思考|分析)/;

const LABELLED = /^[\s>*#`-]*(action|observation|行动|动作|观察)\s*\d*\s*[:：]/im;

/**
 * What the model said, where it reads as an answer.
 * @returns undefined for an empty text, for markup or JSON, and for bare intentions ("I need to search for …")
 */
export function answerProse(text: string): string | undefined {
  const prose = unbox(text.trim());
  if (!/[\p{L}\p{N}]/u.test(prose) || /^[[{<]|^```/.test(prose) || LABELLED.test(prose)) return undefined;
  const sentences = prose
    .slice(0, 2000)
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
    .filter((sentence) => sentence.trim() !== '');
  const intends = (sentence: string) => {
    const plain = sentence.trim().replace(/’/g, "'");
    return INTENTION_ENGLISH.test(plain) || INTENTION_CHINESE.test(plain) || /[:：]$/.test(plain);
  };
  return sentences.every(intends) ? undefined : prose;
}

/** `\boxed{B}` → `B`. */
function unbox(text: string): string {
  return /^\$*\\boxed\{([^{}]*)\}\$*\.?$/.exec(text)?.[1]?.trim() ?? text;
}

export interface PlanLine {
  text: string;
  done: boolean;
}

/** Reads the list under a plan label; what follows the list is left over. */
export function readPlan(text: string): { items: PlanLine[]; rest: string } {
  const items: PlanLine[] = [];
  const rest: string[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*(?:[-*•+]|[(（]?\d{1,2}[.)）、:：])\s*(\[[ xX✓✔]?\]|[✓✔✅☑☐⬜])?\s*(\S.*)$/.exec(line);
    if (!match) {
      if (line.trim() !== '') rest.push(line);
      continue;
    }
    const written = (match[2] as string).trim();
    const struck = /^~~(.+)~~$/.exec(written);
    const done =
      /[xX✓✔✅☑]/.test(match[1] ?? '') || struck !== null || /[(（](done|完成|已完成)[)）]$|[✓✔✅]$/i.test(written);
    const item = (struck?.[1] ?? written)
      .replace(/\s*([(（](done|完成|已完成)[)）]|[✓✔✅])$/i, '')
      .replace(/^\*\*(.+)\*\*$/, '$1');
    items.push({ text: item, done });
  }
  return { items, rest: rest.join('\n') };
}

/** Removes emphasis, quotes, fences and tags that wrapped a label and its text. */
export function cleanThought(text: string): string {
  return text
    .trim()
    .replace(/^```\w*(\n|$)/, '')
    .replace(/(^|\n)```\w*$/, '')
    .replace(/<\/(thought|thinking|reasoning|plan)>\s*$/i, '')
    .replace(/^\*\*\s+|\s+\*\*$/g, '')
    .trim();
}
