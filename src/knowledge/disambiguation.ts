import { linkedTitle } from './blocks';
import { type Element, hasClass, isNoise, parseHtml, textOf, tidy, walk } from './markup';

/** Boxes that wikis put on disambiguation pages. */
const BOXES = new Set(['dmbox', 'disambig', 'disambigbox', 'disambiguation', 'homonymie', 'bksicon']);
const BOX_IDS = new Set(['disambigbox', 'disambig', 'Vorlage_Begriffsklaerung']);
/** The words that introduce the senses: Papua most commonly refers to: */
const INTRODUCTION =
  /\b(?:mean|means|refers? to|stands? for)\b[^.]{0,60}:$|(?:可以?|可能|常)(?:是?指|代表)|消歧[义義]|bezeichnet[^.]{0,60}:$|steht für[^.]{0,60}:$|puede (?:referirse|hacer referencia)|peut (?:désigner|faire référence)/i;
const NOT_SENSES = /^(?:see also|references|external links|notes|参见|參見|参考|siehe auch|véase también|voir aussi)/i;
/** More prose than this (UTF-16 units) makes an article, whatever lists it has. */
const MOST_PROSE = 600;

interface Item {
  /** Its text, without that of the items inside it. */
  parts: string[];
  title?: string;
  /** What the link shows, where the item begins with it. */
  leading?: string;
}

interface Outline {
  items: Item[];
  prose: string[];
  boxed: boolean;
}

function outline(html: string): Outline {
  const found: Outline = { items: [], prose: [], boxed: false };
  const open: Item[] = [];
  let paragraph: string[] | undefined;
  let inSenses = true;
  walk(parseHtml(html), {
    text(data) {
      (open.at(-1)?.parts ?? paragraph)?.push(data);
    },
    enter(element: Element) {
      if (hasClass(element, BOXES) || BOX_IDS.has(element.attribs.id ?? '')) {
        found.boxed = true;
        return false;
      }
      if (isNoise(element)) return false;
      if (/^h[2-6]$/.test(element.name)) {
        inSenses = !NOT_SENSES.test(textOf(element));
        return false;
      }
      if (element.name === 'li') {
        open.push({ parts: [] });
        if (inSenses) found.items.push(open.at(-1)!);
      }
      if (element.name === 'p') paragraph = [];
      const item = open.at(-1);
      if (element.name === 'a' && item && item.title === undefined) {
        item.title = linkedTitle(element);
        if (item.title !== undefined && item.parts.every((part) => part.trim() === '')) item.leading = textOf(element);
      }
      return true;
    },
    leave(element: Element) {
      if (element.name === 'p' && paragraph) {
        found.prose.push(tidy(paragraph.join('')));
        paragraph = undefined;
      }
      if (element.name === 'li') open.pop();
    },
  });
  return found;
}

/** The senses that a disambiguation page lists, with their exact titles, in the page's order; each title once. */
export function disambiguationSenses(html: string): { title: string; description: string }[] {
  const senses = new Map<string, string>();
  for (const { parts, title, leading } of outline(html).items) {
    if (title === undefined || senses.has(title)) continue;
    const text = tidy(parts.join(''));
    const rest = leading !== undefined && text.startsWith(leading) ? text.slice(leading.length) : text;
    senses.set(title, rest.replace(/^[\s,，、:：;–—-]+/, ''));
  }
  return [...senses].map(([title, description]) => ({ title, description }));
}

/**
 * True for a page built like a disambiguation page: marked by a box, or an introduction ("may refer to:") over a list
 * of links with little other text. For wikis that do not mark such pages with a page property.
 */
export function looksLikeDisambiguation(html: string): boolean {
  const { items, prose, boxed } = outline(html);
  if (boxed) return true;
  const linked = items.filter((item) => item.title !== undefined);
  if (linked.length < 2 || linked.length < items.length / 2) return false;
  return prose.join(' ').length <= MOST_PROSE && prose.some((text) => INTRODUCTION.test(text));
}
