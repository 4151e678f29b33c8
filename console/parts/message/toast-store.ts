export interface ToastContent {
  text: string;
  look?: 'info' | 'error';
  /** Undoes the change. Ctrl Z calls it, too, while the toast is shown. */
  onUndo?: () => void;
  /** Another action, such as "Show". */
  action?: { label: string; onAction: () => void };
  /** How long the toast is shown; 10 s by default, for as long as a change can be undone. With Infinity, the person must close it. */
  lastsMs?: number;
}

export interface Toast extends ToastContent {
  id: number;
}

const LASTS_MS = 10_000;
/** The most toasts at a time, so that they do not hide the page. A new one removes the oldest. */
const SHOWN_MAX_COUNT = 3;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function closeToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  change(toasts.filter((toast) => toast.id !== id));
}

/** Shows a toast: a message in a live region at the edge of the window. Returns its id for `closeToast`. */
export function showToast(content: ToastContent): number {
  const toast = { ...content, id: nextId++ };
  change([...toasts, toast].slice(-SHOWN_MAX_COUNT));
  resumeToast(toast);
  return toast.id;
}

/** Starts the timer of a toast, also again when the pointer or the focus has left it. */
export function resumeToast({ id, lastsMs = LASTS_MS }: Toast): void {
  if (lastsMs !== Infinity)
    timers.set(
      id,
      setTimeout(() => closeToast(id), lastsMs),
    );
}

/** Stops the timer of a toast while the pointer or the focus is on it. */
export function pauseToast({ id }: Toast): void {
  clearTimeout(timers.get(id));
}

/** The changes that are being saved, except those that undo another one. The toast of a change comes right after its save. */
let saving: readonly symbol[] = [];
/** The least id of a toast that is undone as soon as it comes, because Ctrl Z was pressed while its change was being saved. */
let undoneFromId = Infinity;

/** Notes that a change is being saved. Returns the function to call once it is saved or refused, right before its toast. */
export function noteSave(): () => void {
  const save = Symbol();
  saving = [...saving, save];
  return () =>
    setTimeout(() => {
      saving = saving.filter((each) => each !== save);
      if (saving.length > 0) return;
      undoLatest(undoneFromId);
      undoneFromId = Infinity;
    });
}

/**
 * Undoes the latest change whose toast is still shown. While a change is being saved, undoes that one once it is saved, and nothing
 * when it is refused. Returns whether there was a change.
 */
export function undoLatest(fromId = 0): boolean {
  if (saving.length > 0) {
    undoneFromId = nextId;
    return true;
  }
  const toast = toasts.findLast(({ id, onUndo }) => id >= fromId && onUndo !== undefined);
  if (toast === undefined) return false;
  closeToast(toast.id);
  toast.onUndo?.();
  // Another Ctrl Z undoes the change before, also while this one is being undone.
  saving = [];
  return true;
}

/** The store of the toasts, for `useSyncExternalStore`. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => toasts,
};
