import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'cheerio/slim';
import { type Ending, type Question, type QuestionKind, score, summary } from '../questions/score';

const folder = path.join(process.cwd(), 'test', 'questions');
const questions = JSON.parse(readFileSync(path.join(folder, 'questions.json'), 'utf8')) as Question[];

const pages = (language: 'en' | 'zh') => load(readFileSync(path.join(folder, 'pages', `${language}.html`), 'utf8'));

const answered = (answer: string): Ending => ({ outcome: 'answered', answer });
const about = (kind: QuestionKind, accept: string[], reject?: string[]): Question => ({
  id: 'made up',
  language: 'en',
  question: '',
  kind,
  accept,
  ...(reject === undefined ? {} : { reject }),
});

describe('scoring an answer', () => {
  it('accepts a phrase inside a sentence, whatever its case, width and spacing', () => {
    assert.equal(score(about('one-hop', ['Ida Moss']), answered('It was painted by ida moss in 1910.')), 'right');
    assert.equal(score(about('one-hop', ['50分钟']), answered('全程约 ５０ 分钟。')), 'right');
    assert.equal(score(about('one-hop', ['12000']), answered('It has 12,000 seats.')), 'right');
    assert.equal(score(about('one-hop', ['486米']), answered('建于1951，486米长。')), 'right');
    assert.equal(score(about('one-hop', ['Ida Moss']), answered('It was painted by Ida Mossman.')), 'wrong');
  });

  it('takes numbers whole', () => {
    const question = about('arithmetic', ['84']);
    assert.equal(score(question, answered('The result is 84.')), 'right');
    for (const other of ['1984', '84.5', '0.84', '84,000', '840']) {
      assert.equal(score(question, answered(`The result is ${other}.`)), 'wrong', other);
    }
  });

  it('lets a rejected phrase outweigh an accepted one', () => {
    const question = about('one-hop', ['1881'], ['1968']);
    assert.equal(score(question, answered('Opened in 1881.')), 'right');
    assert.equal(score(question, answered('Opened in 1881 or in 1968.')), 'wrong');
  });

  it('reads the verdict of a comparison from its conclusion', () => {
    const question = about('comparison', ['Alder Hill'], ['Birch Hill']);
    assert.equal(score(question, answered('Alder Hill is higher than Birch Hill.')), 'right');
    assert.equal(score(question, answered('Birch Hill is higher than Alder Hill.')), 'wrong');
    assert.equal(
      score(question, answered('Birch Hill has 310 m, Alder Hill 420 m, so Alder Hill is higher.')),
      'right',
    );
    const chinese = about('comparison', ['青山'], ['白山']);
    assert.equal(score(chinese, answered('白山高310米，青山高420米，所以青山更高。')), 'right');
    assert.equal(score(chinese, answered('白山更高。')), 'wrong');
  });

  it('tells an honest "not found" from a claim and from a run that broke off', () => {
    const notFound: Ending = { outcome: 'answered', answer: 'No page says who Ida Moss was.', found: false };
    assert.equal(score(about('unanswerable', []), notFound), 'right');
    assert.equal(score(about('one-hop', ['Ida Moss']), notFound), 'not-found');
    assert.equal(score(about('unanswerable', []), answered('Ida Moss.')), 'wrong');
    assert.equal(score(about('unanswerable', []), { outcome: 'limit', answer: 'Perhaps Ida Moss.' }), 'wrong');
    assert.equal(score(about('unanswerable', []), { outcome: 'failed' }), 'not-found');
    assert.equal(score(about('one-hop', ['x']), { outcome: 'cancelled', answer: 'x' }), 'not-found');
  });

  it('does not take a copied page for an answer', () => {
    assert.equal(score(about('one-hop', ['Ida']), answered(`Ida. ${'More of the page. '.repeat(40)}`)), 'wrong');
  });

  it('sums up by kind and in three shares', () => {
    const result = summary([
      { question: about('one-hop', ['a']), verdict: 'right' },
      { question: about('one-hop', ['a']), verdict: 'not-found' },
      { question: about('arithmetic', ['a']), verdict: 'right' },
      { question: about('arithmetic', ['a']), verdict: 'right' },
      { question: about('comparison', ['a']), verdict: 'wrong' },
      { question: about('unanswerable', []), verdict: 'right' },
      { question: about('unanswerable', []), verdict: 'wrong' },
      { question: about('two-hop', ['a']), verdict: 'right' },
    ]);
    assert.deepEqual(result.kinds['one-hop'], { right: 1, wrong: 0, 'not-found': 1 });
    assert.deepEqual(result.kinds.comparison, { right: 0, wrong: 1, 'not-found': 0 });
    assert.equal(result.basicRight, 0.75);
    assert.equal(result.unanswerableRight, 0.5);
    assert.equal(result.wrong, 0.25);
  });
});

describe('the set of questions', () => {
  it('is large enough, half Chinese, and has no question twice', () => {
    assert.ok(questions.length >= 60);
    assert.equal(new Set(questions.map((question) => question.id)).size, questions.length);
    assert.equal(new Set(questions.map((question) => question.question)).size, questions.length);
    const chinese = questions.filter((question) => question.language === 'zh-CN').length / questions.length;
    assert.ok(chinese >= 0.45 && chinese <= 0.55, `${chinese}`);
    const least = { 'one-hop': 24, arithmetic: 6, 'two-hop': 6, comparison: 4, unanswerable: 20 };
    for (const [kind, count] of Object.entries(least)) {
      assert.ok(questions.filter((question) => question.kind === kind).length >= count, kind);
    }
  });

  it('has an answer on the pages exactly where it claims one', () => {
    const texts = { en: pages('en')('body').text(), 'zh-CN': pages('zh')('body').text() };
    for (const question of questions) {
      if (question.kind === 'unanswerable') assert.deepEqual(question.accept, [], question.id);
      else if (question.kind === 'arithmetic') assert.ok(question.accept.length > 0, question.id);
      else {
        assert.ok(
          question.accept.some((phrase) => texts[question.language].includes(phrase)),
          question.id,
        );
      }
    }
  });

  it('would be scored right with its own accepted phrases, and never with its rejected ones', () => {
    for (const question of questions) {
      for (const phrase of question.accept)
        assert.equal(score(question, answered(`— ${phrase} —`)), 'right', question.id);
      for (const phrase of question.reject ?? []) assert.equal(score(question, answered(phrase)), 'wrong', question.id);
    }
  });

  it('stands on pages of its own, well formed and linked', () => {
    const titlesOf = ($: ReturnType<typeof load>) =>
      $('article')
        .toArray()
        .map((article) => $(article).attr('data-title') ?? '');
    for (const language of ['en', 'zh'] as const) {
      const $ = pages(language);
      const titles = titlesOf($);
      assert.ok(titles.length >= 15);
      assert.equal(new Set(titles).size, titles.length);
      for (const link of $('a').toArray()) assert.ok(titles.includes($(link).attr('title') ?? ''), $.html(link));
      const sample = titlesOf(load(readFileSync(path.join('media', 'sample-wiki', `${language}.html`), 'utf8')));
      assert.deepEqual(
        titles.filter((title) => sample.includes(title)),
        [],
      );
    }
  });
});
