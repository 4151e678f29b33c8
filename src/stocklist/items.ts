import { LRUCache } from 'lru-cache';
import type { Queryable } from '../platform/database/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { ownBytes } from './own-bytes.ts';
import { presentItem, presentPriceRange } from './present.ts';
import { findItems, type PageIndex } from './store.ts';

const ITEMS_MAX_BYTES = 32 * 1024 * 1024;

/** Reads the JSON of each project of a page. Returns null when one of them has changed since the ids were read. */
type ReadItems = (
  tx: Queryable,
  accountId: string,
  entries: PageIndex['entries'],
  options: { hasPriceRange: boolean },
) => Promise<Buffer[] | null>;

/** Creates the reader of the projects of pages. It caches the JSON of each project, and reads only projects that are not cached. */
export function createItemReader(imageBases: ImageBases): ReadItems {
  // Every change of a project changes its `updatedAt`, so an entry with the key (id, updatedAt) never becomes stale.
  const items = new LRUCache<string, Buffer>({
    maxSize: ITEMS_MAX_BYTES,
    sizeCalculation: (json, key) => json.length + 2 * key.length,
  });

  return async function readItems(tx, accountId, entries, { hasPriceRange }) {
    const kind = hasPriceRange ? 'priced' : 'plain';
    const keyOf = (id: string, timeMs: number): string => `${accountId} ${kind} ${id} ${timeMs}`;
    const keys = entries.map(({ id, updatedAtMs }) => keyOf(id, updatedAtMs));
    const found = new Map(keys.map((key) => [key, items.get(key)]));
    const missing = entries.filter((_entry, at) => found.get(keys[at] ?? '') === undefined);
    if (missing.length > 0) {
      const ids = missing.map(({ id }) => id);
      for (const row of await findItems(tx, accountId, ids)) {
        const item = presentItem(imageBases, row);
        const more = hasPriceRange ? presentPriceRange(row.units) : {};
        const json = ownBytes(Buffer.from(JSON.stringify({ ...item, ...more })));
        const key = keyOf(row.id, Date.parse(row.updatedAt));
        found.set(key, json);
        items.set(key, json);
      }
    }
    const page = keys.map((key) => found.get(key));
    return page.every((json) => json !== undefined) ? page : null;
  };
}
