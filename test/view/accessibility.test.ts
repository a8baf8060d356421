import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TraceEvent } from '../../src/agent/event';
import { answered, limited, live, running } from '../support/viewHarnessStory';
import { openForTest, settle, show, thirdStep } from '../support/viewTests';

/** The real view in Chromium, with the real host side; only VS Code around it is missing. */
describe('the trace view for everyone', () => {
  it('announces a step once, and neither live text nor clocks', async () => {
    const view = await show(running, 'running', { live });
    const { page, source } = view;
    await page.evaluate(`
      globalThis.said = [];
      new MutationObserver(() => said.push(document.querySelector('[aria-live=polite]').textContent))
        .observe(document.querySelector('[aria-live=polite]'), { childList: true, subtree: true, characterData: true });
    `);
    for (let at = 0; at < 50; at++) source.happen(thirdStep('word '));
    await settle(view);
    source.happen(...answered.filter((event) => 'step' in event && event.step === 3));
    await settle(view);
    source.happen(answered.at(-1)!);
    await settle(view);
    const said = await page.evaluate<string[]>('said');
    assert.equal(said.length, 2);
    assert.equal(said[0], 'Step 3: Search Analytical Engine. Analytical engine');
    assert.match(said[1]!, /^Answered: The author of Note G/);
  });

  it('announces an honest “not found” as that', async () => {
    const view = await show(running, 'running', { live });
    view.source.happen({ ...answered.at(-1)!, found: false, answer: 'No page tells it.' } as TraceEvent);
    await settle(view);
    assert.equal(await view.page.locator('[aria-live=polite]').textContent(), 'Not found: No page tells it.');
  });

  it('rests when nothing happens: no timers, no frames', async () => {
    const view = await show(answered, 'ended');
    await settle(view);
    const { page } = view;
    await page.evaluate(`
      globalThis.woken = 0;
      for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame']) {
        const original = globalThis[name];
        globalThis[name] = (...values) => { globalThis.woken++; return original(...values); };
      }
    `);
    await new Promise((done) => setTimeout(done, 1_200));
    assert.equal(await page.evaluate('woken'), 0);
    assert.equal(await page.evaluate('document.getAnimations().length'), 0);
  });

  it('passes axe in each theme', async () => {
    const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    const views = [
      await openForTest(),
      await show(answered, 'ended', { height: 1500 }),
      await show(running, 'running', { live }),
      await show(limited, 'ended', { height: 1500 }),
    ];
    await views[1]!.page.locator('[aria-label^="Find and filter"]').click();
    await views[1]!.page.locator('[data-step="2"] .raw-button').click();
    for (const { page, wear } of views) {
      await page.evaluate(axe);
      for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const) {
        await wear(theme);
        // Only colours differ between the themes.
        const rules = theme === 'dark' ? '' : `{ runOnly: ['color-contrast'] }`;
        const violations = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
          `axe.run(${rules}).then(({ violations }) => violations)`,
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => [
            theme,
            id,
            nodes.map(({ html, failureSummary }) => `${html.slice(0, 150)} ${failureSummary}`),
          ]),
          [],
        );
      }
    }
  });
});
