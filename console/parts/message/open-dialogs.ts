/** The open modal dialogs, the topmost last. Everything outside the topmost one is inert. */
let dialogs: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLDialogElement[]): void {
  dialogs = next;
  for (const listener of listeners) listener();
}

/** Adds a dialog that was opened. Returns the function that removes it. */
export function addDialog(dialog: HTMLDialogElement): () => void {
  change([...dialogs, dialog]);
  return () => change(dialogs.filter((each) => each !== dialog));
}

/** The store of the topmost dialog, for `useSyncExternalStore`. */
export const topDialog = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: (): HTMLDialogElement | undefined => dialogs.at(-1),
};
