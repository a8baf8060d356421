/** What makes links, images, HTML, entities or formulas. The rest of Markdown only shapes text and may stay. */
const ACTIVE = /[\\[\]<>&$`]/g;

const escapeActive = (text: string) => text.replace(ACTIVE, (character) => `\\${character}`);

/**
 * An answer as Markdown for VS Code's chat: lists, emphasis, tables and code stay, while links, images and HTML, which came
 * from models and web pages, are shown as they are written. Nothing in it can be followed, loaded or run.
 */
export function chatMarkdown(answer: string): string {
  const lines: string[] = [];
  let fence: { mark: string; language: string; lines: string[] } | undefined;
  const endFence = () => {
    if (fence) lines.push(...codeBlock(fence.lines, fence.language));
    fence = undefined;
  };
  for (const line of answer.split(/\r\n?|\n/)) {
    const [, mark, info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence) {
      if (mark?.startsWith(fence.mark) && info.trim() === '') endFence();
      else fence.lines.push(line);
    } else if (mark && !(mark.startsWith('`') && info.includes('`'))) {
      fence = { mark, language: /^\s*([\w+#-]*)/.exec(info)?.[1] ?? '', lines: [] };
    } else {
      lines.push(inline(line));
    }
  }
  endFence();
  return lines.join('\n');
}

/** A fence that nothing inside can close. */
function codeBlock(lines: readonly string[], language: string): string[] {
  const longest = Math.max(
    2,
    ...lines.map((line) => Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length))),
  );
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}

/** Code between equally long runs of backticks stays code; outside of it nothing active is left. */
function inline(line: string): string {
  let made = '';
  let at = 0;
  for (const span of line.matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)) {
    // a pipe would split the code between two cells of a table, and let out what is in it
    if (/[|]/.test(span[2] as string)) continue;
    made += escapeActive(line.slice(at, span.index)) + span[0];
    at = span.index + span[0].length;
  }
  return made + escapeActive(line.slice(at));
}

/** A link of our own making: `title` is shown as text, `url` is an http(s) address. */
export function chatLink(title: string, url: string): string {
  const target = url.replace(/[()\\<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `[${chatText(title)}](${target})`;
}

/** Text of one line, shown as written. */
export function chatText(text: string): string {
  return escapeActive(text.replace(/\s+/g, ' ').trim()).replace(/[*_~#|]/g, (character) => `\\${character}`);
}
