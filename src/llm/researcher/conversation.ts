import type { Language, Message } from '../../agent/event';

/** What one action brought, read back from the conversation. */
export type Seen =
  /** `section`: the name led to a section of a page about something wider. */
  | {
      kind: 'page';
      title: string;
      section: boolean;
      sentences: string[];
      whole: boolean;
      others: string[];
      guessed: boolean;
    }
  | { kind: 'hit'; sentences: string[]; number: number; of: number }
  | { kind: 'titles'; ambiguous: boolean; titles: { title: string; description: string }[] }
  | { kind: 'result'; text: string }
  | { kind: 'nothing'; text: string };

export interface PastAction {
  tool: string;
  input: string;
  seen: Seen;
}

/** A conversation as the researcher reads it. */
export interface Conversation {
  question: string;
  language: Language;
  past: PastAction[];
  /** Number of the step to write now. */
  step: number;
  /** The loop wants the final answer only. */
  last: boolean;
  /** The loop has hinted that the run goes nowhere. */
  stuck: boolean;
  offers(tool: string): boolean;
}

const NOTE = /^(?:Note from the user: |用户补充：)/;

const META =
  /^(?:[(（](?:Cut here|此处截断)|This page is short|此页面很短|Sections: |章节：|\d+ sentences?, |共 \d+ 句|Other pages with |名称相近的|No page is called |没有名为“|Not found in |\S+ could not be reached \(|无法连接 \S+（|.{1,40}中没有找到；)/;

const SENTENCE_END =
  /(?<=[。！？][”」』]?)(?=.)|(?<=[.!?]["”)]?)(?<!\b(?:\p{Lu}|Mr|Mrs|Ms|Dr|St|No|Jr|Sr|vs|ca?|Prof|Bros)\.)\s+(?=["“(]?[\p{Lu}\p{N}])/u;

/** Splits running text into sentences; initials, abbreviations and decimals do not end one. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !META.test(line))
    .flatMap((line, at, lines) => {
      if (!line.startsWith('• ')) return line.split(SENTENCE_END);
      // An item is understood with the line that introduces its list.
      const intro = lines.slice(0, at).findLast((before) => !/^(?:• |…)/.test(before)) ?? '';
      return [/[:：]$/.test(intro) ? `${intro.split(SENTENCE_END).at(-1)} ${line.slice(2)}` : line.slice(2)];
    })
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && sentence !== '…');
}

/** An observation in two parts: what the tool brought, and the loop's own words after it. */
function parts(content: string): { body: string; hint: string } {
  const text = content.replace(/^Observation \d+: /, '');
  const fence = /^<data>([\s\S]*)<\/data>([\s\S]*)$/.exec(text);
  const at = text.indexOf('\n\n');
  const body = fence?.[1] ?? (at === -1 ? text : text.slice(0, at));
  const after = fence?.[2] ?? (at === -1 ? '' : text.slice(at));
  const paragraphs = after.split('\n\n').map((paragraph) => paragraph.trim());
  return { body, hint: paragraphs.filter((paragraph) => paragraph && !NOTE.test(paragraph)).join('\n') };
}

function readSearch(body: string): Seen {
  const [first = '', ...rest] = body.split('\n');
  const items = rest.filter((line) => line.startsWith('• '));
  if (/[:：]$/.test(first) && items.length > 0) {
    const titles = items.map((line) => {
      const [title = '', ...description] = line.slice(2).split(/: |：/);
      return { title: title.trim(), description: description.join(' ') };
    });
    return { kind: 'titles', ambiguous: !/^(?:Could not find|找不到)/.test(first), titles };
  }
  const title = first.replace(/(?: \(redirected from “|（由“|, section “|，“).*$/, '').trim();
  const whole = rest.some((line) => /^(?:This page is short|此页面很短)/.test(line));
  const section = /, section “|，“.*一节$/.test(first);
  const guessed = rest.slice(0, 1).some((line) => /No page is called |没有名为“/.test(line));
  const hatnote = rest.find((line) => /^(?:Other pages with |名称相近的)/.test(line)) ?? '';
  const others = [...hatnote.matchAll(/“([^”]+)”/g)].map((match) => match[1]!);
  return { kind: 'page', title, section, sentences: sentencesOf(rest.join('\n')), whole, others, guessed };
}

function readLookup(body: string): Seen {
  const counted = /^[(（]\D{1,8}(\d+) \/ (\d+)[)）]/.exec(body);
  if (!counted) return { kind: 'nothing', text: body };
  const heading =
    /^[^\n]*?(?:”[)）]?|“[^”]*”[^)）]*[)）]|[》)）\p{L}\p{N}.])[:：](?: |\n)/u.exec(body)?.[0] ?? counted[0];
  const sentences = sentencesOf(body.slice(heading.length));
  return { kind: 'hit', sentences, number: Number(counted[1]), of: Number(counted[2]) };
}

function read(tool: string, content: string): Seen {
  const { body } = parts(content);
  const fenced = content.includes('<data>');
  if (tool === 'Calculator') {
    return /[=≈] \S+$/.test(body) ? { kind: 'result', text: body } : { kind: 'nothing', text: body };
  }
  if (!fenced) return { kind: 'nothing', text: body };
  return tool === 'Search' ? readSearch(body) : readLookup(body);
}

/** Reads the messages that a model would see. `fallback` is the language where the question does not show it. */
export function readConversation(messages: readonly Message[], fallback: Language): Conversation {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const opening = messages.find(({ role }) => role === 'user')?.content ?? '';
  const label = [...opening.matchAll(/(?:^|\n)(Question: |问题：)/g)].at(-1);
  const asked = label ? opening.slice(label.index + label[0].length) : opening;
  const past: PastAction[] = [];
  let action: { tool: string; input: string } | undefined;
  let hint = '';
  let step = 1;
  for (const { role, content } of messages) {
    if (role === 'assistant') {
      const written = /^Action(?: \d+)?[:：] ?(\w+)\[([\s\S]*)\]\s*$/m.exec(content);
      action = written ? { tool: written[1]!, input: written[2]! } : undefined;
    } else if (role === 'user' && /^Observation \d+: /.test(content)) {
      step = Number(/\d+/.exec(content)![0]) + 1;
      hint = parts(content).hint;
      if (action) past.push({ ...action, seen: read(action.tool, content) });
      action = undefined;
    }
  }
  const tail = past.length > 0 ? hint : (asked.split('\n\n').slice(1).at(-1) ?? '');
  const last = /Finish\s*\[/.test(tail);
  return {
    question: asked
      .split('\n\n')
      .filter((paragraph, at) => at === 0 || !(NOTE.test(paragraph) || /Finish\s*\[/.test(paragraph)))
      .join('\n')
      .trim(),
    language: label === undefined ? fallback : label[1] === '问题：' ? 'zh-CN' : 'en',
    past,
    step,
    last,
    stuck: hint !== '' && !last,
    offers: (tool) => system.includes(`- ${tool}[`) || !/^- \w+\[/m.test(system),
  };
}
