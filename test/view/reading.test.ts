import assert from 'node:assert/strict';
import type { TraceEvent } from '../../src/agent/event';
import { answered, live, long, running } from '../support/viewHarnessStory';
import { settle, show, thirdStep, time, until } from '../support/viewTests';

/** The real view in Chromium, with the real host side; only VS Code around it is missing. */
describe('reading a trace', () => {
  it('keeps a selection while text streams, and when the run ends', async () => {
    const view = await show(running, 'running', { live });
    const { page, source } = view;
    await page.evaluate(`
      const node = document.querySelector('[data-step="3"] .thought').firstChild;
      getSelection().setBaseAndExtent(node, 0, node, 9);
    `);
    for (let at = 0; at < 100; at++) source.happen(thirdStep(`word${at} `));
    await settle(view);
    source.happen(
      {
        type: 'model-reply',
        time,
        step: 3,
        raw: '',
        finishReason: 'stop',
        cut: false,
        usage: null,
        ms: 900,
        firstTokenMs: 9,
        attempts: 1,
      },
      { type: 'thought', time, step: 3, text: 'Searching the same title again can’t help. I stop.' },
      { type: 'run-end', time, outcome: 'cancelled', sources: [], steps: 3, ms: 900 },
    );
    await settle(view);
    assert.equal(await page.evaluate('String(getSelection())'), 'Searching');
    assert.match((await page.locator('.state').textContent())!, /Stopped/);
  });

  it('follows a run at the end, and leaves a reader where they are', async () => {
    const view = await show(long(30, 300), 'running', { height: 500 });
    const { page, source } = view;
    const gap =
      'document.querySelector("main").scrollHeight - document.querySelector("main").scrollTop - document.querySelector("main").clientHeight';
    await settle(view);
    source.happen({ type: 'thought', time, step: 31, text: 'followed '.repeat(60) });
    await settle(view);
    assert.ok((await page.evaluate<number>(gap)) < 3);
    await page.evaluate('document.querySelector("main").scrollTop -= 900');
    await settle(view);
    const top = 'document.elementFromPoint(150, 250).closest("[data-step]").dataset.step';
    const before = await page.evaluate(top);
    for (const step of [32, 33]) source.happen({ type: 'thought', time, step, text: 'further '.repeat(60) });
    await settle(view);
    assert.equal(await page.evaluate(top), before);
    assert.equal(await page.locator('.new-steps').textContent(), '2 new steps');
    await page.locator('.new-steps').click();
    await settle(view);
    assert.equal(await page.locator('.new-steps').isVisible(), false);
    assert.equal(await page.evaluate('document.activeElement.dataset.step'), '33');
  });

  it('loads older steps as they come into sight, and unloads what is far', async () => {
    const view = await show(long(1000, 2000), 'ended');
    const { page } = view;
    await settle(view);
    assert.ok((await page.locator('.step').count()) <= 60);
    await page.evaluate('document.querySelector("main").scrollTop = 0');
    await until(view, `document.querySelector('[data-step="1"] .thought')?.textContent.includes('page 1,')`);
    await settle(view);
    assert.ok((await page.locator('.step').count()) <= 90);
    assert.equal((await page.locator('[data-step="1000"]').count()) <= 1, true);
  });

  it('keeps folds, draft and reading position over a reload', async () => {
    const view = await show(long(40, 900), 'ended');
    const { page, source } = view;
    await page.locator('[data-step="36"] .observed .fold').click();
    await page.locator('footer textarea').fill('half a question');
    await page.evaluate('document.querySelector("footer textarea").setSelectionRange(2, 6)');
    await page.locator('[data-step="36"]').focus();
    await page.evaluate('document.querySelector("main").scrollTop -= 200');
    await until(view, 'keptState()?.position');
    const kept = await page.evaluate<{ position: { step: number; offset: number } }>('keptState()');
    const again = await show(source.shown!.events, 'ended', { source, state: kept });
    await settle(again);
    assert.equal(await again.page.locator('[data-step="36"] .observed .fold').getAttribute('aria-expanded'), 'true');
    assert.equal(await again.page.locator('footer textarea').inputValue(), 'half a question');
    assert.equal(await again.page.evaluate('document.querySelector("footer textarea").selectionEnd'), 6);
    const card = again.page.locator(`[data-step="${kept.position.step}"]`);
    const frame = (await again.page.locator('main').boundingBox())!;
    const offset = (await card.boundingBox())!.y - frame.y;
    assert.ok(Math.abs(offset - kept.position.offset) < 4, `${offset} instead of ${kept.position.offset}`);
  });

  it('never scrolls sideways, at 240 pixels and at large sizes of text', async () => {
    const wide = [
      'x'.repeat(300),
      `https://example.org/${'path/'.repeat(100)}`,
      'QUJD'.repeat(1280),
      '没有空格的中文'.repeat(60),
    ].join(' ');
    const table = `|${'column|'.repeat(8)}\n|${'-|'.repeat(8)}\n|${'a value|'.repeat(8)}\n\n\`\`\`\n${'code '.repeat(40)}\n\`\`\``;
    const events: TraceEvent[] = [
      { ...answered[0]!, question: wide.slice(0, 900) } as TraceEvent,
      { type: 'thought', time, step: 1, text: wide },
      { type: 'action', time, step: 1, tool: 'Search', input: wide.slice(0, 700) },
      {
        type: 'observation',
        time,
        step: 1,
        text: wide,
        ok: true,
        ms: 1,
        document: { title: wide.slice(0, 300), url: 'https://a.example/', fetchedAt: time, hash: '' },
      },
      { type: 'run-end', time, outcome: 'answered', answer: `${wide}\n\n${table}`, sources: [], steps: 1, ms: 1 },
    ];
    for (const fontSize of [13, 26]) {
      const { page } = await show(events, 'ended', { width: 240, fontSize });
      await page.locator('.observed .fold').click();
      for (const part of ['html', 'main', 'header']) {
        const [scroll, client] = await page.locator(part).evaluate((node) => [node.scrollWidth, node.clientWidth]);
        assert.ok(scroll! <= client!, `${part} at ${fontSize}: ${scroll} > ${client}`);
      }
      assert.ok(await page.locator('.scroll-box').evaluate((node) => node.scrollWidth > node.clientWidth));
    }
  });

  it('gives each paragraph its own direction and leaves the layout as it is', async () => {
    const arabic = 'ما هو محرك التحليل الذي صممه Charles Babbage؟';
    const events: TraceEvent[] = [
      { ...answered[0]!, question: arabic } as TraceEvent,
      { type: 'thought', time, step: 1, text: arabic },
      { type: 'action', time, step: 1, tool: 'Search', input: arabic },
      {
        type: 'run-end',
        time,
        outcome: 'answered',
        answer: `${arabic}\n\nEnglish \`code\`\n\n- بند`,
        sources: [],
        steps: 1,
        ms: 1,
      },
    ];
    const { page } = await show(events, 'ended');
    const direction = (selector: string) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('${selector}')].map((node) => getComputedStyle(node).direction)`,
      );
    assert.deepEqual(await direction('.markdown p'), ['rtl', 'ltr']);
    assert.deepEqual(await direction('.markdown li, h1, .thought'), ['rtl', 'rtl', 'rtl']);
    assert.deepEqual(await direction('.act, .step .body'), ['ltr', 'ltr']);
  });
});
