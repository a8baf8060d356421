import type { Language, Message } from '../../agent/event';

/** What one action brought, read back from the conversation. */
export interface Seen {
  /** `section`: the name led to a section of a page about something wider; `guess`: to a title of similar spelling. */
  kind: 'page' | 'section' | 'guess' | 'hit' | 'senses' | 'similar' | 'result' | 'nothing';
  /** The page's title, or the result's text. */
  title: string;
  sentences: string[];
  /** All of the page was shown. */
  whole: boolean;
  titles: { title: string; description: string }[];
  /** Results of a Lookup after this one. */
  more: number;
}

/** What an action brought that led nowhere. */
export const NOTHING: Seen = { kind: 'nothing', title: '', sentences: [], whole: false, titles: [], more: 0 };

/** A conversation as the researcher reads it. */
export interface Conversation {
  question: string;
  language: Language;
  past: { tool: string; input: string; seen: Seen }[];
  /** Number of the step to write now. */
  step: number;
  /** The loop wants the final answer only. */
  last: boolean;
  /** The loop has hinted that the run goes nowhere. */
  stuck: boolean;
  offers(tool: string): boolean;
}

const NOTE = /^(?:Note from the user: |用户补充：)/;

/** Lines of an observation that are about the page, not from it. */
const ABOUT_PAGE =
  /^(?:[(（](?:Cut here|此处截断)|This page is short|此页面很短|Sections: |章节：|\d+ sentences?, |共 \d+ 句|Other pages with |名称相近的|No page is called |没有名为“)/;

const SENTENCE_END =
  /(?<=[。！？][”」』]?)(?=.)|(?<=[.!?]["”)]?)(?<!\b(?:\p{Lu}|Mr|Mrs|Ms|Dr|St|No|Jr|Sr|vs|ca?|Prof|Bros)\.)\s+(?=["“(]?[\p{Lu}\p{N}])/u;

/** Sentences of what was shown. An item is understood with the line that introduces its list. */
function sentencesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => !ABOUT_PAGE.test(line));
  return lines
    .flatMap((line, at) => {
      if (!line.startsWith('• ')) return line.split(SENTENCE_END);
      const intro = lines.slice(0, at).findLast((before) => !/^[•…]/.test(before)) ?? '';
      return `${/[:：]$/.test(intro) ? intro.split(SENTENCE_END).at(-1) : ''} ${line.slice(2)}`;
    })
    .map((sentence) => sentence.trim())
    .filter((sentence) => !['', '…'].includes(sentence));
}

/** An observation in two parts: what the tool brought, and the loop's own words after it. */
function parts(content: string): { body: string; fenced: boolean; hint: string } {
  const [, body = '', after = ''] =
    /^Observation \d+: <data>([\s\S]*)<\/data>([\s\S]*)$/.exec(content) ??
    /^Observation \d+: ([\s\S]*?)(\n\n[\s\S]*)?$/.exec(content) ??
    [];
  const hint = after.split('\n\n').filter((paragraph) => paragraph.trim() && !NOTE.test(paragraph));
  return { body, fenced: content.includes('<data>'), hint: hint.join('\n') };
}

function read(tool: string, content: string): Seen {
  const { body, fenced } = parts(content);
  const [first = '', ...rest] = body.split('\n');
  const seen: Seen = { ...NOTHING, title: body };
  if (tool === 'Calculator') return { ...seen, kind: /[=≈] \S+$/.test(body) ? 'result' : 'nothing' };
  const counted = /^[(（]\D{1,8}(\d+) \/ (\d+)[)）]/.exec(body);
  if (counted) {
    const heading = /^[^\n]*?[:：] /.exec(body)?.[0] ?? '';
    const sentences = sentencesOf(body.slice(heading.length));
    return { ...seen, kind: 'hit', sentences, more: Number(counted[2]) - Number(counted[1]) };
  }
  if (!fenced || tool !== 'Search') return seen;
  const items = rest.filter((line) => line.startsWith('• '));
  if (/[:：]$/.test(first) && items.length > 0) {
    const titles = items.map((line) => {
      const [title = '', ...description] = line.slice(2).split(/: |：/);
      return { title: title.trim(), description: description.join(' ') };
    });
    return { ...seen, kind: /^(?:Could not find|找不到)/.test(first) ? 'similar' : 'senses', titles };
  }
  return {
    ...seen,
    kind: /, section “|，“.*一节$/.test(first)
      ? 'section'
      : /^(?:No page is called |没有名为“)/.test(rest[0] ?? '')
        ? 'guess'
        : 'page',
    title: first.replace(/(?: \(redirected from “|（由“|, section “|，“).*$/, '').trim(),
    sentences: sentencesOf(rest.join('\n')),
    whole: rest.some((line) => /^(?:This page is short|此页面很短)/.test(line)),
    titles: [...(/\n(?:Other pages with |名称相近的).*/.exec(body)?.[0] ?? '').matchAll(/“([^”]+)”/g)].map(
      ([, title = '']) => ({ title, description: '' }),
    ),
  };
}

/** Reads the messages that a model would see. `fallback` is the language where the question does not show it. */
export function readConversation(messages: readonly Message[], fallback: Language): Conversation {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const opening = messages.find(({ role }) => role === 'user')?.content ?? '';
  const label = [...opening.matchAll(/(?:^|\n)(Question: |问题：)/g)].at(-1);
  const asked = (label ? opening.slice(label.index + label[0].length) : opening).split('\n\n');
  const past: Conversation['past'] = [];
  let action: { tool: string; input: string } | undefined;
  let hint = asked
    .slice(1)
    .filter((paragraph) => /Finish\s*\[/.test(paragraph))
    .join('\n');
  let step = 1;
  for (const { role, content } of messages) {
    const observed = role === 'user' && /^Observation (\d+): /.exec(content);
    if (role === 'assistant') {
      const [, tool = '', input = ''] = /^Action(?: \d+)?[:：] ?(\w+)\[([\s\S]*)\]\s*$/m.exec(content) ?? [];
      action = tool ? { tool, input } : undefined;
    } else if (observed) {
      step = Number(observed[1]) + 1;
      hint = parts(content).hint;
      if (action) past.push({ ...action, seen: read(action.tool, content) });
      action = undefined;
    }
  }
  const last = /Finish\s*\[/.test(hint);
  const own = asked.filter((paragraph, at) => at === 0 || !(NOTE.test(paragraph) || /Finish\s*\[/.test(paragraph)));
  return {
    question: own.join('\n').trim(),
    language: label === undefined ? fallback : label[1] === '问题：' ? 'zh-CN' : 'en',
    past,
    step,
    last,
    stuck: hint !== '' && !last,
    offers: (tool) => system.includes(`- ${tool}[`) || !/^- \w+\[/m.test(system),
  };
}
