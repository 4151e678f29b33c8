import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pino from 'pino';
import { makeAccount, makeKey, makeStock } from '../../bench/data.ts';
import type { Scope } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import { clearStockClockCache } from '../../src/accounts/index.ts';
import {
  openPool,
  openPools,
  REQUEST_TIMEOUTS,
  type Pool,
} from '../../src/platform/database/index.ts';
import type { Server } from '../../src/platform/http/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { isCitus } from '../support/databases.ts';
import {
  developerFile,
  DRAFT,
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  UNIT,
  USER,
} from '../support/developer.ts';
import { growAccount } from '../support/grown-account.ts';
import { createDatabase, databaseUrl, SETTINGS, type Cleaner } from '../support/harness.ts';
import { BATCH, idempotencyKey, SINGLE } from '../support/imports.ts';
import { instance } from '../support/instances.ts';
import { buildApp } from '../support/internals.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { changeProject, relateProjects, type Account } from '../support/stock.ts';

/*
 * PostgreSQL keeps the plan of a prepared statement for as long as its connection lives, so a plan that was made on a
 * small table meets a grown one. Here one connection serves every kind of request again and again while the tables grow.
 * The tests count the rows that each request reads, also for checks of foreign keys, and look at the kept plan of each
 * statement that the service has prepared.
 */

/** How many rows of each table are added to the account before a round of requests. */
const SIZES = [0, 2_000];

/** No request reads more of a table: a page is 100 projects with their units. */
const READ_MAX = 500;

/** The index has all that the filters compare, so a deep or filtered page reads the entries before its own there. */
const mayReadAll = (what: string, table: string): boolean =>
  table === 'projects' && what.startsWith('GET /api/v1/stocklist');

// The history of migrations grows with releases only, and an account has at most a hundred webhooks.
const BOUNDED = new Set(['schema_migrations', 'webhooks']);

/** Options of tests that read plans or counts of rows. On a Citus, `one-shard.ts` checks the statements. */
const OF_COUNTS = { skip: isCitus() && 'the plans and the counts of rows are on the workers' };

describe('no request reads more of a table as it grows', OF_COUNTS, () => {
  for (const [tables, refresh] of [
    ['of which PostgreSQL has no statistics', async () => undefined],
    ['of which it has statistics', (db: Pool) => run(db, 'analyze')],
  ] as const)
    test(`with plans made on small and large tables ${tables}`, async (t) => {
      const { findLargeReads, grow, service } = await youngAccount(t);
      const offences: string[] = [];
      for (const size of SIZES) {
        await grow(size);
        // With the plans that were made before it grew, and with those that are made now.
        offences.push(...(await findLargeReads(`grown-to-${size}`)));
        await refresh(service);
        await run(service, 'discard plans');
        offences.push(
          ...(await findLargeReads(`planned-at-${size}`)),
          ...(await findBadPlans(service)),
        );
      }
      assert.deepEqual([...new Set(offences)], []);
    });
});

/**
 * The tags of requests that are not tried here. An account has few people, keys, webhooks, tags, views and files of contacts: a list reads them
 * all, and each other statement on them is by id or hash. The lists of contacts, pictures and deliveries are planned for their values, each
 * time: the bench has them. An export reads all rows, and figures those of a span of days.
 */
const OF_FEW = new Set([
  'People',
  'Keys',
  'Webhooks',
  'Settings',
  'Contacts',
  'Activities',
  'Tags',
  'Exports',
  'Views',
  'Figures',
  'Pictures',
  'Contact files',
]);

test('these requests are of every kind that the OpenAPI document has', async (t) => {
  const { db, service, account } = await youngAccount(t);
  const app = await instance(t, service);
  const rounds = await askAll(app, { db, service, account, round: 'grown-to-0' });
  const { paths } = (await app.inject('/api/v1/openapi.json')).json<{
    paths: Record<string, Record<string, { tags: string[] }>>;
  }>();
  const missed = Object.entries(paths).flatMap(([path, methods]) => {
    const isOfFew = (tag: string) => OF_FEW.has(tag);
    if (Object.values(methods).some(({ tags }) => tags.some(isOfFew))) return [];
    const pattern = RegExp(`^/api/v1${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`);
    const isSent = (method: string) =>
      rounds.some((sent) => sent.method === method.toUpperCase() && pattern.test(sent.url));
    return Object.keys(methods).flatMap((method) => (isSent(method) ? [] : [`${method} ${path}`]));
  });
  assert.deepEqual(missed, []);
});

test(
  'a page of units by project reads few of the 3,000 units that each project has',
  OF_COUNTS,
  async (t) => {
    const db = await createDatabase(t);
    const account = await makeAccount(db, 'large');
    await makeStock(db, account, { projects: 3, units: 3_000, images: 0 });
    const service = openPool(await databaseUrl(db), () => undefined, { max: 1 });
    t.after(() => service.end());
    const app = await instance(t, service);
    const headers = { authorization: `Bearer ${await makeKey(db, account, ['projects:read'])}` };
    const entries: number[] = [];
    for (const sort of ['project', '-project'])
      for (let [page, cursor] = [0, '']; page < 10; page += 1) {
        await flush(db);
        const before = await countersOf(service);
        const url = `/api/v1/stock/units?limit=400&sort=${sort}${cursor}`;
        const answer = (await app.inject({ url, headers })).json<{
          data: object[];
          pagination: { nextCursor: string };
        }>();
        assert.equal(answer.data.length, 400);
        const reads = between(before, await countersOf(service));
        entries.push(reads.find(({ table }) => table === 'units')?.entries ?? 0);
        cursor = `&cursor=${answer.pagination.nextCursor}`;
      }
    // The page and the row after it in the walk of one or two projects, and then each unit by its id.
    assert.deepEqual(
      entries.filter((each) => each > 401 * 3),
      [],
    );
  },
);

/** A tenth of these contacts has the tag and the unit of the filters. */
const LOADED = 2_000;
const isChosen = (_: unknown, n: number) => n % 10 === 0;
const emails = Array.from({ length: LOADED }, (_, n) => `contact-${n}@example.com`);

describe('after a load, PostgreSQL has statistics for lists of contacts', OF_COUNTS, () => {
  test('of an account file', async (t) => {
    const service = await loadedService(t);
    const contacts = emails.map((email, n) => {
      const tags = Array.from({ length: 5 }, (__, k) => `Tag ${(n + 20 * k) % 100}`);
      const links = isChosen(email, n) ? [{ projectId: LIVE, unitId: UNIT }] : [];
      return { email, tags: [...tags, ...(isChosen(email, n) ? ['Chosen'] : [])], links };
    });
    await loadAccount(service.db, developerFile(service.slug, contacts));
    await assertFewReads(service);
  });

  test('of a contact file', async (t) => {
    const service = await loadedService(t);
    await loadAccount(service.db, developerFile(service.slug));
    const { send } = await service.client(['contacts:manage', 'contacts:write']);
    const importLines = async (lines: string[], set: object) => {
      const upload = await send('POST', '/contact-files?name=a.csv', `email\n${lines.join('\n')}`);
      const path = `/contact-files/${upload.id}`;
      const reaches = (status: string) =>
        until(async () => (await send('GET', path)).status === status);
      await reaches('ready');
      await send('POST', `${path}/start`, { set });
      await reaches('completed');
    };
    await importLines(emails.filter(isChosen), { tags: ['Chosen'], projectId: LIVE });
    await importLines(emails, { tags: ['All'], source: 'Website' });
    await assertFewReads(service);
  });
});

/** A service with all its pools, for an account that is still to be loaded. */
async function loadedService(t: Cleaner) {
  const slug = 'developer';
  const db = await createDatabase(t);
  const { lookups, lists, end } = openPools(
    await databaseUrl(db),
    () => undefined,
    REQUEST_TIMEOUTS,
  );
  t.after(end);
  const logger = pino({ level: 'silent' });
  const app = await buildApp({ config: SETTINGS, db: lookups, lists, logger });
  t.after(() => app.close());

  async function client(scopes: Scope[]) {
    const accountId = await accountIdOf(db, { slug });
    const key = await issueKey(db, accountId, { name: 'client', scopes });
    const send = async (method: 'GET' | 'POST', path: string, payload?: object | string) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(typeof payload === 'string' && { 'content-type': 'text/csv' }),
      };
      const url = `/api/v1${path}`;
      const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
      assert.ok(answer.statusCode < 300, answer.payload);
      return answer.headers['content-type']?.includes('json') ? answer.json() : undefined;
    };
    return { send };
  }

  /** Counts the rows that a request reads. */
  async function countReads(send: () => Promise<unknown>): Promise<Counters[]> {
    const counters = async () => {
      await flush(lookups);
      return countersOf(lists);
    };
    const before = await counters();
    await send();
    return between(before, await counters());
  }
  return { slug, db, client, countReads };
}

/** Asserts that no list compares each contact with each tag or link. */
async function assertFewReads({ client, countReads }: Awaited<ReturnType<typeof loadedService>>) {
  const { send } = await client(['contacts:read', 'contacts:manage', 'contacts:export']);
  const { data } = await send('GET', '/tags?q=chosen');
  assert.equal(data[0].contactCount, LOADED / 10);
  const filters = { tag: data[0].id, project: LIVE, unit: UNIT };
  const requests = Object.entries(filters).flatMap(([name, id]) => [
    [`/contacts?count=true&${name}=${id}`],
    [`/contacts?sort=name&${name}=${id}`],
    [`/contacts?sort=-lastActivityAt&${name}=${id},none`],
    [`/exports/contacts?${name}=${id}`],
    ['/contacts/bulk?dryRun=true', { filter: { [name]: [id] }, set: { stage: 'Lost' } }],
  ]) as [path: string, body?: object][];
  const many: string[] = [];
  for (const [path, body] of [['/tags?limit=100'] as [string], ...requests]) {
    const reads = await countReads(() => send(body === undefined ? 'GET' : 'POST', path, body));
    for (const { table, entries } of reads)
      if (entries > 10 * LOADED)
        many.push(`${path} ${JSON.stringify(body ?? '')} read ${entries} of ${table}`);
  }
  assert.deepEqual(many, []);
}

type Send = (what: string, requests: Request | Request[], status: number) => Promise<void>;

interface Request {
  url: string;
  key?: string;
  headers?: Record<string, string>;
  /** The body of a POST, or of the method. Without it the request is a GET. */
  payload?: object | string;
  method?: 'PATCH' | 'PUT' | 'DELETE';
}

/** An account with little in it, on a service with a single connection. */
async function youngAccount(t: Cleaner) {
  const db = await createDatabase(t);
  const slug = 'developer';
  await loadAccount(db, developerFile(slug));
  const account = { id: await accountIdOf(db, { slug }), slug };
  await relateProjects(db, account, LIVE, [OTHER_LIVE]);
  const service = openPool(await databaseUrl(db), () => undefined, { max: 1 });
  t.after(() => service.end());
  let grown = 0;
  return {
    db,
    service,
    account,
    grow: async (size: number) => {
      if (size > grown) await growAccount(db, account, grown, size);
      grown = size;
    },
    findLargeReads: async (round: string) => {
      const app = await instance(t, service);
      return findLargeReads(round, await askAll(app, { db, service, account, round }));
    },
  };
}

/** Sends every kind of request once, to an instance with empty caches. Returns the reads of each. */
async function askAll(
  app: Server,
  { db, service, account, round }: { db: Pool; service: Pool; account: Account; round: string },
): Promise<Reads[]> {
  const issue = (access: 'read' | 'read-write') =>
    issueKey(db, account.id, { name: round, access });
  const reader = await issue('read');
  const key = await issue('read-write');
  const all: Reads[] = [];
  let before = await counters();

  // The other connection reports its reads first, so that they are not counted as the next request's.
  async function counters(): Promise<Counters[]> {
    await flush(db);
    return countersOf(service);
  }
  const isFirst = round === 'grown-to-0';

  const send: Send = async (what, requests, status) => {
    await Promise.all([requests].flat().map((request) => expectStatus(app, request, status)));
    const now = await counters();
    const [first = { url: '' }] = [requests].flat();
    const { url } = first;
    const method = methodOf(first);
    all.push({ what, method, url, reads: between(before, now) });
    before = now;
  };
  const get = (path: string, status = 200) =>
    send(`GET ${path}`, { url: path, key: reader }, status);
  const post = (
    what: string,
    payload: object | string,
    status: number,
    more: Partial<Request> = {},
  ) => send(`POST ${what}`, { url: SINGLE, key, payload, ...more }, status);

  await get('/readyz');
  await get('/api/v1/stocklist');
  for (const query of STOCKLIST_QUERIES) await get(`/api/v1/stocklist?${query}`);
  await changeProject(db, account, LIVE, { name: round });
  clearStockClockCache(service);
  before = await counters();
  await get('/api/v1/stocklist');
  await get('/api/v1/stocklist?page=0', 400);
  await get('/api/v1/projects/harbourlight');
  await get('/api/v1/projects/nowhere', 404);

  const email = (name: string) => `${name}-${round}@example.com`;
  const everything = {
    email: email('new'),
    notes: `A note, ${round}`,
    tag: 'Hot',
    tags: [`New in ${round}`],
    projectId: LIVE,
    unitId: UNIT,
    assignedAccountUserId: USER,
  };
  await post('a new contact', everything, 201);
  await post('a merge', { ...everything, notes: 'Another', tags: [`Newer in ${round}`] }, 200);
  await post('a merge with an old contact', { ...everything, email: OLD }, isFirst ? 201 : 200);
  await post('a lead for a project', { email: email('project'), projectId: OTHER_LIVE }, 201);
  await post('an email alone', { email: email('alone') }, 201);
  await post('a lead with an unknown email', { ...everything, email: email('unknown') }, 201);
  const emails = Array.from({ length: 20 }, (_, n) => email(`unknown-${n}`));
  const allNew = { contacts: emails.map((each) => ({ ...everything, email: each })) };
  await post('a batch with unknown emails', allNew, 200, { url: BATCH });

  const once = { headers: idempotencyKey(round) };
  await post('a named lead', { email: email('once') }, 201, once);
  await post('its repeat', { email: email('once') }, 201, once);
  await post('its name for another lead', { email: email('other') }, 422, once);
  await run(db, 'update idempotency_keys set status = null, body = null where key = $1', [round]);
  before = await counters();
  await post('its repeat after a crash', { email: email('once') }, 200, once);

  const dryRun = { url: `${SINGLE}?dryRun=true` };
  await post('a dry run', { ...everything, email: email('dry') }, 201, dryRun);
  await post('a dry run of a merge', everything, 200, dryRun);

  const contacts = [
    ...Array.from({ length: 20 }, (_, n) => ({ ...everything, email: email(`batch-${n}`) })),
    { ...everything, notes: 'A third' },
    { email: 'none' },
    { email: email('nowhere'), projectId: NOWHERE },
  ];
  await post('a batch', { contacts }, 200, { url: BATCH });
  await post('a dry run of a batch', { contacts }, 200, { url: `${BATCH}?dryRun=true` });
  await post('a named batch', { contacts }, 200, {
    url: BATCH,
    headers: idempotencyKey(`batch ${round}`),
  });

  await post('no email', { email: '' }, 400);
  await post('no JSON', '{', 400);
  await post('a draft', { email: email('draft'), projectId: DRAFT, unitId: UNIT }, 422);
  await post('no user', { email: email('user'), assignedAccountUserId: NOWHERE }, 422);
  await post('no name', { email: email('unnamed') }, 400, { headers: idempotencyKey(' ') });
  await post('with a key that may read', everything, 403, { key: reader });
  await post('with an unknown key', everything, 401, { key: `${key.slice(0, -1)}_` });

  const manager = await issueKey(db, account.id, { name: round, scopes: ['contacts:manage'] });
  const manage = (what: string, path: string, payload?: object) => {
    const request = { url: `/api/v1/imports${path}`, key: manager, ...(payload && { payload }) };
    return send(what, request, 200);
  };
  await manage('GET the import log', '?limit=2');
  await manage('GET open imports', '?open=true&limit=2');
  const open = await app.inject({
    url: '/api/v1/imports?open=true&limit=3',
    headers: { authorization: `Bearer ${manager}` },
  });
  before = await counters();
  const [one, other, third] = open.json<{ data: { id: string }[] }>().data.map(({ id }) => id);
  await manage('GET an import', `/${one}`);
  await manage('POST a retry', `/${one}/retry`, {});
  await manage('POST a dismissal', `/${other}/dismiss`, {});
  await manage('POST retries', '/retry', { ids: [one] });
  await manage('POST dismissals', '/dismiss', { ids: [third] });

  const editor = await issueKey(db, account.id, { name: round, scopes: ['projects:write'] });
  const edit = (what: string, path: string, more: Partial<Request> = {}, status = 200) =>
    send(what, { url: `/api/v1/stock/projects${path}`, key: editor, ...more }, status);
  for (const query of PROJECT_QUERIES) await edit('GET projects', `?${query}`);
  await edit('GET a project', `/${LIVE}`);
  await edit('GET the changes of a project', `/${LIVE}/changes`);
  const relatedProjectIds = isFirst ? [DRAFT] : [OTHER_LIVE, DRAFT];
  const changed = { name: `Edited ${round}`, slug: `edited-${round}`, relatedProjectIds };
  await edit('PATCH a project', `/${LIVE}`, { method: 'PATCH', payload: changed });
  await edit('PATCH its slug', `/${LIVE}`, {
    method: 'PATCH',
    payload: { slug: 'harbourlight' },
  });
  for (const verb of ['archive', 'unpublish', 'publish'])
    await edit(`POST ${verb}`, `/${LIVE}/${verb}`, { payload: {} });
  const draft = { slug: `draft-${round}`, name: 'Draft' };
  await edit(
    'POST a project',
    '',
    { payload: draft, headers: idempotencyKey(`draft ${round}`) },
    201,
  );
  const made = await run(db, 'select id from projects where account_id = $1 and slug = $2', [
    account.id,
    draft.slug,
  ]);
  before = await counters();
  const draftPath = `/${String(made.rows[0]?.['id'])}`;
  await edit('DELETE a project', draftPath, { method: 'DELETE' }, 204);

  const scopes: Scope[] = ['events:read', 'audit:read', 'contacts:read'];
  const follower = await issueKey(db, account.id, { name: round, scopes });
  const follow = (what: string, path: string) =>
    send(what, { url: `/api/v1${path}`, key: follower }, 200);
  await follow('GET events', '/events?limit=2');
  await follow('GET events with what they happened to', '/events?limit=20&include=object');
  await follow('GET the head of the events', '/events/head');
  const latest = await app.inject({
    url: '/api/v1/changes?limit=1',
    headers: { authorization: `Bearer ${follower}` },
  });
  const events = await app.inject({
    url: '/api/v1/events?limit=1',
    headers: { authorization: `Bearer ${follower}` },
  });
  const { rows } = await run(db, 'select id from contacts where account_id = $1 limit 1', [
    account.id,
  ]);
  before = await counters();
  await follow('GET an event', `/events/${events.json<{ data: { id: string }[] }>().data[0]?.id}`);
  await follow('GET changes', '/changes?limit=2');
  const { subject } = latest.json<{ data: { subject: string }[] }>().data[0] ?? {};
  await follow('GET changes of a row', `/changes?limit=2&subject=${subject}`);
  await follow('GET changes of a contact', `/contacts/${rows[0]?.['id']}/changes?limit=2`);

  const seller = await issueKey(db, account.id, { name: round, scopes: ['projects:write'] });
  before = await counters();
  const sell = (what: string, path: string, more: Partial<Request> = {}, status = 200) =>
    send(what, { url: `/api/v1/stock${path}`, key: seller, ...more }, status);
  await sell('GET units', '/units?sort=position');
  await sell('GET units by project', '/units?sort=project');
  const byProject = await app.inject({
    url: '/api/v1/stock/units?sort=-project',
    headers: { authorization: `Bearer ${seller}` },
  });
  before = await counters();
  const { nextCursor } = byProject.json<{ pagination: { nextCursor: string } }>().pagination;
  if (nextCursor !== null)
    await sell('GET the next units by project', `/units?sort=-project&cursor=${nextCursor}`);
  await sell('GET units of a project', `/projects/${LIVE}/units`);
  await sell('GET a unit', `/units/${UNIT}`);
  await sell('GET changes of a unit', `/units/${UNIT}/changes`);
  const unit = { name: round, status: 'Available' };
  await sell('POST a unit', `/projects/${OTHER_LIVE}/units`, { payload: unit }, 201);
  await sell('PATCH a unit', `/units/${UNIT}`, { method: 'PATCH', payload: { aspect: round } });
  const set = { currency: round };
  await sell('POST a batch of units', '/units/batch', { payload: { ids: [UNIT], set } });
  await sell('GET a price list', `/projects/${LIVE}/price-list.csv`);
  const priceList = `unitId,aspect\n${UNIT},prices of ${round}\n`;
  await sell('PUT a price list', `/projects/${LIVE}/price-list.csv`, {
    method: 'PUT',
    payload: priceList,
    headers: { 'content-type': 'text/csv' },
  });
  const ofProject = await app.inject({
    url: `/api/v1/stock/projects/${OTHER_LIVE}/units`,
    headers: { authorization: `Bearer ${seller}` },
  });
  before = await counters();
  const unitIds = ofProject.json<{ data: { id: string }[] }>().data.map(({ id }) => id);
  const order = { method: 'PUT', payload: { unitIds: unitIds.toReversed() } } as const;
  await sell('PUT units in order', `/projects/${OTHER_LIVE}/units/order`, order, 204);
  await sell('DELETE a unit', `/units/${unitIds.at(-1)}`, { method: 'DELETE' }, 204);

  // One transaction imports them together.
  const names = Array.from({ length: 20 }, (_, n) => `many-${n}-${round}`);
  const lead = (name: string): Request => ({
    url: SINGLE,
    key,
    headers: idempotencyKey(name),
    payload: { ...everything, email: email(name) },
  });
  await send('POST many named leads at once', names.map(lead), 201);
  return all;
}

const PROJECT_QUERIES = ['', 'sort=updatedAt&limit=100', 'sort=name', 'sort=-name&limit=2'];

const STOCKLIST_QUERIES = [
  'region=wellington',
  'city=wellington',
  'suburb=te+aro',
  'status=available',
  'updated_since=2026-01-01T00:00:01Z',
  'page=2&limit=100',
  'page=15&limit=100',
  'region=wellington&city=wellington&suburb=te+aro&status=available&updated_since=2026-01-01T00:00:01Z&page=2',
];

/** The email of a contact that every round merges with, and that has many activities. */
const OLD = 'old@example.com';

const methodOf = ({ method, payload }: Request) =>
  method ?? (payload === undefined ? 'GET' : 'POST');

async function expectStatus(app: Server, request: Request, status: number): Promise<void> {
  const { url, key, headers, payload } = request;
  const response = await app.inject({
    url,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    method: methodOf(request),
    ...(payload !== undefined && { payload }),
  });
  assert.equal(response.statusCode, status, `${url} ${response.payload}`);
}

// Counting reads ------------------------------------------------------------

interface Counters {
  table: string;
  /** Whole readings of the table. */
  scans: number;
  /** Rows and entries of indexes that were read. */
  entries: number;
}

interface Reads {
  what: string;
  method: string;
  url: string;
  reads: Counters[];
}

// A connection reports its counts after a while, or at the end of a statement that asks for it.
const flush = (db: Pool) => run(db, 'select pg_stat_force_next_flush()');

/** Counts the reads since the database was made. */
async function countersOf(db: Pool): Promise<Counters[]> {
  await flush(db);
  const { rows } = await run(
    db,
    `select relname as table, seq_scan::int as scans, (seq_tup_read + (
        select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes as i where i.relid = t.relid
      ))::int as entries
      from pg_stat_user_tables as t order by relname`,
  );
  return rows as Counters[];
}

function between(before: Counters[], after: Counters[]): Counters[] {
  return after.map(({ table, scans, entries }, index) => ({
    table,
    scans: scans - (before[index]?.scans ?? 0),
    entries: entries - (before[index]?.entries ?? 0),
  }));
}

/** The tables of which too much was read, each with the request that read the most. */
function findLargeReads(round: string, all: Reads[]): string[] {
  const worst = new Map<string, string>();
  const many = all.flatMap(({ what, reads }) =>
    reads.filter((each) => isMany(what, each)).map((each) => ({ what, ...each })),
  );
  for (const { what, table, scans, entries } of many.toSorted((a, b) => b.entries - a.entries))
    if (!worst.has(table))
      worst.set(table, `${round}: ${what} read ${entries} of ${table}, ${scans} times all of it`);
  return [...worst.values()];
}

const isMany = (what: string, { table, scans, entries }: Counters): boolean =>
  !BOUNDED.has(table) && (scans > 0 || (entries > READ_MAX && !mayReadAll(what, table)));

// Looking at plans ------------------------------------------------------------

interface Prepared {
  name: string;
  parameters: number;
}

/** The statements that a service's connection has sent. */
async function preparedOf(service: Pool): Promise<Prepared[]> {
  const { rows } = await run(
    service,
    `select name, cardinality(parameter_types) as parameters from pg_prepared_statements order by name`,
  );
  return rows as unknown as Prepared[];
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Finds plans that read a table without an index, or by an index of which only the account is bound. */
async function findBadPlans(service: Pool): Promise<string[]> {
  const indexes = await indexesOf(service);
  const offences: string[] = [];
  for (const { name, parameters } of await preparedOf(service)) {
    const nodes = nodesOf(await readPlan(service, name, parameters));
    const bad = nodes.filter((node) => readsTooMuch(node, indexes));
    offences.push(...bad.map((node) => `${name}: ${describeNode(node)}`));
  }
  return offences;
}

const describeNode = (node: Node): string =>
  [
    node['Node Type'],
    node['Relation Name'],
    node['Index Name'],
    node['Index Cond'],
    node.Filter && `filter ${node.Filter}`,
  ]
    .filter((each) => each !== undefined)
    .join(' ');

/** Reads the plan that a service's connection has for a statement. */
async function readPlan(service: Pool, name: string, parameters: number): Promise<Node> {
  const nulls = Array.from({ length: parameters }, () => 'null').join();
  const { rows } = await run(
    service,
    `explain (format json, costs off) execute ${name}${nulls && `(${nulls})`}`,
  );
  const [row] = rows as { 'QUERY PLAN': { Plan: Node }[] }[];
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  assert(plan);
  return plan;
}

interface Index {
  table: string;
  columns: string[];
}

async function indexesOf(db: Pool): Promise<Map<string, Index>> {
  const { rows } = await run(
    db,
    `select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table,
        array(select attname::text from pg_attribute where attrelid = i.indexrelid order by attnum) as columns
      from pg_index i join pg_stat_user_tables t on t.relid = i.indrelid`,
  );
  return new Map((rows as (Index & { name: string })[]).map(({ name, ...index }) => [name, index]));
}

function readsTooMuch(node: Node, indexes: Map<string, Index>): boolean {
  if (node['Node Type'] === 'Seq Scan') return !BOUNDED.has(node['Relation Name'] ?? '');
  const index = indexes.get(node['Index Name'] ?? '');
  if (index === undefined || BOUNDED.has(index.table)) return false;
  const { columns } = index;
  const bound = boundBy(node['Index Cond'] ?? '');
  const first = columns.slice(0, bound.size);
  const isKey = first.every((each) => bound.has(each)) && bound.has('account_id');
  if (!isKey) return true;
  return bound.size < Math.min(2, columns.length);
}

/** The columns that an index's condition compares with something. */
function boundBy(condition: string): Set<string> {
  const matches = condition.matchAll(/\((?:\w+\.)?(\w+) (?:=|<|>)/g);
  return new Set(Array.from(matches, ([, column]) => column ?? ''));
}
