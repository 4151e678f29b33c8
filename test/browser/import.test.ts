import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { PROJECT_ID } from '../support/accounts.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { checkLooks, checkPage } from './check-page.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole, signIn } from './console.ts';
import { DEVICE_NAMES, type Device } from './looks.ts';

const { service, open } = await serveConsole();

/** Opens the page of imports in an account of its own. */
async function openImport(t: Parameters<typeof open>[0], device: Device = 'desktop') {
  const person = await furnishAccount(service, { contactCount: 1 });
  const key = await service.key(person.slug, 'all');
  const opened = await open(t, { person, device, path: `/a/${person.slug}/import` });
  await opened.page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
  const find = async (q: string) => {
    const url = `/api/v1/contacts?q=${encodeURIComponent(q)}`;
    return (await service.send({ url, key })).body.data;
  };
  const send = (payload: object) =>
    service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
  return { ...opened, person, find, send };
}

interface TestFile {
  name?: string;
  content: string | Buffer;
  type?: string;
}

async function choose(
  page: Page,
  { name = 'open-home.csv', content, type = 'text/csv' }: TestFile,
): Promise<void> {
  const file = { name, mimeType: type, buffer: Buffer.from(content) };
  await page.locator('input[type=file]').setInputFiles(file);
}

async function tryFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start the dry run' }).click();
  await page.getByText('would be new').waitFor();
}

/** Moves the focus by Tab to the control with this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement } = document;
      const labels = activeElement instanceof HTMLInputElement ? activeElement.labels : undefined;
      return labels?.[0]?.textContent ?? activeElement?.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  assert.fail(`Tab does not lead to ${name.source}`);
}

const countOf = (page: Page, what: string) =>
  page.locator('dl > div').filter({ hasText: what }).locator('dd').textContent();

test('an open-home list is imported by the keyboard alone', withBrowser, async (t) => {
  const { page, find } = await openImport(t);
  const choosing = page.waitForEvent('filechooser');
  await tabTo(page, /^Choose a file$/);
  await page.keyboard.press('Enter');
  const content = 'Name,Email,Rating,Buyer type\nTui Sample,tui@home.example,5,Owner\nNobody,,1,\n';
  const file = { name: 'open-home.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  await (await choosing).setFiles(file);

  await page.getByText('1 column is not recognized').waitFor();
  await checkPage(page, { isNavigated: false });
  await tabTo(page, /^Tags$/);
  await page.keyboard.type('Open home');
  await tabTo(page, /^Start the dry run$/);
  await page.keyboard.press('Enter');

  await page.getByText('would be new').waitFor();
  await page.locator('h2:focus').waitFor();
  await checkPage(page, { isNavigated: false });
  await tabTo(page, /^Import 2 rows$/);
  await page.keyboard.press('Enter');

  const report = page.getByRole('heading', { level: 2, name: 'What the import did' });
  await report.and(page.locator(':focus')).waitFor();
  await page.getByText('Why rows were refused').waitFor();
  await page.getByText('Values that were left out or changed').waitFor();
  await page.getByText('Buyer type "Owner" becomes Other.').waitFor();
  await page.getByRole('link', { name: 'Show the new contacts' }).waitFor();
  await checkPage(page, { isNavigated: false });
  await tabTo(page, /^Show the new contacts$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  await page.getByRole('rowheader', { name: 'Tui Sample' }).waitFor();
  await page.getByText('1 contact', { exact: true }).waitFor();
  const [contact] = await find('tui@home.example');
  assert.deepEqual(
    contact.tags.map(({ label }: { label: string }) => label),
    ['Open home'],
  );
});

test(
  'refused rows that come back corrected keep the columns and the tags that were chosen for their file',
  withBrowser,
  async (t) => {
    const { page, person, find } = await openImport(t);
    await choose(page, {
      name: 'Taupō – open home.csv',
      content:
        'Name,Email,Telefon\nTui Sample,tui@home.example,1\nJane Sample,jane(at)home.example,021 7\n',
    });
    await page.getByLabel('What “Telefon” becomes').selectOption({ label: 'Phone' });
    await page.getByLabel('Tags').fill('Open home');
    await tryFile(page);
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    // The step of the dry run has a link of this name, too, which finds no rows while the import runs.
    await page.getByRole('heading', { name: 'What the import did' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Refused rows as CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'Taupō – open home - refused rows.csv');
    const refused = await readFile(await download.path(), 'utf8');
    await page.goto(`/a/${person.slug}/import`);
    await choose(page, { name: 'corrected.csv', content: refused.replace('(at)', '@') });
    await page.getByText('All columns are recognized.').waitFor();
    assert.equal(await page.getByText('offplan_reason').count(), 0);
    await tryFile(page);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'What the import did' }).waitFor();
    const [jane] = await find('jane@home.example');
    assert.deepEqual([jane.phone, jane.tags[0]?.label], ['021 7', 'Open home']);
  },
);

test(
  '10,000 rows go in while the tab is closed; 37 are refused, one is fixed, and all are undone',
  withBrowser,
  async (t) => {
    const { page, context, find } = await openImport(t);
    const rows = Array.from({ length: 10_000 }, (_, index) => {
      const isWrong = index % 271 === 0;
      return `Person ${index},${isWrong ? 'no email' : `person.${index}@home.example`}`;
    });
    await choose(page, { content: `Name,Email\n${rows.join('\n')}\n` });
    await page.getByRole('button', { name: 'Start the dry run' }).click();
    await page.getByText('would be new').waitFor({ timeout: 60_000 });
    assert.equal(await countOf(page, 'would be new'), '9,963');
    assert.equal(await countOf(page, 'would be refused'), '37');
    await page.getByRole('button', { name: 'Import 10,000 rows' }).click();
    await page.getByText('It goes on when you close this page.').waitFor();
    const address = page.url();
    await page.close();

    const again = await context.newPage();
    await again.goto(address);
    await again.getByText('Why rows were refused').waitFor({ timeout: 60_000 });
    assert.equal(await countOf(again, 'new'), '9,963');
    await again.getByText('37 rows', { exact: true }).waitFor();
    const downloading = again.waitForEvent('download');
    await again.getByRole('link', { name: 'Refused rows as CSV' }).click();
    const report = await readFile(await (await downloading).path(), 'utf8');
    assert.equal(report.trimEnd().split('\n').length, 1 + 37);

    await again.getByRole('link', { name: 'Fix 37 rows' }).click();
    await again.getByText('37 imports').waitFor();
    await again.getByText('A click on the time opens the import.').waitFor();
    await again.getByRole('rowheader').first().click();
    await again.getByRole('button', { name: 'Fix and retry' }).click();
    const email = again.getByLabel('Email');
    assert.equal(await email.getAttribute('aria-invalid'), 'true');
    await email.fill('fixed@home.example');
    await again.getByRole('button', { name: 'Import with these values' }).click();
    await again.getByText('36 imports').waitFor();
    const messages = again.getByRole('status', { name: 'Messages' });
    await messages.getByText('The lead went in.').waitFor();
    await messages.getByRole('button', { name: 'Open the contact' }).click();
    await again.getByText('fixed@home.example').first().waitFor();
    assert.equal((await find('fixed@home.example')).length, 1);

    await again.goto(address);
    await again.getByRole('button', { name: 'Undo this import' }).click();
    const dialog = again.getByRole('dialog', { name: 'Undo this import?' });
    await dialog.getByText('What stays').waitFor();
    // One refused row was fixed: its contact is not in the count of the report.
    await dialog
      .getByText('The contacts of refused rows that went in later are erased, too.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Undo this import' }).click();
    await again
      .getByText(/The import is undone: 9,96\d contacts erased/)
      .waitFor({ timeout: 60_000 });
    // A row that is fixed now would add a contact to an import that is undone.
    assert.equal(await again.getByRole('link', { name: /^Fix / }).count(), 0);
    assert.equal((await find('person.1@home.example')).length, 0);
  },
);

test(
  'contacts that came in earlier, as their file says, are found from the report',
  withBrowser,
  async (t) => {
    const { page } = await openImport(t);
    await choose(page, { content: 'Name,Email,Created\nTui Sample,tui@home.example,2026-03-24\n' });
    await page.getByRole('button', { name: 'Start the dry run' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('link', { name: 'Show the new contacts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import log' }).waitFor();
    await page.getByText('1 import', { exact: true }).waitFor();
  },
);

test(
  'a script in the name of a file, its headers and its cells stays text',
  withBrowser,
  async (t) => {
    const { page } = await openImport(t);
    const script = '<img src=x onerror=alert(1)>';
    const content = `Email,${script}\n${script},${script}\u0007\n`;
    await choose(page, { name: `${script}.csv`, content });
    await page.getByRole('heading', { level: 1, name: `${script}.csv` }).waitFor();
    await page.getByRole('rowheader', { name: script }).waitFor();
    await tryFile(page);
    await page.getByText('Every row would be refused').waitFor();
    await page.getByRole('link', { name: 'All imports' }).click();
    await page.getByText(`${script}.csv`).waitFor();
    assert.equal(await page.locator('main img').count(), 0);
  },
);

test(
  'files as people have them are read, or the page says what would be right',
  withBrowser,
  async (t) => {
    const { page } = await openImport(t);
    const next = async (file: TestFile) => {
      await page.getByRole('link', { name: 'Import', exact: true }).click();
      await choose(page, file);
    };
    await choose(page, { name: 'list.xlsx', content: Buffer.from('PK\u0003\u0004rest') });
    await page.getByText('Save it as CSV UTF-8, which').waitFor();
    await next({ name: 'list.json', content: '[{"email":"a@home.example"}]' });
    await page.getByText('This is JSON.').waitFor();
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    await next({ name: 'logo.png', type: 'image/png', content: png });
    await page.getByText('This is a picture. Choose a table').waitFor();
    for (const content of [
      png,
      Buffer.from('%PDF-1.7\n'),
      Buffer.from('0000001866747970', 'hex'),
    ]) {
      await next({ name: 'list.csv', content });
      await page.getByText('This file is not text. Choose a table').waitFor();
    }
    const email = 'Email\na@home.example\n';
    for (const content of [`\uFEFF${email}`, email]) {
      await next({ content: Buffer.from(content, 'utf16le') });
      await page.getByRole('rowheader', { name: 'Email' }).waitFor();
    }
    await next({ content: Buffer.from('Email,First Name\na@home.example,Andr\u00e9\n', 'latin1') });
    await page.getByText('André').waitFor();
    await page.getByText('The file is not UTF-8').waitFor();
    await next({
      content: 'Buyers,\n,\nFull name,E-mail Address\n"Ngata, Aroha",a@home.example\n',
    });
    await page.getByRole('rowheader', { name: 'E-mail Address' }).waitFor();
    assert.ok(await page.getByLabel('Full names have the last name first').isChecked());
    await next({ content: 'Project,Lot,Price\nRidge Road,1,"$839,000"\n' });
    await page.getByText('This looks like a price list').waitFor();
    await next({ content: 'Email,Created\na@home.example,3/4/2026\n' });
    await page.getByText('The dates of this file can be read in more than one way').waitFor();
    await page.getByLabel('How dates are written').selectOption('dmy');
    await page.reload();
    assert.equal(await page.getByLabel('How dates are written').inputValue(), 'dmy');
    await tryFile(page);
    for (const content of ['Email,Name\n', 'Email,Deleted\na@home.example,true\n']) {
      await next({ content });
      await tryFile(page);
      await page.getByText('The file has no rows to import.').waitFor();
    }
  },
);

test(
  'the columns and the values of all rows that are chosen outlive a reload and an ended session',
  withBrowser,
  async (t) => {
    const { page, person, context, find } = await openImport(t);
    await choose(page, {
      content: 'Name,Email,Budget range\nTui Sample,tui@home.example,Ponsonby\n',
    });
    const column = page.getByLabel('What “Budget range” becomes');
    const readChoices = async () => [
      await column.inputValue(),
      await page.getByLabel('Tags').inputValue(),
      await page.getByLabel('Source').inputValue(),
    ];
    await column.selectOption('Suburb');
    await page.getByLabel('Tags').fill('Open home');
    await page.getByLabel('Source').selectOption('Referral');
    const chosen = await readChoices();
    await page.reload();
    await column.waitFor();
    assert.deepEqual(await readChoices(), chosen);
    await context.clearCookies();
    await page.reload();
    await signIn(page, person);
    await column.waitFor();
    assert.deepEqual(await readChoices(), chosen);
    await tryFile(page);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'What the import did' }).waitFor();
    const [contact] = await find('tui@home.example');
    assert.deepEqual([contact.suburbName, contact.source], ['Ponsonby', 'Referral']);
  },
);

test(
  'an import says what all rows get, is stopped, continued to its end, and undone',
  withBrowser,
  async (t) => {
    const { page, find } = await openImport(t);
    const rows = Array.from({ length: 5_000 }, (_, index) => `Sample,p.${index}@home.example`);
    rows[0] = 'Sample,no email';
    await choose(page, { content: `Name,Email\n${rows.join('\n')}\n` });
    await page.getByLabel('Source').selectOption('Referral');
    await page.getByLabel('Tags').fill('Expo, Open home');
    await page.getByLabel('Project').selectOption({ label: 'Tūī Ridge' });
    await tryFile(page);
    await page.getByRole('button', { name: 'Import 5,000 rows' }).click();
    const chosen = page.getByText(
      'For all rows: Source Referral; Tags Expo, Open home; Project Tūī Ridge',
    );
    await chosen.waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The import was stopped. The rows that are done stay').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Refused rows as CSV' }).click();
    assert.match(await readFile(await (await downloading).path(), 'utf8'), /no email/);
    assert.equal((await find('p.4999@home.example')).length, 0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'What the import did' }).waitFor({ timeout: 60_000 });
    assert.equal(await countOf(page, 'new'), '4,999');
    await chosen.waitFor();
    assert.equal((await find('p.4999@home.example')).length, 1);
    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo this import' }).click();
    await page.getByText('The import is undone: 4,999 contacts').waitFor({ timeout: 60_000 });
  },
);

test('a dismissed refusal leaves the open imports, with its reason', withBrowser, async (t) => {
  const { page, send, person } = await openImport(t);
  await send({ email: 'a@home.example', unitId: PROJECT_ID });
  await page.goto(`/a/${person.slug}/imports`);
  await page.getByRole('rowheader').first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Dismiss' }).click();
  await drawer.getByLabel('Why').fill('A test of our website');
  await drawer.getByRole('button', { name: 'Dismiss' }).last().click();
  await page.getByText('1 import dismissed.').waitFor();
  await page.goto(`/a/${person.slug}/imports?show=refused`);
  await page.getByRole('rowheader').first().click();
  await drawer.getByText(/^Dismissed by Hana, /).waitFor();
  await drawer.getByText('A test of our website').waitFor();
});

test(
  'an import whose undo has failed offers to undo it again, and not to continue',
  withBrowser,
  async (t) => {
    const { page, find } = await openImport(t);
    await choose(page, { content: 'Name,Email\nTui Sample,tui@home.example\n' });
    await tryFile(page);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'What the import did' }).waitFor();
    // As if five processes had ended during the undo.
    const id = page.url().split('/').at(-1)?.split('?')[0];
    await run(service.db, 'update contact_files set attempts = 5 where id = $1', [id]);
    const undo = page.getByRole('button', { name: 'Undo this import' });
    await undo.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo this import' }).click();
    await page.getByText(/^The undo ended with a fault of the service/).waitFor();
    await checkPage(page, { isNavigated: false });
    assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 0);
    await undo.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo this import' }).click();
    await page.getByText('The import is undone: 1 contact erased.').waitFor();
    assert.equal((await find('tui@home.example')).length, 0);
  },
);

test('the cross of “Undo this import?” is in the corner on a phone', withBrowser, async (t) => {
  const { page } = await openImport(t, 'phone');
  await choose(page, { content: 'Name,Email\nTui Sample,tui@home.example\n' });
  await tryFile(page);
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByRole('button', { name: 'Undo this import' }).click();
  const cross = await page.getByRole('button', { name: 'Close' }).boundingBox();
  assert.ok(cross !== null && cross.width < 60, JSON.stringify(cross));
});

test(
  'the row of a later file says that its contact is gone after the earlier file is undone',
  withBrowser,
  async (t) => {
    const { page, person } = await openImport(t);
    const addresses: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      await page.goto(`/a/${person.slug}/import`);
      await choose(page, { content: 'Email\na@home.example\n' });
      await page.getByRole('button', { name: 'Start the dry run' }).click();
      await page.getByRole('button', { name: 'Import 1 row' }).click();
      await page.getByRole('heading', { name: 'What the import did' }).waitFor();
      addresses.push(page.url());
    }
    await page.goto(`/a/${person.slug}/imports?show=merged`);
    const row = page.getByRole('rowheader').first();
    await row.click();
    await page.getByRole('link', { name: 'Open the contact' }).waitFor();
    await page.goto(addresses[0] ?? assert.fail());
    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo this import' }).click();
    await page.getByText(/The import is undone: 1 contact erased/).waitFor();
    await page.goto(`/a/${person.slug}/imports?show=merged`);
    await row.click();
    await page.getByText('The contact was erased later.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Open the contact' }).count(), 0);
  },
);

test('a dry run that cannot be stopped says why', withBrowser, async (t) => {
  const { page } = await openImport(t);
  await choose(page, { content: 'Name,Email\nTui Sample,tui@home.example\n' });
  const start = page.getByRole('button', { name: 'Start the dry run' });
  await start.waitFor();
  // The page then does not learn that the dry run is over.
  await page.route(/contact-files\/[^/]+(\/stop)?$/, (route) =>
    route.fulfill({ status: 502, body: '' }),
  );
  await start.click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('The service could not be reached. Check your').waitFor();
});

test('the days of the import log are those of the account', withBrowser, async (t) => {
  const { page, person } = await openImport(t);
  // No hour of the browser, which is in Auckland, has the same date as there.
  const timeZone = 'Etc/GMT+12';
  const key = await service.key(person.slug, 'all');
  const payload = { timeZone };
  const url = '/api/v1/organization';
  const changed = await service.send({ method: 'PATCH', url, key, payload });
  assert.equal(changed.status, 200, changed.text);
  const readDay = () => new Intl.DateTimeFormat('sv-SE', { timeZone }).format();
  const days = new URLSearchParams({ show: 'all', from: readDay(), to: readDay() });
  await page.goto(`${page.url()}s?${days}`);
  await page.getByText('2 imports', { exact: true }).waitFor();
});

test('a day of the import log is typed, digit by digit', withBrowser, async (t) => {
  const { page } = await openImport(t);
  await page.goto(`${page.url()}s?from=0002-11-11`);
  await page.getByText('1 import', { exact: true }).waitFor();
  await page.getByLabel('Received until').pressSequentially('11112020');
  await page.waitForURL(/to=2020-11-11/);
  await page.getByText('0 imports', { exact: true }).waitFor();
});

test('why leads are refused is said in the words of their columns', withBrowser, async (t) => {
  const { page, send } = await openImport(t);
  await choose(page, { content: `Email,Tags\nb@home.example,${'x'.repeat(1_001)}\n` });
  await page.getByRole('button', { name: 'Start the dry run' }).click();
  await page.getByText('Tags must have labels of at most 100 characters.').waitFor();
  const refused = await send({ email: 'a@home.example', unitId: PROJECT_ID });
  assert.equal(refused.status, 422, refused.text);
  await page.goto(page.url().replace(/\/import\/.*/, '/imports'));
  await page.getByText('Unit needs “Project”: the project that').first().waitFor();
});

test('the selection of imports ends when Back leads to another filter', withBrowser, async (t) => {
  const { page, send } = await openImport(t);
  await send({ email: 'a@home.example', unitId: PROJECT_ID });
  await page.goto(page.url().replace(/\/import\b.*/, '/imports?show=all'));
  await page.getByRole('rowheader').first().waitFor();
  await page.getByLabel('Show').selectOption('Refused and open');
  await page.getByRole('row').nth(1).getByRole('checkbox').click();
  await page.getByText('1 selected').waitFor();
  await page.goBack();
  await until(async () => (await page.getByLabel('Show').inputValue()) === 'all');
  await page.getByText('1 selected').waitFor({ state: 'detached' });
});

test('the unit of a refused lead is chosen by its name', withBrowser, async (t) => {
  const { page, send, find } = await openImport(t);
  await send({ email: 'a@home.example', unitId: PROJECT_ID });
  await page.goto(page.url().replace(/\/import\b.*/, '/imports'));
  await page.getByRole('rowheader').first().click();
  await page.getByRole('button', { name: 'Fix and retry' }).click();
  await page.getByLabel('Project').selectOption('Tūī Ridge');
  await page.getByLabel('Unit', { exact: true }).selectOption('Townhouse 1');
  await page.getByRole('button', { name: 'Import with these values' }).click();
  await until(async () => (await find('a@home.example')).length === 1);
});

test(
  'the reason for a dismissal that is typed and not sent outlives a reload',
  withBrowser,
  async (t) => {
    const { page, send } = await openImport(t);
    const refused = await send({ email: 'a@home.example', unitId: PROJECT_ID });
    assert.equal(refused.status, 422, refused.text);
    await page.goto(`${page.url()}s`);
    await page.getByRole('rowheader').first().click();
    const drawer = page.getByRole('dialog');
    const reason = drawer.getByLabel('Why');
    await drawer.getByRole('button', { name: 'Dismiss' }).click();
    await reason.fill('A test of our website');
    await page.reload();
    await drawer.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await reason.inputValue(), 'A test of our website');
    await drawer.getByRole('button', { name: 'Cancel' }).click();
    await drawer.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await reason.inputValue(), '');
  },
);

test(
  'Cancel ends an upload, and the button that chooses a file gets the focus',
  withBrowser,
  async (t) => {
    const { page } = await openImport(t);
    // The service does not answer.
    await page.route('**/api/v1/contact-files*', (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    );
    await choose(page, { content: 'Email\na@home.example\n' });
    await page.getByRole('button', { name: 'Cancel the upload' }).focus();
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Choose a file' });
    await until(() => button.evaluate((element) => element === document.activeElement));
    assert.equal(await page.getByText('open-home.csv').count(), 0);
  },
);

for (const device of DEVICE_NAMES)
  test(
    `the columns of a file and a refused lead keep what pages promise on a ${device}`,
    withBrowser,
    async (t) => {
      const { page } = await openImport(t, device);
      await choose(page, {
        content: 'Work email,Personal email,Shoe size\na@home.example,b@home.example,42\n',
      });
      await page.getByText('are both email').waitFor();
      await checkPage(page, { isNavigated: false });
      if (device === 'desktop') await checkLooks(page);
      await page.goto(page.url().replace(/\/import\/.*/, '/imports'));
      await page
        .getByText(/must be an email address/)
        .first()
        .waitFor();
      if (device === 'phone') await page.getByRole('rowheader').first().tap();
      else await page.getByRole('rowheader').first().click();
      await page.getByRole('button', { name: 'Fix and retry' }).click();
      await page.getByRole('textbox', { name: 'Email' }).waitFor();
      await checkPage(page, { isNavigated: false });
      if (device === 'desktop') await checkLooks(page);
    },
  );

test('the link to an import that is gone says so', withBrowser, async (t) => {
  const { page, person, watch } = await openImport(t);
  watch.allow(/404/);
  for (const path of [`import/${PROJECT_ID}`, `imports?id=${PROJECT_ID}`]) {
    await page.goto(`/a/${person.slug}/${path}`);
    await page.getByText('It is gone, or you may not see it.').waitFor();
  }
});

test(
  'refused rows that come back corrected take the tags of their own file, not those of a later one',
  withBrowser,
  async (t) => {
    const { page, person, find } = await openImport(t);
    async function tryRows(name: string, row: string, tag: string): Promise<void> {
      await page.goto(`/a/${person.slug}/import`);
      await choose(page, { name, content: `Name,Email\nTui Sample,tui@home.example\n${row}\n` });
      await page.getByLabel('Tags').fill(tag);
      await tryFile(page);
    }
    await tryRows('saturday.csv', 'Jane Sample,jane(at)home.example', 'Open home');
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'What the import did' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Refused rows as CSV' }).click(),
    ]);
    const refused = await readFile(await download.path(), 'utf8');
    await tryRows('newsletter.csv', 'Rewi Sample,rewi@home.example', 'Newsletter');
    await page.goto(`/a/${person.slug}/import`);
    await choose(page, {
      name: 'saturday - refused rows (1).csv',
      content: refused.replace('(at)', '@'),
    });
    await tryFile(page);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'What the import did' }).waitFor();
    const [jane] = await find('jane@home.example');
    assert.deepEqual(
      jane.tags.map(({ label }: { label: string }) => label),
      ['Open home'],
    );
  },
);

test('a column with the name of a function is left out like others', withBrowser, async (t) => {
  const { page } = await openImport(t);
  await choose(page, { content: 'Email,constructor\njane@home.example,Fletcher\n' });
  const field = page.getByLabel('What “constructor” becomes');
  await page.getByText('1 column is not recognized').waitFor();
  assert.equal(await field.inputValue(), '');
  await tryFile(page);
});
