import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { FILLED_FIELDS } from '../src/contacts/index.ts';
import { developersOf, LIVE, UNIT, USER } from './support/developer.ts';
import { build } from './support/harness.ts';
import { textsOf } from './support/statements.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);

const EMAIL = 'aroha@example.com';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Every text field that is stored as it was sent, by its name in the import. */
const TEXTS = {
  firstName: 'Aroha',
  lastName: 'Ngata',
  name: 'Aroha M. Ngata',
  phone: '+64 9 555 0142',
  mobilePhone: '+64 21 555 0142',
  companyName: 'Kererū Ltd',
  sourceExternalOriginalName: 'Spring campaign',
  referredBy: 'Mele',
  addressLine1: '12 Bader Drive',
  addressLine2: 'Flat 2',
  cityName: 'Auckland',
  regionName: 'Auckland Region',
  suburbName: 'Māngere',
  postalCode: '2022',
  country: 'New Zealand',
  stateOrProvince: 'Tāmaki Makaurau',
};

/** A lead with every field. */
const FULL = {
  ...TEXTS,
  email: EMAIL,
  tag: 'Hot',
  tags: ['Brochure'],
  notes: 'Would like two bedrooms.',
  source: 'Website',
  buyerType: 'First Home Buyer',
  budget: '$800k to $950k',
  projectId: LIVE,
  unitId: UNIT,
  assignedAccountUserId: USER,
};

describe('a lead whose email no contact has', () => {
  test('is written by INSERT … VALUES alone, whose plans Citus keeps', async () => {
    const { post } = await makeDeveloper();
    const texts = await textsOf(() => post(FULL));
    const inserts = texts.filter((text) => /^\s*insert/i.test(text));
    assert.ok(inserts.length > 6);
    assert.deepEqual(
      inserts.filter((text) => /\bselect\b/i.test(text)),
      [],
    );
  });

  test('creates a contact and is answered with 201 and the seven fields of the result', async () => {
    const { post } = await makeDeveloper();
    const { status, headers, body } = await post({ email: EMAIL, firstName: 'Aroha' });
    assert.equal(status, 201);
    assert.match(String(headers['content-type']), /^application\/json\b/);
    assert.deepEqual(Object.keys(body), [
      'action',
      'contactId',
      'email',
      'matchedBy',
      'filledFields',
      'linkedProjectId',
      'linkedUnitId',
    ]);
    const { contactId, ...rest } = body;
    assert.match(contactId, UUID);
    assert.deepEqual(rest, {
      action: 'created',
      email: EMAIL,
      matchedBy: null,
      filledFields: [
        'name',
        'first_name',
        'stage',
        'source',
        'source_external_original_name',
        'imported_at',
      ],
      linkedProjectId: null,
      linkedUnitId: null,
    });
  });

  test('is stored with every field, and filledFields names all of them in order', async () => {
    const { post, contact } = await makeDeveloper();
    const before = new Date().toISOString();
    const { body } = await post(FULL);
    const afterwards = new Date().toISOString();
    assert.deepEqual(body.filledFields, [...FILLED_FIELDS]);
    assert.deepEqual([body.linkedProjectId, body.linkedUnitId], [LIVE, UNIT]);
    const { importedAt, createdAt, activities, ...stored } = await contact(EMAIL);
    assert.deepEqual(stored, {
      id: body.contactId,
      email: EMAIL,
      ...TEXTS,
      notes: null,
      source: 'Website',
      buyerType: 'First Home Buyer',
      budget: '$800k to $950k',
      stage: 'New',
      archivedAt: null,
      assignedAccountUserId: USER,
      tags: ['Hot', 'Brochure'],
      links: [{ projectId: LIVE, unitId: UNIT }],
    });
    assert.match(importedAt, INSTANT);
    assert.equal(createdAt, importedAt);
    assert.ok(before <= importedAt && importedAt <= afterwards, importedAt);
    assert.deepEqual(activities, [
      {
        type: 'note',
        body: 'Would like two bedrooms.',
        occurredAt: importedAt,
        outcome: null,
        userId: null,
      },
    ]);
  });

  test('needs no more than an email', async () => {
    const { post, contact } = await makeDeveloper();
    assert.equal((await post({ email: EMAIL })).status, 201);
    const { id: _, importedAt: __, createdAt: ___, ...stored } = await contact(EMAIL);
    const nothing = Object.fromEntries(Object.keys(TEXTS).map((field) => [field, null]));
    assert.deepEqual(stored, {
      ...nothing,
      email: EMAIL,
      notes: null,
      source: 'Other',
      sourceExternalOriginalName: 'API Import',
      buyerType: null,
      budget: null,
      stage: 'New',
      archivedAt: null,
      assignedAccountUserId: null,
      tags: [],
      activities: [],
      links: [],
    });
  });
});

describe('a text', () => {
  test('is stored byte for byte, with its spaces, signs and composition', async () => {
    const { post, contact } = await makeDeveloper();
    const text =
      ' \u0009"\\u0041" \\ <b>&amp;</b> \'; -- A\u0304\u{1F3E1}\u200D\r\n\u0001$1 %s \u00A0';
    const fields = [...Object.keys(TEXTS), 'notes', 'budget'];
    await post({ email: EMAIL, ...Object.fromEntries(fields.map((field) => [field, text])) });
    const stored = await contact(EMAIL);
    for (const field of [...Object.keys(TEXTS), 'budget']) assert.equal(stored[field], text, field);
    assert.equal(stored.activities[0].body, text);
  });

  test('that is null, empty or blank counts as not supplied', async () => {
    const { post, contact } = await makeDeveloper();
    const fields = Object.keys(FULL).filter((field) => field !== 'email');
    for (const [index, blank] of [null, '', ' \t\n\u00A0'].entries()) {
      const email = `blank-${index}@example.com`;
      const sent = Object.fromEntries(fields.map((field) => [field, blank]));
      const { status, body } = await post({ ...sent, email });
      assert.equal(status, 201);
      assert.deepEqual(body.filledFields, [
        'stage',
        'source',
        'source_external_original_name',
        'imported_at',
      ]);
      const stored = await contact(email);
      for (const field of Object.keys(TEXTS))
        if (field !== 'sourceExternalOriginalName') assert.equal(stored[field], null, field);
      assert.deepEqual([stored.tags, stored.activities, stored.links], [[], [], []]);
    }
  });

  test('has at most 1,000 characters, counted as code points', async () => {
    const { post, refused, contact } = await makeDeveloper();
    const long = '\u{1F3E1}'.repeat(1_000);
    const sent = Object.fromEntries(Object.keys(TEXTS).map((field) => [field, long]));
    assert.equal((await post({ ...sent, email: EMAIL })).status, 201);
    assert.equal((await contact(EMAIL)).companyName, long);
    for (const field of [...Object.keys(TEXTS), 'source'])
      await refused(
        { email: 'b@example.com', [field]: `${long}x` },
        'invalid_request',
        `/${field}`,
      );
  });

  test('in notes may be as long as the body allows', async () => {
    const { post, contact } = await makeDeveloper();
    const notes = 'Ā'.repeat(500_000);
    assert.equal((await post({ email: EMAIL, notes })).status, 201);
    assert.equal((await contact(EMAIL)).activities[0].body, notes);
  });

  test('with U+0000 or half of a surrogate pair is a 400 that names the field', async () => {
    const { refused } = await makeDeveloper();
    for (const text of ['a\0b', 'a\uD83C']) {
      await refused({ email: EMAIL, notes: text }, 'invalid_request', '/notes');
      await refused({ email: EMAIL, tags: ['fine', text] }, 'invalid_request', '/tags');
    }
    await refused({ email: 'a\uD83C@example.com' }, 'invalid_request', '/email');
  });
});

describe('a field of the wrong type', () => {
  const wrong: [string, unknown[]][] = [
    ...[...Object.keys(TEXTS), 'notes', 'source', 'buyerType', 'tag'].map(
      (field): [string, unknown[]] => [field, [1, 0, true, {}, []]],
    ),
    ...['projectId', 'unitId', 'assignedAccountUserId'].map((field): [string, unknown[]] => [
      field,
      [1, false, {}, [LIVE]],
    ]),
    ['email', [null, 1, true, {}, [EMAIL]]],
    ['tags', [1, true, {}]],
    ['budget', [true, {}, [1]]],
  ];
  for (const [field, values] of wrong)
    test(`is refused, never coerced: ${field}`, async () => {
      const { refused } = await makeDeveloper();
      for (const value of values)
        await refused({ email: EMAIL, [field]: value }, 'invalid_request', `/${field}`);
    });

  test('in a list of tags is named by its index', async () => {
    const { refused } = await makeDeveloper();
    for (const value of [1, null, ['Hot']])
      await refused({ email: EMAIL, tags: ['Hot', value] }, 'invalid_request', '/tags/1');
  });

  test('is named together with every other one', async () => {
    const { refused } = await makeDeveloper();
    await refused({ name: 1, budget: true }, 'invalid_request', '/email', '/name', '/budget');
  });
});

describe('the email', () => {
  test('is required', async () => {
    const { refused } = await makeDeveloper();
    for (const body of [{}, { name: 'Aroha' }, { email: '' }, { email: ' \n' }])
      await refused(body, 'invalid_request', '/email');
  });

  test('is trimmed, and otherwise stored as given', async () => {
    const { post, contact } = await makeDeveloper();
    const { body } = await post({ email: " \u00A0Zoë.O'Neil+Ōtara@Whānau.MĀORI.nz\r\n" });
    assert.equal(body.email, "Zoë.O'Neil+Ōtara@Whānau.MĀORI.nz");
    assert.equal((await contact(body.email)).id, body.contactId);
  });

  test('is a 400 when it is no email address', async () => {
    const { refused } = await makeDeveloper();
    const none = ['aroha', 'aroha@', '@example.com', 'a@example', 'a@b@example.com', 'a b@c.nz'];
    for (const email of [...none, 'a\u0007@example.com', `${'a'.repeat(243)}@example.com`])
      await refused({ email }, 'invalid_request', '/email');
  });

  test('may have 254 characters, surrounding spaces not counted', async () => {
    const { post } = await makeDeveloper();
    const email = `${'ā'.repeat(242)}@example.com`;
    assert.equal((await post({ email: `  ${email}  ` })).body.email, email);
  });
});

describe('the budget', () => {
  for (const budget of [0, -1, 750_000, 0.1, 1e21, 1.5e-7, '0', '$800k – $950k', 'x'.repeat(200)])
    test(`is kept as given: ${String(budget).slice(0, 20)}`, async () => {
      const { post, contact } = await makeDeveloper();
      const { body } = await post({ email: EMAIL, budget });
      assert.ok(body.filledFields.includes('budget'));
      assert.equal((await contact(EMAIL)).budget, budget);
    });

  test('is a text of at most 200 characters or a finite number', async () => {
    const { refused, key, exported } = await makeDeveloper();
    await refused({ email: EMAIL, budget: 'x'.repeat(201) }, 'invalid_request', '/budget');
    const before = await exported();
    const { status, body } = await service.send({
      method: 'POST',
      url: '/api/v1/contacts',
      key,
      headers: { 'content-type': 'application/json' },
      payload: `{"email":"${EMAIL}","budget":1e400}`,
    });
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    assert.equal(body.errors[0].pointer, '/budget');
    assert.deepEqual(await exported(), before);
  });
});

describe('the name', () => {
  const built: [object, string][] = [
    [{ firstName: 'Aroha', lastName: 'Ngata' }, 'Aroha Ngata'],
    [{ firstName: 'Aroha' }, 'Aroha'],
    [{ lastName: 'Ngata', firstName: ' ' }, 'Ngata'],
    [{ firstName: 'Aroha', lastName: 'Ngata', name: ' ' }, 'Aroha Ngata'],
    [{ firstName: 'Aroha', lastName: 'Ngata', name: 'A. Ngata' }, 'A. Ngata'],
  ];
  for (const [fields, name] of built)
    test(`of ${JSON.stringify(fields)} is ${name}`, async () => {
      const { post, contact } = await makeDeveloper();
      const { body } = await post({ email: EMAIL, ...fields });
      assert.equal(body.filledFields[0], 'name');
      assert.equal((await contact(EMAIL)).name, name);
    });
});

describe('the source', () => {
  const cases: [string, object, string, string | null][] = [
    ['omitted', {}, 'Other', 'API Import'],
    ['null', { source: null }, 'Other', 'API Import'],
    ['blank', { source: ' ' }, 'Other', 'API Import'],
    ['listed', { source: 'Open Home' }, 'Open Home', null],
    ['listed, in another case', { source: 'sOCIAL mEDIA' }, 'Social Media', null],
    ['Other', { source: 'other' }, 'Other', null],
    ['not listed', { source: 'Billboard' }, 'Other', 'Billboard'],
    ['listed, with blanks', { source: ' Website\u00A0' }, 'Website', null],
    ['listed, with a hyphen', { source: 'open-home' }, 'Open Home', null],
    ['listed, with a label', { source: 'Agent', sourceExternalOriginalName: 'X' }, 'Agent', 'X'],
    ['omitted, with a label', { sourceExternalOriginalName: 'Fair' }, 'Other', 'Fair'],
    [
      'not listed, with a label',
      { source: 'Billboard', sourceExternalOriginalName: 'Fair' },
      'Other',
      'Billboard',
    ],
  ];
  for (const [what, fields, source, label] of cases)
    test(`${what} is stored as ${source} and ${label ?? 'no label'}`, async () => {
      const { post, contact } = await makeDeveloper();
      const { body } = await post({ email: EMAIL, ...fields });
      const stored = await contact(EMAIL);
      assert.deepEqual([stored.source, stored.sourceExternalOriginalName], [source, label]);
      assert.deepEqual(
        body.filledFields.filter((field: string) => field.startsWith('source')),
        label === null ? ['source'] : ['source', 'source_external_original_name'],
      );
    });
});

describe('the buyer type', () => {
  for (const buyerType of ['First Home Buyer', 'Investor', 'Downsizer', 'Upgrader', 'Other'])
    test(`may be ${buyerType}`, async () => {
      const { post, contact } = await makeDeveloper();
      const { body } = await post({ email: EMAIL, buyerType });
      assert.ok(body.filledFields.includes('buyer_type'));
      assert.equal((await contact(EMAIL)).buyerType, buyerType);
    });

  test('is refused when it is not listed', async () => {
    const { refused } = await makeDeveloper();
    const { body } = await refused(
      { email: EMAIL, buyerType: 'Speculator' },
      'invalid_request',
      '/buyerType',
    );
    assert.equal(
      body.errors[0].detail,
      'buyerType must be one of First Home Buyer, Investor, Downsizer, Upgrader, Other; "Speculator" is none of them.',
    );
    const long = await refused(
      { email: EMAIL, buyerType: 'x'.repeat(900) },
      'invalid_request',
      '/buyerType',
    );
    assert.ok(long.body.detail.length < 200);
  });

  test('may be in another spelling', async () => {
    const { post, contact } = await makeDeveloper();
    for (const [n, buyerType] of ['investor', ' Investor\r\n', 'INVESTOR\u200B'].entries()) {
      await post({ email: `${n}@example.com`, buyerType });
      assert.equal((await contact(`${n}@example.com`)).buyerType, 'Investor');
    }
    await post({ email: EMAIL, buyerType: 'first-home buyer' });
    assert.equal((await contact(EMAIL)).buyerType, 'First Home Buyer');
  });
});

describe('an unknown field', () => {
  test('is ignored, also one that has a meaning in JavaScript', async () => {
    const { key, contact } = await makeDeveloper();
    const { status } = await service.send({
      method: 'POST',
      url: '/api/v1/contacts',
      key,
      headers: { 'content-type': 'application/json' },
      payload: `{"email":"${EMAIL}","id":"x","stage":"Settled","archivedAt":1,"importedAt":"x",
        "accountId":"x","tagIds":[1],"__proto__":{"firstName":"Eve"},"constructor":{"prototype":{"x":1}},
        "toString":"x","hasOwnProperty":null,"nested":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    });
    assert.equal(status, 201);
    const stored = await contact(EMAIL);
    assert.deepEqual([stored.stage, stored.archivedAt, stored.firstName], ['New', null, null]);
    assert.equal(({} as { x?: number }).x, undefined);
  });

  test('named __proto__ does not supply a missing field', async () => {
    const { key, exported } = await makeDeveloper();
    const { status, body } = await service.send({
      method: 'POST',
      url: '/api/v1/contacts',
      key,
      headers: { 'content-type': 'application/json' },
      payload: `{"__proto__":{"email":"${EMAIL}"}}`,
    });
    assert.deepEqual([status, body.errors[0].pointer], [400, '/email']);
    assert.deepEqual((await exported()).contacts, []);
  });
});
