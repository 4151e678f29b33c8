import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { addDialog } from './open-dialogs.ts';
import { texts } from './texts.ts';
import './dialog.css';

interface DialogProps {
  title: string;
  /** Called by Escape and the close button. The parent then renders the dialog no more. */
  onClose: () => void;
  /** The dialog asks something that must be answered: Escape does not close it. */
  isFirm?: boolean;
  /** `wide` for what needs columns, `side` for a drawer on the right. */
  shape?: 'normal' | 'wide' | 'side';
  children: ReactNode;
}

/**
 * A dialog over the page, open for as long as it is rendered. The browser keeps the focus in it, and gives it back. The focus starts in the
 * element with `data-initial-focus`, else in the first field.
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
    // React focuses a field before the dialog is open, when it cannot have the focus yet.
    const field =
      element.querySelector<HTMLElement>('[data-initial-focus]') ??
      element.querySelector<HTMLElement>('.dialog-content :is(input, select, textarea)');
    field?.focus();
    const remove = addDialog(element);
    return () => {
      remove();
      element.close();
      // The browser gives the focus back only to what still stands.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
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
