import assert from 'node:assert/strict';
import fastCheck from 'fast-check';
import {
  cleanTitle,
  editDistance,
  foldTitle,
  nearestTitle,
  sameTitle,
  splitFragment,
  titleForms,
} from '../../src/knowledge/titles';

describe('titles', () => {
  it('are freed of addresses, URL form, quotes and brackets', () => {
    const cases: [string, string][] = [
      ['https://en.wikipedia.org/wiki/New_York_City', 'New York City'],
      ['https://zh.wikipedia.org/zh-cn/%E9%95%BF%E5%9F%8E', '长城'],
      ['https://wiki.example/index.php?title=C%2B%2B&action=view', 'C++'],
      ['New_York%20City', 'New York City'],
      ['100%', '100%'],
      ['5%ab', '5%ab'],
      ['%E0%A4%A', '%E0%A4%A'],
      [' “Heroes” ', 'Heroes'],
      ['《红楼梦》', '红楼梦'],
      ['[[Ada Lovelace|Ada]]', 'Ada Lovelace'],
      ['**Bold**', 'Bold'],
      ['Portal (video game)', 'Portal (video game)'],
      ['"A" or "B"', '"A" or "B"'],
      ['(I Can’t Get No) Satisfaction', '(I Can’t Get No) Satisfaction'],
    ];
    for (const [input, expected] of cases) assert.equal(cleanTitle(input), expected, input);
  });

  it('compare by what people mean', () => {
    const same: [string, string][] = [
      ['the dark tower 2017 film', 'The Dark Tower (2017 film)'],
      ['Zurich', 'Zürich'],
      ['Lovelace, Ada', 'Ada Lovelace'],
      ['阿达·洛芙莱斯', '阿达洛芙莱斯'],
      ['Ｃ＋＋', 'C++'],
      ['Lodz', 'Łódź'],
      ['rock n roll', "Rock 'n' Roll"],
      ['C♯', 'C#'],
    ];
    const other: [string, string][] = [
      ['C', 'C++'],
      ['C#', 'C++'],
      ['AT&T', 'ATT'],
      ['東京タワー', '大阪タワー'],
      ['Apollo 11', 'Apollo 12'],
      ['किताब', 'कतब'],
      ['!!!', '???'],
      ['ガス', 'カス'],
    ];
    for (const [one, two] of same) assert.ok(sameTitle(one, two), `${one} = ${two}`);
    for (const [one, two] of other) assert.ok(!sameTitle(one, two), `${one} ≠ ${two}`);
  });

  it('are freed of what nobody sees, and of the mark that defuses', () => {
    for (const input of [
      'Gl\u200bass\u00ad bees',
      '\u202aGlass bees\u202c',
      '\ufeffGlass bees',
      '¦ Glass bees',
      '\ud800Glass bees',
    ]) {
      assert.equal(cleanTitle(input), 'Glass bees');
    }
    assert.equal(cleanTitle('می\u200cخواهم'), 'می\u200cخواهم', 'a joiner is a letter of its script');
  });

  it('split a section off, but not the sharp of a language', () => {
    assert.deepEqual(splitFragment('London#History'), { page: 'London', fragment: 'History' });
    for (const title of ['C#', 'F# (language)', '#1', 'Plain']) assert.deepEqual(splitFragment(title), { page: title });
  });

  it('keep the query first among the spellings, and only what a title may hold', () => {
    assert.equal(titleForms('eBay')[0], 'eBay');
    assert.ok(titleForms('lord of the rings').includes('Lord of the Rings'));
    assert.ok(titleForms('C#').includes('C Sharp (programming language)'));
    fastCheck.assert(
      fastCheck.property(fastCheck.string({ unit: 'grapheme' }), (text) => {
        for (const form of titleForms(text)) assert.doesNotMatch(form, /[<>[\]{}|#]|^$/);
        assert.equal(foldTitle(foldTitle(text)), foldTitle(foldTitle(foldTitle(text))));
      }),
    );
  });

  it('are taken for a slip of the pen only when one is nearest and no number differs', () => {
    assert.equal(editDistance('elecrticity', 'electricity'), 1);
    assert.equal(nearestTitle('Elecrticity', ['Electricity', 'Electrician']), 'Electricity');
    assert.equal(nearestTitle('Apollo 13', ['Apollo 12']), undefined);
    assert.equal(nearestTitle('Mark', ['Mary', 'Mars']), undefined);
    assert.equal(nearestTitle('Lumpability', ['Lump']), undefined);
    assert.equal(nearestTitle('cat', ['bat']), undefined);
  });
});
