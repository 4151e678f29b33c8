import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES, type Role } from '../../src/access/index.ts';
import { accountFile, PROJECT_ID } from '../accounts.ts';
import { addPerson, browser, run, signIn } from '../people.ts';
import { withBrowser } from './chromium.ts';
import { followAddress, waitForPage } from './check-page.ts';
import { serveConsole } from './console.ts';

const CONTACT_ID = '0196a000-0000-7000-8000-0000000000c1';
const NOBODY = '0196a000-0000-7000-8000-0000000000ff';

const { service, enter, open } = await serveConsole();

/** Makes an account with a person of each role, and a contact. */
async function fillAccount() {
  const owner = await addPerson(service, { role: 'owner' });
  const { slug } = owner;
  const people = new Map([['owner' as Role, owner]]);
  for (const role of ROLES)
    if (role !== 'owner') people.set(role, await addPerson(service, { role, slug }));
  const { projects } = accountFile(slug);
  const contact = { id: CONTACT_ID, email: 'ana@leads.example', firstName: 'Ana', stage: 'New' };
  await service.load({ ...accountFile(slug), projects, contacts: [contact] });
  return people;
}

const WRITERS: readonly Role[] = ['owner', 'manager', 'agent'];
const MANAGERS: readonly Role[] = ['owner', 'manager'];
const OWNERS: readonly Role[] = ['owner'];

interface Action {
  /** The accessible role and the name of what a person presses or fills in. */
  control: ['button' | 'textbox' | 'columnheader' | 'link', string | RegExp];
  roles: readonly Role[];
  /** The request of the action, for something that does not exist. */
  request: ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];
}

interface Screen {
  path: string;
  heading: string;
  /** The roles that may open it; all without them. */
  roles?: readonly Role[];
  actions: Action[];
}

const toContact = (path = '') => `/contacts/${NOBODY}${path}`;
const toProject = (path = '') => `/stock/projects/${NOBODY}${path}`;

const SCREENS: Screen[] = [
  {
    path: '/contacts',
    heading: 'Contacts',
    actions: [
      {
        control: ['button', 'Add a contact'],
        roles: WRITERS,
        request: ['POST', '/contacts'],
      },
      { control: ['button', 'Export'], roles: MANAGERS, request: ['GET', '/exports/contacts'] },
      {
        control: ['columnheader', 'Select all'],
        roles: MANAGERS,
        request: ['POST', '/contacts/bulk'],
      },
    ],
  },
  {
    path: `/contacts/${CONTACT_ID}`,
    heading: 'Ana',
    actions: [
      { control: ['button', 'Stage: New'], roles: WRITERS, request: ['PATCH', toContact()] },
      { control: ['button', /^Assigned to/], roles: WRITERS, request: ['PATCH', toContact()] },
      {
        control: ['textbox', 'Write a note'],
        roles: WRITERS,
        request: ['POST', toContact('/activities')],
      },
      { control: ['button', 'Add a tag'], roles: WRITERS, request: ['POST', toContact('/tags')] },
      {
        control: ['button', 'Link a project or unit'],
        roles: WRITERS,
        request: ['POST', toContact('/links')],
      },
    ],
  },
  {
    path: '/pipeline',
    heading: 'Pipeline',
    actions: [
      { control: ['button', /^Stage of Ana/], roles: WRITERS, request: ['PATCH', toContact()] },
      { control: ['button', /^Move Ana/], roles: WRITERS, request: ['PATCH', toContact()] },
    ],
  },
  {
    path: `/stock?project=${PROJECT_ID}`,
    heading: 'Stock',
    actions: [
      {
        control: ['button', 'Add units'],
        roles: MANAGERS,
        request: ['POST', toProject('/units')],
      },
      {
        control: ['columnheader', 'Select all'],
        roles: MANAGERS,
        request: ['POST', '/stock/units/batch'],
      },
    ],
  },
  {
    path: '/stock/projects',
    heading: 'Projects',
    actions: [
      {
        control: ['button', 'Add a project'],
        roles: MANAGERS,
        request: ['POST', '/stock/projects'],
      },
    ],
  },
  {
    path: `/stock/projects/${PROJECT_ID}?tab=pictures`,
    heading: 'Tūī Ridge',
    actions: [
      { control: ['button', 'Choose pictures'], roles: MANAGERS, request: ['POST', '/media'] },
      {
        control: ['button', /^(Archive|Unpublish|More)/],
        roles: MANAGERS,
        request: ['POST', toProject('/archive')],
      },
    ],
  },
  {
    path: '/import',
    heading: 'Import',
    roles: MANAGERS,
    actions: [
      {
        control: ['button', /^Choose/],
        roles: MANAGERS,
        request: ['POST', '/contact-files'],
      },
    ],
  },
  {
    path: '/imports',
    heading: 'Import log',
    roles: MANAGERS,
    actions: [{ control: ['link', 'Import log'], roles: MANAGERS, request: ['GET', '/imports'] }],
  },
  {
    path: '/duplicates',
    heading: 'Duplicates',
    roles: MANAGERS,
    actions: [
      {
        control: ['link', 'Duplicates'],
        roles: MANAGERS,
        request: ['GET', '/contacts/duplicates'],
      },
    ],
  },
  {
    path: '/audit',
    heading: 'Audit',
    roles: MANAGERS,
    actions: [{ control: ['link', 'Audit'], roles: MANAGERS, request: ['GET', '/changes'] }],
  },
  {
    path: '/settings/account',
    heading: 'Account',
    actions: [{ control: ['button', 'Save'], roles: OWNERS, request: ['PATCH', '/organization'] }],
  },
  {
    path: '/settings/people',
    heading: 'People',
    actions: [
      { control: ['button', 'Invite a person'], roles: MANAGERS, request: ['POST', '/users'] },
    ],
  },
  {
    path: '/settings/keys',
    heading: 'API keys',
    roles: OWNERS,
    actions: [{ control: ['button', 'Create a key'], roles: OWNERS, request: ['POST', '/keys'] }],
  },
  {
    path: '/settings/webhooks',
    heading: 'Webhooks',
    roles: OWNERS,
    actions: [
      { control: ['button', 'Add a webhook'], roles: OWNERS, request: ['POST', '/webhooks'] },
    ],
  },
];

test(
  'what a role may not do is hidden and refused, and nothing that is shown is refused',
  withBrowser,
  async (t) => {
    const people = await fillAccount();
    for (const [role, person] of people)
      await t.test(role, async (each) => {
        const send = browser(service, await signIn(service, person));
        const session = await enter(each, { person });
        const { page } = await session.open(each, `/a/${person.slug}/profile`);
        await waitForPage(page, 'Profile');
        for (const { path, heading, roles = ROLES, actions } of SCREENS) {
          await followAddress(page, `/a/${person.slug}${path}`, heading);
          const ask = page.getByText(`Ask an owner for access to ${heading}.`);
          if (!roles.includes(role)) await ask.waitFor();
          for (const { control, roles: allowed, request } of actions) {
            const what = `${path} ${control[1]}`;
            const [method, url] = request;
            const isAllowed = allowed.includes(role);
            const found = page.getByRole(control[0], { name: control[1] }).first();
            if (isAllowed) await found.waitFor();
            else assert.equal(await found.count(), 0, `${what} is hidden`);
            const payload = method === 'GET' ? {} : { payload: {} };
            const answer = await send({ method, url: `/api/v1${url}`, ...payload });
            if (isAllowed) assert.notEqual(answer.status, 403, `${what}: ${answer.text}`);
            else assert.equal(answer.status, 403, `${what}: ${answer.text}`);
          }
        }
      });
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
    const send = browser(service, await signIn(service, agent));
    const url = `/api/v1/contacts/${CONTACT_ID}`;
    assert.equal((await send({ method: 'PATCH', url, payload: {} })).status, 404);
  },
);
