import assert from 'node:assert/strict';
import { HandSource } from '../support/handSource';
import { answered, failed, limited, live, running } from '../support/viewHarnessStory';
import { settle, show, thirdStep, time, until } from '../support/viewTests';

/** The real view in Chromium, with the real host side; only VS Code around it is missing. */
describe('a run in the trace view', () => {
  it('shows a run from its question to its cited answer', async () => {
    const { page } = await show(answered, 'ended', { height: 2000 });
    assert.equal(await page.locator('h1').textContent(), answered[0]!.type === 'run-start' ? answered[0].question : '');
    assert.deepEqual(await page.locator('.step h2').allTextContents(), [
      'Step 11',
      'Step 22',
      'Step 33',
      'Step 44',
      'Step 5',
    ]);
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

  it('takes back what a broken stream wrote, and shows what is written anew', async () => {
    const view = await show(running, 'running', { live });
    const { page, source } = view;
    const thought = page.locator('[data-step="3"] .thought');
    assert.match((await thought.textContent())!, /^Searching the same title/);
    source.happen({ type: 'notice', time, step: 3, kind: 'retry', text: 'The connection broke off; trying again.' });
    await settle(view);
    assert.equal(await thought.isVisible(), false);
    source.happen(thirdStep('Thought 3: Another way.'));
    await settle(view);
    assert.equal(await thought.textContent(), 'Another way.');
    await page.reload();
    await page.waitForSelector('.step');
    assert.equal(await thought.textContent(), 'Another way.');
  });

  it('counts down to the next attempt, and keeps what the last one wrote at hand', async () => {
    const view = await show(running, 'running', { live });
    const { page, source } = view;
    const now = new Date().toISOString();
    const partial = 'Thought 3: I had almost';
    source.happen({ type: 'notice', time: now, step: 3, kind: 'retry', text: 'It broke off.', waitMs: 3000, partial });
    await until(view, `/Retry in 3 s/.test(document.querySelector('.state').textContent)`);
    await until(view, `/Retry in 2 s/.test(document.querySelector('.state').textContent)`);
    const pending = page.locator('[data-step="3"] .pending');
    assert.equal(await pending.textContent(), 'Waiting for the next attempt…');
    await until(view, `/Running/.test(document.querySelector('.state').textContent)`);
    await settle(view);
    assert.equal(await pending.textContent(), 'Waiting for the model…');
    const broken = page.locator('[data-step="3"] details');
    assert.equal(await broken.locator('pre').isVisible(), false);
    await broken.locator('summary').click();
    assert.equal(await broken.locator('pre').textContent(), partial);
  });

  it('shows that the model is waited for from the first moment of a step', async () => {
    const view = await show(running.slice(0, 1), 'running', { live: [{ ...thirdStep(''), step: 1 } as never] });
    assert.match((await view.page.locator('[data-step="1"]').textContent())!, /Waiting for the model…/);
    view.source.happen({ type: 'delta', time, step: 1, channel: 'reasoning', text: 'Let me see' });
    await settle(view);
    const card = view.page.locator('[data-step="1"]');
    assert.match((await card.textContent())!, /The model reasons…Let me see/);
    assert.equal(await card.locator('.pending').isVisible(), false);
  });

  it('shows the line that a model reasons at, until it writes its thought', async () => {
    const view = await show(running, 'running');
    const card = view.page.locator('[data-step="3"]');
    const last = card.locator('.last-line');
    const reason = (text: string) => view.source.happen({ type: 'delta', time, step: 3, channel: 'reasoning', text });
    reason(`First this.\n\n${'Then something long that fills more than a line of a narrow view. '.repeat(3)}At last`);
    await settle(view);
    assert.match((await last.textContent())!, /^Then something .* At last$/);
    const { height } = (await last.boundingBox())!;
    const bottom = (await last.locator('span').boundingBox())!;
    const { y } = (await last.boundingBox())!;
    assert.ok(height < 25 && bottom.height > height, 'one line is seen');
    assert.ok(Math.abs(bottom.y + bottom.height - y - height) < 2, 'it is the last');
    await card.locator('.fold').first().click();
    await settle(view);
    assert.equal(await last.isVisible(), false);
    assert.match((await card.locator('.reasoning .prose').textContent())!, /^First this/);
    await card.locator('.fold').first().click();
    view.source.happen(thirdStep('Thought 3: I see.'));
    await settle(view);
    assert.equal(await last.isVisible(), false);
    assert.equal(await card.locator('.reasoning .fold').textContent(), 'Reasoning');
  });

  it('estimates the next step while it is paused, and tells what a step cost', async () => {
    const { page } = await show(
      [...running.slice(0, -2), { type: 'control', time, step: 2, action: 'pause' }],
      'running',
    );
    assert.match(
      (await page.locator('.facts').textContent())!,
      /tok · \$[\d.]+\s*gpt-4.1-mini\s*next step about [\d,]+ tok · \$[\d.]+/,
    );
    assert.match((await page.locator('[data-step="1"] .took').getAttribute('title'))!, /^\$0\.\d+$/);
  });

  it('waits for the person before and after a step that is let through, and for the model in it', async () => {
    const view = await show(running.slice(0, 6), 'running');
    const { page, source } = view;
    const state = page.locator('.state');
    const pending = page.locator('[data-step="2"] .pending');
    const control = (action: 'pause' | 'single-step' | 'note', step: number) =>
      source.happen({ type: 'control', time, step, action });
    const estimate = async () => /next step about/.test((await page.locator('.facts').textContent())!);
    control('pause', 2);
    await settle(view);
    assert.equal(await state.textContent(), 'Paused');
    assert.equal(await pending.textContent(), 'Paused. Go on, or add a note for the model.');
    assert.ok(await estimate());
    control('single-step', 2);
    source.happen({ ...thirdStep(''), step: 2 } as never);
    await settle(view);
    assert.equal(await state.textContent(), 'Running');
    assert.equal(await pending.textContent(), 'Waiting for the model…');
    assert.equal(await estimate(), false);
    source.happen(...answered.filter((event) => 'step' in event && event.step === 2));
    await settle(view);
    assert.equal(await state.textContent(), 'Paused');
    control('note', 3);
    await settle(view);
    assert.equal(await state.textContent(), 'Paused');
    await page.reload();
    await page.waitForSelector('.step');
    assert.equal(await state.textContent(), 'Paused');
  });

  it('shows what was said before the model’s reply above its thought, while it is written too', async () => {
    const control = { type: 'control', time, step: 3, action: 'note', text: 'Try 1843' } as const;
    const retry = { type: 'notice', time, step: 3, kind: 'retry', text: 'It broke off.' } as const;
    const allow = { type: 'control', time, step: 3, action: 'allow' } as const;
    const view = await show([...running, control, retry], 'running', { live });
    const card = view.page.locator('[data-step="3"]');
    const order = /Your note: Try 1843It broke off\.(Reasoning)?Searching the same title/;
    assert.match((await card.textContent())!, order);
    const third = answered.filter((event) => 'step' in event && event.step === 3);
    view.source.happen(...third.slice(0, -1), allow, ...third.slice(-1));
    await settle(view);
    assert.match((await card.textContent())!, order);
    assert.match((await card.textContent())!, /Search.*You allowed this action\.Wikipedia/);
  });

  it('keeps Stop in its place, whatever the state beside it says', async () => {
    const view = await show(running, 'running', { live });
    const { page, source } = view;
    const stop = page.locator('.stop');
    const before = await stop.boundingBox();
    const inPlace = async () => assert.deepEqual(await stop.boundingBox(), before);
    await page.locator('.controls button').first().click();
    await until(view, `/Pausing after step 3/.test(document.querySelector('.state').textContent)`);
    await inPlace();
    await page.locator('.controls button').first().click();
    const now = new Date().toISOString();
    source.happen({ type: 'notice', time: now, step: 3, kind: 'retry', text: 'Busy.', waitMs: 3_599_000 });
    await until(view, `/Retry in 59 min/.test(document.querySelector('.state').textContent)`);
    await inPlace();
  });

  it('says which earlier questions go along with the next, and can leave them out', async () => {
    const source = new HandSource();
    source.viewSettings = { ...source.viewSettings, follows: 2 };
    const view = await show(answered, 'ended', { source });
    const { page } = view;
    assert.match((await page.locator('.follows').textContent())!, /^The 2 questions before and their answers go along/);
    assert.equal(await page.locator('.composer textarea').getAttribute('placeholder'), 'Ask a follow-up…');
    await page.locator('.follows button').click();
    assert.deepEqual(source.calls, [['command', 'new-question']]);
    source.change({ follows: 0, withholds: true });
    await until(view, `/^Earlier questions are not told/.test(document.querySelector('.follows').textContent)`);
    assert.equal(await page.locator('.follows button').count(), 0);
    const alone = await show(answered, 'ended');
    assert.equal(await alone.page.locator('.follows').isVisible(), false);
  });

  it('speaks of tokens only where a model reads some', async () => {
    const events = answered.map((event) => (event.type === 'model-reply' ? { ...event, usage: null } : event));
    const { page } = await show(events, 'ended');
    assert.match((await page.locator('.meta').textContent())!, /tokens unknown/);
    const partly = answered.map((event) =>
      event.type === 'model-reply' && event.step === 2
        ? { ...event, usage: null }
        : event.type === 'observation' && (event.step === 2 || event.step === 3)
          ? { ...event, cached: true }
          : event,
    );
    const { page: some } = await show(partly, 'ended');
    assert.match((await some.locator('.meta').textContent())!, /at least 3,742 tok/);
    assert.match((await some.locator('[data-step="3"] .took').textContent())!, / s · page from cache · 936 tok$/);
    assert.match((await some.locator('[data-step="2"] .took').textContent())!, / s · not run · tokens unknown$/);
    const rules = events.map((event) => (event.type === 'run-start' ? { ...event, provider: 'researcher' } : event));
    const { page: quiet } = await show(rules, 'ended');
    assert.doesNotMatch((await quiet.locator('body').textContent())!, /tokens/);
    assert.match((await quiet.locator('[data-step="1"] .took').textContent())!, /^model \S+ s · tool/);
  });

  it('offers a model where the rules found nothing, and to go on beside the key that was missing', async () => {
    const empty = answered.map((event) =>
      event.type === 'run-start'
        ? { ...event, provider: 'researcher' }
        : event.type === 'run-end'
          ? { ...event, found: false, answer: 'Not found.' }
          : event,
    );
    const lost = await show(empty, 'ended');
    await lost.page.locator('.answer >> text=Connect a model').click();
    assert.deepEqual(lost.source.calls, [['command', 'select-model']]);
    const locked = failed.map((event) =>
      event.type === 'run-end' && event.error
        ? { ...event, error: { ...event.error, action: 'set-key' as const } }
        : event,
    );
    const { page } = await show(locked, 'ended');
    assert.deepEqual(await page.locator('.answer .buttons').first().locator('button').allTextContents(), [
      'Set API key',
      'Resume',
      'Test connection',
    ]);
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

  it('offers what helps: after a failure, at a limit, after an interruption', async () => {
    const lost = await show(failed, 'ended');
    await lost.page.locator('text=Test connection').click();
    await lost.page.locator('text=Resume').click();
    assert.deepEqual(lost.source.calls, [
      ['command', 'test-connection'],
      ['resume', undefined],
    ]);
    const atOnce = await show(
      failed.filter(({ type }) => type !== 'action' && type !== 'observation'),
      'ended',
    );
    await atOnce.page.locator('text=Try again').click();
    assert.deepEqual(atOnce.source.calls, [['command', 'retry']]);
    const stopped = failed.map((event) =>
      event.type === 'run-end' ? { ...event, outcome: 'cancelled' as const, error: undefined } : event,
    );
    const halted = await show(stopped as typeof failed, 'ended');
    await halted.page.locator('.answer .primary').click();
    assert.deepEqual(halted.source.calls, [['resume', undefined]]);
    const beforeAnything = stopped.filter(({ type }) => type !== 'action' && type !== 'observation');
    const early = await show(beforeAnything as typeof failed, 'ended');
    assert.equal(await early.page.locator('.answer .primary').textContent(), 'Try again');
    await early.page.locator('.answer .primary').click();
    assert.deepEqual(early.source.calls, [['command', 'retry']]);
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
});
