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
  /** The index of a time when the clock stood at `clockMs` or later. */
  since(clockMs: number, accountId: string, keys: FilterKeys): StockIndex | Promise<StockIndex>;
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

  const since: StockIndexes['since'] = (clockMs, accountId, keys) => {
    const key = keyOf(accountId, clockMs, keys);
    return indexes.get(key) ?? share(key, () => read(db, accountId, keys));
  };

  return { since, read };
}

function keyOf(accountId: string, clockMs: number, keys: FilterKeys): string {
  return `${accountId} ${clockMs} ${JSON.stringify(keys)}`;
}
