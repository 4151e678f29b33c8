import { useSyncExternalStore, type ReactNode } from 'react';
import { countSignOuts } from '../../session/questions.ts';

/** A dialog with a text that the service shows only once, such as a new key. */
interface Once {
  render: (close: () => void) => ReactNode;
  /** Another person who signs in in the tab must not see it. */
  signOutCount: number;
}

let shown: Once | undefined;
/** How many requests for such a text are on their way. */
let sentCount = 0;
const listeners = new Set<() => void>();

function change(next: Once | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Shows a text that the service shows only once, in a dialog over the settings or the profile. When the person has left them, it
 * waits there until they come back.
 */
export const showOnce = (render: Once['render']): void =>
  change({ render, signOutCount: countSignOuts() });

/** Keeps the dialog and the page open until the answer to a request for such a text, and returns the answer. */
export async function keepOpenFor<T>(request: Promise<T>): Promise<T> {
  sentCount += 1;
  try {
    return await request;
  } finally {
    sentCount -= 1;
  }
}

/** Makes the `onClose` of the dialog that sends such a request: until the answer, it does nothing. */
export const unlessSending = (onClose: () => void) => (): void => {
  if (sentCount === 0) onClose();
};

const isShown = (once: Once | undefined): once is Once => once?.signOutCount === countSignOuts();

// The browser asks before it leaves the page while such a text is on its way, or waits to be read.
addEventListener('beforeunload', (event) => {
  if (sentCount > 0 || isShown(shown)) event.preventDefault();
});

/** The place of the dialog of `showOnce`. */
export function OnceDialog() {
  const once = useSyncExternalStore(subscribe, () => shown);
  return isShown(once) ? once.render(() => change(undefined)) : null;
}
