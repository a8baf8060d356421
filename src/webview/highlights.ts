/** More than this is not painted at once, only counted. */
const MOST = 2_000;

/** Paints matches without touching the document, so that selections and cards stay as they are. */
export class Highlights {
  private wanted: { step: number; nth: number } | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly scroller: HTMLElement,
  ) {}

  clear(): void {
    CSS.highlights.clear();
  }

  /** Paints all matches that are drawn, and the current one in another way. */
  show(query: string, current: { step: number; nth: number } | undefined): void {
    this.clear();
    if (query === '') return;
    const ranges = rangesIn(this.root, query);
    CSS.highlights.set('found', new Highlight(...ranges));
    const place = current && this.area(current.step);
    const range = place && rangesIn(place, query)[current.nth];
    if (!range) return;
    const highlight = new Highlight(range);
    highlight.priority = 1;
    CSS.highlights.set('found-current', highlight);
    if (this.wanted?.step === current.step && this.wanted.nth === current.nth) this.bringIntoSight(range);
  }

  /** Brings a match into sight as soon as it is drawn. */
  scrollTo(place: { step: number; nth: number }): void {
    this.wanted = place;
  }

  private area(step: number): HTMLElement | null {
    if (step === 0) return this.root.querySelector<HTMLElement>('.question');
    if (step === -1) return this.root.querySelector<HTMLElement>('.end .markdown');
    return this.root.querySelector<HTMLElement>(`[data-step="${step}"]`);
  }

  private bringIntoSight(range: Range): void {
    this.wanted = undefined;
    if (!this.scroller.contains(range.startContainer)) return;
    const box = range.getBoundingClientRect();
    const frame = this.scroller.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom) {
      this.scroller.scrollTop += box.top - frame.top - frame.height / 3;
    }
  }
}

/** Where the words stand inside the searchable parts, ignoring case, also across bold words and marks. */
function rangesIn(root: HTMLElement, query: string): Range[] {
  const wanted = query.toLowerCase();
  const ranges: Range[] = [];
  const parts = root.matches('.searchable') ? [root] : root.querySelectorAll<HTMLElement>('.searchable');
  for (const part of parts) {
    const nodes: Text[] = [];
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node as Text);
    const text = nodes
      .map(({ data }) => data)
      .join('')
      .toLowerCase();
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      if (ranges.length >= MOST) return ranges;
      const range = document.createRange();
      setPoint(nodes, at, (node, offset) => range.setStart(node, offset));
      setPoint(nodes, at + wanted.length, (node, offset) => range.setEnd(node, offset));
      ranges.push(range);
    }
  }
  return ranges;
}

function setPoint(nodes: readonly Text[], at: number, set: (node: Text, offset: number) => void): void {
  let left = at;
  for (const node of nodes) {
    if (left <= node.length) {
      set(node, left);
      return;
    }
    left -= node.length;
  }
}
