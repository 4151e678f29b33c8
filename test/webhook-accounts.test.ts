import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { accountIdOf } from './support/accounts.ts';
import { importerOf, makeRows } from './support/contact-files.ts';
import { developersOf } from './support/developer.ts';
import { build, type Answer } from './support/harness.ts';
import { startReceiver, type Receiver } from './support/receiver.ts';
import { run } from './support/sql.ts';
import { until } from './support/until.ts';

/* How the webhooks of several accounts share a service, the events of contact files, and secrets that cannot be read. */

const HOUR_MS = 60 * 60_000;
const settings = { webhookAllowPrivate: true, webhookScheduleMs: [0, HOUR_MS, HOUR_MS] };
const service = await build({ after }, settings);
const makeDeveloper = developersOf(service);

/** An account, and the requests of a program with all rights. */
async function openAccount() {
  const { slug } = await makeDeveloper();
  const accountId = await accountIdOf(service.db, { slug });
  const key = await service.key(slug, 'all');
  const get = (path: string): Promise<Answer> => service.send({ url: `/api/v1${path}`, key });
  const post = (path: string, payload: object): Promise<Answer> =>
    service.send({ method: 'POST', url: `/api/v1${path}`, payload, key });
  async function makeHook(more: object = {}): Promise<{ id: string; receiver: Receiver }> {
    const receiver = await startReceiver({ after });
    const types = ['contact.created'];
    const { status, body, text } = await post('/webhooks', { url: receiver.url, types, ...more });
    assert.equal(status, 201, text);
    return { id: body.id as string, receiver };
  }
  let made = 0;
  async function addContacts(count = 1): Promise<void> {
    const contacts = Array.from({ length: count }, () => ({ email: `c${++made}@example.com` }));
    assert.equal((await post('/contacts/batch', { contacts })).status, 200);
  }
  return { accountId, key, get, post, makeHook, addContacts };
}

describe('the import of a contact file', () => {
  test('is one event for a webhook with bulk summary, and an event a row for one with bulk each', async () => {
    const { accountId, makeHook, addContacts, get, post } = await openAccount();
    const types = ['contact.created', 'contact_file.completed'];
    const summary = await makeHook({ types });
    const each = await makeHook({ types, bulk: 'each' });
    const importer = await importerOf(service, { accountId });
    const { id } = await importer.uploadReady(makeRows(30));
    await importer.importAll(id);
    await until(() => each.receiver.received.length === 31);
    await addContacts();
    await until(() => summary.receiver.received.length === 2);
    await until(() => each.receiver.received.length === 32);
    const expected = ['contact.created', 'contact_file.completed'];
    assert.deepEqual(summary.receiver.types().toSorted(), expected);
    const completed = summary.receiver.received.find(
      ({ event }) => event.type === 'contact_file.completed',
    );
    assert.equal(completed?.event.data.id, id);
    await until(async () => (await get(`/webhooks/${summary.id}`)).body.lag === 0);
    // A replay leaves the rows out as well, also once the import is undone.
    const from = new Date(Date.now() - HOUR_MS).toISOString();
    const replay = () => post(`/webhooks/${summary.id}/replay`, { from });
    const { status, body } = await replay();
    assert.deepEqual([status, body], [202, { deliveries: 2 }]);
    await importer.act(id, 'undo');
    await importer.waitFor(id, 'undone');
    assert.deepEqual((await replay()).body, { deliveries: 2 });
  });
});

describe('an account', () => {
  test('is not delayed by an endpoint of another account that never answers, or only refuses', async () => {
    const [slow, mine] = [await openAccount(), await openAccount()];
    const hung = await Promise.all(Array.from({ length: 25 }, () => slow.makeHook()));
    for (const { receiver } of hung) receiver.reply(() => undefined);
    const dead = await slow.makeHook();
    dead.receiver.reply((_request, response) => void response.writeHead(500).end());
    await slow.addContacts(20);
    await until(() => hung.some(({ receiver }) => receiver.received.length > 0));
    const { receiver } = await mine.makeHook();
    await mine.addContacts();
    await until(() => receiver.received.length === 1);
    // Up to 8 requests are under way, and two more begin before the third one has waited for too long.
    assert.ok(hung.every((each) => each.receiver.received.length <= 10));
  });
});

describe('a webhook whose secret cannot be decrypted', () => {
  test('says so in its deliveries and on a test, and gets every event once the key is back', async () => {
    const { db } = service;
    const { get, post, makeHook, addContacts } = await openAccount();
    const { id, receiver } = await makeHook();
    const [stored] = (await run(db, 'select secret from webhooks where id = $1', [id])).rows;
    const store = (secret: unknown) =>
      run(
        db,
        'update webhooks set secret = $2, due_at = now(), paused_until = null where id = $1',
        [id, secret],
      );
    await store(Buffer.alloc(60, 1));
    await addContacts(5);
    const list = async () =>
      (await get(`/webhooks/${id}/deliveries`)).body.data as Answer['body'][];
    await until(async () => (await list()).length > 0);
    const [{ status, error }] = await list();
    const reason = 'OFFPLAN_SECRET_KEY is not the key that this secret was encrypted with.';
    assert.deepEqual([status, error], ['pending', reason]);
    assert.equal((await get(`/webhooks/${id}`)).body.status, 'failing');
    const refused = await post(`/webhooks/${id}/test`, {});
    assert.deepEqual([refused.status, refused.body.detail], [503, reason]);
    assert.ok(service.log.some((line) => line.includes(reason)));
    assert.equal(receiver.received.length, 0);

    await store(stored?.['secret']);
    // A success lets the webhook go on at once.
    assert.equal((await post(`/webhooks/${id}/test`, {})).body.delivered, true);
    await run(db, 'update webhook_deliveries set next_attempt_at = now() where webhook_id = $1', [
      id,
    ]);
    await run(db, 'update webhooks set due_at = now() where id = $1', [id]);
    const ofContacts = () => receiver.types().filter((type) => type === 'contact.created');
    await until(() => ofContacts().length === 5);
    assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, 6);
  });
});
