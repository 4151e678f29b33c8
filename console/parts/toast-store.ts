export interface ToastContent {
  text: string;
  look?: 'info' | 'error';
  /** Takes the change back. It is also what Ctrl Z does while the toast is there. */
  onUndo?: () => void;
  /** Another act, such as "Show". */
  action?: { label: string; onAct: () => void };
  /** How long it stays; 10 s by default, as long as a change can be undone. Infinity: until it is closed. */
  lastsMs?: number;
}

export interface Toast extends ToastContent {
  id: number;
}

const LASTS_MS = 10_000;
/** More than these hide the page. The oldest leaves first. */
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

/** Says what happened, in a live region at the edge of the window. Returns the id, for `closeToast`. */
export function showToast(content: ToastContent): number {
  const toast = { ...content, id: nextId++ };
  change([...toasts, toast].slice(-SHOWN_MAX_COUNT));
  resumeToast(toast);
  return toast.id;
}

/** Starts the time of a toast again, when the pointer or the focus has left it. */
export function resumeToast({ id, lastsMs = LASTS_MS }: Toast): void {
  if (lastsMs !== Infinity)
    timers.set(
      id,
      setTimeout(() => closeToast(id), lastsMs),
    );
}

/** A toast stays while the pointer or the focus is on it. */
export function pauseToast({ id }: Toast): void {
  clearTimeout(timers.get(id));
}

/** Takes back the latest change that still can be. Returns whether there was one. */
export function undoLatest(): boolean {
  const toast = toasts.findLast(({ onUndo }) => onUndo !== undefined);
  if (toast === undefined) return false;
  closeToast(toast.id);
  toast.onUndo?.();
  return true;
}

/** For `useSyncExternalStore`. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  read: () => toasts,
};
