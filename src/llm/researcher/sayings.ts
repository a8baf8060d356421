import type { Language } from '../../agent/event';

interface Verdict {
  answer: string;
  found: boolean;
}

interface Words {
  start(entity: string): string;
  another(title: string): string;
  sense(title: string): string;
  mentioned(title: string, entity: string): string;
  /** `tried`: words looked up on this page before, in order. */
  lookUp(keyword: string, title: string, tried: readonly string[]): string;
  lookUpMore(keyword: string): string;
  hop(sentence: string, name: string): string;
  compare(entity: string): string;
  calculate: string;
  calculateWith(sentence: string): string;
  done: string;
  giveUp: string;
  notFound(looked: readonly string[]): Verdict;
  noEntity: string;
  result(result: string, expression: string, sentence?: string): string;
  compared(winner: string, lines: readonly string[]): string;
  same(lines: readonly string[]): string;
  line(name: string, sentence: string): string;
}

const CONNECT = {
  en: 'A language model reads more freely than these rules: connect one in the settings of ReAct Agent and ask again.',
  'zh-CN': '语言模型的阅读能力比这些规则灵活：可以在 ReAct Agent 的设置中连接一个模型，然后再问一次。',
};

/** What the researcher says, in the question's language. None of it can be read as an action. */
export const WORDS: Record<Language, Words> = {
  en: {
    start: (entity) => `The question names “${entity}”. Its page is the place to begin.`,
    another: (title) => `There is no page of exactly that name; “${title}” in the list fits.`,
    sense: (title) => `The name has several meanings; “${title}” fits the question best of those not yet read.`,
    mentioned: (title, entity) => `There is no page about “${entity}”, but “${title}” may mention it.`,
    lookUp: (keyword, title, tried) =>
      [
        `What was shown of “${title}” does not settle it yet. The word “${keyword}” may lead to the sentence.`,
        `Nothing under “${tried.at(-1)}” answers it. Pages also put it as “${keyword}”.`,
        `Neither “${tried.join('” nor “')}” brought the answer, so “${keyword}” comes next.`,
        `One more attempt on this page: “${keyword}”.`,
      ][Math.min(tried.length, 3)]!,
    lookUpMore: (keyword) => `That sentence does not settle it. “${keyword}” stands in more places.`,
    hop: (sentence, name) => `“${sentence}” So the first part leads to ${name}, whose page comes next.`,
    compare: (entity) => `One of the two is known. Now the same for “${entity}”.`,
    calculate: 'The question is plain arithmetic, which the calculator does exactly.',
    calculateWith: (sentence) => `“${sentence}” gives the number; the rest is arithmetic.`,
    done: 'What was observed answers the question.',
    giveUp: 'Nothing that was read answers the question, and a guess would not be honest.',
    notFound: (looked) => ({
      found: false,
      answer: `No answer was found. ${looked.length > 0 ? `Looked at: ${looked.join(', ')}. ` : ''}${CONNECT.en}`,
    }),
    noEntity: 'no name to look for was recognised in the question',
    result: (result, expression, sentence) => `${result} (${expression}${sentence ? `; “${sentence}”` : ''})`,
    compared: (winner, lines) => `${winner} (${lines.join('; ')})`,
    same: (lines) => `They are the same (${lines.join('; ')})`,
    line: (name, sentence) => `${name}: ${sentence}`,
  },
  'zh-CN': {
    start: (entity) => `问题提到“${entity}”，先打开它的页面。`,
    another: (title) => `没有完全同名的页面；列表中的“${title}”相符。`,
    sense: (title) => `这个名称有多个含义；在尚未阅读的页面中，“${title}”与问题最相符。`,
    mentioned: (title, entity) => `没有关于“${entity}”的页面，但“${title}”可能提到它。`,
    lookUp: (keyword, title, tried) =>
      [
        `“${title}”已显示的内容还不足以回答，查找“${keyword}”也许能找到相应的句子。`,
        `“${tried.at(-1)}”之下没有答案，页面也可能写作“${keyword}”。`,
        `${tried.map((word) => `“${word}”`).join('、')}都没有带来答案，换成“${keyword}”。`,
        `在本页最后再试一次：“${keyword}”。`,
      ][Math.min(tried.length, 3)]!,
    lookUpMore: (keyword) => `这一句还不足以回答，“${keyword}”在别处也出现过。`,
    hop: (sentence, name) => `“${sentence}”由此得出第一部分的答案是${name}，接下来打开它的页面。`,
    compare: (entity) => `其中一个已经查到，接着以同样的方式查“${entity}”。`,
    calculate: '这是纯算术问题，用计算器可以得到准确结果。',
    calculateWith: (sentence) => `“${sentence}”给出了数值，剩下的是计算。`,
    done: '观察到的内容已经回答了问题。',
    giveUp: '读到的内容都不能回答这个问题，不应猜测。',
    notFound: (looked) => ({
      found: false,
      answer: `没有找到答案。${looked.length > 0 ? `查看过：${looked.join('、')}。` : ''}${CONNECT['zh-CN']}`,
    }),
    noEntity: '未能从问题中识别出要查找的名称',
    result: (result, expression, sentence) => `${result}（${expression}${sentence ? `；“${sentence}”` : ''}）`,
    compared: (winner, lines) => `${winner}（${lines.join('；')}）`,
    same: (lines) => `两者相同（${lines.join('；')}）`,
    line: (name, sentence) => `${name}：${sentence}`,
  },
};
