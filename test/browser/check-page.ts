import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { showInEachLook } from './looks.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Axe would load the stylesheets again, which only a rule needs that is off by default, and media, which no page has.
const OPTIONS: RunOptions = { resultTypes: ['violations'], preload: false };
const COLOURS: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** Waits until a page shows its heading, and the data below it. */
export async function waitForPage(page: Page, heading: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.waitForFunction(
    () => document.querySelector('.skeleton, .frame-page [aria-busy=true]') === null,
  );
}

/** Goes to an address of the console as a link does, without loading it anew. */
export async function followAddress(
  page: Page,
  address: string,
  heading: string | RegExp,
): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address);
  await waitForPage(page, heading);
}

/** Holds a page to what every page promises. After a navigation its heading has the focus. */
export async function checkPage(page: Page, { isNavigated = true } = {}): Promise<void> {
  assert.equal(await page.locator('h1:visible').count(), 1, 'a page has one <h1>');
  if (isNavigated) await page.locator('h1:focus').waitFor();
  assert.deepEqual(await findFaults(page), []);
}

/** Holds a page to the same in the other looks: dark, in forced colours, with large text. */
export async function checkLooks(page: Page): Promise<void> {
  await showInEachLook(page, async (look) => assert.deepEqual(await findFaults(page), [], look));
}

/** Holds a page with large text, and with its tables open, to its width: neither it nor a part of it but a grid scrolls sideways. */
export async function checkLargeText(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll<HTMLDetailsElement>('.figure-table'))
      each.open = true;
  });
  const check = async () =>
    assert.deepEqual([...(await findExcess(page)), ...(await findWideParts(page))], []);
  await showInEachLook(page, check, ['text of 200 %']);
}

/** Finds the parts of a page with contents that stick out of them. */
const findWideParts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.card, .tile, .table, .button, .column-cards, dialog')].flatMap(
      ({ className, textContent, scrollWidth, clientWidth }) =>
        scrollWidth > clientWidth && clientWidth > 0
          ? [`${className} is ${scrollWidth} px wide in ${clientWidth} px: ${textContent}`]
          : [],
    ),
  );

/** Holds the colours of a page, or of the parts that match a selector, to the same in the dark look. */
export async function checkDarkColours(page: Page, part?: string): Promise<void> {
  const check = async () => assert.deepEqual(await findViolations(page, COLOURS, part), [], 'dark');
  await showInEachLook(page, check, ['dark']);
}

/** Holds the parts of a page that match a selector, such as an open dialog, to what every page promises, in light and dark. */
export async function checkPart(
  page: Page,
  part: string,
  { isDarkToo = true } = {},
): Promise<void> {
  // A popup is put into its place after it has opened.
  await until(async () => (await findExcess(page)).length === 0);
  assert.deepEqual([...(await findViolations(page, {}, part)), ...(await findSilent(page))], []);
  if (isDarkToo) await checkDarkColours(page, part);
}

/** Finds what axe does not allow, whether the page is wider than its window, and required fields that do not say whether they are invalid. */
async function findFaults(page: Page): Promise<string[]> {
  return [
    ...(await findExcess(page)),
    ...(await findViolations(page)),
    ...(await findSilent(page)),
  ];
}

/** Finds required fields without `aria-invalid`: a screen reader with Firefox calls them invalid while they are empty. */
const findSilent = (page: Page): Promise<string[]> =>
  page
    .locator(':required:not([aria-invalid])')
    .evaluateAll((fields) => fields.map(({ outerHTML }) => outerHTML));

async function findExcess(page: Page): Promise<string[]> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return excess > 0 ? [`the page scrolls sideways by ${excess} px`] : [];
}

/** Runs axe in a world of its own, where neither the page nor its policy sees it. */
async function findViolations(
  page: Page,
  options: RunOptions = {},
  part?: string,
): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  const evaluate = async (expression: string): Promise<unknown> => {
    const options = { expression, contextId, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  };
  // The world stays until the page loads anew.
  if (!(await evaluate(`'axe' in globalThis`))) await evaluate(`${axe}; undefined`);
  const given = JSON.stringify({ ...OPTIONS, ...options });
  const run = `axe.run(${part === undefined ? 'document' : JSON.stringify(part)}, ${given}).then(({ violations }) => violations)`;
  const violations = (await evaluate(run)) as AxeResults['violations'];
  await session.detach();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
}
