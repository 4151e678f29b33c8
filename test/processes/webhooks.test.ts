import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SCOPES } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { developerFile } from '../support/developer.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { poolRole, TRANSACTION_MODE, withoutTransactionMode } from '../support/pooler.ts';
import { serving, type Serving } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const SLUG = 'hooks';
const db = await createDatabase({ after });
await loadAccount(db, developerFile(SLUG));
const accountId = await accountIdOf(db, { slug: SLUG });
const key = await issueKey(db, accountId, { name: 'hooks', scopes: SCOPES });

async function serve(environment: Record<string, string>): Promise<Serving> {
  const server = await serving({
    LOG_LEVEL: 'error',
    OFFPLAN_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    OFFPLAN_WEBHOOK_ALLOW_PRIVATE: 'true',
    ...environment,
  });
  after(async () => void (await server.stop('SIGKILL')));
  return server;
}

async function post({ url }: Serving, path: string, body: object) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return (await response.json()) as { id: string; results: { contactId: string }[] };
}

let made = 0;

/** Adds contacts, and returns their ids. */
async function addContacts(server: Serving, count: number): Promise<string[]> {
  const contacts = Array.from({ length: count }, () => ({ email: `h${++made}@example.com` }));
  const { results } = await post(server, '/contacts/batch', { contacts });
  return results.map(({ contactId }) => contactId);
}

/** Kills a process between sending an event and recording that. The environment names the database. */
async function killSender(environment: Record<string, string>): Promise<void> {
  const first = await serve(environment);
  const second = await serve(environment);
  const receiver = await startReceiver({ after });
  const types = ['contact.created'];
  await post(first, '/webhooks', { url: receiver.url, types });
  const added = [
    ...(await addContacts(first, 100)),
    ...(await addContacts(second, 100)),
    ...(await addContacts(first, 100)),
  ];
  await until(() => receiver.received.length >= added.length);
  const idsOf = () => receiver.received.map(({ event }) => event.data.id);
  assert.deepEqual(idsOf().toSorted(), added.toSorted());

  // Only the first process is left. It has sent an event, and waits for the answer.
  await second.stop('SIGTERM');
  receiver.received.length = 0;
  receiver.reply(() => undefined);
  const [sent] = await addContacts(first, 1);
  await until(() => receiver.received.length === 1);
  await first.stop('SIGKILL');
  const [{ headers } = assert.fail()] = receiver.received;
  receiver.reply((_request, response) => void response.writeHead(204).end());
  // As if the time of the killed process's lease had passed.
  await run(db, 'update webhooks set lease_until = now()');
  const third = await serve(environment);
  await until(() => receiver.received.length === 2);
  assert.deepEqual(idsOf(), [sent, sent]);
  assert.equal(receiver.received[1]?.headers['webhook-id'], headers['webhook-id']);
  await third.stop();
}

test('two processes send each event once, and an event that a killed one sent and did not record comes again under its id', async () => {
  await killSender({ DATABASE_URL: await databaseUrl(db) });
});

test(
  'the same behind a pooler in transaction mode, where no process hears a notification of another',
  { skip: withoutTransactionMode },
  async (t) => {
    const pooled = await poolRole(t, db, TRANSACTION_MODE);
    after(pooled.dropRole);
    await pooled.applyRoleSettings();
    await killSender(pooled.environment);
  },
);

test('a delivery that is under way when the service stops comes again, and does not count as a failed attempt', async () => {
  const environment = { DATABASE_URL: await databaseUrl(db) };
  const first = await serve(environment);
  const receiver = await startReceiver({ after });
  receiver.reply(() => undefined);
  const hook = await post(first, '/webhooks', { url: receiver.url, types: ['contact.created'] });
  await addContacts(first, 1);
  await until(() => receiver.received.length === 1);
  await first.stop();
  receiver.reply((_request, response) => void response.writeHead(204).end());
  const second = await serve(environment);
  const listDelivered = async (): Promise<{ attempt: number }[]> => {
    const path = `/webhooks/${hook.id}/deliveries?status=delivered`;
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${second.url}/api/v1${path}`, { headers });
    return ((await response.json()) as { data: { attempt: number }[] }).data;
  };
  await until(async () => (await listDelivered()).length === 1);
  assert.equal((await listDelivered())[0]?.attempt, 1);
  await second.stop();
});
