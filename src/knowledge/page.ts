import { createHash } from 'node:crypto';
import { load } from 'cheerio/slim';
import type { Document, Section, Sentence } from '../agent/document';
import { splitSentences } from './sentences';

/** Where a page came from. `language` is a BCP 47 tag. */
export interface PageMeta {
  title: string;
  url: string;
  revision?: string;
  fetchedAt: string;
  language?: string;
}

/** SHA-256 of the sentences joined by newlines, hex. */
export function hashOf(sentences: readonly Sentence[]): string {
  return createHash('sha256')
    .update(sentences.map((sentence) => sentence.text).join('\n'))
    .digest('hex');
}

/** HTML of a page → Document: sections and numbered sentences. */
export function readPage(html: string, meta: PageMeta): Document {
  const $ = load(html);
  $('style,script,sup.reference,.navbox,.hatnote,.mw-editsection').remove();
  const sections: Section[] = [{ title: '', level: 1, start: 0, end: 0 }];
  const sentences: Sentence[] = [];
  $('h2,h3,h4,p,li').each((_, element) => {
    const text = $(element).text().replace(/\s+/g, ' ').trim();
    if (element.tagName.startsWith('h')) {
      sections.push({ title: text, level: Number(element.tagName[1]), start: sentences.length, end: sentences.length });
      return;
    }
    for (const [at, sentence] of splitSentences(text, meta.language).entries()) {
      sentences.push({
        index: sentences.length,
        text: sentence,
        section: sections.length - 1,
        ...(element.tagName === 'li' ? { kind: 'item' } : {}),
        ...(at === 0 ? { starts: true } : {}),
      });
    }
    sections.at(-1)!.end = sentences.length;
  });
  return { ...meta, hash: hashOf(sentences), sections, sentences };
}

/** The senses that a disambiguation page lists, by its structure: a list item that begins with a link, or names one. */
export function disambiguationSenses(html: string): { title: string; description: string }[] {
  const $ = load(html);
  return $('li:has(a[title])')
    .toArray()
    .map((item) => ({
      title: $(item).find('a[title]').first().attr('title') ?? '',
      description: $(item).text().replace(/\s+/g, ' ').trim(),
    }));
}

/** True for a page built like a disambiguation page: for wikis that do not mark them with a page property. */
export function looksLikeDisambiguation(html: string): boolean {
  return /class="[^"]*\b(?:dmbox|disambig|disambiguation)\b/.test(html);
}
