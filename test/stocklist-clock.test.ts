import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { runInTransaction, query, type Queryable } from '../src/platform/database/index.ts';
import { tickStockClock } from '../src/accounts/index.ts';
import { build, type Answer } from './support/harness.ts';
import {
  addProject,
  addUnit,
  writeStock,
  changeOrganization,
  changeProject,
  type Account,
  type Project,
} from './support/stock.ts';
import { tenancies } from './support/tenancy.ts';

const service = await build({ after });
const { makeTenant } = tenancies(service);

interface Shown {
  id: string;
  name: string;
  updatedAt: string;
}
const shown = ({ body }: Answer): Shown[] => body.projects;
const newest = ({ body }: Answer): Shown => body.projects[0];

/** Adds projects and returns them, the first one by itself, too. */
async function addProjects(
  account: Account,
  count: number,
): Promise<{ projects: Project[]; project: Project }> {
  const project = await addProject(service.db, account);
  const projects = [project];
  while (projects.length < count) projects.push(await addProject(service.db, account));
  return { projects, project };
}

/** Calls `read` again and again while the work is running. */
async function readDuring(work: Promise<unknown>, read: () => Promise<void>): Promise<void> {
  const state = { isRunning: true };
  const done = work.finally(() => (state.isRunning = false));
  while (state.isRunning) {
    await read();
    // Answers from the cache leave no time in which Node reads what PostgreSQL has sent to the work.
    await nextTurn();
  }
  await done;
}

/** Calls `interfere` before each statement of the pool, not of its transactions. Returns a function that ends this. */
function beforeStatements(interfere: (name: string) => Promise<void>): () => void {
  const run = service.db.query.bind(service.db);
  service.db.query = async (prepared) => {
    await interfere(prepared.name);
    return run(prepared);
  };
  return () => void (service.db.query = run);
}

test('a client that polls with the largest updatedAt it has seen misses no change and gets none twice', async () => {
  const { account, list } = await makeTenant();
  const { projects } = await addProjects(account, 6);
  const written: string[] = [];
  const WRITERS = 4;
  const CHANGES = 30;
  const write = async (writer: number): Promise<void> => {
    for (let change = 0; change < CHANGES; change += 1) {
      const id = projects[(writer + change) % projects.length]?.id ?? '';
      const name = `${writer}/${change}`;
      // Their wall clocks differ by seconds.
      const now = new Date(Date.now() + (writer - 2) * 1500);
      written.push(`${id} ${await changeProject(service.db, account, id, { name }, { now })}`);
    }
  };

  const first = await list('?limit=100');
  let since = newest(first).updatedAt;
  const seen: string[] = [];
  const poll = async (): Promise<void> => {
    const news = shown(await list(`?limit=100&updated_since=${since}`));
    for (const { id, updatedAt } of news) {
      assert(updatedAt > since);
      seen.push(`${id} ${updatedAt}`);
    }
    since = news[0]?.updatedAt ?? since;
  };

  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  await readDuring(Promise.all(writers), poll);
  await poll();
  await poll();

  assert.equal(written.length, WRITERS * CHANGES);
  assert.equal(new Set(written).size, written.length);
  assert.equal(new Set(seen).size, seen.length, 'a change came twice');
  for (const one of seen) assert(written.includes(one), 'what was seen was never written');
  // A change may be overtaken by the next of its project; the last one of each is always seen.
  for (const { id } of projects) {
    const times = written.filter((one) => one.startsWith(id)).toSorted();
    assert(seen.includes(times.at(-1) ?? ''), 'a change was missed');
  }
});

test('updatedAt is unique and increasing even when the wall clock runs backwards', async () => {
  const { account, list } = await makeTenant();
  const { id } = await addProject(service.db, account);
  let before = newest(await list()).updatedAt;
  for (const year of [2020, 1971, 2020]) {
    const now = new Date(Date.UTC(year, 0));
    const updatedAt = await changeProject(service.db, account, id, { name: 'x' }, { now });
    assert(updatedAt > before);
    assert.equal(newest(await list()).updatedAt, updatedAt);
    before = updatedAt;
  }
});

test('GET /stocklist shows the state of one moment while writers change several projects at once', async () => {
  const { account, list } = await makeTenant();
  const { projects } = await addProjects(account, 5);
  const set = async (tx: Queryable, generation: number, at: Date[]): Promise<void> => {
    const ids = projects.map(({ id }) => id);
    await query(
      tx,
      'test_projects_rename',
      sql`update projects set name = ${String(generation)}, updated_at = tick.at
        from unnest(${ids}::uuid[], ${at}::timestamptz[]) tick (id, at)
        where projects.account_id = ${account.id} and projects.id = tick.id`,
    );
    await query(
      tx,
      'test_organization_change',
      sql`update accounts set intro = ${String(generation)} where account_id = ${account.id}`,
    );
  };
  const GENERATIONS = 60;
  const write = async (): Promise<void> => {
    for (let generation = 0; generation <= GENERATIONS; generation += 1)
      await runInTransaction(service.db, async (tx) => {
        const at = await tickStockClock(tx, account.id, projects.length, new Date());
        await set(tx, generation, at);
      });
  };
  await write();

  const queries = ['?limit=5', '?limit=3', '?limit=2&page=2', '?status=available'];
  let pages = 0;
  await readDuring(write(), async () => {
    for (const answer of await Promise.all(queries.map((query) => list(query)))) {
      const names = new Set([
        ...shown(answer).map(({ name }) => name),
        answer.body.organization.intro,
      ]);
      assert.equal(names.size, 1, `one page shows ${[...names].join(' and ')}`);
      pages += 1;
    }
  });
  assert(pages > 0);
  assert.equal(newest(await list()).name, String(GENERATIONS));
});

test('a Stocklist-Revision never comes with two different answers', async () => {
  const { account, list } = await makeTenant();
  const { project } = await addProjects(account, 3);
  const texts = new Map<string, string>();
  const write = async (): Promise<void> => {
    for (let change = 0; change < 40; change += 1)
      await changeProject(service.db, account, project.id, { name: `${change}` });
  };
  await readDuring(write(), async () => {
    for (const answer of await Promise.all([list(), list(), list()])) {
      const revision = String(answer.headers['stocklist-revision']);
      assert.equal(texts.get(revision) ?? answer.text, answer.text);
      texts.set(revision, answer.text);
    }
  });
});

test('the same reader sees no older stock after a newer one', async () => {
  const { account, list } = await makeTenant();
  const { project } = await addProjects(account, 1);
  let last = '';
  for (let change = 0; change < 20; change += 1) {
    const writing = changeProject(service.db, account, project.id, { name: `${change}` });
    for (let reading = 0; reading < 3; reading += 1) {
      const { updatedAt } = newest(await list());
      assert(updatedAt >= last);
      last = updatedAt;
    }
    await writing;
  }
});

test('a reader who has seen the change of another process sees no older stock afterwards', async (t) => {
  const { account, list } = await makeTenant();
  const { project } = await addProjects(account, 1);
  // While the time stands still, the service goes on using what it has read of the stock clock.
  const nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  await list();
  // The functions of the service would end this use.
  await runInTransaction(service.db, async (tx) => {
    const [at] = await tickStockClock(tx, account.id, 1, new Date());
    await query(
      tx,
      'test_project_rename',
      sql`update projects set name = 'After', updated_at = ${at}
        where account_id = ${account.id} and id = ${project.id}`,
    );
  });
  assert.equal(newest(await list('?limit=1')).name, 'After');
  assert.equal(newest(await list()).name, 'After');
});

test('a change that is rolled back is never seen and leaves no gap that hides another', async () => {
  const { account, list } = await makeTenant();
  const { project } = await addProjects(account, 1);
  const before = await list();
  const failed = runInTransaction(service.db, async (tx) => {
    await tickStockClock(tx, account.id, 1, new Date());
    throw new Error('rolled back');
  });
  await assert.rejects(failed, /rolled back/);
  const answer = await list();
  assert.equal(answer.text, before.text);
  assert.equal(answer.headers['stocklist-revision'], before.headers['stocklist-revision']);
  const since = newest(before).updatedAt;
  await changeProject(service.db, account, project.id, { name: 'after' });
  assert.equal(newest(await list(`?updated_since=${since}`)).name, 'after');
});

test('GET /stocklist shows a change of units or of the organization at once', async () => {
  const { account, list } = await makeTenant();
  const { project } = await addProjects(account, 1);
  await list();
  await writeStock(service.db, async (tx) => {
    const [at] = await tickStockClock(tx, account.id, 1, new Date());
    await addUnit(tx, account, project.id, 0, { status: 'Reserved' });
    await query(
      tx,
      'test_project_tick',
      sql`update projects set updated_at = ${at}
        where account_id = ${account.id} and id = ${project.id}`,
    );
  });
  const [item] = (await list()).body.projects;
  assert.deepEqual([item.unitCount, item.availableUnitCount], [1, 0]);
  await changeOrganization(service.db, account, { phone: '+64 9 1' });
  assert.equal((await list()).body.organization.phone, '+64 9 1');
});

test('fifty requests at once after a change share one reading of the stock', async () => {
  const { account } = await makeTenant();
  await addProjects(account, 3);
  const key = await service.key(account.slug, 'read');
  const get = () => service.send({ url: '/api/v1/stocklist', key });
  const names: string[] = [];
  const undo = beforeStatements(async (name) => void names.push(name));
  const answers = await Promise.all(Array.from({ length: 50 }, get));
  undo();
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  // The ids of the page, and its items.
  assert.equal(names.filter((name) => name.startsWith('stock')).length, 2);
});

test('stock that changes under every reading is read in one snapshot', async () => {
  const { account, list } = await makeTenant();
  const { projects } = await addProjects(account, 2);
  let changes = 0;
  const undo = beforeStatements(async (name) => {
    if (!name.startsWith('stock')) return;
    changes += 1;
    for (const { id } of projects)
      await changeProject(service.db, account, id, { name: `Change ${changes}` });
  });
  const answer = await list();
  undo();
  assert.equal(answer.status, 200);
  assert(changes > 1);
  const names = shown(answer).map(({ name }) => name);
  assert.deepEqual(names, [`Change ${changes}`, `Change ${changes}`]);
});
