import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accountFile } from '../support/accounts.ts';
import { build, type Cleaner } from '../support/harness.ts';
import { makeProgram, readRecipes } from '../support/recipes.ts';
import { until } from '../support/until.ts';
import { startBrowser, withBrowser } from './chromium.ts';

/* The form of docs/websites.md and the program that imports it, as they stand there. */

const launch = startBrowser({ after });
const service = await build({ after });
await service.load(accountFile('enquiries'));
process.env['OFFPLAN_URL'] = `${await service.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`;
process.env['OFFPLAN_KEY'] = await service.key('enquiries', 'all');
after(() => {
  delete process.env['OFFPLAN_URL'];
  delete process.env['OFFPLAN_KEY'];
});
const { 'form.html': form = '', ...programs } = readRecipes('docs/websites.md');
const { POST } = (await import(join(makeProgram({ after }, programs), 'enquiry.ts'))) as {
  POST: (request: Request) => Promise<Response>;
};

/** The requests to the website's server, and whether it loses the next answer. */
const website = { enquiries: 0, isAnswerLost: false };
const server = createServer((request, response) => {
  void (async () => {
    if (request.method === 'GET')
      return response.setHeader('content-type', 'text/html; charset=utf-8').end(form);
    website.enquiries += 1;
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const init = { method: 'POST', headers, body: await buffer(request) };
    const answer = await POST(new Request('http://website.test/enquiry', init));
    if (website.isAnswerLost) return request.socket.destroy();
    return response.writeHead(answer.status).end(await answer.text());
  })();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close().closeAllConnections());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function openForm(t: Cleaner): Promise<Page> {
  const page = await (await launch()).newPage();
  t.after(() => page.close());
  await page.goto(`${url}/?utm_source=google&utm_campaign=spring`);
  await page.getByLabel('Name').fill('Aroha Ngata');
  await page.getByLabel('Message').fill('Is Townhouse 1 free?');
  return page;
}

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();
const enterEmail = (page: Page, email: string) =>
  page.getByLabel('Email', { exact: true }).fill(email);
const waitFor = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

/** Finds the contact with this email. */
async function find(email: string) {
  const { contacts } = await service.exported('enquiries');
  return contacts.find((contact: { email: string }) => contact.email === email);
}

test('an enquiry that is sent by a double click is imported once', withBrowser, async (t) => {
  const page = await openForm(t);
  await enterEmail(page, 'aroha@example.com');
  await page.getByLabel('Send me news').check();
  const before = website.enquiries;
  await page.getByRole('button', { name: 'Send' }).dblclick();
  await waitFor(page, 'Thank you');
  assert.equal(website.enquiries, before + 1);
  const contact = await find('aroha@example.com');
  assert.deepEqual(contact, {
    ...contact,
    name: 'Aroha Ngata',
    source: 'Website',
    sourceExternalOriginalName: 'google / spring',
    tags: ['Newsletter'],
  });
  assert.equal(contact.activities[0].body, 'Is Townhouse 1 free?');
});

test(
  'an enquiry can be sent again after a refused email, without a network, and after a lost answer',
  withBrowser,
  async (t) => {
    const page = await openForm(t);
    // The browser takes it for an address; it has no top-level domain.
    await enterEmail(page, 'mia@example');
    await send(page);
    await waitFor(page, 'its domain, after the @, has no dot');
    await enterEmail(page, 'mia@example.com');
    await page.context().setOffline(true);
    await send(page);
    await waitFor(page, 'Please try again');
    await page.context().setOffline(false);
    website.isAnswerLost = true;
    const before = website.enquiries;
    await send(page);
    await until(() => website.enquiries > before);
    await page.getByRole('button', { name: 'Send', disabled: false }).waitFor();
    website.isAnswerLost = false;
    await send(page);
    await waitFor(page, 'Thank you');
    const { activities } = await find('mia@example.com');
    assert.deepEqual(
      activities.map(({ body }: { body: string }) => body),
      ['Is Townhouse 1 free?'],
    );
  },
);

test(
  'an enquiry of a program that fills in the hidden field is not imported',
  withBrowser,
  async (t) => {
    const page = await openForm(t);
    await enterEmail(page, 'robot@example.com');
    const trap = page.locator('[name=website]');
    await trap.evaluate((input: HTMLInputElement) => (input.value = 'https://robot.example'));
    await send(page);
    await waitFor(page, 'Thank you');
    assert.equal(await find('robot@example.com'), undefined);
  },
);
