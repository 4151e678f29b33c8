import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { addPerson } from '../people.ts';
import { answering, startReceiver } from '../receiver.ts';
import { until } from '../until.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

// One attempt: a delivery that is refused has failed at once.
const { service, open } = await serveConsole({ webhookAllowPrivate: true, webhookScheduleMs: [0] });

type Opened = Parameters<typeof open>[0];

/** Opens the webhooks as an owner, with a receiver, and a way to make an event. */
async function openWebhooks(t: Opened) {
  const person = await addPerson(service, { role: 'owner' });
  const receiver = await startReceiver(t);
  const key = await service.key(person.slug, 'all');
  const path = `/a/${person.slug}/settings/webhooks`;
  const { page } = await open(t, { person, path });
  let count = 0;
  /** Makes one event `contact.created`. */
  async function addContact(): Promise<void> {
    const payload = { email: `ana.${count++}@leads.example` };
    const sent = await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
    assert.equal(sent.status, 201, sent.text);
  }
  return { page, receiver, person, path, addContact };
}

/** Adds a webhook for contacts, and returns its secret. */
async function addWebhook(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('Purpose').fill('Website');
  await page.getByText('Exact types, for experts').click();
  await page.getByLabel('Types').fill('contact.created');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'The secret of Website' });
  await shown.getByText('It is shown only now').waitFor();
  const secret = await shown.locator('pre').innerText();
  await shown.getByRole('button', { name: 'Copy the secret' }).waitFor();
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /Website/ }).waitFor();
  return secret;
}

async function choose(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: 'Change: Website' }).click();
  await page.getByRole('menuitem', { name: act }).click();
}

test(
  'a webhook is added, shows its secret once, and a test arrives signed',
  withBrowser,
  async (t) => {
    const { page, receiver } = await openWebhooks(t);
    await page
      .getByText('No webhooks yet. Add one to tell another system what happened.')
      .waitFor();
    const secret = await addWebhook(page, receiver.url);
    await page.reload();
    await page.getByText('Sending').waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await choose(page, 'Send a test');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived').waitFor();
    const [{ text, headers } = assert.fail()] = receiver.received;
    assert.deepEqual(receiver.types(), ['webhook.test']);
    new Webhook(secret).verify(text, headers as Record<string, string>);
    receiver.reply(answering(500));
    await page.getByRole('button', { name: 'Send another test' }).click();
    await page
      .getByRole('alert')
      .getByText(/Answered 500/)
      .waitFor();
  },
);

test(
  'an address and types that are refused say why beside their fields',
  withBrowser,
  async (t) => {
    const { page } = await openWebhooks(t);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Address').fill('ftp://receiver.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Choose at least one kind of event.').waitFor();
    await page.getByLabel('Everything').check();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Url must begin with https:// or http://').waitFor();
    assert.equal(await page.getByLabel('Address').getAttribute('aria-invalid'), 'true');
  },
);

test(
  'a paused webhook sends what happened meanwhile once it is turned on',
  withBrowser,
  async (t) => {
    const { page, receiver, addContact } = await openWebhooks(t);
    await addWebhook(page, receiver.url);
    await choose(page, 'Pause');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Somebody paused it.').waitFor();
    await addContact();
    await page.getByRole('button', { name: 'Turn on again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Turn Website on again?' });
    await dialog.getByLabel('Where it stopped').check();
    await dialog.getByRole('button', { name: 'Turn on again' }).click();
    await page.getByText('Sending').waitFor();
    await until(() => receiver.types().join() === 'contact.created');
    await choose(page, 'Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No webhooks yet.').waitFor();
  },
);

test(
  'a delivery that failed is found, retried, and sent again from a time',
  withBrowser,
  async (t) => {
    const { page, receiver, addContact } = await openWebhooks(t);
    await addWebhook(page, receiver.url);
    receiver.reply(answering(500, 'Out of order'));
    await addContact();
    await page.getByRole('link', { name: 'Website' }).click();
    const drawer = page.getByRole('dialog', { name: 'Deliveries: Website' });
    await drawer.getByLabel('Show').selectOption('Failed');
    const delivery = drawer.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
    await delivery.getByText(/Answered 500/).waitFor();
    await delivery.getByText('The answer').click();
    await delivery.getByText('Out of order').waitFor();
    receiver.reply(answering(204));
    await delivery.getByRole('button', { name: 'Retry contact.created' }).click();
    await drawer.getByText('No delivery fits.').waitFor();
    await drawer.getByLabel('Show').selectOption('Delivered');
    await delivery.getByText(/Answered 204/).waitFor();

    await drawer.getByRole('button', { name: 'Send again' }).click();
    await drawer.getByLabel('Only events that did not arrive').uncheck();
    await drawer.getByRole('button', { name: 'Send', exact: true }).click();
    await drawer.getByText('1 event is sent again.').waitFor();
    await until(() => receiver.received.length === 3);
    const ids = receiver.received.map(({ event }) => event.id);
    assert.equal(new Set(ids).size, 1);
  },
);

test(
  'Home names a webhook whose address is gone, and it can be turned on again',
  withBrowser,
  async (t) => {
    const { page, receiver, person, addContact } = await openWebhooks(t);
    await addWebhook(page, receiver.url);
    receiver.reply(answering(410));
    await addContact();
    await page.getByText('The address answered that it is gone for ever').waitFor();
    await page.goto(`/a/${person.slug}/`);
    await page.getByText('The webhook Website is turned off').waitFor();
    await page.getByRole('link', { name: 'Show webhooks' }).click();
    receiver.reply(answering(204));
    await page.getByRole('button', { name: 'Turn on again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Turn Website on again?' });
    await dialog.getByLabel('With the next event').check();
    await dialog.getByRole('button', { name: 'Turn on again' }).click();
    await page.getByText('Sending').waitFor();
    await addContact();
    await until(() => receiver.received.length === 2);
  },
);

test(
  'a webhook is changed, and its secret is rotated while the old one still signs',
  withBrowser,
  async (t) => {
    const { page, receiver } = await openWebhooks(t);
    const before = await addWebhook(page, receiver.url);
    await choose(page, 'Address, events, purpose');
    await page.getByLabel('Contacts').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Contacts, contact.created').waitFor();
    await choose(page, 'Rotate the secret');
    await page.getByLabel('The old secret also signs for').selectOption('One hour');
    await page.getByRole('button', { name: 'Rotate the secret', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'The secret of Website' });
    const secret = await shown.locator('pre').innerText();
    assert.notEqual(secret, before);
    await shown.getByRole('button', { name: 'Done' }).click();
    await choose(page, 'Send a test');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived').waitFor();
    const [{ text, headers } = assert.fail()] = receiver.received;
    for (const each of [before, secret])
      new Webhook(each).verify(text, headers as Record<string, string>);
  },
);
