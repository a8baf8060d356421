/** Drawn for a 16-unit square, in the colour of the text around them. */
const PATHS = {
  stop: 'M4 4h8v8H4z',
  pause: 'M4.5 3.5h2.5v9H4.5zM9 3.5h2.5v9H9z',
  play: 'M5 3l8 5-8 5z',
  step: 'M4 3l6 5-6 5zM11 3h2v10h-2z',
  answer: 'M3 2h1.5v1H13l-2.2 3L13 9H4.5v5H3z',
  search: 'M7 2a5 5 0 0 1 4 8l3.2 3.2-1 1L10 11a5 5 0 1 1-3-9zm0 1.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  close: 'M4.2 3.2L8 7l3.8-3.8 1 1L9 8l3.8 3.8-1 1L8 9l-3.8 3.8-1-1L7 8 3.2 4.2z',
  up: 'M8 4.5l5 5-1 1-4-4-4 4-1-1z',
  down: 'M8 11.5l-5-5 1-1 4 4 4-4 1 1z',
  right: 'M11.5 8l-5 5-1-1 4-4-4-4 1-1z',
  copy: 'M5 2h8v9H5zm1.3 1.3v6.4h5.4V3.3zM3 5h1v8h6v1H3z',
  raw: 'M5 3.5L1.5 8 5 12.5l1-.8L3.2 8 6 4.3zM11 3.5L14.5 8 11 12.5l-1-.8L12.8 8 10 4.3z',
  check: 'M13.2 4.3l-7 7.4L2.8 8.2l1-1 2.4 2.4 6-6.3z',
  cross: 'M4.2 3.2L8 7l3.8-3.8 1 1L9 8l3.8 3.8-1 1L8 9l-3.8 3.8-1-1L7 8 3.2 4.2z',
  warning: 'M8 1.8l6.6 11.7H1.4zm0 2.9l-4 7.3h8zM7.4 7h1.2v2.7H7.4zm0 3.3h1.2v1.1H7.4z',
  note: 'M3 3h10v7.5H8L5 13v-2.5H3zm1.3 1.3v4.9h2v1.2l1.4-1.2h4V4.3z',
  limit: 'M7.2 2.5h1.6v7H7.2zM7.2 11.5h1.6v2H7.2z',
  keyboard:
    'M1.5 4h13v8h-13zm1.2 1.2v5.6h10.6V5.2zM4 6.3h1.2v1.2H4zm2.3 0h1.2v1.2H6.3zm2.3 0h1.2v1.2H8.6zm2.3 0h1.2v1.2h-1.2zM5 8.7h6v1.1H5z',
} as const;

export type IconName = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

/** A decoration beside words or inside a labelled button; never the only bearer of a meaning. */
export function icon(name: IconName): SVGSVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', '0 0 16 16');
  picture.setAttribute('class', 'icon');
  picture.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  path.setAttribute('fill-rule', 'evenodd');
  picture.append(path);
  return picture;
}
