import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { addDialog } from '../message/open-dialogs.ts';
import { texts } from '../text/texts.ts';
import './dialog.css';

interface DialogProps {
  title: string;
  /** Called by Escape and the close button. The parent must then stop rendering the dialog. */
  onClose: () => void;
  /** Whether the person must answer: Escape then does not close the dialog. */
  isFirm?: boolean;
  /** `wide` has room for columns; `side` is a drawer on the right. */
  shape?: 'normal' | 'wide' | 'side';
  children: ReactNode;
}

/**
 * A modal dialog, open for as long as it is rendered. The focus starts in the element with `data-initial-focus`, or else in the
 * first field, or else on the filled button of a question. A question about an action that cannot be undone has no filled button:
 * there the browser picks the close button. The browser keeps the focus inside; at the end, the dialog gives it back.
 */
export function Dialog({
  title,
  onClose,
  isFirm = false,
  shape = 'normal',
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    const before = document.activeElement;
    element.showModal();
    // React applies `autoFocus` before the dialog is open, when a field cannot get the focus. So set it here.
    const first =
      element.querySelector<HTMLElement>('[data-initial-focus]') ??
      element.querySelector<HTMLElement>('.dialog-content :is(input, select, textarea)') ??
      element.querySelector<HTMLElement>('form .form-buttons > .button-filled');
    first?.focus();
    const remove = addDialog(element);
    return () => {
      remove();
      element.close();
      const isThere =
        before instanceof HTMLElement && before !== document.body && before.isConnected;
      if (isThere) before.focus();
      // The element that had the focus may be gone. A dialog that an address opens has none before it.
      else if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('#page h1')?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog dialog-${shape}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        if (!isFirm) onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {!isFirm && (
          <Button look="bare" icon="close" isIconOnly onClick={onClose}>
            {texts.close}
          </Button>
        )}
      </header>
      <div className="dialog-content">{children}</div>
    </dialog>
  );
}
