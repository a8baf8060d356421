import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plain } from '../../src/host/plain';

/** What VS Code takes for a link in the text of a notification. */
const LINKED = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('A text from elsewhere in a notification', () => {
  it('holds no link that runs a command', () => {
    for (const text of [
      'Answered: [see here](command:workbench.action.terminal.new)',
      '[[a]](command:workbench.action.quit "title")',
      '[a](file:///etc/passwd)[b](https://evil.example/?q=1)',
      '[x]]](command:y)',
    ]) {
      assert.doesNotMatch(plain(text), LINKED);
      assert.doesNotMatch(plain(plain(text)), LINKED);
    }
    assert.match('[[a]](command:workbench.action.quit "title") [b](command:c)', LINKED, 'the pattern finds such links');
  });

  it('stays as it is otherwise', () => {
    const text = 'Array [1] (one), f(x)[0] and https://example.org/a_(b)';
    assert.equal(plain(text), text);
  });
});
