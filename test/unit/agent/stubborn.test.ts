import assert from 'node:assert/strict';
import type { Message } from '../../../src/agent/event';
import { readPage } from '../../../src/knowledge/page';
import type { KnowledgeSource, Resolution } from '../../../src/knowledge/source';
import type { Script, ScriptedReply } from '../../../src/llm/scripted';
import { createToolbox } from '../../../src/tools';
import { ofType, tell } from '../../support/story';

/** A wiki of three pages, enough to get lost in and to find the way back. */
const PAGES: Record<string, string> = {
  'Lake Orvan':
    '<p>Lake Orvan is a lake in the north of Kessel. It lies in a valley. Many birds nest there.</p><h2>Water</h2><p>The lake is 214 metres deep. Its water is cold.</p>',
  'Lake Orvan (film)': '<p>Lake Orvan is a film of 1988. It was shot in a studio.</p>',
  Kessel: '<p>Kessel is a country with many lakes. Its capital is Brannock.</p>',
};
const wiki: KnowledgeSource = {
  name: 'test wiki',
  async resolve(title): Promise<Resolution> {
    const html = Object.hasOwn(PAGES, title) ? PAGES[title] : undefined;
    if (html === undefined)
      return {
        kind: 'missing',
        similar: [{ title: 'Lake Orvan', description: 'lake' }, { title: 'Lake Orvan (film)' }],
      };
    const meta = { title, url: `test:${title}`, fetchedAt: '2026-01-01T00:00:00.000Z' };
    return { kind: 'page', document: readPage(html, meta) };
  },
};

const QUESTION = 'How deep is Lake Orvan?';
const isLastCall = (messages: readonly Message[]) =>
  /No further action is possible/.test(messages.at(-1)?.content ?? '');

/** What a model says in its n-th call, as long as it is stubborn. */
type Stubborn = (call: number) => string | ScriptedReply;
const cycle =
  (...replies: string[]): Stubborn =>
  (call) =>
    replies[(call - 1) % replies.length] as string;
const search = (title: string, thought = 'I search.') => `Thought: ${thought}\nAction: Search[${title}]`;

const BEHAVIOURS: Record<string, Stubborn> = {
  'always the same search': () => search('Orvan Lake depth'),
  'the same search, written differently each time': cycle(
    search('orvan lake depth'),
    search('"Orvan Lake depth"'),
    search('Orvan  Lake, depth.'),
  ),
  'A-B-A-B': cycle(search('Kessel'), search('Lake Orvan (film)')),
  'a cycle of three': cycle(search('Kessel'), search('Lake Orvan (film)'), 'Thought: I look.\nAction: Lookup[zebra]'),
  'ever longer queries': (call) =>
    search(
      ['Orvan', 'deep', 'lake', 'metres', 'north', 'water', 'valley', 'exact', 'true'].slice(0, call + 1).join(' '),
    ),
  'never an action': () => 'I am still considering the matter and its many sides.',
  'only thoughts': (call) => `Thought ${call}: I need to find out how deep the lake is.`,
  'argument errors': cycle(
    'Thought: I compute.\nAction: Calculator[how deep is it]',
    'Thought: I compute.\nAction: Calculator[depth of the lake]',
  ),
  'an unknown tool': () => 'Thought: I log in.\nAction: Login[Kessel]',
  'the question handed to the tool': (call) =>
    search(
      [
        'How deep is Lake Orvan?',
        'how deep is lake orvan',
        'Lake Orvan, how deep is it?',
        'tell me how deep Lake Orvan is',
      ][call % 4] as string,
    ),
  'the same lookup after it ran out': (call) =>
    call === 1 ? search('Kessel') : 'Thought: I look.\nAction: Lookup[capital]',
  'trivially varied queries': (call) => search(`lake number ${call}`),
  'empty replies': () => '',
  chants: () => ({ text: 'the lake is deep and '.repeat(400) }),
  'invents observations': () => ({
    text: 'Thought: a\nObservation: it is deep\nThought: b\nObservation: deeper',
    ignoresStop: true,
  }),
  'broken JSON': () => '{"action": "Search", "action_input": {{{',
  'ignores every hint and misses': (call) => search(`Nowhere ${'ABCDEFGHIJ'[call % 10]}${'KLMNOPQRST'[call % 10]}`),
};

/** Stubborn until the first hint or correction; then it does what was advised, and gets to the answer. */
function reformed(stubborn: Stubborn): { script: Script; hinted: () => number; answered: () => number } {
  let hintedAt = 0;
  let step = 0;
  const script: Script = (messages, _, call) => {
    const last = messages.at(-1)?.content ?? '';
    // A tool's own result is no intervention; the guard's hint and a correction are.
    const own = last.replace(/<data>[\s\S]*?<\/data>/g, '').replace(/^(Observation \d+:|Question:)\s*/, '');
    const intervened = call > 1 && own.trim().length > 60;
    if (isLastCall(messages)) return 'Finish[214 metres]';
    if (!hintedAt && intervened) hintedAt = call;
    if (!hintedAt) return stubborn(call);
    step++;
    if (step === 1) return search('Lake Orvan', 'The hint is right; I open the page of the lake.');
    if (step === 2) return 'Thought: The depth must be on this page.\nAction: Lookup[deep]';
    return 'Thought: The page states it.\nAction: Finish[Lake Orvan is 214 metres deep]';
  };
  return { script, hinted: () => hintedAt, answered: () => step };
}

describe('stubborn models', () => {
  for (const [name, stubborn] of Object.entries(BEHAVIOURS)) {
    it(`${name}: ends within the limit, with one run-end and an answer`, async () => {
      const script: Script = (messages, _, call) =>
        isLastCall(messages) ? 'Finish[I could not find it]' : stubborn(call);
      const { stored, end } = await tell(script, { question: QUESTION, toolbox: createToolbox({ source: wiki }) });
      const acted = ofType(stored, 'action').filter(({ tool }) => tool !== 'Finish').length;
      assert(acted <= 8, `${acted} actions`);
      assert(end.steps <= 11, `${end.steps} steps`);
      assert(['limit', 'answered'].includes(end.outcome), end.outcome);
      assert(end.answer, 'an answer');
    });

    it(`${name}: is brought back on track by one intervention`, async () => {
      const { script, hinted, answered } = reformed(stubborn);
      const { stored, end } = await tell(script, { question: QUESTION, toolbox: createToolbox({ source: wiki }) });
      assert(hinted() > 0, 'there was an intervention');
      assert.equal(
        end.outcome,
        'answered',
        `steps: ${ofType(stored, 'action')
          .map(({ input }) => input)
          .join(' | ')}`,
      );
      assert.match(end.answer ?? '', /214/);
      console.log(`      intervened before call ${hinted()}, answered ${answered()} steps later`);
    });
  }
});

describe('runs that are not stuck', () => {
  it('lets three searches in a row, advancing lookups and one older query pass', async () => {
    const { stored, end } = await tell(
      [
        search('Kessel', 'First the country.'),
        search('Lake Orvan (film)', 'Perhaps the film.'),
        search('Lake Orvan', 'No, the lake.'),
        'Thought: I look for water.\nAction: Lookup[lake]',
        'Thought: The next one.\nAction: Lookup[lake]',
        search('Kessel', 'Back to the country once more.'),
        'Thought: Enough.\nAction: Finish[214 metres]',
      ],
      { question: QUESTION, toolbox: createToolbox({ source: wiki }) },
    );
    assert.equal(end.outcome, 'answered');
    assert.equal(ofType(stored, 'observation').filter(({ blocked }) => blocked).length, 1);
  });
});
