/** The modal dialogs that are open, the topmost last. All outside the topmost one is inert. */
let dialogs: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLDialogElement[]): void {
  dialogs = next;
  for (const listener of listeners) listener();
}

/** Adds a dialog that was opened. Returns the function that takes it out again. */
export function addDialog(dialog: HTMLDialogElement): () => void {
  change([...dialogs, dialog]);
  return () => change(dialogs.filter((each) => each !== dialog));
}

/** For `useSyncExternalStore`: the topmost dialog. */
export const topDialog = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: (): HTMLDialogElement | undefined => dialogs.at(-1),
};
