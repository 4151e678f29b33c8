import type { BulkAct, Remembered } from './bulk-acts.ts';

const UNDO_MS = 600_000;

/** A change that is done, and can be taken back for a while. */
export interface BulkUndo {
  act: BulkAct;
  contacts: readonly Remembered[];
  /** Each change of the act is later than this. */
  since: string;
}

let undo: BulkUndo | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** The latest bulk change of this tab that can be taken back, for `useSyncExternalStore`. It outlives the page. */
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
