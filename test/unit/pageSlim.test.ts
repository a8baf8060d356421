import assert from 'node:assert/strict';
import { load } from 'cheerio/slim';
import fc from 'fast-check';
import { readBlocks } from '../../src/knowledge/blocks';
import { slimHtml } from '../../src/knowledge/slim';

const read = (html: string) => readBlocks(load(html).root()[0]!);

describe('Slimming a page before it is parsed', () => {
  it('leaves out comments, scripts, references and boxes of links', () => {
    const html =
      '<p>One</p><!-- <p>no</p> --><script>"<ol>"</script><ol class="x references y"><li>No<ol><li>no</ol></ol><p>Two</p><div class=navbox><table><tr><td>no</table></div>';
    assert.equal(slimHtml(html).replace(/\s+/g, ''), '<p>One</p><p>Two</p>');
  });

  it('keeps a page without them as it is', () => {
    const html = '<ul class="preferences"><li title="a > b" data-x=\'class="navbox"\'>A<br>B</ul><p>C';
    assert.equal(slimHtml(html), html);
  });

  it('never nests deeper than 512, and keeps the text', () => {
    const slim = slimHtml('<div title="></div>">a<b>'.repeat(2000));
    assert.ok(slim.match(/<(?:div|b)\b/g)!.length <= 512);
    assert.equal(load(slim).root().text().replace(/\s/g, ''), 'a'.repeat(2000));
  });

  it('changes nothing of what is read, for any markup', () => {
    const piece = fc.constantFrom(
      ...[
        '<ol class="references">',
        '</ol>',
        '<div class="navbox">',
        '</div>',
        '<div>',
        '<p>',
        '</p>',
        '<li>',
        '</li>',
        '<ul>',
        '</ul>',
      ],
      ...[
        '<!-- x -->',
        '<script>"</p>"</script>',
        '<style>p{}</style>',
        '<b>',
        '</b>',
        '<table class="navbox">',
        '<table>',
        '<tr>',
        '<td>',
        '</table>',
      ],
      ...[
        'One. ',
        'two ',
        '<br>',
        '<img src="x">',
        '<svg><path/></svg>',
        '<h2>t</h2>',
        '<div title="</div>">',
        '<pre>',
        '</pre>',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = pieces.join('');
        const flat = (text: string) => JSON.stringify(read(text)).replace(/\s|\\n/g, '');
        assert.equal(flat(slimHtml(html)), flat(html));
      }),
      { numRuns: 2000 },
    );
  });
});
