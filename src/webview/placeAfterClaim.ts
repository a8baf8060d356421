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
