import assert from 'node:assert/strict';
import { test } from 'node:test';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const { service, open } = await serveConsole();
const EMAIL = 'ana.8@leads.example';

test(
  'two contacts are merged as the preview says, and the refused lead is retried',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
      service.send({ method, url: `/api/v1${path}`, key, ...(payload && { payload }) });
    const found = await send('GET', `/contacts?q=${encodeURIComponent(EMAIL)}&sort=name`);
    const [kept, duplicate] = found.body.data;
    await send('PATCH', `/contacts/${kept.id}`, { phone: '+64 21 555 0001', companyName: 'Kauri' });
    await send('PATCH', `/contacts/${duplicate.id}`, {
      phone: '+64 21 555 0002',
      cityName: 'Taupō',
    });
    const refused = await send('POST', '/contacts', { email: EMAIL, regionName: 'Waikato' });
    assert.equal(refused.status, 409);

    const { page } = await open(t, { person, path: `/a/${person.slug}/contacts/${duplicate.id}` });
    await page.getByText('Another contact has this email').waitFor();
    await page.getByRole('link', { name: 'Compare and merge' }).click();
    await page.getByRole('heading', { level: 1, name: 'Duplicates' }).waitFor();
    await page.getByText('1 refused lead', { exact: true }).waitFor();
    await page
      .getByRole('columnheader', { name: /Ana Kaur 8/ })
      .getByRole('radio')
      .check();
    const becomes = async (field: string) =>
      page
        .getByRole('row', { name: new RegExp(`^${field}`) })
        .getByRole('cell')
        .last()
        .textContent();
    await page.getByText('Phone: +64 21 555 0002, of Ana Kaur 9').waitFor();
    assert.equal(await becomes('Phone'), '+64 21 555 0001');
    assert.equal(await becomes('City'), 'Taupō · Filled');
    await page.getByText('This cannot be undone.').waitFor();
    const missing: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 404) missing.push(answer.url());
    });
    await page.getByRole('button', { name: 'Merge 2 contacts' }).click();

    await page.getByText('1 refused lead can be retried.').waitFor();
    await page.waitForFunction(
      () => document.activeElement?.textContent === 'Merged into Ana Kaur 8',
    );
    const { body } = await send('GET', `/contacts/${kept.id}`);
    assert.deepEqual(
      [body.phone, body.companyName, body.cityName],
      ['+64 21 555 0001', 'Kauri', 'Taupō'],
    );
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('1 lead went in').waitFor();
    const after = await send('GET', `/contacts/${kept.id}`);
    assert.equal(after.body.regionName, 'Waikato');

    assert.deepEqual(missing, []);
    await page.goto(`/a/${person.slug}/contacts/${duplicate.id}`);
    await page.getByRole('heading', { level: 1, name: 'This contact was merged' }).waitFor();
    await page.getByRole('link', { name: 'Open that contact' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ana Kaur 8' }).waitFor();
  },
);
