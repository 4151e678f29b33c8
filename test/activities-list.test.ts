import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { accountIdOf } from './support/accounts.ts';
import { developersOf, LIVE } from './support/developer.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const CONTACT = '0196c000-0000-7000-8000-000000000001';
const OTHER = '0196c000-0000-7000-8000-000000000002';

const note = (body: string, occurredAt: string) => ({ type: 'note', body, occurredAt });

/** Makes a developer with two contacts and their notes, and functions that read them with all scopes. */
async function makeReader() {
  const developer = await makeDeveloper([
    {
      id: CONTACT,
      email: 'a@x.nz',
      activities: [note('first', '2026-01-01T00:00:00Z'), note('third', '2026-03-01T00:00:00Z')],
      links: [{ projectId: LIVE }],
    },
    { id: OTHER, email: 'b@x.nz', activities: [note('second', '2026-02-01T00:00:00Z')] },
  ]);
  const key = await service.key(developer.slug, 'all');
  const ask = (path: string) => service.send({ url: `/api/v1${path}`, key });
  async function bodies(path: string): Promise<string[]> {
    const { status, body, text } = await ask(path);
    assert.equal(status, 200, text);
    return body.data.map((each: { body: string }) => each.body);
  }
  return { ...developer, key, ask, bodies };
}

describe('GET /activities', () => {
  test('lists the activities with all contacts, the newest first, page by page', async () => {
    const { ask, bodies } = await makeReader();
    assert.deepEqual(await bodies('/activities'), ['third', 'second', 'first']);
    const { body } = await ask('/activities?limit=2&count=true');
    assert.equal(body.pagination.totalCount, 3);
    const { nextCursor } = body.pagination;
    assert.deepEqual(await bodies(`/activities?limit=2&cursor=${nextCursor}`), ['first']);
  });

  test('has fewer than the limit on a page of long notes, and each of them once; so has include=activities', async () => {
    const long = Array.from({ length: 9 }, (_, at) => `${at}${'x'.repeat(900_000)}`);
    const developer = await makeDeveloper([
      {
        id: CONTACT,
        email: 'a@x.nz',
        activities: long.map((body, at) => note(body, `2026-01-0${at + 1}T00:00:00Z`)),
      },
    ]);
    const key = await service.key(developer.slug, 'all');
    const pages: string[][] = [];
    for (let next = ''; pages.length < 9;) {
      const { body } = await service.send({ url: `/api/v1/activities?limit=9${next}`, key });
      pages.push(body.data.map((each: { body: string }) => each.body[0]));
      if (!body.pagination.hasNextPage) break;
      next = `&cursor=${body.pagination.nextCursor}`;
    }
    assert.deepEqual(pages, [['8', '7', '6', '5'], ['4', '3', '2', '1'], ['0']]);
    const url = `/api/v1/contacts/${CONTACT}?include=activities`;
    const { activities } = (await service.send({ url, key })).body;
    assert.equal(activities.length, 4);
  });

  test('shows an activity of a file as one of the system', async () => {
    const { ask } = await makeReader();
    const { body } = await ask(`/activities?contact=${OTHER}`);
    const [{ id, createdAt, ...shown }] = body.data;
    assert.deepEqual(shown, {
      contactId: OTHER,
      type: 'note',
      body: 'second',
      outcome: null,
      values: null,
      occurredAt: '2026-02-01T00:00:00.000Z',
      actor: { type: 'system', id: null, name: 'offplan' },
      editedAt: null,
      etag: '"1"',
    });
    assert.ok(Date.now() - Date.parse(createdAt) < 60_000, id);
  });

  test('filters by type, actor, contact, project and the time of the last edit', async () => {
    const { slug, bodies } = await makeReader();
    const before = new Date(Date.now() + 1).toISOString();
    assert.deepEqual(await bodies('/activities?type=call,viewing'), []);
    assert.deepEqual(await bodies('/activities?type=note,call'), ['third', 'second', 'first']);
    assert.deepEqual(await bodies(`/activities?contact=${CONTACT}`), ['third', 'first']);
    assert.deepEqual(await bodies(`/activities?project=${LIVE}`), ['third', 'first']);
    assert.deepEqual(await bodies(`/activities?actor=${CONTACT}`), []);
    assert.deepEqual(await bodies('/activities?contact=x'), []);
    assert.deepEqual(await bodies('/activities?updated_since=2026-01-01T00:00:00Z'), [
      'third',
      'second',
      'first',
    ]);
    assert.deepEqual(await bodies(`/activities?updated_since=${before}`), []);
    await run(
      service.db,
      `update activities set edited_at = now() + interval '1 second' where body = 'second'
        and account_id = $1`,
      [await accountIdOf(service.db, { slug })],
    );
    assert.deepEqual(await bodies(`/activities?updated_since=${before}`), ['second']);
  });

  test('names a parameter that is wrong', async () => {
    const { ask } = await makeReader();
    for (const query of ['type=fax', 'colour=red', 'sort=occurredAt', 'updated_since=x']) {
      const problem = assertProblem(
        await ask(`/activities?${query}`),
        'invalid_request',
        '/api/v1/activities',
      );
      assert.deepEqual(
        problem.errors?.map(({ parameter }) => parameter),
        [query.split('=')[0]],
      );
    }
  });
});

describe('GET /contacts/:id/activities', () => {
  test('lists the activities with one contact, and takes no filter of contacts', async () => {
    const { ask, bodies } = await makeReader();
    assert.deepEqual(await bodies(`/contacts/${CONTACT}/activities`), ['third', 'first']);
    assert.equal((await ask(`/contacts/${CONTACT}/activities?contact=${OTHER}`)).status, 400);
  });
});

describe('GET /contacts/duplicates', () => {
  test('lists each email that several contacts have, with these contacts, page by page', async () => {
    const developer = await makeDeveloper([
      { email: 'one@x.nz' },
      { email: 'Two@x.nz', name: 'A' },
      { email: 'two@x.nz', name: 'B', archivedAt: '2026-01-01T00:00:00Z' },
      { email: 'four@x.nz' },
      { email: 'four@x.nz' },
    ]);
    const key = await service.key(developer.slug, 'all');
    const ask = (query: string) =>
      service.send({ url: `/api/v1/contacts/duplicates?${query}`, key });
    const { body } = await ask('limit=1&count=true');
    const { pagination, data } = body;
    assert.deepEqual(
      [data.map(({ email }: { email: string }) => email), pagination.totalCount],
      [['four@x.nz'], 2],
    );
    const { body: next } = await ask(`limit=1&cursor=${pagination.nextCursor}`);
    assert.deepEqual(
      next.data.map((each: { email: string; contacts: { name: string; email: string }[] }) => [
        each.email,
        each.contacts.map(({ name, email }) => [name, email]),
      ]),
      [
        [
          'two@x.nz',
          [
            ['A', 'Two@x.nz'],
            ['B', 'two@x.nz'],
          ],
        ],
      ],
    );
    assert.equal(next.pagination.hasNextPage, false);
  });
});
