import { useEffect, useState, type ReactNode } from 'react';
import { useTrigger } from '../keyboard/focus.ts';
import { useShortcut } from '../keyboard/shortcut.ts';
import { lazyDialog, lazyPart } from '../page/lazy-part.tsx';

export const PopupPanel = lazyDialog(() => import('./popup-panel.tsx'));
export const MenuList = lazyPart(() => import('./menu-list.tsx'));

/** Loads what opens. */
export function preloadPopup(isMenu: boolean): void {
  PopupPanel.preload();
  if (isMenu) MenuList.preload();
}

interface PopupProps {
  className: string;
  /** The name of the button, when its content does not say what it opens. */
  name?: string | undefined;
  /** The name of the panel. */
  title: string;
  /** Whether the panel is a menu. Otherwise it is a dialog. */
  isMenu?: boolean;
  /** The single key that opens it. */
  shortcut?: string | undefined;
  button: ReactNode;
  children: (close: () => void) => ReactNode;
}

/**
 * A button that opens a panel beside it. React Aria places the panel and moves the focus. Its code is loaded when the button gets
 * the pointer or the focus, so that pages load without it. A button with a shortcut loads it at once: a person types the first
 * letters of a choice right after the key.
 */
export function Popup({
  className,
  name,
  title,
  isMenu = false,
  shortcut,
  button,
  children,
}: PopupProps) {
  const [isOpen, setOpen] = useState(false);
  // A dialog that a choice opens then finds the focus on the button, and gives it back there.
  const trigger = useTrigger(isOpen);
  useShortcut(
    shortcut ?? '',
    () => {
      // At its end, the panel gives the focus back to the button, so focus the button first.
      trigger.current?.focus();
      setOpen(true);
    },
    shortcut !== undefined,
  );
  useEffect(() => {
    if (shortcut !== undefined) preloadPopup(isMenu);
  }, [shortcut, isMenu]);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-label={name}
        aria-haspopup={isMenu ? 'menu' : 'dialog'}
        aria-expanded={isOpen}
        aria-keyshortcuts={shortcut}
        onPointerEnter={() => preloadPopup(isMenu)}
        onFocus={() => preloadPopup(isMenu)}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {button}
      </button>
      {isOpen && (
        <PopupPanel
          triggerRef={trigger}
          title={title}
          isMenu={isMenu}
          onClose={() => setOpen(false)}
        >
          {children(() => setOpen(false))}
        </PopupPanel>
      )}
    </>
  );
}
