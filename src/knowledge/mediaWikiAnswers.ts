import { foldTitle, sameTitle } from './titles';

/** `action=parse`, format version 2: https://www.mediawiki.org/wiki/API:Parsing_wikitext */
export interface Parsed {
  title: string;
  revid?: number;
  text: string;
  displaytitle?: string;
  redirects?: { from: string; to: string; tofragment?: string }[];
  properties?: Record<string, unknown>;
}

/** `action=query` with titles, list=search and list=prefixsearch. */
export interface Found {
  query?: {
    normalized?: { from: string; to: string }[];
    converted?: { from: string; to: string }[];
    redirects?: { from: string; to: string }[];
    pages?: { title: string; missing?: boolean; invalid?: boolean; description?: string; extract?: string }[];
    search?: { title: string; snippet?: string; redirecttitle?: string }[];
    prefixsearch?: { ns?: number; title: string }[];
    allpages?: { title: string }[];
    searchinfo?: { suggestion?: string };
  };
}

/** The first of the spellings that the wiki has a page for. */
export function existingForm(forms: readonly string[], { query = {} }: Found): string | undefined {
  const step = (moves: { from: string; to: string }[] | undefined, title: string) =>
    moves?.find(({ from }) => from === title)?.to ?? title;
  return forms
    .map((form) => step(query.converted, step(query.normalized, form)))
    .find((title) => {
      const target = query.redirects?.find(({ from }) => from === title)?.to ?? title;
      return query.pages?.some((page) => page.title === target && !page.missing && !page.invalid);
    });
}

/** A title found by searching that is the query in another spelling. */
export function sameAmong(wanted: string, { query = {} }: Found): string | undefined {
  const searched = query.search ?? [];
  const titles = [...(query.prefixsearch ?? []), ...searched].map(({ title }) => title);
  return (
    titles.find((title) => sameTitle(title, wanted)) ??
    searched.find(({ redirecttitle }) => redirecttitle !== undefined && sameTitle(redirecttitle, wanted))?.redirecttitle
  );
}

/**
 * Titles that begin with the query, then pages that hold its words. The query's own title is not among them: it was tried
 * (a redirect to nowhere); special pages are made by the server and hold no article.
 */
export function similarTitles(wanted: string, { query = {} }: Found): string[] {
  const begin = foldTitle(wanted);
  const prefixed = (query.prefixsearch ?? []).filter(({ ns = 0 }) => ns >= 0).map(({ title }) => title);
  const titles = [
    ...prefixed.filter((title) => foldTitle(title).startsWith(begin)).slice(0, 3),
    ...(query.search ?? []).map(({ title }) => title),
    ...prefixed,
  ];
  return [...new Set(titles)].filter((title) => !sameTitle(title, wanted));
}
