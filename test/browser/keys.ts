import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';

const CONTROLS_MAX_COUNT = 100;

/** Presses Tab until a control has the focus. */
export const tabTo = (page: Page, control: Locator): Promise<void> =>
  pressUntil(page, 'Tab', control);

/** Presses Shift Tab until a control has the focus. */
export const tabBackTo = (page: Page, control: Locator): Promise<void> =>
  pressUntil(page, 'Shift+Tab', control);

async function pressUntil(page: Page, key: string, control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < CONTROLS_MAX_COUNT; presses++) {
    await page.keyboard.press(key);
    if (await control.evaluate((each) => each === document.activeElement)) return;
  }
  assert.fail(`${key} does not reach ${control.toString()}`);
}

/** Waits until a control has the focus: without one, the next Tab would begin at the top of the page. */
export async function checkFocus(page: Page, after: string): Promise<void> {
  await until(() => page.evaluate(() => document.activeElement !== document.body)).catch(() =>
    assert.fail(`the focus is lost after ${after}`),
  );
}
