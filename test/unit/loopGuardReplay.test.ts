import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentEvent } from '../../src/agent/event';
import { afterObservation, afterUnreadable, beforeAction } from '../../src/agent/loopGuard';
import { emptyTrace, fold } from '../../src/agent/trace';
import { cpuTime } from '../support/cpuTime';
import { GuardedRun, toolbox } from '../support/guardedRun';

/** What a run is about: two pages, a word on each, a title that misses, and the titles it is offered. */
interface Topic {
  question: string;
  language: 'en' | 'zh-CN';
  pages: [string, string, string];
  words: [string, string];
  missed: [string, string];
}

const TOPICS: Topic[] = [
  {
    question: 'Were the composers Clara Schumann and Fanny Hensel born in the same decade?',
    language: 'en',
    pages: ['Clara Schumann', 'Fanny Mendelssohn', 'Felix Mendelssohn'],
    words: ['born', 'composer'],
    missed: ['Clara Wieck Schumann (pianist)', 'Fanny Hensel (composer)'],
  },
  {
    question: 'Which river flows through the city where the inventor of the telescope mount lived?',
    language: 'en',
    pages: ['Dorpat', 'Joseph von Fraunhofer', 'Emajõgi'],
    words: ['river', 'mount'],
    missed: ['Inventor of the equatorial mount', 'Telescope mount inventor'],
  },
  {
    question: '《城南旧事》的作者和《边城》的作者谁更年长？',
    language: 'zh-CN',
    pages: ['林海音', '沈从文', '边城'],
    words: ['出生', '作者'],
    missed: ['城南旧事的作者', '边城（小说）的作者'],
  },
  {
    question: '郑和下西洋第一次出航时的皇帝在位多少年？',
    language: 'zh-CN',
    pages: ['郑和下西洋', '明成祖', '郑和'],
    words: ['第一次', '在位'],
    missed: ['郑和第一次出航', '明朝永乐皇帝在位'],
  },
];

/** The courses that right runs take in public logs of ReAct agents, with the actions the guard may answer itself. */
const COURSES: { name: string; blocks?: number; drive(run: GuardedRun, topic: Topic): void }[] = [
  {
    name: 'one search',
    drive: (run, { pages }) => run.act('Search', pages[0], { page: pages[0] }),
  },
  {
    name: 'two pages compared',
    drive: (run, { pages }) => pages.slice(0, 2).map((page) => run.act('Search', page, { page })),
  },
  {
    name: 'three searches in a row',
    drive: (run, { pages }) => pages.map((page) => run.act('Search', page, { page })),
  },
  {
    name: 'advancing lookups',
    drive: (run, { pages: [page], words: [word] }) => {
      run.act('Search', page, { page });
      for (const hit of [1, 2, 3])
        run.act('Lookup', word, { page, text: `(Result ${hit} / 3) Hit ${hit} of ${word}, in year ${1800 + hit}.` });
    },
  },
  {
    name: 'the same word on two pages',
    drive: (run, { pages, words: [word] }) => {
      for (const page of pages.slice(0, 2)) {
        run.act('Search', page, { page });
        run.act('Lookup', word, { page });
      }
    },
  },
  {
    name: 'the same word missed on two pages',
    drive: (run, { pages, words: [word] }) => {
      for (const page of pages) {
        run.act('Search', page, { page });
        run.act('Lookup', word, { page, miss: true });
      }
    },
  },
  {
    name: 'a miss, then an offered title',
    drive: (run, { pages, missed }) => {
      run.act('Search', missed[0], { miss: true, suggestions: [pages[0], pages[2]] });
      run.act('Search', pages[0], { page: pages[0] });
      run.act('Search', missed[1], { miss: true, suggestions: [pages[1]] });
      run.act('Search', pages[1], { page: pages[1] });
    },
  },
  {
    name: 'two misses in a row, then a page',
    drive: (run, { pages, missed }) => {
      run.act('Search', missed[0], { miss: true });
      run.act('Search', missed[1], { miss: true });
      run.act('Search', pages[1], { page: pages[1] });
      run.act('Lookup', '1819', { page: pages[1] });
    },
  },
  {
    name: 'one older query repeated',
    blocks: 1,
    drive: (run, { pages }) => {
      for (const page of [pages[0], pages[1], pages[0], pages[2]]) run.act('Search', page, { page });
    },
  },
  {
    name: 'back to an older page to look something up',
    blocks: 1,
    drive: (run, { pages, words }) => {
      for (const page of [pages[0], pages[1], pages[0]]) run.act('Search', page, { page });
      for (const word of words) run.act('Lookup', word, { page: pages[0] });
    },
  },
  {
    name: 'the question first, then its parts',
    drive: (run, { question, pages }) => {
      run.act('Search', question, { miss: true });
      for (const page of pages) run.act('Search', page, { page });
    },
  },
  {
    name: 'sums with neighbouring numbers',
    drive: (run) => {
      for (const [sum, value] of [
        ['1896 - 1819', '77'],
        ['1896 - 1820', '76'],
        ['1847 - 1805', '42'],
        ['77 > 76', 'true'],
        ['77 > 42', 'true'],
      ]) {
        run.act('Calculator', sum!, { text: value });
      }
    },
  },
  {
    name: 'one figure for each of four years',
    drive: (run) => {
      for (const year of [1990, 2000, 2010, 2020]) {
        run.act('Search', `Population of the town in ${year}`, {
          text: `In ${year} the town had ${year * 7} inhabitants, says the census.`,
        });
      }
    },
  },
  {
    name: 'the same plan in every thought, with something new each time',
    drive: (run, { pages }) => {
      for (const page of pages)
        run.act('Search', page, { page, thought: 'I need to find out more about this before I can answer.' });
    },
  },
];

describe('loop guard: right runs are left alone', () => {
  for (const { name, drive, blocks = 0 } of COURSES) {
    it(`${name}: in ${TOPICS.length} runs`, () => {
      for (const topic of TOPICS) {
        const run = new GuardedRun(topic.question, topic.language);
        drive(run, topic);
        run.act('Finish', 'done');
        const spoke = run.log.filter((word) => word !== 'run');
        assert.deepEqual(spoke, Array(blocks).fill('block'), topic.question);
      }
    });
  }

  it('stands for more runs than the 34 right ones of the logs', () => {
    assert.ok(COURSES.length * TOPICS.length >= 34);
  });
});

const TIME = '2026-01-01T00:00:00.000Z';
const name = fc.constantFrom(
  'Search',
  'search',
  'Lookup',
  'Calculator',
  'List',
  'Fetch',
  'Nothing',
  'Finish',
  'constructor',
  '',
);
const input = fc.oneof(
  fc.constantFrom('Pingxi', '"Pingxi"', 'lantern', '平溪', '1+1', 'https://example.org', ''),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.dictionary(
    fc.constantFrom('title', 'word', 'thought', '__proto__'),
    fc.oneof(fc.string({ maxLength: 5 }), fc.integer()),
  ),
);
const step = fc.integer({ min: 1, max: 9 });
const text = fc.oneof(
  fc.constantFrom('Nothing was found.', 'Pingxi is a district.', ''),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ type: fc.constant('thought' as const), time: fc.constant(TIME), step, text }),
  fc.record({ type: fc.constant('action' as const), time: fc.constant(TIME), step, tool: name, input }),
  fc.record(
    {
      type: fc.constant('observation' as const),
      time: fc.constant(TIME),
      step,
      text,
      ok: fc.boolean(),
      ms: fc.nat(),
      blocked: fc.boolean(),
      suggestions: fc.array(text, { maxLength: 3 }),
      hintAt: fc.nat(60),
      document: fc.record({ title: text, url: text, fetchedAt: fc.constant(TIME), hash: text }),
    },
    { requiredKeys: ['type', 'time', 'step', 'text', 'ok', 'ms'] },
  ),
  fc.record({
    type: fc.constant('model-reply' as const),
    time: fc.constant(TIME),
    step,
    raw: text,
    finishReason: fc.constant('stop'),
    cut: fc.boolean(),
    usage: fc.constant(null),
    ms: fc.nat(),
    firstTokenMs: fc.constant(null),
    attempts: fc.constant(1),
  }),
  fc.record({
    type: fc.constant('control' as const),
    time: fc.constant(TIME),
    step,
    action: fc.constantFrom('note', 'deny', 'pause'),
    text,
  }),
);

describe('loop guard: any sequence of events', () => {
  it('leaves it consistent: no throw, the same verdict twice, the trace untouched', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 40 }),
        name,
        input,
        text,
        fc.boolean(),
        fc.constantFrom('en', 'zh-CN'),
        (events, tool, given, said, ok, language) => {
          const trace = emptyTrace();
          for (const each of events) fold(trace, each);
          const before = JSON.stringify(trace);
          const context = { toolbox, language } as const;
          const judge = () => [
            beforeAction(trace, { tool, input: given }, context),
            afterObservation(
              trace,
              { action: { tool, input: given }, observation: { text: said, ok }, thought: said },
              context,
            ),
            afterUnreadable(trace, { raw: said }, context),
          ];
          const [verdict, after] = judge();
          assert.deepEqual(judge()[0], verdict);
          assert.deepEqual(judge()[1], after);
          assert.equal(JSON.stringify(trace), before);
          if (verdict && 'decision' in verdict && verdict.decision !== 'run')
            assert.ok(verdict.observation && verdict.notice);
          if (after && 'hint' in after) assert.ok(after.hint && after.notice);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('ends every run that only ever does one to four things, within eight steps', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('Aa', 'Bb', 'Cc', 'Dd'), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (titles, miss) => {
          const run = new GuardedRun('Who was it?');
          for (let at = 0; at < 8 && !['stop', 'end'].includes(run.log.at(-1)!); at++)
            run.act('Search', titles[at % titles.length]!, { miss });
          assert.match(run.log.at(-1)!, /stop|end/);
        },
      ),
    );
  });

  it('judges a run of 200 steps with long observations in well under a second', () => {
    const run = new GuardedRun('Who was it?');
    for (let at = 0; at < 200; at++)
      run.act('Search', `Title number ${at * 7919}`, { page: `P${at}`, text: `Fact ${at} `.repeat(400) });
    const took = cpuTime();
    beforeAction(run.trace, { tool: 'Search', input: 'Another title' }, run.context);
    afterObservation(
      run.trace,
      { action: { tool: 'Search', input: 'Another' }, observation: { text: 'Fact. '.repeat(600), ok: true } },
      run.context,
    );
    assert.ok(took() < 1000);
  });
});
