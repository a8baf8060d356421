import assert from 'node:assert/strict';
import { normaliseEndpoint } from '../../src/llm/endpoint';
import { ENDPOINT_PRESETS } from '../../src/llm/presets';
import { redact } from '../../src/llm/redact';

const KEY = 'tp-Zq8vT3nL0pYw71RbXc5e';

describe('setting up an endpoint', () => {
  it('offers presets that are in order', () => {
    for (const preset of ENDPOINT_PRESETS) {
      assert.equal(normaliseEndpoint(preset.baseUrl)?.base, preset.baseUrl);
      assert.ok((preset.keyUrl === undefined) === (preset.localPort !== undefined), preset.id);
    }
  });

  it('takes keys out of texts in every form', () => {
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
    const begun = Date.now();
    redact('a'.repeat(200_000));
    assert.ok(Date.now() - begun < 5000, 'a long word of an error body');
    assert.equal(redact('GET /v1?api_key=abcdef12&model=m'), 'GET /v1?api_key=…&model=m');
    assert.equal(redact('The task-based model is not found.', KEY), 'The task-based model is not found.');
  });
});
