import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

/**
 * The main part of a page as HTML, without navigation, advertisements and comments; undefined where none stands out.
 * Slow on hostile markup: the caller bounds elements and depth. Loaded when a page needs it: the libraries are the heaviest of this project.
 */
export function mainContent(html: string): { title: string; html: string } | undefined {
  try {
    const { document } = parseHTML(html) as unknown as { document: ConstructorParameters<typeof Readability>[0] };
    const article = new Readability(document).parse();
    return article?.content ? { title: article.title ?? '', html: article.content } : undefined;
  } catch {
    return undefined;
  }
}
