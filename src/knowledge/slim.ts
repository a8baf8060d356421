/** Browsers stop nesting at about this depth as well. */
const DEEPEST = 512;

const words = (list: string) => new Set(list.split(' '));
const VOID = words('area base br col embed hr img input link meta param source track wbr');
const CELLS = words('td th');
const IN_ROW_GROUP = words('tr td th tbody thead tfoot');
const TERMS = words('dt dd');
/** What an opening tag closes by itself. */
const CLOSES: Record<string, ReadonlySet<string>> = {
  li: words('li'),
  dt: TERMS,
  dd: TERMS,
  td: CELLS,
  th: CELLS,
  tr: words('tr td th'),
  tbody: IN_ROW_GROUP,
  thead: IN_ROW_GROUP,
  tfoot: IN_ROW_GROUP,
  option: words('option'),
};
const CLOSES_PARAGRAPH = words(
  'p div section article main aside header footer nav ul ol dl table pre form blockquote hr h1 h2 h3 h4 h5 h6 address figure details fieldset',
);

/** Their content is no markup. */
const RAW = words('script style textarea title xmp');

const [GREATER, QUOTE, APOSTROPHE, EQUALS, SPACE, NEWLINE] = [62, 34, 39, 61, 32, 10];

/** One past the `>` of the tag whose name ends at `from`; quoted values may hold `>`. -1 when it never ends. */
function tagEnd(html: string, from: number): number {
  let afterEquals = false;
  for (let at = from; at < html.length; at++) {
    const code = html.charCodeAt(at);
    if (code === GREATER) return at + 1;
    if (afterEquals && (code === QUOTE || code === APOSTROPHE)) {
      at = html.indexOf(html[at]!, at + 1);
      if (at < 0) return -1;
    }
    afterEquals = code === EQUALS || (afterEquals && (code === SPACE || code === NEWLINE));
  }
  return -1;
}

/** Half of an encyclopedia page: lists of references and boxes of links to other pages. */
const PRUNED = /\sclass\s*=\s*["']?(?:[^"'>]*\s)?(?:references|reflist|navbox|mw-references-wrap)(?=[\s"'>])/i;

/**
 * HTML without what no reader looks at and what would cost time: comments, scripts, styles, lists of references, boxes of
 * links, and tags that nest deeper than 512. The parser's cost grows with the square of the depth, and a page must not be
 * able to make us wait; a first page is read in half the time without its references.
 */
export function slimHtml(html: string): string {
  const open: string[] = [];
  const over: string[] = [];
  const kept: string[] = [];
  let from = 0;
  let pruned: { at: number; depth: number; instead: string } | undefined;
  const drop = (start: number, end: number, instead = ' ') => {
    if (pruned) return;
    kept.push(html.slice(from, start), instead);
    from = end;
  };
  const tags = /<(?:(\/?)([a-z][^\s/>]*)|!--)/gi;
  for (let match = tags.exec(html); match; match = tags.exec(html)) {
    const name = match[2]?.toLowerCase();
    const end = name === undefined ? commentEnd(html, match.index) : tagEnd(html, tags.lastIndex);
    if (end < 0) break;
    tags.lastIndex = end;
    if (name === undefined) drop(match.index, end);
    if (name === undefined || VOID.has(name)) continue;
    if (match[1] === '') {
      if (RAW.has(name)) {
        const close = new RegExp(`</${name}\\s*>`, 'gi');
        close.lastIndex = end;
        if (!close.exec(html)) break;
        tags.lastIndex = close.lastIndex;
        if (name === 'script' || name === 'style') drop(match.index, close.lastIndex);
        continue;
      }
      const closesItself = html[end - 2] === '/' && (open.includes('svg') || open.includes('math'));
      if (closesItself) continue;
      while (open.length > 0 && CLOSES[name]?.has(open.at(-1)!)) open.pop();
      const endsParagraph = open.at(-1) === 'p' && CLOSES_PARAGRAPH.has(name);
      if (endsParagraph) open.pop();
      if (open.length >= DEEPEST) {
        drop(match.index, end);
        over.push(name);
        continue;
      }
      if (!pruned && PRUNED.test(html.slice(match.index, end))) {
        // The paragraph that it ended stays ended once it is gone.
        pruned = { at: match.index, depth: open.length, instead: endsParagraph ? '</p>' : ' ' };
      }
      open.push(name);
    } else if (over.length > 0) {
      drop(match.index, end);
      if (over.at(-1) === name) over.pop();
    } else {
      const at = open.lastIndexOf(name);
      if (at < 0) continue;
      open.length = at;
      if (!pruned || at > pruned.depth) continue;
      const { at: start, depth, instead } = pruned;
      pruned = undefined;
      drop(start, at === depth ? end : match.index, instead);
    }
  }
  if (pruned) {
    const { at: start, instead } = pruned;
    pruned = undefined;
    drop(start, html.length, instead);
  }
  return from === 0 ? html : kept.join('') + html.slice(from);
}

/** One past a comment; -1 when it never ends. */
function commentEnd(html: string, start: number): number {
  const end = html.indexOf('-->', start + 2);
  return end < 0 ? -1 : end + 3;
}
