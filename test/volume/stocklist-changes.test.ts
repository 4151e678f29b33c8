import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { build } from '../support/harness.ts';
import { instance } from '../support/instances.ts';
import {
  addAccount,
  addProject,
  changeOrganization,
  changeProject,
  type Columns,
} from '../support/stock.ts';

// The service caches items and answers. After any change it must answer what an instance with empty caches answers.

const service = await build({ after });
const { db } = service;

const SEQUENCES = 12;
const PROJECTS = 4;

const columns = fc.record(
  {
    publication: fc.constantFrom('live', 'live', 'draft', 'archived'),
    status: fc.constantFrom('Available', 'Sold Out'),
    region_key: fc.constantFrom('northland', 'otago'),
    name: fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ project: fc.nat(PROJECTS - 1), columns }) },
  { weight: 1, arbitrary: fc.record({ added: columns }) },
  { weight: 1, arbitrary: fc.record({ intro: fc.string({ maxLength: 8 }) }) },
  // More than a page has.
  { weight: 1, arbitrary: fc.record({ many: columns }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const MANY = 25;

/** Pages that are read after some of the steps, so that each was cached at another time. */
const QUERIES = [
  '',
  '?region=otago',
  '?status=available&region=northland',
  '?limit=2&page=2',
  '?updated_since=2026-06-01T00:00:00Z',
];
const queries = fc.subarray(QUERIES);

async function newAccount() {
  const account = await addAccount(db);
  const ids: string[] = [];
  const add = async (columns: Columns): Promise<void> =>
    void ids.push((await addProject(db, account, columns, [{}])).id);
  for (let n = 0; n < PROJECTS; n += 1) await add({});

  async function apply(step: Step): Promise<void> {
    if ('added' in step) return add(step.added);
    if ('intro' in step) return changeOrganization(db, account, step);
    if ('many' in step) {
      for (let n = 0; n < MANY; n += 1)
        await changeProject(db, account, ids[n % ids.length] ?? '', step.many);
      return add(step.many);
    }
    await changeProject(db, account, ids[step.project] ?? '', step.columns);
  }
  return { account, apply };
}

test('GET /stocklist answers after any change what an instance with empty caches answers', async (t) => {
  const property = fc.asyncProperty(
    fc.array(fc.tuple(step, queries), { minLength: 1, maxLength: 8 }),
    async (steps) => {
      const { account, apply } = await newAccount();
      const key = await service.key(account.slug, 'read');
      const headers = { authorization: `Bearer ${key}` };
      for (const [change, paths] of steps) {
        await apply(change);
        const empty = await instance(t, db);
        for (const query of paths) {
          const url = `/api/v1/stocklist${query}`;
          const [ours, theirs] = [
            await service.app.inject({ url, headers }),
            await empty.inject({ url, headers }),
          ];
          assert.equal(ours.payload, theirs.payload);
          assert.equal(ours.headers['stocklist-revision'], theirs.headers['stocklist-revision']);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: SEQUENCES });
});

test('a database that was restored to an earlier time is shown as it is', async () => {
  const { account } = await newAccount();
  const key = await service.key(account.slug, 'read');
  const read = () => service.send({ url: '/api/v1/stocklist', key });
  const before = await read();
  const { id } = await addProject(db, account, {});
  assert.equal((await read()).body.projects[0].id, id);
  await db.query({
    name: '',
    text: 'delete from projects where account_id = $1 and id = $2',
    values: [account.id, id],
  });
  // The clock goes back with the restore.
  await db.query({
    name: '',
    text: 'update accounts set stock_clock = $2 where account_id = $1',
    values: [account.id, new Date(Date.parse(before.body.projects[0].updatedAt) - 1)],
  });
  await changeOrganization(db, account, { intro: 'Restored' });
  const restored = await read();
  assert.equal(restored.body.organization.intro, 'Restored');
  assert.ok(restored.body.projects.every((project: { id: string }) => project.id !== id));
});
