import type { Words } from './words';

/** Where an address leads, as people call it; '' for none. */
export function siteName(url: string, words: Words): string {
  if (url.startsWith('sample:')) return words.t('Sample wiki');
  if (!URL.canParse(url)) return '';
  const { hostname, protocol } = new URL(url);
  if (protocol === 'file:') return words.t('File');
  return /(^|\.)wikipedia\.org$/.test(hostname) ? words.t('Wikipedia') : hostname.replace(/^www\./, '');
}
