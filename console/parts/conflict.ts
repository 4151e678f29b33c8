/** A field that two people changed, with both values as the page formats them. */
interface ConflictField {
  label: string;
  theirs: string;
  mine: string;
}

export interface Conflict {
  fields: ConflictField[];
  /** The person and the time of the other change, when they are known. */
  by?: { who: string; at: string } | undefined;
}

export interface OpenConflict extends Conflict {
  answer: (isMine: boolean) => void;
}

let open: OpenConflict | undefined;
const listeners = new Set<() => void>();

function change(next: OpenConflict | undefined): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens the dialog of a conflict. Resolves to true when the person chooses "Use mine". */
export function askAboutConflict(conflict: Conflict): Promise<boolean> {
  open?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  change({
    ...conflict,
    answer: (isMine) => {
      change(undefined);
      resolve(isMine);
    },
  });
  return promise;
}

/** The store of the open conflict, for `useSyncExternalStore`. */
export const conflicts = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => open,
};
