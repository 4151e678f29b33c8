import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  developersOf,
  INACTIVE_USER,
  LIVE,
  NOWHERE,
  OTHER_USER,
  UNIT,
  USER,
  type Developer,
} from './support/developer.ts';
import { build } from './support/harness.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);

const EMAIL = 'aroha@example.com';
const CONTACT = '0196a000-0000-7000-8000-000000000401';
const IMPORTED_AT = '2025-05-05T21:12:39.916Z';

/** A contact whose source, stage and import time are filled. */
const SETTLED = {
  id: CONTACT,
  email: EMAIL,
  source: 'Agent',
  stage: 'Qualified',
  importedAt: IMPORTED_AT,
};

describe('a lead whose email one contact has', () => {
  test('is merged into it and answered with 200', async () => {
    const { post, exported } = await makeDeveloper([SETTLED]);
    const { status, body } = await post({ email: EMAIL, phone: '1' });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      action: 'merged',
      contactId: CONTACT,
      email: EMAIL,
      matchedBy: 'email',
      filledFields: ['phone_primary'],
      linkedProjectId: null,
      linkedUnitId: null,
    });
    assert.equal((await exported()).contacts.length, 1);
  });

  test('finds the contact without regard to case, composition and surrounding spaces', async () => {
    const { post, exported } = await makeDeveloper();
    const stored = 'Zoë@Whānau.example.com';
    const { body: created } = await post({ email: stored });
    const same = [stored.toUpperCase(), stored.normalize('NFD'), ` ${stored.toLowerCase()}\n`];
    for (const email of same) {
      const { body } = await post({ email });
      assert.deepEqual([body.action, body.contactId], ['merged', created.contactId], email);
      assert.equal(body.email, stored);
    }
    const { contacts } = await exported();
    assert.deepEqual(
      contacts.map(({ email }: { email: string }) => email),
      [stored],
    );
  });

  test('is another contact when its email differs in a mark, a dot or a plus', async () => {
    const { post } = await makeDeveloper();
    const emails = ['zoe@example.com', 'zoë@example.com', 'z.oe@example.com', 'zoe+a@example.com'];
    for (const email of emails) assert.equal((await post({ email })).status, 201, email);
  });

  const LOADED = {
    name: 'Old name',
    firstName: 'Old first',
    phone: 'old phone',
    companyName: 'Old company',
    notes: 'Old free-form notes',
    buyerType: 'Investor',
    budget: 0,
    country: 'Old country',
    assignedAccountUserId: USER,
    sourceExternalOriginalName: 'Old label',
  };

  test('changes no value that the contact has', async () => {
    const { post, exported } = await makeDeveloper([{ ...SETTLED, ...LOADED }]);
    const { contacts } = await exported();
    const { body } = await post({
      email: EMAIL.toUpperCase(),
      name: 'New',
      firstName: 'New',
      phone: 'new',
      companyName: 'New',
      source: 'Website',
      sourceExternalOriginalName: 'New label',
      buyerType: 'Upgrader',
      budget: 5,
      country: 'New',
      assignedAccountUserId: OTHER_USER,
    });
    assert.deepEqual(body.filledFields, []);
    assert.deepEqual((await exported()).contacts, contacts);
  });

  test('fills every empty field, and names it in filledFields', async () => {
    const { post, contact } = await makeDeveloper([{ ...SETTLED, ...LOADED }]);
    const sent = {
      lastName: 'Ngata',
      mobilePhone: '021',
      referredBy: 'Mele',
      addressLine1: '1 Rd',
      addressLine2: 'Flat 1',
      cityName: 'Taupō',
      regionName: 'Waikato',
      suburbName: 'Hilltop',
      postalCode: '3330',
      stateOrProvince: 'WKO',
    };
    const { body } = await post({ email: EMAIL, ...sent, country: 'New' });
    assert.deepEqual(body.filledFields, [
      'last_name',
      'phone_mobile',
      'referred_by',
      'address_line_1',
      'address_line_2',
      'city_name',
      'region_name',
      'suburb_name',
      'postal_code',
      'state_or_province',
    ]);
    const {
      tags: _,
      activities: __,
      links: ___,
      createdAt: ____,
      ...stored
    } = await contact(EMAIL);
    assert.deepEqual(stored, { ...SETTLED, ...LOADED, ...sent, archivedAt: null });
  });

  test('fills stage, source and import time where the contact has none', async () => {
    const { post, contact } = await makeDeveloper([{ id: CONTACT, email: EMAIL }]);
    const { body } = await post({ email: EMAIL, source: 'referral' });
    assert.deepEqual(body.filledFields, ['stage', 'source', 'imported_at']);
    const { stage, source, importedAt } = await contact(EMAIL);
    assert.deepEqual([stage, source], ['New', 'Referral']);
    assert.ok(Date.parse(importedAt) > Date.now() - 60_000);
  });

  test('fills fields whose text is blank', async () => {
    const blank = { name: '', phone: ' ', companyName: '\t', sourceExternalOriginalName: '' };
    const { post, contact } = await makeDeveloper([{ ...SETTLED, ...blank }]);
    const sent = { name: 'Aroha', phone: '1', companyName: 'X', sourceExternalOriginalName: 'Y' };
    const { body } = await post({ email: EMAIL, ...sent });
    assert.deepEqual(body.filledFields, [
      'name',
      'phone_primary',
      'company_name',
      'source_external_original_name',
    ]);
    const stored = await contact(EMAIL);
    for (const [field, value] of Object.entries(sent)) assert.equal(stored[field], value);
  });

  test('builds an empty name from the half that the contact has and the half that it sends', async () => {
    const { post, contact } = await makeDeveloper([{ ...SETTLED, firstName: 'Old' }]);
    const { body } = await post({ email: EMAIL, firstName: 'Aroha', lastName: 'Ngata' });
    assert.deepEqual(body.filledFields, ['name', 'last_name']);
    const { name, firstName } = await contact(EMAIL);
    assert.deepEqual([name, firstName], ['Old Ngata', 'Old']);
  });

  test('never touches the free-form notes', async () => {
    const { post, contact } = await makeDeveloper([SETTLED]);
    const { body } = await post({ email: EMAIL, notes: 'Hello' });
    assert.deepEqual(body.filledFields, ['notes']);
    const { notes, activities } = await contact(EMAIL);
    assert.equal(notes, null);
    assert.equal(activities.length, 1);
  });

  test('makes an archived contact active again, and fills only what is empty', async () => {
    const archived = { ...SETTLED, phone: 'old', archivedAt: '2025-06-01T00:00:00.000Z' };
    const { post, contact } = await makeDeveloper([archived]);
    const { body } = await post({ email: EMAIL, phone: 'new', cityName: 'Taupō' });
    assert.deepEqual([body.action, body.filledFields], ['merged', ['city_name']]);
    const { archivedAt, phone, stage } = await contact(EMAIL);
    assert.deepEqual([archivedAt, phone, stage], [null, 'old', 'Qualified']);
  });

  test('makes an archived contact active again when it has nothing to fill', async () => {
    const { post, contact } = await makeDeveloper([
      { ...SETTLED, archivedAt: '2025-06-01T00:00:00.000Z' },
    ]);
    const { body } = await post({ email: EMAIL });
    assert.deepEqual(body.filledFields, []);
    assert.equal((await contact(EMAIL)).archivedAt, null);
  });

  test('leaves an archived contact archived when it is refused', async () => {
    const { refused } = await makeDeveloper([
      { ...SETTLED, archivedAt: '2025-06-01T00:00:00.000Z' },
    ]);
    const unknown = { email: EMAIL, projectId: NOWHERE };
    await refused(unknown, 'project_not_available', '/projectId');
  });

  test('is refused for an inactive user also when the contact is assigned already', async () => {
    const { refused } = await makeDeveloper([{ ...SETTLED, assignedAccountUserId: USER }]);
    const fields = { email: EMAIL, assignedAccountUserId: INACTIVE_USER };
    await refused(fields, 'user_not_active', '/assignedAccountUserId');
  });

  test('fills nothing when it is sent again', async () => {
    const { post, exported } = await makeDeveloper();
    const lead = { email: EMAIL, name: 'Aroha', notes: 'Hi', tags: 'a,b', projectId: LIVE };
    await post(lead);
    const before = await exported();
    const { status, body } = await post(lead);
    assert.deepEqual([status, body.filledFields, body.linkedProjectId], [200, [], LIVE]);
    assert.deepEqual(await exported(), before);
  });
});

describe('the label of a source on a merge', () => {
  const cases: [string, object, object, [string, string | null], string[]][] = [
    ['is left with a source that is there', {}, { source: 'Billboard' }, ['Agent', null], []],
    [
      'is filled by one that was sent',
      {},
      { sourceExternalOriginalName: 'Fair' },
      ['Agent', 'Fair'],
      ['source_external_original_name'],
    ],
    [
      'is filled by one that was sent, not by an unlisted source',
      {},
      { source: 'Billboard', sourceExternalOriginalName: 'Fair' },
      ['Agent', 'Fair'],
      ['source_external_original_name'],
    ],
    [
      'comes with a source that is filled',
      { source: null },
      { source: 'Billboard' },
      ['Other', 'Billboard'],
      ['source', 'source_external_original_name'],
    ],
    [
      'that is there stays when the source is filled',
      { source: null, sourceExternalOriginalName: 'Expo' },
      { source: 'Billboard' },
      ['Other', 'Expo'],
      ['source'],
    ],
  ];
  for (const [what, loaded, sent, expected, filled] of cases)
    test(what, async () => {
      const { post, contact } = await makeDeveloper([{ ...SETTLED, ...loaded }]);
      const { body } = await post({ email: EMAIL, ...sent });
      assert.deepEqual(body.filledFields, filled);
      const { source, sourceExternalOriginalName } = await contact(EMAIL);
      assert.deepEqual([source, sourceExternalOriginalName], expected);
    });
});

describe('an email that more than one contact has', () => {
  const twins = [
    { ...SETTLED, id: '0196a000-0000-7000-8000-000000000402', email: EMAIL },
    { ...SETTLED, id: CONTACT, email: 'AROHA@example.com', archivedAt: '2025-06-01T00:00:00.000Z' },
  ];
  const ids = [CONTACT, '0196a000-0000-7000-8000-000000000402'];

  test('refuses the lead with 409, names the contacts, and changes nothing', async () => {
    const { refused } = await makeDeveloper(twins);
    const lead = { email: ' Aroha@Example.com', notes: 'Hi', tag: 'New tag', projectId: LIVE };
    const { status, body } = await refused(lead, 'duplicate_contacts');
    assert.equal(status, 409);
    assert.deepEqual(body.matchingContactIds, ids);
  });

  test('is reported after the faults of the lead itself', async () => {
    const { refused } = await makeDeveloper(twins);
    const unknown = { email: EMAIL, assignedAccountUserId: NOWHERE };
    await refused(unknown, 'user_not_active', '/assignedAccountUserId');
    await refused({ email: EMAIL, name: 1 }, 'invalid_request', '/name');
  });

  test('does not refuse leads with other emails', async () => {
    const { post } = await makeDeveloper(twins);
    assert.equal((await post({ email: 'mele@example.com' })).status, 201);
  });
});

describe('notes', () => {
  const bodies = async ({ contact }: Developer): Promise<string[]> =>
    (await contact(EMAIL)).activities.map(({ body }: { body: string }) => body);

  test('are one dated activity each, unless the latest one says the same', async () => {
    const developer = await makeDeveloper();
    const wroteNote: boolean[] = [];
    for (const notes of ['one', 'one', 'two', 'one', 'ONE', 'one ', 'one ']) {
      const { body } = await developer.post({ email: EMAIL, notes });
      wroteNote.push(body.filledFields.includes('notes'));
    }
    assert.deepEqual(wroteNote, [true, false, true, true, true, true, false]);
    assert.deepEqual(await bodies(developer), ['one', 'two', 'one', 'ONE', 'one ']);
  });

  test('make no activity when they are left out', async () => {
    const developer = await makeDeveloper();
    await developer.post({ email: EMAIL, notes: 'one' });
    for (const notes of [undefined, null, '', ' \n']) await developer.post({ email: EMAIL, notes });
    assert.deepEqual(await bodies(developer), ['one']);
  });

  test('are compared with the latest activity by date, not by order of insertion', async () => {
    const note = (body: string, occurredAt: string) => ({ type: 'note', body, occurredAt });
    const developer = await makeDeveloper([
      {
        ...SETTLED,
        activities: [
          note('latest', '2025-03-01T00:00:00.000Z'),
          note('earliest', '2025-01-01T00:00:00.000Z'),
        ],
      },
    ]);
    const filled = async (notes: string): Promise<string[]> =>
      (await developer.post({ email: EMAIL, notes })).body.filledFields;
    assert.deepEqual(await filled('latest'), []);
    assert.deepEqual(await filled('earliest'), ['notes']);
    assert.equal((await bodies(developer)).length, 3);
  });

  test('are added once when the contact has an activity in the future, singly and in a batch', async () => {
    const appointment = { type: 'note', body: 'Visit', occurredAt: '2099-01-01T00:00:00.000Z' };
    const developer = await makeDeveloper([{ ...SETTLED, activities: [appointment] }]);
    const { body } = await developer.post({ email: EMAIL, notes: 'Call me' });
    assert.deepEqual(body.filledFields, ['notes']);
    assert.deepEqual(
      (await developer.post({ email: EMAIL, notes: 'Call me' })).body.filledFields,
      [],
    );
    const contacts = ['Call me', 'Visit', 'Visit'].map((notes) => ({ email: EMAIL, notes }));
    await service.send({
      method: 'POST',
      url: '/api/v1/contacts/batch',
      key: developer.key,
      payload: { contacts },
    });
    assert.deepEqual(await bodies(developer), ['Visit', 'Call me', 'Visit']);
  });

  test('with the same text for two contacts make an activity for each', async () => {
    const { post, contact } = await makeDeveloper();
    for (const email of [EMAIL, 'mele@example.com']) {
      await post({ email, notes: 'same' });
      assert.equal((await contact(email)).activities.length, 1);
    }
  });
});

test('an account with imported contacts can be exported and loaded again without a change', async () => {
  const { post, exported } = await makeDeveloper();
  const name = 'n'.repeat(1_000);
  await post({ email: '"a,b"@ex.co', firstName: name, lastName: name, notes: '\r\nx ', budget: 0 });
  await post({ email: `.${'ā'.repeat(241)}@x.example.c`, tags: 'x, y', budget: 1e21 });
  await post({ email: 'ngāti@whānau.māori.nz', projectId: LIVE, unitId: UNIT, source: ' Fair ' });
  const file = await exported();
  await service.load(file);
  assert.deepEqual(await exported(), file);
  const elsewhere = await build({ after });
  await elsewhere.load(file);
  assert.deepEqual(await elsewhere.exported(file.account.slug), file);
});
