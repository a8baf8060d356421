import assert from 'node:assert/strict';
import { redact } from '../../src/llm/redact';
import { cpuTime } from '../support/cpuTime';

const KEY = 'tp-Zq8vT3nL0pYw71RbXc5e';

describe('a key', () => {
  it('is taken out of texts in every form', () => {
    const forms = [
      KEY,
      encodeURIComponent(`${KEY}`),
      Buffer.from(KEY).toString('base64'),
      `Bearer ${KEY}`,
      `"${KEY.slice(0, 14)}…"`,
      `ends in ${KEY.slice(-9)}`,
    ];
    for (const form of forms) assert.ok(!redact(`The key ${form} is wrong.`, KEY).includes(form), form);
    assert.equal(redact('key sk-live-abcdef123456 and sk-abc***xyz'), 'key … and …');
    assert.equal(redact('was sk-abc***xyz, ***tail and he******ad'), 'was …, … and …');
    assert.equal(redact('GET /v1?api_key=abcdef12&model=m'), 'GET /v1?api_key=…&model=m');
    assert.equal(redact('The task-based model is not found.', KEY), 'The task-based model is not found.');
  });

  it('is looked for in a long word in little time', () => {
    const took = cpuTime();
    redact('a'.repeat(200_000), KEY);
    assert.ok(took() < 5000, `${took()} ms`);
  });
});

describe('a key in base64', () => {
  const encoded = (text: string, as: 'base64' | 'base64url') => Buffer.from(text).toString(as);

  for (const key of [KEY, 'abcd', 'Kéy~wörd-9?>']) {
    it(`is taken out, also without padding, in the other alphabet, and after a user’s name: ${key}`, () => {
      for (const as of ['base64', 'base64url'] as const) {
        for (const before of ['', 'a', 'ab', 'user:']) {
          for (const after of ['', 'x', 'xy']) {
            const word = encoded(before + key + after, as);
            for (const form of [word, word.replace(/=/g, ''), `Zm${word}`]) {
              assert.equal(redact(`token=<${form}> is wrong`, key), 'token=<…> is wrong', form);
            }
          }
        }
      }
    });
  }

  it('is not seen where there is none', () => {
    const text = `The id ${encoded('something else', 'base64')} of deepseek-ai/DeepSeek-R1 at a/b-c_d== is fine.`;
    assert.equal(redact(text, KEY), text);
  });
});
