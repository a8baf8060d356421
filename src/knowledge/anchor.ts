import { isNoise, parseHtml, textOf, walk } from './markup';

/**
 * The heading of the section that an address's fragment points into: the heading that carries the anchor or follows right
 * behind it, else the last one before it. Anchors keep a page's own script and spelling where its headings are shown in another.
 * @param fragment what stands after `#`, decoded
 */
export function headingAt(html: string, fragment: string): string | undefined {
  const wanted = fragment.trim().replace(/ /g, '_');
  if (wanted === '') return undefined;
  let heading = '';
  let state: 'before' | 'at' | 'behind' = 'before';
  walk(parseHtml(html), {
    text(data) {
      if (state === 'at' && data.trim() !== '') state = 'behind';
    },
    enter(element) {
      if (state === 'behind' || isNoise(element)) return false;
      const { id, name } = element.attribs;
      if (id === wanted || (element.name === 'a' && name === wanted)) state = 'at';
      if (/^h[1-6]$/.test(element.name)) {
        heading = textOf(element);
        if (state === 'at') state = 'behind';
      }
      return true;
    },
    leave() {},
  });
  return state === 'before' || heading === '' ? undefined : heading;
}
