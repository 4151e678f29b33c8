import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { accountIdOf } from '../support/accounts.ts';
import {
  developersOf,
  DRAFT,
  DRAFT_UNIT,
  INACTIVE_USER,
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  OTHER_UNIT,
  UNIT,
  USER,
  WITHDRAWN_UNIT,
  type Developer,
} from '../support/developer.ts';
import { build, type Answer } from '../support/harness.ts';
import {
  BATCH,
  sender,
  sendTo,
  readImportTables,
  readImportTablesWithoutLog,
} from '../support/imports.ts';
import { instance } from '../support/instances.ts';
import { someoneWaits, whileEmailsLocked } from '../support/locks.ts';
import { assertProblem } from '../support/problem.ts';
import { run } from '../support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const OTHER_EMAIL = 'mele@example.com';
const LIMIT_BYTES = 4 * 1024 * 1024;

const batch = (developer: Developer, contacts: unknown) =>
  send(developer, { contacts }, { url: BATCH });

const emails = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ email: `${n}@example.com` }));

/** Asserts that a batch is refused as a whole, and stores nothing. */
async function refused(developer: Developer, body: object | string, ...expected: string[]) {
  const before = await developer.exported();
  const answer = await send(developer, body, { url: BATCH });
  const [code = '', ...pointers] = expected;
  const { errors } = assertProblem(answer, code as 'invalid_request', BATCH);
  assert.deepEqual(errors?.map((fault) => 'pointer' in fault && fault.pointer) ?? [], pointers);
  assert.deepEqual(await developer.exported(), before);
  return answer;
}

describe('a batch', () => {
  test('is answered with a summary and one result for each import, in order', async () => {
    const developer = await makeDeveloper();
    const { status, headers, body } = await batch(developer, [
      { email: EMAIL, firstName: 'Aroha' },
      { email: OTHER_EMAIL, projectId: NOWHERE },
      { email: ` ${EMAIL.toUpperCase()} `, phone: '1', tag: 'Hot', projectId: LIVE, unitId: UNIT },
      { name: 'Nobody' },
    ]);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^application\/json\b/);
    assert.deepEqual(Object.keys(body), ['summary', 'results']);
    assert.deepEqual(body.summary, { created: 1, merged: 1, refused: 2 });
    const { contactId } = await developer.contact(EMAIL).then(({ id }) => ({ contactId: id }));
    const [created, unknown, merged, nameless] = body.results;
    assert.deepEqual(created, {
      index: 0,
      action: 'created',
      contactId,
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
    assert.deepEqual(merged, {
      index: 2,
      action: 'merged',
      contactId,
      email: EMAIL,
      matchedBy: 'email',
      filledFields: ['phone_primary', 'contact_tags'],
      linkedProjectId: LIVE,
      linkedUnitId: UNIT,
    });
    assert.deepEqual(
      [unknown, nameless].map(({ index, problem }) => [index, problem.code]),
      [
        [1, 'project_not_available'],
        [3, 'invalid_request'],
      ],
    );
  });

  test('of 1,000 imports applies each to the contact that the earlier ones left', async () => {
    const developer = await makeDeveloper();
    const contacts = emails(1_000).map((each, n) => ({ ...each, tag: `Tag ${n % 300}` }));
    const again = [
      { ...contacts[5], firstName: 'Aroha', notes: 'First', tag: 'tag 999' },
      { ...contacts[5], lastName: 'Ngata', notes: 'First', tag: 'TAG 5', projectId: LIVE },
    ];
    contacts.splice(450, 1, again[0] as (typeof contacts)[0]);
    contacts.splice(950, 1, again[1] as (typeof contacts)[0]);
    const { body } = await batch(developer, contacts);
    assert.deepEqual(body.summary, { created: 998, merged: 2, refused: 0 });
    const [created, first, second] = [5, 450, 950].map((index) => body.results[index]);
    assert.deepEqual([first.contactId, second.contactId], Array(2).fill(created.contactId));
    assert.deepEqual(first.filledFields, ['name', 'first_name', 'notes', 'contact_tags']);
    assert.deepEqual(second.filledFields, ['last_name']);
    const contact = await developer.contact('5@example.com');
    assert.deepEqual([contact.firstName, contact.lastName], ['Aroha', 'Ngata']);
    assert.deepEqual(contact.tags.toSorted(), ['Tag 5', 'tag 999']);
    assert.equal(contact.activities.length, 1);
    assert.equal(contact.links.length, 1);
  });

  test('has the problem of a refused import in place of its result, with its index', async () => {
    const developer = await makeDeveloper();
    const { headers, body } = await batch(developer, [
      { email: EMAIL },
      {},
      { email: 'none', budget: 'x'.repeat(201), tags: ['Hot', 1] },
      { email: OTHER_EMAIL, unitId: UNIT },
    ]);
    const [, missing, wrong, unit] = body.results;
    const requestId = headers['x-request-id'];
    assert.deepEqual(missing, {
      index: 1,
      problem: {
        type: 'urn:offplan:problem:invalid_request',
        title: 'A parameter or field is invalid',
        status: 400,
        detail: 'email is required.',
        instance: `${BATCH}#/contacts/1`,
        code: 'invalid_request',
        requestId,
        errors: [{ pointer: '/email', detail: 'email is required.' }],
      },
    });
    assert.deepEqual(
      wrong.problem.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(),
      ['/budget', '/email', '/tags/1'],
    );
    assert.equal(unit.problem.instance, `${BATCH}#/contacts/3`);
    assert.deepEqual([unit.problem.status, unit.problem.errors[0].pointer], [422, '/projectId']);
  });

  test('refuses an item that is no object, and imports the others', async () => {
    const developer = await makeDeveloper();
    const none = [null, 1, 'x', true, [], [{ email: EMAIL }]];
    const { body } = await batch(developer, [...none, { email: OTHER_EMAIL }]);
    assert.deepEqual(body.summary, { created: 1, merged: 0, refused: none.length });
    for (const [index, { problem }] of body.results.slice(0, -1).entries())
      assert.deepEqual(
        [problem.status, problem.code, problem.instance],
        [400, 'malformed_body', `${BATCH}#/contacts/${index}`],
      );
    assert.equal((await developer.exported()).contacts.length, 1);
  });

  test('stores the same with refused imports as without them', async () => {
    const [developer, other] = [await makeDeveloper(), await makeDeveloper()];
    const good = [
      { email: EMAIL, tag: 'Hot', notes: 'one' },
      { email: EMAIL, tag: 'HOT', cityName: 'Taupō' },
    ];
    const bad = { tags: 'Cold', notes: 'two', phone: '1', name: 'X' };
    const refusals = [
      { ...bad, email: EMAIL, projectId: DRAFT },
      { ...bad, email: EMAIL, buyerType: 'Speculator' },
      { ...bad, email: OTHER_EMAIL, assignedAccountUserId: INACTIVE_USER },
      { ...bad, email: OTHER_EMAIL, projectId: LIVE, unitId: WITHDRAWN_UNIT },
    ];
    const { body } = await batch(
      developer,
      good.flatMap((each) => [...refusals, each, ...refusals]),
    );
    assert.deepEqual(body.summary, { created: 1, merged: 1, refused: 16 });
    await batch(other, good);
    assert.deepEqual(withoutIds(await developer.exported()), withoutIds(await other.exported()));
  });

  test('refuses a lead whose email several contacts have, and names them', async () => {
    const developer = await makeDeveloper([{ email: EMAIL }, { email: EMAIL.toUpperCase() }]);
    const { contacts: before } = await developer.exported();
    const lead = { email: EMAIL, phone: '1', tag: 'Hot', notes: 'Hi' };
    const { body } = await batch(developer, [lead, { email: OTHER_EMAIL }, lead]);
    assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 2 });
    for (const { problem } of [body.results[0], body.results[2]]) {
      assert.deepEqual([problem.status, problem.code], [409, 'duplicate_contacts']);
      assert.deepEqual(
        problem.matchingContactIds,
        before.map(({ id }: { id: string }) => id),
      );
    }
    const { contacts, tags } = await developer.exported();
    const same = contacts.filter(({ email }: { email: string }) => email !== OTHER_EMAIL);
    assert.deepEqual([same, tags], [before, []]);
  });

  test('may have one import', async () => {
    const developer = await makeDeveloper();
    const { body } = await batch(developer, emails(1));
    assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 0 });
  });

  test('may have 1,000 imports; one more is a 400 that names the list', async () => {
    const developer = await makeDeveloper();
    const { body } = await batch(developer, emails(1_000));
    assert.deepEqual(body.summary, { created: 1_000, merged: 0, refused: 0 });
    assert.equal((await developer.exported()).contacts.length, 1_000);
    await refused(developer, { contacts: emails(1_001) }, 'invalid_request', '/contacts');
  });

  test('ignores unknown members', async () => {
    const developer = await makeDeveloper();
    const text = `{"run":true,"contacts":[{"email":"x"}],"__proto__":{"a":1},
      "contacts":[{"email":"${EMAIL}","__proto__":{"phone":"1"}}],"summary":[]}`;
    const { body } = await send(developer, text, { url: BATCH });
    assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 0 });
    assert.equal((await developer.contact(EMAIL)).phone, null);
  });
});

describe('a body that is no batch', () => {
  test('is refused when it is no object', async () => {
    const developer = await makeDeveloper();
    for (const body of ['[]', `[{"email":"${EMAIL}"}]`, 'null', '1', '"x"', 'true', '{', ''])
      await refused(developer, body, 'malformed_body');
  });

  test('is refused by the name of its list when that is no list or empty', async () => {
    const developer = await makeDeveloper();
    const lists = ['{}', 'null', '1', '"x"', '{"0":{"email":"a@b.nz"},"length":1}', '[]'];
    for (const list of lists)
      await refused(developer, `{"contacts":${list}}`, 'invalid_request', '/contacts');
    for (const body of ['{}', `{"email":"${EMAIL}"}`, `{"__proto__":{"contacts":[{}]}}`])
      await refused(developer, body, 'invalid_request', '/contacts');
  });
});

describe('the size of a batch', () => {
  const sized = (bytes: number): string => {
    const [before, behind] = [`{"contacts":[{"email":"${EMAIL}","notes":"`, '"}]}'];
    return `${before}${'x'.repeat(bytes - before.length - behind.length)}${behind}`;
  };

  test('may be 4 MiB', async () => {
    const developer = await makeDeveloper();
    const { status, body } = await send(developer, sized(LIMIT_BYTES), { url: BATCH });
    assert.deepEqual([status, body.summary.created], [200, 1]);
    const { activities } = await developer.contact(EMAIL);
    assert.ok(activities[0].body.length > LIMIT_BYTES - 100);
  });

  test('is refused above 4 MiB', async () => {
    const developer = await makeDeveloper();
    const { body } = await refused(developer, sized(LIMIT_BYTES + 1), 'body_too_large');
    assert.match(body.detail, /4 MiB/);
  });

  test('stays small in the answer when every tag of a small body is invalid', async () => {
    const developer = await makeDeveloper();
    const tags = Array.from({ length: 1_000 }, () => 0);
    const contacts = Array.from({ length: 1_000 }, () => ({ email: EMAIL, tags }));
    const { status, text } = await sendTo(service.app, developer, { contacts }, { url: BATCH });
    assert.equal(status, 200);
    assert.ok(text.length < 2 * LIMIT_BYTES, `${text.length} characters`);
  });
});

describe('the refusals of every route', () => {
  test('are the same in a batch, and store nothing', async () => {
    const developer = await makeDeveloper();
    const read = { key: await service.key(developer.slug, 'read') };
    const body = { contacts: [{ email: EMAIL }] };
    const before = await readImportTables(db);
    const none = await service.send({ method: 'POST', url: BATCH, payload: body });
    assertProblem(none, 'missing_api_key', BATCH);
    assertProblem(await send({ key: 'x' }, body, { url: BATCH }), 'invalid_api_key', BATCH);
    assertProblem(await send(read, body, { url: BATCH }), 'insufficient_access', BATCH);
    const headers = { 'content-type': 'text/plain' };
    const plain = await send(developer, JSON.stringify(body), { url: BATCH, headers });
    assertProblem(plain, 'unsupported_media_type', BATCH);
    const other = await service.send({ url: BATCH, key: developer.key });
    assertProblem(other, 'method_not_allowed', BATCH);
    assert.equal(other.headers['allow'], 'POST');
    assert.deepEqual(await readImportTables(db), before);
  });
});

/** Removes from a value the ids and times that differ between two accounts. */
function withoutIds(value: unknown): unknown {
  const text = JSON.stringify(value, (key, each) => (VARYING.has(key) ? undefined : each));
  return JSON.parse(text);
}
const VARYING = new Set([
  'id',
  'slug',
  'contactId',
  'matchingContactIds',
  'importedAt',
  'createdAt',
  'occurredAt',
  'requestId',
  'instance',
  'revision',
  'updatedAt',
]);

describe('a batch gives what its imports give one after the other', () => {
  const E = { email: EMAIL };
  const sets: Record<string, unknown[]> = {
    'of one email in many spellings': [
      { email: 'Zoë@Example.com', firstName: ' ' },
      { email: ' zoe\u0308@example.COM\n', firstName: 'Zoë', lastName: 'Ō' },
      { email: 'ZOË@EXAMPLE.COM', name: 'Z', phone: '' },
      { email: 'zoe@example.com', phone: '1' },
      { email: 'zoë@example.com', phone: '2', mobilePhone: '3' },
    ],
    'of fields': [
      { ...E, budget: 0 },
      { ...E, budget: 5, companyName: 'x', referredBy: null },
      { ...E, addressLine1: 'a', addressLine2: 'b', cityName: 'c', regionName: 'd', budget: '7' },
      { ...E, suburbName: 'e', postalCode: 'f', country: 'g', stateOrProvince: 'h' },
      { ...E, cityName: 'i', buyerType: 'Investor' },
      { ...E, buyerType: 'Upgrader', referredBy: 'Mele' },
    ],
    'of sources': [
      { ...E, sourceExternalOriginalName: 'Fair' },
      { ...E, source: 'website' },
      { email: OTHER_EMAIL, source: 'Agent' },
      { email: OTHER_EMAIL, sourceExternalOriginalName: 'Fair' },
      { email: OTHER_EMAIL, source: 'Billboard' },
    ],
    'of notes': ['a', 'a', 'b', 'a', '', 'a ', 'a'].map((notes) => ({ ...E, notes })),
    'of tags': [
      { ...E, tag: 'Hot', tags: 'hot, Cold ,,COLD' },
      { email: OTHER_EMAIL, tags: ['HOT', 'a,b', 'Ō'] },
      { ...E, tags: ['cold', 'O\u0304', ''], tag: 'A,B' },
      { ...E, tags: ['Hot'] },
    ],
    'of links and users': [
      { ...E, projectId: LIVE, unitId: UNIT },
      { ...E, projectId: LIVE, unitId: UNIT, assignedAccountUserId: USER },
      { ...E, projectId: LIVE },
      { ...E, projectId: OTHER_LIVE.toUpperCase(), unitId: OTHER_UNIT },
    ],
    'that are refused': [
      { ...E, projectId: NOWHERE, phone: '1' },
      { ...E, projectId: DRAFT, unitId: DRAFT_UNIT },
      { ...E, projectId: LIVE, unitId: WITHDRAWN_UNIT, assignedAccountUserId: NOWHERE },
      { ...E, projectId: LIVE, unitId: OTHER_UNIT },
      { ...E, unitId: UNIT, assignedAccountUserId: INACTIVE_USER },
      { ...E, projectId: 'x', unitId: 'y', assignedAccountUserId: 'z' },
      {},
      null,
      [],
      'x',
      { email: 'x', name: 1, tags: [1, null], budget: true },
      { ...E, tags: Array.from({ length: 51 }, (_, n) => `${n}`) },
      { ...E, tags: Array.from({ length: 2_000 }, () => '') },
      { ...E, tag: 'x'.repeat(101), buyerType: 'Speculator' },
      { ...E, notes: 'a\0b' },
      { ...E, phone: '2' },
    ],
    'of duplicates and an archived contact': [
      { email: 'twice@example.com', phone: '1' },
      { email: 'gone@example.com', notes: 'back' },
      { email: 'TWICE@example.com', projectId: NOWHERE },
      { email: 'gone@example.com', notes: 'back' },
    ],
  };
  const contacts = [
    { email: 'twice@example.com', phone: '9' },
    { email: 'Twice@example.com' },
    { email: 'gone@example.com', archivedAt: '2026-01-01T00:00:00.000Z', stage: 'Lost' },
  ];

  for (const [what, bodies] of Object.entries(sets))
    test(what, async () => {
      const [one, together] = [await makeDeveloper(contacts), await makeDeveloper(contacts)];
      const singles: Answer[] = [];
      for (const body of bodies) singles.push(await send(one, JSON.stringify(body)));
      const { body } = await batch(together, bodies);
      const expected = singles.map((single, index) => ({
        index,
        ...(single.status < 300 ? single.body : { problem: single.body }),
      }));
      assert.deepEqual(withoutIds(body.results), withoutIds(expected));
      const statuses = singles.map(({ status }) => status);
      assert.deepEqual(body.summary, {
        created: statuses.filter((status) => status === 201).length,
        merged: statuses.filter((status) => status === 200).length,
        refused: statuses.filter((status) => status >= 400).length,
      });
      assert.deepEqual(withoutIds(await together.exported()), withoutIds(await one.exported()));
    });
});

describe('the imports of a batch', () => {
  test('become visible together', async () => {
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    const { underWay } = await whileEmailsLocked(db, accountId, [OTHER_EMAIL], async () => {
      const started = batch(developer, [{ email: EMAIL }, { email: OTHER_EMAIL }]);
      await someoneWaits(db);
      assert.deepEqual((await developer.exported()).contacts, []);
      return { underWay: started };
    });
    assert.equal((await underWay).body.summary.created, 2);
  });

  test('fail together with a 500, and store nothing but their records', async (t) => {
    const developer = await makeDeveloper();
    await run(
      db,
      `alter table contacts add constraint poison check (company_name <> 'poison') not valid`,
    );
    t.after(() => run(db, 'alter table contacts drop constraint poison'));
    const before = await readImportTablesWithoutLog(db);
    const contacts = [
      { email: EMAIL, tag: 'x' },
      { email: OTHER_EMAIL, companyName: 'poison' },
      {},
    ];
    const answer = await batch(developer, contacts);
    assertProblem(answer, 'internal_error', BATCH);
    assert.deepEqual(await readImportTablesWithoutLog(db), before);
  });

  test('make one contact of each email, when many batches and leads name it at once', async () => {
    const developer = await makeDeveloper();
    const apps = [service.app, await instance({ after }, db)];
    const names = Array.from({ length: 30 }, (_, n) => `${n}@example.com`);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const order = n % 2 ? names : names.toReversed();
        const contacts = order.map((email) => ({
          email,
          notes: `${n}`,
          tags: [email, `${n % 3}`],
        }));
        const app = apps[n % 2] ?? service.app;
        return n % 3 === 0
          ? sendTo(app, developer, { email: '3@example.com', notes: `${n}` })
          : sendTo(app, developer, { contacts }, { url: BATCH });
      }),
    );
    for (const { status, text } of answers) assert.ok(status < 300, text);
    const { contacts, tags } = await developer.exported();
    assert.deepEqual([contacts.length, tags.length], [30, 32]);
    for (const { email, activities } of contacts)
      assert.equal(activities.length, email === '3@example.com' ? 12 : 8, email);
  });
});
