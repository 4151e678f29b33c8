import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { NOWHERE } from './support/developer.ts';
import { importerOf, makeRows } from './support/contact-files.ts';
import { testAccountsOf } from './support/test-accounts.ts';
import { readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { someoneWaits, whileEmailsLocked } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';
import { searchDump } from './support/search-dump.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const { db } = service;

/** Every text of the person has this word; no other row has it. */
const SECRET = 'sesame';
const EMAIL = `${SECRET}@example.com`;

/** Makes an account with a person who has left traces by every way in. */
async function setUp() {
  const { developer, lead, program, person, accountId } = await makeAccount();
  const id = await lead({
    email: EMAIL,
    name: `${SECRET} Ngata`,
    phone: `021 ${SECRET}`,
    notes: `Note of ${SECRET}`,
    budget: `${SECRET} dollars`,
    addressLine1: `1 ${SECRET} Street`,
  });
  const post = (url: string, payload: object, headers = {}) =>
    service.send({ method: 'POST', url, key: developer.key, payload, headers });
  await post(
    '/api/v1/contacts',
    { email: EMAIL.toUpperCase(), phone: `09 ${SECRET}` },
    { 'idempotency-key': 'one' },
  );
  await post('/api/v1/contacts', { email: `<${EMAIL}>`, name: SECRET, projectId: NOWHERE });
  await post('/api/v1/contacts/batch', {
    contacts: [
      { email: 'other@example.com' },
      { email: EMAIL, companyName: `${SECRET} Ltd` },
      { email: EMAIL, unitId: NOWHERE, notes: SECRET },
    ],
  });
  const api = await program('contacts:write', 'contacts:manage', 'contacts:erase');
  const path = `/contacts/${id}`;
  await api.patch(path, {
    referredBy: `Friend of ${SECRET}`,
    notes: SECRET,
    phone: `04 ${SECRET}`,
  });
  await api.post(
    `${path}/activities`,
    { type: 'call', body: `Spoke with ${SECRET}` },
    { 'idempotency-key': 'two' },
  );
  return { developer, lead, program, person, accountId, api, path, id };
}

describe('erasing a person', () => {
  test('leaves no hash of an email that they have or had, by which it could be guessed', async () => {
    const { api, path } = await setUp();
    const former = 'former@example.com';
    await api.patch(path, { email: former });
    await api.patch(path, { email: EMAIL });
    const hashes = [EMAIL, former].map((text) => createHash('sha256').update(text).digest('hex'));
    for (const hash of hashes)
      assert.deepEqual(await searchDump(db, hash), ['email_locks.email_sha256']);
    assert.equal((await api.remove(path)).status, 204);
    assert.deepEqual(await searchDump(db, ...hashes), []);
  });

  test('is not needed for the hash of an email that only refused leads have', async () => {
    const { developer } = await makeAccount();
    const email = 'refused@example.com';
    const hash = createHash('sha256').update(email).digest('hex');
    await developer.refused({ email, projectId: NOWHERE }, 'project_not_available', '/projectId');
    assert.deepEqual(await searchDump(db, hash), []);
    const contacts = [{ email, projectId: NOWHERE }, { email }];
    const batch = { url: '/api/v1/contacts/batch', key: developer.key, payload: { contacts } };
    await service.send({ method: 'POST', ...batch });
    assert.deepEqual(await searchDump(db, hash), ['email_locks.email_sha256']);
  });

  test('leaves their email, phones, names and notes in no column of any table', async () => {
    const { api, path, id, accountId } = await setUp();
    assert.ok((await searchDump(db, SECRET)).length > 10, 'the person has left traces');
    assert.equal((await api.remove(path)).status, 204);
    assert.deepEqual(await searchDump(db, SECRET), []);
    assertProblem(await api.get(path), 'contact_not_found', `/api/v1${path}`);
    assertProblem(await api.remove(path), 'contact_not_found', `/api/v1${path}`);
    const last = (await readEvents(db, accountId)).at(-1);
    assert.deepEqual([last?.type, last?.subject, last?.data], ['contact.erased', id, {}]);
  });

  test('renames the uploaded files that are called by their name, email or phone, and no others', async () => {
    const account = await makeAccount();
    const id = await account.lead({
      email: 'ana@example.com',
      name: "Ana O'Brien",
      phone: '021 555 0199',
    });
    const { uploadReady, post, get } = await importerOf(service, account);
    const theirs = [
      'Brief – obrien_ANA.csv',
      'ana@example.com (2).tsv',
      'Call 021-555-0199.csv',
      'Brief of AnaOBrien.csv',
      '0215550199.csv',
      'Call +64 21 555 0199.csv',
    ];
    const others = ['Anatoly O’Brien.csv', 'joana@example.com.csv', 'AnaOBrienne.csv'];
    for (const name of [...theirs, ...others]) {
      const file = await uploadReady(makeRows(1), { name });
      const key = { 'idempotency-key': file.id };
      const started = await post(`/contact-files/${file.id}/start`, { dryRun: true }, key);
      assert.equal(started.status, 202, started.text);
    }
    const owner = await account.person('owner');
    assert.equal((await owner.remove(`/contacts/${id}`)).status, 204);
    const { body } = await get('/contact-files');
    assert.deepEqual(body.data.map(({ name }: { name: string }) => name).toReversed(), [
      ...theirs.map(() => 'contacts.csv'),
      ...others,
    ]);
    assert.deepEqual(await searchDump(db, ...theirs), []);
  });

  test('leaves nothing of a file that they were imported from: its name, its remarks, and the answers about it', async () => {
    const account = await makeAccount();
    const { uploadReady, waitFor, post, importAll } = await importerOf(service, account);
    const row = `${SECRET} Ngata,${EMAIL},Friend of ${SECRET},Owner ${SECRET}`;
    const csv = `name,email,source,owner\n${row}\nAna,ana@example.com,Website,\n`;
    const imported = await uploadReady(csv, { name: `Brief of ${SECRET} Ngata.csv` });
    const begin = (id: string, dryRun: boolean) =>
      post(`/contact-files/${id}/start`, { dryRun }, { 'idempotency-key': `${id} ${dryRun}` });
    for (const dryRun of [true, false]) {
      const started = await begin(imported.id, dryRun);
      assert.equal(started.status, 202, started.text);
      await waitFor(imported.id, dryRun ? 'ready' : 'completed');
    }
    const waiting = await uploadReady(csv);
    assert.equal((await begin(waiting.id, true)).status, 202);
    await waitFor(waiting.id, 'ready');
    const other = await uploadReady('email,owner\nb@example.com,Ben\n', { name: 'Others.csv' });
    await importAll(other.id, { dryRun: true });
    await importAll(other.id);
    const traces = await searchDump(db, SECRET);
    for (const place of ['imports.file', 'contact_files.remarks', 'idempotency_keys.body'])
      assert.ok(traces.includes(place), `${place} has the person before`);
    const owner = await account.person('owner');
    const { data } = (await owner.get(`/contacts?q=${SECRET}`)).body;
    assert.equal((await owner.remove(`/contacts/${data[0].id}`)).status, 204);
    assert.deepEqual(await searchDump(db, SECRET), []);
    const kept = await waitFor(other.id, 'completed');
    assert.deepEqual([kept.name, kept.run.remarks.length], ['Others.csv', 1]);
    assert.deepEqual(await searchDump(db, 'Others.csv'), ['contact_files.name', 'imports.file']);
  });

  test('renames a file that is imported at this moment, and its import goes on', async () => {
    const account = await makeAccount();
    const { accountId } = account;
    const id = await account.lead({ email: EMAIL, name: `${SECRET} Ngata` });
    const { uploadReady, act, waitFor } = await importerOf(service, account);
    const file = await uploadReady(makeRows(2), { name: `${SECRET} Ngata.csv` });
    const owner = await account.person('owner');
    await whileEmailsLocked(db, accountId, ['lead1@example.com'], async () => {
      await act(file.id, 'start');
      await someoneWaits(db);
      assert.equal((await owner.remove(`/contacts/${id}`)).status, 204);
    });
    const done = await waitFor(file.id, 'completed');
    assert.deepEqual([done.name, done.run.created], ['contacts.csv', 2]);
    assert.deepEqual(await searchDump(db, SECRET), []);
  });

  test('keeps the records of imports, without what was in them, and those of others', async () => {
    const { api, path } = await setUp();
    const { body: before } = await api.get('/imports?count=true');
    await api.remove(path);
    const { body: after } = await api.get('/imports?count=true');
    assert.equal(after.pagination.totalCount, before.pagination.totalCount);
    const kept = after.data.filter(
      ({ contactId }: { contactId: string | null }) => contactId !== null,
    );
    assert.equal(kept.length, 1, 'the import of the other contact');
    for (const { id } of after.data) {
      const { status, body } = await api.get(`/imports/${id}`);
      assert.equal(status, 200);
      if (body.contactId === null) assert.deepEqual([body.payload, body.result], [null, null]);
    }
    assert.deepEqual((await api.get('/imports?open=true')).body.data, []);
  });

  test('erases what was merged into them, too', async () => {
    const { api, path, developer, accountId } = await setUp();
    const { format } = await developer.exported();
    await service.load({
      format,
      account: { slug: developer.slug },
      contacts: [
        { id: '0196a000-0000-7000-8000-00000000aaaa', email: EMAIL, name: `Other ${SECRET}` },
      ],
    });
    const merged = await api.post(`${path}/merge`, {
      duplicateIds: ['0196a000-0000-7000-8000-00000000aaaa'],
    });
    assert.equal(merged.status, 200, merged.text);
    await api.remove(path);
    assert.deepEqual(await searchDump(db, SECRET), []);
    assert.ok((await readEvents(db, accountId)).length > 0);
  });

  test('erases refused leads with an email that they had before', async () => {
    const { api, path, developer } = await setUp();
    await api.patch(path, { email: 'new@example.com' });
    const refused = { email: EMAIL, name: 'Sent to the old email', projectId: NOWHERE };
    await developer.refused(refused, 'project_not_available', '/projectId');
    await developer.refused(
      { ...refused, email: 'new@example.com' },
      'project_not_available',
      '/projectId',
    );
    assert.equal((await api.remove(path)).status, 204);
    assert.deepEqual(await searchDump(db, 'old email'), []);
    assert.deepEqual(await searchDump(db, SECRET), []);
  });

  test('leaves the refused leads of the contact that has their former email now', async () => {
    const { api, path, developer, lead } = await setUp();
    for (const email of ['old@example.com', 'new@example.com']) await api.patch(path, { email });
    await lead({ email: 'old@example.com', name: 'Successor' });
    const { body } = await developer.refused(
      { email: 'old@example.com', projectId: NOWHERE },
      'project_not_available',
      '/projectId',
    );
    await api.remove(path);
    const { data } = (await api.get('/imports?open=true')).body;
    assert.deepEqual(
      data.map((each: { requestId: string }) => each.requestId),
      [body.requestId],
    );
  });

  const UNREADABLE = [
    { email: `${EMAIL};second@example.com` },
    { email: [EMAIL] },
    { Email: EMAIL.toUpperCase() },
    { email: ` <${EMAIL}> x@example.com` },
    { email: `Ana ${EMAIL}` },
    { email: `first@example.com\n${EMAIL}` },
  ];
  for (const lead of UNREADABLE)
    test(`erases the refused lead ${JSON.stringify(lead)}`, async () => {
      const { api, path, developer } = await setUp();
      const { body } = await developer.refused(lead, 'invalid_request', '/email');
      const { data } = (await api.get('/imports?open=true')).body;
      const { id } = data.find((each: { requestId: string }) => each.requestId === body.requestId);
      await api.post(`/imports/${id}/dismiss`, { reason: `${EMAIL} called` });
      await api.remove(path);
      assert.deepEqual(await searchDump(db, SECRET), []);
      const { body: record } = await api.get(`/imports/${id}`);
      assert.deepEqual([record.payload, record.settlement], [null, 'dismissed']);
    });

  test('leaves the refused leads of others whose email is longer', async () => {
    const { api, path, developer } = await setUp();
    await api.patch(path, { email: 'ana@example.com' });
    for (const email of ['jo.ana@example.com', 'ana@example.com.au'])
      await developer.refused({ email, projectId: NOWHERE }, 'project_not_available', '/projectId');
    await api.remove(path);
    assert.equal((await api.get('/imports?open=true')).body.data.length, 2);
  });

  test('takes their version by If-Match, and a session that has been confirmed', async () => {
    const { api, path, person } = await setUp();
    assertProblem(
      await api.remove(path, { 'if-match': '"0"' }),
      'precondition_failed',
      `/api/v1${path}`,
    );
    const manager = await person('manager');
    assertProblem(await manager.remove(path), 'insufficient_access', `/api/v1${path}`);
    const owner = await person('owner');
    assert.equal((await owner.remove(path)).status, 204);
  });

  test('lets them come back as a new contact', async () => {
    const { api, path, lead, id } = await setUp();
    await api.remove(path);
    assert.notEqual(await lead({ email: EMAIL }), id);
    await service.send({ method: 'GET', url: '/api/v1/stocklist' });
  });
});
