import { useEffect, useRef, type RefObject } from 'react';

/**
 * Returns the ref of a button that an editor replaces, or a menu makes inert, while it is open. When that closes and the focus is
 * lost, the button gets the focus. When the person has moved the focus elsewhere, it stays there.
 */
export function useTrigger<T extends HTMLElement = HTMLButtonElement>(
  isOpen: boolean,
): RefObject<T | null> {
  const trigger = useRef<T>(null);
  useEffect(() => (isOpen ? () => takeFocus(trigger) : undefined), [isOpen]);
  return trigger;
}

function takeFocus(trigger: RefObject<HTMLElement | null>): void {
  if (document.activeElement === document.body) trigger.current?.focus();
}
