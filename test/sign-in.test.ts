import assert from 'node:assert/strict';
import { after, afterEach, before, describe, mock, test } from 'node:test';
import { loadAccount } from '../src/portability/index.ts';
import { listScopesOfRole, ROLES } from '../src/access/index.ts';
import { expireLookUps, moveClock } from './support/clock.ts';
import { document } from './support/document.ts';
import { endpointsOf } from './support/endpoints.ts';
import { build, type Answer } from './support/harness.ts';
import { hashPassword, verifyPassword } from './support/internals.ts';
import { endWaiting, someoneWaits, whileLocked } from './support/locks.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { invitePerson } from '../src/users/index.ts';
import {
  addPerson,
  browser,
  cookieOf,
  hashWeakly,
  keepSignedIn,
  PASSWORD,
  openSession,
  signIn,
  type TestPerson,
} from './support/people.ts';
import { accountFile } from './support/accounts.ts';
import { assertProblem } from './support/problem.ts';
import { readRows, run } from './support/sql.ts';
import { statementsOf } from './support/statements.ts';
import { until } from './support/until.ts';

const service = await build({ after }, { publicUrl: 'https://crm.example.com' });
const { db } = service;
const API = '/api/v1';
const ME = `${API}/me`;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

afterEach(() => mock.timers.reset());

const attempt = (payload: object, headers = {}): Promise<Answer> =>
  service.send({ method: 'POST', url: `${API}/sign-in`, payload, headers });

const credentials = ({ slug, email }: TestPerson, more = {}) => ({
  account: slug,
  email,
  password: PASSWORD,
  ...more,
});

const readMe = (cookie: string | undefined): Promise<Answer> =>
  service.send({ url: ME, headers: { ...(cookie !== undefined && { cookie }) } });

async function assertEnded(cookie: string): Promise<void> {
  const answer = await readMe(cookie);
  const { 'set-cookie': dropped, ...headers } = answer.headers;
  assertProblem({ ...answer, headers }, 'session_ended', ME);
  assert.match(String(dropped), /^offplan=; .*Max-Age=0$/);
}

describe('signing in', () => {
  test('answers as GET /me, and gives the browser a cookie', async () => {
    const person = await addPerson(service, { role: 'manager' });
    const answer = await attempt(credentials(person, { email: person.email.toUpperCase() }));
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.match(
      String(answer.headers['set-cookie']),
      /^offplan=offplan_session_[0-9A-Za-z]{54}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=7776000$/,
    );
    const { actor, account, user, role, scopes, session } = answer.body;
    assert.deepEqual(actor, { type: 'user', id: person.id, name: 'Hana' });
    assert.deepEqual(account, {
      id: person.accountId,
      slug: person.slug,
      displayName: 'Tūī Ridge',
      timeZone: 'UTC',
      defaultCurrency: null,
    });
    assert.equal(role, 'manager');
    assert.deepEqual(scopes, listScopesOfRole('manager'));
    assert.equal(user.email, person.email);
    assert.equal(user.signedInAt, session.createdAt);
    assert.equal(session.confirmedAt, session.createdAt);
    const me = await readMe(cookieOf(answer));
    assert.deepEqual({ ...me.body, session: null }, { ...answer.body, session: null });
    assert.equal(me.body.session.id, session.id);
  });

  test('with an unknown account or email, a wrong password, or as somebody inactive is one answer by the same statements', async () => {
    const person = await addPerson(service);
    const gone = await addPerson(service);
    const nobody = await addPerson(service);
    await run(db, 'update users set active = false where id = $1', [gone.id]);
    await run(db, 'update users set password = null where id = $1', [nobody.id]);
    const answers: unknown[] = [];
    for (const each of [
      credentials(person, { account: 'nobody' }),
      credentials(person, { email: 'nobody@people.example' }),
      credentials(person, { password: `${PASSWORD}!` }),
      credentials(gone),
      credentials(nobody),
      credentials(person, { account: gone.slug }),
    ]) {
      let answer: Answer | undefined;
      const statements = await statementsOf(async () => (answer = await attempt(each)));
      assert.ok(answer);
      const { detail } = assertProblem(answer, 'sign_in_failed', `${API}/sign-in`);
      answers.push({ detail, statements });
    }
    for (const each of answers) assert.deepEqual(each, answers[0]);
  });

  test('with an unknown email costs a hash, too: when too many wait, the answer is a 503', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        service.send({
          method: 'POST',
          url: `${API}/sign-in`,
          payload: { account: 'nobody', email: `${n}@people.example`, password: 'wrong' },
          remoteAddress: `10.7.0.${n}`,
        }),
      ),
    );
    const codes = new Set(answers.map(({ body }) => body.code));
    assert.deepEqual(codes, new Set(['sign_in_failed', 'unavailable']));
  });

  test('names the fields that are missing or unknown', async () => {
    const { errors } = assertProblem(
      await attempt({ account: 'x', email: 'x', code: 1, extra: 1 }),
      'invalid_request',
      `${API}/sign-in`,
    );
    assert.ok(errors?.some((fault) => fault.pointer === '/password'));
    assert.ok(errors?.some((fault) => fault.pointer === '/extra'));
  });

  test('hashes the password anew when its hash took less effort', async () => {
    const person = await addPerson(service);
    const weak =
      '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$jn0d2/IStBSjLgIE3Jm7aSTXGm9ZXGFUqyaDTmlqGLM';
    assert.equal(await verifyPassword(PASSWORD, weak, ''), false);
    const good = await hashPassword(PASSWORD, '');
    const stored = async () =>
      (
        await readRows<{ password: string }>(db, 'select password from users where id = $1', [
          person.id,
        ])
      )[0]?.password ?? '';
    await run(db, 'update users set password = $1 where id = $2', [good, person.id]);
    await signIn(service, person);
    assert.equal(await stored(), good);
    await run(db, 'update users set password = $1 where id = $2', [
      hashWeakly(PASSWORD),
      person.id,
    ]);
    await signIn(service, person);
    assert.match(await stored(), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await signIn(service, person);
  });

  test('stores neither a password nor a token', async () => {
    const person = await addPerson(service);
    const token = (await signIn(service, person)).split('=')[1] ?? '';
    const rows = await readRows<{ row: string }>(
      db,
      'select sessions::text as row from sessions union all select users::text from users',
    );
    const text = rows.map(({ row }) => row).join('\n') + service.log.join('\n');
    assert.ok(text.includes('$argon2id$') && !text.includes(PASSWORD));
    assert.ok(!text.includes(token.slice(-20)));
  });
});

test('of 60 passwords at once two are hashed, 50 wait and the others get a 503', async () => {
  const hashes = Array.from({ length: 60 }, (_, n) => hashPassword('x', `10.1.1.${n}`));
  const results = await Promise.allSettled(hashes);
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  assert.equal(refused.length, 8);
  for (const each of refused) assert.equal((each as { code: string }).code, 'unavailable');
});

describe('the cookie', () => {
  const headersOf = (host: string, more = {}) => ({ host, ...more });
  for (const [host, name] of [
    ['localhost:3000', 'offplan'],
    ['127.0.0.1:3000', 'offplan'],
    ['[::1]:3000', 'offplan'],
    ['kowhai.localhost', 'offplan'],
    ['crm.example.com', '__Host-offplan'],
  ] as const)
    test(`is ${name} on ${host}`, async () => {
      const person = await addPerson(service);
      const answer = await attempt(credentials(person), headersOf(host));
      assert.equal(answer.status, 200);
      const cookie = String(answer.headers['set-cookie']);
      assert.ok(cookie.startsWith(`${name}=offplan_session_`), cookie);
      assert.equal(cookie.includes(' Secure;'), name === '__Host-offplan');
      const sent = { cookie: cookieOf(answer) ?? '', host };
      assert.equal((await service.send({ url: ME, headers: sent })).status, 200);
    });

  for (const host of ['192.168.1.7:3000', 'localhost.example.com', 'other.example.com'])
    test(`is refused over plain HTTP on ${host}`, async () => {
      const person = await addPerson(service);
      const { text } = await attempt(credentials(person));
      assert.ok(text);
      assertProblem(
        await attempt(credentials(person), headersOf(host)),
        'https_required',
        `${API}/sign-in`,
      );
      const url = `${API}/links/accept`;
      const { accountId, email } = person;
      const { token } = await invitePerson(service.db, accountId, { email, role: 'agent' });
      const payload = { token, password: PASSWORD };
      const request = { method: 'POST', url, payload } as const;
      assertProblem(
        await service.send({ ...request, headers: headersOf(host) }),
        'https_required',
        url,
      );
      // The refused request has not used up the link.
      assert.equal((await service.send(request)).status, 200);
      const cookie = await openSession(service, person);
      assertProblem(
        await service.send({ url: ME, headers: { cookie, host } }),
        'https_required',
        ME,
      );
    });

  test('is the first of two: a browser sends the one with the longer path first', async () => {
    const cookie = await openSession(service, await addPerson(service));
    assert.equal((await readMe(`${cookie}; offplan=other`)).status, 200);
    await assertEnded(`offplan=other; ${cookie}`);
  });

  test('loses against an API key', async () => {
    const person = await addPerson(service);
    const cookie = await openSession(service, person);
    const key = await service.key(person.slug, 'read');
    const { body } = await service.send({ url: ME, key, headers: { cookie } });
    assert.deepEqual(
      [body.actor.type, body.user, body.role, body.session],
      ['key', null, null, null],
    );
    assertProblem(
      await service.send({ url: ME, key: 'offplan_x', headers: { cookie } }),
      'invalid_api_key',
      ME,
    );
  });

  test('that is unknown, mistyped or made up is a 401, and is dropped', async () => {
    const person = await addPerson(service);
    const cookie = await openSession(service, person);
    for (const each of [`${cookie}x`, cookie.slice(0, -1) + '_', 'offplan=', 'offplan=x'])
      await assertEnded(each);
    assertProblem(await readMe('other=1'), 'missing_api_key', ME);
  });
});

describe('a request of another site', () => {
  const OWN: [string, object][] = [
    ['Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['the Origin of PUBLIC_URL', { origin: 'https://crm.example.com' }],
    ['the Origin of its Host', { origin: 'http://localhost' }],
  ];
  const FOREIGN: [string, object][] = [
    ...['cross-site', 'same-site', 'none', ''].map((site): [string, object] => [
      `Sec-Fetch-Site: ${site}`,
      { 'sec-fetch-site': site, origin: 'https://crm.example.com' },
    ]),
    ['another Origin', { origin: 'https://evil.example' }],
    ['the Origin of another port', { origin: 'http://localhost:8080' }],
    ['the Origin null', { origin: 'null' }],
  ];
  const unsafe = endpointsOf(document).filter(({ writes, scope }) => writes && scope !== 'public');

  let cookieOfOwner: () => Promise<string>;
  before(async () => {
    cookieOfOwner = keepSignedIn(service, await addPerson(service, { role: 'owner' }));
  });
  for (const { name, request } of unsafe)
    test(`is a 403 with a cookie: ${name}`, async () => {
      const cookie = await cookieOfOwner();
      for (const [, headers] of [...FOREIGN, ['neither', {}] as [string, object]]) {
        const answer = await service.send({ ...request(), headers: { cookie, ...headers } });
        assertProblem(answer, 'cross_site_request', request().url);
      }
      assert.equal((await readMe(cookie)).status, 200);
    });

  for (const [what, headers] of OWN)
    test(`is none with ${what}`, async () => {
      const cookie = await openSession(service, await addPerson(service));
      const request = { method: 'POST', url: `${API}/sign-out` } as const;
      const answer = await service.send({ ...request, headers: { cookie, ...headers } });
      assert.equal(answer.status, 204, answer.text);
    });

  test('cannot sign in; a program that names no site can', async () => {
    const person = await addPerson(service);
    for (const [, headers] of FOREIGN)
      assertProblem(
        await attempt(credentials(person), headers),
        'cross_site_request',
        `${API}/sign-in`,
      );
    for (const [, headers] of [...OWN, ['neither', {}] as [string, object]])
      assert.equal((await attempt(credentials(person), headers)).status, 200);
  });

  test('with an API key is like any other', async () => {
    const { slug } = await addPerson(service);
    const key = await service.key(slug, 'read-write');
    const { status } = await service.send({
      method: 'POST',
      url: `${API}/contacts`,
      key,
      payload: { email: 'aroha@example.com' },
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(status, 201);
  });
});

describe('a person who is signed in', () => {
  const endpoints = endpointsOf(document);
  for (const role of ROLES)
    test(`as ${role} may do what the role may do, on every route`, async () => {
      const person = await addPerson(service, { role });
      const cookie = keepSignedIn(service, person);
      for (const { name, scope, request } of endpoints) {
        // These end the session or take another's place.
        if (scope === 'public' || scope === 'session') continue;
        const { status, body, text } = await browser(service, await cookie())(request());
        const isOwners = name === 'PATCH /organization';
        const isAllowed =
          scope === 'any' ||
          (listScopesOfRole(role).includes(scope) && (role === 'owner' || !isOwners));
        assert.equal(body?.code !== 'insufficient_access', isAllowed, `${name} ${text}`);
        assert.ok(status < 500, text);
      }
    });

  test('imports with an Idempotency-Key, and the log has their id', async () => {
    const person = await addPerson(service);
    const send = browser(service, await openSession(service, person));
    const request = {
      method: 'POST',
      url: `${API}/contacts`,
      payload: { email: 'mele@example.com' },
      headers: { 'idempotency-key': 'a' },
    } as const;
    assert.equal((await send(request)).status, 201);
    const again = await send(request);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    const rows = await readRows(db, 'select api_key_id as id from imports where account_id = $1', [
      person.accountId,
    ]);
    assert.deepEqual(rows, [{ id: person.id }]);
  });

  for (const { name, request } of endpoints.filter(({ scope }) => scope === 'session'))
    test(`and no key may: ${name}`, async () => {
      const { slug } = await addPerson(service);
      const key = await service.key(slug, 'read-write');
      const answer = await service.send({ ...request(), key });
      assert.equal(answer.status, 403, answer.text);
      assert.equal(answer.body.code, 'insufficient_access');
      assertProblem(await service.send(request()), 'missing_api_key', request().url);
    });

  test('gets a 503 from GET /me when its connections to the database are lost, and the service goes on', async () => {
    const cookie = await openSession(service, await addPerson(service));
    await whileLocked(db, 'account_slugs, sign_in_links', async () => {
      const answer = readMe(cookie);
      await someoneWaits(db, 2);
      await endWaiting(db);
      assertProblem(await answer, 'unavailable', ME);
    });
    await until(async () => (await readMe(cookie)).status === 200);
  });

  test('changes both while the owner changes the person', async () => {
    const person = await addPerson(service);
    const send = browser(service, await openSession(service, person));
    const payload = { name: 'Hana P.', theme: 'dark' };
    // The owner's change locks the account, then the person.
    const { answer } = await runInTransaction(db, async (tx) => {
      const lockAccount = 'select from accounts where account_id = $1 for no key update';
      await tx.query({ name: '', text: lockAccount, values: [person.accountId] });
      const sent = send({ method: 'PATCH', url: ME, payload });
      await someoneWaits(db);
      const lockPerson = 'select from users where account_id = $1 and id = $2 for update';
      await tx.query({ name: '', text: lockPerson, values: [person.accountId, person.id] });
      return { answer: sent };
    });
    assert.equal((await answer).status, 200);
  });

  test('changes their name and theme', async () => {
    const person = await addPerson(service);
    const send = browser(service, await openSession(service, person));
    const before = await send({ url: ME });
    const changed = await send({
      method: 'PATCH',
      url: ME,
      payload: { name: 'Hana P.', theme: 'dark' },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    const { user, actor } = changed.body;
    assert.deepEqual([user.name, user.theme, actor.name], ['Hana P.', 'dark', 'Hana P.']);
    assert.notEqual(user.etag, before.body.user.etag);
    const same = await send({ method: 'PATCH', url: ME, payload: { name: 'Hana P.' } });
    assert.equal(same.body.user.etag, user.etag);
    const long = { name: 'x'.repeat(1_001) };
    for (const payload of [
      { name: ' ' },
      long,
      { theme: 'pink' },
      { role: 'owner' },
      { name: null },
    ])
      assert.equal((await send({ method: 'PATCH', url: ME, payload })).status, 400);
    const { users } = await service.exported(person.slug);
    assert.equal(users[0].name, 'Hana P.');
  });
});

describe('a session', () => {
  test('ends with signing out', async () => {
    const cookie = await openSession(service, await addPerson(service));
    const out = { method: 'POST', url: `${API}/sign-out` } as const;
    const answer = await browser(service, cookie)(out);
    assert.equal(answer.status, 204);
    assert.match(String(answer.headers['set-cookie']), /^offplan=; .*Max-Age=0$/);
    await assertEnded(cookie);
  });

  for (const [what, text] of [
    ['its person is deactivated elsewhere', 'update users set active = false where id = $1'],
    ['it is ended elsewhere', 'delete from sessions where user_id = $1'],
  ] as const)
    test(`ends within 250 ms when ${what}`, async () => {
      const person = await addPerson(service);
      const cookie = await openSession(service, person);
      assert.equal((await readMe(cookie)).status, 200);
      await run(db, text, [person.id]);
      expireLookUps();
      await assertEnded(cookie);
    });

  test('ends when an account file deactivates its person', async () => {
    const person = await addPerson(service);
    const cookie = await openSession(service, person);
    const users = [{ id: person.id, active: false }];
    await loadAccount(db, { ...accountFile(person.slug), users });
    expireLookUps();
    await assertEnded(cookie);
  });

  test('ends after 14 days without a request', async () => {
    const cookie = await openSession(service, await addPerson(service));
    moveClock(14 * DAY_MS + 1);
    await assertEnded(cookie);
  });

  test('lasts 90 days at most, with a new token every day', async () => {
    let cookie = await openSession(service, await addPerson(service));
    for (const days of [13, 13, 13, 13, 13, 13, 11.9]) {
      moveClock(days * DAY_MS);
      const answer = await readMe(cookie);
      assert.equal(answer.status, 200);
      const renewed = cookieOf(answer) ?? assert.fail('no new token');
      assert.notEqual(renewed, cookie);
      cookie = renewed;
    }
    moveClock(0.1 * DAY_MS + 1);
    await assertEnded(cookie);
  });

  test('keeps its token within a day, and the old one for 60 seconds more', async () => {
    const cookie = await openSession(service, await addPerson(service));
    moveClock(DAY_MS - 1_000);
    assert.equal(cookieOf(await readMe(cookie)), undefined);
    moveClock(1_000);
    const renewed = cookieOf(await readMe(cookie)) ?? assert.fail('no new token');
    moveClock(59_000);
    const old = await readMe(cookie);
    assert.deepEqual([old.status, cookieOf(old)], [200, undefined]);
    moveClock(1_001);
    await assertEnded(cookie);
    assert.equal((await readMe(renewed)).status, 200);
  });

  test('gets one new token when several requests come at once', async () => {
    const cookie = await openSession(service, await addPerson(service));
    moveClock(DAY_MS);
    const answers = await Promise.all(Array.from({ length: 5 }, () => readMe(cookie)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    assert.equal(answers.filter((each) => cookieOf(each) !== undefined).length, 1);
  });

  test('gets a new token, and new scopes, when the role has changed', async () => {
    const person = await addPerson(service, { role: 'owner' });
    const cookie = await openSession(service, person);
    await run(db, `update users set role = 'viewer' where id = $1`, [person.id]);
    expireLookUps();
    const answer = await readMe(cookie);
    assert.equal(answer.body.role, 'viewer');
    assert.notEqual(cookieOf(answer) ?? cookie, cookie);
  });

  test('is listed, and ends by its id; another person cannot', async () => {
    const person = await addPerson(service);
    const colleague = await addPerson(service, { slug: person.slug });
    const strangers = await Promise.all(
      [colleague, await addPerson(service)].map(async (each) =>
        browser(service, await signIn(service, each)),
      ),
    );
    const userAgent = `Safari ${'x'.repeat(300)}`;
    const begun = await attempt(credentials(person), { 'user-agent': userAgent });
    const first = cookieOf(begun) ?? assert.fail('no cookie');
    const second = await signIn(service, person);
    const send = browser(service, second);
    const url = `${ME}/sessions`;
    const { body } = await send({ url });
    assert.partialDeepStrictEqual(body.data, [
      { current: true, address: '127.0.0.1' },
      { current: false, address: '127.0.0.1', userAgent: userAgent.slice(0, 255) },
    ]);
    const id = body.data[1].id as string;
    const end = { method: 'DELETE', url: `${url}/${id}` } as const;
    for (const stranger of strangers)
      assertProblem(await stranger(end), 'session_not_found', end.url);
    assert.equal((await readMe(first)).status, 200);
    assert.equal((await send(end)).status, 204);
    await assertEnded(first);
    assertProblem(await send(end), 'session_not_found', end.url);
    assertProblem(
      await send({ ...end, url: `${url}/nothing` }),
      'session_not_found',
      `${url}/nothing`,
    );
  });

  test('is the oldest of a hundred when it ends because another one begins', async () => {
    const person = await addPerson(service);
    const cookie = await signIn(service, person);
    await run(
      db,
      `insert into sessions (account_id, id, user_id, token_sha256, role, created_at, renewed_at, seen_at, expires_at, address)
        select account_id, gen_random_uuid(), user_id, sha256(n::text::bytea), role, created_at + n * interval '1 ms',
          renewed_at, seen_at, expires_at, address
        from sessions, generate_series(1, 99) n where user_id = $1`,
      [person.id],
    );
    assert.equal((await readMe(cookie)).status, 200);
    await signIn(service, person);
    expireLookUps();
    await assertEnded(cookie);
    const rows = await readRows(db, 'select from sessions where user_id = $1', [person.id]);
    assert.equal(rows.length, 100);
  });

  test('that a person ends by its id, in capital or small letters, takes its cookie along', async () => {
    const person = await addPerson(service);
    for (const write of [(id: string) => id, (id: string) => id.toUpperCase()]) {
      const cookie = await openSession(service, person);
      const send = browser(service, cookie);
      const { id } = (await send({ url: ME })).body.session;
      const answer = await send({ method: 'DELETE', url: `${ME}/sessions/${write(id)}` });
      assert.equal(answer.status, 204);
      assert.match(String(answer.headers['set-cookie']), /Max-Age=0/);
    }
  });

  test('can end all others', async () => {
    const person = await addPerson(service);
    const others = [await openSession(service, person), await openSession(service, person)];
    const cookie = await openSession(service, person);
    const answer = await browser(service, cookie)({ method: 'DELETE', url: `${ME}/sessions` });
    assert.equal(answer.status, 204);
    for (const each of others) await assertEnded(each);
    assert.equal((await readMe(cookie)).status, 200);
  });
});

describe('a password', () => {
  const NEXT = 'tūī and bellbird at noon';
  const change = (cookie: string, current: string, password: string): Promise<Answer> =>
    browser(
      service,
      cookie,
    )({ method: 'POST', url: `${ME}/password`, payload: { current, password } });

  test('is changed with the one of now: a new cookie, all former ones end, and the session is confirmed', async () => {
    const person = await addPerson(service);
    const other = await openSession(service, person);
    const former = await openSession(service, person);
    moveClock(DAY_MS);
    // The former token would be valid for another minute.
    const cookie = cookieOf(await readMe(former)) ?? assert.fail('no new token');
    const answer = await change(cookie, PASSWORD, NEXT);
    assert.equal(answer.status, 204, answer.text);
    for (const ended of [other, former, cookie]) await assertEnded(ended);
    const { status, body } = await readMe(cookieOf(answer));
    assert.deepEqual([status, body.session?.confirmedAt], [200, new Date().toISOString()]);
    assert.equal((await attempt(credentials(person))).status, 401);
    // Another way to type the same letters.
    const password = NEXT.normalize('NFD');
    assert.notEqual(password, NEXT);
    assert.equal((await attempt(credentials(person, { password }))).status, 200);
  });

  test('is not changed with a wrong one, or to a weak one', async () => {
    const person = await addPerson(service);
    const cookie = await openSession(service, person);
    const url = `${ME}/password`;
    assertProblem(await change(cookie, `${PASSWORD}!`, NEXT), 'sign_in_failed', url);
    for (const weak of ['too short', 'qwerty123456', person.email, 'x1'.repeat(101)]) {
      const { errors } = assertProblem(
        await change(cookie, PASSWORD, weak),
        'password_too_weak',
        url,
      );
      assert.equal(errors?.[0]?.pointer, '/password');
    }
    assert.equal((await attempt(credentials(person))).status, 200);
    assert.equal((await readMe(cookie)).status, 200);
  });

  test('that was replaced meanwhile neither signs in nor sets another one', async () => {
    const person = await addPerson(service);
    const cookie = await openSession(service, person);
    const next = await hashPassword(NEXT, '');
    const requests = [
      () => attempt(credentials(person)),
      () => change(cookie, PASSWORD, 'kākā and weka at midnight'),
    ];
    for (const send of requests) {
      await run(db, 'update users set password = $1 where id = $2', [
        await hashPassword(PASSWORD, ''),
        person.id,
      ]);
      // The request has checked the old password when it waits for the row.
      const { answer } = await runInTransaction(db, async (tx) => {
        const text = 'update users set password = $1 where id = $2';
        await tx.query({ name: '', text, values: [next, person.id] });
        const sent = send();
        await someoneWaits(db);
        return { answer: sent };
      });
      const { status, body } = await answer;
      assert.deepEqual([status, body.code], [401, 'sign_in_failed']);
      assert.equal((await attempt(credentials(person, { password: NEXT }))).status, 200);
    }
  });

  test('confirms a session', async () => {
    const person = await addPerson(service);
    const cookie = await openSession(service, person);
    const before = (await readMe(cookie)).body.session.confirmedAt as string;
    moveClock(20 * MINUTE_MS);
    const confirm = (password: string): Promise<Answer> =>
      browser(service, cookie)({ method: 'POST', url: `${ME}/confirm`, payload: { password } });
    assertProblem(await confirm('wrong'), 'sign_in_failed', `${ME}/confirm`);
    assert.equal((await readMe(cookie)).body.session.confirmedAt, before);
    assert.equal((await confirm(PASSWORD)).status, 204);
    const { confirmedAt } = (await readMe(cookie)).body.session;
    assert.equal(Date.parse(confirmedAt), Date.now());
  });
});
