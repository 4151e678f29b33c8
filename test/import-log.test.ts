import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { issueKey } from '../src/keys/index.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { developersOf, LIVE, NOWHERE, type Developer } from './support/developer.ts';
import { build, type Answer } from './support/harness.ts';
import { sender } from './support/imports.ts';
import { someoneWaits, whileEmailsLocked } from './support/locks.ts';
import { addPerson, browser, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const IMPORTS = '/api/v1/imports';

/** A developer with a key that manages the import log. */
async function manager(at = service) {
  const developer = await developersOf(at)();
  const accountId = await accountIdOf(at.db, developer);
  const key = await issueKey(at.db, accountId, { name: 'crm', scopes: ['contacts:manage'] });
  const get = (path = ''): Promise<Answer> => at.send({ url: `${IMPORTS}${path}`, key });
  const post = (path: string, payload?: object): Promise<Answer> =>
    at.send({ method: 'POST', url: `${IMPORTS}${path}`, key, ...(payload && { payload }) });
  const send = (payload: object): Promise<Answer> =>
    at.send({ method: 'POST', url: '/api/v1/contacts', key: developer.key, payload });
  return { developer, accountId, get, post, send };
}

const emailsOf = async (developer: Developer): Promise<string[]> =>
  ((await developer.exported()).contacts ?? []).map(({ email }: { email: string }) => email);

const refusedLead = (email: string) => ({ email, projectId: NOWHERE });

describe('GET /imports', () => {
  test('lists imports, the newest first, with who sent them and what became of them', async () => {
    const { get, send, accountId } = await manager();
    const { body: created } = await send({ email: 'a@example.com', utm: 'x' });
    await send(refusedLead('b@example.com'));
    const { status, headers, body } = await get();
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(body.pagination, { limit: 20, nextCursor: null, hasNextPage: false });
    const [refused, accepted, ...others] = body.data;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [refused.outcome, refused.contactId, refused.settledAt, refused.settlement],
      ['refused', null, null, null],
    );
    assert.equal(refused.problem.code, 'project_not_available');
    assert.equal(refused.problem.errors[0].pointer, '/projectId');
    const { rows } = await run(
      service.db,
      'select id from api_keys where account_id = $1 order by id',
      [accountId],
    );
    assert.deepEqual(accepted, {
      ...accepted,
      channel: 'single',
      actor: { type: 'key', id: (rows[0] as { id: string }).id, name: 'test' },
      position: null,
      fileId: null,
      row: null,
      outcome: 'created',
      contactId: created.contactId,
      problem: null,
      ignoredFields: ['utm'],
    });
    assert.ok(!('payload' in accepted));
  });

  test('names the person who imported, and a person sees what their role allows', async () => {
    const person = await addPerson(service, { role: 'manager' });
    const ask = browser(service, await openSession(service, person));
    const payload = { email: 'a@example.com' };
    await ask({ method: 'POST', url: '/api/v1/contacts', payload });
    const { body } = await ask({ url: IMPORTS });
    assert.deepEqual(body.data[0].actor, { type: 'user', id: person.id, name: 'Hana' });
    const agent = await addPerson(service, { role: 'agent' });
    const refused = await browser(service, await openSession(service, agent))({ url: IMPORTS });
    assertProblem(refused, 'insufficient_access', IMPORTS);
  });

  test('walks the log page by page: a cursor skips and repeats nothing while others import', async () => {
    const { get, send } = await manager();
    for (const n of [1, 2, 3, 4, 5]) await send({ email: `${n}@example.com` });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await get(`?limit=2&count=true${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      assert.equal(body.pagination.totalCountIsExact, true);
      cursor = body.pagination.nextCursor;
      if (cursor !== null) await send({ email: `later-${seen.length}@example.com` });
    }
    assert.equal(new Set(seen).size, 5);
    assert.deepEqual(seen, seen.toSorted().toReversed());
  });

  test('filters by outcome, channel, code, openness and time; a comma means any of them', async () => {
    const { get, send, developer } = await manager();
    await send({ email: 'a@example.com' });
    await send({ email: 'a@example.com', phone: '1' });
    await send(refusedLead('b@example.com'));
    await send({ email: 'nobody' });
    await service.send({
      method: 'POST',
      url: '/api/v1/contacts/batch',
      key: developer.key,
      payload: { contacts: [{ email: 'c@example.com' }, {}] },
    });
    const count = async (query: string): Promise<number> => {
      const { body, text } = await get(`?count=true&${query}`);
      assert.equal(body.data?.length, body.pagination?.totalCount, text);
      return body.data.length;
    };
    const counts = {
      'outcome=created': 2,
      'outcome=created,merged': 3,
      'open=true': 3,
      'open=false': 3,
      'channel=batch': 2,
      'code=project_not_available': 1,
      'code=project_not_available,invalid_request': 3,
      'channel=batch&open=true': 1,
      'file=nothing': 0,
      'receivedAfter=2000-01-01T00:00:00Z': 6,
      'receivedBefore=2000-01-01T00:00:00Z': 0,
    };
    for (const [query, expected] of Object.entries(counts))
      assert.equal(await count(query), expected, query);
  });

  test('answers 400 that names what is wrong with a parameter, and with a cursor of another filter', async () => {
    const { get, send } = await manager();
    for (const n of [1, 2]) await send({ email: `${n}@example.com` });
    for (const [query, parameter] of [
      ['outcome=gone', 'outcome'],
      ['open=yes', 'open'],
      ['limit=0', 'limit'],
      ['limit=1.5', 'limit'],
      ['sort=name', 'sort'],
      ['count=1', 'count'],
      ['receivedAfter=today', 'receivedAfter'],
      ['colour=red', 'colour'],
      ['code=a%00b', 'code'],
      ['open=true&open=true', 'open'],
    ]) {
      const problem = assertProblem(await get(`?${query}`), 'invalid_request', IMPORTS);
      assert.deepEqual(
        problem.errors?.map((fault) => fault.parameter),
        [parameter],
        query,
      );
    }
    const { body } = await get('?limit=1');
    const { nextCursor } = body.pagination;
    assert.equal((await get(`?limit=1&cursor=${nextCursor}`)).body.data.length, 1);
    for (const query of [`open=true&cursor=${nextCursor}`, 'cursor=x', 'cursor='])
      assertProblem(await get(`?${query}`), 'cursor_invalid', IMPORTS);
  });
});

describe('GET /imports/:id', () => {
  test('shows what was received and what it did; an id that is no UUID is an unknown one', async () => {
    const { get, send } = await manager();
    const { body: result } = await send({ email: 'a@example.com' });
    const { body: list } = await get();
    const { body } = await get(`/${list.data[0].id}`);
    assert.deepEqual(body, {
      ...list.data[0],
      dismissal: null,
      payload: '{"email":"a@example.com"}',
      lead: { email: 'a@example.com' },
      result,
    });
    assertProblem(await get('/x'), 'import_not_found', `${IMPORTS}/x`);
  });

  const deep = `${'[{"a":'.repeat(4500)}1${'}]'.repeat(4500)}`;
  for (const [what, odd, shown] of [
    ['a number too large for JavaScript', '1e400', '"1e400"'],
    ['a value nested 9,000 deep', deep, deep],
  ] as const)
    test(`shows, retries and dismisses a lead with ${what}, and a batch takes it as an unknown field`, async () => {
      const { developer, get, post } = await manager();
      const send = (path: string, payload: string) =>
        sender(service)(developer, payload, { url: `/api/v1/${path}` });
      await send('contacts', `{"email":"nobody","budget":${odd}}`);
      const { body } = await send(
        'contacts/batch',
        `{"contacts":[{"email":"ana@example.com","x":${odd}}]}`,
      );
      assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 0 });
      const { body: open } = await get('?open=true');
      const path = `/${open.data[0].id}`;
      for (const answer of [
        await get(path),
        await post(`${path}/retry`),
        await post(`${path}/dismiss`),
      ])
        assert.ok(answer.text.endsWith(`"lead":{"email":"nobody","budget":${shown}}}`));
    });
});

/** A refused import, and its id. */
async function refusedOne(at = service) {
  const all = await manager(at);
  await all.send(refusedLead('b@example.com'));
  const { body } = await all.get();
  return { ...all, id: body.data[0].id as string };
}

describe('POST /imports/:id/retry', () => {
  test('imports a refused lead with what puts it right, and settles it', async () => {
    const { developer, get, post, id } = await refusedOne();
    const { status, body } = await post(`/${id}/retry`, {
      payload: { email: 'b@example.com', projectId: LIVE },
    });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.outcome, body.settlement, body.result.action, body.contactId],
      ['refused', 'retried', 'created', body.result.contactId],
    );
    assert.match(body.payload, new RegExp(NOWHERE));
    assert.deepEqual(await emailsOf(developer), ['b@example.com']);
    const again = await post(`/${id}/retry`, { payload: { email: 'other@example.com' } });
    assert.deepEqual(again.body, body);
    assert.deepEqual((await get(`?open=true`)).body.data, []);
    assert.deepEqual(await emailsOf(developer), ['b@example.com']);
  });

  test('leaves a lead that is refused again open, with its new problem', async () => {
    const { developer, post, id } = await refusedOne();
    const same = await post(`/${id}/retry`);
    assert.deepEqual(
      [same.status, same.body.problem.code, same.body.settledAt],
      [200, 'project_not_available', null],
    );
    const { body } = await post(`/${id}/retry`, { payload: { email: 'nobody' } });
    assert.deepEqual([body.problem.code, body.settledAt], ['invalid_request', null]);
    assert.deepEqual(await emailsOf(developer), []);
  });

  for (const other of ['retry', 'dismiss'])
    test(`imports nothing when another person's ${other} settles the lead meanwhile`, async () => {
      const { developer, accountId, post, id } = await refusedOne();
      const [own, theirs] = ['own@example.com', 'theirs@example.com'];
      const retry = (email: string) => post(`/${id}/retry`, { payload: { email } });
      const { sent } = await whileEmailsLocked(service.db, accountId, [own], async () => {
        const retrying = retry(own);
        await someoneWaits(service.db);
        await (other === 'retry' ? retry(theirs) : post(`/${id}/dismiss`, {}));
        return { sent: retrying };
      });
      const { body } = await sent;
      assert.equal(body.settlement, other === 'retry' ? 'retried' : 'dismissed');
      assert.deepEqual(await emailsOf(developer), other === 'retry' ? [theirs] : []);
    });

  test('imports one lead when two people retry it with different emails at the same time', async () => {
    const { developer, accountId, post, id } = await refusedOne();
    const { sent } = await runInTransaction(service.db, async (tx) => {
      const text = 'select from account_revisions where account_id = $1 for update';
      await tx.query({ name: '', text, values: [accountId] });
      const emails = ['own@example.com', 'theirs@example.com'];
      const retries = emails.map((email) => post(`/${id}/retry`, { payload: { email } }));
      await someoneWaits(service.db, 2);
      return { sent: Promise.all(retries) };
    });
    const [own, theirs] = await sent;
    assert.deepEqual(own?.body, theirs?.body);
    assert.deepEqual(await emailsOf(developer), [own?.body.result.email]);
  });

  test('leaves a lead dismissed that another person dismisses while its retry fails', async (t) => {
    const own = await build(t);
    const { accountId, post, get, id } = await refusedOne(own);
    await run(own.db, `alter table contacts add check (company_name <> 'poison')`);
    const { sent } = await runInTransaction(own.db, async (tx) => {
      const text = 'select from account_revisions where account_id = $1 for update';
      await tx.query({ name: '', text, values: [accountId] });
      const payload = { email: 'b@example.com', companyName: 'poison' };
      const retrying = post(`/${id}/retry`, { payload });
      await someoneWaits(own.db);
      const dismissing = post(`/${id}/dismiss`, {});
      await someoneWaits(own.db, 2);
      return { sent: Promise.all([retrying, dismissing]) };
    });
    const [, dismissed] = await sent;
    assert.equal(dismissed.body.settlement, 'dismissed');
    assert.equal((await get(`/${id}`)).body.settlement, 'dismissed');
    assert.deepEqual((await get('?open=true')).body.data, []);
  });

  test('answers 409 when what was received is not kept, and takes the lead in its place', async () => {
    const { post, id, accountId } = await refusedOne();
    await run(service.db, 'update imports set payload = null where account_id = $1', [accountId]);
    const refused = await post(`/${id}/retry`);
    assertProblem(refused, 'invalid_transition', `${IMPORTS}/${id}/retry`);
    assert.equal(refused.body.title, 'The action is not possible in this state');
    const { body } = await post(`/${id}/retry`, { payload: { email: 'b@example.com' } });
    assert.equal(body.settlement, 'retried');
  });

  test('answers 400 to a field that it does not know', async () => {
    const { post, id } = await refusedOne();
    for (const payload of [{ lead: {} }, { payload: 'x' }, { payload: null }])
      assertProblem(
        await post(`/${id}/retry`, payload),
        'invalid_request',
        `${IMPORTS}/${id}/retry`,
      );
  });
});

describe('POST /imports/:id/dismiss', () => {
  test('settles a refused lead without importing it, with the reason', async () => {
    const { developer, get, post, id } = await refusedOne();
    const { status, body } = await post(`/${id}/dismiss`, { reason: 'A test.' });
    assert.deepEqual([status, body.settlement], [200, 'dismissed']);
    assert.deepEqual((await get('?open=true')).body.data, []);
    const { dismissal } = (await get(`/${id}`)).body;
    assert.equal(dismissal.reason, 'A test.');
    assert.deepEqual(
      [dismissal.actor.type, Object.keys(dismissal.actor)],
      ['key', ['type', 'id', 'name']],
    );
    assert.deepEqual((await post(`/${id}/dismiss`)).body, body);
    assert.equal((await post(`/${id}/retry`)).body.settlement, 'dismissed');
    assert.deepEqual(await emailsOf(developer), []);
  });
});

describe('many imports at once', () => {
  test('are retried, each on its own, and the others stay open', async () => {
    const { developer, get, post, send } = await manager();
    const later = '0196c000-0000-7000-8000-000000000001';
    for (const n of [1, 2]) await send({ email: `${n}@example.com`, assignedAccountUserId: later });
    await send({ email: 'nobody' });
    await service.load({
      format: 'offplan-account/1',
      account: { slug: developer.slug },
      users: [{ id: later, email: 'later@example.com', name: 'Later', active: true }],
    });
    const { status, body } = await post('/retry', { open: true });
    assert.equal(status, 200);
    assert.deepEqual(body.summary, { created: 2, merged: 0, refused: 1 });
    assert.equal(body.more, false);
    assert.deepEqual(
      body.results.map(
        ({ outcome, problem }: { outcome: string; problem: { code: string } | null }) => [
          outcome,
          problem?.code,
        ],
      ),
      [
        ['created', undefined],
        ['created', undefined],
        ['refused', 'invalid_request'],
      ],
    );
    assert.equal((await get('?open=true')).body.data.length, 1);
    assert.deepEqual(await emailsOf(developer), ['1@example.com', '2@example.com']);
  });

  test('are dismissed by id or by code', async () => {
    const { get, post, send } = await manager();
    await send({ email: 'nobody' });
    for (const n of [1, 2]) await send(refusedLead(`${n}@example.com`));
    const byCode = await post('/dismiss', { open: true, code: 'invalid_request' });
    assert.deepEqual(byCode.body, { summary: { dismissed: 1 }, more: false });
    const { body } = await get('?open=true&limit=1');
    const other = await refusedOne();
    const ids = [body.data[0].id, other.id, 'x', NOWHERE];
    assert.deepEqual((await post('/dismiss', { ids })).body.summary, { dismissed: 1 });
    assert.equal((await get('?open=true')).body.data.length, 1);
    assert.equal((await other.get('?open=true')).body.data.length, 1);
  });

  test('are dismissed up to 1,000 in a request, which says whether there are more', async () => {
    const { developer, post, send } = await manager();
    const contacts = Array.from({ length: 1_000 }, () => ({ email: 'nobody' }));
    const url = '/api/v1/contacts/batch';
    await service.send({ method: 'POST', url, key: developer.key, payload: { contacts } });
    await send({ email: 'nobody' });
    for (const expected of [
      { summary: { dismissed: 1_000 }, more: true },
      { summary: { dismissed: 1 }, more: false },
    ])
      assert.deepEqual((await post('/dismiss', { open: true })).body, expected);
  });

  test('are dismissed while others settle some of them in another order', async () => {
    const { accountId, get, post, send } = await manager();
    for (const n of [1, 2]) await send(refusedLead(`${n}@example.com`));
    const { body } = await get('?open=true');
    const [newer, older] = body.data.map(({ id }: { id: string }) => id);
    const { sent } = await runInTransaction(service.db, async (tx) => {
      const lock = (id: string) =>
        tx.query({
          name: '',
          text: 'select from imports where account_id = $1 and id = $2 for update',
          values: [accountId, id],
        });
      // PostgreSQL ends the transaction that looks for a deadlock first: the dismissal, which then runs again.
      await tx.query({ name: '', text: "set local deadlock_timeout = '60s'", values: [] });
      await lock(newer);
      const dismissing = post('/dismiss', { open: true });
      await someoneWaits(service.db);
      await lock(older);
      return { sent: dismissing };
    });
    assert.deepEqual((await sent).body.summary, { dismissed: 2 });
  });

  test('are 400 without ids and without open', async () => {
    const { post } = await manager();
    for (const path of ['/retry', '/dismiss'])
      for (const payload of [
        {},
        { ids: [] },
        { open: false },
        { code: 'invalid_request' },
        { open: true, code: 'a\0b' },
      ])
        assertProblem(await post(path, payload), 'invalid_request', `${IMPORTS}${path}`);
    assert.equal((await post('/retry', { open: false })).body.detail, 'open must be true.');
  });

  test('are 400 with both ids and open, and stay open', async () => {
    const { get, post, send } = await manager();
    await send({ email: 'nobody' });
    const { body } = await get('?open=true');
    for (const path of ['/retry', '/dismiss']) {
      const answer = await post(path, { ids: [body.data[0].id], open: true });
      const { errors } = assertProblem(answer, 'invalid_request', `${IMPORTS}${path}`);
      assert.deepEqual(errors, [{ pointer: '/ids', detail: 'Send either ids or open.' }]);
    }
    assert.equal((await get('?open=true')).body.data.length, 1);
  });
});
