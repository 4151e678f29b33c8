import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ROLES, type Role } from '../../src/access/index.ts';
import { accountFile, PROJECT_ID } from '../support/accounts.ts';
import { addPerson, browser, openSession } from '../support/people.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { withBrowser } from './chromium.ts';
import { followAddress, waitForPage } from './check-page.ts';
import { serveConsole } from './console.ts';
import { closeOpened, isEditable, listControls, openByNames } from './controls.ts';
import { CONTACT_ID, DRAFT_ID, SCREENS, UNIT_ID, type Limit } from './role-screens.ts';

const { service, enter, open } = await serveConsole({ webhookAllowPrivate: true });

/** Makes an account with a person of each role, in which each screen has something to act on. */
async function fillAccount() {
  const owner = await addPerson(service, { role: 'owner' });
  const { slug } = owner;
  const people = new Map([['owner' as Role, owner]]);
  for (const role of ROLES)
    if (role !== 'owner') people.set(role, await addPerson(service, { role, slug }));
  const file = accountFile(slug);
  const [project] = file.projects;
  await service.load({
    ...file,
    projects: [
      { ...project, units: [{ id: UNIT_ID, name: 'Townhouse 1', status: 'Available' }] },
      { ...project, id: DRAFT_ID, slug: 'rata', name: 'Rātā Heights', publication: 'draft' },
    ],
    contacts: [
      {
        id: CONTACT_ID,
        email: 'ana@leads.example',
        firstName: 'Ana',
        phone: '021 555 0001',
        stage: 'New',
        tags: ['Investor'],
        links: [{ projectId: PROJECT_ID, unitId: UNIT_ID }],
        activities: [{ type: 'note', body: 'Called', occurredAt: '2026-01-01T00:00:00Z' }],
      },
      ...['one', 'two'].map((firstName) => ({ email: 'twice@leads.example', firstName })),
    ],
  });
  const key = await service.key(slug, 'all');
  const post = (path: string, payload: object) =>
    service.send({ method: 'POST', url: `/api/v1${path}`, key, payload });
  await post('/contacts', { email: 'no email', firstName: 'Mere', source: 'Website' });
  const webhook = { url: 'http://127.0.0.1:9/events', types: ['*'], description: 'Website' };
  await post('/webhooks', webhook);
  return people;
}

/** Signs a person of each role in, and opens a page for each. */
async function visitAsEachRole(t: Parameters<typeof enter>[0]) {
  const people = await fillAccount();
  return Promise.all(
    [...people].map(async ([role, person]) => {
      const session = await enter(t, { person });
      const base = `/a/${person.slug}`;
      const { page } = await session.open(t, `${base}/profile`);
      await waitForPage(page, 'Profile');
      return { role, page, base, send: browser(service, await openSession(service, person)) };
    }),
  );
}

type Visit = Awaited<ReturnType<typeof visitAsEachRole>>[number];

/** Waits until each role sees the controls that any role sees, except those that the limits give to other roles only. */
async function checkControls(
  visits: readonly Visit[],
  limits: readonly Limit[],
  opened: string | null = null,
): Promise<void> {
  const isHere = (control: string | RegExp) =>
    typeof control === 'string' && opened !== null
      ? control.startsWith(`${opened} › `)
      : opened === null && !String(control).includes(' › ');
  const here = limits.flatMap(({ roles, controls }) =>
    controls.filter(isHere).map((control) => ({ roles, control })),
  );
  const fits = (name: string, control: string | RegExp) =>
    typeof control === 'string' ? control === name : control.test(name);
  let shown: Record<string, string[]> = {};
  let expected: Record<string, string[]> = {};
  async function isAsExpected(): Promise<boolean> {
    const lists = await Promise.all(visits.map(({ page }) => listControls(page, opened)));
    const all = [...new Set(lists.flat())];
    const missing = here
      .filter(({ control }) => !all.some((name) => fits(name, control)))
      .map(({ control }) => `${String(control)} is missing`);
    const select = (role: Role) =>
      all.filter((name) => {
        const limit = here.find(({ control }) => fits(name, control));
        return limit === undefined || limit.roles.includes(role);
      });
    shown = Object.fromEntries(visits.map(({ role }, at) => [role, lists[at]?.toSorted() ?? []]));
    expected = Object.fromEntries(
      visits.map(({ role }) => [role, [...select(role), ...missing].toSorted()]),
    );
    return isDeepStrictEqual(shown, expected);
  }
  await until(isAsExpected).catch(() => assert.deepEqual(shown, expected));
}

/** Opens a menu or a dialog for each role that has it, and checks the controls in it. */
async function checkOpened(
  visits: readonly Visit[],
  limits: readonly Limit[],
  names: readonly string[],
): Promise<void> {
  const isOpen = await Promise.all(visits.map(({ page }) => openByNames(page, names)));
  const guests = visits.filter((_, index) => isOpen[index]);
  await checkControls(guests, limits, names.at(-1));
  await Promise.all(guests.map(({ page }) => closeOpened(page)));
}

/** Sends requests as each role: the service refuses those that the role may not send, and no other ones. */
async function checkRequests(visits: readonly Visit[], limits: readonly Limit[]): Promise<void> {
  for (const { roles, requests = [] } of limits)
    for (const [method, url] of requests)
      for (const { role, send } of visits) {
        const payload = method === 'GET' ? {} : { payload: {} };
        const { status, text } = await send({ method, url: `/api/v1${url}`, ...payload });
        const what = `${role}: ${method} ${url}: ${text}`;
        if (roles.includes(role)) assert.ok(status !== 403 && status < 500, what);
        else assert.equal(status, 403, what);
      }
}

test(
  'each role has the controls of what it may do on each screen and no other ones, and the service refuses what is hidden',
  withBrowser,
  async (t) => {
    const visits = await visitAsEachRole(t);
    for (const { path, heading, roles = ROLES, limits = [], requests, opened, cells } of SCREENS)
      await t.test(path, async () => {
        await Promise.all(
          visits.map(({ page, base }) => followAddress(page, `${base}${path}`, heading)),
        );
        const guests = visits.filter(({ role }) => roles.includes(role));
        for (const { page } of visits.filter((each) => !guests.includes(each))) {
          await page.getByText(`Ask an owner for access to ${heading}.`).waitFor();
          assert.deepEqual(await listControls(page), ['link Go to Home']);
        }
        await checkControls(guests, limits);
        for (const names of opened ?? []) await checkOpened(guests, limits, names);
        for (const [column, allowed] of Object.entries(cells ?? {})) {
          const editors = await Promise.all(
            guests.map(async ({ page, role }) => ((await isEditable(page, column)) ? [role] : [])),
          );
          assert.deepEqual(editors.flat(), allowed, column);
        }
        await checkRequests(visits, [...limits, { roles, controls: [], requests: requests ?? [] }]);
      });
  },
);

test(
  'an agent who adds the email of a contact that they do not see reads why it is refused, and no other contact opens',
  withBrowser,
  async (t) => {
    const agent = await addPerson(service, { role: 'agent' });
    const { slug, accountId } = agent;
    await addPerson(service, { role: 'owner', slug });
    const email = 'ana@leads.example';
    await service.load({
      ...accountFile(slug),
      contacts: [
        { id: CONTACT_ID, email },
        { email: `${email}.nz`, firstName: 'Mere' },
      ],
    });
    const hide = `update contacts set assigned_account_user_id =
      (select id from users where users.account_id = $1 and role = 'owner') where account_id = $1 and id = $2`;
    await run(service.db, hide, [accountId, CONTACT_ID]);
    await run(service.db, `update accounts set agents_see = 'own' where account_id = $1`, [
      accountId,
    ]);
    const { page } = await open(t, { person: agent, path: `/a/${slug}/contacts` });
    await page.getByRole('rowheader', { name: 'Mere' }).waitFor();
    await page.getByRole('button', { name: 'Add a contact' }).click();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Add the contact' }).click();
    await page.getByText('This email is known, and its contact is not yours to see').waitFor();
    assert.equal(new URL(page.url()).pathname, `/a/${slug}/contacts`);
  },
);

test(
  'an agent of an account where agents see their own contacts finds those of others nowhere',
  withBrowser,
  async (t) => {
    const agent = await addPerson(service, { role: 'agent' });
    const { slug } = agent;
    const owner = await addPerson(service, { role: 'owner', slug });
    const file = accountFile(slug);
    await service.load({
      ...file,
      contacts: [
        { id: CONTACT_ID, email: 'ana@leads.example', firstName: 'Ana' },
        { email: 'mere@leads.example', firstName: 'Mere' },
      ],
    });
    await run(
      service.db,
      'update contacts set assigned_account_user_id = $1 where account_id = $2 and id = $3',
      [owner.id, owner.accountId, CONTACT_ID],
    );
    await run(service.db, `update accounts set agents_see = 'own' where account_id = $1`, [
      owner.accountId,
    ]);
    const { page } = await open(t, { person: agent, path: `/a/${slug}/contacts` });
    await waitForPage(page, 'Contacts');
    await page.getByText('1 contact', { exact: true }).waitFor();
    await page.getByRole('rowheader', { name: 'Mere' }).waitFor();
    assert.equal(await page.getByRole('rowheader', { name: 'Ana' }).count(), 0);
    await followAddress(page, `/a/${slug}/contacts/${CONTACT_ID}`, 'Contact not found');
    const send = browser(service, await openSession(service, agent));
    const url = `/api/v1/contacts/${CONTACT_ID}`;
    assert.equal((await send({ method: 'PATCH', url, payload: {} })).status, 404);
  },
);

test(
  'a contact that another person takes in the same moment leaves the page of an agent who sees their own contacts',
  withBrowser,
  async (t) => {
    const agent = await addPerson(service, { role: 'agent' });
    const { slug, accountId } = agent;
    const owner = await addPerson(service, { role: 'owner', slug });
    const contacts = [{ id: CONTACT_ID, email: 'ana@leads.example', firstName: 'Ana' }];
    await service.load({ ...accountFile(slug), contacts });
    await run(service.db, `update accounts set agents_see = 'own' where account_id = $1`, [
      accountId,
    ]);
    const { page } = await open(t, { person: agent, path: `/a/${slug}/contacts/${CONTACT_ID}` });
    await waitForPage(page, 'Ana');
    const send = browser(service, await openSession(service, owner));
    await page.route(`**/api/v1/contacts/${CONTACT_ID}`, async (route) => {
      const request = route.request();
      const payload = { assignedAccountUserId: owner.id };
      const url = new URL(request.url()).pathname;
      if (request.method() === 'PATCH') await send({ method: 'PATCH', url, payload });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Assigned to Nobody' }).click();
    await page.getByRole('menuitemradio', { name: 'Hana (you)' }).click();
    await page.getByText('Ana: This contact is gone, or you may not see it.').waitFor();
    await waitForPage(page, 'Contact not found');
  },
);
