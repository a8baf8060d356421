import { readFileSync, writeFileSync } from 'node:fs';
import { readPage } from '../../src/knowledge/page';

const dir = '/work/shared/data/pages/';
const names = ['wikipedia', 'wikipedia-2', 'wikipedia-3', 'wikipedia-4'];
const pages = names.map((n) => readFileSync(dir + n + '.html', 'utf8'));
const mb = pages.reduce((a, b) => a + b.length, 0) / 1e6;
const meta = { title: '', url: 'u', fetchedAt: 't', language: 'en' };
for (let r = 0; r < 15; r++) {
  const t = performance.now();
  for (const [i, p] of pages.entries()) {
    const t1 = performance.now();
    const d = readPage(p, meta);
    if (r === 0) {
      console.log(names[i], performance.now() - t1, d.sections.length, d.sentences.length);
      writeFileSync(
        '/tmp/p/' + names[i] + '.txt',
        JSON.stringify(d.alternatives) +
          '\n' +
          d.sections
            .map(
              (s) =>
                '#'.repeat(s.level) +
                ' ' +
                s.title +
                '\n' +
                d.sentences
                  .slice(s.start, s.end)
                  .map((x) => (x.starts ? '>' : ' ') + (x.kind ?? '') + ' ' + x.text)
                  .join('\n'),
            )
            .join('\n'),
      );
    }
  }
  console.log('ms/MB', ((performance.now() - t) / mb).toFixed(1));
}
for (const n of [100000])
  for (const h of [
    '<div>'.repeat(n) + 'x' + '</div>'.repeat(n),
    '<div>'.repeat(n) + '</b>'.repeat(n),
    '<p><span>'.repeat(n),
    '<li><td>'.repeat(n),
    '<table><tr><td>'.repeat(n),
    '<ul><li>a'.repeat(n),
    '<'.repeat(n * 5),
    '<a '.repeat(n),
    '<dl><dt>a<dd>'.repeat(n),
    '<a b="'.repeat(n),
    '<math><mi>'.repeat(n),
    '<table class=infobox><tr><th>a<td>b'.repeat(n / 2),
    '<table class=wikitable><tr><th>a<td>b'.repeat(n / 2),
    '<table><tr><td rowspan=65000 colspan=1000>aaaaaaaaaaaaaaaaaa' + '<tr>'.repeat(n),
    '<!--'.repeat(n),
    '(a. '.repeat(n),
    '<p>' + '&amp;'.repeat(n),
    '<svg><![CDATA['.repeat(n),
    '<h2>x'.repeat(n),
    '<div role=note>'.repeat(n),
    '<div id=mw-content-text>'.repeat(n),
  ]) {
    const t = performance.now();
    const d = readPage(h, meta);
    console.log(h.slice(0, 12), performance.now() - t, d.sentences.length, d.sections.length);
  }
