import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { PROJECT_ID } from '../support/accounts.ts';
import { addPerson, PASSWORD } from '../support/people.ts';
import { codeOf } from '../support/totp.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { checkPart, followAddress } from './check-page.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import { describeDevice } from './looks.ts';

const { service, enter } = await serveConsole({ webhookAllowPrivate: true });
const DESKTOP = describeDevice('desktop').viewport ?? assert.fail();
const PHONE = describeDevice('phone').viewport ?? assert.fail();

const owner = await furnishAccount(service);
const key = await service.key(owner.slug, 'all');
const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
  const request = { method, url: `/api/v1${path}`, key };
  const answer = await service.send({ ...request, ...(payload && { payload }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
await send('POST', '/users', { email: 'mere@people.example', name: 'Mere', role: 'agent' });
const left = { email: 'kiri@people.example', name: 'Kiri', role: 'agent' };
const { id: leftId } = await send('POST', '/users', left);
await send('POST', `/users/${leftId}/deactivate`, { reassignTo: null });
await send('POST', '/views', { resource: 'contacts', name: 'Investors', shared: true, filter: {} });
const draft = await send('POST', '/stock/projects', { name: 'Rātā Heights', slug: 'rata-heights' });
const [contact] = (await send('GET', '/contacts?q=ana.8&limit=1&sort=name')).data;
await send('POST', `/contacts/${contact.id}/activities`, { type: 'note', body: 'Called back' });
const hook = { url: 'http://127.0.0.1:9/events', types: ['*'] };
const { id: hookId } = await send('POST', '/webhooks', { ...hook, description: 'Website' });
const paused = await send('POST', '/webhooks', { ...hook, description: 'Paused' });
await send('PATCH', `/webhooks/${paused.id}`, { enabled: false });

/** Presses the buttons, links and choices of a menu with these names, one after the other. */
const press =
  (...names: (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) {
      const [button, ...others] = (['button', 'link', 'menuitem', 'menuitemradio'] as const).map(
        (role) => page.getByRole(role, { name, exact: true }),
      );
      const control = others.reduce((any, each) => any.or(each), button ?? assert.fail());
      // A dialog comes after the controls below it.
      await control.filter({ visible: true }).last().click();
    }
  };

const pressKey = (keys: string) => (page: Page) => page.keyboard.press(keys);

/** Selects the first row of a list on the desktop, and presses a button of its bar. */
const select =
  (...names: string[]) =>
  async (page: Page): Promise<void> => {
    await page.setViewportSize(DESKTOP);
    await page.locator('[data-row="0"] > [data-cell="0"]').click();
    await press(...names)(page);
  };

/** Presses buttons that a phone has not got. */
const pressOnDesktop =
  (...names: string[]) =>
  async (page: Page): Promise<void> => {
    await page.setViewportSize(DESKTOP);
    await press(...names)(page);
  };

/** Opens the menu of a page. The bar at the bottom has a button of the same name. */
const pressMore = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();

/** Opens what a row is about. */
const openRow = (name: string) => (page: Page) =>
  page.getByRole('rowheader', { name }).first().click();

const fill = (label: string, value: string) => (page: Page) =>
  page.locator('dialog').last().getByLabel(label, { exact: true }).fill(value);

const sendFile = (name: string, text: string) => (page: Page) =>
  page
    .locator('#page input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Answers the next request that writes to an address with a problem, so that the page asks a question. */
const refuse = (url: string, code: string, status: number) => async (page: Page) => {
  const json = { code, status, title: code, detail: code };
  const contentType = 'application/problem+json';
  let isRefused = false;
  await page.route(url, (route) => {
    // The page may also read the same address meanwhile.
    if (isRefused || route.request().method() === 'GET') return route.fallback();
    isRefused = true;
    return route.fulfill({ status, json, contentType });
  });
};

/** The dialogs that are open. */
const OPEN = 'dialog[open]';

type Step = (page: Page) => Promise<unknown>;

interface Screen {
  path: string;
  heading: string;
  dialogs: Opening[];
}

/** A dialog: its title, and the steps that open it. */
type Opening = [title: string | RegExp, ...steps: Step[]];

const SCREENS: Screen[] = [
  {
    path: '/contacts',
    heading: 'Contacts',
    dialogs: [
      [
        'This could not be loaded',
        (page) => page.route('**/assets/*.js', (route) => route.abort(), { times: 1 }),
        press('Add a contact'),
      ],
      // Chromium keeps the failure of a script until the page reloads.
      ['Add a contact', (page) => page.reload(), press('Add a contact')],
      ['More', press('More')],
      ['Keys', pressKey('?')],
      ['Search', pressKey('Control+k')],
      [/^Export 31 contacts/, press('Export')],
      ['Save as a new view', press('View', 'Save as a new view')],
      ['Set the stage of 1 contact', select('Set stage')],
      ['Assign 1 contact', pressOnDesktop('Assign')],
      ['Add a tag to 1 contact', pressOnDesktop('Tags', 'Add a tag')],
      ['Remove a tag from 1 contact', pressOnDesktop('Tags', 'Remove a tag')],
      ['Archive 1 contact?', pressOnDesktop('Archive')],
      ['Rename this view', press(/^Investors/, 'View', 'Rename this view')],
      ['Delete the view Investors?', press('View', 'Delete this view')],
    ],
  },
  {
    path: `/contacts/${contact.id}`,
    heading: 'Ana Kaur 8',
    dialogs: [
      ['History of email', press(/History of email$/)],
      ['Delete this note?', press('Delete this note')],
      ['Erase this person?', press('More actions', 'Erase this person')],
    ],
  },
  {
    path: '/pipeline',
    heading: 'Pipeline',
    dialogs: [['Which unit is Reserved?', press(/^Stage of Ana Kaur \d+: New/, 'Reserved')]],
  },
  {
    path: '/stock',
    heading: 'Stock',
    dialogs: [
      ['Add units', press('Add units')],
      ['Order the units', press('What to do with the units', 'Order by hand')],
      [
        'Paste from a spreadsheet',
        press('What to do with the units', 'Paste from a spreadsheet'),
        (page) => page.locator('dialog select').selectOption(PROJECT_ID),
        fill('Cells', 'Name\tPrice\nTownhouse 1\t$812,000'),
        press('Preview'),
        (page) => page.locator('dialog table').waitFor(),
      ],
      ['Townhouse 1', openRow('Townhouse 1')],
      [
        'Withdraw Townhouse 1',
        openRow('Townhouse 1'),
        (page) => page.getByRole('combobox', { name: 'Status' }).selectOption('Withdrawn'),
      ],
      ['Townhouse 1 without a price', openRow('Townhouse 1'), fill('Price', ''), pressKey('Enter')],
      ['Delete the unit: Townhouse 1', openRow('Townhouse 1'), press('Delete the unit')],
      [
        'Change prices',
        select('Change prices'),
        fill('By per cent', '2'),
        press('Preview'),
        (page) => page.getByRole('table', { name: 'Preview' }).waitFor(),
      ],
    ],
  },
  {
    path: '/stock/projects',
    heading: 'Projects',
    dialogs: [['Add a project', press('Add a project')]],
  },
  {
    path: `/stock/projects/${draft.id}`,
    heading: 'Rātā Heights',
    dialogs: [
      ['Not published yet', press('Publish')],
      ['Archive: Rātā Heights', pressMore, press('Archive')],
    ],
  },
  {
    path: `/stock/projects/${PROJECT_ID}?tab=price-list`,
    heading: 'Tūī Ridge',
    dialogs: [['Send a CSV back', sendFile('list.csv', 'name,price\nTownhouse 1,812000\n')]],
  },
  {
    path: `/stock/projects/${PROJECT_ID}?tab=details`,
    heading: 'Tūī Ridge',
    dialogs: [
      [
        'Somebody else changed this',
        (page) => page.getByLabel('Suburb').fill('Mine'),
        () => send('PATCH', `/stock/projects/${PROJECT_ID}`, { suburbName: 'Theirs' }),
        press('Save'),
      ],
    ],
  },
  {
    path: '/imports',
    heading: 'Import log',
    dialogs: [
      [/^Retry \d imports?\?/, press('Retry all')],
      ['Import: refused', (page) => page.getByRole('rowheader').first().click()],
    ],
  },
  {
    path: '/import',
    heading: 'Import',
    dialogs: [
      [
        'Delete this file?',
        sendFile('open-home.csv', 'Name,Email\nTui Sample,tui@home.example\n'),
        press('Delete this file'),
      ],
      ['Undo this import?', press('Start the dry run', 'Import 1 row', 'Undo this import')],
    ],
  },
  {
    path: '/settings/people',
    heading: 'People',
    dialogs: [
      ['Change Mere', press('Change: Mere', 'Name, email, role')],
      ['Deactivate Mere?', press('Change: Mere', 'Deactivate')],
      ['Invitation for Mere', press('Change: Mere', 'Send the invitation again')],
      ['Reset link for Hana', press('Change: Hana', 'Reset link')],
      ['Invite a person', press('Invite a person')],
      [
        'Invitation for Tama',
        press('Invite a person'),
        fill('Name', 'Tama'),
        fill('Email', 'tama@people.example'),
        press('Invite'),
        (page) => page.getByText('is shown only now').waitFor(),
      ],
      [
        'Activate Kiri?',
        (page) => page.getByLabel('Show').selectOption('Deactivated people'),
        press('Change: Kiri', 'Activate'),
      ],
    ],
  },
  {
    path: '/settings/tags',
    heading: 'Tags',
    dialogs: [
      ['Create a tag', press('Create a tag')],
      ['Rename Investor', press('Change: Investor', 'Rename')],
      ['Merge Investor into another tag', press('Change: Investor', 'Merge into another tag')],
      ['Delete Investor?', press('Change: Investor', 'Delete')],
    ],
  },
  {
    path: '/settings/keys',
    heading: 'API keys',
    dialogs: [
      ['Create a key', press('Create a key')],
      ['Find a key', press('Find a key')],
      ['Change test', press('Change: test', 'Name, expiry')],
      ['Rotate test', press('Change: test', 'Rotate')],
      ['Revoke test?', press('Change: test', 'Revoke')],
      ['The key Site', press('Create a key'), fill('Name', 'Site'), press('Create')],
      [
        'Confirm your password',
        refuse('**/api/v1/keys', 'confirmation_required', 403),
        press('Create a key'),
        fill('Name', 'Site 2'),
        press('Create'),
      ],
    ],
  },
  {
    path: '/settings/webhooks',
    heading: 'Webhooks',
    dialogs: [
      ['Add a webhook', press('Add a webhook')],
      ['Deliveries: Website', press('Website')],
      [
        'Deliveries: Website',
        (page) => send('POST', `/webhooks/${hookId}/test`, {}).then(() => press('Website')(page)),
        press('Send again'),
        (page) => page.getByLabel('Events since').waitFor(),
      ],
      ['Test Website', press('Change: Website', 'Send a test')],
      ['Change Website', press('Change: Website', 'Address, events, purpose')],
      ['Headers: Website', press('Change: Website', 'Headers of each request')],
      ['Pause Website?', press('Change: Website', 'Pause')],
      ['Delete Website?', press('Change: Website', 'Delete')],
      ['Rotate the secret of Website', press('Change: Website', 'Rotate the secret')],
      ['The secret of Website', press('Change: Website', 'Rotate the secret', 'Rotate the secret')],
      ['Turn Paused on again?', press('Turn on again')],
    ],
  },
  {
    path: '/profile',
    heading: 'Profile',
    dialogs: [
      [
        'Your session has ended',
        refuse('**/api/v1/me', 'session_ended', 401),
        (page) => page.getByLabel('Name').fill('Hana Parata'),
        press('Save'),
      ],
      [
        'Turn your second step on',
        refuse('**/api/v1/me', 'second_step_setup_required', 403),
        press('Save'),
        (page) => page.locator(OPEN).getByRole('img').waitFor(),
        (page) => checkPart(page, OPEN),
        async (page) => {
          const secret = (await page.locator(`${OPEN} pre`).innerText()).replaceAll(' ', '');
          await fill('Code of the app', codeOf(secret))(page);
        },
        (page) => page.locator(OPEN).getByRole('button', { name: 'Turn on' }).click(),
        (page) => page.getByRole('list', { name: 'Recovery codes' }).waitFor(),
      ],
      ['Turn the second step off?', press('Turn off')],
    ],
  },
];

test(
  'each dialog keeps what every page promises on a phone and on a desktop',
  withBrowser,
  async (t) => {
    const session = await enter(t, { person: owner, device: 'phone' });
    const { page, watch } = await session.open(t, `/a/${owner.slug}/contacts`);
    watch.allow(/ERR_FAILED/);
    for (const { path, heading, dialogs } of SCREENS) {
      await followAddress(page, `/a/${owner.slug}${path}`, heading);
      for (const [title, ...steps] of dialogs)
        await t.test(String(title), async () => {
          assert.equal(await page.locator(OPEN).count(), 0, 'the dialog before is closed');
          for (const step of steps) await step(page);
          const dialog = page.getByRole('dialog', { name: title }).last();
          await dialog.waitFor();
          for (const size of [DESKTOP, PHONE]) {
            await page.setViewportSize(size);
            await until(async () => (await dialog.locator('.skeleton').count()) === 0);
            // The colours are the same on both.
            await checkPart(page, OPEN, { isDarkToo: size === PHONE });
          }
          await closeAll(page);
        });
    }
  },
);

test(
  'a dialog whose action is refused shows why in the window of a phone, and has the focus',
  withBrowser,
  async (t) => {
    // Signing in as the owner needs a code since a test before turned on the second step.
    const person = await addPerson(service, { role: 'owner', slug: owner.slug });
    const session = await enter(t, { person, device: 'phone' });
    const { page, watch } = await session.open(t, `/a/${person.slug}/contacts`);
    watch.allow(/409/);
    const problem = { code: 'limit_reached', status: 409, title: 'Full', detail: 'It is full.' };
    const readProblem = async () => {
      const alert = page.locator(OPEN).getByRole('alert');
      await alert.waitFor();
      const { y, height } = (await alert.boundingBox()) ?? assert.fail();
      assert.ok(y + height <= (page.viewportSize()?.height ?? 0), `${y} is below the window`);
      assert.equal(await page.locator(`${OPEN} [type=submit]:focus`).count(), 1);
      await closeAll(page);
    };
    await page.route('**/api/v1/**', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 409, contentType: 'application/problem+json', json: problem }),
    );
    await press('Add a contact')(page);
    await fill('Email', 'tui@home.example')(page);
    await press('Add the contact')(page);
    await readProblem();
    await select('Set stage')(page);
    await page.getByLabel('New stage').selectOption('Lost');
    await press('Change 1 contact')(page);
    await readProblem();
    await followAddress(page, `/a/${person.slug}/imports`, 'Import log');
    await press('Retry all', 'Retry')(page);
    await readProblem();
  },
);

test(
  'what was typed in a dialog that is closed while it is sent is there again after a failure, and a message says why',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const session = await enter(t, { person });
    const { page, watch } = await session.open(t, `/a/${person.slug}/contacts`);
    watch.allow(/ERR_INTERNET_DISCONNECTED/);
    const sent = Promise.withResolvers<Route>();
    const email = page.locator(OPEN).getByLabel('Email');
    await press('Add a contact')(page);
    await fill('Email', 'tui@home.example')(page);
    await page.route('**/api/v1/contacts', (route) => sent.resolve(route), { times: 1 });
    await press('Add the contact')(page);
    const route = await sent.promise;
    await page.keyboard.press('Escape');
    await email.waitFor({ state: 'detached' });
    await page.route('**/api/v1/contacts', (each) => each.abort('internetdisconnected'));
    await route.abort('internetdisconnected');
    await page.getByText('Add a contact: The service could not be reached.').waitFor();
    await page.unroute('**/api/v1/contacts');
    await press('Add a contact')(page);
    assert.equal(await email.inputValue(), 'tui@home.example');
    // A dialog that is closed after the failure drops it, and so does one that was stored.
    await page.keyboard.press('Escape');
    await press('Add a contact')(page);
    assert.equal(await email.inputValue(), '');
    await email.fill('tui@home.example');
    const stored = Promise.withResolvers<Route>();
    await page.route('**/api/v1/contacts', (each) => stored.resolve(each), { times: 1 });
    await press('Add the contact')(page);
    const added = await stored.promise;
    await page.keyboard.press('Escape');
    await added.continue();
    await page.getByText('Contact added').waitFor();
    await followAddress(page, `/a/${person.slug}/contacts`, 'Contacts');
    await press('Add a contact')(page);
    assert.equal(await email.inputValue(), '');
  },
);

test(
  'what was typed is kept also when its dialog is closed after a sign-in over it, while it is sent again',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const session = await enter(t, { person });
    const { page, watch } = await session.open(t, `/a/${person.slug}/contacts`);
    watch.allow(/ERR_INTERNET_DISCONNECTED|401/);
    const email = page.getByRole('dialog', { name: 'Add a contact' }).getByLabel('Email');
    await press('Add a contact')(page);
    await email.fill('tui@home.example');
    const sent = Promise.withResolvers<Route>();
    await page.route('**/api/v1/contacts', (route) => sent.resolve(route), { times: 1 });
    await refuse('**/api/v1/contacts', 'session_ended', 401)(page);
    await press('Add the contact')(page);
    const signIn = page.getByRole('dialog', { name: 'Your session has ended' });
    await signIn.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    const route = await sent.promise;
    await signIn.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await email.waitFor({ state: 'detached' });
    await page.route('**/api/v1/contacts', (each) => each.abort('internetdisconnected'));
    await route.abort('internetdisconnected');
    await page.getByText('Add a contact: The service could not be reached.').waitFor();
    await press('Add a contact')(page);
    assert.equal(await email.inputValue(), 'tui@home.example');
  },
);

test(
  'the button that opens a form in the drawer of an import has the focus after Cancel',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const session = await enter(t, { person });
    const { page } = await session.open(t, `/a/${person.slug}/imports`);
    await page.getByRole('rowheader').first().click();
    for (const name of ['Fix and retry', 'Dismiss']) {
      await press(name)(page);
      await press('Cancel')(page);
      const button = page.getByRole('button', { name, exact: true });
      await button.waitFor();
      assert.equal(await button.evaluate((each) => each === document.activeElement), true, name);
    }
  },
);

test('a dialog that a menu opens gives the focus back to the button', withBrowser, async (t) => {
  const person = await furnishAccount(service);
  const session = await enter(t, { person });
  for (const [path, button, choice] of [
    ['settings/people', /^Change: /, 'Name, email, role'],
    ['pipeline', /^Stage of Ana Kaur 0: New/, 'Reserved'],
    ['stock', 'What to do with the units', 'Order by hand'],
  ] as const) {
    const { page } = await session.open(t, `/a/${person.slug}/${path}`);
    await press(button, choice)(page);
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    const trigger = page.getByRole('button', { name: button }).first();
    assert.equal(await trigger.evaluate((each) => each === document.activeElement), true, path);
  }
});

/** Closes what is open, from the top, and checks that the focus is then on the page. */
async function closeAll(page: Page): Promise<void> {
  const open = page.locator(OPEN);
  for (let count = await open.count(); count > 0; count = await open.count()) {
    const done = page
      .locator('dialog[open]')
      .last()
      .getByRole('button', { name: /^(Done|I have kept them)$/ });
    if ((await done.count()) > 0) await done.click();
    else await page.keyboard.press('Escape');
    await until(async () => (await open.count()) < count);
  }
  await until(() => page.evaluate(() => document.activeElement !== document.body));
}
