import type { Language } from './event';

/** The pattern an observation's hint is about. */
export type LoopPattern =
  | 'syntax'
  | 'withdrawn'
  | 'growing'
  | 'recursion'
  | 'cycle'
  | 'variation'
  | 'thought'
  | 'misses'
  | 'monologue'
  | 'unreadable';

interface LoopWords {
  searchTitle(tool: string, title: string): string;
  searchShorter(tool: string, title: string): string;
  lookUp(tool: string, word: string, page: string): string;
  finish: string;
  moves(moves: readonly string[]): string;
  again(tool: string, argument: string, step: number, reason: string): string;
  /** Why running it again can't help. */
  same: string;
  samePage: string;
  refused: string;
  reopened: string;
  earlier(text: string): string;
  rest(step: number): string;
  ends: string;
  withdrawn(tool: string): string;
  asked(tool: string): string;
  hint(pattern: LoopPattern, count: number, tool: string): string;
  syntax(tool: string, argument: string, example: string): string;
  notice(pattern: LoopPattern, count: number, tool: string): string;
  noticeAgain(tool: string, argument: string, step: number): string;
  noticeEnds(reason: string): string;
}

/** What the guard says, to the model in prose that can't be read as an action, and to the person in one sentence. */
export const loopWords: Record<Language, LoopWords> = {
  en: {
    searchTitle: (tool, title) => `use ${tool} with the exact title ${title}`,
    searchShorter: (tool, title) => `use ${tool} with the shorter title ${title}`,
    lookUp: (tool, word, page) => `use ${tool} to find the word ${word} on the open page ${page}`,
    finish: 'finish with what is known so far, or say that it was not found',
    moves: (moves) => `Other moves from here: ${moves.join('; ')}.`,
    again: (tool, argument, step, reason) =>
      `${tool} with ${argument} was already used in step ${step}, so it was not run again: ${reason}`,
    same: 'the same input gives the same result.',
    samePage: 'it found nothing then, and no other page was opened since.',
    refused: 'the person did not allow it.',
    reopened: 'Its page is the open page again.',
    earlier: (text) => `The result was: ${text}`,
    rest: (step) => `… (the rest stands in the observation of step ${step})`,
    ends: 'The run now goes to its final answer, from what was observed so far.',
    withdrawn: (tool) => `${tool} failed three times and is not offered any more in this run.`,
    asked: (tool) =>
      `The whole question, or a rewording of it, was handed to a tool three times. ${tool} was not run: a tool knows pages and single facts, it does not answer the question itself.`,
    hint: (pattern, count, tool) =>
      ({
        syntax: '',
        withdrawn: `${tool} has now failed ${count} times and is not offered any more in this run.`,
        growing: `The last ${count} inputs of ${tool} only got longer, and all of them missed. A short exact title is more likely to exist.`,
        recursion: `This input is the question itself in other words. A tool knows pages and single facts: one name out of the question is a better input.`,
        cycle: 'The last actions go round in a circle and bring the same results again.',
        variation: `The last ${count} inputs of ${tool} are almost the same and brought nothing new. Another small change will not either.`,
        thought: `The thought has been the same for ${count} steps and nothing new was observed. What is missing has to be looked for elsewhere.`,
        misses: `${count} actions in a row found nothing. Going on in this way rarely leads to the answer: a clearly different move is needed.`,
        monologue: '',
        unreadable: '',
      })[pattern],
    syntax: (tool, argument, example) =>
      `${tool} takes one ${argument || 'input'} between its brackets, for example “${example}”.`,
    notice: (pattern, count, tool) =>
      ({
        syntax: `${tool} failed ${count} times; the agent was shown its syntax.`,
        withdrawn: `${tool} failed ${count} times and is not offered any more.`,
        growing: `The queries only get longer and miss (${count} in a row).`,
        recursion: 'The agent hands its own question to a tool again.',
        cycle: 'The actions go round in a circle.',
        variation: `${count} almost equal inputs of ${tool} brought nothing new.`,
        thought: `The same thought for ${count} steps, and nothing new.`,
        misses: `${count} actions in a row found nothing.`,
        monologue: `The agent wrote the same text ${count} times without an action.`,
        unreadable: `${count} replies in a row had no usable action.`,
      })[pattern],
    noticeAgain: (tool, argument, step) => `${tool} with ${argument} repeats step ${step}; it was not run again.`,
    noticeEnds: (reason) => `${reason} The run goes to its final answer.`,
  },
  'zh-CN': {
    searchTitle: (tool, title) => `用 ${tool} 搜索准确标题${title}`,
    searchShorter: (tool, title) => `用 ${tool} 搜索更短的标题${title}`,
    lookUp: (tool, word, page) => `用 ${tool} 在当前页面${page}中查找${word}`,
    finish: '根据已知内容给出答案，或说明没有找到',
    moves: (moves) => `接下来可以：${moves.join('；')}。`,
    again: (tool, argument, step, reason) => `第 ${step} 步已经用 ${tool} 试过${argument}，因此没有再次执行：${reason}`,
    same: '同样的输入只会得到同样的结果。',
    samePage: '当时没有找到内容，此后也没有打开别的页面。',
    refused: '用户没有允许这一操作。',
    reopened: '该页面已重新成为当前页面。',
    earlier: (text) => `当时的结果是：${text}`,
    rest: (step) => `……（其余内容见第 ${step} 步的观察）`,
    ends: '运行到此为止，接下来根据已观察到的内容给出最终答案。',
    withdrawn: (tool) => `${tool} 已经失败三次，本次运行不再提供。`,
    asked: (tool) =>
      `整个问题或它的改写已经三次交给工具。${tool} 没有执行：工具只知道页面和单个事实，不会直接回答问题。`,
    hint: (pattern, count, tool) =>
      ({
        syntax: '',
        withdrawn: `${tool} 已经失败 ${count} 次，本次运行不再提供。`,
        growing: `最近 ${count} 次 ${tool} 的输入越来越长，却都没有找到。简短而准确的标题更可能存在。`,
        recursion: '这个输入只是换了说法的原问题。工具只知道页面和单个事实，用问题中的一个名称作输入更合适。',
        cycle: '最近的行动在原地打转，得到的结果也相同。',
        variation: `最近 ${count} 次 ${tool} 的输入几乎相同，没有带来新内容。再稍作改动也不会有用。`,
        thought: `连续 ${count} 步的思考都一样，也没有观察到新内容。缺少的信息需要到别处去找。`,
        misses: `连续 ${count} 次行动都没有找到内容。照这样继续很难得到答案，需要换一种明显不同的做法。`,
        monologue: '',
        unreadable: '',
      })[pattern],
    syntax: (tool, argument, example) => `${tool} 的方括号里只写一个输入（${argument || '输入'}），例如“${example}”。`,
    notice: (pattern, count, tool) =>
      ({
        syntax: `${tool} 失败了 ${count} 次，已向智能体说明用法。`,
        withdrawn: `${tool} 失败了 ${count} 次，不再提供。`,
        growing: `查询越来越长却都落空（连续 ${count} 次）。`,
        recursion: '智能体又把问题本身交给了工具。',
        cycle: '行动在原地打转。',
        variation: `${tool} 连续 ${count} 次几乎相同的输入没有带来新内容。`,
        thought: `连续 ${count} 步思考相同，没有新内容。`,
        misses: `连续 ${count} 次行动没有找到内容。`,
        monologue: `智能体 ${count} 次写出同样的文字，却没有行动。`,
        unreadable: `连续 ${count} 次回复没有可用的行动。`,
      })[pattern],
    noticeAgain: (tool, argument, step) => `${tool}（${argument}）与第 ${step} 步重复，没有再次执行。`,
    noticeEnds: (reason) => `${reason}运行转入最终回答。`,
  },
};

const QUOTED_LENGTH = 80;

/** What the model or a page wrote, in quotes, on one line, without the brackets and calls that could make it read as an action. */
export function quote(text: string): string {
  const line = text
    .replace(/[[\]【】［］]/g, ' ')
    .replace(/(?<=\w)[(（]/g, ' (')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return `“${characters.length > QUOTED_LENGTH ? `${characters.slice(0, QUOTED_LENGTH).join('')}…` : line}”`;
}
