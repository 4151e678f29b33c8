import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import { after, afterEach, describe, mock, test } from 'node:test';
import type { RouteScope } from '../src/access/index.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { LOOK_UP_CACHED_MS, moveClock, passTime } from './support/clock.ts';
import { document } from './support/document.ts';
import { endpointsOf, type Endpoint } from './support/endpoints.ts';
import { build } from './support/harness.ts';
import { instance } from './support/instances.ts';
import { someoneWaits } from './support/locks.ts';
import { addPerson, browser, PASSWORD, SAME_ORIGIN, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

/*
 * A person who has not proved within 15 minutes who they are writes no keys, people, webhooks or organization, exports
 * nothing and erases nobody. Every route that a person may call is tried.
 */

const service = await build({ after });
const endpoints = endpointsOf(document).filter(
  ({ scope }) => scope !== 'public' && scope !== 'session',
);

const ALWAYS = new Set<RouteScope>(['contacts:export', 'contacts:erase']);
const TO_WRITE = new Set<RouteScope>(['keys:write', 'users:write', 'webhooks:write']);
/** It writes nothing: its body has the text of a key, which no path may have. */
const READS_BY_POST = new Set(['POST /keys/find']);

function needsConfirmation({ name, scope, writes }: Endpoint): boolean {
  if (ALWAYS.has(scope)) return true;
  const isOfOrganization = scope === 'settings:write' && / \/organization\b/.test(name);
  return writes && !READS_BY_POST.has(name) && (TO_WRITE.has(scope) || isOfOrganization);
}

afterEach(() => mock.timers.reset());

async function openAccount() {
  const me = await addPerson(service, { role: 'owner' });
  return { me, send: browser(service, await openSession(service, me)) };
}

const MINUTES_15 = 15 * 60_000;

describe('a confirmation', () => {
  test('counts at once at every server, also at one that has the session in its cache', async () => {
    const me = await addPerson(service, { role: 'owner' });
    const other = await instance({ after }, service.db);
    const cookie = await openSession(service, me);
    const own = browser(service, cookie);
    const there = async (request: InjectOptions) =>
      (await other.inject({ ...request, headers: { cookie, ...SAME_ORIGIN } })).statusCode;
    moveClock(MINUTES_15 + 1_000);
    const newKey = { name: 'Website', access: 'read' };
    const request: InjectOptions = { method: 'POST', url: '/api/v1/keys', payload: newKey };
    assert.equal(await there(request), 403);
    const payload = { password: PASSWORD };
    const { confirming } = await runInTransaction(service.db, async (tx) => {
      const text = 'select from sessions where account_id = $1 for update';
      await tx.query({ name: '', text, values: [me.accountId] });
      const sent = own({ method: 'POST', url: '/api/v1/me/confirm', payload });
      await someoneWaits(service.db);
      passTime(LOOK_UP_CACHED_MS);
      assert.equal(await there({ url: '/api/v1/me' }), 200);
      return { confirming: sent };
    });
    assert.equal((await confirming).status, 204);
    assert.equal(await there(request), 201);
  });
});

describe('a session that was confirmed more than 15 minutes ago', () => {
  for (const { name, request } of endpoints.filter(needsConfirmation))
    test(`may not, and an API key may: ${name}`, async () => {
      const { me, send } = await openAccount();
      const key = await service.key(me.slug, 'all');
      moveClock(MINUTES_15 - 1_000);
      const early = await send(request());
      assert.notEqual(early.status, 403, early.text);
      moveClock(2_000);
      assertProblem(await send(request()), 'confirmation_required', request().url);
      assert.notEqual((await service.send({ ...request(), key })).status, 403);
      const payload = { password: PASSWORD };
      const confirmed = await send({ method: 'POST', url: '/api/v1/me/confirm', payload });
      assert.equal(confirmed.status, 204);
      const late = await send(request());
      assert.notEqual(late.status, 403, late.text);
    });

  test('may do everything else', async () => {
    const { send } = await openAccount();
    moveClock(MINUTES_15 + 1_000);
    const others = endpoints.filter((each) => !needsConfirmation(each));
    assert.ok(others.length > endpoints.length / 2);
    for (const { name, request } of others) {
      const { status, text } = await send(request());
      assert.notEqual(status, 403, `${name} ${text}`);
    }
  });
});

test('the document says which routes need a confirmation', () => {
  for (const endpoint of endpoints) {
    const [method = '', path = ''] = endpoint.name.split(' ');
    const text = JSON.stringify(document.paths[path]?.[method.toLowerCase()]);
    const says = text.includes('"confirmation_required"');
    assert.equal(says, needsConfirmation(endpoint), endpoint.name);
  }
});

test('the session of a demo counts as confirmed', async () => {
  const { me, send } = await openAccount();
  await run(service.db, 'update sessions set confirmed_at = null where user_id = $1', [me.id]);
  moveClock(MINUTES_15 + 1_000);
  const payload = { name: 'website', access: 'read' };
  const { status } = await send({ method: 'POST', url: '/api/v1/keys', payload });
  assert.equal(status, 201);
});
