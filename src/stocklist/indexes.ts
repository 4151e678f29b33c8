import type { Queryable } from '../database/query.ts';
import { createCache, createSharing, textBytes } from './cache.ts';
import type { FilterKeys } from './filters.ts';
import { toOrganization } from './rows.ts';
import { readStockIndex } from './store.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** Which projects a filter chooses at one stand of the stock clock, and the organization at that time. */
export interface StockIndex {
  clockMs: number;
  /** As JSON. */
  organization: string;
  /** See packed.ts. */
  packed: Buffer;
}

export interface StockIndexes {
  /** The index of a time when the clock stood at `clockMs` or later, if it is kept. */
  keptSince(clockMs: number, accountId: string, keys: FilterKeys): StockIndex | undefined;
  /** The same, read together with those who want it at the same time. */
  readSince(clockMs: number, accountId: string, keys: FilterKeys): Promise<StockIndex>;
  /** The index of now, as `db` sees it. */
  read(db: Queryable, accountId: string, keys: FilterKeys): Promise<StockIndex>;
}

export function createStockIndexes(db: Queryable, mediaBaseUrl: string): StockIndexes {
  const indexes = createCache<StockIndex>(
    MAX_BYTES,
    ({ organization, packed }) => textBytes(organization) + packed.length,
  );
  const share = createSharing<StockIndex>();

  const read: StockIndexes['read'] = async (tx, accountId, keys) => {
    const { clockMs, organization, packed } = await readStockIndex(tx, accountId, keys);
    const shown = toOrganization(mediaBaseUrl, organization);
    const index = { clockMs, organization: JSON.stringify(shown), packed };
    indexes.set(keyOf(accountId, clockMs, keys), index);
    return index;
  };

  const keptSince: StockIndexes['keptSince'] = (clockMs, accountId, keys) =>
    indexes.get(keyOf(accountId, clockMs, keys));

  const readSince: StockIndexes['readSince'] = (clockMs, accountId, keys) =>
    share(keyOf(accountId, clockMs, keys), () => read(db, accountId, keys));

  return { keptSince, readSince, read };
}

function keyOf(accountId: string, clockMs: number, keys: FilterKeys): string {
  return `${accountId} ${clockMs} ${JSON.stringify(keys)}`;
}
