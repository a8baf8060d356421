import assert from 'node:assert/strict';
import { answered, running } from '../support/viewHarnessStory';
import { settle, show, until } from '../support/viewTests';

/** The real view in Chromium, with the real host side; only VS Code around it is missing. */
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

  it('dims its button while there is nothing to send', async () => {
    const { page } = await show(answered, 'ended');
    const dimmed = () => page.locator('.composer .primary').getAttribute('aria-disabled');
    assert.equal(await dimmed(), 'true');
    await page.locator(box).fill(' \n');
    assert.equal(await dimmed(), 'true');
    await page.locator(box).fill('Who?');
    assert.equal(await dimmed(), null);
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
