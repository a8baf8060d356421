import type { Language } from '../agent/event';

/** The language of the terminal itself, by the locale of its environment: a run speaks its question's. */
export function terminalLanguage(env: NodeJS.ProcessEnv): Language {
  return /^zh/i.test(env.LC_ALL || env.LANG || '') ? 'zh-CN' : 'en';
}

export const USAGE: Record<Language, string> = {
  en: `Usage: react-agent ask "question" [options]

  --json               print the events as JSON Lines on stdout, nothing else there
  --base-url URL       an OpenAI-compatible endpoint; its key is read from OPENAI_API_KEY
  --model NAME         the model at that endpoint
  --provider ID        who answers; default: the built-in researcher (rules, no model), or openai with --base-url
  --wiki URL           root of a MediaWiki, or sample: for the sample wiki; default: Wikipedia
  --max-steps N        Thought/Action steps at most (default 8)
  --seconds N          seconds for the whole run (default 300)
  --language L         auto, en or zh-CN (default: the question's)
  --protocol P         auto, text or tools (default: auto)
  --trace FILE         write the trace there
  --help               this text

Exit code: 0 answered, 2 ended at a limit, 1 failed, 130 cancelled, 64 bad arguments.`,
  'zh-CN': `用法：react-agent ask "问题" [选项]

  --json               在标准输出上以 JSON Lines 打印事件，不打印其他内容
  --base-url URL       兼容 OpenAI 的服务的基础地址；密钥取自 OPENAI_API_KEY
  --model 名称         该服务上的模型
  --provider ID        由谁回答；默认为内置研究员（规则，无模型），给出 --base-url 时为 openai
  --wiki URL           MediaWiki 的根地址，或 sample:（示例百科）；默认为维基百科
  --max-steps N        最多几步 Thought/Action（默认 8）
  --seconds N          整个运行最多几秒（默认 300）
  --language L         auto、en 或 zh-CN（默认与问题相同）
  --protocol P         auto、text 或 tools（默认 auto）
  --trace 文件         把轨迹写入该文件
  --help               显示本说明

退出码：0 已回答，2 因达到上限而结束，1 失败，130 已取消，64 参数错误。`,
};

export interface ArgumentWords {
  /** Ends a sentence. */
  end: string;
  noCommand: string;
  noQuestion: string;
  unknownCommand: (name: string) => string;
  empty: (flag: string) => string;
  /** A flag that only a model at an endpoint has a use for. */
  noEndpoint: (flag: string) => string;
  number: (flag: string, whole: boolean, text: string) => string;
  oneOf: (flag: string, allowed: readonly string[], text: string) => string;
  /** An error of Node's own reader of arguments, by its code and its English message. */
  unread: (code: string | undefined, message: string) => string;
}

/** What can be wrong with the arguments. */
export const ARGUMENT_WORDS: Record<Language, ArgumentWords> = {
  en: {
    end: '.',
    noCommand: 'A command is missing',
    noQuestion: 'The question is empty',
    unknownCommand: (name) => `Unknown command “${name}”`,
    empty: (flag) => `${flag} is empty`,
    noEndpoint: (flag) =>
      `The built-in researcher takes no ${flag}; for a model at an endpoint give --base-url URL and --model NAME`,
    number: (flag, whole, text) => `${flag} takes a ${whole ? 'whole ' : ''}number above 0, not “${text}”`,
    oneOf: (flag, allowed, text) => `${flag} takes ${allowed.join(', ')}, not “${text}”`,
    unread: (_code, message) => message.split(/\.?\s*\n|\. /)[0] as string,
  },
  'zh-CN': {
    end: '。',
    noCommand: '缺少命令',
    noQuestion: '问题为空',
    unknownCommand: (name) => `未知命令“${name}”`,
    empty: (flag) => `${flag} 的值为空`,
    noEndpoint: (flag) => `内置研究员不使用 ${flag}；要使用某个服务上的模型，请给出 --base-url URL 和 --model 名称`,
    number: (flag, whole, text) => `${flag} 的值应为大于 0 的${whole ? '整' : ''}数，而不是“${text}”`,
    oneOf: (flag, allowed, text) => `${flag} 的值应为 ${allowed.join('、')} 之一，而不是“${text}”`,
    unread: (code, message) => {
      const option = /--?[\w-]+/.exec(message.replace(/^Option '-\w, /, ''))?.[0] ?? '';
      if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `未知选项 ${option}`;
      return /does not take/.test(message) ? `${option} 不带值` : `${option} 缺少值`;
    },
  },
};
