import type { Queryable } from '../platform/database/index.ts';
import { createCache, createSharing, textBytes } from './cache.ts';
import type { FilterKeys } from './filters.ts';
import type { Items } from './items.ts';
import { withChanges } from './packed.ts';
import { toOrganization } from './rows.ts';
import { readStockChanges, readStockIndex, type Stock } from './store.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * How long an index is brought up to date before it is read whole again: the clock does not tell of what was taken away
 * by hand, nor of commits that were lost with the server that had them.
 */
const ADVANCED_MAX_MS = 60_000;

/** Which projects a filter chooses at one stand of the stock clock, and the organization at that time. */
export interface StockIndex {
  clockMs: number;
  /** As JSON. */
  organization: string;
  /** See packed.ts. */
  packed: Buffer;
  /** When it was last read whole. */
  readMs: number;
}

export interface StockIndexes {
  /**
   * The index of a time when the clock stood at `clockMs` or later, read together with those who want it at the same time.
   * One that is kept is asked after unless it is of just that time: if it is later, the clock may have gone back.
   */
  since(clockMs: number, accountId: string, keys: FilterKeys): Promise<StockIndex>;
  /** The index of now, as `db` sees it, read whole. */
  read(db: Queryable, accountId: string, keys: FilterKeys): Promise<StockIndex>;
}

/**
 * What changed since an index was read is put into it, so that a change costs little more in an account of many projects
 * than in a small one. Nothing is missed: the clock ticks under a row lock that is held until its change is committed
 * (clock.ts), so that who reads the clock sees all changes up to it, and every later one has a later time.
 */
export function createStockIndexes(
  db: Queryable,
  mediaBaseUrl: string,
  items: Pick<Items, 'keep' | 'latestOf'>,
): StockIndexes {
  // One of each filter, the last that was read.
  const indexes = createCache<StockIndex>(
    MAX_BYTES,
    ({ organization, packed }) => textBytes(organization) + packed.length,
  );
  const share = createSharing<StockIndex>();

  function keep(
    name: string,
    { clockMs, organization }: Stock,
    { packed, readMs }: Pick<StockIndex, 'packed' | 'readMs'>,
  ): StockIndex {
    const shown = toOrganization(mediaBaseUrl, organization);
    const index = { clockMs, organization: JSON.stringify(shown), packed, readMs };
    indexes.set(name, index);
    return index;
  }

  const read: StockIndexes['read'] = async (tx, accountId, keys) => {
    const readMs = Date.now();
    const { packed, ...stock } = await readStockIndex(tx, accountId, keys);
    return keep(nameOf(accountId, keys), stock, { packed, readMs });
  };

  async function advance(
    { clockMs, packed, readMs }: StockIndex,
    accountId: string,
    keys: FilterKeys,
  ): Promise<StockIndex> {
    const itemsSince = items.latestOf(accountId);
    const { changes, isAll, ...stock } = await readStockChanges(
      db,
      accountId,
      keys,
      new Date(clockMs),
      itemsSince,
    );
    items.keep(
      accountId,
      changes.flatMap(({ item }) => item ?? []),
    );
    // A clock that went back is that of a database which was restored.
    if (!isAll || stock.clockMs < clockMs) return read(db, accountId, keys);
    return keep(nameOf(accountId, keys), stock, { packed: withChanges(packed, changes), readMs });
  }

  const since: StockIndexes['since'] = async (clockMs, accountId, keys) => {
    const name = nameOf(accountId, keys);
    const known = indexes.look(name);
    if (known?.clockMs === clockMs) return known;
    // Hot is what is brought up to date: each page of a scan looks its index up.
    const kept = indexes.get(name);
    const ageMs = Date.now() - (kept?.readMs ?? 0);
    // Not when the computer's clock was set back: a minute would last until it is there again.
    const isYoung = kept !== undefined && ageMs >= 0 && ageMs < ADVANCED_MAX_MS;
    return share(`${name} ${clockMs}`, () =>
      isYoung ? advance(kept, accountId, keys) : read(db, accountId, keys),
    );
  };

  return { since, read };
}

function nameOf(accountId: string, keys: FilterKeys): string {
  return `${accountId} ${JSON.stringify(keys)}`;
}
