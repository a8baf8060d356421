import { join } from 'node:path';
import type { Document } from '../agent/document';
import type { Language } from '../agent/event';
import { SampleWiki } from '../knowledge/sampleWiki';

/** An article of the sample wiki by its exact title; undefined when there is none. */
export async function readSampleArticle(
  mediaFolder: string,
  title: string,
  language: Language,
): Promise<Document | undefined> {
  const others: Language[] = language === 'en' ? ['en', 'zh-CN'] : ['zh-CN', 'en'];
  for (const one of others) {
    const wiki = new SampleWiki(join(mediaFolder, 'sample-wiki'), one);
    const found = await wiki.resolve(title, { language: one }, new AbortController().signal);
    if (found.kind === 'page' && found.document.title === title) return found.document;
  }
  return undefined;
}
