import type { Language } from '../agent/event';
import type { Tool } from '../agent/tool';
import { NpmPackages } from '../knowledge/npmPackages';
import type { ToolDependencies } from './dependencies';
import { explainUnavailable, present } from './openPage';

const EMPTY: Record<Language, string> = {
  en: 'Npm needs the name of a package between the brackets.',
  'zh-CN': 'Npm 的方括号里需要填写软件包名称。',
};

/** Opens what the npm registry tells of a package. */
export function npmTool({ reader, packages = new NpmPackages() }: ToolDependencies): Tool {
  const request = (input: string) => `npm ${input.trim()}`;
  return {
    name: 'Npm',
    aliases: ['npm package', 'npm search', 'npm info', 'package'],
    argument: 'package',
    description: {
      en: 'opens a package of the npm registry: version, licence, readme.',
      'zh-CN': '打开 npm 软件包：版本、许可证、说明。',
    },
    example: { en: 'minisearch', 'zh-CN': 'minisearch' },
    opensPage: true,
    reopen: (input) => reader.reopen(request(input)),
    async run(input, { language }, signal) {
      if (input.trim() === '') return { text: EMPTY[language], ok: false };
      try {
        const resolution = await packages.resolve(input, { language }, signal);
        return present(input.trim(), resolution, request(input), reader, language);
      } catch (error) {
        return explainUnavailable(error, language);
      }
    },
  };
}
