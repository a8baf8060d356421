import type { RunEnd } from '../agent/event';
import type { Step } from '../agent/trace';

/** One sentence that carries the answer, with its number; a sentence cited twice has one number. */
export interface Citation {
  number: number;
  step: number;
  sentence: number;
  title: string;
  url: string;
  /** As it was observed; undefined while the step is not here. */
  text: string | undefined;
}

/** A claim of the answer, and what carries it: nothing when it was not found in the sources. */
export interface CitedClaim {
  claim: string;
  status: 'verbatim' | 'partial' | 'none';
  citation?: Citation;
}

/** Numbers the evidence of an answer in the order of its claims. */
export function citationsOf(end: RunEnd, stepAt: (step: number) => Step | undefined): CitedClaim[] {
  const citations = new Map<string, Citation>();
  return (end.support ?? []).map(({ claim, step, sentence, status }) => {
    if (step === undefined || sentence === undefined || status === 'none') return { claim, status: 'none' as const };
    const key = `${step}:${sentence}`;
    let citation = citations.get(key);
    if (!citation) {
      const observation = stepAt(step)?.observation;
      const span = observation?.sentences?.find(({ index }) => index === sentence);
      const source = observation?.document ?? end.sources.find(({ steps }) => steps.includes(step));
      citation = {
        number: citations.size + 1,
        step,
        sentence,
        title: source?.title ?? '',
        url: source?.url ?? '',
        text: span && observation?.text.slice(span.start, span.end),
      };
      citations.set(key, citation);
    }
    return { claim, status, citation };
  });
}

/** Text without Markdown's marks and spaces, and for each of its units the place in the text it came from. */
function bare(text: string): { letters: string; places: number[] } {
  let letters = '';
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (/[\s*_`#>[\]]/.test(text[at]!)) continue;
    letters += text[at]!.toLowerCase();
    places.push(at);
  }
  return { letters, places };
}

/** Places a mark behind the claim's words in a rendered answer; false when they are not there. */
export function placeAfterClaim(root: HTMLElement, claim: string, mark: Node): boolean {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(root, 4 /* text nodes */);
  let whole = '';
  const starts: number[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('.cite')) continue;
    starts.push(whole.length);
    nodes.push(node as Text);
    whole += (node as Text).data;
  }
  // A link's address in a claim stands in the answer only as its words.
  const wanted = bare(claim.replace(/\]\([^)\s]*\)/g, ']')).letters.replace(/[.。!！?？,，;；:：]+$/, '');
  const { letters, places } = bare(whole);
  const found = wanted === '' ? -1 : letters.indexOf(wanted);
  if (found < 0) return false;
  const end = places[found + wanted.length - 1]! + 1;
  const index = starts.findLastIndex((start) => start < end);
  const node = nodes[index]!;
  const offset = end - starts[index]!;
  if (offset < node.data.length) {
    node.splitText(offset);
    node.after(mark);
    return true;
  }
  // Behind bold words or a link, not inside them.
  let after: Node = node;
  while (
    after.parentElement &&
    after.parentElement !== root &&
    /^(STRONG|EM|A|CODE|S|BDI)$/.test(after.parentElement.tagName)
  ) {
    if (after.parentElement.lastChild !== after) break;
    after = after.parentElement;
  }
  after.parentNode!.insertBefore(mark, after.nextSibling);
  return true;
}
