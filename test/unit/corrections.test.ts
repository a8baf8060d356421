import assert from 'node:assert/strict';
import { correction, repairNotice, type ToolForm } from '../../src/agent/corrections';
import type { Language } from '../../src/agent/event';
import { type ParsedReply, type Problem, parseReply, type RepairKind } from '../../src/agent/parse';

const TOOLS: ToolForm[] = [
  { name: 'Search', argument: 'entity', example: { en: 'Ada Lovelace', 'zh-CN': '长城' } },
  { name: 'Lookup', argument: 'keyword', example: { en: 'born', 'zh-CN': '出生' } },
];
const PROBLEMS: Problem[] = ['empty', 'no-action', 'placeholder', 'empty-finish', 'truncated', 'markup', 'no-tool'];
const LANGUAGES: Language[] = ['en', 'zh-CN'];
const names = { tools: TOOLS.map((tool) => tool.name) };

describe('corrections', () => {
  it('say something of their own for each problem, in each language', () => {
    for (const language of LANGUAGES) {
      const texts = PROBLEMS.map((problem) => correction({ problem, repairs: [] }, TOOLS, language));
      assert.equal(new Set(texts).size, PROBLEMS.length);
      for (const text of texts) assert.match(text, /Finish/);
    }
  });

  it('show the form with one example and name the tools', () => {
    const text = correction(parseReply('I wonder about that.', names), TOOLS, 'en');
    assert.match(text, /square brackets/);
    assert.match(text, /the tool Search with the argument “Ada Lovelace”/);
    assert.match(text, /The tools are Search, Lookup, Finish\./);
    assert.doesNotMatch(text, /“born”/, 'one example is enough');
    assert.match(correction(parseReply('我在想这个问题。', names), TOOLS, 'zh-CN'), /例如工具 Search，参数为“长城”/);
  });

  it('ask for the answer, and for no tool, where only the answer is missing', () => {
    for (const reply of ['Action: Finish[]', 'Action: Finish[your answer]', 'Action: None']) {
      const text = correction(parseReply(reply, names), TOOLS, 'en');
      assert.match(text, /the answer itself in full/, reply);
      assert.doesNotMatch(text, /Ada Lovelace/, reply);
    }
    assert.match(correction(parseReply('Action: Search[<entity>]', names), TOOLS, 'en'), /Ada Lovelace/);
  });

  it('can be copied by a model without becoming an action', () => {
    for (const language of LANGUAGES) {
      for (const problem of PROBLEMS) {
        const text = correction({ problem, repairs: [] }, TOOLS, language);
        for (const copied of [text, `Thought: ${text}`, text.replace(/([。.]) ?/g, '$1\n')]) {
          assert.equal(parseReply(copied, names).action, undefined, copied);
        }
      }
    }
  });

  it('do without tools', () => {
    assert.match(correction({ problem: 'no-action', repairs: [] }, [], 'en'), /Finish/);
  });
});

describe('notices of repairs', () => {
  const kinds: RepairKind[] = [
    ...(['several-steps', 'code-fence', 'json', 'function-call', 'markup', 'unclosed-bracket'] as const),
    ...(['missing-label', 'same-line', 'trailing-text', 'loose-argument', 'leading-observation'] as const),
  ];

  it('are one sentence that names each repair once', () => {
    const parsed: ParsedReply = parseReply('Search("Salt")\nObservation: white', names);
    const english = repairNotice(parsed.repairs, 'en');
    assert.match(english, /function call/);
    assert.match(english, /no label/);
    assert.match(english, /dropped/);
    assert.equal(repairNotice(['json', 'json'], 'en'), repairNotice(['json'], 'en'));
    for (const language of LANGUAGES) {
      assert.equal(new Set(kinds.map((kind) => repairNotice([kind], language))).size, kinds.length);
      assert.equal(repairNotice(kinds, language).match(/[.。]( |$)|。/g)?.length, 1);
    }
  });

  it('say plainly that nothing usable was found', () => {
    assert.match(repairNotice([], 'en'), /no usable action/);
    assert.match(repairNotice([], 'zh-CN'), /没有可用的行动/);
  });
});
