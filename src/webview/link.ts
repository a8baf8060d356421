import { element } from './dom';

/** A link that the host opens. A web address can be read before it is followed; anything else is a button. */
export function link(text: string, url: string, open: () => void, className = ''): HTMLElement {
  const isWeb = /^https?:\/\//i.test(url);
  const click = (event: MouseEvent) => {
    event.preventDefault();
    open();
  };
  return isWeb
    ? element('a', { class: className, attributes: { href: url, title: url }, click }, element('bdi', {}, text))
    : element('button', { class: `link ${className}`, attributes: { title: url }, click }, element('bdi', {}, text));
}
