import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  createClient,
  listProjects,
  syncStock,
  type StockChanges,
  type StockState,
} from '../client/src/index.ts';
import { build } from './support/harness.ts';
import {
  addAccount,
  addProject,
  changeOrganization,
  changeProject,
  type Project,
} from './support/stock.ts';

const service = await build({ after });
const { db } = service;
const address = await service.app.listen({ host: '127.0.0.1', port: 0 });

/** Makes an account with projects, and a client that can change stock before it sends its next requests. */
async function withProjects(count: number) {
  const account = await addAccount(db);
  const projects: Project[] = [];
  for (let n = 0; n < count; n += 1) projects.push(await addProject(db, account));
  const between: (() => Promise<unknown>)[] = [];
  const urls: string[] = [];
  const client = createClient({
    baseUrl: `${address}/api/v1`,
    key: await service.key(account.slug, 'read'),
    fetch: async (...request) => {
      const response = await fetch(...request);
      urls.push(response.url.slice(`${address}/api/v1/stocklist?`.length));
      await between.shift()?.();
      return response;
    },
  });
  /** The requests since the last call. */
  const asked = () => urls.splice(0);
  const sync = (state?: StockState, filters = {}) =>
    syncStock(client, state, filters, { limit: 2 });
  const change = (n: number, columns = {}) => changeProject(db, account, idOf(n), columns);
  const idOf = (n: number) => projects[n]?.id ?? '';
  return { account, client, between, asked, sync, change, idOf };
}

const idsOf = (projects: { id: string }[]) => projects.map(({ id }) => id);

/** Applies changes to a copy, as a caller does. */
function apply(copy: Map<string, string>, { changed, removed }: StockChanges): void {
  for (const { id, updatedAt } of changed) copy.set(id, updatedAt);
  for (const id of removed) copy.delete(id);
}

async function read(client: Parameters<typeof listProjects>[0]): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for await (const { id, updatedAt } of listProjects(client)) all.set(id, updatedAt);
  return all;
}

test('listProjects goes through all pages of the stocklist, with the filters', async () => {
  const { client, change, idOf } = await withProjects(5);
  const list = async (filters = {}) => {
    const slugs: string[] = [];
    for await (const { id } of listProjects(client, filters, { limit: 2 })) slugs.push(id);
    return slugs;
  };
  assert.deepEqual(await list(), [4, 3, 2, 1, 0].map(idOf));
  await change(1, { status: 'Sold Out' });
  assert.deepEqual(await list({ status: 'sold out' }), [idOf(1)]);
});

test('listProjects skips no project while projects change and leave the list', async () => {
  const { client, between, change, idOf } = await withProjects(6);
  between.push(
    () => change(5, { publication: 'draft' }),
    async () => {},
    () => change(0),
  );
  const ids: string[] = [];
  for await (const { id } of listProjects(client, {}, { limit: 2 })) ids.push(id);
  // The first read had the 5 and the 4, the second the 3 and the 2; then the 0 came to the front.
  assert.deepEqual(ids, [5, 4, 3, 0, 2, 1].map(idOf));
});

test('syncStock reads everything at first, and then asks once while nothing changes', async () => {
  const { sync, asked, idOf } = await withProjects(5);
  const first = await sync();
  assert.deepEqual([idsOf(first.changed), first.removed], [[4, 3, 2, 1, 0].map(idOf), []]);
  assert.equal(first.organization.displayName, 'Tōtara Living');
  assert.equal(asked().length, 3);
  const state = JSON.parse(JSON.stringify(first.state)) as StockState;
  const second = await sync(state);
  assert.deepEqual([second.changed, second.removed, second.state], [[], [], first.state]);
  assert.equal(asked().length, 1);
});

test('syncStock reads what changed alone', async () => {
  const { account, sync, asked, change, idOf } = await withProjects(5);
  const { state } = await sync();
  await change(2, { name: 'Rimu Court' });
  const added = await addProject(db, account);
  asked();
  const next = await sync(state);
  assert.deepEqual([idsOf(next.changed), next.removed], [[added.id, idOf(2)], []]);
  assert.equal(next.changed[1]?.name, 'Rimu Court');
  assert.equal(asked().length, 2);
  await changeOrganization(db, account, { display_name: 'Rimu Living' });
  const last = await sync(next.state);
  assert.deepEqual(
    [last.organization.displayName, last.changed, last.removed],
    ['Rimu Living', [], []],
  );
});

test('syncStock finds a project that left the list, also while another one came', async () => {
  const { account, sync, change, idOf } = await withProjects(5);
  const first = await sync();
  await change(1, { publication: 'archived' });
  const second = await sync(first.state);
  assert.deepEqual([second.changed, second.removed], [[], [idOf(1)]]);
  await change(3, { publication: 'draft' });
  const added = await addProject(db, account);
  const third = await sync(second.state);
  assert.deepEqual([idsOf(third.changed), third.removed], [[added.id], [idOf(3)]]);
});

test('syncStock follows a list from empty to empty', async () => {
  const { account, sync, change, idOf } = await withProjects(1);
  await change(0, { publication: 'draft' });
  const empty = await sync();
  assert.deepEqual([empty.changed, empty.removed], [[], []]);
  const added = await addProject(db, account);
  const one = await sync(empty.state);
  assert.deepEqual(idsOf(one.changed), [added.id]);
  await changeProject(db, account, added.id, { publication: 'draft' });
  const none = await sync(one.state);
  assert.deepEqual([none.changed, none.removed], [[], [added.id]]);
  await change(0, { publication: 'live' });
  assert.deepEqual(idsOf((await sync(none.state)).changed), [idOf(0)]);
});

test('syncStock with filters removes a project that they no longer find', async () => {
  const { sync, change, idOf } = await withProjects(3);
  const filters = { status: 'Available' };
  const first = await sync(undefined, filters);
  await change(1, { status: 'Sold Out' });
  const second = await sync(first.state, filters);
  assert.deepEqual([second.changed, second.removed], [[], [idOf(1)]]);
});

test('syncStock starts again when the stock changes while it reads, and ends as the list is', async () => {
  const { account, client, between, sync, change, asked } = await withProjects(5);
  const copy = new Map<string, string>();
  between.push(() => change(4, { publication: 'draft' }));
  const first = await sync();
  apply(copy, first);
  assert.deepEqual(copy, await read(client));
  // A page, a page of the next state, and then three pages again: the draft left four projects.
  assert.equal(asked().length, 2 + 2 + 1);

  for (const n of [0, 1, 2]) await change(n);
  between.push(
    () => change(3, { publication: 'draft' }),
    () => change(0),
    () => addProject(db, account),
    () => change(1, { publication: 'draft' }),
  );
  let { state } = first;
  for (let n = 0; n < 3; n += 1) {
    const changes = await sync(state);
    apply(copy, changes);
    ({ state } = changes);
  }
  assert.deepEqual(copy, await read(client));
});

test('syncStock gives up when the stock changes during each of its reads', async () => {
  const { between, sync, change, asked } = await withProjects(3);
  between.push(...Array.from({ length: 40 }, () => () => change(0)));
  await assert.rejects(sync(), { message: 'The stock changed again during each read.' });
  assert.equal(asked().length, 22);
});
