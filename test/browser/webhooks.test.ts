import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { addPerson } from '../support/people.ts';
import { answering, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
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
  const { page, watch } = await open(t, { person, path });
  let count = 0;
  /** Makes one event `contact.created`. */
  async function addContact(): Promise<void> {
    const payload = { email: `ana.${count++}@leads.example` };
    const sent = await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
    assert.equal(sent.status, 201, sent.text);
  }
  return { page, watch, receiver, person, path, addContact };
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

test(
  'a webhook that is typed and not added, or changed and not saved, outlives a reload, its headers do not',
  withBrowser,
  async (t) => {
    const { page, receiver } = await openWebhooks(t);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByText('More settings').click();
    await page.getByLabel('Headers of each request').fill('Authorization: Bearer of-the-receiver');
    await page.getByLabel('Address').fill('https://receiver.example');
    await page.getByLabel('Purpose').fill('Website');
    await page.getByRole('checkbox', { name: 'Contacts', exact: true }).check();
    await page.getByLabel('One event at a time, in order').check();
    await page.reload();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    assert.equal(await page.getByLabel('Address').inputValue(), 'https://receiver.example');
    assert.equal(
      await page.getByRole('checkbox', { name: 'Contacts', exact: true }).isChecked(),
      true,
    );
    assert.equal(await page.getByLabel('One event at a time, in order').isVisible(), true);
    assert.equal(await page.getByLabel('One event at a time, in order').isChecked(), true);
    assert.equal(await page.getByLabel('Headers of each request').inputValue(), '');
    const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
    assert.doesNotMatch(stored, /of-the-receiver/);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await addWebhook(page, receiver.url);
    await choose(page, 'Address, events, purpose');
    await page.getByLabel('Purpose').fill('Newsletter');
    await page.getByRole('checkbox', { name: 'Contacts', exact: true }).check();
    await page.getByLabel('Everything').check();
    await page.reload();
    await choose(page, 'Address, events, purpose');
    assert.equal(await page.getByLabel('Purpose').inputValue(), 'Newsletter');
    assert.equal(await page.getByLabel('Everything').isChecked(), true);
    // The group that was chosen before is still chosen, below Everything.
    await page.getByLabel('Everything').uncheck();
    assert.equal(
      await page.getByRole('checkbox', { name: 'Contacts', exact: true }).isChecked(),
      true,
    );
    await page.getByLabel('Everything').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Newsletter/ }).waitFor();
  },
);

test(
  'the headers of a webhook whose answer was lost are not stored in the browser',
  withBrowser,
  async (t) => {
    const { page, watch, receiver } = await openWebhooks(t);
    watch.allow(/ERR_INTERNET_DISCONNECTED/);
    await page.route('**/api/v1/webhooks', (route) => route.abort('internetdisconnected'));
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Purpose').fill('Website');
    await page.getByLabel('Everything').check();
    await page.getByText('More settings').click();
    await page.getByLabel('Headers of each request').fill('Authorization: Bearer of-the-receiver');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The service could not be reached. Check your connection').waitFor();
    const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
    assert.match(stored, /Website/);
    assert.doesNotMatch(stored, /of-the-receiver/);
  },
);

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: /^Change: Website/ }).click();
  await page.getByRole('menuitem', { name: action }).click();
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
    await page
      .getByRole('group', { name: 'Events', description: 'Choose at least one kind of event.' })
      .waitFor();
    await page.getByLabel('Everything').check();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Address must begin with https:// or http://').waitFor();
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
    await page.getByText('Paused', { exact: true }).waitFor();
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
  'a webhook that somebody else has changed meanwhile is not paused, turned on or deleted unseen',
  withBrowser,
  async (t) => {
    const { page, receiver, person } = await openWebhooks(t);
    await addWebhook(page, receiver.url);
    const key = await service.key(person.slug, 'all');
    const { body } = await service.send({ url: '/api/v1/webhooks', key });
    const url = `/api/v1/webhooks/${body.data[0].id}`;
    let count = 0;
    /** Does the action of an open dialog after a change by somebody else, and then again, from the changed row. */
    async function act(action: string, openDialog: () => Promise<void>): Promise<void> {
      await openDialog();
      const description = `Website ${(count += 1)}`;
      const sent = await service.send({ method: 'PATCH', url, key, payload: { description } });
      assert.equal(sent.status, 200, sent.text);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.getByText('This was changed meanwhile, so nothing is done.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('row', { name: description }).waitFor();
      await openDialog();
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await act('Pause', async () => choose(page, 'Pause'));
    await act('Turn on again', async () =>
      page.getByRole('button', { name: 'Turn on again' }).click(),
    );
    await act('Delete', async () => choose(page, 'Delete'));
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
  'events are sent again from a time until another, only those of some types, which outlive a reload before that',
  withBrowser,
  async (t) => {
    const { page, receiver, addContact } = await openWebhooks(t);
    await addWebhook(page, receiver.url);
    await addContact();
    await until(() => receiver.received.length === 1);
    await page.getByRole('link', { name: 'Website' }).click();
    const drawer = page.getByRole('dialog', { name: 'Deliveries: Website' });
    await drawer.getByText(/Answered 204/).waitFor();
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await drawer.getByLabel('Events since').fill('2020-01-01T00:00');
    await drawer.getByLabel('Only events that did not arrive').uncheck();
    await page.reload();
    await drawer.getByRole('button', { name: 'Send again' }).click();
    assert.equal(await drawer.getByLabel('Events since').inputValue(), '2020-01-01T00:00');
    assert.equal(await drawer.getByLabel('Only events that did not arrive').isChecked(), false);
    await drawer.getByRole('button', { name: 'Cancel' }).click();
    /** Sends the events of these times and types again, also those that arrived. */
    async function replay(from: string, until: string, types: string): Promise<void> {
      await drawer.getByRole('button', { name: 'Send again' }).click();
      await drawer.getByLabel('Events since').fill(from);
      await drawer.getByLabel('Until').fill(until);
      await drawer.getByLabel('Only these types').fill(types);
      await drawer.getByLabel('Only events that did not arrive').uncheck();
      await drawer.getByRole('button', { name: 'Send', exact: true }).click();
    }
    await replay('2020-01-01T00:00', '2020-01-02T00:00', '');
    await drawer.getByText('There is nothing to send again.').waitFor();
    await replay('2020-01-01T00:00', '', 'contacts.created');
    await drawer.getByText('No event has the type contacts.created.').waitFor();
    await drawer.getByLabel('Only these types').fill('unit.*\ncontact.*');
    await drawer.getByRole('button', { name: 'Send', exact: true }).click();
    await drawer.getByText('1 event is sent again.').waitFor();
    await until(() => receiver.received.length === 2);
  },
);

test(
  'the headers of a webhook are added, replaced and removed, and their values not shown',
  withBrowser,
  async (t) => {
    const { page, receiver } = await openWebhooks(t);
    await addWebhook(page, receiver.url);
    /** Opens the headers, and says what happens to them. Then sends a test, and returns its headers. */
    async function changeHeaders(lines: string, removed: string[] = []) {
      await choose(page, 'Headers of each request');
      const dialog = page.getByRole('dialog', { name: 'Headers: Website' });
      for (const name of removed) await dialog.getByLabel(`Remove ${name}`).check();
      await dialog.getByLabel('Add or replace').fill(lines);
      assert.ok(!(await page.content()).includes('Bearer one'));
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await choose(page, 'Send a test');
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('The test arrived').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      return receiver.received.at(-1)?.headers ?? {};
    }
    const first = await changeHeaders('Authorization: Bearer one\nX-Team: sales');
    assert.deepEqual([first.authorization, first['x-team']], ['Bearer one', 'sales']);
    const second = await changeHeaders('authorization: Bearer two', ['X-Team']);
    assert.deepEqual([second.authorization, second['x-team']], ['Bearer two', undefined]);
    const third = await changeHeaders('', ['authorization']);
    assert.equal(third.authorization, undefined);
    await choose(page, 'Headers of each request');
    const dialog = page.getByRole('dialog', { name: 'Headers: Website' });
    await dialog.getByText('The requests have no headers of yours.').waitFor();
    await dialog.getByLabel('Add or replace').fill('webhook-id: 1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/must not have webhook-id/).waitFor();
  },
);

test('headers that somebody else has changed meanwhile are asked about', withBrowser, async (t) => {
  const { page, receiver, person } = await openWebhooks(t);
  await addWebhook(page, receiver.url);
  const key = await service.key(person.slug, 'all');
  await choose(page, 'Headers of each request');
  const dialog = page.getByRole('dialog', { name: 'Headers: Website' });
  await dialog.getByLabel('Add or replace').fill('X-Mine: 1');
  const { body } = await service.send({ url: '/api/v1/webhooks', key });
  const url = `/api/v1/webhooks/${body.data[0].id}`;
  await service.send({ method: 'PATCH', url, key, payload: { headers: { 'X-Theirs': '1' } } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'This has changed since' });
  await conflict.getByText('X-Theirs').waitFor();
  await conflict.getByRole('button', { name: 'Use mine' }).click();
  await dialog.waitFor({ state: 'detached' });
  const read = async () => (await service.send({ url, key })).body.headerNames;
  await until(async () => (await read()).length === 2);
});

test(
  'Home names a webhook whose address is gone, and it can be turned on again',
  withBrowser,
  async (t) => {
    const { page, receiver, person, addContact } = await openWebhooks(t);
    await addWebhook(page, receiver.url);
    receiver.reply(answering(410));
    await addContact();
    await page.getByText('The address answered that it is gone for ever').waitFor();
    await page.getByText('Turned off', { exact: true }).waitFor();
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
    await page.getByRole('checkbox', { name: 'Contacts', exact: true }).check();
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

test(
  'a webhook that has sent nothing offers a test, and says in words why it did not arrive',
  withBrowser,
  async (t) => {
    const { page, person } = await openWebhooks(t);
    await addWebhook(page, 'http://hooks.invalid/');
    await page.getByRole('link', { name: 'Website' }).click();
    const drawer = page.getByRole('dialog', { name: 'Deliveries: Website' });
    await drawer.getByText('Nothing was sent yet.').waitFor();
    await page.route(/\/deliveries(\?|$)/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const nextAttemptAt = new Date().toISOString();
      const data = json.data.map((delivery: object) => ({ ...delivery, nextAttemptAt }));
      await route.fulfill({ response, json: { ...json, data } });
    });
    assert.equal(await drawer.getByRole('button', { name: 'Send again' }).count(), 0);
    await drawer.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test Website' });
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByText('the host hooks.invalid was not found').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await drawer.getByText(/^Next attempt /).waitFor();
    await drawer.getByRole('button', { name: 'Send again' }).waitFor();

    await page.goto(`/a/${person.slug}/audit?type=webhook`);
    const grid = page.getByRole('grid', { name: 'Changes' });
    await grid.getByRole('gridcell', { name: 'Address', exact: true }).waitFor();
    await grid.getByRole('gridcell', { name: 'Events', exact: true }).waitFor();
    assert.equal(await grid.getByText('Url').count(), 0);
  },
);
