import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../people.ts';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const { service, open } = await serveConsole();
const CONTROLS_MAX_COUNT = 60;

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < CONTROLS_MAX_COUNT; presses++) {
    await page.keyboard.press('Tab');
    if (await control.evaluate((each) => each === document.activeElement)) return;
  }
  assert.fail(`Tab does not reach ${control.toString()}`);
}

async function checkFocus(page: Page, after: string): Promise<void> {
  const tag = await page.evaluate(() => document.activeElement?.tagName);
  assert.notEqual(tag, 'BODY', `the focus is lost after ${after}`);
}

test(
  'a person signs in, finds a contact, sets the stage, writes a note and signs out by keys alone',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const { page } = await open(t, { path: `/a/${person.slug}/sign-in` });
    const heading = (name: string | RegExp) =>
      page.getByRole('heading', { level: 1, name }).waitFor();
    await tabTo(page, page.getByLabel('Email'));
    await page.keyboard.type(person.email);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading('Home');
    await checkFocus(page, 'signing in');

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Kaur 13');
    await page.getByRole('option', { name: /Ana Kaur 13/ }).waitFor();
    await page.keyboard.press('Enter');
    await heading('Ana Kaur 13');
    await checkFocus(page, 'the palette');

    await page.keyboard.press('s');
    await page.getByRole('menuitemradio', { name: 'Qualified' }).waitFor();
    await page.keyboard.type('Qua');
    await page.keyboard.press('Enter');
    await page.getByText('Stage saved').waitFor();
    await checkFocus(page, 'the stage');

    await page.keyboard.press('n');
    await page.keyboard.type('Wants a north-facing lot.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('listitem').getByText('Wants a north-facing lot.').waitFor();
    await checkFocus(page, 'the note');

    await tabTo(page, page.getByRole('button', { name: /account and profile$/ }));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await heading(/^Sign in/);
    await checkFocus(page, 'signing out');
  },
);
