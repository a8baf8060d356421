import assert from 'node:assert/strict';
import fc from 'fast-check';
import { guardFromWebview, webAddress } from '../../src/protocol';

describe('the guard for messages from the view', () => {
  it('takes each message as the view sends it', () => {
    const messages = [
      { type: 'ready' },
      { type: 'ask', id: 'a', question: '什么是 ReAct？' },
      { type: 'draft', draft: { text: 'half a', selectionStart: 4, selectionEnd: 4, time: 1_700_000_000_000 } },
      { type: 'load', run: 'r', from: 1, to: 10 },
      { type: 'load-raw', run: 'r', step: 3, whole: false },
      { type: 'find', id: 1, query: '' },
      { type: 'open-link', url: 'https://en.wikipedia.org/wiki/Ada_Lovelace' },
      { type: 'open-source', run: 'r', step: 2, sentence: 0 },
      { type: 'copy', what: 'curl', step: 2 },
      { type: 'control', action: 'note', text: 'try the other spelling' },
      { type: 'command', id: 'set-key' },
      { type: 'resume-run', note: 'look in 1843' },
      { type: 'more-steps' },
    ];
    for (const message of messages) assert.deepEqual(guardFromWebview(message), message);
  });

  it('refuses what no button of the view sends', () => {
    const messages = [
      null,
      'ready',
      { type: 'toString' },
      { type: 'ask', id: 'a', question: '  \n' },
      { type: 'ask', id: 'a', question: 'x'.repeat(4_000_001) },
      { type: 'draft', draft: { text: 'x', selectionStart: -1, selectionEnd: 0, time: 0 } },
      { type: 'load', run: 'r', from: 5, to: 4 },
      { type: 'load', run: 'r', from: 0.5, to: 4 },
      { type: 'open-link', url: 'command:workbench.action.terminal.new' },
      { type: 'open-link', url: 'javascript:alert(1)' },
      { type: 'open-link', url: 'file:///etc/passwd' },
      { type: 'open-link', url: '//host.example/p.png' },
      { type: 'control', action: 'allow' },
      { type: 'command', id: 'workbench.action.terminal.new' },
      { type: 'copy', what: 'key' },
    ];
    for (const message of messages)
      assert.equal(guardFromWebview(message), undefined, JSON.stringify(message)?.slice(0, 80));
  });

  it('drops fields that a message does not have', () => {
    assert.deepEqual(guardFromWebview({ type: 'stop', run: 'x', __proto__: { step: 1 } }), { type: 'stop' });
  });

  it('never throws, whatever comes', () => {
    const kinds = [
      'ready',
      'ask',
      'draft',
      'load',
      'load-raw',
      'find',
      'open-link',
      'open-source',
      'copy',
      'control',
      'resume-run',
    ];
    const anyMessage = fc.oneof(
      fc.anything(),
      fc.record({
        type: fc.constantFrom(...kinds),
        id: fc.anything(),
        run: fc.anything(),
        step: fc.anything(),
        url: fc.oneof(fc.webUrl(), fc.string(), fc.anything()),
        draft: fc.anything(),
        query: fc.anything(),
      }),
    );
    fc.assert(
      fc.property(anyMessage, (message) => {
        const guarded = guardFromWebview(message);
        if (guarded?.type === 'open-link') assert.match(guarded.url, /^https?:\/\//);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('web addresses', () => {
  it('are http or https and nothing else', () => {
    assert.equal(webAddress('HTTPS://Example.org/a b'), 'https://example.org/a%20b');
    for (const text of ['http://', 'ftp://a.b/', 'vscode://x/y', ' https://a.b', `https://a.b/${'x'.repeat(9000)}`]) {
      assert.equal(webAddress(text), undefined, text.slice(0, 40));
    }
  });
});
