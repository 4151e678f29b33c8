import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Returns the ref of a button that an editor replaces while it is open. When the editor closes and the focus is lost, the button
 * gets the focus. When the person has moved the focus elsewhere, it stays there.
 */
export function useTrigger<T extends HTMLElement = HTMLButtonElement>(
  isOpen: boolean,
): RefObject<T | null> {
  const trigger = useRef<T>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      trigger.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return trigger;
}
