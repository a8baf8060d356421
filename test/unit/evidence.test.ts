import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { Observation, ToolInput } from '../../src/agent/event';
import { checkAnswer } from '../../src/agent/evidence';
import { emptyTrace, fold, type Trace } from '../../src/agent/trace';
import { cpuTime } from '../support/cpuTime';

const TIME = '2026-01-01T00:00:00.000Z';

interface Labelled {
  passages: Record<string, { title: string; language: string; sentences: string[] }>;
  answers: {
    kind: string;
    question: string;
    passages: string[];
    answer: string;
    claims: { supported: boolean; sentence?: number }[];
  }[];
}

function start(question: string): Trace {
  return fold(emptyTrace(), {
    type: 'run-start',
    time: TIME,
    version: 1,
    run: 'r',
    question,
    language: 'en',
    provider: 'test',
    model: 'm',
    protocol: 'text',
    tools: [],
    limits: { steps: 8, seconds: 60 },
  });
}

function observe(
  trace: Trace,
  tool: string,
  input: ToolInput,
  observation: Partial<Observation> & { text: string },
): Trace {
  const step = trace.steps.length + 1;
  fold(trace, { type: 'action', time: TIME, step, tool, input });
  return fold(trace, { type: 'observation', time: TIME, step, ok: true, ms: 1, ...observation });
}

/** An observation as a Search gives it: a heading, then the page's sentences with their places. */
function page(title: string, sentences: readonly string[]): Partial<Observation> & { text: string } {
  let text = `${title}: ${sentences.length} sentences. `;
  const spans = sentences.map((sentence, index) => {
    const start = text.length;
    text += sentence;
    const end = text.length;
    text += ' ';
    return { index, start, end };
  });
  return { text, sentences: spans, document: { title, url: `sample:${title}`, fetchedAt: TIME, hash: title } };
}

describe('evidence: labelled answers', () => {
  const { passages, answers }: Labelled = JSON.parse(
    readFileSync(path.join(process.cwd(), 'test/fixtures/evidence.json'), 'utf8'),
  );
  const judged = answers.flatMap(({ kind, question, passages: keys, answer, claims }) => {
    const trace = start(question);
    for (const key of keys) observe(trace, 'Search', key, page(passages[key]!.title, passages[key]!.sentences));
    const { support } = checkAnswer(answer, trace, 'en');
    assert.equal(support.length, claims.length, `${answer}: ${JSON.stringify(support)}`);
    return claims.map((claim, index) => ({ kind, question, answer, ...claim, found: support[index]! }));
  });

  const supported = judged.filter((claim) => claim.supported);
  const unsupported = judged.filter((claim) => !claim.supported);
  const answersOf = (claims: typeof judged) => claims.map(({ question, answer }) => `${question} — ${answer}`);

  it(`calls none of ${unsupported.length} unsupported claims verbatim, and at most 15 % partial`, () => {
    assert.deepEqual(answersOf(unsupported.filter(({ found }) => found.status === 'verbatim')), []);
    const lenient = answersOf(unsupported.filter(({ found }) => found.status === 'partial'));
    assert.ok(lenient.length <= unsupported.length * 0.15, lenient.join('\n'));
  });

  it(`finds at least 90 % of ${supported.length} supported claims, in English and in Chinese`, () => {
    const chinese = supported.filter(({ question }) => /\p{Script=Han}/u.test(question));
    for (const part of [supported, chinese]) {
      const missed = answersOf(part.filter(({ found }) => found.status === 'none'));
      assert.ok(missed.length <= part.length * 0.1, missed.join('\n'));
    }
  });

  it('points at the right sentence', () => {
    const astray = judged.filter(
      ({ sentence, found }) => sentence !== undefined && found.status !== 'none' && found.sentence !== sentence,
    );
    assert.deepEqual(
      astray.map(({ answer, found, sentence }) => [answer, found.sentence, sentence]),
      [],
    );
  });
});

const BRIDGE = page('Halden Bridge', [
  'The Halden Bridge opened on 3 May 1964.',
  'It carries 41,000 vehicles a day.',
  'It has never been closed.',
]);
const statusOf = (answer: string, trace: Trace) => checkAnswer(answer, trace, 'en').support.map(({ status }) => status);

describe('evidence: claims', () => {
  const trace = observe(start('When did the Halden Bridge open?'), 'Search', 'Halden Bridge', BRIDGE);

  it('reads the same number and date in all spellings', () => {
    for (const answer of [
      'The Halden Bridge carries 41000 vehicles a day.',
      'The Halden Bridge carries forty-one thousand vehicles a day.',
      'The Halden Bridge carries 41 thousand vehicles a day.',
      'The Halden Bridge opened on May 3, 1964.',
      'The Halden Bridge opened in May 1964.',
      'The Halden Bridge opened in 1964.',
    ]) {
      assert.notDeepEqual(statusOf(answer, trace), ['none'], answer);
    }
    for (const answer of [
      'The Halden Bridge opened in May 1965.',
      'The Halden Bridge opened on 4 May 1964.',
      'The Halden Bridge carries 4,100 vehicles a day.',
    ]) {
      assert.deepEqual(statusOf(answer, trace), ['none'], answer);
    }
    const lake = observe(
      start('湖有多大？'),
      'Search',
      '湖',
      page('北湖', ['北湖面积三百二十平方公里，每年有一千二百万游客。', '该湖于2003年9月1日开放。']),
    );
    for (const answer of [
      '北湖面积320平方公里。',
      '北湖每年有1200万游客。',
      '北湖每年有12,000,000游客。',
      '北湖于2003年9月开放。',
    ]) {
      assert.notDeepEqual(statusOf(answer, lake), ['none'], answer);
    }
    assert.deepEqual(statusOf('北湖每年有1200游客。', lake), ['none']);
  });

  it('sets Markdown, code and citation marks aside, and reads a list item by item', () => {
    const answer =
      '## Result\nI found:\n\n- The **Halden Bridge** opened on [3 May 1964](https://example.org/x). [1]\n- It carries `41,000` vehicles a day【2†source】\n\n```js\nopen(1964)\n```\n\nSources:\n1. Halden Bridge';
    const { support } = checkAnswer(answer, trace, 'en');
    assert.deepEqual(
      support.map(({ claim, sentence }) => [claim, sentence]),
      [
        ['The Halden Bridge opened on 3 May 1964.', 0],
        ['It carries 41,000 vehicles a day', 1],
      ],
    );
  });

  it('takes a short answer together with its question', () => {
    assert.notDeepEqual(statusOf('1964', trace), ['none']);
    assert.deepEqual(statusOf('1965', trace), ['none']);
    const other = observe(start('Who painted the town hall?'), 'Search', 'Halden Bridge', BRIDGE);
    assert.deepEqual(statusOf('1964', other), ['none']);
  });

  it('reads a pronoun as the one named before', () => {
    const rivers = start('How long are the Tamsui and the Keelung?');
    observe(rivers, 'Search', 'Tamsui', page('Tamsui', ['The Tamsui is a river of Taiwan.', 'It is 159 km long.']));
    observe(rivers, 'Search', 'Keelung', page('Keelung', ['The Keelung is a river of Taiwan.', 'It is 96 km long.']));
    assert.deepEqual(statusOf('The Keelung is a river of Taiwan. It is 96 km long.', rivers), ['verbatim', 'verbatim']);
    assert.deepEqual(statusOf('The Tamsui is a river of Taiwan. It is 96 km long.', rivers), ['verbatim', 'none']);
    assert.deepEqual(statusOf('The Tamsui is a river of Taiwan, and it is 96 km long.', rivers), ['none']);
  });

  it('reads a pronoun as the page’s name, whatever characters and numbers stand in that', () => {
    const bridge = start('谁设计了奥尔万桥？');
    observe(bridge, 'Search', '奥尔万桥', page('奥尔万桥', ['它由玛拉·泰尔设计。', '它于1931年开放。']));
    assert.deepEqual(statusOf('奥尔万桥由玛拉·泰尔设计。', bridge), ['verbatim']);
    assert.deepEqual(statusOf('奥尔万桥于1931年开放。', bridge), ['verbatim']);
    assert.deepEqual(statusOf('奥尔万桥于1932年开放。', bridge), ['none']);
    const flight = start('When did Apollo 11 land?');
    observe(flight, 'Search', 'Apollo 11', page('Apollo 11', ['It landed on the Moon in July 1969.', 'People died.']));
    assert.deepEqual(statusOf('Apollo 11 landed on the Moon in July 1969.', flight), ['verbatim']);
    assert.deepEqual(statusOf('Apollo 12 landed on the Moon in July 1969.', flight), ['none']);
    assert.deepEqual(statusOf('11 people died.', flight), ['none']);
    const dam = start('三峡大坝何时建成？');
    observe(dam, 'Search', '三峡大坝', page('三峡大坝', ['它于2006年建成。']));
    assert.deepEqual(statusOf('三峡大坝于2006年建成。', dam), ['verbatim']);
  });

  it('takes a source’s own sentence for what it is, however short, and no other one’s', () => {
    const pages: [string, string, string[]][] = [
      ['K2 是什么？', 'K2', ['高度: 8611米', 'K2 于1954年首次登顶。', '它很难攀登。', 'Model Y 从2020年开始交付。']],
      [
        'What is radium?',
        'Radium',
        ['Radium glows faintly in the dark.', 'Developer: Some Foundation', 'PUT is safe, while POST is not.'],
      ],
    ];
    for (const [question, title, sentences] of pages) {
      const trace = observe(start(question), 'Search', title, page(title, sentences));
      for (const [sentence, answer] of sentences.entries()) {
        for (const copy of [answer, answer.replace(/[.。]$/, ''), `**${answer}**`, answer.toUpperCase()]) {
          const { support } = checkAnswer(copy, trace, 'en');
          assert.deepEqual(
            support.map(({ status, sentence: at }) => [status, at]),
            [['verbatim', sentence]],
            copy,
          );
        }
      }
    }
    const other = page('Ada Lovelace', ['Ada Lovelace was a mathematician.', 'She was born in London.', 'Cher']);
    const trace = observe(start('Where was Cher born?'), 'Search', 'Ada Lovelace', other);
    const { support } = checkAnswer('Cher is a singer. She was born in London.', trace, 'en');
    assert.ok(support.every(({ status }) => status !== 'verbatim'));
    assert.notEqual(checkAnswer('Cher', trace, 'en').support[0]?.status, 'verbatim');
  });

  it('reads yes and no against what was observed', () => {
    const ask = (question: string) => observe(start(question), 'Search', 'Halden Bridge', BRIDGE);
    assert.notDeepEqual(statusOf('No', ask('Has the Halden Bridge been closed?')), ['none']);
    assert.deepEqual(statusOf('Yes', ask('Has the Halden Bridge been closed?')), ['none']);
    assert.notDeepEqual(statusOf('yes.', ask('Did the Halden Bridge open on 3 May 1964?')), ['none']);
    assert.deepEqual(statusOf('Yes', ask('Did the Halden Bridge open on 3 May 1954?')), ['none']);
    const chinese = observe(
      start('北湖在2003年开放吗？'),
      'Search',
      '北湖',
      page('北湖', ['北湖于2003年9月1日开放。']),
    );
    assert.notDeepEqual(statusOf('是', chinese), ['none']);
    assert.deepEqual(statusOf('不是', chinese), ['none']);
  });

  it('takes a calculator for an observation, without a sentence', () => {
    const sum = observe(start('What is 17 times 24?'), 'Calculator', '17 * 24', { text: '408' });
    assert.deepEqual(checkAnswer('408', sum, 'en'), {
      support: [{ claim: '408', status: 'verbatim', step: 1 }],
      sources: [],
    });
    assert.deepEqual(statusOf('480', sum), ['none']);
    assert.notDeepEqual(statusOf('17 * 24 = 408', sum), ['none']);
  });

  it('finds a result with its sum and its reasons, whole', () => {
    const trace = start('What is the number of vehicles on the Halden Bridge in a week?');
    observe(trace, 'Search', 'Halden Bridge', page('Halden Bridge', ['Vehicles: 41,000 a day (in 2019; estimated)']));
    observe(trace, 'Calculator', '41000 * 7', { text: '41000 * 7 = 287000' });
    for (const answer of [
      '287000 (41000 * 7 = 287000; Vehicles: 41,000 a day (in 2019; estimated))',
      '**287,000** (41,000 × 7 = 287,000)',
      '41000 * 7 = 287000.',
    ]) {
      const { support } = checkAnswer(answer, trace, 'en');
      assert.deepEqual(support, [{ claim: answer.replaceAll('**', ''), status: 'verbatim', step: 2 }]);
    }
    for (const answer of [
      '287001 (41000 * 7 = 287000; Vehicles: 41,000 a day (in 2019; estimated))',
      '287000 (41000 * 7 = 287000; Vehicles: 42,000 a day (in 2019; estimated))',
      '287000 (41000 + 7 = 287000)',
      '41000 + 7 = 287000',
    ]) {
      assert.deepEqual(statusOf(answer, trace), ['none'], answer);
    }
    const chinese = observe(start('三百加二十五乘以四是多少？'), 'Calculator', '300 + 25 * 4', {
      text: '300 + 25 * 4 = 400',
    });
    assert.deepEqual(statusOf('400（300 + 25 * 4 = 400）', chinese), ['verbatim']);
    assert.deepEqual(statusOf('400（300加25乘以4 = 400）', chinese), ['verbatim']);
    assert.deepEqual(statusOf('400（300 + 25 * 5 = 400）', chinese), ['none']);
  });

  it('finds one of two things compared in part, with the lines on both', () => {
    const trace = start('Which lake is deeper, Orm or Tarn?');
    observe(trace, 'Search', 'Orm', page('Orm', ['Its depth is 81 metres.']));
    observe(trace, 'Search', 'Tarn', page('Tarn', ['Its depth is 64 metres.']));
    assert.deepEqual(statusOf('Orm (Orm: Its depth is 81 metres; Tarn: Its depth is 64 metres.)', trace), ['partial']);
    assert.deepEqual(statusOf('Orm (Orm: Its depth is 64 metres; Tarn: Its depth is 81 metres.)', trace), ['none']);
    assert.equal(checkAnswer('(Its depth is 81 metres. Its depth is 64 metres.)', trace, 'en').support.length, 2);
  });

  it('reads what was done by one as what one did, and not the other way round', () => {
    const trace = observe(
      start('Who designed the Rising Loom?'),
      'Search',
      'Rising Loom',
      page('Rising Loom', [
        'The Rising Loom was a water-driven machine designed by the Scottish weaver Moira Kerr.',
        'Edwin Pell was the author of notes on the mill designed by Moira Kerr.',
      ]),
    );
    for (const answer of [
      'Moira Kerr designed the Rising Loom.',
      'The Rising Loom was designed by Moira Kerr.',
      'Moira Kerr',
    ])
      assert.notDeepEqual(statusOf(answer, trace), ['none'], answer);
    for (const answer of [
      'The Rising Loom designed Moira Kerr.',
      'Moira Kerr was designed by the Rising Loom.',
      'Moira Kerr designed Edwin Pell.',
    ])
      assert.deepEqual(statusOf(answer, trace), ['none'], answer);
    const short = page('Rising Loom', ['It was designed by Moira Kerr in Perth.']);
    const pronoun = observe(start('Who designed the Rising Loom?'), 'Search', 'Rising Loom', short);
    assert.deepEqual(statusOf('The Rising Loom was designed by Moira Kerr.', pronoun), ['verbatim']);
    assert.deepEqual(statusOf('Moira Kerr designed the Rising Loom.', pronoun), ['partial']);
    assert.deepEqual(statusOf('The Rising Loom designed Moira Kerr.', pronoun), ['none']);
  });

  it('reads what the tool said, not what the loop guard added, and nothing that was blocked', () => {
    const text = 'The Halden Bridge is red.';
    const hinted = observe(start('Colour?'), 'Search', 'x', {
      text: `${text}\n\nThe bridge is painted green.`,
      hintAt: text.length,
    });
    assert.deepEqual(statusOf('The bridge is painted green.', hinted), ['none']);
    assert.deepEqual(statusOf('The Halden Bridge is red.', hinted), ['verbatim']);
    const blocked = observe(start('Colour?'), 'Search', 'x', { text, ok: false, blocked: true });
    assert.match(checkAnswer('The Halden Bridge is red.', blocked, 'en').notice!, /Nothing was observed/);
  });
});

describe('evidence: sources and notices', () => {
  it('lists the supporting pages first, each once, with the steps that read it', () => {
    const trace = start('When did the Halden Bridge open?');
    observe(trace, 'Search', 'Halden', page('Halden', ['Halden is a town.']));
    observe(trace, 'Search', 'Halden Bridge', BRIDGE);
    observe(trace, 'Lookup', 'opened', {
      ...BRIDGE,
      document: { ...BRIDGE.document!, url: 'sample:Halden Bridge#History' },
    });
    observe(trace, 'Lookup', 'colour', { text: 'Nothing was found.', ok: false, document: BRIDGE.document! });
    assert.deepEqual(checkAnswer('The Halden Bridge opened on 3 May 1964.', trace, 'en').sources, [
      { title: 'Halden Bridge', url: 'sample:Halden Bridge', steps: [2, 3] },
      { title: 'Halden', url: 'sample:Halden', steps: [1] },
    ]);
  });

  it('says when an answer has nothing to stand on', () => {
    assert.match(checkAnswer('1964', start('When?'), 'en').notice!, /Nothing was observed.*memory/);
    const missed = observe(start('When?'), 'Search', 'x', { text: 'Nothing was found.', ok: false });
    assert.match(checkAnswer('1964', missed, 'en').notice!, /missed or failed.*memory/);
    assert.match(checkAnswer('1964', missed, 'zh-CN').notice!, /模型的记忆/);
    const other = observe(start('When did the bridge open?'), 'Search', 'Halden Bridge', BRIDGE);
    assert.match(checkAnswer('The tunnel was dug by hand in 1888.', other, 'en').notice!, /No observed sentence/);
    assert.equal(checkAnswer('The Halden Bridge opened on 3 May 1964.', other, 'en').notice, undefined);
    assert.equal(checkAnswer('', start('When?'), 'en').notice, undefined);
  });
});

describe('evidence: any input', () => {
  it('never throws, changes nothing, and answers the same twice', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('3 May 1964', '一千二百万', 'not by 41 %', '[1] **a** | b |', 'No. Yes.', '被'),
    );
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 4 }), (question, answer, texts) => {
        const trace = start(question);
        for (const each of texts) observe(trace, 'Search', each, page(each, [each, each]));
        const before = JSON.stringify(trace);
        assert.deepEqual(checkAnswer(answer, trace, 'en'), checkAnswer(answer, trace, 'en'));
        assert.equal(JSON.stringify(trace), before);
      }),
      { numRuns: 300 },
    );
  });

  it('reads 100 observations of 4 KB quickly', () => {
    const trace = start('When did the Halden Bridge open?');
    for (let step = 0; step < 100; step++) {
      const sentences = Array.from(
        { length: 40 },
        (_, index) =>
          `In ${1500 + step} the town number ${index} of the county built a mill for ${step * index} crowns with help from Halden.`,
      );
      observe(trace, 'Search', `Town ${step}`, page(`Town ${step}`, sentences));
    }
    checkAnswer('Warm-up.', trace, 'en');
    const took = cpuTime();
    const { support } = checkAnswer(
      'In 1533 the town number 7 of the county built a mill for 231 crowns. Halden helped the towns of the county.',
      trace,
      'en',
    );
    const ms = took();
    assert.equal(support[0]!.status, 'verbatim');
    assert.equal(support[0]!.step, 34);
    assert.ok(ms < 1000, `${ms} ms`);
    console.log(`      ${Math.round(ms)} ms`);
  });

  it('takes long answers without sentences, and hostile ones, in stride', () => {
    const words = Array.from({ length: 4000 }, (_, index) => `a${index % 3}`).join(' ');
    const trace = observe(start('What?'), 'Fetch', 'https://example.org', page('A', [words, words]));
    const took = cpuTime();
    for (const answer of [
      words,
      '['.repeat(20_000),
      '1,'.repeat(20_000),
      '百'.repeat(20_000),
      '| -'.repeat(10_000),
      'A. '.repeat(5000),
      '('.repeat(20_000),
      '(;'.repeat(20_000),
      `${'1+'.repeat(20_000)}=2`,
    ])
      checkAnswer(answer, trace, 'en');
    assert.ok(took() < 5000);
  });
});
