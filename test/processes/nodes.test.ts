import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCOPES } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { developerFile } from '../support/developer.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { hashPassword } from '../support/internals.ts';
import { PASSWORD, SAME_ORIGIN } from '../support/people.ts';
import { drawFile } from '../support/pictures.ts';
import { dataFolder, serving } from '../support/process.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

/*
 * Two nodes share a database and a folder of pictures. These tests check that one node answers with the changes that the other
 * made. Jobs, webhooks, sweeps and limits on several nodes have tests in contact-files, webhooks, sweeps and limits-redis.
 */

const SLUG = 'two-nodes';
const EMAIL = 'hana@developer.example';
const mediaDir = dataFolder({ after });
const db = await createDatabase({ after });
await loadAccount(db, developerFile(SLUG));
const accountId = await accountIdOf(db, { slug: SLUG });
const key = await issueKey(db, accountId, { name: 'nodes', scopes: SCOPES });
await run(db, 'update users set password = $1 where account_id = $2', [
  await hashPassword(PASSWORD, ''),
  accountId,
]);

let first = '';
let second = '';
const stops: (() => Promise<unknown>)[] = [];
after(() => Promise.all(stops.map((stop) => stop())));

before(async () => {
  const environment = {
    DATABASE_URL: await databaseUrl(db),
    OFFPLAN_MEDIA_DIR: mediaDir,
    LOG_LEVEL: 'error',
  };
  const nodes = await Promise.all([serving(environment), serving(environment)]);
  stops.push(
    ...nodes.map(
      ({ stop }) =>
        () =>
          stop('SIGKILL'),
    ),
  );
  [first, second] = nodes.map(({ url }) => url) as [string, string];
});

interface Sent {
  method?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Sends a request with the key, unless it has a cookie. */
function send(node: string, path: string, { method, body, headers = {} }: Sent = {}) {
  return fetch(`${node}/api/v1${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(headers['cookie'] === undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function signIn(node: string): Promise<string> {
  const body = { account: SLUG, email: EMAIL, password: PASSWORD };
  const answer = await send(node, '/sign-in', { body });
  assert.equal(answer.status, 200, await answer.text());
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';', 1);
  return cookie;
}

test('a person who signs in at one node is signed in at the other, and signing out at one ends the session at both', async () => {
  const cookie = await signIn(first);
  const headers = { cookie, ...SAME_ORIGIN };
  const statuses = async () =>
    Promise.all([first, second].map(async (node) => (await send(node, '/me', { headers })).status));
  assert.deepEqual(await statuses(), [200, 200]);
  const out = await send(second, '/sign-out', { method: 'POST', headers });
  assert.ok(out.ok, String(out.status));
  await until(async () => (await statuses()).every((status) => status === 401));
});

test('a person who is deactivated at one node is signed out at the other', async () => {
  const cookie = await signIn(second);
  const headers = { cookie, ...SAME_ORIGIN };
  const list = (await (await send(first, '/users')).json()) as {
    data: { id: string; email: string }[];
  };
  const hana = list.data.find(({ email }) => email === EMAIL) ?? assert.fail('no person');
  assert.equal((await send(second, '/me', { headers })).status, 200);
  const changed = await send(first, `/users/${hana.id}/deactivate`, {
    body: { reassignTo: null },
  });
  assert.equal(changed.status, 200, await changed.text());
  await until(async () => (await send(second, '/me', { headers })).status === 401);
});

test('a stream of events at one node has the events of leads that the other takes', async () => {
  const stream = await send(second, '/events?after=head&types=contact.created', {
    headers: { accept: 'text/event-stream' },
  });
  assert.ok(stream.body);
  const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readUntil = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const { done, value } = await reader.read();
      if (done) assert.fail(`the stream ended: ${text}`);
      text += value;
    }
  };
  // The stream has begun: it follows the head from here.
  await readUntil(/^: /);
  const lead = await send(first, '/contacts', { body: { email: 'streamed@example.com' } });
  const { contactId } = (await lead.json()) as { contactId: string };
  await readUntil(new RegExp(contactId));
  await reader.cancel();
});

test('a request that waits for events at one node is answered when the other takes a lead', async () => {
  const head = (await (await send(second, '/events?after=head')).json()) as { cursor: string };
  const waiting = readNext(head.cursor);
  await send(first, '/contacts', { body: { email: 'waited@example.com' } });
  assert.equal((await waiting)?.type, 'contact.created');
});

/** Waits at the second node for the event after a cursor, again and again on a slow machine. */
async function readNext(cursor: string): Promise<{ type: string } | undefined> {
  for (;;) {
    const answer = await send(second, `/events?after=${cursor}&wait=20`);
    assert.equal(answer.status, 200);
    const { data } = (await answer.json()) as { data: { type: string }[] };
    if (data.length > 0) return data[0];
  }
}

test('a picture that one node takes is served by the other', async () => {
  const answer = await fetch(`${first}/api/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(await drawFile()),
  });
  const { key: name } = (await answer.json()) as { key: string };
  const served = await fetch(`${second}/media/${name}`);
  assert.equal(served.status, 200);
  assert.equal(served.headers.get('content-type'), 'image/jpeg');
});

test('an answer that one node keeps for an Idempotency-Key is given by the other', async () => {
  const sent = {
    body: { email: 'once@example.com', notes: 'Called.' },
    headers: { 'idempotency-key': 'once' },
  };
  const [one, other] = [
    await send(first, '/contacts', sent),
    await send(second, '/contacts', sent),
  ];
  assert.deepEqual([one.status, other.status], [201, 201]);
  assert.deepEqual(await other.json(), await one.json());
});
