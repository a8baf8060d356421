import assert from 'node:assert/strict';
import { answered, long } from '../support/viewHarnessStory';
import { settle, show, time, until } from '../support/viewTests';

/** The real view in Chromium, with the real host side; only VS Code around it is missing. */
describe('the keyboard, finding and filtering', () => {
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

  it('keeps a filter while words are looked for', async () => {
    const view = await show(answered, 'ended', { height: 1600 });
    const { page } = view;
    await page.locator('[data-step="1"]').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('note g');
    await until(view, 'document.querySelector(".count").textContent.startsWith("1 of ")');
    await page.locator('search select').selectOption('errors');
    await settle(view);
    await settle(view);
    assert.equal(await page.locator('search select').inputValue(), 'errors');
    assert.equal(await page.locator('.step').count(), 1);
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
});
