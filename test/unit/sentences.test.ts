import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { splitSentences } from '../../src/knowledge/sentences';
import { cpuTime } from '../support/cpuTime';

interface HardCase {
  language: string;
  separator?: string;
  sentences: string[];
}

const cases: HardCase[] = JSON.parse(readFileSync(path.join(__dirname, '../fixtures/sentences.json'), 'utf8'));
const withoutSpace = (text: string) => text.replace(/\s+/g, '');

describe('Splitting sentences', () => {
  it('is exactly right on 98 % of the hard cases', () => {
    const wrong: string[] = [];
    for (const { language, separator, sentences } of cases) {
      const text = sentences.join(separator ?? (/^(?:zh|ja)/.test(language) ? '' : ' '));
      const got = splitSentences(text, language);
      if (got.join('\n') !== sentences.join('\n')) wrong.push(got.join(' ¦ '));
    }
    assert.ok(cases.length >= 120);
    assert.ok(wrong.length <= cases.length * 0.02, `${wrong.length} of ${cases.length} wrong:\n${wrong.join('\n')}`);
  });

  it('neither loses nor repeats text, on any input', () => {
    const pieces = fc.constantFrom(
      ...'.!?…。！？；"“”‘’「」『』()（）《》[] \n'.split(''),
      ...['Dr', 'U.S', 'a', 'J', 'The', 'x1', '3', '北京', 'é', '😀', '\ud83d', '\u00a0', '\ufeff', '\n\n'],
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(pieces, { maxLength: 80 }).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(anything, fc.constantFrom(undefined, 'en', 'de', 'zh-CN'), (text, language) => {
        const sentences = splitSentences(text, language);
        assert.equal(withoutSpace(sentences.join(' ')), withoutSpace(text));
        for (const sentence of sentences) assert.equal(sentence, sentence.trim());
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time in proportion to the text, whatever it repeats', () => {
    for (const unit of ['(', '“', '。”', '. ', 'J. ', '" ', '…', '(a.) ', '“a。', '\n', ' ', '.”) ', '《a！']) {
      const took = cpuTime();
      splitSentences(unit.repeat(400_000 / unit.length));
      assert.ok(took() < 3000, `slow on ${JSON.stringify(unit)}`);
    }
  });
});
