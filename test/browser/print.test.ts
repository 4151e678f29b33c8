import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { PROJECT_ID } from '../support/accounts.ts';
import { SAME_ORIGIN } from '../support/people.ts';
import { furnishAccount } from './account.ts';
import { waitForPage } from './check-page.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const { service, open } = await serveConsole();
const owner = await furnishAccount(service);

test(
  'a page that is printed is black on white and has no navigation, also in dark colours',
  withBrowser,
  async (t) => {
    const path = `/a/${owner.slug}/stock/projects/${PROJECT_ID}?tab=price-list`;
    const { page } = await open(t, { person: owner, path });
    await waitForPage(page, 'Tūī Ridge');
    await page.getByRole('rowheader', { name: 'Townhouse 1' }).waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const readPaper = () =>
      page.evaluate(() => {
        const name = document.querySelector('.sheet-table tbody th');
        const card = document.createElement('div');
        card.className = 'card';
        document.body.append(card);
        const paper = {
          ink: name && getComputedStyle(name).color,
          page: getComputedStyle(document.documentElement).backgroundColor,
          card: getComputedStyle(card).backgroundColor,
        };
        card.remove();
        return paper;
      });
    const paper = { ink: 'rgb(0, 0, 0)', page: 'rgb(255, 255, 255)', card: 'rgb(255, 255, 255)' };
    assert.deepEqual(await readPaper(), paper);
    // A person who chose dark colours.
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    assert.deepEqual(await readPaper(), paper);
    for (const name of ['Home', 'Projects'])
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0);
  },
);

test('a dark logo is on white in a price list in dark colours', withBrowser, async (t) => {
  const person = await furnishAccount(service);
  const { context, page } = await open(t, { person });
  const path = `/a/${person.slug}/stock/projects/${PROJECT_ID}?tab=price-list`;
  const picture = await sharp({
    create: { width: 80, height: 20, channels: 3, background: '#101010' },
  })
    .png()
    .toBuffer();
  const stored = await context.request.post('/api/v1/media', {
    data: picture,
    headers: { 'content-type': 'image/png', ...SAME_ORIGIN },
  });
  assert.equal(stored.status(), 201, await stored.text());
  const { key } = (await stored.json()) as { key: string };
  await service.load({
    format: 'offplan-account/1',
    account: { slug: person.slug, organization: { logoImage: { key } } },
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(path);
  const logo = page.locator('.sheet-head img');
  const background = await logo.evaluate((image) => getComputedStyle(image).backgroundColor);
  assert.equal(background, 'rgb(255, 255, 255)');
});

test(
  'a price list has only the columns in which a unit has a value, and on paper no mark of its publication',
  withBrowser,
  async (t) => {
    const path = `/a/${owner.slug}/stock/projects/${PROJECT_ID}?tab=price-list`;
    const { page } = await open(t, { person: owner, path });
    await page.getByRole('rowheader', { name: 'Townhouse 1' }).waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    assert.deepEqual(heads, ['Name', 'Status', 'Beds', 'Price']);
    const publication = page.getByText('Live', { exact: true });
    await publication.waitFor();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await publication.isVisible(), false);
    await page.getByRole('columnheader', { name: 'Beds' }).waitFor();
  },
);

test(
  'a price list has no column in which only a unit that is not in the list has a value',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const { body } = await service.send({ url: '/api/v1/stock/units?sort=name', key });
    const url = `/api/v1/stock/units/${body.data[0].id}`;
    const payload = { status: 'Withdrawn', level: 3 };
    await service.send({ method: 'PATCH', url, key, payload });
    const path = `/a/${person.slug}/stock/projects/${PROJECT_ID}?tab=price-list`;
    const { page } = await open(t, { person, path });
    await page.getByRole('rowheader', { name: 'Townhouse 2' }).waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    assert.deepEqual(heads, ['Name', 'Status', 'Beds', 'Price']);
  },
);

test(
  'a price list breaks no type of a unit, on A4 and on a tablet, and cuts off no price',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const { body } = await service.send({ url: '/api/v1/stock/units?sort=name', key });
    const url = `/api/v1/stock/units/${body.data[0].id}`;
    const fields = { level: 1, bathrooms: 2, lotNumber: 'PU 1', unitType: 'Apartment' };
    const payload = {
      ...fields,
      status: 'Under Contract',
      name: 'Apartment 101',
      price: 1_395_000,
    };
    await service.send({ method: 'PATCH', url, key, payload });
    const path = `/a/${person.slug}/stock/projects/${PROJECT_ID}?tab=price-list`;
    const { page } = await open(t, { person, path });
    const type = page.getByRole('cell', { name: 'Apartment', exact: true });
    const countLines = () =>
      type.evaluate((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      });
    await page.setViewportSize({ width: 1024, height: 768 });
    await type.waitFor();
    assert.equal(await countLines(), 1);
    // A4 without the margins of the browser.
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    assert.equal(await countLines(), 1);
    const price = await page.getByRole('cell', { name: '$1,395,000' }).boundingBox();
    assert.ok(price !== null && price.x + price.width <= 718);
  },
);

test('a price list has rows of one height, whatever their status', withBrowser, async (t) => {
  const person = await furnishAccount(service);
  const key = await service.key(person.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/stock/units', key });
  const statuses = ['On Hold', 'Unconditional', 'Available'];
  for (const [index, status] of statuses.entries())
    await service.send({
      method: 'PATCH',
      url: `/api/v1/stock/units/${body.data[index].id}`,
      key,
      payload: { status },
    });
  const path = `/a/${person.slug}/stock/projects/${PROJECT_ID}?tab=price-list`;
  const { page } = await open(t, { person, path });
  const heights = await Promise.all(
    statuses.map(async (name) => {
      const row = page.getByRole('row').filter({ hasText: name }).first();
      // Half of a line between two rows belongs to each of them.
      return Math.ceil((await row.boundingBox())?.height ?? 0);
    }),
  );
  assert.equal(new Set(heights).size, 1, heights.join(', '));
});

test('a price list names a lot once', withBrowser, async (t) => {
  const person = await furnishAccount(service);
  const key = await service.key(person.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/stock/units?sort=name', key });
  const change = async (index: number, payload: object) =>
    service.send({
      method: 'PATCH',
      url: `/api/v1/stock/units/${body.data[index].id}`,
      key,
      payload,
    });
  await change(0, { name: 'Lot 1', lotNumber: 'Lot 1' });
  const path = `/a/${person.slug}/stock/projects/${PROJECT_ID}?tab=price-list`;
  const { page } = await open(t, { person, path, device: 'phone' });
  const row = page.getByRole('rowheader', { name: 'Lot 1' }).locator('..');
  assert.match(await row.innerText(), /^Lot 1\s+Available/);
  await change(1, { lotNumber: 'Lot 7' });
  await page.reload();
  await page.getByRole('cell', { name: 'Lot 7', exact: true }).waitFor();
});

test('Stock on paper says where all units can be printed', withBrowser, async (t) => {
  const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/stock` });
  await page.getByRole('rowheader', { name: 'Townhouse 1' }).waitFor();
  const way = page.getByText('The price list of a project prints all of them.');
  assert.equal(await way.isVisible(), false);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await way.isVisible(), true);
});

test('Stock on A4 shows the prices', withBrowser, async (t) => {
  const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/stock` });
  const price = page.getByRole('gridcell', { name: '$800,000' });
  await price.waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });
  const box = await price.boundingBox();
  // Browsers print margins of a centimetre.
  assert.ok(box !== null && box.x + box.width <= 718, JSON.stringify(box));
});

test('settings that are printed show their values', withBrowser, async (t) => {
  const path = `/a/${owner.slug}/settings/account`;
  const { page } = await open(t, { person: owner, path });
  await waitForPage(page, 'Account');
  const field = page.getByRole('textbox').first();
  await field.waitFor();
  await page.emulateMedia({ media: 'print' });
  assert.equal(await field.isVisible(), true);
});

test('a contact that is printed has no controls', withBrowser, async (t) => {
  const key = await service.key(owner.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/contacts?q=mere%40leads.example', key });
  const { page } = await open(t, {
    person: owner,
    path: `/a/${owner.slug}/contacts/${body.data[0].id}`,
  });
  await waitForPage(page, 'Mere');
  await page.getByRole('button', { name: /^Unlink/ }).waitFor();
  await page.emulateMedia({ media: 'print' });
  for (const role of ['combobox', 'textbox'] as const)
    assert.equal(await page.getByRole(role).count(), 0, role);
  assert.equal(await page.getByRole('button', { name: /^Unlink/ }).count(), 0);
  await page.getByText('mere@leads.example').first().waitFor();
});

test(
  'Home that is printed has the figures and the next contacts, without navigation and choices, and cuts no card',
  withBrowser,
  async (t) => {
    const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/` });
    await waitForPage(page, 'Home');
    const figure = page.getByRole('listitem').filter({ hasText: 'New leads, 7 days' });
    const next = page.getByRole('region', { name: 'My next' });
    await figure.getByRole('link', { name: /^\d+$/ }).waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    // The width of A4.
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await figure.getByRole('link', { name: /^\d+$/ }).waitFor();
    await next.waitFor();
    assert.equal(await page.getByRole('navigation').count(), 0);
    assert.equal(await page.getByRole('combobox').count(), 0);
    const paper = await page.evaluate(() => {
      const parts = [...document.querySelectorAll('.home .card, .home li, .home tr')];
      const { scrollWidth, clientWidth } = document.documentElement;
      return {
        cut: parts.flatMap((part) =>
          getComputedStyle(part).breakInside === 'avoid' ? [] : [part.className || part.tagName],
        ),
        dark: parts.flatMap((part) =>
          ['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'].includes(
            getComputedStyle(part).backgroundColor,
          )
            ? []
            : [part.className || part.tagName],
        ),
        excess: scrollWidth - clientWidth,
      };
    });
    assert.deepEqual(paper, { cut: [], dark: [], excess: 0 });
  },
);
