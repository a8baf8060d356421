import assert from 'node:assert/strict';
import { UserError } from '../../src/agent/errors';
import { normaliseEndpoint, validateEndpoint, withScheme } from '../../src/llm/endpoint';
import { ENDPOINT_PRESETS, presetName } from '../../src/llm/presets';
import { collect, openaiAt } from '../support/ask';

const KEY = 'sk-proj-Zq8vT3nL0pYw71RbXc5e';

describe('what is entered for an endpoint', () => {
  const check = (entered: Parameters<typeof validateEndpoint>[0]) =>
    validateEndpoint({ baseUrl: 'https://api.example.com/v1', model: 'm', ...entered }).map(
      ({ severity, field }) => `${severity} ${field}`,
    );

  it('is checked before anything is sent', () => {
    assert.deepEqual(check({ key: KEY }), []);
    assert.deepEqual(check({ baseUrl: '' }), ['error baseUrl']);
    assert.deepEqual(check({ baseUrl: 'not a url' }), ['error baseUrl']);
    assert.deepEqual(check({ baseUrl: 'ftp://example.com' }), ['error baseUrl']);
    assert.deepEqual(check({ baseUrl: 'https://user:secret@example.com/v1' }), ['error baseUrl']);
    assert.deepEqual(check({ model: ' ' }), ['error model']);
    assert.deepEqual(check({ key: 'sk-abc def' }), ['error key']);
    assert.deepEqual(check({ key: 'sk-abcdef\n' }), ['error key']);
    assert.deepEqual(check({ key: 'Bearer sk-abcdef' }), ['error key']);
    assert.deepEqual(check({ key: 'sk-“abcdef”' }), ['error key']);
    for (const host of [
      '127.0.0.1:8080',
      'localhost:11434',
      '192.168.0.7',
      '10.1.2.3',
      '[::1]:8080',
      'gpu-box',
      'gpu.local',
      '100.100.1.1',
    ]) {
      assert.deepEqual(check({ baseUrl: `http://${host}/v1`, key: KEY }), [], host);
    }
    assert.deepEqual(check({ baseUrl: 'http://api.example.com/v1', key: KEY }), ['warning baseUrl']);
    assert.deepEqual(check({ baseUrl: 'http://api.example.com/v1' }), []);
  });

  it('is mended where a mistake is plain', () => {
    assert.equal(validateEndpoint({ baseUrl: 'api.example.com/v1', model: 'm' })[0]?.fix, 'https://api.example.com/v1');
    assert.equal(validateEndpoint({ baseUrl: 'localhost:11434', model: 'm' })[0]?.fix, 'http://localhost:11434');
  });

  it('gets the scheme that was left out: encrypted wherever it leaves the own network', () => {
    for (const [typed, whole] of [
      ['localhost:1234', 'http://localhost:1234'],
      [' gpu-box:8080/v1 ', 'http://gpu-box:8080/v1'],
      ['[::1]:8080/v1', 'http://[::1]:8080/v1'],
      ['api.openai.com', 'https://api.openai.com'],
      ['gateway.example.com/v1?api-version=1', 'https://gateway.example.com/v1?api-version=1'],
      ['http://api.example.com/v1', 'http://api.example.com/v1'],
      ['ftp://example.com', 'ftp://example.com'],
      ['user:secret@example.com', 'user:secret@example.com'],
      ['nonsense', 'nonsense'],
      ['', ''],
    ] as const) {
      assert.equal(withScheme(typed), whole);
    }
  });

  it('stops a question with a clear message, and no request', async () => {
    const { error } = await collect(openaiAt('http://127.0.0.1:9/v1', { key: 'two words' }));
    assert.ok(error instanceof UserError);
    assert.match(error.message, /space or a line break/);
    assert.equal(error.action, 'set-key');
  });

  it('never shows a key that was pasted in the wrong place', () => {
    const [problem] = validateEndpoint({ baseUrl: KEY, model: 'm', key: KEY });
    assert.ok(!JSON.stringify(problem).includes(KEY));
  });
});

describe('presets of endpoints', () => {
  it('are called by one name in one language', () => {
    const names = (language: 'en' | 'zh-CN') => ENDPOINT_PRESETS.map((preset) => presetName(preset, language));
    for (const name of names('en')) assert.doesNotMatch(name, /\p{Script=Han}/u);
    for (const name of names('zh-CN')) assert.doesNotMatch(name, /, |Singapore/);
    assert.equal(new Set(names('zh-CN')).size, ENDPOINT_PRESETS.length);
  });

  it('are in the form that requests need, each with the page for its key or its port', () => {
    for (const preset of ENDPOINT_PRESETS) {
      assert.equal(normaliseEndpoint(preset.baseUrl)?.base, preset.baseUrl);
      assert.ok((preset.keyUrl === undefined) === (preset.localPort !== undefined), preset.id);
    }
  });
});
