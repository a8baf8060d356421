import type { Language } from '../agent/event';
import type { UnavailableReason } from '../knowledge/source';

export interface PageTexts {
  redirected(from: string): string;
  toSection(title: string): string;
  goesOn(cut: number): string;
  shortPage: string;
  emptyPage: string;
  sections(titles: string, more: number): string;
  size(sentences: number, sections: number): string;
  alternatives(titles: string): string;
  missing(query: string, similar: boolean): string;
  suggestion(title: string): string;
  useTitle: string;
  otherWords: string;
  senses(title: string): string;
  moreSenses(count: number): string;
  useSense: string;
  quote(title: string): string;
  join: string;
  colon: string;
  unavailable: Record<UnavailableReason, (place: string, detail: string) => string>;
  noConclusion: string;
}

/** What is said about pages, and about those that were not found. */
export const PAGE_TEXTS: Record<Language, PageTexts> = {
  en: {
    redirected: (from) => ` (redirected from “${from}”)`,
    toSection: (title) => `, section “${title}”`,
    goesOn: (cut) => `(Cut here: ${cut} more ${cut === 1 ? 'sentence' : 'sentences'} in this part; Section reads on.)`,
    shortPage: 'This page is short; that is all of it.',
    emptyPage: 'This page has no text.',
    sections: (titles, more) => `Sections: ${titles}${more > 0 ? ` and ${more} more` : ''}.`,
    size: (sentences, sections) =>
      `${sentences} ${sentences === 1 ? 'sentence' : 'sentences'}, ${sections} ${sections === 1 ? 'section' : 'sections'}; Lookup finds words in all of them.`,
    alternatives: (titles) => `Other pages with a similar name: ${titles}.`,
    missing: (query, similar) =>
      similar
        ? `Could not find “${query}”. Similar pages, by exact title:`
        : `Could not find “${query}”, nor a similar page.`,
    suggestion: (title) => `Did you mean “${title}”?`,
    useTitle: 'Search one of these exact titles, or other words.',
    otherWords: 'Search the name of a person, place or thing, in fewer or other words.',
    senses: (title) => `“${title}” may refer to several pages, by exact title:`,
    moreSenses: (count) => `(Cut here: ${count} more; a more exact name leads to them.)`,
    useSense: 'Search the exact title of the one that is meant.',
    quote: (title) => `“${title}”`,
    join: '; ',
    colon: ': ',
    unavailable: {
      network: (place, detail) => `${place} could not be reached (${detail}).`,
      timeout: (place, detail) => `${place} did not answer within ${detail}.`,
      forbidden: (place, detail) => `${place} refuses this client (${detail}).`,
      unauthorized: (place, detail) => `${place} asks for a login (${detail}); its credentials belong in the settings.`,
      busy: (place, detail) => `${place} is busy or limits requests (${detail}). Trying again later may help.`,
      unreadable: (place, detail) => `${place} gave an answer that can't be read (${detail}).`,
      'no-wiki': (place) => `No MediaWiki was found at ${place}; its address belongs in the settings.`,
    },
    noConclusion: 'The search was not made: this says nothing about whether the page exists.',
  },
  'zh-CN': {
    redirected: (from) => `（由“${from}”重定向而来）`,
    toSection: (title) => `，“${title}”一节`,
    goesOn: (cut) => `（此处截断：本部分还有 ${cut} 句，可用 Section 继续阅读。）`,
    shortPage: '此页面很短，以上即全部内容。',
    emptyPage: '此页面没有正文。',
    sections: (titles, more) => `章节：${titles}${more > 0 ? `，另有 ${more} 节` : ''}。`,
    size: (sentences, sections) => `共 ${sentences} 句、${sections} 节；Lookup 可在全文中查找词语。`,
    alternatives: (titles) => `名称相近的其他页面：${titles}。`,
    missing: (query, similar) =>
      similar ? `找不到“${query}”。相近页面的准确标题：` : `找不到“${query}”，也没有相近的页面。`,
    suggestion: (title) => `是否想找“${title}”？`,
    useTitle: '请搜索以上某个准确标题，或换用其他词语。',
    otherWords: '请用更少或不同的词语，搜索人物、地点或事物的名称。',
    senses: (title) => `“${title}”可指多个页面，准确标题如下：`,
    moreSenses: (count) => `（此处截断：还有 ${count} 个，可用更准确的名称查找。）`,
    useSense: '请搜索所指页面的准确标题。',
    quote: (title) => `“${title}”`,
    join: '；',
    colon: '：',
    unavailable: {
      network: (place, detail) => `无法连接 ${place}（${detail}）。`,
      timeout: (place, detail) => `${place} 在 ${detail} 内没有响应。`,
      forbidden: (place, detail) => `${place} 拒绝了本程序的请求（${detail}）。`,
      unauthorized: (place, detail) => `${place} 需要登录（${detail}）；请在设置中填写凭据。`,
      busy: (place, detail) => `${place} 正忙或限制了请求（${detail}）。稍后重试或许可行。`,
      unreadable: (place, detail) => `${place} 返回的内容无法读取（${detail}）。`,
      'no-wiki': (place) => `在 ${place} 没有找到 MediaWiki；请在设置中检查地址。`,
    },
    noConclusion: '这次搜索没有完成，不能说明页面是否存在。',
  },
};
