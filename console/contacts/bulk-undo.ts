import { tabStorage } from '../parts/browser/tab-storage.ts';
import type { BulkAction, Remembered } from './bulk-actions.ts';

const UNDO_MS = 600_000;

/** A bulk change that can be undone for ten minutes. */
export interface BulkUndo {
  action: BulkAction;
  contacts: readonly Remembered[];
  /** A time before the first change of the action. */
  since: string;
}

/** The undo, as `sessionStorage` keeps it over a reload. It has ids and values of contacts, but no name or email. */
interface StoredUndo {
  undo: BulkUndo;
  untilMs: number;
}

let ownerId: string | undefined;
let undo: BulkUndo | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

const nameUndo = (userId: string): string => `offplan-bulk-undo:${userId}`;

/** The store of a person's latest bulk change in this tab that can be undone, for `useSyncExternalStore`. */
export const undoStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: (userId: string): BulkUndo | undefined => {
    if (userId !== ownerId) restore(userId);
    return undo;
  },
};

function restore(userId: string): void {
  ownerId = userId;
  undo = undefined;
  const text = tabStorage.read(nameUndo(userId));
  if (text === null) return;
  const stored = JSON.parse(text) as StoredUndo;
  const leftMs = stored.untilMs - Date.now();
  if (leftMs > 0) show(stored.undo, leftMs);
}

/** Stores the change that a person can undo, in place of an earlier one. Undefined removes it. */
export function setUndo(userId: string, next: BulkUndo | undefined): void {
  ownerId = userId;
  show(next, UNDO_MS);
  tabStorage.remove(nameUndo(userId));
  if (next !== undefined) {
    const stored: StoredUndo = { undo: next, untilMs: Date.now() + UNDO_MS };
    tabStorage.write(nameUndo(userId), JSON.stringify(stored));
  }
  for (const listener of listeners) listener();
}

function show(next: BulkUndo | undefined, forMs: number): void {
  clearTimeout(timer);
  undo = next;
  const userId = ownerId;
  if (next && userId !== undefined) timer = setTimeout(() => setUndo(userId, undefined), forMs);
}
