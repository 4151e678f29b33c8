import {
  useEffect,
  useRef,
  useSyncExternalStore,
  type FocusEvent,
  type SyntheticEvent,
} from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../button/button.tsx';
import { texts } from '../text/texts.ts';
import { noteHeight } from './note-height.ts';
import { topDialog } from './open-dialogs.ts';
import {
  closeToast,
  pauseToast,
  resumeToast,
  toastStore,
  undoLatest,
  type Toast,
} from './toast-store.ts';
import './toast.css';

export { showToast } from './toast-store.ts';

/** Starts the timer of a toast again, unless the pointer or the focus is still on it. */
function resume({ currentTarget }: SyntheticEvent, toast: Toast): void {
  if (!currentTarget.matches(':hover, :focus-within')) resumeToast(toast);
}

const listActions = ({ onUndo, action }: Toast) => [
  ...(onUndo ? [{ label: texts.undo, onAction: onUndo }] : []),
  ...(action ? [action] : []),
];

/** The end of a page can be scrolled above the toasts. */
const noteToasts = noteHeight('--toasts');

/** The live region of the toasts, once in each page. While a dialog is open, it is in the topmost one, because everything else is inert. */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const dialog = useSyncExternalStore(topDialog.subscribe, topDialog.read);
  const { noteFocus, giveFocusBack } = useFocusBefore();
  useUndoKey();

  /** Closes a toast whose button was pressed. The button has the focus, which must not be lost with it. */
  function close({ id }: Toast): void {
    giveFocusBack();
    closeToast(id);
  }

  const region = (
    <div className="toasts screen-only" role="status" aria-label={texts.messages} ref={noteToasts}>
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className={`toast toast-${toast.look ?? 'info'}`}
          onPointerEnter={() => pauseToast(toast)}
          onPointerLeave={(event) => resume(event, toast)}
          onFocus={(event) => {
            noteFocus(event);
            pauseToast(toast);
          }}
          onBlur={(event) => resume(event, toast)}
        >
          <p>{toast.text}</p>
          {listActions(toast).map(({ label, onAction }) => (
            <Button
              key={label}
              look="bare"
              onClick={() => {
                close(toast);
                onAction();
              }}
            >
              {label}
            </Button>
          ))}
          <Button look="bare" icon="close" isIconOnly onClick={() => close(toast)}>
            {texts.close}
          </Button>
        </div>
      ))}
    </div>
  );
  return dialog === undefined ? region : createPortal(region, dialog);
}

/** Notes the element that had the focus before a toast got it, and gives the focus back to it, or else to the heading. */
function useFocusBefore() {
  const before = useRef<Element>(null);
  function noteFocus({ relatedTarget }: FocusEvent): void {
    if (relatedTarget === null || relatedTarget.closest('.toasts') === null)
      before.current = relatedTarget;
  }
  function giveFocusBack(): void {
    const isThere = before.current instanceof HTMLElement && before.current.isConnected;
    const target = isThere ? before.current : document.querySelector('#page h1');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
  return { noteFocus, giveFocusBack };
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
