import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { SCOPES } from '../src/access/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { developersOf, USER } from './support/developer.ts';
import { build, type Answer } from './support/harness.ts';
import { addPerson, browser, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const { db } = service;
const makeDeveloper = developersOf(service);
const TAGS = '/api/v1/tags';
const SOURCES = '/api/v1/sources';

async function openAccount(contacts: object[] = []) {
  const mine = await makeDeveloper(contacts);
  const key = await service.key(mine.slug, 'all');
  const get = (url: string): Promise<Answer> => service.send({ url, key });
  const add = (label: unknown): Promise<Answer> =>
    service.send({ method: 'POST', url: TAGS, key, payload: { label } });
  return { ...mine, key, get, add, accountId: await accountIdOf(db, mine) };
}

const listed = ({ body }: Answer) =>
  body.data.map(({ label, contactCount }: { label: string; contactCount: number }) => [
    label,
    contactCount,
  ]);

describe('the tags', () => {
  test('are listed by label with their contacts, as the list of contacts counts them', async () => {
    const { get } = await openAccount([
      { email: 'a@example.com', tags: ['Zoo', 'Māori land'] },
      { email: 'b@example.com', tags: ['Zoo'] },
      { email: 'c@example.com', tags: ['Zoo', 'Beach'], archivedAt: '2026-01-01T00:00:00.000Z' },
    ]);
    const answer = await get(`${TAGS}?count=true`);
    assert.deepEqual(listed(answer), [
      ['Beach', 0],
      ['Māori land', 1],
      ['Zoo', 2],
    ]);
    assert.equal(answer.body.pagination.totalCount, 3);
    for (const { id, contactCount } of answer.body.data) {
      const { body } = await get(`/api/v1/contacts?tag=${id}&count=true`);
      assert.equal(body.pagination.totalCount, contactCount);
    }
    const page = await get(`${TAGS}?limit=2`);
    const next = `${TAGS}?limit=2&cursor=${page.body.pagination.nextCursor}`;
    assert.deepEqual(listed(await get(next)), [['Zoo', 2]]);
    for (const q of ['land', 'MAOR', 'and+ori'])
      assert.deepEqual(listed(await get(`${TAGS}?q=${q}`)), [['Māori land', 1]], q);
  });

  test('are made once without regard to case, and imports use them', async () => {
    const { get, add, post } = await openAccount();
    const answer = await add('  Investor   night ');
    assert.equal(answer.status, 201, answer.text);
    const { id, ...shown } = answer.body;
    assert.deepEqual(shown, { label: 'Investor night', contactCount: 0, etag: '"1"' });
    assert.equal(answer.headers['location'], `${TAGS}/${id}`);
    const read = await get(`${TAGS}/${id}`);
    assert.deepEqual([read.status, read.headers['etag'], read.body], [200, '"1"', answer.body]);
    assertProblem(await get(`${TAGS}/none`), 'tag_not_found', `${TAGS}/none`);
    assertProblem(await add('INVESTOR NIGHT'), 'label_taken', TAGS);
    await post({ email: 'a@example.com', tag: 'investor night' });
    assert.deepEqual(listed(await get(TAGS)), [['Investor night', 1]]);
    for (const label of ['', ' ', 'x'.repeat(101), 'a\0b', 1])
      assertProblem(await add(label), 'invalid_request', TAGS);
  });

  test('made by hand are at most 5,000', async () => {
    const { accountId, add } = await openAccount();
    await run(
      db,
      `insert into tags (account_id, id, label, label_key)
        select '${accountId}', gen_random_uuid(), n, n from generate_series(1, 5000) n`,
    );
    assertProblem(await add('one more'), 'limit_reached', TAGS);
  });
});

test('the sources are counted with their labels, the most first, without archived contacts', async () => {
  const { get, post } = await openAccount([
    { email: 'old@example.com', source: 'Agent', archivedAt: '2026-01-01T00:00:00.000Z' },
  ]);
  for (const [email, source] of Object.entries({ a: 'Billboard', b: 'Website', c: 'billboard' }))
    await post({ email: `${email}@example.com`, source });
  await post({ email: 'd@example.com', source: 'Website' });
  const { data } = (await get(SOURCES)).body;
  const counts = data.map(
    ({ source, label, contactCount }: Record<'source' | 'label' | 'contactCount', unknown>) => [
      source,
      label,
      contactCount,
    ],
  );
  assert.deepEqual(counts[0], ['Website', null, 2]);
  assert.equal(counts.length, 3);
  assert.ok(data.every((each: { firstAt: string; lastAt: string }) => each.firstAt <= each.lastAt));
});

test('an agent who sees only their own contacts counts no others', async () => {
  const { accountId } = await openAccount([
    { email: 'a@example.com', source: 'Website', tags: ['Hot'], assignedAccountUserId: USER },
    { email: 'b@example.com', source: 'Website', tags: ['Hot'] },
  ]);
  await run(db, `update accounts set agents_see = 'own' where account_id = '${accountId}'`);
  const other = await addPerson(service);
  await run(
    db,
    `insert into users (account_id, id, email, email_key, name, active, role, created_at, password)
      select '${accountId}', id, email, email_key, name, true, 'agent', now(), password
      from users where id = '${other.id}'`,
  );
  const send = browser(service, await openSession(service, { accountId, id: other.id }));
  assert.deepEqual(listed(await send({ url: TAGS })), [['Hot', 1]]);
  assert.equal((await send({ url: SOURCES })).body.data[0].contactCount, 1);
  const key = await issueKey(db, accountId, { name: 'x', scopes: [...SCOPES] });
  assert.deepEqual(listed(await service.send({ url: TAGS, key })), [['Hot', 2]]);
});
