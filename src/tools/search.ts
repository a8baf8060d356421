import type { Language } from '../agent/event';
import type { Tool } from '../agent/tool';
import type { ToolDependencies } from './dependencies';
import { explainUnavailable, present } from './openPage';

const EMPTY: Record<Language, string> = {
  en: 'Search needs the name of a person, place or thing between the brackets.',
  'zh-CN': 'Search 的方括号里需要填写人物、地点或事物的名称。',
};

/** Finds the page of an entity and opens it. */
export function searchTool({ source, reader }: ToolDependencies): Tool {
  const request = (input: string) => `search ${input.trim()}`;
  return {
    name: 'Search',
    aliases: ['wikipedia', 'wiki', 'wiki search', 'search wikipedia', 'web search', 'search page', '搜索'],
    argument: 'entity',
    description: {
      en: 'opens the page of that name and shows its beginning, or names similar pages.',
      'zh-CN': '打开该名称对应的页面并显示开头；找不到时列出相近的标题。',
    },
    example: { en: 'Ada Lovelace', 'zh-CN': '长城' },
    opensPage: true,
    reopen: (input) => reader.reopen(request(input)),
    async run(input, { language }, signal) {
      if (input.trim() === '') return { text: EMPTY[language], ok: false };
      try {
        const resolution = await source.resolve(input, { language }, signal);
        return present(input.trim(), resolution, request(input), reader, language);
      } catch (error) {
        return explainUnavailable(error, language);
      }
    },
  };
}
