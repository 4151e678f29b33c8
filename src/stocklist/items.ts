import { LRUCache } from 'lru-cache';
import type { Queryable } from '../platform/database/index.ts';
import { createCache } from './cache.ts';
import { digestOf } from './etag.ts';
import type { StockEntry } from './packed.ts';
import { toStocklistItem, type StocklistItemRow } from './rows.ts';
import { readStocklistItems } from './store.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** How many accounts' latest item is known. */
const ACCOUNTS_MAX = 10_000;

/** A project's JSON, and what stands for it in the ETag of a page, whose bytes need not all be hashed for it. */
export interface Item {
  json: Buffer;
  digest: Buffer;
}

export interface Items {
  /** These projects as they are at these times, or null when one of them has changed since. */
  of(db: Queryable, accountId: string, entries: StockEntry[]): Promise<Item[] | null>;
  /** Keeps these, by the names under which a page will ask for them. */
  keep(accountId: string, rows: StocklistItemRow[]): void;
  /** When the latest of an account's items that were kept had changed. */
  latestOf(accountId: string): Date;
}

export function createItems(mediaBaseUrl: string): Items {
  const items = createCache<Item>(MAX_BYTES, ({ json }) => json.length);
  const latest = new LRUCache<string, Date>({ max: ACCOUNTS_MAX });
  const latestOf: Items['latestOf'] = (accountId) => latest.get(accountId) ?? NEVER;

  function keep(accountId: string, rows: StocklistItemRow[]): Map<string, Item> {
    const kept = new Map<string, Item>();
    for (const row of rows) {
      const key = keyOf(accountId, { id: row.id, updatedAtMs: row.updatedAt.getTime() });
      const json = Buffer.from(JSON.stringify(toStocklistItem(mediaBaseUrl, row)));
      const item = { json, digest: digestOf(json) };
      kept.set(key, item);
      items.set(key, item);
      if (row.updatedAt > latestOf(accountId)) latest.set(accountId, row.updatedAt);
    }
    return kept;
  }

  return {
    keep: (accountId, rows) => void keep(accountId, rows),
    latestOf,
    async of(db, accountId, entries) {
      const wanted = entries.map((entry) => {
        const key = keyOf(accountId, entry);
        return { key, id: entry.id, item: items.get(key) };
      });
      const missing = wanted.filter(({ item }) => item === undefined).map(({ id }) => id);
      if (missing.length > 0) {
        const found = keep(accountId, await readStocklistItems(db, accountId, missing));
        for (const each of wanted) each.item ??= found.get(each.key);
      }
      const all = wanted.map(({ item }) => item);
      return all.every((item) => item !== undefined) ? all : null;
    },
  };
}

const NEVER = new Date(0);

// An item shows nothing that can change without its updatedAt, so that this names it for good.
function keyOf(accountId: string, { id, updatedAtMs }: StockEntry): string {
  return `${accountId} ${id} ${updatedAtMs}`;
}
