import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import { PROJECT_ID } from '../support/accounts.ts';
import { addPerson } from '../support/people.ts';
import { drawFile } from '../support/pictures.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import type { Device } from './looks.ts';

const { service, open } = await serveConsole();

/** Opens a page of an account of its own. `read` asks the API for a project. */
async function openPage(t: Parameters<typeof open>[0], path: string, device: Device = 'desktop') {
  const person = await furnishAccount(service);
  const key = await service.key(person.slug, 'all');
  const { page } = await open(t, { person, device, path: `/a/${person.slug}${path}` });
  const read = async (id = PROJECT_ID) =>
    (await service.send({ url: `/api/v1/stock/projects/${id}`, key })).body;
  const patch = (payload: object, path = `projects/${PROJECT_ID}`) =>
    service.send({ method: 'PATCH', url: `/api/v1/stock/${path}`, key, payload });
  const readUnits = async () =>
    (await service.send({ url: '/api/v1/stock/units', key })).body.data as {
      id: string;
      name: string;
      price: number;
    }[];
  return { page, person, read, patch, readUnits };
}

/** Opens the dialog that takes cells of a spreadsheet. */
async function openPaste(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'What to do with the units' }).click();
  await page.getByRole('menuitem', { name: 'Paste from a spreadsheet' }).click();
}

test('an account without projects offers to add the first one', withBrowser, async (t) => {
  const person = await addPerson(service, { role: 'owner' });
  const key = await service.key(person.slug, 'all');
  const url = `/api/v1/stock/projects/${PROJECT_ID}`;
  await service.send({ method: 'POST', url: `${url}/unpublish`, key });
  const deleted = await service.send({ method: 'DELETE', url, key });
  assert.equal(deleted.status, 204, deleted.text);
  const { page } = await open(t, { person, path: `/a/${person.slug}/stock/projects` });
  await page.getByText('No projects yet. Add the first one, then its units.').waitFor();
  await page.getByRole('button', { name: 'Add a project' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Rātā Heights');
  await page.getByRole('button', { name: 'Make the draft' }).click();
  await page.getByRole('heading', { level: 1, name: 'Rātā Heights' }).waitFor();
});

test('Clear filters empties the search of the projects, too', withBrowser, async (t) => {
  const { page } = await openPage(t, '/stock/projects');
  const search = page.getByLabel('Search projects');
  await search.fill('Nowhere');
  await page.getByText('No project fits these filters.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('rowheader', { name: 'Tūī Ridge' }).waitFor();
  await until(async () => (await search.inputValue()) === '');
});

test('a new project is published when what it lacks is filled in', withBrowser, async (t) => {
  const { page, read } = await openPage(t, '/stock/projects');
  await page.getByRole('button', { name: 'Add a project' }).click();
  const address = page.getByLabel('Address on websites');
  await page.getByLabel('Name', { exact: true }).fill('Rātā Heights');
  assert.equal(await address.inputValue(), 'rata-heights');
  await address.fill('rata');
  await page.reload();
  await page.getByRole('button', { name: 'Add a project' }).click();
  assert.equal(await address.inputValue(), 'rata');
  await page.getByRole('button', { name: 'Make the draft' }).click();
  await page.getByRole('heading', { level: 1, name: 'Rātā Heights' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Suburb' }).click();
  await until(async () =>
    page.evaluate(() => document.activeElement?.getAttribute('name') === 'suburbName'),
  );
  const values = {
    Suburb: 'Onerahi',
    'Expected to be finished': '2028-06-30',
    'Website of the project': 'https://rata.example',
    Description: 'Nine homes above the bay.',
    Address: '4 Rata Street',
    City: 'Whangārei',
    'Postal code': '0112',
    Region: 'Northland',
    Latitude: '-35.73',
    Longitude: '174.33',
  };
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.reload();
  await page.getByText('10 fields changed, not saved').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await until(async () => (await read(id)).suburbName === 'Onerahi');
  await page.getByRole('button', { name: 'Publish' }).click();
  await until(async () => (await read(id)).publication === 'live');
});

for (const [before, way] of [
  ['draft', 'unpublish'],
  ['archived', 'archive'],
] as const)
  test(
    `Undo after Publish of a project that was ${before} brings that back`,
    withBrowser,
    async (t) => {
      const { page, read, person } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
      const key = await service.key(person.slug, 'all');
      const url = `/api/v1/stock/projects/${PROJECT_ID}/${way}`;
      await service.send({ method: 'POST', url, key });
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('The project is live').waitFor();
      assert.equal((await read()).publication, 'live');
      await page.getByRole('button', { name: 'Undo' }).click();
      await until(async () => (await read()).publication === before);
      await page.getByRole('button', { name: 'Publish' }).waitFor();
    },
  );

test('a field that two people change shows both values', withBrowser, async (t) => {
  const { page, read, patch } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=details`);
  await page.getByLabel('Suburb').fill('Mine');
  await patch({ suburbName: 'Theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' });
  await dialog.getByRole('row', { name: 'Suburb Theirs Mine' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByLabel('Suburb').inputValue(), 'Mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Use mine' }).click();
  await until(async () => (await read()).suburbName === 'Mine');
});

test('a change that arrives in the moment of saving is not overwritten', withBrowser, async (t) => {
  const { page, read, patch } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=details`);
  await page.getByLabel('Suburb').fill('Mine');
  // Save as soon as the page has read the change, before it can draw it.
  await page.evaluate(() => {
    type Read = (this: Response) => Promise<{ suburbName?: string }>;
    const answer = Response.prototype as { json: Read };
    const readJson = answer.json;
    answer.json = async function read() {
      const body = await readJson.call(this);
      if (body.suburbName === 'Theirs') void saveBeforeNextTask();
      return body;
    };
    async function saveBeforeNextTask(): Promise<void> {
      for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
      document.querySelector<HTMLElement>('.details-bar [type=submit]')?.click();
    }
  });
  await patch({ suburbName: 'Theirs' });
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' });
  await dialog.getByRole('row', { name: 'Suburb Theirs Mine' }).waitFor();
  assert.equal((await read()).suburbName, 'Theirs');
});

test(
  'pictures are uploaded, hostile ones are refused with a reason, and the arrow keys order them',
  withBrowser,
  async (t) => {
    const { page, read } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=pictures`);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    // Files on the disk: the browser would take long to get 20 MiB from the test.
    const folder = await mkdtemp(join(tmpdir(), 'offplan-pictures-'));
    t.after(() => rm(folder, { recursive: true }));
    const files = [
      ['first.jpg', await drawFile('image/jpeg')],
      ['plan.svg', svg],
      ['<b>page.png', svg],
      ['large.png', Buffer.alloc(20 * 2 ** 20 + 1)],
      ['second.png', await drawFile('image/png')],
    ] as const;
    for (const [name, content] of files) await writeFile(join(folder, name), content);
    await page.locator('input[type=file]').setInputFiles(files.map(([name]) => join(folder, name)));
    await page.getByText('2 pictures added').waitFor();
    await page.getByText('JPEG, PNG, WebP or AVIF, up to 20 MiB each.').waitFor();
    await page.getByText('large.png was refused. It has more than 20 MiB.').waitFor();
    await page.getByText('plan.svg was refused. Send it as JPEG').waitFor();
    await page.getByText('<b>page.png was refused. It is damaged').waitFor();
    assert.equal(await page.getByText('No text yet').count(), 2);
    await page.getByLabel('What it shows: Picture 1').fill('The bay');
    await page.keyboard.press('Enter');
    await until(async () => (await read()).galleryImages[0]?.alt === 'The bay');
    const description = page.getByLabel('What it shows: The bay');
    await description.waitFor();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await description.isVisible(), true, 'the description is printed');
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Move The bay' }).focus();
    await page.keyboard.press('ArrowRight');
    await until(async () => (await read()).galleryImages[1]?.alt === 'The bay');
    await page.getByRole('button', { name: 'What to do with The bay' }).click();
    await page.getByRole('menuitem', { name: 'Make it the main picture' }).click();
    await until(async () => (await read()).heroImage?.alt === 'The bay');

    for (const name of ['Remove the main picture', 'Dismiss']) {
      const button = page.getByRole('button', { name });
      await button.focus();
      await page.keyboard.press('Enter');
      await button.waitFor({ state: 'detached' });
      await page.locator('h1:focus').waitFor();
    }
  },
);

test(
  'a price list goes out and comes back: unchanged it changes nothing, edited it shows the difference first',
  withBrowser,
  async (t) => {
    const { page, readUnits } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=price-list`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    const list = await readFile(await download.path(), 'utf8');
    const send = (text: string) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'list.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(text),
      });
    await send(list);
    await page.getByText('This changes nothing.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const edited = list.replace(',800000,', ',"$842,000",').replace(',805000,', ',dear,');
    await send(edited.replace(',810000,', ',0,'));
    await page.getByText('2 rows are refused and left out').waitFor();
    await page.getByRole('row', { name: '4 Price Enter a price above 0' }).waitFor();
    const rule =
      'Price must be a number that means one thing, such as 849000; or empty, with a text such as POA in “Text in place of the price (priceDisplay)”.';
    await page.getByRole('row', { name: `3 Price ${rule}` }).waitFor();
    await page.getByRole('row', { name: 'Townhouse 1 Price $800,000 $842,000' }).waitFor();
    assert.equal((await readUnits())[0]?.price, 800_000, 'nothing is stored yet');
    await page.getByRole('button', { name: 'Change 1 unit' }).click();
    await page.getByText('1 unit changed').waitFor();
    assert.equal((await readUnits())[0]?.price, 842_000);
    await page.getByRole('cell', { name: '$842,000' }).waitFor();
  },
);

test('a price list of 5 MiB is refused with how large it may be', withBrowser, async (t) => {
  const { page } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=price-list`);
  const buffer = Buffer.alloc(5 * 2 ** 20, 'Townhouse 1,812000\n');
  await page
    .locator('#page input[type=file]')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
  await page.getByText('It is too large: it may have at most 4 MiB.').waitFor();
});

test(
  'a usual price list changes prices, as a file and pasted: its heads are Lot, Unit no and Price, and its prices $811k',
  withBrowser,
  async (t) => {
    const path = `/stock/projects/${PROJECT_ID}?tab=price-list`;
    const { page, readUnits } = await openPage(t, path);
    const buffer = Buffer.from('Unit,Price (NZD)\nTownhouse 2,$811k\nTownhouse 3,"2,5"\n');
    const file = { name: 'prices.csv', mimeType: 'text/csv', buffer };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('row', { name: 'Townhouse 2 Price $805,000 $811,000' }).waitFor();
    await page.getByText('1 row is refused and left out').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Units', exact: true }).click();
    await openPaste(page);
    await page.getByLabel('Cells').fill('Unit no.\tList price\nTownhouse 2\t$812k\n');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Change 1 unit' }).click();
    await until(async () => (await readUnits())[1]?.price === 812_000);
  },
);

test(
  'a price list that is sent back from a phone breaks no price, and says when somebody has changed a unit since',
  withBrowser,
  async (t) => {
    const path = `/stock/projects/${PROJECT_ID}?tab=price-list`;
    const { page } = await openPage(t, path, 'phone');
    const text =
      'name,version,price,priceDisplay\nTownhouse 1,,1650000,From $1650000\nTownhouse 2,9,1\n';
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.locator('input[type=file]').setInputFiles(file);
    const price = page.getByRole('cell', { name: '$1,650,000', exact: true });
    const countLines = (cell: Element) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    };
    assert.equal(await price.evaluate(countLines), 1);
    await page.getByRole('cell', { name: 'Somebody has changed the unit since.' }).waitFor();
    const names = page.getByRole('dialog').getByRole('rowheader', { name: 'Townhouse 1' });
    assert.equal(await names.count(), 2, 'each row names its unit');
  },
);

test(
  'an upload that a proxy answers with a 502 says that the service could not be reached',
  withBrowser,
  async (t) => {
    const { page } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=pictures`);
    await page.route('**/api/v1/media', (route) => route.fulfill({ status: 502, body: '' }));
    await page.locator('input[type=file]').setInputFiles({
      name: 'a.jpg',
      mimeType: 'image/jpeg',
      buffer: await drawFile('image/jpeg'),
    });
    await page.getByText('a.jpg was refused. The service could not be reached.').waitFor();
  },
);

/** Opens the pictures of a project that has two. */
async function openPictures(t: Parameters<typeof open>[0], device?: Device) {
  const path = `/stock/projects/${PROJECT_ID}?tab=pictures`;
  const { page, read } = await openPage(t, path, device);
  const buffer = await drawFile('image/jpeg');
  const other = await drawFile('image/png');
  await page.locator('input[type=file]').setInputFiles([
    { name: 'a.jpg', mimeType: 'image/jpeg', buffer },
    { name: 'b.png', mimeType: 'image/png', buffer: other },
  ]);
  await page.getByText('2 pictures added').waitFor();
  const readUrls = async (): Promise<string[]> =>
    (await read()).galleryImages.map(({ url }: { url: string }) => url);
  return { page, read, readUrls };
}

test('a finger drags a picture to another place', withBrowser, async (t) => {
  const { page, readUrls } = await openPictures(t, 'phone');
  const before = await readUrls();
  assert.equal(before.length, 2);
  const devTools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints });
  const handle = page.getByRole('button', { name: 'Move Picture 2' });
  // Both pictures are then in the window.
  await handle.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const from = await findMiddle(handle);
  const to = await findMiddle(page.getByRole('button', { name: 'Move Picture 1' }));
  await touch('touchStart', [from]);
  for (const part of [0.25, 0.5, 0.75, 1])
    await touch('touchMove', [
      { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) },
    ]);
  await touch('touchEnd', []);
  await until(async () => (await readUrls()).join() === before.toReversed().join());
});

interface Point {
  x: number;
  y: number;
}

/** Finds the middle of an element in the window. */
async function findMiddle(element: Locator): Promise<Point> {
  const { x, y, width, height } = (await element.boundingBox()) ?? assert.fail();
  return { x: x + width / 2, y: y + height / 2 };
}

test(
  'the text of a picture that could not be saved stays in its field, also after a reload',
  withBrowser,
  async (t) => {
    const { page, read } = await openPictures(t);
    const field = page.getByLabel('What it shows: Picture 1');
    await page.route('**/api/v1/stock/projects/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 502 }) : route.continue(),
    );
    await field.fill('The bay');
    await field.press('Enter');
    await page.getByText('The service could not be reached.').first().waitFor();
    assert.equal(await field.inputValue(), 'The bay');
    await page.getByText('This is not saved yet. Enter saves it, Escape discards it.').waitFor();
    await page.unroute('**/api/v1/stock/projects/*');
    await page.reload();
    assert.equal(await field.inputValue(), 'The bay');
    await field.press('Enter');
    await until(async () => (await read()).galleryImages[0].alt === 'The bay');
    await page.getByText('This is not saved yet.').waitFor({ state: 'detached' });
  },
);

test(
  'a picture that the project has is not added again, and removing one leaves the focus on the page',
  withBrowser,
  async (t) => {
    const { page, read } = await openPictures(t);
    const buffer = await drawFile('image/png');
    const twin = { name: 'twin.png', mimeType: 'image/png', buffer };
    await page.locator('input[type=file]').setInputFiles(twin);
    await page.getByText('1 picture added').waitFor();
    await page.locator('input[type=file]').setInputFiles(twin);
    await page.getByText('twin.png was refused. The project has this picture already.').waitFor();
    assert.equal((await read()).galleryImages.length, 3);
    await page.getByRole('button', { name: 'What to do with Picture 2' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('Pictures saved').waitFor();
    assert.equal((await read()).galleryImages.length, 2);
    await page.waitForFunction(() => document.activeElement !== document.body);
  },
);

test(
  'pictures that are added while others are sent wait, and go into the gallery',
  withBrowser,
  async (t) => {
    const { page, read } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=pictures`);
    const gate = Promise.withResolvers<undefined>();
    await page.route('**/api/v1/media', async (route) => {
      await gate.promise;
      await route.continue();
    });
    const add = async (type: 'image/jpeg' | 'image/png') =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a picture', mimeType: type, buffer: await drawFile(type) });
    await add('image/jpeg');
    await page.getByRole('progressbar').waitFor();
    await add('image/png');
    gate.resolve(undefined);
    await until(async () => (await read()).galleryImages.length === 2);
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
  },
);

test('a picture that was copied is pasted into the gallery', withBrowser, async (t) => {
  const { page, read } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=pictures`);
  await page.getByRole('button', { name: 'Choose pictures' }).waitFor();
  const paste = (base64: string, text?: string) =>
    page.evaluate(
      ([data, plain]) => {
        const bytes = Uint8Array.from(atob(data ?? ''), (each) => each.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
        if (plain !== undefined) clipboardData.setData('text/plain', plain);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      },
      [base64, text],
    );
  const picture = (await drawFile('image/png')).toString('base64');
  await paste(picture, 'Cells of a spreadsheet');
  await paste(picture);
  await page.getByText('1 picture added').waitFor();
  assert.equal((await read()).galleryImages.length, 1);
});

test('a drag that the browser cancels moves no picture afterwards', withBrowser, async (t) => {
  const { page } = await openPictures(t);
  const readOrder = () =>
    page
      .locator('[data-place] img')
      .evaluateAll((all) => all.map((img) => img.getAttribute('src')));
  const order = await readOrder();
  const handle = page.getByRole('button', { name: 'Move Picture 1' });
  await handle.hover();
  await page.mouse.down();
  await handle.dispatchEvent('pointercancel');
  await page.locator('[data-place="1"] img').hover({ force: true });
  assert.deepEqual(await readOrder(), order);
});

test(
  'a picture that is moved right before its tab is left keeps its place',
  withBrowser,
  async (t) => {
    const { page, readUrls } = await openPictures(t);
    const before = await readUrls();
    await page.getByRole('button', { name: 'Move Picture 2' }).press('ArrowLeft');
    await page.getByRole('link', { name: 'Details' }).click();
    await until(async () => (await readUrls()).join() === before.toReversed().join());
  },
);

test('cells from a spreadsheet change the units that they name', withBrowser, async (t) => {
  const { page, readUnits } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
  await openPaste(page);
  await page.getByLabel('Cells').fill('Name\tPrice\nTownhouse 2\t$811,000\n');
  await page.getByRole('button', { name: 'Preview' }).click();
  const row = page.getByRole('row', { name: 'Townhouse 2 Price $805,000 $811,000' });
  await row.waitFor();
  assert.equal(await page.locator('dialog :focus').count(), 1, 'the preview has the focus');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.locator('textarea:focus').waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await row.waitFor();
  await page.getByRole('button', { name: 'Change 1 unit' }).click();
  await until(async () => (await readUnits())[1]?.price === 811_000);
});

test('pasted cells of 27 columns have a choice for each column', withBrowser, async (t) => {
  const { page } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
  await openPaste(page);
  const heads = Array.from({ length: 24 }, (_, index) => `Other ${index}`);
  const cells = ['Unit', ...heads, 'Beds', 'Price'].join('\t');
  await page.getByLabel('Cells').fill(`${cells}\n`);
  await page.getByLabel('Column AA').selectOption('Level');
  assert.equal(await page.getByLabel('Column A', { exact: true }).inputValue(), 'name');
  assert.equal(await page.getByLabel('Column AA').inputValue(), 'level');
});

test(
  'a column that was chosen for some pasted cells is not that of other cells with another head',
  withBrowser,
  async (t) => {
    const { page } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
    await openPaste(page);
    const cells = page.getByLabel('Cells');
    const column = page.getByLabel('Column B');
    await cells.fill('Name\tNew\nTownhouse 2\t$811,000\n');
    await column.selectOption('Price');
    await cells.fill('Name\tNew\nTownhouse 2\t$812,000\n');
    assert.equal(await column.inputValue(), 'price');
    await cells.fill('Name\tBedrooms\nTownhouse 2\t4\n');
    assert.equal(await column.inputValue(), 'bedrooms');
  },
);

test('a pasted 7 is the unit of Lot 7', withBrowser, async (t) => {
  const { page, patch, readUnits } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
  const [unit] = await readUnits();
  await patch({ lotNumber: 'Lot 7' }, `units/${unit?.id}`);
  await openPaste(page);
  await page.getByLabel('Cells').fill('Lot\tPrice\n7\t$811,000\n');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('row', { name: 'Townhouse 1 Price $800,000 $811,000' }).waitFor();
});

test(
  'cells that are pasted and not applied outlive a reload, with the project and the columns that were chosen',
  withBrowser,
  async (t) => {
    const { page, readUnits } = await openPage(t, '/stock');
    const dialog = page.getByRole('dialog');
    const cells = dialog.getByLabel('Cells');
    const price = dialog.getByLabel('Column B');
    await openPaste(page);
    await dialog.getByLabel('Project').selectOption(PROJECT_ID);
    await cells.fill('Name\tNew\nTownhouse 2\t$811,000\n');
    await price.selectOption('Price');
    await page.reload();
    await openPaste(page);
    assert.equal(await cells.inputValue(), 'Name\tNew\nTownhouse 2\t$811,000\n');
    // The projects may come after the dialog.
    await until(async () => (await dialog.getByLabel('Project').inputValue()) === PROJECT_ID);
    assert.equal(await price.inputValue(), 'price');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('row', { name: 'Townhouse 2 Price $805,000 $811,000' }).waitFor();
    await page.reload();
    await openPaste(page);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Change 1 unit' }).click();
    await until(async () => (await readUnits())[1]?.price === 811_000);
    await openPaste(page);
    assert.equal(await cells.inputValue(), '');
  },
);

test(
  'pasted cells say why they cannot be compared again with a unit that has changed',
  withBrowser,
  async (t) => {
    const { page, patch, readUnits } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
    await openPaste(page);
    await page.getByLabel('Cells').fill('Name\tPrice\nTownhouse 1\t$811,000\n');
    await page.getByRole('button', { name: 'Preview' }).click();
    const change = page.getByRole('button', { name: 'Change 1 unit' });
    await change.waitFor();
    const [unit] = await readUnits();
    await patch({ price: 700_000 }, `units/${unit?.id}`);
    await change.click();
    await page.getByText('1 of 1 changed or deleted meanwhile').waitFor();
    await page.route('**/price-list.csv*', (route) => route.fulfill({ status: 502, body: '' }));
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('dialog').getByText('The service could not be reached.').waitFor();
    await page.unroute('**/price-list.csv*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('row', { name: 'Townhouse 1 Price $700,000 $811,000' }).waitFor();
  },
);

test('pasted cells with a price of 0 are refused with the reason', withBrowser, async (t) => {
  const { page, readUnits } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
  await openPaste(page);
  const cells = 'Name\tPrice\nTownhouse 1\t$0\nTownhouse 2\t$811,000\n';
  await page.getByLabel('Cells').fill(cells);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('1 row is refused and left out').waitFor();
  const row = '2 Price Townhouse 1, “$0”: Enter a price above 0';
  await page.getByRole('row', { name: row }).waitFor();
  await page.getByRole('button', { name: 'Change 1 unit' }).click();
  await until(async () => (await readUnits())[1]?.price === 811_000);
  assert.equal((await readUnits())[0]?.price, 800_000);
});

test(
  'a refused row of pasted cells has its line, after empty ones and without heads, its unit and its value',
  withBrowser,
  async (t) => {
    const { page } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
    await openPaste(page);
    const cells = page.getByLabel('Cells');
    await cells.fill('\n\nName\tPrice\nTownhouse 1\t$811,000\n\t\nTownhouse 2\t$0\n');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page
      .getByRole('row', { name: '6 Price Townhouse 2, “$0”: Enter a price above 0' })
      .waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await cells.fill('\nTownhouse 1\t$811,000\n\nTownhouse 2\t$0');
    await page.getByLabel('Column A').selectOption('Name');
    await page.getByLabel('Column B').selectOption('Price');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page
      .getByRole('row', { name: '4 Price Townhouse 2, “$0”: Enter a price above 0' })
      .waitFor();
  },
);

test('the sum over pasted prices counts a price that becomes empty', withBrowser, async (t) => {
  const { page } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
  await openPaste(page);
  await page.getByLabel('Cells').fill('Name\tPrice\nTownhouse 1\t\nTownhouse 2\t$811,000\n');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Together $1,605,000 → $811,000').waitFor();
});

test(
  'refused rows of pasted cells name the column as the page does, break no short word, and one unit stays as it is',
  withBrowser,
  async (t) => {
    const { page } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
    await openPaste(page);
    const rows = ['Townhouse 1\tAvailable', 'Townhouse 2\tAvailable', 'Townhouse 3\tSold'];
    rows.unshift('Name\tStatus');
    await page.getByLabel('Cells').fill(rows.join('\n'));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('1 row is refused and left out').waitFor();
    const row = page.getByRole('columnheader', { name: 'Row', exact: true });
    const why = page.getByRole('columnheader', { name: 'Why', exact: true });
    const measure = (head: typeof row) =>
      head.evaluate((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return text.getBoundingClientRect().height;
      });
    assert.equal(await measure(row), await measure(why), 'the word "Row" is on one line');
    await page.getByRole('row', { name: /^4 Status / }).waitFor();
    await page.getByText('1 unit stays as it is.').waitFor();
  },
);

test('a building is added by level and position, with its prices', withBrowser, async (t) => {
  const { page, readUnits } = await openPage(t, '/stock');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add units' }).click();
  await dialog.getByLabel('Project').selectOption(PROJECT_ID);
  await page.getByLabel('What to add').selectOption('building');
  await page.reload();
  await page.getByRole('button', { name: 'Add units' }).click();
  assert.equal(await page.getByLabel('What to add').inputValue(), 'building');
  await until(async () => (await dialog.getByLabel('Project').inputValue()) === PROJECT_ID);
  const status = dialog.getByLabel('Status');
  assert.equal(await status.locator('optgroup[label=Sold] option').count(), 3);
  await page.getByLabel('To level').fill('2');
  await page.getByLabel('Units on each level').fill('2');
  await page.getByLabel('Price of the first').fill('500,000');
  await page.getByLabel('More per level').fill('-500,000');
  await page.getByText('Enter a price above 0').waitFor();
  await page.getByLabel('More per level').fill('20,000');
  await page.getByLabel('More per position').fill('5,000');
  await page.getByRole('button', { name: 'Add 4 units' }).click();
  await page.getByText('4 units added').waitFor();
  const added = (await readUnits()).slice(-4).map(({ name, price }) => `${name} ${price}`);
  assert.deepEqual(added, [
    'Apartment 101 500000',
    'Apartment 102 505000',
    'Apartment 201 520000',
    'Apartment 202 525000',
  ]);
});

test(
  'a building or a unit whose names the project has already is added only after a warning',
  withBrowser,
  async (t) => {
    const { page, readUnits } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
    const add = async (how: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add units' }).click();
      await page.getByLabel('What to add').selectOption(how);
    };
    const warning = page.getByText('The project already has');
    await add('building');
    await page.getByText('These come after the units of the project').waitFor();
    assert.equal(await warning.count(), 0);
    await page.getByRole('button', { name: 'Add 12 units' }).click();
    await page.getByText('12 units added').waitFor();
    await add('building');
    await page.getByLabel('To level').fill('4');
    await page
      .getByText('The project already has 12 of these 16 names, such as Apartment 101.')
      .waitFor();
    await page.getByLabel('What to add').selectOption('one');
    await page.getByRole('textbox', { name: 'Name' }).fill('apartment 302 ');
    await page.getByText('The project already has a unit named apartment 302.').waitFor();
    const before = (await readUnits()).length;
    await page.getByRole('button', { name: 'Add 1 unit' }).click();
    await page.getByText('1 unit added').waitFor();
    assert.equal((await readUnits()).length, before + 1);
  },
);

test(
  'units that were added by mistake go with Undo, but one that was changed since stays',
  withBrowser,
  async (t) => {
    const { page, readUnits, patch } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
    const before = (await readUnits()).length;
    await page.getByRole('button', { name: 'Add units' }).click();
    await page.getByLabel('What to add').selectOption('building');
    await page.getByRole('button', { name: 'Add 12 units' }).click();
    await page.getByText('12 units added').waitFor();
    const { id } = (await readUnits()).at(-1) ?? assert.fail();
    await patch({ price: 1_000_000 }, `units/${id}`);
    let isOpen = false;
    await page.route('**/api/v1/stock/units/*', async (route) => {
      await until(() => Promise.resolve(isOpen));
      await route.continue();
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    const progress = page.getByText('Removing 12 units');
    await progress.waitFor();
    isOpen = true;
    await page.getByText('11 of 12 units removed again').waitFor();
    assert.equal(await progress.count(), 0);
    assert.equal((await readUnits()).length, before + 1);
  },
);

test(
  'the preview of a project has the date of its details, also west of Greenwich',
  withBrowser,
  async (t) => {
    const { page, person, patch } = await openPage(t, `/stock/projects/${PROJECT_ID}`);
    const key = await service.key(person.slug, 'all');
    await service.send({
      method: 'PATCH',
      url: '/api/v1/organization',
      key,
      headers: { 'if-match': '*' },
      payload: { timeZone: 'America/New_York' },
    });
    await patch({ estimatedCompletionDate: '2028-06-30' });
    await page.goto(`/a/${person.slug}/stock/projects/${PROJECT_ID}?tab=preview`);
    await page.getByText('30 June 2028').waitFor();
  },
);

test(
  'a field of a project that is typed while another one is saved stays',
  withBrowser,
  async (t) => {
    const { page, read } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=details`);
    const save = Promise.withResolvers<void>();
    await page.route('**/api/v1/stock/projects/*', async (route) => {
      if (route.request().method() === 'PATCH') await save.promise;
      await route.continue();
    });
    const suburb = page.getByLabel('Suburb');
    const city = page.getByLabel('City');
    await suburb.fill('Onerahi');
    await suburb.press('Enter');
    await suburb.fill('Onerahi East');
    await city.fill('Whangārei');
    save.resolve();
    await page.getByText('Suburb changed to Onerahi').waitFor();
    assert.deepEqual(
      [await suburb.inputValue(), await city.inputValue()],
      ['Onerahi East', 'Whangārei'],
    );
    await city.press('Enter');
    await until(async () => {
      const { suburbName, cityName } = await read();
      return suburbName === 'Onerahi East' && cityName === 'Whangārei';
    });
  },
);

test(
  'a picture that is refused after the person has left the pictures is named',
  withBrowser,
  async (t) => {
    const { page } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=pictures`);
    const sent = Promise.withResolvers<void>();
    await page.route('**/api/v1/media', async (route) => {
      await sent.promise;
      await route.fulfill({ status: 502, body: '' });
    });
    await page.locator('input[type=file]').setInputFiles({
      name: 'a.jpg',
      mimeType: 'image/jpeg',
      buffer: await drawFile('image/jpeg'),
    });
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByLabel('Suburb').waitFor();
    sent.resolve();
    await page.getByText('a.jpg was refused. The service could not be reached.').waitFor();
  },
);

test(
  'a picture is added although the person was on another page for minutes while it was sent',
  withBrowser,
  async (t) => {
    const { page, read } = await openPage(t, `/stock/projects/${PROJECT_ID}?tab=pictures`);
    await page.getByRole('button', { name: 'Choose pictures' }).waitFor();
    await page.clock.install();
    const left = Promise.withResolvers<void>();
    // Each file takes 55 s: a request ends after 60 s.
    await page.route('**/api/v1/media', async (route) => {
      await left.promise;
      await page.clock.fastForward(55_000);
      await route.continue();
    });
    const before = (await read()).galleryImages.length;
    const mimeType = 'image/jpeg';
    const others = Array.from({ length: 6 }, (_, at) => ({
      name: `${at}.jpg`,
      mimeType,
      buffer: Buffer.from('This is no picture.'),
    }));
    await page
      .locator('input[type=file]')
      .setInputFiles([...others, { name: 'a.jpg', mimeType, buffer: await drawFile(mimeType) }]);
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    left.resolve();
    await page.getByText('1 picture added').waitFor();
    assert.equal((await read()).galleryImages.length, before + 1);
  },
);

for (const [what, path, shown] of [
  ['Levels', `/stock?look=levels&project=${PROJECT_ID}`, '.level-unit'],
  ['the preview of a project', `/stock/projects/${PROJECT_ID}?tab=preview`, '.preview-page'],
] as const)
  test(`${what} stays when it cannot be read again`, withBrowser, async (t) => {
    const person = await furnishAccount(service);
    const { page, watch } = await open(t, { person, path: `/a/${person.slug}${path}` });
    watch.allow(/404/);
    const stream = Promise.withResolvers<Route>();
    await page.route('**/api/v1/events?*', (route) => stream.resolve(route), { times: 1 });
    await page.reload();
    await page.locator(shown).first().waitFor();
    const ended = await stream.promise;
    await page.route(/v1\/projects\/|\/units\?/, (route) => route.fulfill({ status: 404 }));
    const again = page.waitForResponse((response) => response.status() === 404);
    // The page reads all data again after a gap in the events.
    await ended.fulfill({ status: 503 });
    await again;
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator(shown).first().isVisible(), true);
  });
