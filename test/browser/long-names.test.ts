import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountFile, PROJECT_ID } from '../support/accounts.ts';
import { addPerson } from '../support/people.ts';
import { until } from '../support/until.ts';
import { waitForPage } from './check-page.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import { DEVICE_NAMES, showInEachLook } from './looks.ts';

const { service, enter } = await serveConsole();
const LONG = 'Waimarie'.repeat(25);
const PRICE = 99_999_999_999.99;
/** A name that is written from right to left. */
const ARABIC = 'عبد العزيز الهاشمي '.repeat(8).trim();
const SHOWN_PRICE = '$99,999,999,999.99';
const owner = await addPerson(service, { role: 'owner' });
const file = accountFile(owner.slug);
await service.load({
  ...file,
  account: {
    ...file.account,
    organization: { ...file.account.organization, displayName: LONG },
  },
  projects: file.projects.flatMap((project) => [
    {
      ...project,
      name: LONG,
      suburbName: LONG,
      units: [
        {
          name: LONG,
          level: LONG.slice(0, 50),
          status: 'Available',
          price: PRICE,
          currency: 'NZD',
        },
      ],
    },
    { ...project, id: undefined, slug: 'other', name: `${LONG} other`, units: [] },
  ]),
  contacts: [
    {
      email: `ana@${'subdomain.'.repeat(12)}example`,
      firstName: LONG,
      companyName: LONG,
      stage: 'New',
      tags: [LONG.slice(0, 100)],
    },
    { email: 'aziz@leads.example', firstName: ARABIC, stage: 'New' },
  ],
});
const contact = await service.send({
  url: `/api/v1/contacts?limit=1&q=${LONG}`,
  key: await service.key(owner.slug, 'all'),
});

const PAGES: [path: string, heading: string | RegExp][] = [
  ['/', 'Home'],
  [`/contacts/${contact.body.data[0].id}`, LONG],
  ['/contacts', 'Contacts'],
  ['/pipeline', 'Pipeline'],
  ['/stock', 'Stock'],
  [`/stock?look=levels&project=${PROJECT_ID}`, 'Stock'],
  ['/stock?look=levels', 'Stock'],
  ['/stock/projects', 'Projects'],
  [`/stock/projects/${PROJECT_ID}?tab=details`, LONG],
  [`/stock/projects/${PROJECT_ID}?tab=pictures`, LONG],
  [`/stock/projects/${PROJECT_ID}?tab=price-list`, LONG],
  [`/stock/projects/${PROJECT_ID}?tab=preview`, LONG],
  ['/audit', 'Audit'],
  ['/settings/account', 'Account'],
  ['/settings/tags', 'Tags'],
];

/** Waits until the page was drawn twice: React follows a new width after the first time. */
const drawTwice = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });

test(
  'no page of 320 px or 1,024 px scrolls sideways when names have 200 characters',
  withBrowser,
  async (t) => {
    const session = await enter(t, { person: owner, device: 'phone' });
    for (const [path, heading] of PAGES)
      await t.test(path.replace(/[\da-f-]{36}/, ':id'), async (each) => {
        const { page } = await session.open(each, `/a/${owner.slug}${path}`);
        await page.setViewportSize({ width: 320, height: 640 });
        await waitForPage(page, heading);
        const readWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(await readWidth(), 320);
        await page.setViewportSize({ width: 1024, height: 768 });
        await page.evaluate(drawTwice);
        assert.equal(await readWidth(), 1024);
        await page.close();
      });
  },
);

test(
  'a unit with a name of 200 characters shows its whole price on a phone',
  withBrowser,
  async (t) => {
    const session = await enter(t, { person: owner, device: 'phone' });
    const { page } = await session.open(t, `/a/${owner.slug}/stock`);
    await waitForPage(page, 'Stock');
    const price = page.getByRole('row').getByText(`· ${SHOWN_PRICE}`);
    await price.waitFor();
    const { left, right, isCut } = await price.evaluate((element) => {
      const box = element.getBoundingClientRect();
      const isCut = element.scrollWidth > element.clientWidth;
      return { left: box.left, right: box.right, isCut };
    });
    assert.ok(left >= 0 && right <= 390, `from ${left} to ${right} px`);
    assert.equal(isCut, false);
  },
);

for (const device of DEVICE_NAMES)
  test(
    `the drawer of a unit, and what Ctrl K finds, fit a ${device} when names have 200 characters`,
    withBrowser,
    async (t) => {
      const session = await enter(t, { person: owner, device });
      const { page } = await session.open(t, `/a/${owner.slug}/stock`);
      const name = page.getByRole('rowheader', { name: LONG }).first();
      const checkDialog = async (part: string) => {
        const excess = await page
          .locator(part)
          .evaluate((element) => element.scrollWidth - element.clientWidth);
        assert.equal(excess, 0, `${part} scrolls sideways`);
      };
      await name.waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('Waimarie');
      await page.locator('.palette-hit').filter({ hasText: LONG }).first().waitFor();
      await checkDialog('.palette-list');
      await page.keyboard.press('Escape');
      await name.click();
      await page.getByRole('dialog').getByRole('link', { name: LONG }).waitFor();
      await checkDialog('dialog[open]');
    },
  );

test('a pointer over a cell that cuts its text shows the whole text', withBrowser, async (t) => {
  const session = await enter(t, { person: owner });
  const { page } = await session.open(t, `/a/${owner.slug}/stock`);
  await waitForPage(page, 'Stock');
  const name = page.getByRole('rowheader', { name: LONG });
  await until(async () => {
    await name.hover();
    return (await name.getAttribute('title')) === LONG;
  });
});

test(
  'a card of the board shows three lines of a long name, and all of it to a pointer',
  withBrowser,
  async (t) => {
    const session = await enter(t, { person: owner });
    const { page } = await session.open(t, `/a/${owner.slug}/pipeline`);
    const link = page.getByRole('link', { name: LONG });
    await link.waitFor();
    assert.equal(await link.getAttribute('title'), LONG);
    const lines = await link.evaluate(
      (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    assert.equal(lines, 3);
  },
);

for (const device of DEVICE_NAMES)
  test(
    `a name that is written from right to left shows its beginning in a list on a ${device}`,
    withBrowser,
    async (t) => {
      const session = await enter(t, { person: owner, device });
      const { page } = await session.open(t, `/a/${owner.slug}/contacts`);
      const name = page.getByRole('rowheader', { name: ARABIC });
      await name.waitFor();
      const { first, cell } = await name.evaluate((element) => {
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
        const range = document.createRange();
        range.setStart(text ?? element, 0);
        range.setEnd(text ?? element, 1);
        const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
        return { first: letter.right, cell: box.right };
      });
      assert.ok(first <= cell, `the first letter ends at ${first} px, the cell at ${cell} px`);
    },
  );

test(
  'a name that is written from right to left shows its beginning, and the time beside it, in the audit on a phone',
  withBrowser,
  async (t) => {
    const session = await enter(t, { person: owner, device: 'phone' });
    const { page } = await session.open(t, `/a/${owner.slug}/audit`);
    const line = page.locator('.audit-line').filter({ hasText: ARABIC }).first();
    await line.waitFor();
    const name = line.locator('bdi').filter({ hasText: ARABIC });
    const { start, end, right } = await name.evaluate((element) => {
      const range = document.createRange();
      range.setStart(element.firstChild ?? element, 0);
      range.setEnd(element.firstChild ?? element, 1);
      const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return { start: letter.left - box.left, end: letter.right - box.right, right: box.right };
    });
    assert.ok(start >= 0 && end <= 0.5, `the first letter is ${start} and ${end} px off its box`);
    assert.ok(right <= 390, `the name ends at ${right} px`);
    const last = await line.locator(':scope > :last-child').boundingBox();
    assert.ok(last && last.x + last.width <= 390, JSON.stringify(last));
  },
);

test(
  'the audit shows the beginning of each name, and the time, at 320 px and with text of 200 %',
  withBrowser,
  async (t) => {
    const session = await enter(t, { person: owner, device: 'phone' });
    const { page } = await session.open(t, `/a/${owner.slug}/audit`);
    const line = page.locator('.audit-line').filter({ hasText: LONG }).first();
    // The list draws its rows anew after a change of its width.
    const untilAllShow = async (width: number): Promise<void> => {
      await page.setViewportSize({ width, height: 640 });
      await line.waitFor();
      await until(() =>
        line.locator('> *').evaluateAll(
          (parts, rightMax) =>
            parts.length > 0 &&
            parts.every((part) => {
              const { width: wide, right } = part.getBoundingClientRect();
              return right <= rightMax && (part.localName !== 'bdi' || wide >= 32);
            }),
          width,
        ),
      );
    };
    await untilAllShow(320);
    await showInEachLook(page, () => untilAllShow(390), ['text of 200 %']);
  },
);

test('the two lines of a row fit into it with text of 200 %', withBrowser, async (t) => {
  const session = await enter(t, { person: owner });
  const { page } = await session.open(t, `/a/${owner.slug}/contacts`);
  await page.getByRole('rowheader', { name: ARABIC }).waitFor();
  await showInEachLook(page, async (look) => {
    // Text of that size gives the list of a phone.
    if (look === 'text of 200 %')
      await page.locator('[role=rowheader] > a > span').first().waitFor();
    const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
    const excess = await rows.first().evaluate((row) => {
      const lines = [...row.querySelectorAll('[role=rowheader] > a > span')];
      const bottom = Math.max(0, ...lines.map((line) => line.getBoundingClientRect().bottom));
      return bottom - row.getBoundingClientRect().bottom;
    });
    assert.ok(excess <= 0, `${look}: ${excess} px below the row`);
  });
});
