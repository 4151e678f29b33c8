import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { developersOf, LIVE, UNIT, USER } from './support/developer.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);

/** A developer with these contacts, and what a client with all scopes reads. */
async function readerOf(contacts: object[]) {
  const developer = await makeDeveloper(contacts);
  const key = await service.key(developer.slug, 'all');
  const ask = (path: string, headers = {}) => service.send({ url: `/api/v1${path}`, key, headers });
  async function list(query = '') {
    const { status, body, text } = await ask(`/contacts?limit=100&${query}`);
    assert.equal(status, 200, text);
    return body as { data: ListedContact[]; pagination: Record<string, unknown> };
  }
  const emails = async (query = '') => (await list(query)).data.map(({ email }) => email);
  return { ...developer, key, ask, list, emails };
}

interface ListedContact extends Record<string, unknown> {
  id: string;
  email: string;
  name: string | null;
  tags: { id: string; label: string }[];
  createdAt: string;
  updatedAt: string;
  lastActivityAt: string;
}

describe('GET /contacts/:id', () => {
  test('shows every field, the tags, the links and the times', async () => {
    const { post, ask } = await readerOf([]);
    const sent = {
      email: 'aroha@example.com',
      firstName: 'Aroha',
      lastName: 'Ngata',
      budget: 850_000,
      tags: ['Hot'],
      notes: 'Called.',
      projectId: LIVE,
      unitId: UNIT,
      assignedAccountUserId: USER,
    };
    const { body: made } = await post(sent);
    const { body, headers } = await ask(`/contacts/${made.contactId}`);
    const { tags, links, importedAt, updatedAt, etag, ...shown } = body;
    assert.equal(headers['etag'], etag);
    assert.match(etag, /^"\d+"$/);
    assert.deepEqual(tags, [{ id: tags[0].id, label: 'Hot' }]);
    assert.deepEqual(
      links.map(({ projectId, unitId }: Record<string, string>) => [projectId, unitId]),
      [[LIVE, UNIT]],
    );
    assert.match(links[0].createdAt, /^\d{4}-.*Z$/);
    assert.ok(updatedAt >= importedAt);
    const empty = Object.fromEntries(
      (
        'phone mobilePhone companyName notes buyerType referredBy addressLine1 addressLine2 cityName regionName ' +
        'suburbName postalCode country stateOrProvince archivedAt'
      )
        .split(' ')
        .map((field) => [field, null]),
    );
    assert.deepEqual(shown, {
      ...empty,
      id: made.contactId,
      email: 'aroha@example.com',
      firstName: 'Aroha',
      lastName: 'Ngata',
      name: 'Aroha Ngata',
      source: 'Other',
      sourceExternalOriginalName: 'API Import',
      budget: 850_000,
      stage: 'New',
      assignedAccountUserId: USER,
      createdAt: importedAt,
      lastActivityAt: importedAt,
    });
  });

  test('answers 304 to the ETag of the contact until the contact changes', async () => {
    const { post, ask } = await readerOf([]);
    const { body } = await post({ email: 'aroha@example.com' });
    const path = `/contacts/${body.contactId}`;
    const etag = String((await ask(path)).headers['etag']);
    const same = await ask(path, { 'if-none-match': etag });
    assert.deepEqual([same.status, same.text, same.headers['etag']], [304, '', etag]);
    for (const change of [{ phone: '021 555 0123' }, { tag: 'Hot' }, { projectId: LIVE }]) {
      await post({ email: 'aroha@example.com', ...change });
      const { status } = await ask(path, { 'if-none-match': etag });
      assert.equal(status, 200);
    }
  });

  test('shows the latest activities, and who changed each field last, when they are asked for', async () => {
    const { post, ask, key } = await readerOf([]);
    const { body } = await post({
      email: 'aroha@example.com',
      phone: '021 555 0123',
      notes: 'One',
    });
    await post({ email: 'aroha@example.com', companyName: 'Tūī Homes', notes: 'Two' });
    const path = `/contacts/${body.contactId}`;
    const { body: shown, headers } = await ask(`${path}?include=activities,provenance`);
    assert.deepEqual(
      shown.activities.map((each: { body: string }) => each.body),
      ['Two', 'One'],
    );
    const { phone, companyName, notes } = shown.provenance;
    assert.ok(phone.at < companyName.at);
    assert.deepEqual([phone.actor.type, phone.actor.name, notes], ['key', 'test', undefined]);
    const changed = await service.send({
      method: 'PATCH',
      url: `/api/v1${path}`,
      key,
      headers: { 'content-type': 'application/json' },
      payload: { phone: null, stage: 'Lost' },
    });
    assert.equal(changed.status, 200, changed.text);
    const emptied = (await ask(`${path}?include=provenance`)).body.provenance.phone;
    assert.ok(emptied.at > companyName.at);
    const again = await ask(`${path}?include=activities`, {
      'if-none-match': String(headers['etag']),
    });
    assert.deepEqual([again.status, again.body.provenance], [200, undefined]);
    for (const [query, rule] of [
      ['include=tags', 'include must be activities or provenance.'],
      ['include=activities&include=provenance', 'include may be sent only once.'],
      ['colour=red', 'colour is not a parameter here; use include.'],
    ]) {
      const problem = assertProblem(
        await ask(`${path}?${query}`),
        'invalid_request',
        `/api/v1/contacts/${body.contactId}`,
      );
      assert.equal(problem.detail, rule);
    }
  });

  test('answers 404 to an id that is unknown, or no UUID', async () => {
    const { ask } = await readerOf([]);
    for (const id of ['x', '0196a24b-34ec-7db6-924f-03249bebad2b'])
      assertProblem(await ask(`/contacts/${id}`), 'contact_not_found', `/api/v1/contacts/${id}`);
  });
});

describe('GET /contacts', () => {
  test('lists active contacts, the newest first, with their links when they are asked for', async () => {
    const { list, ask } = await readerOf([
      { email: 'a@x.nz', createdAt: '2026-01-01T00:00:00Z', links: [{ projectId: LIVE }] },
      { email: 'b@x.nz', createdAt: '2026-02-01T00:00:00Z', tags: ['Hot'] },
      { email: 'c@x.nz', archivedAt: '2026-03-01T00:00:00Z' },
    ]);
    const { data, pagination } = await list('count=true');
    assert.deepEqual(
      data.map(({ email, tags, links }) => [email, tags.map(({ label }) => label), links]),
      [
        ['b@x.nz', ['Hot'], undefined],
        ['a@x.nz', [], undefined],
      ],
    );
    assert.deepEqual([pagination['totalCount'], pagination['totalCountIsExact']], [2, true]);
    const { body } = await ask('/contacts?include=links');
    assert.deepEqual(
      body.data.map(({ links }: { links: object[] }) => links.length),
      [0, 1],
    );
  });

  test('finds contacts by their ids, with the other filters', async () => {
    const { list } = await readerOf([
      { email: 'a@x.nz', stage: 'New' },
      { email: 'b@x.nz', stage: 'Lost' },
      { email: 'c@x.nz', stage: 'Lost' },
      { email: 'old@x.nz', archivedAt: '2026-10-01T00:00:00.000Z' },
    ]);
    const other = await readerOf([{ email: 'a@x.nz' }]);
    const all = [...(await list('archived=any')).data, ...(await other.list('')).data];
    const ids = all.map(({ id, email }) => (email === 'c@x.nz' ? LIVE : id)).join();
    const find = async (query: string) =>
      (await list(`${query}&sort=name`)).data.map(({ email }) => email).toSorted();
    assert.deepEqual(await find(`contact=${ids},x,none`), ['a@x.nz', 'b@x.nz']);
    assert.deepEqual(await find(`contact=${ids}&archived=any`), ['a@x.nz', 'b@x.nz', 'old@x.nz']);
    assert.deepEqual(await find(`contact=${ids}&stage=Lost`), ['b@x.nz']);
    assert.deepEqual(await find('contact=none'), []);
    assert.equal((await list(`contact=${ids}&count=true`)).pagination['totalCount'], 2);
  });

  test('names each parameter that is wrong', async () => {
    const { ask } = await readerOf([]);
    const refused: [query: string, parameter: string][] = [
      ['stage=Sold', 'stage'],
      ['stage=', 'stage'],
      ['stage=,', 'stage'],
      ['stage=Sold,Won', 'stage'],
      ['stage=New&stage=Lost', 'stage'],
      ['archived=yes', 'archived'],
      ['hasPhone=1', 'hasPhone'],
      [`contact=${Array.from({ length: 101 }, () => LIVE).join()}`, 'contact'],
      ['createdAfter=yesterday', 'createdAfter'],
      ['q=a', 'q'],
      [`q=${'a'.repeat(201)}`, 'q'],
      ['sort=email', 'sort'],
      ['limit=0', 'limit'],
      ['count=1', 'count'],
      ['include=tags', 'include'],
      ['colour=red', 'colour'],
    ];
    for (const [query, parameter] of refused) {
      const problem = assertProblem(
        await ask(`/contacts?${query}`),
        'invalid_request',
        '/api/v1/contacts',
      );
      assert.deepEqual(
        problem.errors?.map((fault) => fault.parameter),
        [parameter],
        query,
      );
      if (parameter === 'colour') assert.match(problem.detail, /use q, .*, count, include\.$/);
    }
  });

  test('refuses a cursor of another sort or filter, or one that was changed', async () => {
    const { ask } = await readerOf([{ email: 'a@x.nz' }, { email: 'b@x.nz' }]);
    const { body } = await ask('/contacts?limit=1');
    const cursor: string = body.pagination.nextCursor;
    const [mark, , id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const forge = (value: unknown) =>
      Buffer.from(JSON.stringify([mark, value, id])).toString('base64url');
    const queries = [
      `sort=name&cursor=${cursor}`,
      `stage=New&cursor=${cursor}`,
      `archived=any&cursor=${cursor}`,
      'cursor=x',
      ...['soon', 7, null, '\0'].map((value) => `cursor=${forge(value)}`),
    ];
    for (const query of queries)
      assertProblem(await ask(`/contacts?limit=1&${query}`), 'cursor_invalid', '/api/v1/contacts');
    assert.equal((await ask(`/contacts?limit=1&cursor=${cursor}`)).body.data.length, 1);
  });

  test('refuses a cursor with a time that it never writes, as other lists do', async () => {
    const contacts = ['a@x.nz', 'b@x.nz'].map((email) => {
      const activities = [{ type: 'note', body: 'x', occurredAt: '2026-01-01T00:00:00Z' }];
      return { email, activities };
    });
    const { ask } = await readerOf(contacts);
    const read = async (path: string) => {
      const { headers, body } = await ask(path);
      return body.pagination.nextCursor ?? /cursor=([^&>]+)/.exec(String(headers['link']))?.[1];
    };
    for (const path of [
      '/contacts?limit=1',
      '/activities?limit=1',
      '/stock/projects?limit=1',
      '/stock/units?sort=updatedAt&limit=1',
      '/stocklist?limit=1&cursor=start',
    ]) {
      const [mark, , id] = JSON.parse(Buffer.from(await read(path), 'base64url').toString());
      const list = path.replace('&cursor=start', '');
      for (const time of ['0000-01-01T00:00:00.000Z', '2026-01-01T00:00:00,5Z']) {
        const forged = Buffer.from(JSON.stringify([mark, time, id])).toString('base64url');
        const answer = await ask(`${list}&cursor=${forged}`);
        assertProblem(answer, 'cursor_invalid', `/api/v1${list.split('?')[0]}`);
      }
    }
  });

  test('takes a cursor also when a default is written out or left out on the next page', async () => {
    const { ask } = await readerOf([{ email: 'a@x.nz' }, { email: 'b@x.nz' }]);
    for (const [first, next] of [
      ['', '&archived=false&sort=-createdAt'],
      ['&archived=false&sort=-createdAt', ''],
    ]) {
      const { body } = await ask(`/contacts?limit=1${first}`);
      const answer = await ask(`/contacts?limit=1&cursor=${body.pagination.nextCursor}${next}`);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.data.length, 1);
    }
  });

  test('an id that is no UUID, or of nothing, is an unknown one: nothing has it', async () => {
    const { emails } = await readerOf([{ email: 'a@x.nz' }]);
    for (const name of ['tag', 'assignedTo', 'project', 'unit'])
      for (const id of ['x', '0196a24b-34ec-7db6-924f-03249bebad2b'])
        assert.deepEqual(await emails(`${name}=${id}`), [], `${name}=${id}`);
  });
});

describe('q', () => {
  const JANE = {
    email: 'jane.smith@example.co.nz',
    name: "Jane O'Neil",
    companyName: 'Müller & Söhne Ltd',
    phone: '+64 (0)21 123 4567',
    mobilePhone: '09 555-1234',
  };
  const OTHER = { email: 'rangi@hapu.example', firstName: 'Rangi', lastName: 'Whangārei' };
  const reader = readerOf([JANE, OTHER]);

  for (const q of [
    'jane',
    'JAN',
    "o'neil",
    'O’Ne',
    'neil',
    'smith',
    'jane.smith@example.co.nz',
    'smith@example',
    'example.co.nz',
    'muller',
    'MÜLLER',
    'sohne jane',
    'ja sm lt',
    '+64 21 123 4567',
    '+642112',
    '0064 21 123',
    '64211234567',
    '021 123 4567',
    '0211234567',
    '(021) 123-45',
    '211234567',
    '09 555 1234',
    '+64 9 555 1234',
    '6495551234',
    '95551234',
    'jane 021123',
  ])
    test(`"${q}" finds Jane alone`, async () => {
      const { emails } = await reader;
      assert.deepEqual(await emails(`q=${encodeURIComponent(q)}`), [JANE.email]);
    });

  test('finds a name without its marks', async () => {
    const { emails } = await reader;
    assert.deepEqual(await emails('q=whangarei'), [OTHER.email]);
    assert.deepEqual(await emails('q=whang%C4%81rei%20rangi'), [OTHER.email]);
  });

  test('finds a name and a company with several numbers by these, in any order', async () => {
    const { emails } = await readerOf([
      { email: 'homes@x.nz', companyName: '24 7 Homes', phone: '021 123 4567' },
      { email: 'trust@x.nz', name: '12 14 12A Queen Street Trust' },
      { email: 'other@x.nz', name: '24 Hours', phone: '12 14' },
    ]);
    for (const [q, found] of Object.entries({
      '24 7': ['homes@x.nz'],
      '7 24': ['homes@x.nz'],
      '24 7 homes': ['homes@x.nz'],
      '12 12 14 queen': ['trust@x.nz'],
      '24 8': [],
      '021 123': ['homes@x.nz'],
    }))
      assert.deepEqual(await emails(`q=${encodeURIComponent(q)}`), found, q);
  });

  test('finds a name whether its apostrophe is written or not', async () => {
    const { emails } = await readerOf([
      { email: 'with@x.nz', name: 'Sinéad O’Rourke' },
      { email: 'without@x.nz', name: 'Liam ORourke' },
      { email: 'other@x.nz', name: 'Mele Oro' },
    ]);
    const found = async (q: string) => (await emails(`q=${encodeURIComponent(q)}`)).toSorted();
    for (const q of ['orourke', "O'Rourke", 'o’rourke', 'orou'])
      assert.deepEqual(await found(q), ['with@x.nz', 'without@x.nz'], q);
    assert.deepEqual(await found('rourke'), ['with@x.nz']);
    assert.deepEqual(await found('oroux'), []);
  });

  for (const q of ['ane', 'jane rangi', '1234567', '+6121', '--', '%%', '__', 'smith_', 'j%25'])
    test(`"${q}" finds nobody`, async () => {
      const { emails } = await reader;
      const found = await emails(`q=${encodeURIComponent(q)}`);
      assert.deepEqual(found, q === 'smith_' ? [JANE.email] : []);
    });

  test('finds a contact as soon as its import is answered, and by its new values', async () => {
    const { post, emails } = await readerOf([]);
    await post({ email: 'new@x.nz' });
    await post({ email: 'new@x.nz', companyName: 'Tūī Homes' });
    assert.deepEqual(await emails('q=tui'), ['new@x.nz']);
  });
});

describe('lastActivityAt', () => {
  test('is that of the latest activity that is not in the future, or else createdAt', async () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    const note = (occurredAt: string) => ({ type: 'note', body: occurredAt, occurredAt });
    const { list } = await readerOf([
      { email: 'none@x.nz', createdAt },
      { email: 'old@x.nz', createdAt, activities: [note('2025-05-05T00:00:00Z')] },
      {
        email: 'later@x.nz',
        createdAt,
        activities: [
          note('2026-05-05T00:00:00Z'),
          note('2026-04-04T00:00:00Z'),
          note('2999-01-01T00:00:00Z'),
        ],
      },
    ]);
    const { data } = await list('sort=lastActivityAt');
    assert.deepEqual(
      data.map(({ email, lastActivityAt }) => [email, lastActivityAt]),
      [
        ['old@x.nz', '2025-05-05T00:00:00.000Z'],
        ['none@x.nz', createdAt],
        ['later@x.nz', '2026-05-05T00:00:00.000Z'],
      ],
    );
  });

  test('follows a note that an import adds', async () => {
    const { post, list } = await readerOf([{ email: 'a@x.nz', createdAt: '2026-01-01T00:00:00Z' }]);
    const before = new Date().toISOString();
    await post({ email: 'a@x.nz', notes: 'Called.' });
    const [contact] = (await list()).data;
    assert.ok(String(contact?.lastActivityAt) >= before);
  });
});

test('createdAt of a contact that has none is the time of its id', async () => {
  const { list } = await readerOf([
    { id: '0196a24b-34ec-7db6-924f-03249bebad2b', email: 'a@x.nz', createdAt: null },
    { id: '8c5d3c5e-0c53-4a6d-9f0f-6a3a7a1f7a11', email: 'b@x.nz' },
  ]);
  const of = new Map((await list()).data.map(({ email, createdAt }) => [email, createdAt]));
  assert.equal(of.get('a@x.nz'), new Date(0x0196a24b34ec).toISOString());
  assert.ok(Date.now() - Date.parse(of.get('b@x.nz') ?? '') < 60_000);
});

test('updatedAt is unique, and increases with each change', async () => {
  const { post, list } = await readerOf([]);
  for (const email of ['a@x.nz', 'b@x.nz', 'c@x.nz', 'a@x.nz']) await post({ email, tag: email });
  const first = (await list('sort=updatedAt')).data;
  assert.equal(new Set(first.map(({ updatedAt }) => updatedAt)).size, 3);
  await post({ email: 'a@x.nz', tag: 'again' });
  const since = first.at(-1)?.updatedAt;
  const changed = (await list(`sort=updatedAt&updated_since=${since}`)).data;
  assert.deepEqual(
    changed.map(({ email }) => email),
    ['a@x.nz'],
  );
});

describe('a walk along the pages', () => {
  test('skips and repeats nothing while others write', async () => {
    const old = Array.from({ length: 60 }, (_, n) => ({
      email: `old-${n}@x.nz`,
      name: n % 7 === 0 ? null : `Name ${n % 5}`,
      createdAt: new Date(1_700_000_000_000 + (n % 11) * 1000).toISOString(),
    }));
    const { ask, post } = await readerOf(old);
    for (const sort of ['-createdAt', 'createdAt', 'name', '-name']) {
      const seen: string[] = [];
      let cursor = '';
      for (let page = 0; ; page += 1) {
        const { body } = await ask(`/contacts?limit=7&sort=${sort}${cursor}`);
        seen.push(...body.data.map(({ email }: ListedContact) => email));
        if (!body.pagination.hasNextPage) break;
        cursor = `&cursor=${body.pagination.nextCursor}`;
        await post({ email: `new-${sort}-${page}@x.nz`, name: 'Name 2' });
        await post({ email: `old-${page}@x.nz`, phone: '021 555 0123', tag: sort });
      }
      const walked = seen.filter((email) => email.startsWith('old'));
      assert.equal(walked.length, 60, sort);
      assert.equal(new Set(seen).size, seen.length, sort);
    }
  });
});
