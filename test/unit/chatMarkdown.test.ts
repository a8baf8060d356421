import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { chatLink, chatMarkdown, chatText } from '../../src/host/chatMarkdown';

/** As VS Code's chat reads it, but with everything switched on: what stays harmless here does so there. */
const reader = new MarkdownIt({ html: true, linkify: false });

/** Types of the tokens at any depth that load something, lead somewhere or are HTML. */
function active(markdown: string): string[] {
  const found: string[] = [];
  const walk = (tokens: ReturnType<typeof reader.parse>) => {
    for (const token of tokens) {
      if (/^(?:link_open|image|html_inline|html_block)$/.test(token.type)) found.push(token.type);
      if (token.children) walk(token.children);
    }
  };
  walk(reader.parse(markdown, {}));
  return found;
}

const shown = (markdown: string) =>
  reader
    .render(markdown)
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim();

describe('An answer as Markdown for the chat', () => {
  it('keeps emphasis, lists, tables and code', () => {
    const answer =
      '**Two** ways:\n\n- `vec![0]`\n- ~~three~~\n\n```ts\nlet a: Map<string, number[]>;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |';
    const html = reader.render(chatMarkdown(answer));
    for (const part of [
      '<strong>Two</strong>',
      '<li>',
      '<code>vec![0]</code>',
      'Map&lt;string, number[]&gt;',
      '<td>2</td>',
    ]) {
      assert.ok(html.includes(part), `${part} — ${html}`);
    }
  });

  it('shows links, images, HTML, entities and dollars as they are written', () => {
    for (const answer of [
      'see ![x](https://host.example/p.png?q=SECRET) there',
      '[run](command:workbench.action.terminal.new)',
      '[a][r] and\n\n[r]: javascript:alert(1)',
      '<https://host.example> and <img src=x onerror=alert(1)>',
      'Vec<T>, &lt; and &#91;',
      'from $4 to $6',
      'C:\\new\\[x]',
    ]) {
      assert.deepEqual(active(chatMarkdown(answer)), [], answer);
      assert.equal(shown(chatMarkdown(answer)), answer.replace('\n\n', '\n'), answer);
    }
  });

  it('closes a fence that was never closed, and takes one around another', () => {
    const open = `${chatMarkdown('```js\nlet a = 1;\n![x](http://h.example)')}\n\nSources`;
    assert.match(reader.render(open), /<p>Sources<\/p>/);
    const nested = chatMarkdown('````md\n```js\nx\n```\n````\nafter');
    assert.match(reader.render(nested), /```js\nx\n```\n<\/code><\/pre>\s*<p>after/);
  });

  it('lets nothing out of a code span that a table cuts in two', () => {
    const table = '| a | b |\n|---|---|\n| `x | ![y](http://h.example)` | c |';
    assert.deepEqual(active(chatMarkdown(table)), []);
  });

  it('leaves nothing active in any text', () => {
    const piece = fc.constantFrom(
      '`',
      '``',
      '```',
      '~~~',
      '![',
      '[',
      ']',
      '](',
      '(http://h.example)',
      '<img src=x>',
      '<b>',
      '\\',
      '|',
      '\n',
      '\n\n',
      '    ',
      '\t',
      '> ',
      '- ',
      '1. ',
      '# ',
      '[r]: http://h.example',
      '&#33;',
      '$',
      '|---|\n',
      'word',
      ' ',
      '*',
      '_',
      '---\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const markdown = chatMarkdown(pieces.join(''));
        assert.deepEqual(active(markdown), [], JSON.stringify(markdown));
      }),
      { numRuns: 3000 },
    );
  });

  it('makes links of its own that lead where they say', () => {
    const link = chatLink('A [tricky](x) *title* <b>', 'https://en.wikipedia.org/wiki/Mercury_(planet)');
    const html = reader.render(link);
    assert.match(html, /href="https:\/\/en\.wikipedia\.org\/wiki\/Mercury_%28planet%29"/);
    assert.ok(html.includes('A [tricky](x) *title* &lt;b&gt;'), html);
    assert.equal(shown(chatText('a|b\n- c')), 'a|b - c');
  });
});
