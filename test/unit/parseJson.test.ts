import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readTolerantJson } from '../../src/agent/tolerantJson';

const value = (text: string) => readTolerantJson(text)?.value;

describe('tolerant JSON', () => {
  it('reads strict JSON as JSON.parse does, and says that nothing was repaired', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))),
        fc.constantFrom(undefined, 2),
        (data, indent) => {
          const text = JSON.stringify(data, null, indent);
          const read = readTolerantJson(text);
          assert.deepEqual(read?.value, JSON.parse(text));
          assert.equal(read?.end, text.length);
          assert.equal(read?.repaired, false);
        },
      ),
    );
  });

  it('reads Python and JavaScript literals, comments, spare commas', () => {
    assert.deepEqual(value("{'a': True, 'b': None, 'c': [1, 2,],}"), { a: true, b: null, c: [1, 2] });
    assert.deepEqual(value('{a: 1, // one\n /* two */ b: "x"} and more'), { a: 1, b: 'x' });
    assert.deepEqual(value('{“问题”：“长城”，“数”：3}'), { 问题: '长城', 数: 3 });
    assert.deepEqual(value('{"a": """two\nlines"""}'), { a: 'two\nlines' });
    assert.deepEqual(value('{"a": unquoted words}'), { a: 'unquoted words' });
    assert.equal(readTolerantJson("{'a': 1} rest")?.end, 8);
  });

  it('reads unescaped quotes, real line breaks and a missing end', () => {
    assert.deepEqual(value('{"a": "he said "no" twice", "b": 1}'), { a: 'he said "no" twice', b: 1 });
    assert.deepEqual(value('{"a": "one\ntwo"}'), { a: 'one\ntwo' });
    assert.deepEqual(value('{"a": {"b": "c'), { a: { b: 'c' } });
    assert.deepEqual(value('{"a": "tab\\t \\u76d0 \\"q\\""}'), { a: 'tab\t 盐 "q"' });
  });

  it('takes keys that an object inherits as keys of its own', () => {
    const read = value('{"__proto__": {"admin": true}, "constructor": 1}') as object;
    assert.deepEqual(Object.keys(read), ['__proto__', 'constructor']);
    assert.equal((read as { admin?: boolean }).admin, undefined);
  });

  it('reads nothing where no object or list begins, and never throws', () => {
    for (const text of ['', 'text', '"string"', '3', '{ no colon here', `${'['.repeat(100_000)}`])
      assert.equal(value(text), undefined);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]":,\'\\ \n#/*a1“”'.split('')), maxLength: 60 }),
        (text) => void readTolerantJson(text),
      ),
    );
  });
});
