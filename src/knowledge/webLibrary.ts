import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

/** More elements than this are not worth the wait: the page is read by its structure alone. */
const MOST_ELEMENTS = 30_000;

/**
 * The main part of a page as HTML, without navigation, advertisements and comments; undefined where none stands out.
 * Loaded when a page needs it: the libraries are the heaviest of this project.
 */
export function mainContent(html: string): { title: string; html: string } | undefined {
  try {
    const { document } = parseHTML(html) as unknown as { document: ConstructorParameters<typeof Readability>[0] };
    const article = new Readability(document, { maxElemsToParse: MOST_ELEMENTS }).parse();
    return article?.content ? { title: article.title ?? '', html: article.content } : undefined;
  } catch {
    return undefined;
  }
}
