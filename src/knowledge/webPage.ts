import type { Document } from '../agent/document';
import { headingAt } from './anchor';
import { decodeBody, isBinary, isPdf } from './charset';
import type { WebResponse } from './guardedFetch';
import { type Element, parseHtml, textOf, walk } from './markup';
import { boundedTitle, type PageMeta, readPage } from './page';
import { readJson, readPlainText, readSource } from './plainPage';
import { slimHtml } from './slim';
import { decodePercent } from './titles';

/** What an address led to. */
export type WebPage =
  /** `sectionTitle`: where the address's fragment points. */
  | { kind: 'page'; document: Document; cut: boolean; sectionTitle?: string }
  /** The server said no (404, 403, 500, …). */
  | { kind: 'status'; status: number; title: string }
  /** Nothing that can be read as text. `type` is a media type. */
  | { kind: 'unreadable'; type: string };

const NO_TEXT =
  /^(?:image|audio|video|font|model)\/|^application\/(?:zip|gzip|x-tar|x-7z|vnd\.|msword|java-archive|wasm)/;
const SOURCE =
  /^(?:application|text)\/(?:(?:\w+[.+-])*(?:xml|yaml|x-yaml|javascript|ecmascript|typescript|x-sh|csv|css|toml|sql)|tab-separated-values)$/;
/**
 * Larger or deeper pages are read by their structure alone: the library's time grows faster than the page, and it would hold
 * everything up. Real articles stay well below.
 */
const FOR_LIBRARY = { elements: 5000, depth: 60, length: 1_000_000 };
/** Less text than this (UTF-16 units) is not trusted to be the main part, if the structure shows more. */
const LEAST_TEXT = 200;

interface Head {
  title: string;
  language?: string;
  isWiki: boolean;
  elements: number;
  depth: number;
}

/** Title, language and size of a page, and whether MediaWiki made it. */
function headOf(html: string): Head {
  let title = '';
  let heading = '';
  const head: Head = { title: '', isWiki: false, elements: 0, depth: 0 };
  let depth = 0;
  walk(parseHtml(html), {
    text() {},
    enter(element: Element) {
      const { name, attribs } = element;
      head.elements++;
      head.depth = Math.max(head.depth, ++depth);
      if (name === 'html' && attribs.lang) head.language = attribs.lang;
      if (name === 'title' && title === '')
        title = element.children
          .map((child) => ('data' in child ? child.data : ''))
          .join('')
          .replace(/\s+/g, ' ')
          .trim();
      if (name === 'h1' && heading === '') heading = textOf(element);
      if (attribs.id === 'mw-content-text' || /\bmw-parser-output\b/.test(attribs.class ?? '')) head.isWiki = true;
      return true;
    },
    leave() {
      depth--;
    },
  });
  // A title often names the site as well (The ferry | Verin News); the heading inside it is the page's own.
  head.title = heading !== '' && (head.isWiki || title.includes(heading)) ? heading : title || heading;
  return head;
}

const characters = (document: Document) => document.sentences.reduce((sum, { text }) => sum + text.length, 0);

async function readHtml(html: string, meta: PageMeta): Promise<Document> {
  const head = headOf(html);
  const known: PageMeta = {
    ...meta,
    title: head.title || meta.title,
    ...(head.language ? { language: head.language } : {}),
  };
  const fits =
    head.elements <= FOR_LIBRARY.elements && head.depth <= FOR_LIBRARY.depth && html.length <= FOR_LIBRARY.length;
  if (head.isWiki || !fits) return readPage(html, known);
  const { mainContent } = await import('./webLibrary');
  const main = mainContent(slimHtml(html));
  const chosen = main && readPage(main.html, { ...known, title: known.title || main.title });
  if (chosen && characters(chosen) >= LEAST_TEXT) return chosen;
  const whole = readPage(html, known);
  return chosen && characters(chosen) >= characters(whole) ? chosen : whole;
}

/** A response → the page in it. @param fetchedAt ISO 8601 */
export async function readWebPage(response: WebResponse, fetchedAt: string): Promise<WebPage> {
  const { body, contentType, status, url, cut } = response;
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (status >= 400)
    return {
      kind: 'status',
      status,
      title: isBinary(body, contentType) ? '' : boundedTitle(headOf(decodeBody(body, contentType)).title),
    };
  if (type === 'application/pdf' || isPdf(body)) return { kind: 'unreadable', type: 'application/pdf' };
  if (isBinary(body, contentType) || (NO_TEXT.test(type) && !/xml|json/.test(type))) {
    return { kind: 'unreadable', type: /^text\/|^$/.test(type) ? 'application/octet-stream' : type };
  }
  const text = decodeBody(body, contentType);
  const path = new URL(url).pathname;
  const meta: PageMeta = {
    title: decodePercent(path.split('/').filter(Boolean).at(-1) ?? new URL(url).host),
    url,
    fetchedAt,
  };
  const page = (document: Document): WebPage => ({ kind: 'page', document, cut });
  const html = async (): Promise<WebPage> => {
    const sectionTitle = headingAt(text, decodePercent(new URL(url).hash.slice(1)));
    return { ...page(await readHtml(text, meta)), ...(sectionTitle === undefined ? {} : { sectionTitle }) };
  };
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(type)) return html();
  if (/[+/]json$/.test(type)) return page(readJson(text, meta));
  if (/^text\/(?:x-)?markdown$/.test(type) || /\.(?:md|markdown|txt)$/i.test(path))
    return page(readPlainText(text, meta));
  if (SOURCE.test(type)) return page(readSource(text, meta));
  if (
    type !== 'text/plain' &&
    /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 4000))
  )
    return html();
  return page(
    /\.(?:json|ya?ml|csv|tsv|[jt]sx?|py|sh|c|h|cpp|rs|go|java|css|xml|toml|ini|log)$/i.test(path)
      ? readSource(text, meta)
      : readPlainText(text, meta),
  );
}
