/** Numbers between which a value must lie. */
export interface Bounds {
  least?: number;
  most?: number;
  /** True where the bound itself is not allowed. */
  aboveLeast?: boolean;
  belowMost?: boolean;
}

const NUMBER = '[`\'"]?(-?\\d+(?:,\\d{3})*(?:\\.\\d+)?)[`\'"]?';
const INCLUDED = '(?: ?\\((inclusive|exclusive)\\))?';
const pattern = (source: string) => new RegExp(source, 'i');

/** “[1, 600]”, “(0.0, 1.0]” */
const INTERVAL = /([[(])\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*([\])])/;
/** “between 1 and 8192”, Gemini’s “from 1 (inclusive) to 500 (exclusive)” */
const RANGE = pattern(`(?:between|from) ${NUMBER}${INCLUDED} (?:and|to) ${NUMBER}${INCLUDED}`);
const MOST = pattern(
  `(?:(?:less|smaller|lower|fewer) than(?: or equal to)?|<=?|≤|at most|no more than|up to|(?:not|cannot) exceed|\\bexceeds?|\\bmax(?:imum)?(?!_)(?: (?:value|length|number|allowed))?|limit(?:ed)?|不[能得可]?(?:大于|超过|高于)|小于(?:或?等于)?|最大|上限)[^\\d.]{0,40}${NUMBER}`,
);
const LEAST = pattern(
  `(?:(?:greater|larger|more|higher) than(?: or equal to)?|>=?|≥|at least|min(?:imum)?(?: value)?|不[能得可]?(?:小于|低于)|(?<!不[能得可]?)大于(?:或?等于)?|最小|下限)[^\\d.]{0,16}${NUMBER}`,
);
const POSITIVE = /strictly positive|positive (float|number)|must be positive/i;
/** At the beginning of what MOST or LEAST found: the bound itself is not allowed. */
const STRICT = /^(\w+ than(?! or equal)|[<>](?!=)|(小于|大于)(?!或?等于))/;

/**
 * Reads bounds from the usual wordings.
 * @param value what was sent: “1024 > 800” names it
 */
export function readBounds(text: string, value?: unknown): Bounds | undefined {
  const interval = INTERVAL.exec(text);
  if (interval) {
    const [, open, least, most, close] = interval;
    return { least: Number(least), most: Number(most), aboveLeast: open === '(', belowMost: close === ')' };
  }
  const range = RANGE.exec(text);
  if (range) {
    const [, least, first, most, last] = range;
    const strict = (word: string | undefined) => word?.toLowerCase() === 'exclusive';
    return { least: number(least), most: number(most), aboveLeast: strict(first), belowMost: strict(last) };
  }
  if (typeof value === 'number') {
    // Anthropic: “max_tokens: 1024 > 800, which is the maximum allowed number of output tokens”
    const over = new RegExp(`(?<![\\d.])${value} > ${NUMBER}`).exec(text);
    if (over) return { most: number(over[1]) };
  }
  const most = MOST.exec(text);
  const least = LEAST.exec(text);
  const bounds: Bounds = {};
  if (most) Object.assign(bounds, { most: number(most[1]), belowMost: STRICT.test(most[0]) });
  if (least) Object.assign(bounds, { least: number(least[1]), aboveLeast: STRICT.test(least[0]) });
  else if (POSITIVE.test(text)) Object.assign(bounds, { least: 0, aboveLeast: true });
  return bounds.most === undefined && bounds.least === undefined ? undefined : bounds;
}

const number = (found = '') => Number(found.replaceAll(',', ''));
