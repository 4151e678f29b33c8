import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { countSignOuts } from '../session/questions.ts';

/** A dialog with a text that the service shows only once, such as a new key. */
interface Once {
  render: (close: () => void) => ReactNode;
  /** Another person who signs in in the tab must not see it. */
  signOutCount: number;
}

let shown: Once | undefined;
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
 * Shows a text that the service shows only once, in a dialog over the settings. When the person has left the settings, it waits there
 * until they come back.
 */
export const showOnce = (render: Once['render']): void =>
  change({ render, signOutCount: countSignOuts() });

/** The place of the dialog of `showOnce`. While it is open, the browser asks before it leaves the page. */
export function OnceDialog() {
  const once = useSyncExternalStore(subscribe, () => shown);
  const isShown = once?.signOutCount === countSignOuts();
  useEffect(() => {
    if (!isShown) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isShown]);
  return isShown ? once.render(() => change(undefined)) : null;
}
