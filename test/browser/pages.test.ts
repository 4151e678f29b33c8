import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { PROJECT_ID } from '../support/accounts.ts';
import {
  checkDarkColours,
  checkLargeText,
  checkLooks,
  checkPage,
  checkPart,
  waitForPage,
} from './check-page.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import { DEVICE_NAMES } from './looks.ts';

const { service, enter, open } = await serveConsole();
const owner = await furnishAccount(service);
// It shares its email with another one.
const contact = await service.send({
  url: '/api/v1/contacts?q=ana.8&limit=1&sort=name',
  key: await service.key(owner.slug, 'all'),
});

/** Every page of a signed-in person: its address below the account, and its heading. */
const PAGES: [path: string, heading: string | RegExp][] = [
  ['/', 'Home'],
  [`/contacts/${contact.body.data[0].id}`, 'Ana Kaur 8'],
  ['/duplicates', 'Duplicates'],
  ['/contacts', 'Contacts'],
  ['/pipeline', 'Pipeline'],
  ['/audit', 'Audit'],
  ['/settings/account', 'Account'],
  ['/stock/projects', 'Projects'],
  [`/stock/projects/${PROJECT_ID}`, 'Tūī Ridge'],
  [`/stock/projects/${PROJECT_ID}?tab=details`, 'Tūī Ridge'],
  [`/stock/projects/${PROJECT_ID}?tab=pictures`, 'Tūī Ridge'],
  [`/stock/projects/${PROJECT_ID}?tab=price-list`, 'Tūī Ridge'],
  [`/stock/projects/${PROJECT_ID}?tab=preview`, 'Tūī Ridge'],
  ['/settings/people', 'People'],
  ['/settings/tags', 'Tags'],
  ['/settings/keys', 'API keys'],
  ['/settings/webhooks', 'Webhooks'],
  ['/profile', 'Profile'],
  ['/import', 'Import'],
  ['/imports', 'Import log'],
  ['/stock', 'Stock'],
  [`/stock?look=levels&project=${PROJECT_ID}`, 'Stock'],
];

/** The pages before the sign-in: each address, and its heading. */
const OPEN_PAGES: [path: string, heading: string | RegExp][] = [
  ['/', 'Which account?'],
  [`/a/${owner.slug}/sign-in`, /^Sign in/],
  [`/a/${owner.slug}/start#offplan_link_none`, 'This link does not work any more'],
];

for (const device of DEVICE_NAMES)
  test(`each page keeps what every page promises on a ${device}`, withBrowser, async (t) => {
    const [stranger, session] = [
      await enter(t, { device }),
      await enter(t, { device, person: owner }),
    ];
    const visits = [
      ...OPEN_PAGES.map((each) => [stranger, ...each] as const),
      ...PAGES.map(([path, heading]) => [session, `/a/${owner.slug}${path}`, heading] as const),
    ];
    for (const [visitor, path, heading] of visits)
      await t.test(path.replace(owner.slug, ':slug'), async (each) => {
        const { page } = await visitor.open(each, path);
        await waitForPage(page, heading);
        await checkPage(page);
        await (device === 'desktop' ? checkLooks(page) : checkDarkColours(page));
        if (device === 'phone') {
          await checkLargeText(page);
          await page.setViewportSize({ width: 320, height: 568 });
          await checkLargeText(page);
        }
        await page.close();
      });
  });

/** Pages whose buttons open a menu or a panel. */
const WITH_MENUS: [path: string, heading: string][] = [
  ['/', 'Home'],
  [`/contacts/${contact.body.data[0].id}`, 'Ana Kaur 8'],
  ['/contacts', 'Contacts'],
  ['/stock', 'Stock'],
  ['/settings/keys', 'API keys'],
];

for (const device of DEVICE_NAMES)
  test(
    `the first eight menus and panels of a page keep what every page promises on a ${device}, and give the focus back`,
    withBrowser,
    async (t) => {
      const session = await enter(t, { person: owner, device });
      for (const [path, heading] of WITH_MENUS)
        await t.test(path.replace(/[\da-f-]{36}/, ':id'), async (each) => {
          const { page } = await session.open(each, `/a/${owner.slug}${path}`);
          await waitForPage(page, heading);
          const buttons = page.locator('button[aria-haspopup]:visible');
          // A contact has many more: the provenance of each value.
          const count = Math.min(await buttons.count(), 8);
          assert.ok(count > 0, 'a page has the menu of the account at least');
          for (let at = 0; at < count; at += 1) {
            const button = buttons.nth(at);
            await button.focus();
            await page.keyboard.press('Enter');
            await page.locator('.popup-panel :focus').waitFor();
            await checkPart(page, '.popup-panel');
            await page.keyboard.press('Escape');
            await page.locator('.popup-panel').waitFor({ state: 'detached' });
            await until(() => button.evaluate((element) => element === document.activeElement));
          }
          await page.close();
        });
    },
  );

test(
  'a drawer that an address opens fits a phone with large text, and gives the focus to the heading',
  withBrowser,
  async (t) => {
    const key = await service.key(owner.slug, 'all');
    const { body } = await service.send({ url: '/api/v1/stock/units?limit=1', key });
    const path = `/a/${owner.slug}/stock?unit=${body.data[0].id}`;
    const { page } = await open(t, { person: owner, device: 'phone', path });
    await page.getByRole('dialog').getByText('History').waitFor();
    await checkLargeText(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('h1:focus').waitFor();
  },
);

test('a phone marks More while a page that only More leads to is open', withBrowser, async (t) => {
  const path = `/a/${owner.slug}/imports`;
  const { page } = await open(t, { person: owner, device: 'phone', path });
  const marked = page.locator('.bar [aria-current]');
  assert.equal(await marked.textContent(), 'More');
  await page.locator('.bar').getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  assert.deepEqual(await marked.allTextContents(), ['Contacts']);
});
