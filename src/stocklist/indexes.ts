import type { Queryable } from '../database/query.ts';
import { createCache, createSharing, textBytes } from './cache.ts';
import type { FilterKeys } from './filters.ts';
import type { Items } from './items.ts';
import { withChanges } from './packed.ts';
import { toOrganization } from './rows.ts';
import { readStockChanges, readStockIndex, type Stock } from './store.ts';

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
  /** The index of a time when the clock stood at `clockMs` or later, read together with those who want it at the same time. */
  since(clockMs: number, accountId: string, keys: FilterKeys): Promise<StockIndex> | StockIndex;
  /** The index of now, as `db` sees it, read whole. */
  read(db: Queryable, accountId: string, keys: FilterKeys): Promise<StockIndex>;
}

/** What changed since an index was read is put into it: however many projects an account has, a change costs what changed. */
export function createStockIndexes(
  db: Queryable,
  mediaBaseUrl: string,
  items: Pick<Items, 'keep'>,
): StockIndexes {
  // The latest of each filter.
  const indexes = createCache<StockIndex>(
    MAX_BYTES,
    ({ organization, packed }) => textBytes(organization) + packed.length,
  );
  const share = createSharing<StockIndex>();

  function keep(name: string, { clockMs, organization }: Stock, packed: Buffer): StockIndex {
    const shown = toOrganization(mediaBaseUrl, organization);
    const index = { clockMs, organization: JSON.stringify(shown), packed };
    indexes.set(name, index);
    return index;
  }

  const read: StockIndexes['read'] = async (tx, accountId, keys) => {
    const { packed, ...stock } = await readStockIndex(tx, accountId, keys);
    return keep(nameOf(accountId, keys), stock, packed);
  };

  async function advance(
    { clockMs, packed }: StockIndex,
    accountId: string,
    keys: FilterKeys,
  ): Promise<StockIndex> {
    const changes = await readStockChanges(db, accountId, keys, new Date(clockMs));
    // A clock that went back is that of a database which was restored.
    if (changes === null || changes.clockMs < clockMs) return read(db, accountId, keys);
    const { changed, ...stock } = changes;
    items.keep(
      accountId,
      changed.filter(({ isChosen }) => isChosen).map(({ row }) => row),
    );
    const entries = changed.map(({ row: { id, updatedAt }, isChosen }) => ({
      id,
      updatedAtMs: updatedAt.getTime(),
      isChosen,
    }));
    return keep(nameOf(accountId, keys), stock, withChanges(packed, entries));
  }

  const since: StockIndexes['since'] = (clockMs, accountId, keys) => {
    const name = nameOf(accountId, keys);
    const kept = indexes.get(name);
    if (kept?.clockMs === clockMs) return kept;
    return share(`${name} ${clockMs}`, () =>
      kept === undefined ? read(db, accountId, keys) : advance(kept, accountId, keys),
    );
  };

  return { since, read };
}

function nameOf(accountId: string, keys: FilterKeys): string {
  return `${accountId} ${JSON.stringify(keys)}`;
}
