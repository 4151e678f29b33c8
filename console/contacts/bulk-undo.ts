import type { BulkAction, Remembered } from './bulk-actions.ts';

const UNDO_MS = 600_000;

/** A finished bulk change that can be undone for ten minutes. */
export interface BulkUndo {
  action: BulkAction;
  contacts: readonly Remembered[];
  /** A time before the first change of the action. */
  since: string;
}

let undo: BulkUndo | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** The store of the latest bulk change in this tab that can be undone, for `useSyncExternalStore`. It survives navigation. */
export const undoStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => undo,
};

export function setUndo(next: BulkUndo | undefined): void {
  clearTimeout(timer);
  undo = next;
  if (next) timer = setTimeout(() => setUndo(undefined), UNDO_MS);
  for (const listener of listeners) listener();
}
