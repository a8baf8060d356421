import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readPage } from '../../src/knowledge/page';
import { showSentences } from '../../src/knowledge/show';

const meta = { title: 'Verin', url: 'https://wiki.example/Verin', fetchedAt: '2026-01-02T03:04:05.000Z' };
const page = readPage(
  '<p>One. Two.</p><p>Three:</p><ul><li>a</li><li>b</li></ul><h2>More</h2><p>Four. Five.</p>',
  meta,
);
const all = { start: 0, end: page.sentences.length };

describe('Showing sentences', () => {
  it('keeps paragraphs, items and gaps visible', () => {
    const english = { language: 'en', maxCharacters: 500 } as const;
    assert.equal(showSentences(page, all, english).text, 'One. Two.\nThree:\n• a\n• b\nFour. Five.');
    assert.equal(showSentences(page, [0, 3, 6], english).text, 'One.\n…\n• a\n…\nFive.');
    assert.deepEqual(showSentences(page, [], english), { text: '', spans: [], cut: 0 });
    const chinese = readPage('<p>一。二。</p>', { ...meta, language: 'zh-CN' });
    assert.equal(
      showSentences(chinese, { start: 0, end: 2 }, { language: 'zh-CN', maxCharacters: 99 }).text,
      '一。二。',
    );
  });

  it('sets sentences apart as their script does, not as their quotes do', () => {
    const told = (html: string, language: string) => {
      const document = readPage(`<p>${html}</p>`, { ...meta, language });
      return showSentences(
        document,
        { start: 0, end: document.sentences.length },
        { language: 'en', maxCharacters: 999 },
      );
    };
    for (const text of ['一。二！“三？”四。', '他是谁？她说：“走吧。”她走了。', '東京は都市だ。「はい。」人が多い。']) {
      assert.equal(told(text, 'zh').text, text);
      assert.equal(told(text.replace(/(?<=[。！？])(?=[^”」])/g, ' '), 'zh').text, text);
    }
    for (const text of ['One. “Two.” Three (four). Five… Six.', '成立于 1990 年 (U.S.). It grew. 它在加州。']) {
      assert.equal(told(text, 'en').text, text);
    }
  });

  it('shows whole sentences up to its bound, and says how many it left out', () => {
    const shown = showSentences(page, all, { language: 'en', maxCharacters: 12 });
    assert.deepEqual([shown.text, shown.cut], ['One. Two.', 5]);
    const long = readPage(`<p>${'word '.repeat(200)}</p>`, meta);
    const shortened = showSentences(long, [0], { language: 'en', maxCharacters: 100 });
    assert.ok(shortened.text.length <= 100 && shortened.text.endsWith('(sentence shortened)'));
  });

  it('says where each sentence stands', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(8), { maxLength: 10 }),
        fc.integer({ min: 30, max: 200 }),
        (indexes, maxCharacters) => {
          const { text, spans, cut } = showSentences(page, indexes, { language: 'en', maxCharacters });
          assert.ok(text.length <= maxCharacters);
          for (const { index, start, end } of spans) assert.equal(text.slice(start, end), page.sentences[index]!.text);
          assert.equal(spans.length + cut, indexes.filter((index) => index < page.sentences.length).length);
        },
      ),
    );
  });
});
