import { load } from 'cheerio/slim';
import { limitDepth } from '../../src/knowledge/depth';
import { readPage } from '../../src/knowledge/page';

const n = 50000;
const h = '<table class=infobox><tr><th>a<td>b'.repeat(n);
let t = performance.now();
const l = limitDepth(h);
console.log('limit', performance.now() - t, l.length);
t = performance.now();
load(l);
console.log('load', performance.now() - t);
t = performance.now();
const d = readPage(h, { title: '', url: 'u', fetchedAt: 't', language: 'en' });
console.log(
  'read',
  performance.now() - t,
  d.sentences.map((s) => s.text.length),
);
