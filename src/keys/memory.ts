import type { Queryable } from '../platform/database/index.ts';
import type { Principal } from '../access/index.ts';

/** What is known of API keys without asking the database. */
export interface Memory {
  remembered: Map<string, { principal: Principal; untilMs: number }>;
  underWay: Map<string, Promise<Principal | null>>;
}

// Found by the pool, so that what changes an account need not know who looks its keys up.
const memories = new WeakMap<Queryable, Memory>();

export function memoryOf(db: Queryable): Memory {
  const found = memories.get(db);
  if (found !== undefined) return found;
  const memory: Memory = { remembered: new Map(), underWay: new Map() };
  memories.set(db, memory);
  return memory;
}

/**
 * To be called when a change of a key or of an account's stock is committed: the next request asks the
 * database. A look-up that is under way may have read what was before; it ends in the memory that it began
 * with, where nobody looks any more.
 */
export function forgetKeys(db: Queryable): void {
  memories.delete(db);
}
