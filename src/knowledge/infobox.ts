import { type Element, hasClass, isElement, isNoise, textOf, walk } from './markup';

const BOX = /(?:^|\s)(?:portable-)?infobox/;
/** How a wiki marks the rows under a heading: • Monarch. */
const MARKED = /^[•·–-]\s*/;
const LABELS = new Set(['pi-data-label', 'infobox-label']);
const VALUES = new Set(['pi-data-value', 'infobox-data']);

/** Whether this element is a box of facts beside an article. */
export function isInfobox(element: Element): boolean {
  return element.attribs.class !== undefined && BOX.test(element.attribs.class);
}

/**
 * The facts of an infobox as "label: value". A heading over marked rows ("Government", "• Monarch") is said with them;
 * images, captions and rows without a label are left out.
 */
export function infoboxFacts(box: Element): string[] {
  const facts: string[] = [];
  let group = '';
  let label = '';
  const say = (value: string) => {
    const plain = label.replace(MARKED, '').replace(/\s*[:：]$/, '');
    const grouped = group !== '' && MARKED.test(label) ? `${group}, ${plain}` : plain;
    if (plain && value) facts.push(`${grouped}: ${value}`);
    label = '';
  };
  const read = (cell: Element) => textOf(cell, ', ').replace(/^[•·]\s*/, '');
  walk(box, {
    text() {},
    enter(element) {
      if (isNoise(element)) return false;
      if (element.name === 'tr') {
        const cells = element.children.filter(isElement).filter((cell) => /^t[hd]$/.test(cell.name) && !isNoise(cell));
        const header =
          cells.find((cell) => cell.name === 'th' || hasClass(cell, LABELS)) ??
          (cells.length > 1 ? cells[0] : undefined);
        if (!header) return true;
        label = textOf(header);
        const values = cells.filter((cell) => cell !== header);
        const value = values.map(read).filter(Boolean).join('; ');
        if (values.length === 0 || value !== '') group = MARKED.test(label) ? group : label;
        say(value);
        return false;
      }
      if (hasClass(element, LABELS)) {
        label = textOf(element);
        return false;
      }
      if (hasClass(element, VALUES)) {
        say(read(element));
        return false;
      }
      return true;
    },
    leave() {},
  });
  return facts;
}
