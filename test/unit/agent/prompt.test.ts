import assert from 'node:assert/strict';
import { EXAMPLES } from '../../../src/agent/examples';
import { languageOf } from '../../../src/agent/language';
import { parseReply } from '../../../src/agent/parse';
import { manual, toolSchemas } from '../../../src/agent/prompt';
import { estimateTokens } from '../../../src/agent/tokens';
import type { KnowledgeSource } from '../../../src/knowledge/source';
import { createToolbox } from '../../../src/tools';

const toolbox = createToolbox({ source: { name: 'none' } as KnowledgeSource });

describe('the work manual', () => {
  for (const language of ['en', 'zh-CN'] as const) {
    it(`stays under 2,000 tokens with its examples (${language})`, () => {
      const text = manual({ language, protocol: 'text', toolbox });
      assert(estimateTokens(text) < 1900, String(estimateTokens(text)));
      for (const name of toolbox.keys()) assert(text.includes(`- ${name}[`), name);
    });

    it(`has four worked examples, each ending in Finish, none repeating an action (${language})`, () => {
      assert(EXAMPLES[language].length >= 4);
      for (const { text } of EXAMPLES[language]) {
        const actions = [...text.matchAll(/^Action \d+: (\w+)\[(.*)\]$/gm)];
        assert.equal(actions.at(-1)?.[1], 'Finish');
        const plain = actions.filter(([, tool]) => tool !== 'Lookup').map(([, tool, input]) => `${tool} ${input}`);
        assert.equal(new Set(plain).size, plain.length);
      }
    });
  }

  it('shows only examples whose tools are on', () => {
    const few = new Map([...toolbox].filter(([name]) => name === 'Search'));
    const text = manual({ language: 'en', protocol: 'text', toolbox: few });
    assert(!text.includes('Calculator['));
    assert(!text.includes('Action 2: Lookup'));
  });

  it('describes every tool, and Finish, with a required thought for native calls', () => {
    const schemas = toolSchemas(toolbox, 'en');
    assert.deepEqual(
      schemas.map(({ name }) => name),
      [...toolbox.keys(), 'Finish'],
    );
    for (const { parameters } of schemas) assert((parameters.required as string[]).includes('thought'));
  });

  it('is notation that our own parser reads', () => {
    const parsed = parseReply('Thought 1: x\nAction 1: Search[Ada Lovelace]', { tools: [...toolbox.keys()] });
    assert.deepEqual(parsed.action, { tool: 'Search', input: 'Ada Lovelace' });
  });
});

describe('the language of a run', () => {
  it('is the question’s', () => {
    assert.equal(languageOf('Who designed the Analytical Engine?'), 'en');
    assert.equal(languageOf('哪家公司开发了 ChatGPT？'), 'zh-CN');
    assert.equal(languageOf('2024 年中国人口乘以 2 是多少'), 'zh-CN');
    assert.equal(languageOf('What does 你好 mean in English?'), 'en');
    assert.equal(languageOf('東京タワーの高さは？'), 'en');
    assert.equal(languageOf(''), 'en');
  });
});
