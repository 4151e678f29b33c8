import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button } from './button.tsx';
import { topDialog } from './open-dialogs.ts';
import { texts } from './texts.ts';
import { closeToast, pauseToast, resumeToast, toastStore, undoLatest } from './toast-store.ts';
import './toast.css';

export { showToast } from './toast-store.ts';

/** The live region of the toasts, once in each page. While a dialog is open, it is in the topmost one, because everything else is inert. */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const dialog = useSyncExternalStore(topDialog.subscribe, topDialog.read);
  useUndoKey();
  const region = (
    <div className="toasts screen-only" role="status" aria-label={texts.messages}>
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className={`toast toast-${toast.look ?? 'info'}`}
          onPointerEnter={() => pauseToast(toast)}
          onPointerLeave={() => resumeToast(toast)}
          onFocus={() => pauseToast(toast)}
          onBlur={() => resumeToast(toast)}
        >
          <p>{toast.text}</p>
          {toast.onUndo !== undefined && (
            <Button
              look="bare"
              onClick={() => {
                closeToast(toast.id);
                toast.onUndo?.();
              }}
            >
              {texts.undo}
            </Button>
          )}
          {toast.action !== undefined && (
            <Button
              look="bare"
              onClick={() => {
                closeToast(toast.id);
                toast.action?.onAction();
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <Button look="bare" icon="close" isIconOnly onClick={() => closeToast(toast.id)}>
            {texts.close}
          </Button>
        </div>
      ))}
    </div>
  );
  return dialog === undefined ? region : createPortal(region, dialog);
}

/** Makes Ctrl Z undo the latest change. In a text field, the browser keeps its own undo. */
function useUndoKey(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z';
      if (isUndo && !isTyping(event.target) && undoLatest()) event.preventDefault();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Returns whether the target of an event is a text field, which uses the keys itself. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button'].includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}
