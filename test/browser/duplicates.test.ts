import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountFile } from '../support/accounts.ts';
import { addPerson } from '../support/people.ts';
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
    const left = page.getByRole('row', { name: /^Phone/ }).locator('s');
    assert.deepEqual(await left.allInnerTexts(), ['+64 21 555 0002']);
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

test(
  'when somebody else merges the contacts that are shown, no others come under the button',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const { page } = await open(t, { person, path: `/a/${person.slug}/duplicates` });
    await page.getByRole('button', { name: 'Merge 2 contacts' }).focus();
    const { body } = await service.send({ url: '/api/v1/contacts/duplicates', key });
    const [kept, duplicate] = body.data[0].contacts;
    const url = `/api/v1/contacts/${kept.id}/merge`;
    await service.send({ method: 'POST', url, key, payload: { duplicateIds: [duplicate.id] } });
    await page.getByText('These contacts are merged already').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Merge 2 contacts' }).count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
  },
);

test(
  'what is being written at a contact that somebody merges meanwhile waits at the contact that it became',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
      service.send({ method, url: `/api/v1${path}`, key, ...(payload && { payload }) });
    const found = await send('GET', `/contacts?q=${encodeURIComponent(EMAIL)}&sort=name`);
    const [kept, duplicate] = found.body.data;
    await send('POST', `/contacts/${duplicate.id}/activities`, { type: 'note', body: 'Called' });
    const { page } = await open(t, { person, path: `/a/${person.slug}/contacts/${duplicate.id}` });
    await page.getByRole('button', { name: 'Edit this note' }).click();
    await page.getByRole('textbox', { name: 'Write a note' }).last().fill('Called twice');
    await page.getByRole('textbox', { name: 'Write a note' }).first().fill('Half a sen');
    await page.getByRole('button', { name: 'Edit company:' }).click();
    await page.getByRole('textbox', { name: 'Company' }).fill('Kaur and Da');
    await send('POST', `/contacts/${kept.id}/merge`, { duplicateIds: [duplicate.id] });
    await page.getByRole('link', { name: 'Open that contact' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ana Kaur 8' }).waitFor();
    const texts = page.getByRole('textbox', { name: 'Write a note' });
    await texts.nth(1).waitFor();
    assert.equal(await texts.first().inputValue(), 'Half a sen');
    assert.equal(await texts.last().inputValue(), 'Called twice');
    await send('PATCH', `/contacts/${kept.id}`, { companyName: 'Theirs' });
    const company = page.getByRole('textbox', { name: 'Company' });
    assert.equal(await company.inputValue(), 'Kaur and Da');
    await company.press('Enter');
    await page.getByRole('button', { name: 'Use mine' }).click();
    await page.getByText(/^Company of .* changed to Kaur and Da/).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Note changed').waitFor();
  },
);

test(
  'the contact that is further on is proposed, and a field is taken from the other one',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const send = async (method: 'GET' | 'PATCH', path: string, payload?: object) =>
      service.send({ method, url: `/api/v1${path}`, key, ...(payload && { payload }) });
    const email = 'ana.18@leads.example';
    const found = await send('GET', `/contacts?q=${encodeURIComponent(email)}&sort=name`);
    const [lost, kept] = found.body.data;
    const own = { companyName: 'Kauri', cityName: 'Taupō', phone: '+64 21 555 0001' };
    await send('PATCH', `/contacts/${lost.id}`, { ...own, stage: 'Lost' });
    await send('PATCH', `/contacts/${kept.id}`, { phone: '+64 21 555 0002' });

    const path = `/a/${person.slug}/duplicates?email=${encodeURIComponent(email)}`;
    const { page } = await open(t, { person, path });
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
    const keep = page.getByRole('columnheader', { name: /Ana Kaur 19/ }).getByRole('radio');
    await keep.waitFor();
    assert.equal(await keep.isChecked(), true);
    await page.getByText('Phone: +64 21 555 0001, of Ana Kaur 18').waitFor();
    assert.equal(await row('Phone').getByRole('radio').last().isChecked(), true);
    await page.getByRole('radio', { name: 'Phone: +64 21 555 0001, from Ana Kaur 18' }).check();
    await page.getByText('Phone: +64 21 555 0002, of Ana Kaur 19').waitFor();
    assert.equal(await row('Phone').getByRole('cell').last().textContent(), '+64 21 555 0001');
    assert.equal(await row('City').getByRole('radio').count(), 0);
    await page.getByRole('button', { name: 'Merge 2 contacts' }).click();

    await page.getByRole('heading', { name: 'Merged into Ana Kaur 19' }).waitFor();
    const { body } = await send('GET', `/contacts/${kept.id}`);
    assert.deepEqual(
      [body.phone, body.companyName, body.cityName, body.stage],
      ['+64 21 555 0001', 'Kauri', 'Taupō', 'Settled'],
    );
  },
);

test(
  'the choices of a merge stay when somebody changes a contact meanwhile, and the newest values are merged',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const send = async (method: 'GET' | 'PATCH', path: string, payload?: object) =>
      service.send({ method, url: `/api/v1${path}`, key, ...(payload && { payload }) });
    const email = 'ana.18@leads.example';
    const found = await send('GET', `/contacts?q=${encodeURIComponent(email)}&sort=name`);
    const [other, kept] = found.body.data;
    await send('PATCH', `/contacts/${other.id}`, { stage: 'Lost', phone: '+64 21 555 0001' });
    await send('PATCH', `/contacts/${kept.id}`, { phone: '+64 21 555 0002' });

    const path = `/a/${person.slug}/duplicates?email=${encodeURIComponent(email)}`;
    const { page } = await open(t, { person, path });
    const keep = page.getByRole('columnheader', { name: /Ana Kaur 19/ }).getByRole('radio');
    await keep.waitFor();
    assert.equal(await keep.isChecked(), true);
    await page.getByRole('radio', { name: 'Phone: +64 21 555 0001, from Ana Kaur 18' }).check();
    // With these values, a page that is opened now proposes to keep the other contact.
    const change = { stage: 'Settled', companyName: 'Kauri', phone: '+64 21 555 0003' };
    await send('PATCH', `/contacts/${other.id}`, change);

    const phone = page.getByRole('radio', { name: 'Phone: +64 21 555 0003, from Ana Kaur 18' });
    await phone.waitFor();
    assert.equal(await phone.isChecked(), true);
    assert.equal(await keep.isChecked(), true);
    const becomes = page
      .getByRole('row', { name: /^Phone/ })
      .getByRole('cell')
      .last();
    await becomes.filter({ hasText: '+64 21 555 0003' }).waitFor();
    await page.getByRole('button', { name: 'Merge 2 contacts' }).click();

    await page.getByRole('heading', { name: 'Merged into Ana Kaur 19' }).waitFor();
    const { body } = await send('GET', `/contacts/${kept.id}`);
    assert.deepEqual([body.phone, body.companyName], ['+64 21 555 0003', 'Kauri']);
  },
);

test(
  'contacts of one name have different names on a phone and for a screen reader: the day on which each came in',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const shared = { email: 'ana@leads.example', firstName: 'Ana', lastName: 'Kaur' };
    await service.load({
      ...accountFile(person.slug),
      contacts: [
        { ...shared, phone: '+64 21 555 0001', createdAt: '2025-03-12T00:00:00Z' },
        { ...shared, phone: '+64 21 555 0002', createdAt: '2025-06-01T00:00:00Z' },
        { ...shared, phone: '+64 21 555 0003', createdAt: '2025-06-01T00:00:00Z' },
      ],
    });
    const path = `/a/${person.slug}/duplicates?email=${shared.email}`;
    const { page } = await open(t, { person, device: 'phone', path });
    await page.getByRole('button', { name: 'Merge 3 contacts' }).waitFor();
    const links = await page.locator('.comparison').getByRole('link').allInnerTexts();
    assert.equal(new Set(links).size, 3, links.join(', '));
    assert.ok(links.includes('Ana Kaur (12 March 2025)'), links.join(', '));
    for (const name of links) {
      await page.getByRole('radio', { name: `Keep this one: ${name}`, exact: true }).waitFor();
      await page.locator(`td[data-label="${name}"]`).first().waitFor();
    }
    await page
      .getByText(/^Phone: .*, of Ana Kaur \(/)
      .first()
      .waitFor();
  },
);

test(
  'a narrow window highlights no email of Duplicates, since none is open',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const { page } = await open(t, { person, path: `/a/${person.slug}/duplicates` });
    await page.getByText('This cannot be undone.').waitFor();
    const readColours = () =>
      page
        .getByRole('link', { name: /@leads\.example/ })
        .evaluateAll((links) =>
          links.slice(0, 2).map((link) => getComputedStyle(link).borderColor),
        );
    const [chosen, other] = await readColours();
    assert.notEqual(chosen, other);
    await page.setViewportSize({ width: 1000, height: 800 });
    assert.deepEqual(await readColours(), [other, other]);
  },
);
