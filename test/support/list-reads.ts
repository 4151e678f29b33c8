import assert from 'node:assert/strict';
import pino from 'pino';
import { makeAccount, makeKey, makeStock } from '../../bench/data.ts';
import { makeListedContacts, SORTS } from '../../bench/contact-lists.ts';
import { openPools, REQUEST_TIMEOUTS, type Pool } from '../../src/platform/database/index.ts';
import { createDatabase, databaseUrl, SETTINGS, type Cleaner } from './harness.ts';
import { buildApp } from './internals.ts';
import { run } from './sql.ts';

/** How much of the tables a list has read, in blocks of 8 KiB. */
export interface ListReads {
  list: string;
  blocks: number;
}

/** Makes an account with contacts, and reads one page of each filter in each order. */
export async function readAllLists(t: Cleaner, count: number): Promise<ListReads[]> {
  const db = await createDatabase(t);
  const account = await makeAccount(db, 'lists');
  await makeStock(db, account, { projects: 60, units: 4, images: 0 });
  const filters = await makeListedContacts(db, account, count);
  const key = await makeKey(db, account, ['contacts:read']);
  const pools = openPools(await databaseUrl(db), () => undefined, REQUEST_TIMEOUTS);
  t.after(pools.end);
  const logger = pino({ level: 'silent' });
  const { lookups, lists } = pools;
  const app = await buildApp({ config: SETTINGS, db: lookups, lists, logger });
  t.after(() => app.close());
  const all: ListReads[] = [];
  for (const [name, filter] of Object.entries(filters))
    for (const sort of SORTS) {
      const before = await countBlocks(lists);
      const { statusCode, payload } = await app.inject({
        url: `/api/v1/contacts?${new URLSearchParams({ ...filter, sort }).toString()}`,
        headers: { authorization: `Bearer ${key}` },
      });
      assert.equal(statusCode, 200, payload);
      all.push({ list: `${name} ${sort}`, blocks: (await countBlocks(lists)) - before });
    }
  return all;
}

/** Counts the blocks that were read since the database was made, from memory or not. */
async function countBlocks(lists: Pool): Promise<number> {
  await run(lists, 'select pg_stat_force_next_flush()');
  const { rows } = await run(
    lists,
    `select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::int as blocks
      from pg_statio_user_tables`,
  );
  return Number(rows[0]?.['blocks']);
}
