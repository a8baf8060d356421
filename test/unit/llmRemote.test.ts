import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { UserError } from '../../src/agent/errors';
import { collect, openaiAt } from '../support/ask';

describe('A model server on “localhost”, asked from a remote window', () => {
  const NOTHING = 'http://localhost:2/v1';

  it('that does not answer: the machine that was tried is named, and both ways out', async () => {
    for (const language of ['en', 'zh-CN'] as const) {
      const { error } = await collect(
        openaiAt(NOTHING, { language, machine: 'ssh-remote', timeouts: { backoffMs: 1 } }),
      );
      assert.match(error?.message ?? '', /localhost:2/);
      assert.match(error?.message ?? '', /ssh-remote/);
      assert.match((error as UserError).hint, language === 'en' ? /Forward the port/ : /端口转发/);
      assert.match((error as UserError).hint, /remote\.extensionKind.*react-agent\.react-agent.*\["ui"\]/);
    }
  });

  it('is an ordinary failure on one’s own machine', async () => {
    const { error } = await collect(openaiAt(NOTHING));
    assert.doesNotMatch(`${error?.message} ${(error as UserError).hint}`, /remote/);
  });
});
