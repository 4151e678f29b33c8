import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { issueKey } from '../src/keys/index.ts';
import { findAccountBySlug, forgetStockClocks } from '../src/accounts/index.ts';
import {
  openPool,
  transaction,
  type Pool,
  type Queryable,
} from '../src/platform/database/index.ts';
import type { Server } from '../src/platform/http/index.ts';
import { loadAccount } from '../src/portability/index.ts';
import { developerFile, DRAFT, LIVE, NOWHERE, OTHER_LIVE, UNIT, USER } from './developer.ts';
import { createDatabase, databaseUrl, type Cleaner } from './harness.ts';
import { BATCH, named, SINGLE } from './imports.ts';
import { instance, run } from './instances.ts';
import { changeProject, relateProjects, type Account } from './stock.ts';

/*
 * PostgreSQL keeps the plan of a statement for as long as a connection lives, so that a plan made on a young table
 * meets a grown one. Here one connection serves every kind of request again and again while the tables grow: what it
 * reads is counted, also for the checks of foreign keys, and the plans that it keeps are looked at.
 */

/** How many rows of each table the account has, beside the few that it begins with. */
const SIZES = [0, 1_000, 4_000];

/** No more than that of a table is read for a request: a page is 100 projects with their units. */
const READ_MAX = 500;

/** What may be read in proportion to the account: by whom, of which table, and why. */
const WHOLE = [
  {
    statement: 'stock_index_read',
    table: 'projects',
    request: 'GET /api/v1/stocklist',
    why: 'the order of the stocklist is read once, kept, and brought up to date by what changes',
  },
];

// The history of migrations grows with releases alone.
const BOUNDED = new Set(['schema_migrations']);

/** Statements in the files of the service that only the command line sends. */
const UNSENT = [
  'account_find_by_slug',
  'account_hold',
  'account_insert',
  'account_list',
  'account_slug_take',
  'account_stock_clock_tick',
  'api_key_insert',
  'api_key_list',
  'api_key_revoke',
  'contact_activities_read',
  'contact_changes_write',
  'contact_email_key_find',
  'contact_keys_find',
  'contact_links_read',
  'contact_tags_read',
  'contacts_find',
  'contacts_page_read',
  'duplicates_list',
  'import_record_find',
  'import_record_ids_find',
  'imports_last_open_find',
  'imports_page',
  'labels_read',
  'linked_units_find',
  'merged_activities_move',
  'merged_contacts_delete',
  'merged_links_move',
  'merged_tags_move',
  'merging_contacts_find',
  'organization_read',
  'organization_update',
  'project_slugs_give_up',
  'projects_insert',
  'projects_read',
  'projects_update',
  'related_projects_delete',
  'related_projects_insert',
  'relations_read',
  'sweep_accounts',
  'sweep_idempotency_keys',
  'sweep_imports',
  'units_delete',
  'units_read',
  'units_write',
];

describe('no statement of a request reads more of a table as it grows', () => {
  for (const [tables, refresh] of [
    ['of which PostgreSQL has no statistics', async () => undefined],
    ['of which it has statistics', (db: Pool) => run(db, 'analyze')],
  ] as const)
    test(`with plans made on small and large tables ${tables}`, async (t) => {
      const { asked, grow, service } = await youngAccount(t);
      const offences: string[] = [];
      for (const size of SIZES) {
        await grow(size);
        // With the plans that were made before it grew, and with those that are made now.
        offences.push(...(await asked(`grown-to-${size}`)));
        await refresh(service);
        await run(service, 'discard plans');
        offences.push(...(await asked(`planned-at-${size}`)), ...(await plansByPart(service)));
      }
      assert.deepEqual([...new Set(offences)], []);
    });
});

test('these requests send every statement that a request can send', async (t) => {
  const { asked, service } = await youngAccount(t);
  await asked('grown-to-0');
  const sent = new Set((await preparedOf(service)).map(({ name }) => name));
  const unsent = statementsOf('src/app.ts').filter((name) => !sent.has(name));
  assert.deepEqual(unsent.toSorted(), UNSENT);
});

type Send = (what: string, request: Request, status: number) => Promise<void>;

interface Request {
  url: string;
  key?: string;
  headers?: Record<string, string>;
  /** What is posted; without it the request is a GET. */
  payload?: object | string;
}

/** An account with little in it, on a service with a single connection. */
async function youngAccount(t: Cleaner) {
  const db = await createDatabase(t);
  const slug = 'developer';
  await loadAccount(db, developerFile(slug));
  const account = { id: (await findAccountBySlug(db, slug)) ?? '', slug };
  await relateProjects(db, account, LIVE, [OTHER_LIVE]);
  const service = openPool(await databaseUrl(db), () => undefined, { max: 1 });
  t.after(() => service.end());
  let grown = 0;
  return {
    service,
    grow: async (size: number) => {
      if (size > grown) await grow(db, account, grown, size);
      grown = size;
    },
    asked: async (round: string) =>
      manyRead(round, await askAll(t, { db, service, account, round })),
  };
}

/** Sends every kind of request once, to an instance that knows no answer yet. Gives what each read. */
async function askAll(
  t: Cleaner,
  { db, service, account, round }: { db: Pool; service: Pool; account: Account; round: string },
): Promise<Reads[]> {
  const app = await instance(t, service);
  const issue = (access: 'read' | 'read-write') =>
    issueKey(db, account.id, { name: round, access });
  const reader = await issue('read');
  const key = await issue('read-write');
  const all: Reads[] = [];
  let before = await counters();

  // What was done on the other connection is told before it is taken for what a request did.
  async function counters(): Promise<Counters[]> {
    await flush(db);
    return countersOf(service);
  }
  const isFirst = round === 'grown-to-0';

  async function counted(what: string, work: () => Promise<void>): Promise<void> {
    await work();
    const now = await counters();
    all.push({ what, reads: between(before, now) });
    before = now;
  }
  const send: Send = (what, request, status) =>
    counted(what, () => expectStatus(app, request, status));
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
  forgetStockClocks(service);
  before = await counters();
  await counted('GET a page after a change', () =>
    expectStatus(app, { url: '/api/v1/stocklist', key }, 200),
  );
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
  await post('a newcomer', { ...everything, email: email('newcomer') }, 201);
  const newcomers = Array.from({ length: 20 }, (_, n) => email(`newcomer-${n}`));
  const allNew = { contacts: newcomers.map((each) => ({ ...everything, email: each })) };
  await post('a batch of newcomers', allNew, 200, { url: BATCH });

  const once = { headers: named(round) };
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
  await post('a named batch', { contacts }, 200, { url: BATCH, headers: named(`batch ${round}`) });

  await post('no email', { email: '' }, 400);
  await post('no JSON', '{', 400);
  await post('a draft', { email: email('draft'), projectId: DRAFT, unitId: UNIT }, 422);
  await post('no user', { email: email('user'), assignedAccountUserId: NOWHERE }, 422);
  await post('no name', { email: email('unnamed') }, 400, { headers: named(' ') });
  await post('with a key that may read', everything, 403, { key: reader });
  await post('with an unknown key', everything, 401, { key: `${key.slice(0, -1)}_` });

  // They wait for one connection together, and are imported together.
  await counted('POST many named leads at once', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `many-${n}-${round}`);
    const lead = (name: string): Request => ({
      url: SINGLE,
      key,
      headers: named(name),
      payload: { ...everything, email: email(name) },
    });
    await Promise.all(names.map((name) => expectStatus(app, lead(name), 201)));
  });
  return all;
}

const STOCKLIST_QUERIES = [
  'region=wellington',
  'city=wellington',
  'suburb=te+aro',
  'status=available',
  'updated_since=2026-01-01T00:00:01Z',
  'page=2&limit=100',
  'page=30&limit=100',
  'region=wellington&city=wellington&suburb=te+aro&status=available&updated_since=2026-01-01T00:00:01Z&page=2',
];

/** The contact that every round comes to, and that much has happened with. */
const OLD = 'old@example.com';

async function expectStatus(app: Server, request: Request, status: number): Promise<void> {
  const { url, key, headers, payload } = request;
  const response = await app.inject({
    url,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? { method: 'GET' } : { method: 'POST', payload }),
  });
  assert.equal(response.statusCode, status, `${url} ${response.payload}`);
}

// What is counted ------------------------------------------------------------

interface Counters {
  table: string;
  /** Whole readings of the table. */
  scans: number;
  /** Rows and entries of indexes that were read. */
  entries: number;
}

interface Reads {
  what: string;
  reads: Counters[];
}

// A connection tells at its leisure what it has counted, unless it is asked to when a statement ends.
const flush = (db: Pool) => run(db, 'select pg_stat_force_next_flush()');

/** What was read since the database was made. */
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
function manyRead(round: string, all: Reads[]): string[] {
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

const mayReadAll = (what: string, table: string): boolean =>
  WHOLE.some((each) => what.startsWith(each.request) && table === each.table);

// What is planned ------------------------------------------------------------

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

/** Each table is read by an index, of which the first columns are bound: the account's, and more unless that is all. */
async function plansByPart(service: Pool): Promise<string[]> {
  const indexes = await indexesOf(service);
  const offences: string[] = [];
  for (const { name, parameters } of await preparedOf(service)) {
    const nodes = nodesOf(await keptPlan(service, name, parameters));
    const bad = nodes.filter((node) => isByPart(node, name, indexes));
    offences.push(...bad.map((node) => `${name}: ${told(node)}`));
  }
  return offences;
}

const told = (node: Node): string =>
  [
    node['Node Type'],
    node['Relation Name'],
    node['Index Name'],
    node['Index Cond'],
    node.Filter && `filter ${node.Filter}`,
  ]
    .filter((each) => each !== undefined)
    .join(' ');

/** The plan that a service's connection keeps for a statement. */
async function keptPlan(service: Pool, name: string, parameters: number): Promise<Node> {
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

function isByPart(node: Node, statement: string, indexes: Map<string, Index>): boolean {
  if (node['Node Type'] === 'Seq Scan') return !BOUNDED.has(node['Relation Name'] ?? '');
  const index = indexes.get(node['Index Name'] ?? '');
  if (index === undefined || BOUNDED.has(index.table)) return false;
  const { table, columns } = index;
  const bound = boundBy(node['Index Cond'] ?? '');
  const first = columns.slice(0, bound.size);
  const isKey = first.every((each) => bound.has(each)) && bound.has('account_id');
  if (!isKey) return true;
  const mayAll = WHOLE.some((each) => each.statement === statement && each.table === table);
  return !mayAll && bound.size < Math.min(2, columns.length);
}

/** The columns that an index's condition compares with something. */
function boundBy(condition: string): Set<string> {
  return new Set(firstGroups(condition, /\((?:\w+\.)?(\w+) (?:=|<|>)/g));
}

// What is sent ---------------------------------------------------------------

/** The names of the statements in a source file and in all that it imports. */
function statementsOf(path: string): string[] {
  const seen = new Set<string>();

  function visit(url: URL): string[] {
    if (seen.has(url.href)) return [];
    seen.add(url.href);
    const text = readFileSync(url, 'utf8');
    const imported = firstGroups(text, / from '(\.[^']*\.ts)'/g);
    return [
      ...firstGroups(text, /\bquery(?:<[^()]*>)?\(\s*\w+,\s*['`](\w+)/g),
      ...firstGroups(text, /\bname: '(\w+)',\s*(?:\/\/.*\s*)?(?:sql|text):/g),
      ...imported.flatMap((each) => visit(new URL(each, url))),
    ];
  }

  return visit(new URL(`../${path}`, import.meta.url));
}

const firstGroups = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, group]) => group ?? '');

// A grown account ------------------------------------------------------------

// In SQL: the id of the nth row of an account, in each table.
const ID = `('01000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const OTHER_ID = `('01000000-0000-7000-8001-' || lpad(n::text, 12, '0'))::uuid`;

/** How the nth row of a table differs from one that is there. */
const GROWN: [table: string, columns: Record<string, string>][] = [
  [
    'projects',
    { id: ID, slug: 'n', updated_at: `timestamptz '2026-01-01Z' + n * interval '1 ms'` },
  ],
  ['units', { id: ID, project_id: ID }],
  ['related_projects', { project_id: ID, related_project_id: ID }],
  ['users', { id: ID, email_key: 'n' }],
  ['api_keys', { id: ID, key_sha256: 'sha256(n::text::bytea)::text' }],
  ['tags', { id: ID, label_key: 'n' }],
  ['contacts', { id: ID, email_key: 'n' }],
  ['email_locks', { email_key: 'n' }],
  ['contact_tags', { id: ID, contact_id: ID, tag_id: ID }],
  ['contact_links', { id: ID, contact_id: ID, project_id: ID, unit_id: ID }],
  ['activities', { id: ID, contact_id: ID }],
  // All of one contact.
  ['activities', { id: OTHER_ID }],
  ['imports', { id: ID }],
  ['idempotency_keys', { key: 'n' }],
];

const NEIGHBOURS = 2_000;

/** Gives the account the rows after the `from`th, up to the `to`th, and makes it neighbours with one each. */
async function grow(db: Pool, account: Account, from: number, to: number): Promise<void> {
  await transaction(db, async (tx) => {
    // What the rows refer to is there; checking it would take most of the time.
    await run(tx, `set local session_replication_role = 'replica'`);
    if (from === 0) await copy(tx, 'accounts', {}, account, OF_NEIGHBOURS);
    for (const [table, columns] of GROWN) {
      if (from === 0) await copy(tx, table, columns, account, OF_NEIGHBOURS);
      await copy(
        tx,
        table,
        columns,
        account,
        `select '${account.id}'::uuid, generate_series(${from + 1}, ${to})`,
      );
    }
  });
}

const OF_NEIGHBOURS = `select gen_random_uuid(), generate_series(1, ${NEIGHBOURS})`;

/** Adds rows that are like one of the account's, for each account and number that `numbered` selects. */
async function copy(
  tx: Queryable,
  table: string,
  columns: Record<string, string>,
  account: Account,
  numbered: string,
): Promise<void> {
  const changes = Object.entries(columns).map(([name, value]) => `, '${name}', ${value}`);
  await run(
    tx,
    `insert into ${table} select made.*
      from (select t as one from ${table} as t where account_id = $1 limit 1) as like_it,
        (${numbered}) as numbered(account_id, n),
        jsonb_populate_record(one, jsonb_build_object('account_id', numbered.account_id${changes.join('')})) as made`,
    [account.id],
  );
}
