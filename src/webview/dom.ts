import { visible } from './text';

interface Properties {
  class?: string;
  attributes?: Record<string, string>;
  click?: (event: MouseEvent) => void;
}

/** Makes an element. Text becomes text nodes, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (properties.class) made.className = properties.class;
  for (const [name, value] of Object.entries(properties.attributes ?? {})) made.setAttribute(name, value);
  if (properties.click) made.addEventListener('click', properties.click as EventListener);
  made.append(...children);
  return made;
}

/** A block of someone else's text: each of its paragraphs takes its own direction. */
export function prose(text: string, className = 'prose'): HTMLDivElement {
  return element('div', { class: className, attributes: { dir: 'auto' } }, visible(text));
}

/** Changes a node's text where it differs, so that a selection in the part that stays survives. */
export function setText(node: Text, text: string): void {
  const old = node.data;
  if (old === text) return;
  if (text.startsWith(old)) {
    node.appendData(text.slice(old.length));
    return;
  }
  let same = 0;
  while (same < old.length && old.charCodeAt(same) === text.charCodeAt(same)) same++;
  node.replaceData(same, old.length - same, text.slice(same));
}

/** Replaces an element's children only when the description of what it shows has changed. */
export function once(made: HTMLElement, description: string, children: () => (Node | string)[]): void {
  if (made.dataset.shows === description) return;
  made.dataset.shows = description;
  made.replaceChildren(...children());
}

/** Sets an attribute, or takes it away, only where that changes something. */
export function attribute(made: Element, name: string, value: string | null): void {
  if (made.getAttribute(name) === value) return;
  if (value === null) made.removeAttribute(name);
  else made.setAttribute(name, value);
}
