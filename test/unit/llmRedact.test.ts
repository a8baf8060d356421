import assert from 'node:assert/strict';
import { redact } from '../../src/llm/redact';

describe('a key in base64', () => {
  const encoded = (text: string, as: 'base64' | 'base64url') => Buffer.from(text).toString(as);

  for (const key of ['tp-Zq8vT3nL0pYw71RbXc5e', 'abcd', 'Kéy~wörd-9?>']) {
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
    assert.equal(redact(text, 'tp-Zq8vT3nL0pYw71RbXc5e'), text);
  });
});
