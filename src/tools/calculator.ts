import type { Language } from '../agent/event';
import type { Tool } from '../agent/tool';
import { plainArithmetic } from './calculatorNotation';

const LONGEST = 1000;
const DEEPEST = 60;

type Failure = import('./calculatorLibrary').Failure | 'empty' | 'long';

const FAILURES: Record<Language, Record<Failure, (detail: string) => string>> = {
  en: {
    empty: () => 'There is nothing to calculate.',
    long: () => `The expression is too long: at most ${LONGEST} characters.`,
    syntax: () => 'This is not arithmetic that can be read.',
    name: (detail) =>
      `The calculator does not know “${detail}”: no words, units, currencies or variables, only arithmetic.`,
    zero: () => 'Division by zero has no result.',
    large: () => 'The result is too large.',
    undefined: () => 'The result is not a real number.',
    deep: () => 'The expression is nested too deep.',
    arguments: (detail) => `“${detail}” has the wrong number of arguments or a wrong one.`,
  },
  'zh-CN': {
    empty: () => '没有可计算的内容。',
    long: () => `算式过长：最多 ${LONGEST} 个字符。`,
    syntax: () => '无法读懂这个算式。',
    name: (detail) => `计算器不认识“${detail}”：不支持文字、单位、货币或变量，只支持算术。`,
    zero: () => '除数为零，没有结果。',
    large: () => '结果过大。',
    undefined: () => '结果不是实数。',
    deep: () => '算式嵌套过深。',
    arguments: (detail) => `“${detail}”的参数个数或参数值不正确。`,
  },
};

const EXAMPLE: Record<Language, string> = {
  en: ' An example of what works: (1815 + 37) * 2 / 3, or 20% of 250.',
  'zh-CN': '可用写法示例：(1815 + 37) * 2 / 3，或 250 的 20%。',
};

/** Failures of the arithmetic, not of the notation: an example would not help. */
const PLAIN: ReadonlySet<Failure> = new Set(['zero', 'large', 'undefined']);

function nesting(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (/[([{（]/.test(character)) deepest = Math.max(deepest, ++depth);
    else if (/[)\]}）]/.test(character)) depth--;
  }
  return deepest;
}

/** Exact arithmetic; its library is loaded when it is first used. */
export function calculatorTool(): Tool {
  return {
    name: 'Calculator',
    aliases: ['calc', 'calculate', 'compute', 'math', 'arithmetic', '计算器', '计算'],
    argument: 'expression',
    description: {
      en: 'exact arithmetic: + - * / ^ %, round, sqrt, min, max, log.',
      'zh-CN': '精确计算：+ - * / ^ %、round、sqrt、min、max、log。',
    },
    example: { en: '(1852 - 1815) * 12', 'zh-CN': '(1852 - 1815) * 12' },
    async run(input, { language }, signal) {
      const fail = (failure: Failure, detail = '') => ({
        text: FAILURES[language][failure](detail) + (PLAIN.has(failure) ? '' : EXAMPLE[language]),
        ok: false,
      });
      if (nesting(input) > DEEPEST) return fail('deep');
      if (input.length > LONGEST) return fail('long');
      const expression = plainArithmetic(input);
      if (expression === '') return fail('empty');
      const { calculate, CalculatorError } = await import('./calculatorLibrary');
      signal.throwIfAborted();
      try {
        const { text, isRounded } = calculate(expression);
        const shown = input.replace(/[\s=?？]+$/, '').trim();
        return { text: `${shown} ${isRounded ? '≈' : '='} ${text}` };
      } catch (error) {
        if (error instanceof CalculatorError) return fail(error.failure, error.detail);
        throw error;
      }
    },
  };
}
