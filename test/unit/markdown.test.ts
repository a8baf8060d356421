import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import { cpuTime } from '../support/cpuTime';

// Not an import: the view's code is checked against a browser's types, the tests against Node's.
const { markdown } = require('../../src/webview/markdown') as {
  markdown(source: string, parts: { openLink(url: string): void; imageLabel(alternative: string): string }): Node;
};
type Node = object;
interface Page {
  document: {
    createElement(tag: string): { append(node: Node): void; innerHTML: string };
    body: { textContent: string };
    querySelector(selector: string): unknown;
  };
}
const parsePage = (html: string) => parseHTML(`<html><body>${html}</body></html>`) as unknown as Page & object;

const opened: string[] = [];

/** The rendered answer as markup, to look at what became an element and what stayed text. */
function html(source: string): string {
  const page = parsePage('');
  const { document } = page;
  Object.assign(globalThis, { document, HTMLElement: (page as { HTMLElement?: unknown }).HTMLElement });
  const root = document.createElement('div');
  root.append(
    markdown(source, {
      openLink: (url) => opened.push(url),
      imageLabel: (alternative) => `[image: ${alternative}]`,
    }),
  );
  return root.innerHTML;
}

describe('Markdown of an answer', () => {
  after(() => {
    for (const name of ['document', 'HTMLElement']) delete (globalThis as Record<string, unknown>)[name];
  });

  it('renders what people write', () => {
    assert.equal(
      html('The **Engine** was *planned*.'),
      '<p dir="auto">The <strong>Engine</strong> was <em>planned</em>.</p>',
    );
    assert.match(html('1. one\n2. two'), /<ol><li dir="auto">one<\/li><li dir="auto">two<\/li><\/ol>/);
    assert.match(html('3. three'), /<ol start="3">/);
    assert.match(html('# Title'), /<h3 dir="auto">Title<\/h3>/);
  });

  it('shows HTML, generics and entities as they were written', () => {
    for (const text of [
      'Vec<T> and <COMPANY>Adobe</COMPANY>',
      '<details>hidden?</details>',
      'a<br>b',
      '</script><script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      'an entity &lt; and &amp;amp;',
    ]) {
      const root = parsePage(html(text)).document;
      assert.equal(root.body.textContent, text);
      assert.equal(root.querySelector('script, img, details, br'), null);
    }
  });

  it('makes links of web addresses only, and shows where a refused one would lead', () => {
    assert.match(html('[a](https://example.org/x)'), /<a [^>]*href="https:\/\/example.org\/x"[^>]*>a<\/a>/);
    assert.match(html('see https://example.org/x.'), /<a [^>]*href="https:\/\/example.org\/x"/);
    for (const bad of [
      'command:workbench.action.terminal.new',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'vscode://x/y',
      '//host/p.png',
      'data:text/html,x',
    ]) {
      const rendered = html(`[run](${bad})`);
      assert.doesNotMatch(rendered, /<a /, bad);
      assert.ok(rendered.includes(`run (${bad})`), rendered);
    }
    assert.doesNotMatch(html('example.org and a@example.org and //host/p.png and ftp://a.example/x'), /<a /);
  });

  it('ends an address before Chinese punctuation', () => {
    assert.match(
      html('见 https://zh.wikipedia.org/wiki/ReAct。然后'),
      /href="https:\/\/zh.wikipedia.org\/wiki\/ReAct"/,
    );
  });

  it('never loads an image', () => {
    const rendered = html('![secret](https://host.example/p.png?q=SECRET)');
    assert.doesNotMatch(rendered, /<img|src=/);
    assert.match(rendered, /\[image: secret\]/);
  });

  it('closes fences by the rule of CommonMark', () => {
    assert.match(
      html('````\n```js\nx\n```\n````\nafter'),
      /<code>```js\nx\n```\n<\/code><\/pre><p dir="auto">after<\/p>/,
    );
    assert.match(html('- a\n  ```\n  in\n  ```\n- b'), /<code>in\n<\/code><\/pre><\/li><li dir="auto">b/);
    assert.match(html('```\nnever closed'), /<pre[^>]*><code>never closed\n?<\/code><\/pre>$/);
  });

  it('leaves dollars in prose and keeps formulas whole', () => {
    assert.equal(html('from $4 to $6, $HOME and $PATH'), '<p dir="auto">from $4 to $6, $HOME and $PATH</p>');
    assert.match(html('so \\(x^2 * y * z\\) holds'), />\\\(x\^2 \* y \* z\\\)<\/code>/);
    assert.match(html('and $$\\int_0^1 a_1 b_1$$ too'), />\$\$\\int_0\^1 a_1 b_1\$\$<\/code>/);
    assert.match(html('is {\\displaystyle a_{1}*b*c_{2}} here'), />\{\\displaystyle a_\{1\}\*b\*c_\{2\}\}<\/code>/);
    assert.match(html('$$\na\n- b\n$$\n\nthen'), /<code>\$\$\na\n- b\n\$\$<\/code><\/pre><p dir="auto">then<\/p>/);
  });

  it('shows control characters and marks that reorder text', () => {
    assert.equal(html('a\u202Eb'), '<p dir="auto">a⟨U+202E⟩b</p>');
    assert.equal(html('a\ud800b'), '<p dir="auto">a\ufffdb</p>');
    assert.match(html('a\u0007b'), /a␇b/);
  });

  it('gives a wide table a box of its own that a keyboard can scroll', () => {
    assert.match(html('|a|b|\n|-|-|\n|1|2|'), /<div [^>]*tabindex="0"[^>]*class="scroll-box"><table>/);
  });

  it('takes a long answer full of marks in good time', () => {
    const took = cpuTime();
    html('*_[`<$'.repeat(3_000));
    assert.ok(took() < 3_000);
  });
});
