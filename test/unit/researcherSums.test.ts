import assert from 'node:assert/strict';
import { arithmeticOf } from '../../src/llm/researcher/arithmetic';

/** Question, and the expression that the Calculator is given. */
const PLAIN: [string, string][] = [
  ['What is 12 times 12', '12 times 12'],
  ['what is 17% of 2,450', '17% of 2,450'],
  ['What is 25 percent of 640', '25 percent of 640'],
  ['(12.5 - 2) * 4e2 / 3', '(12.5 - 2) * 4e2 / 3'],
  ['2.5E-3+1', '2.5E-3+1'],
  ['What is 6e23 times 2', '6e23 times 2'],
  ['Calculate (3.5 + 4.5) * 12', '(3.5 + 4.5) * 12'],
  ['What is the sum of 45 and 55', '45 + 55'],
  ['What is the square root of 144', 'the square root of 144'],
  ['What is seven plus five', '7 plus 5'],
  ['3 的平方加 4', '3 的平方加 4'],
  ['一百二十加三十五等于多少', '120加35'],
  ['请计算 15 乘以 24 再加 6', '15 乘以 24 加 6'],
];
/** Question, the fact it is about, and what is done with a value of 10. */
const OVER_FACTS: [string, string, string][] = [
  ['What is the population of China in 2024 times 2', 'the population of China in 2024', '10 * 2'],
  ['What is half the height of the Eiffel Tower', 'the height of the Eiffel Tower', '10 / 2'],
  ['Multiply the height of K2 by 3', 'the height of K2', '10 * 3'],
  ['What is 10% of the height of K2', 'the height of K2', '10 * 10 / 100'],
  ['2024 年中国人口乘以 2 是多少', '2024 年中国人口', '10 * 2'],
  ['中国2024年人口的一半是多少', '中国2024年人口', '10 / 2'],
  ['珠穆朗玛峰高度的两倍是多少', '珠穆朗玛峰高度', '10 * 2'],
  ['乔戈里峰的高度加 100 米是多少', '乔戈里峰的高度', '10 + 100'],
];
const NONE = [
  'Who designed the Analytical Engine',
  'When was HTTP/2 published',
  'How tall is K2',
  '谁发明了万维网',
  '2019-05-01',
  'What is E3',
];

describe('arithmetic in a question', () => {
  for (const [question, expression] of PLAIN) {
    it(question, () => assert.equal(arithmeticOf(question), expression));
  }
  for (const [question, fact, expression] of OVER_FACTS) {
    it(question, () => {
      const sum = arithmeticOf(question);
      assert(typeof sum === 'object');
      assert.equal(sum.fact, fact);
      assert.equal(sum.apply('10'), expression);
    });
  }
  it('is seen only where it is', () => {
    for (const question of NONE) assert.equal(arithmeticOf(question), undefined, question);
  });
});
