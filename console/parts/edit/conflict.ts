import type { Change } from '../../api.ts';

/** A field that two people changed, with both values as the page formats them. */
interface ConflictField {
  label: string;
  theirs: string;
  mine: string;
}

export interface Conflict {
  fields: ConflictField[];
  /** The author and the time of the other change, when they are known. It may be the person's own, made in another tab. */
  by?: { id: string | null; who: string; at: string } | undefined;
  /** Whether the person takes back an earlier change of their own. */
  isUndo?: boolean;
}

/** `back` leaves both values as they are: the person closed the dialog, and goes on in the field. */
export type ConflictAnswer = 'theirs' | 'mine' | 'back';

export interface OpenConflict extends Conflict {
  answer: (answer: ConflictAnswer) => void;
}

let open: OpenConflict | undefined;
const listeners = new Set<() => void>();

function change(next: OpenConflict | undefined): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens the dialog of a conflict, and resolves to the person's choice. */
export function askAboutConflict(conflict: Conflict): Promise<ConflictAnswer> {
  open?.answer('back');
  const { promise, resolve } = Promise.withResolvers<ConflictAnswer>();
  change({
    ...conflict,
    answer: (answer) => {
      change(undefined);
      resolve(answer);
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

/** Names the author of a change for the dialog of a conflict. */
export const toAuthor = (change: Pick<Change, 'actor' | 'at'> | undefined): Conflict['by'] =>
  change && {
    id: change.actor.id ?? null,
    who: change.actor.name ?? change.actor.type,
    at: change.at,
  };
