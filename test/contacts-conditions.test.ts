import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testAccountsOf } from './support/test-accounts.ts';
import { NOWHERE } from './support/developer.ts';
import { build, type Answer } from './support/harness.ts';
import {
  BATCH,
  logOf,
  idempotencyKey,
  sender,
  sendTo,
  SINGLE,
  readImportTablesWithoutLog,
} from './support/imports.ts';
import { instance } from './support/instances.ts';
import { someoneWaits, whileEmailsLocked } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const other = await instance({ after }, service.db);
const makeAccount = testAccountsOf(service);
const send = sender(service);
const { app, db } = service;

const EMAIL = 'aroha@example.com';
const NEW_ONLY = { 'if-none-match': '*' };

async function open(contacts: object[] = []) {
  const { developer, accountId, program } = await makeAccount(contacts);
  const api = await program('contacts:read', 'contacts:write');
  const post = (body: object, headers = {}, url = SINGLE) =>
    send(developer, body, { headers, url });
  return { developer, accountId, api, post };
}

const whereOf = ({ headers }: Answer) => [headers['location'], headers['etag']];

describe('the answer of POST /contacts', () => {
  test('names the contact and its version, as reading it does', async () => {
    const { api, post } = await open();
    const leads = [
      { email: EMAIL, notes: 'Hi', tag: 'Hot' },
      { email: EMAIL, phone: '1' },
      { email: EMAIL, phone: '1' },
      { email: EMAIL, phone: '2' },
    ];
    const versions: unknown[] = [];
    for (const lead of leads) {
      const answer = await post(lead);
      const path = `/contacts/${answer.body.contactId}`;
      const { headers } = await api.get(path);
      assert.deepEqual(whereOf(answer), [`/api/v1${path}`, headers['etag']]);
      versions.push(headers['etag']);
    }
    assert.deepEqual(versions, ['"1"', '"2"', '"2"', '"3"']);
  });

  test('takes If-Match of the version that it named', async () => {
    const { api, post } = await open();
    const { body, headers } = await post({ email: EMAIL });
    const condition = { 'if-match': String(headers['etag']) };
    const path = `/contacts/${body.contactId}`;
    assert.equal((await api.patch(path, { name: 'Aroha' }, condition)).status, 200);
    assert.equal((await api.patch(path, { name: 'Aroha N' }, condition)).status, 412);
  });

  test('names the version after all leads of the transaction, of several chunks, too', async () => {
    const { api, post, accountId } = await open([{ email: EMAIL }]);
    const notes = Array.from({ length: 120 }, (_, n) => `Note ${n}`);
    const answers = await whileEmailsLocked(db, accountId, [EMAIL], async () => {
      const asked = notes.map((note) => post({ email: EMAIL, notes: note }));
      await someoneWaits(db);
      return asked;
    });
    const etags = (await Promise.all(answers)).map(({ headers }) => String(headers['etag']));
    const [{ id = '' } = {}] = (await api.get('/contacts')).body.data;
    const { headers } = await api.get(`/contacts/${id}`);
    const counts = etags.map((etag) => Number(etag.slice(1, -1)));
    assert.equal(`"${Math.max(...counts)}"`, headers['etag']);
    assert.ok(counts.every((count) => count > 1));
  });

  test('has neither for a dry run, a refusal or a batch', async () => {
    const { post } = await open();
    const answers = [
      await post({ email: EMAIL }, {}, `${SINGLE}?dryRun=true`),
      await post({ email: EMAIL, projectId: NOWHERE }),
      await post({ contacts: [{ email: EMAIL }] }, {}, BATCH),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 422, 200],
    );
    for (const answer of answers) assert.deepEqual(whereOf(answer), [undefined, undefined]);
  });

  test('names the contact again on a repeat, without the version that it had', async () => {
    const { post } = await open();
    const first = await post({ email: EMAIL }, idempotencyKey('one'));
    const again = await post({ email: EMAIL }, idempotencyKey('one'));
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true']);
    assert.deepEqual(whereOf(first), [`${SINGLE}/${first.body.contactId}`, '"1"']);
    assert.deepEqual(whereOf(again), [`${SINGLE}/${first.body.contactId}`, undefined]);
  });
});

describe('POST /contacts with If-None-Match: *', () => {
  test('creates a contact, and never fills one', async () => {
    const { post, accountId } = await open();
    const first = await post({ email: EMAIL }, NEW_ONLY);
    assert.equal(first.status, 201, first.text);
    const before = await readImportTablesWithoutLog(db);
    const second = await post({ email: EMAIL.toUpperCase(), phone: '1', notes: 'Hi' }, NEW_ONLY);
    assertProblem(second, 'precondition_failed', SINGLE);
    assert.deepEqual(whereOf(second), [undefined, undefined]);
    assert.deepEqual(await readImportTablesWithoutLog(db), before);
    const outcomes = (await logOf(db, accountId)).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['created', 'refused']);
    assert.equal((await post({ email: EMAIL, phone: '1' })).status, 200);
  });

  test('is a 412 for an archived contact, for several ones, and in a dry run', async () => {
    const { post, api } = await open([
      { email: 'twice@example.com' },
      { email: 'TWICE@example.com' },
    ]);
    const { body } = await post({ email: EMAIL });
    await api.post(`/contacts/${body.contactId}/archive`);
    const archived = await post({ email: EMAIL }, NEW_ONLY);
    assertProblem(archived, 'precondition_failed', SINGLE);
    const several = await post({ email: 'twice@example.com' }, NEW_ONLY);
    assertProblem(several, 'precondition_failed', SINGLE);
    const dryRun = await post({ email: EMAIL }, NEW_ONLY, `${SINGLE}?dryRun=true`);
    assertProblem(dryRun, 'precondition_failed', SINGLE);
  });

  test('is refused for its fields before, and for its references after the condition', async () => {
    const { post } = await open([{ email: EMAIL }]);
    const invalid = await post({ email: EMAIL, tags: [1] }, NEW_ONLY);
    assert.equal(invalid.status, 400);
    const nowhere = { email: EMAIL, projectId: NOWHERE };
    assertProblem(await post(nowhere, NEW_ONLY), 'precondition_failed', SINGLE);
    const unknown = await post({ ...nowhere, email: 'new@example.com' }, NEW_ONLY);
    assert.equal(unknown.status, 422);
  });

  test('lets one of two requests for an email win, in one process and in two', async () => {
    const { developer, accountId } = await open();
    for (const [email, apps] of [
      ['one@example.com', [app, app]],
      ['two@example.com', [app, other]],
    ] as const) {
      const waiting = await whileEmailsLocked(db, accountId, [email], async () => {
        const asked = apps.map((each) => sendTo(each, developer, { email }, { headers: NEW_ONLY }));
        await someoneWaits(db, new Set(apps).size);
        return asked;
      });
      const answers = await Promise.all(waiting);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 412]));
    }
  });

  test('is another request than one without it, and its refusal is repeated', async () => {
    const { post, api } = await open([{ email: EMAIL }]);
    const first = await post({ email: EMAIL }, { ...NEW_ONLY, ...idempotencyKey('one') });
    assert.equal(first.status, 412);
    const reused = await post({ email: EMAIL }, idempotencyKey('one'));
    assert.equal(reused.body.code, 'idempotency_key_reused');
    const [{ id = '' } = {}] = (await api.get('/contacts')).body.data;
    await api.patch(`/contacts/${id}`, { email: 'moved@example.com' });
    const again = await post({ email: EMAIL }, { ...NEW_ONLY, ...idempotencyKey('one') });
    assert.deepEqual([again.status, again.text], [412, first.text]);
  });

  test('counts with * alone, and not for a batch', async () => {
    const { post } = await open([{ email: EMAIL }]);
    for (const value of ['"1"', '"7"', 'x', ''])
      assert.equal((await post({ email: EMAIL }, { 'if-none-match': value })).status, 200);
    const { body } = await post({ contacts: [{ email: EMAIL }] }, NEW_ONLY, BATCH);
    assert.deepEqual(body.summary, { created: 0, merged: 1, refused: 0 });
    assert.equal((await post({ email: EMAIL }, { 'if-none-match': ' * ' })).status, 412);
  });
});
