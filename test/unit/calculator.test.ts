import 'tsx/esm'; // The calculator imports its library when it is first used; tsx/cjs alone sees only what is required.
import assert from 'node:assert/strict';
import fastCheck from 'fast-check';
import type { Language } from '../../src/agent/event';
import { calculatorTool } from '../../src/tools/calculator';

const calculator = calculatorTool();
const run = (input: string, language: Language = 'en') =>
  calculator.run(input, { language, question: '' }, new AbortController().signal);
/** What stands after the last = or ≈. */
const result = async (input: string) => /[=≈] (\S+)$/.exec((await run(input)).text)?.[1];

describe('Calculator', () => {
  const sums: [input: string, expected: string][] = [
    ['0.1 + 0.2', '0.3'],
    ['1.1 * 1.1', '1.21'],
    ['(1852 - 1815) * 12', '444'],
    ['2^100', '1267650600228229401496703205376'],
    ['25!', '15511210043330985984000000'],
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['2**10', '1024'],
    ['0x10 + 1', '17'],
    ['20 x 10', '200'],
    ['10x3', '30'],
    ['average(1, 2, 6)', '3'],
    ['7 mod 3', '1'],
    ['-7 mod 3', '2'],
    ['10 % 4', '2'],
    ['20% of 250', '50'],
    ['200 + 10%', '220'],
    ['15 percent of 80', '12'],
    ['250的20%', '50'],
    ['round(2.71828, 3)', '2.718'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(1234, -2)', '1200'],
    ['sqrt(2)^2', '2'],
    ['sqrt 144', '12'],
    ['square root of 81', '9'],
    ['√16', '4'],
    ['abs(-3) + floor(2.7) + ceil(2.1)', '8'],
    ['min(3, 1, 2) + max(3, 1, 2)', '4'],
    ['log(8, 2)', '3'],
    ['log10(1000)', '3'],
    ['mean(1, 2, 6)', '3'],
    ['5 × 6 ÷ 4 − 2，000', '-1992.5'],
    ['１２＋（３４）', '46'],
    ['1,234,567.5 * 2', '2469135'],
    ['1 000 000 / 8', '125000'],
    ['max(1,200)', '200'],
    ['max(1,000, 2,000)', '2000'],
    ['5²', '25'],
    ['3 x 4', '12'],
    ['$5.50 * 2', '11'],
    ['2.5 million / 5', '500000'],
    ['3亿5000万 除以 2', '175000000'],
    ['12 加 8 乘以 2 等于多少？', '28'],
    ['9的平方根', '3'],
    ['7的平方', '49'],
    ['what is 6 times 7?', '42'],
    ['12 + 30 =', '42'],
    ['123456789012345678 + 0.5', '123456789012345678.5'],
  ];
  for (const [input, expected] of sums)
    it(`${input} → ${expected}`, async () => assert.equal(await result(input), expected));

  it('says when a result is rounded', async () => {
    assert.equal((await run('1 / 3')).text, '1 / 3 ≈ 0.333333333333333');
    assert.equal((await run('1 / 4')).text, '1 / 4 = 0.25');
    assert.match((await run('pi * 2')).text, /≈ 6\.28318530717959$/);
    assert.match((await run('170!')).text, /≈ 7\.257415615308e\+306$/);
  });

  const failures: [input: string, expected: RegExp][] = [
    ['', /nothing to calculate/],
    ['=?', /nothing to calculate/],
    ['1/0', /^Division by zero/],
    ['5 mod 0', /^Division by zero/],
    ['0^-1', /^Division by zero/],
    ['29^11^7', /too large/],
    ['9^9^9^9', /too large/],
    ['100000!', /too large/],
    ['1e999 * 1e999', /too large/],
    ['sqrt(-4)', /not a real number/],
    ['Infinity', /too large/],
    ['NaN', /not a real number/],
    ['log(0)', /not a real number|too large/],
    ['10000 KES to USD', /no words, units, currencies/],
    ['12F in Celsius', /no words, units, currencies/],
    ['5 cm + 2 inch', /“cm”|“inch”/],
    ['how old was she in 1843', /An example of what works/],
    ['2 +', /not arithmetic that can be read/],
    ['round()', /wrong number of arguments/],
    ['1 + 1; 2 + 2', /does not know/],
    ['x = 3', /does not know/],
    ['f(x) = x', /does not know/],
    ['[1, 2, 3]', /does not know/],
    ['{a: 1}', /does not know/],
    ['3 > 2', /does not know “>”/],
    ['"text"', /does not know/],
    ['true', /does not know/],
    ['import("fs")', /does not know “import”/],
    ['cos.constructor("return 1")()', /does not know|can be read/],
    ['constructor', /does not know “constructor”/],
    ['evaluate("1+1")', /does not know “(?:evaluate|1\+1)”/],
    ['1'.repeat(5000), /too long/],
    [`${'('.repeat(10_000)}1${')'.repeat(10_000)}`, /nested too deep/],
    ['-'.repeat(900) + '1'.repeat(3), /nested too deep|= 111/],
  ];
  for (const [input, expected] of failures) {
    it(`refuses ${input.slice(0, 30) || 'nothing'}`, async () => {
      const { text, ok } = await run(input);
      if (ok !== undefined) assert.equal(ok, false);
      assert.match(text, expected);
    });
  }

  it('explains itself in Chinese', async () => {
    assert.equal((await run('1/0', 'zh-CN')).text, '除数为零，没有结果。');
    assert.match((await run('100 美元换算', 'zh-CN')).text, /可用写法示例/);
  });

  it('always answers, quickly, whatever it is given', async () => {
    const piece = fastCheck.constantFrom(...'0123456789.+-*/^%!(),= xe万的', 'sqrt', 'round', 'of', 'pi', '**', '，');
    await fastCheck.assert(
      fastCheck.asyncProperty(fastCheck.array(piece, { maxLength: 40 }), async (pieces) => {
        const { text } = await run(pieces.join(''));
        assert.ok(text.length > 0 && text.length < 2000);
        assert.doesNotMatch(text, /NaN|Infinity|undefined|\[object/);
      }),
      { numRuns: 300 },
    );
  });
});
