import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, describe, test } from 'node:test';
import { issueKey, listKeys, revokeKey } from '../src/keys/index.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { LOOK_UP_CACHED_MS, passTime } from './support/clock.ts';
import { developersOf, LIVE, OTHER_LIVE, UNIT, USER, type Developer } from './support/developer.ts';
import { build } from './support/harness.ts';
import { someoneWaits } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';
import { until } from './support/until.ts';

const service = await build({ after });
const { db } = service;
await service.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = service.app.server.address() as AddressInfo;
const makeDeveloper = developersOf(service);

const CONTACTS = '/exports/contacts';
const ACTIVITIES = '/exports/activities';

/** A program that exports and lists the contacts of an account. */
async function readerOf(mine: Developer) {
  const accountId = await accountIdOf(db, mine);
  const key = await issueKey(db, accountId, {
    name: 'exports',
    scopes: ['contacts:export', 'contacts:read'],
  });
  const ask = (path: string) => service.send({ url: `/api/v1${path}`, key });

  async function rows(path: string): Promise<object[]> {
    const { status, text: file } = await ask(path);
    assert.equal(status, 200, file);
    const lines = file.split('\n');
    assert.equal(lines.pop(), '');
    const read = lines.map((line): unknown => JSON.parse(line)) as object[];
    assert.deepEqual(read.pop(), { rows: read.length });
    return read;
  }

  /** All pages of a list, one after the other. */
  async function list(path: string): Promise<object[]> {
    const found: object[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await ask(`${path}&limit=2${cursor && `&cursor=${cursor}`}`);
      found.push(...body.data);
      cursor = body.pagination.nextCursor;
    }
    return found;
  }

  return { accountId, key, ask, rows, list };
}

/** Opens an export over a socket. Nothing of its body is read yet. */
async function open(key: string, path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` };
  const sent = get({ host: '127.0.0.1', port, path: `/api/v1${path}`, agent: false, headers });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

const IN_TRANSACTION = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
  and backend_type = 'client backend' and xact_start is not null`;

/** How many exports are not at their end. */
async function countRunning(): Promise<number> {
  return (await run(db, `select ${IN_TRANSACTION}`)).rows.length;
}

/** A developer whose contact has more notes than the buffers of a connection hold. */
const talkative = await makeDeveloper([
  {
    email: 'a@example.com',
    activities: Array.from({ length: 500 }, () => ({
      type: 'note',
      body: 'x'.repeat(60_000),
      occurredAt: '2026-01-01T00:00:00Z',
    })),
  },
]);

const SAMPLES = [
  {
    email: 'aroha@example.com',
    name: 'Aroha Ngata',
    phone: '+64 21 555 0123',
    tags: ['Hot', 'Spring'],
    budget: -5,
    createdAt: '2026-01-01T00:00:00Z',
    links: [{ projectId: LIVE, unitId: UNIT }, { projectId: OTHER_LIVE }],
  },
  {
    email: 'hana@example.com',
    name: '=HYPERLINK("https://example.com")',
    companyName: '＝1+1',
    notes: 'Lot 1,\n"the corner"',
    stage: 'Lost',
    createdAt: '2026-02-01T00:00:00Z',
    assignedAccountUserId: USER,
  },
  { email: 'rewi@example.com', createdAt: '2026-03-01T00:00:00Z' },
  { email: 'old@example.com', name: 'Mele', archivedAt: '2026-03-01T00:00:00Z' },
];

describe('GET /exports/contacts', () => {
  test('has the rows of the list, by each filter and in each order, and counts them at the end', async () => {
    const { rows, list } = await readerOf(await makeDeveloper(SAMPLES));
    const queries = [
      '',
      ...['createdAt', '-createdAt', 'updatedAt', '-lastActivityAt', 'name', '-name'].map(
        (sort) => `sort=${sort}`,
      ),
      'archived=any&sort=name',
      'stage=Lost,none',
      'q=aro',
      `project=${LIVE}`,
      'project=none&sort=-name',
      `assignedTo=${USER},none`,
      'tag=none',
      'hasPhone=true',
      'createdAfter=2026-01-15T00:00:00%2B13:00',
      'updated_since=2027-01-01T00:00:00Z',
      'stage=Settled',
    ];
    for (const query of queries)
      assert.deepEqual(
        await rows(`${CONTACTS}?format=ndjson&${query}`),
        await list(`/contacts?${query}`),
        query,
      );
  });

  test('as CSV has a column for each member, names of people, projects and units, labels of tags, and no formula but phones', async () => {
    const { ask, list } = await readerOf(await makeDeveloper(SAMPLES));
    const { status, headers, text: file } = await ask(`${CONTACTS}?sort=createdAt`);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(
      String(headers['content-disposition']),
      /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [first, second, third] = (await list('/contacts?sort=createdAt')) as Record<
      string,
      string
    >[];
    const names = Object.keys(first ?? {}).flatMap((name) => [
      name,
      ...(name === 'assignedAccountUserId' ? ['assignedTo'] : []),
      ...(name === 'tags' ? ['interestedIn'] : []),
    ]);
    const line = (cells: Record<string, string>) =>
      names.map((name) => cells[name] ?? '').join(',');
    const own = (row: Record<string, string> | undefined) => ({
      ...row,
      etag: '"""1"""',
    });
    assert.equal(
      file,
      [
        `\uFEFF${names.join(',')}`,
        line({
          ...own(first),
          tags: '"Hot, Spring"',
          interestedIn: '"harbourlight, 1A; kauri-rise"',
          budget: '-5',
        }),
        line({
          ...own(second),
          name: `"'=HYPERLINK(""https://example.com"")"`,
          companyName: "'＝1+1",
          notes: '"Lot 1,\n""the corner"""',
          assignedTo: 'Hana',
          tags: '',
        }),
        line({ ...own(third), tags: '' }),
        '',
      ].join('\n'),
    );
  });

  test('of nothing is the names of the columns, or a count of 0', async () => {
    const { ask } = await readerOf(await makeDeveloper());
    assert.match((await ask(CONTACTS)).text, /^\uFEFFid,email,.*,etag\n$/);
    assert.equal((await ask(`${CONTACTS}?format=ndjson`)).text, '{"rows":0}\n');
  });

  test('names each parameter that is wrong, those of pages among them', async () => {
    const { ask } = await readerOf(await makeDeveloper());
    for (const [query, parameter] of [
      ['format=xlsx', 'format'],
      ['format=', 'format'],
      ['format=csv&format=ndjson', 'format'],
      ['stage=Sold', 'stage'],
      ['sort=email', 'sort'],
      ['limit=20', 'limit'],
      ['cursor=x', 'cursor'],
      ['count=true', 'count'],
      ['include=links', 'include'],
    ]) {
      const problem = assertProblem(
        await ask(`${CONTACTS}?${query}`),
        'invalid_request',
        `/api/v1${CONTACTS}`,
      );
      assert.deepEqual(
        problem.errors?.map((fault) => fault.parameter),
        [parameter],
      );
    }
  });

  test('is all as it was at one moment, whatever changes meanwhile', async () => {
    const { accountId, ask } = await readerOf(await makeDeveloper(SAMPLES));
    const before = (await ask(`${CONTACTS}?format=ndjson`)).text;
    let exported: ReturnType<typeof ask> | undefined;
    await runInTransaction(db, async (writer) => {
      await run(writer, 'lock table contact_tags in access exclusive mode');
      exported = ask(`${CONTACTS}?format=ndjson`);
      await someoneWaits(db);
      await run(writer, `update contacts set name = 'Changed' where account_id = $1`, [accountId]);
      await run(writer, 'delete from contact_tags where account_id = $1', [accountId]);
    });
    assert.equal((await exported)?.text, before);
    assert.notEqual((await ask(`${CONTACTS}?format=ndjson`)).text, before);
  });

  test('answers a HEAD without a body, and ends the transaction', async () => {
    const { key } = await readerOf(talkative);
    const {
      status,
      headers,
      text: body,
    } = await service.send({
      method: 'HEAD',
      url: `/api/v1${ACTIVITIES}`,
      key,
    });
    assert.deepEqual([status, body], [200, '']);
    assert.match(String(headers['content-disposition']), /^attachment; filename="activities-/);
    await until(async () => (await countRunning()) === 0);
  });
});

describe('GET /exports/activities', () => {
  test('has the rows of the list, and as CSV one column for each part of the actor', async () => {
    const mine = await makeDeveloper([
      {
        email: 'aroha@example.com',
        activities: [
          { type: 'call', body: '-1 lot', occurredAt: '2026-01-01T00:00:00Z' },
          { type: 'note', body: 'Two\nlines', occurredAt: '2026-02-01T00:00:00Z' },
        ],
      },
    ]);
    await mine.post({ email: 'aroha@example.com', notes: 'From a website', phone: '021 555 0123' });
    await mine.post({ email: 'aroha@example.com', phone: '021 555 9999' });
    const { ask, rows, list } = await readerOf(mine);
    for (const query of ['', 'type=call,enquiry', 'updated_since=2026-01-15T00:00:00Z'])
      assert.deepEqual(
        await rows(`${ACTIVITIES}?format=ndjson&${query}`),
        await list(`/activities?${query}`),
      );
    const { text: file } = await ask(ACTIVITIES);
    const [head] = file.split('\n');
    assert.equal(
      head,
      '\uFEFFid,contactId,type,body,outcome,values,occurredAt,actor.type,actor.id,actor.name,createdAt,editedAt,etag',
    );
    assert.match(file, /,call,'-1 lot,,,2026-01-01T00:00:00\.000Z,system,,offplan,/);
    assert.match(file, /,note,"Two\nlines",,,/);
    assert.match(file, /,enquiry,[^,]*,,"\{""phone"":""021 555 9999""\}",/);
  });

  test('waits for a slow reader, and frees its place and connection when the reader leaves', async () => {
    const { key, ask } = await readerOf(talkative);
    const slow = [await open(key, ACTIVITIES), await open(key, `${ACTIVITIES}?format=ndjson`)];
    await until(async () => (await countRunning()) === 2);
    const refused = await ask(CONTACTS);
    assertProblem(refused, 'rate_limited', `/api/v1${CONTACTS}`);
    assert.match(refused.body.detail, /2 exports at once/);
    assert.match(String(refused.headers['retry-after']), /^\d+$/);
    const other = await readerOf(await makeDeveloper(SAMPLES));
    assert.equal((await other.ask(CONTACTS)).status, 200);
    slow[0]?.destroy();
    await until(async () => (await countRunning()) === 1);
    assert.equal((await ask(CONTACTS)).status, 200);
    const [, whole] = slow;
    const file = whole === undefined ? '' : await text(whole);
    assert.match(file, /\n\{"rows":500\}\n$/);
    await until(async () => (await countRunning()) === 0);
  });

  test('of a reader who leaves before the first row frees its place', async () => {
    const { key, ask } = await readerOf(await makeDeveloper(SAMPLES));
    await runInTransaction(db, async (writer) => {
      await run(writer, 'lock table contact_tags in access exclusive mode');
      const requests = [CONTACTS, CONTACTS].map((path) => {
        const headers = { authorization: `Bearer ${key}` };
        return get({ host: '127.0.0.1', port, path: `/api/v1${path}`, agent: false, headers });
      });
      await someoneWaits(db, 2);
      for (const request of requests) request.on('error', () => undefined).destroy();
      assert.equal((await ask(CONTACTS)).status, 429);
    });
    await until(async () => (await ask(CONTACTS)).status === 200);
    await until(async () => (await countRunning()) === 0);
  });

  test('is no error in the log when its reader leaves at any moment', async () => {
    const { key } = await readerOf(await makeDeveloper(SAMPLES));
    service.log.length = 0;
    for (let waitMs = 0; waitMs < 30; waitMs += 0.5) {
      const headers = { authorization: `Bearer ${key}` };
      const request = get({ host: '127.0.0.1', port, path: `/api/v1${CONTACTS}`, headers });
      request.on('error', () => undefined);
      await sleep(waitMs);
      request.destroy();
    }
    await until(async () => (await countRunning()) === 0);
    const lines = service.log.map((line): { level: number } => JSON.parse(line));
    assert.deepEqual(
      lines.filter(({ level }) => level >= 50),
      [],
    );
  });

  test('breaks the connection off when it fails, and says so in the log', async () => {
    const { key } = await readerOf(talkative);
    const response = await open(key, `${ACTIVITIES}?format=ndjson`);
    await until(async () => (await countRunning()) === 1);
    service.log.length = 0;
    await run(db, `select pg_terminate_backend(pid) ${IN_TRANSACTION}`);
    await assert.rejects(text(response), { code: 'ECONNRESET' });
    assert.equal(response.complete, false);
    const lines = () => service.log.map((line): Record<string, unknown> => JSON.parse(line));
    await until(() => lines().some(({ msg }) => msg === 'request'));
    assert.ok(lines().some(({ level, msg }) => level === 50 && msg === 'unavailable'));
    const line = lines().find(({ msg }) => msg === 'request');
    assert.deepEqual([line?.['status'], line?.['code']], [503, 'unavailable']);
  });

  test('breaks the connection off when it is not taken within an hour', async () => {
    const { key } = await readerOf(talkative);
    const response = await open(key, ACTIVITIES);
    await until(async () => (await countRunning()) === 1);
    passTime(60 * 60_000);
    await assert.rejects(text(response), { code: 'ECONNRESET' });
    await until(async () => (await countRunning()) === 0);
  });

  test('breaks the connection off when the key is revoked', async () => {
    const { accountId, key } = await readerOf(talkative);
    const response = await open(key, ACTIVITIES);
    await until(async () => (await countRunning()) === 1);
    const { id = '' } = (await listKeys(db, accountId)).at(-1) ?? {};
    await revokeKey(db, accountId, id);
    passTime(LOOK_UP_CACHED_MS);
    await assert.rejects(text(response), { code: 'ECONNRESET' });
    await until(async () => (await countRunning()) === 0);
  });
});

test('exports count against a limit of their own', async (t) => {
  const limited = await build(t, { exportsPerMinute: 1 });
  const { slug } = await developersOf(limited)();
  const key = await limited.key(slug, 'all');
  const url = `/api/v1${CONTACTS}`;
  const first = await limited.send({ url, key });
  assert.equal(first.headers['ratelimit-policy'], '"exports";q=1;w=60');
  assertProblem(await limited.send({ url, key }), 'rate_limited', url);
  assert.equal((await limited.send({ url: '/api/v1/contacts', key })).status, 200);
  const { body } = await limited.send({ url: '/api/v1/me', key });
  assert.equal(body.rateLimits.exports, 1);
});
