import type { AgentEvent, Language, Outcome, RunEnd } from '../agent/event';
import { inputText } from '../agent/tool';
import { withoutFence } from '../agent/untrusted';

const WORDS = {
  en: {
    colon: ': ',
    model: 'Model',
    noModel: 'none chosen',
    researcher: 'built-in researcher (rules, no model)',
    answer: 'Answer',
    best: 'Best answer from what was gathered',
    sources: 'Sources',
    steps: (n: number) => (n === 1 ? '1 step' : `${n} steps`),
    none: 'No answer.',
    cite: (number: number) => ` [${number}]`,
    supported: (found: number, all: number) =>
      `${found} of ${all} ${all === 1 ? 'claim' : 'claims'} found word for word in the sources`,
    seconds: (n: string) => `${n} s`,
    notFound: 'Not found',
    outcome: { answered: 'Answered', limit: 'Ended at a limit', cancelled: 'Stopped', failed: 'Failed' },
  },
  'zh-CN': {
    colon: '：',
    model: '模型',
    noModel: '未选择',
    researcher: '内置研究员（规则，无模型）',
    answer: '回答',
    best: '根据已收集内容的最佳答案',
    sources: '来源',
    steps: (n: number) => `${n} 步`,
    none: '没有回答。',
    cite: (number: number) => `[${number}]`,
    supported: (found: number, all: number) => `${all} 条论断中有 ${found} 条在来源中逐字找到`,
    seconds: (n: string) => `${n} 秒`,
    notFound: '没有找到',
    outcome: { answered: '已回答', limit: '因达到上限而结束', cancelled: '已停止', failed: '失败' },
  },
} satisfies Record<Language, { outcome: Record<Outcome, string> } & Record<string, unknown>>;

/** Characters of an observation that a terminal shows; the trace has all of it. */
const SHOWN = 600;

/** Control characters could rewrite the terminal: they are shown as symbols. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

/** The lines that a person reads for one event; '' for events without any. Notices stand between the steps they concern. */
export function lineFor(event: AgentEvent, language: Language): string {
  const words = WORDS[language];
  switch (event.type) {
    case 'run-start':
      return `${words.model}${words.colon}${event.provider === 'researcher' ? words.researcher : printable(event.model) || words.noModel}\n`;
    case 'plan':
      return `${event.items.map((item) => `  [${item.done ? 'x' : ' '}] ${printable(item.text)}`).join('\n')}\n`;
    case 'thought':
      return `\nThought ${event.step}: ${printable(event.text)}\n`;
    case 'action':
      return event.tool === 'Finish'
        ? ''
        : `Action ${event.step}: ${printable(event.tool)}[${printable(inputText(event.input))}]\n`;
    case 'observation': {
      const whole = withoutFence(event.text);
      const text = whole.length > SHOWN ? `${whole.slice(0, SHOWN)} […]` : whole;
      return `Observation ${event.step}: ${printable(text)}\n`;
    }
    case 'notice':
      return `! ${printable(event.text)}\n`;
    case 'control':
      return `> ${event.action}${event.text ? `: ${printable(event.text)}` : ''}\n`;
    case 'run-end':
      return endLines(event, language);
    default:
      return '';
  }
}

/** The answer with the number of its source behind each claim that one supports, where the claim stands in it as it is. */
function cited(answer: string, end: RunEnd, language: Language): string {
  let [text, rest] = ['', answer];
  for (const { claim, step, status } of end.support ?? []) {
    const source = end.sources.findIndex(({ steps }) => step !== undefined && steps.includes(step));
    const at = rest.indexOf(claim);
    if (status === 'none' || source < 0 || at < 0) continue;
    text += rest.slice(0, at + claim.length) + WORDS[language].cite(source + 1);
    rest = rest.slice(at + claim.length);
  }
  return text + rest;
}

function endLines(end: RunEnd, language: Language): string {
  const words = WORDS[language];
  const lines = [''];
  if (end.answer)
    lines.push(
      `${end.bestEffort ? words.best : words.answer}${words.colon}${printable(cited(end.answer, end, language))}`,
    );
  else if (!end.error) lines.push(words.none);
  if (end.sources.length) {
    lines.push('', `${words.sources}${words.colon}`.trimEnd());
    for (const [index, source] of end.sources.entries()) {
      lines.push(`[${index + 1}] ${printable(source.title)} — ${printable(source.url)}`);
    }
  }
  if (end.support?.length) {
    lines.push(words.supported(end.support.filter(({ status }) => status === 'verbatim').length, end.support.length));
  }
  const outcome = end.outcome === 'answered' && end.found === false ? words.notFound : words.outcome[end.outcome];
  lines.push([outcome, words.steps(end.steps), words.seconds((end.ms / 1000).toFixed(1))].join(' · '));
  return `${lines.join('\n')}\n`;
}
