import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type CheerioAPI, load } from 'cheerio/slim';

const folder = path.join(process.cwd(), 'media', 'sample-wiki');

interface Article {
  title: string;
  description: string;
  /** Alias → section title, '' for the whole article. */
  redirects: Map<string, string>;
  disambiguation: boolean;
  text: string;
  headings: string[];
  /** Sentences as the file sets them apart, one paragraph each entry. */
  paragraphs: string[];
}

interface Wiki {
  $: CheerioAPI;
  articles: Article[];
}

function read(language: 'en' | 'zh'): Wiki {
  const $ = load(readFileSync(path.join(folder, `${language}.html`), 'utf8'));
  const articles = $('article')
    .toArray()
    .map((element): Article => {
      const article = $(element);
      const redirects = (article.attr('data-redirects') ?? '').split('|').filter((entry) => entry !== '');
      return {
        title: article.attr('data-title') ?? '',
        description: article.attr('data-description') ?? '',
        redirects: new Map(
          redirects.map((entry) => entry.split('>') as [string, string?]).map(([a, s]) => [a, s ?? '']),
        ),
        disambiguation: article.attr('data-kind') === 'disambiguation',
        text: article.text(),
        headings: article
          .find('h2')
          .toArray()
          .map((heading) => $(heading).text()),
        paragraphs: article
          .find('p')
          .toArray()
          .map((paragraph) => $(paragraph).text()),
      };
    });
  return { $, articles };
}

/** The article of that title or redirect, as a Search would open it. */
function open(wiki: Wiki, name: string): Article {
  const found = wiki.articles.find((article) => article.title === name || article.redirects.has(name));
  assert.ok(found, `no article ${name}`);
  return found;
}

const wikis = { en: read('en'), zh: read('zh') };

for (const [language, least] of [
  ['en', 30],
  ['zh', 16],
] as const) {
  const wiki = wikis[language];
  const { $, articles } = wiki;

  describe(`sample wiki: ${language}.html`, () => {
    it('holds enough articles, each with a title of its own, a description and a lead that names it', () => {
      assert.ok(articles.length >= least, `${articles.length} articles`);
      assert.equal(new Set(articles.map((article) => article.title)).size, articles.length);
      for (const { title, description } of articles) {
        assert.notEqual(title.trim(), '');
        assert.notEqual(description.trim(), '', `description of ${title}`);
      }
      for (const element of $('article').toArray()) {
        const title = $(element).attr('data-title');
        const body = $(element).children('.mw-parser-output');
        assert.equal(body.length, 1, `body of ${title}`);
        assert.equal(body.children('p').first().find('b').length, 1, `bold name in the lead of ${title}`);
      }
    });

    it('redirects each alias to one article only, and to a section that exists', () => {
      const titles = new Set(articles.map((article) => article.title));
      const seen = new Set<string>();
      for (const article of articles) {
        for (const [alias, section] of article.redirects) {
          assert.ok(!titles.has(alias), `${alias} is both a title and a redirect`);
          assert.ok(!seen.has(alias), `${alias} redirects twice`);
          seen.add(alias);
          if (section !== '')
            assert.ok(article.headings.includes(section), `${article.title} has no section ${section}`);
        }
      }
      assert.ok([...articles].some((article) => [...article.redirects.values()].some((section) => section !== '')));
    });

    it('links only to its own articles, by title and address alike', () => {
      const links = $('a').toArray();
      assert.ok(links.length > articles.length);
      for (const link of links) {
        const title = $(link).attr('title') ?? '';
        open(wiki, title);
        const href = decodeURIComponent($(link).attr('href') ?? '');
        assert.equal(href, `/wiki/${title.replaceAll(' ', '_')}`);
      }
    });

    it('has a disambiguation page whose entries lead on, a table, a list, infoboxes and hatnotes', () => {
      const pages = $('article[data-kind="disambiguation"]');
      assert.ok(pages.length >= 1);
      for (const page of pages.toArray()) assert.ok($(page).find('li a').length >= 2);
      for (const table of $('table.wikitable').toArray()) {
        const widths = $(table)
          .find('tr')
          .toArray()
          .map((row) => $(row).children().length);
        assert.ok(widths.length > 5);
        assert.equal(new Set(widths).size, 1, 'every row has as many cells as the header');
      }
      assert.ok($('table.wikitable').length >= 1);
      assert.ok($('article:not([data-kind]) li').length >= 5);
      assert.ok($('table.infobox').length >= 10);
      assert.ok($('.hatnote a').length >= 3);
    });

    it('refers to nothing outside and runs nothing', () => {
      assert.equal($('[src], [style], img, script, style, iframe, link, object, form, input').length, 0);
      for (const element of $('*').toArray()) {
        for (const name of Object.keys('attribs' in element ? element.attribs : {}))
          assert.ok(!name.startsWith('on'), `${name} in ${$.html(element).slice(0, 80)}`);
      }
      assert.doesNotMatch(readFileSync(path.join(folder, `${language}.html`), 'utf8'), /https?:\/\//);
    });

    it('marks up plain text only: no wiki markup or replacement characters are left', () => {
      assert.doesNotMatch($('body').text(), /\[\[|\]\]|\*\*|¦|\uFFFD|::/);
    });
  });
}

describe('sample wiki: what the demonstration questions need', () => {
  it('answers a one-hop question in one sentence', () => {
    assert.match(open(wikis.en, 'Analytical Engine').text, /designed by the English mathematician Charles Babbage/);
    assert.match(open(wikis.en, 'ChatGPT').text, /It was developed by the company OpenAI\./);
    assert.match(open(wikis.zh, 'ChatGPT').text, /ChatGPT 由美国公司 OpenAI 开发。/);
  });

  it('spreads a two-hop question over two pages', () => {
    for (const [wiki, name, bridge, answer] of [
      [wikis.en, 'Harry Potter', 'J. K. Rowling', 'British'],
      [wikis.zh, '哈利·波特', 'J·K·罗琳', '英国'],
      [wikis.en, 'Tesla', 'Elon Musk', 'SpaceX'],
      [wikis.zh, '特斯拉', '埃隆·马斯克', 'SpaceX'],
    ] as const) {
      const first = open(wiki, name);
      assert.ok(first.text.includes(bridge));
      assert.ok(!first.text.includes(answer), `${name} gives ${answer} away`);
      assert.ok(open(wiki, bridge).text.includes(answer));
    }
  });

  it('states the population of China at the end of 2024 in one plain sentence', () => {
    const english = open(wikis.en, 'China').paragraphs.join(' ');
    assert.match(english, /At the end of 2024 the population of China was 1,408,280,000, according to the National/);
    const chinese = open(wikis.zh, '中国').paragraphs.join('');
    assert.match(chinese, /2024 年末中国人口为 140828 万人，也就是 1408280000 人。/);
  });

  it('keeps near-miss titles apart', () => {
    for (const title of ['Mercury (planet)', 'Mercury (element)', 'Mercury (mythology)'])
      assert.equal(open(wikis.en, title).title, title);
    assert.ok(open(wikis.en, 'Mercury').disambiguation);
    assert.ok(open(wikis.zh, '居里').disambiguation);
    assert.notEqual(open(wikis.en, 'Tesla').title, open(wikis.en, 'Nikola Tesla').title);
  });
});
