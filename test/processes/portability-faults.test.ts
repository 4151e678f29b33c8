import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadAccount } from '../../src/portability/index.ts';
import {
  portability,
  newSlug,
  organization,
  id,
  P1,
  P2,
  U1,
  U2,
  U3,
  HANA,
  C1,
  project,
  withSlug,
  fullFile,
} from '../support/account-files.ts';
import { databaseUrl } from '../support/harness.ts';
import { dataFolder, offplan } from '../support/process.ts';

const { db, refused, refusedWith } = await portability();

test('a unit that a contact is linked to is not removed', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const account = { format: 'offplan-account/1', account: { slug } };
  const [detail] = await refusedWith(
    { prune: true },
    { ...account, projects: [{ id: P1, units: [{ id: U2 }] }] },
    '/projects/0/units',
  );
  assert.match(detail ?? '', /"1A".*Withdrawn/);
});

test('a file cannot have the lowest or the highest UUID as an id: no page of a list would have the row', async () => {
  for (const each of [
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-ffff-ffff-ffff-ffffffffffff',
  ]) {
    const slug = newSlug();
    const project = { id: each, slug: 'nil', name: 'Nil', units: [{ id: each, name: '1' }] };
    const contacts = [{ id: each, email: 'nil@example.com' }];
    const users = [{ id: each, email: 'nil@example.com', name: 'Nil' }];
    const file = withSlug(slug, { users, projects: [project], contacts });
    const details = await refused(
      file,
      '/users/0/id',
      '/projects/0/id',
      '/projects/0/units/0/id',
      '/contacts/0/id',
    );
    const expected = 'must be a UUID: this one cannot be the id of a row.';
    assert.deepEqual(new Set(details), new Set([expected]));
  }
});

test('a file cannot refer to a user or a project of another account', async () => {
  await loadAccount(db, fullFile(newSlug()));
  const contact = {
    email: 'a@example.com',
    assignedAccountUserId: HANA,
    links: [{ projectId: P1 }],
  };
  await refused(
    withSlug(newSlug(), {
      projects: [project('a', { relatedProjects: ['ridge-road'] })],
      contacts: [contact],
    }),
    '/projects/0/relatedProjects/0',
    '/contacts/0/assignedAccountUserId',
    '/contacts/0/links/0/projectId',
  );
});

test('a text that is no JSON is refused with the line and the column where it breaks, and is not quoted', async () => {
  const [detail] = await refused(
    '{\n  "format": "offplan-account/1",\n  "x": hana@example.com }',
    '',
  );
  assert.equal(detail, 'is not valid JSON: line 3, column 8.');
  assert.deepEqual(await refused('[1, 2', ''), ['ends too early: line 1, column 6.']);
  assert.deepEqual(await refused(' ', ''), ['is empty; it must be a JSON object.']);
});

test('a document that is no account file is refused', async () => {
  await refused('[]', '');
  await refused('null', '');
  await refused({}, '/format', '/account');
  await refused({ format: 'offplan-account/2', account: [] }, '/format', '/account');
});

test('a new account, user, project, unit and contact need each field that cannot be null', async () => {
  const file = {
    format: 'offplan-account/1',
    account: { slug: newSlug() },
    users: [{ id: HANA }],
    projects: [
      { id: P1, units: [{ id: U1 }] },
      { id: P2, publication: 'live' },
    ],
    contacts: [{ id: C1 }],
  };
  const required = (pointer: string, ...fields: string[]) =>
    fields.map((each) => `${pointer}/${each}`);
  await refused(
    file,
    ...required(
      '/account/organization',
      'companyName',
      'displayName',
      'email',
      'location',
      'websiteUrl',
    ),
    ...required('/users/0', 'email', 'name'),
    ...required('/projects/0', 'slug', 'name', 'units/0/name'),
    ...required('/projects/1', 'slug', 'name', 'developmentDescription', 'estimatedCompletionDate'),
    ...required('/projects/1', 'addressLine1', 'postalCode', 'latitude', 'longitude', 'cityName'),
    ...required('/projects/1', 'regionName', 'regionSlug', 'suburbName', 'projectWebsiteUrl'),
    '/contacts/0/email',
  );
  const nameless = {
    users: [{ name: 'Hana' }],
    projects: [{ name: 'R' }],
    contacts: [{ name: 'A' }],
  };
  await refused(
    withSlug(newSlug(), nameless),
    '/users/0/email',
    '/projects/0/slug',
    '/contacts/0/email',
  );
});

test('a refusal names every value that its field cannot hold, and every fault between entries', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const details = await refused(
    {
      $schema: 'x',
      format: 'offplan-account/1',
      extra: 1,
      account: {
        slug,
        organization: { companyName: null, email: 'no', websiteUrl: 'tuiridge', logoImage: {} },
      },
      users: [{ id: 'x', email: 'a@b', active: 'yes' }, 5, { email: 'new@tuiridge.example' }],
      projects: [
        {
          slug: 'Ridge Road',
          name: ' ',
          publication: 'public',
          status: 'Sold',
          estimatedCompletionDate: '2028-02-30',
          latitude: 91,
          longitude: '174',
          heroImage: { key: '/hero.jpg' },
          galleryImages: [{ key: 'a/../b' }, { key: '' }, { key: 'ok', url: 'x' }, 'c'],
        },
        {
          id: P1,
          addressLine1: 5,
          relatedProjects: ['ridge-road', 'matai-lane', 'matai-lane', 'nowhere', null],
          units: [
            { id: U1, price: -1, unitType: 'Castle', status: null },
            { id: U3, name: '1A' },
            { id: U1, name: 'Again' },
            { name: 'x', lotNumber: true },
            { name: 'x' },
          ],
        },
      ],
      tags: [{ label: ' ' }, { label: 'x'.repeat(101) }, {}],
      contacts: [
        {
          email: 'a@example.com',
          stage: 'Won',
          source: 'website',
          buyerType: '',
          budget: 'x'.repeat(201),
        },
        {
          email: 'no email',
          name: 'a\0b',
          phone: 5,
          importedAt: '2026-03-01',
          tags: ['', 'ok\0', 3],
        },
        {
          id: C1,
          email: null,
          assignedAccountUserId: C1,
          activities: [
            { body: 'x' },
            { body: 'x', occurredAt: 'now' },
            { type: 'sms', body: 'x', occurredAt: '2026-03-01T00:00:00Z' },
          ],
          links: [
            {},
            { projectId: C1 },
            { projectId: P1, unitId: U3 },
            { projectId: P2, unitId: U3 },
          ],
        },
        { id: C1.toUpperCase(), notes: '\uD800' },
        { email: 'mele@example.com' },
      ],
    },
    '/extra',
    '/account/organization/companyName',
    '/account/organization/email',
    '/account/organization/websiteUrl',
    '/account/organization/logoImage/key',
    '/users/0/id',
    '/users/0/email',
    '/users/0/active',
    '/users/1',
    '/users/2/name',
    '/projects/0/slug',
    '/projects/0/name',
    '/projects/0/publication',
    '/projects/0/status',
    '/projects/0/estimatedCompletionDate',
    '/projects/0/latitude',
    '/projects/0/longitude',
    '/projects/0/heroImage/key',
    '/projects/0/galleryImages/0/key',
    '/projects/0/galleryImages/1/key',
    '/projects/0/galleryImages/2/url',
    '/projects/0/galleryImages/3',
    '/projects/1/addressLine1',
    '/projects/1/relatedProjects/0',
    '/projects/1/relatedProjects/2',
    '/projects/1/relatedProjects/3',
    '/projects/1/relatedProjects/4',
    '/projects/1/units/0/price',
    '/projects/1/units/0/unitType',
    '/projects/1/units/0/status',
    '/projects/1/units/1/id',
    '/projects/1/units/2/id',
    '/projects/1/units/3/lotNumber',
    '/projects/1/units/4/name',
    '/tags/0/label',
    '/tags/1/label',
    '/tags/2/label',
    '/contacts/0/stage',
    '/contacts/0/source',
    '/contacts/0/buyerType',
    '/contacts/0/budget',
    '/contacts/1/email',
    '/contacts/1/name',
    '/contacts/1/phone',
    '/contacts/1/importedAt',
    '/contacts/1/tags/0',
    '/contacts/1/tags/1',
    '/contacts/1/tags/2',
    '/contacts/2/email',
    '/contacts/2/assignedAccountUserId',
    '/contacts/2/activities/0/occurredAt',
    '/contacts/2/activities/1/occurredAt',
    '/contacts/2/activities/2/type',
    '/contacts/2/links/0/projectId',
    '/contacts/2/links/1/projectId',
    '/contacts/2/links/2/unitId',
    '/contacts/3/id',
    '/contacts/3/notes',
  );
  for (const detail of details) assert.match(detail, /^(is|must|leaves) .*\.$/s);
});

test('a second row with the id, the email or the slug of another row is refused', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const account = { format: 'offplan-account/1', account: { slug } };
  await refused(
    {
      ...account,
      users: [{ id: HANA, email: 'Rewi@tuiridge.example' }, { id: HANA }],
      projects: [{ id: P1, slug: 'matai-lane' }, { id: P1 }],
    },
    '/users/0/email',
    '/users/1/id',
    '/projects/0/slug',
    '/projects/1/id',
  );
  await refused(
    {
      ...account,
      users: [
        { email: 'x@y.example', name: 'X' },
        { email: 'X@Y.example', name: 'X' },
      ],
    },
    '/users/1/email',
  );
  await refused({ ...account, projects: [project('new'), project('new')] }, '/projects/1/slug');
  await refused(
    { ...account, projects: [project('new', { id: id(900) }), project('new', { id: id(901) })] },
    '/projects/1/slug',
  );
});

test('no fault quotes an email, a name or a note', async () => {
  const details = await refused(
    withSlug(newSlug(), {
      users: [
        { email: 'secret@example', name: 7 },
        { email: 's@x.example', name: 'n' },
        { email: 's@x.example', name: 'n' },
      ],
      contacts: [
        { id: C1, email: 'secret.example.com', notes: 'secret\0' },
        { email: 'b@example.com', budget: `secret ${'x'.repeat(200)}`, stage: 'secret' },
      ],
    }),
    '/users/0/email',
    '/users/0/name',
    '/users/2/email',
    '/contacts/0/email',
    '/contacts/0/notes',
    '/contacts/1/budget',
    '/contacts/1/stage',
  );
  for (const detail of details) assert.doesNotMatch(detail, /secret|s@x/);
});

test('a value that nests too deeply is a fault at its place, like any other wrong value', async () => {
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
  const contacts = [
    { email: 'a@example.com', name: deep },
    { email: 'b@example.com', tags: deep },
    deep,
  ];
  await refused(
    withSlug(newSlug(), { extra: deep, contacts }),
    '/extra',
    '/contacts/0/name',
    '/contacts/1/tags/0',
    '/contacts/2',
  );
});

test('__proto__ is an unknown field, and its values are ignored', async () => {
  const [detail] = await refused(
    JSON.parse(
      `{"format":"offplan-account/1","__proto__":{"account":{"slug":"a"}},"account":{"slug":"${newSlug()}",
        "organization":${JSON.stringify(organization)}},"contacts":[{"__proto__":{"email":"a@example.com"}}]}`,
    ),
    '/__proto__',
    '/contacts/0/__proto__',
    '/contacts/0/email',
  );
  assert.match(detail ?? '', /not a field/);
});

test('an account file that is not UTF-8 is refused, and nothing is loaded', async () => {
  const slug = newSlug();
  const bytes = Buffer.from(
    JSON.stringify(withSlug(slug, { tags: [{ label: 'Zo\u00EB' }] })),
    'latin1',
  );
  const folder = dataFolder({ after });
  const path = join(folder, 'account.json');
  writeFileSync(path, bytes);
  const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
  const { code, stderr } = await offplan(['load', path], environment);
  assert.deepEqual([code, stderr], [1, `offplan: ${path} is not in UTF-8; save it as that\n`]);
});

test('the load of a file that needs more memory than Node.js takes says first how to give it more', async () => {
  const path = join(dataFolder({ after }), 'account.json');
  writeFileSync(path, ' '.repeat(15_000_000));
  const environment = { LOG_LEVEL: 'error', NODE_OPTIONS: '--max-old-space-size=128' };
  const { code, stderr } = await offplan(['load', path], environment);
  assert.equal(code, 1, stderr);
  const [warning = ''] = stderr.split('\n');
  assert.ok(
    warning.startsWith(`${path} has 15 MB. A load of it can need 300 MB of memory`),
    stderr,
  );
  assert.match(warning, /load it with NODE_OPTIONS=--max-old-space-size=300\.$/);
});
