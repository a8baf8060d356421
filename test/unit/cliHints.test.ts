import assert from 'node:assert/strict';
import type { Language } from '../../src/agent/event';
import { terminalHint } from '../../src/cli/hints';
import { openSource } from '../../src/knowledge';
import { validateEndpoint } from '../../src/llm/endpoint';
import type { FailureKind } from '../../src/llm/failures';
import { toUserError } from '../../src/llm/failureTexts';

/** All of them: a kind that is missing here does not compile. */
const KINDS = Object.keys({
  dns: 1,
  refused: 1,
  tls: 1,
  proxy: 1,
  network: 1,
  'first-byte': 1,
  unauthorized: 1,
  forbidden: 1,
  'wrong-path': 1,
  moved: 1,
  'no-model': 1,
  'rate-limit': 1,
  quota: 1,
  context: 1,
  server: 1,
  loading: 1,
  rejected: 1,
  filtered: 1,
  'web-page': 1,
  garbled: 1,
  dropped: 1,
  idle: 1,
  'early-end': 1,
  empty: 1,
} satisfies Record<FailureKind, 1>) as FailureKind[];

/** What only VS Code has. */
const VS_CODE =
  /Set API Key|Select Model|Test Connection|settings?\b|http\.proxy|设置 API 密钥|“选择模型”|测试连接|设置中| 设置/;

const ENTERED = [
  {},
  { baseUrl: 'https://me:secret@host.example/v1' },
  { baseUrl: 'https://host.example/v1', model: ' m ' },
  { baseUrl: 'https://host.example/v1', model: 'm', key: 'Bearer k' },
  { baseUrl: 'https://host.example/v1', model: 'm', key: 'k k' },
  { baseUrl: 'https://host.example/v1', model: 'm', key: 'ключ' },
  { baseUrl: 'http://host.example/v1', model: 'm', key: 'k' },
];

for (const language of ['en', 'zh-CN'] as const satisfies Language[]) {
  describe(`a hint in a terminal (${language})`, () => {
    const check = (hint: string) => {
      const shown = terminalHint(hint, language);
      assert.doesNotMatch(shown, VS_CODE);
      assert.match(shown, /\S.*[.。]$/);
    };

    for (const kind of KINDS) {
      it(`names nothing of VS Code: ${kind}`, () => {
        const facts = { base: 'https://host.example/v1', model: 'm', attempts: 1 };
        check(toUserError({ kind, said: '' }, facts, language).hint);
        check(toUserError({ kind, said: 'no' }, { ...facts, key: 'k', models: ['a', 'b'] }, language).hint);
      });
    }

    it('names nothing of VS Code where something is entered wrong', () => {
      const hints = ENTERED.flatMap((entered) => validateEndpoint(entered, language)).map(({ hint }) => hint);
      assert.equal(new Set(hints).size, 8);
      for (const hint of hints) check(hint);
      const wrongWiki = () => openSource('site:none', { sampleFolder: '', language });
      assert.throws(wrongWiki, ({ hint }: { hint: string }) => {
        check(hint);
        return true;
      });
    });

    it('keeps the models that there are', () => {
      const facts = { base: 'https://host.example/v1', model: 'm', attempts: 1, models: ['one', 'two'] };
      const shown = terminalHint(toUserError({ kind: 'no-model', said: '' }, facts, language).hint, language);
      assert.match(shown, /--model .*one.*two/);
    });
  });
}
