import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Gives the focus to the button that opened something in its place, when that has closed and took the focus with it. A
 * person who has moved on meanwhile is left alone.
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
