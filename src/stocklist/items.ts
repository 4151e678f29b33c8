import type { Queryable } from '../database/query.ts';
import { createCache } from './cache.ts';
import type { StockEntry } from './packed.ts';
import { toStocklistItem } from './rows.ts';
import { readStocklistItems } from './store.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** The JSON of these projects as they are at these times, or null when one of them has changed since. */
export type ItemsOf = (
  db: Queryable,
  accountId: string,
  entries: StockEntry[],
) => Promise<Buffer[] | null>;

export function createItems(mediaBaseUrl: string): ItemsOf {
  const items = createCache<Buffer>(MAX_BYTES, (json) => json.length);

  const read = async (db: Queryable, accountId: string, ids: string[]) => {
    const found = new Map<string, Buffer>();
    for (const row of await readStocklistItems(db, accountId, ids)) {
      const key = keyOf(accountId, { id: row.id, updatedAtMs: row.updatedAt.getTime() });
      const json = Buffer.from(JSON.stringify(toStocklistItem(mediaBaseUrl, row)));
      found.set(key, json);
      items.set(key, json);
    }
    return found;
  };

  return async (db, accountId, entries) => {
    const wanted = entries.map((entry) => {
      const key = keyOf(accountId, entry);
      return { key, id: entry.id, json: items.get(key) };
    });
    const missing = wanted.filter(({ json }) => json === undefined).map(({ id }) => id);
    if (missing.length > 0) {
      const found = await read(db, accountId, missing);
      for (const item of wanted) item.json ??= found.get(item.key);
    }
    const jsons = wanted.map(({ json }) => json);
    return jsons.every((json) => json !== undefined) ? jsons : null;
  };
}

// An item shows nothing that can change without its updatedAt, so that this names it for good.
function keyOf(accountId: string, { id, updatedAtMs }: StockEntry): string {
  return `${accountId} ${id} ${updatedAtMs}`;
}
